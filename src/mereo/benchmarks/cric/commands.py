"""Commands that only CRIC has: what a file of knowledge holds, or what comes with mereo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mereo.benchmarks.choices import Choice
from mereo.benchmarks.offer import Command, Lines, Sheet
from mereo.errors import BadInput

__all__ = ["COMMANDS"]


def _knowledge(choices: Mapping[str, Any], progress: Callable[[int], None]) -> Lines:
    from mereo.benchmarks.cric.knowledge_sheets import draw_degrees, of_degrees, of_patterns, of_relations
    from mereo.extras import need
    from mereo.files import write_bytes
    from mereo.knowledge import embedded_knowledge, merged, read_knowledge
    from mereo.knowledge.figures import bands, coverage, degrees
    from mereo.knowledge.tagging import tagger

    need("telling phrases apart", "knowledge")
    path, plot = choices["path"], choices["plot"]
    if plot is not None and Path(plot).suffix != ".svg":
        raise BadInput("must end in .svg", file=plot, field="--plot")
    lines: list[str | Sheet] = []
    if path is None:
        items = merged(embedded_knowledge())
        lines.append(f"the knowledge that comes with mereo: {len(items):,} items")
    else:
        found, tally = read_knowledge(path, strict=choices["strict"])
        items = found.items()
        read = f"{tally.told()}; " if tally else ""
        lines.append(f"{path}: {read}{len(items):,} different items")
        lines += tally.shown if tally else []
    parsed, connected = coverage(items), degrees(items)
    longer, good = parsed.longer
    lines += ["", of_relations(items, parsed), ""]
    lines.append(
        f"tagged by {tagger().name}, {parsed.share:.1%} of {parsed.phrases:,} phrases are parsed, "
        f"{good / max(longer, 1):.1%} of the {longer:,} with more than one word"
    )
    lines += [of_patterns(parsed), "", of_degrees(bands(connected))]
    if plot is not None:
        write_bytes(plot, draw_degrees(bands(connected), connected.before.total()).encode())
        lines.append(f"{plot}: written")
    progress(len(items))
    return lines


KNOWLEDGE = Command(
    "knowledge",
    "Tell what a file of knowledge holds: items, what of it is parsed into graphs, and how connected it is then.",
    (
        Choice(
            "path",
            Path,
            None,
            "A dump of ConceptNet, triples or a store; else the knowledge that comes with mereo.",
            argument=True,
            optional=True,
        ),
        Choice("plot", Path, None, "Also draw how many others entities are connected to, as `degrees.svg`."),
        Choice("strict", bool, False, "Stop at the first row that cannot be read."),
    ),
    _knowledge,
    unit="items",
)

COMMANDS = (KNOWLEDGE,)
