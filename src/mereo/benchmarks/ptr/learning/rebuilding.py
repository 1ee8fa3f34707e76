"""What is seen of rooms that are rebuilt where programs ask for it, with any stage exchanged for the truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import repeat, tee
from typing import TYPE_CHECKING

from mereo.benchmarks.ptr.learning.exchange import exchanged
from mereo.benchmarks.ptr.learning.looking import look_at_pixels, look_at_truth
from mereo.errors import UnknownName
from mereo.training.seeing import Seen

if TYPE_CHECKING:
    from mereo.training.row import Desk

__all__ = ["EXCHANGED", "SOURCES", "check_sources", "look_and_rebuild"]

SOURCES = {"geometry": ("seen", "posed", "rebuilt", "both", "true"), "physics": ("seen", "rebuilt", "true")}
"""Where lines and planes, and what would fall, may be taken from. Axes are seen as they are in the room, or as they are
in an object that is posed in the room; for both, what is a line or a plane is seen, and its axis is that of the
rebuilt part."""
EXCHANGED = ("things", "poses")
"""The stages before those, which are seen or true."""
_ASKING = {
    "geometry": ("relate_part", "filter_part_geometry", "query_part_analogy", "as_geometry"),
    "physics": ("stability", "possible_change"),
}
"""What stands in programs that ask for them."""


def check_sources(choices: Mapping[str, str | int | float | bool]) -> None:
    """Complain of a source that there is not."""
    for name, known in SOURCES.items():
        if name in choices and choices[name] not in known:
            raise UnknownName(f"source of {name} named", str(choices[name]), known)


def look_and_rebuild(
    desk: Desk,
    split: str,
    programs: Sequence[str | None],
    sources: Mapping[str, str],
    scenes: Sequence[int] | None = None,
) -> Iterator[Seen]:
    """What was seen of each scene of a split.

    programs : of all questions of the split, None where none could be read · sources : for geometry and physics ·
    scenes : the places of those that are looked at, where not all are
    """
    given = {stage for stage in EXCHANGED if desk.choices.get(stage)}
    told = {name for name, source in sources.items() if source == "true"}
    first, last = tee(look_at_truth(desk, split, scenes) if given | told else repeat(None))
    seen: Iterator[Seen] = map(partial(_with_truth, stages=given), look_at_pixels(desk, split, scenes), first)
    if sources["physics"] == "rebuilt":
        from mereo.benchmarks.ptr.learning.rebuild.verdicts import with_verdicts

        seen = with_verdicts(seen, _asked(desk, split, programs, "physics", scenes), workers=desk.corpus.workers)
    if sources["geometry"] == "posed":
        from mereo.benchmarks.ptr.learning.rebuild.straight import with_posed_axes

        seen = map(with_posed_axes, seen)
    if sources["geometry"] in ("rebuilt", "both"):
        from mereo.benchmarks.ptr.learning.rebuild.straight import with_axes

        alone, asked = sources["geometry"] == "rebuilt", _asked(desk, split, programs, "geometry", scenes)
        seen = (with_axes(one, alone=alone) if scene in asked else one for scene, one in enumerate(seen))
    return map(partial(_with_truth, stages=told), seen, last)


def _with_truth(seen: Seen, true: Seen | None, *, stages: set[str]) -> Seen:
    return seen if true is None else exchanged(seen, true, stages)


def _asked(desk: Desk, split: str, programs: Sequence[str | None], what: str, scenes: Sequence[int] | None) -> set[int]:
    """Of which of the scenes, one after the other, a program asks for something."""
    about = desk.corpus.questions(split, desk.lexicon).scene.tolist()
    found = {
        scene
        for scene, line in zip(about, programs, strict=True)
        if line is not None and any(word in line for word in _ASKING[what])
    }
    return found if scenes is None else {place for place, scene in enumerate(scenes) if scene in found}
