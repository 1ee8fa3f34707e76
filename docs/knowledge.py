"""Figures of knowledge in ConceptNet's form: `python docs/knowledge.py FILE` prints tables and draws the degrees.

FILE is a dump of ConceptNet or a file of triples. Writes pictures/knowledge-degrees.svg.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from mereo.benchmarks.cric.knowledge_sheets import draw_degrees, of_degrees, of_patterns
from mereo.knowledge import read_knowledge
from mereo.knowledge.figures import Coverage, bands, coverage, degrees
from mereo.knowledge.tagging import tagger
from mereo.sheets import Sheet

PICTURES = Path(__file__).with_name("pictures")


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
    print(of_relations(found), of(of_patterns(found)), of(of_degrees(bands(connected))), sep="\n\n")
    drawing = draw_degrees(bands(connected), connected.before.total())
    (options.out / "knowledge-degrees.svg").write_text(drawing)


def of_relations(found: Coverage) -> str:
    """How much of each relation is parsed."""
    rows = [(name, f"{count:,}", f"{good / count:.1%}") for name, (count, good) in found.relations.items()]
    return table(("relation", "heads and tails", "parsed"), rows)


def of(sheet: Sheet) -> str:
    """A sheet in Markdown."""
    return table(sheet.headings, sheet.rows)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, all but the first column being numbers."""
    lines = [heads, ["---", *("---:" for _ in heads[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    main()
