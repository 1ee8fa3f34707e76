"""What a file of knowledge holds, as tables and as a drawing: items, phrases that become graphs, and degrees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from mereo.evaluation.charts import score_columns
from mereo.evaluation.intervals import Mean
from mereo.knowledge import Item
from mereo.knowledge.figures import Band, Coverage
from mereo.sheets import Sheet

__all__ = ["draw_degrees", "of_degrees", "of_patterns", "of_relations", "pattern_rows"]

_SHOWN = 15
"""Patterns that have a row of their own."""


def of_relations(items: Iterable[Item], found: Coverage) -> Sheet:
    """How many items each relation has, and how much of its heads and tails is parsed."""
    counts = Counter(item.relation for item in items)
    rows = [(name, f"{counts[name]:,}", f"{good / phrases:.1%}") for name, (phrases, good) in found.relations.items()]
    rows.append(("all", f"{counts.total():,}", f"{found.share:.1%}"))
    return Sheet(("relation", "items", "heads and tails parsed"), rows)


def pattern_rows(found: Coverage) -> list[tuple[str, int]]:
    """How many phrases each pattern takes, those that take few together, and how many none takes."""
    patterns = list(found.patterns.items())
    more = [(f"{len(patterns) - _SHOWN} more", sum(count for _, count in patterns[_SHOWN:]))]
    none = [("none", found.phrases - found.parsed)]
    return [*patterns[:_SHOWN], *(more if len(patterns) > _SHOWN else []), *none]


def of_patterns(found: Coverage) -> Sheet:
    """How much each pattern takes."""
    rows = [(name, f"{count:,}", f"{count / (found.phrases or 1):.1%}") for name, count in pattern_rows(found)]
    return Sheet(("pattern", "phrases", "share"), rows)


def of_degrees(found: Sequence[Band]) -> Sheet:
    """To how many others entities are connected."""
    rows = [(_named(band), f"{band.before:.1%}", f"{band.after:.1%}") for band in found]
    return Sheet(("connected to", "as phrases", "as graphs"), rows)


def draw_degrees(found: Sequence[Band], count: int) -> str:
    """The two distributions as bars, SVG. count : of entities"""

    def bar(share: float) -> Mean:
        return Mean(round(share * count), share, share, share)

    groups = [(_named(band), [("as phrases", bar(band.before)), ("as graphs", bar(band.after))]) for band in found]
    return score_columns(groups, title="To how many others an entity is connected", about="share of entities")


def _named(band: Band) -> str:
    """A band in words."""
    return f"{band.low:,} to {band.high:,}" if band.high else "none"
