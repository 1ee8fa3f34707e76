"""Figures of knowledge in ConceptNet's form: `python docs/knowledge.py FILE` prints tables and draws the degrees.

FILE is a dump of ConceptNet or a file of triples. Writes pictures/knowledge-degrees.svg.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from mereo.evaluation.charts import score_columns
from mereo.evaluation.intervals import Mean
from mereo.knowledge import read_knowledge
from mereo.knowledge.figures import Band, Coverage, bands, coverage, degrees
from mereo.knowledge.tagging import tagger

PICTURES = Path(__file__).with_name("pictures")
SHOWN = 15
"""Patterns that have a row of their own."""


def main() -> None:
    """Print and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--out", type=Path, default=PICTURES)
    options = parser.parse_args()
    knowledge, tally = read_knowledge(options.file)
    items = knowledge.items()
    print(tally.told() if tally else options.file, f"({len(items):,} different)")
    found, connected = coverage(items), degrees(items)
    longer, good = found.longer
    print(f"\nTagged by {tagger().name}, {found.share:.1%} of {found.phrases:,} phrases are parsed;")
    print(f"{good / max(longer, 1):.1%} of the {longer:,} with more than one word.\n")
    print(of_relations(found), of_patterns(found), of_degrees(bands(connected)), sep="\n\n")
    drawing = drawn(bands(connected), connected.before.total())
    (options.out / "knowledge-degrees.svg").write_text(drawing)


def of_relations(found: Coverage) -> str:
    """How much of each relation is parsed."""
    rows = [(name, f"{count:,}", f"{good / count:.1%}") for name, (count, good) in found.relations.items()]
    return table(("relation", "heads and tails", "parsed"), rows)


def of_patterns(found: Coverage) -> str:
    """How much each pattern takes."""
    shown = list(found.patterns.items())
    rest = sum(count for _, count in shown[SHOWN:])
    named = [*shown[:SHOWN], (f"{len(shown) - SHOWN} more", rest), ("none", found.phrases - found.parsed)]
    return table(
        ("pattern", "phrases", "share"), [(name, f"{count:,}", f"{count / found.phrases:.1%}") for name, count in named]
    )


def of_degrees(found: Sequence[Band]) -> str:
    """The two distributions."""
    rows = [(named(band), f"{band.before:.1%}", f"{band.after:.1%}") for band in found]
    return table(("connected to", "as phrases", "as graphs"), rows)


def drawn(found: Sequence[Band], count: int) -> str:
    """The two distributions as bars."""

    def bar(share: float) -> Mean:
        return Mean(round(share * count), share, share, share)

    groups = [(named(band), [("as phrases", bar(band.before)), ("as graphs", bar(band.after))]) for band in found]
    return score_columns(groups, title="To how many others an entity is connected", about="share of entities")


def named(band: Band) -> str:
    """A band in words."""
    return f"{band.low:,} to {band.high:,}" if band.high else "none"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, all but the first column being numbers."""
    lines = [heads, ["---", *("---:" for _ in heads[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    main()
