"""What is seen of rooms that are rebuilt where programs ask for it, with any stage exchanged for the truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING

from mereo.benchmarks.ptr.learning.exchange import exchanged
from mereo.benchmarks.ptr.learning.looking import look_at_pixels, look_at_truth
from mereo.errors import UnknownName
from mereo.training.seeing import Seen

if TYPE_CHECKING:
    from mereo.training.row import Desk

__all__ = ["EXCHANGED", "SOURCES", "check_sources", "look_and_rebuild"]

SOURCES = {"geometry": ("seen", "rebuilt", "both", "true"), "physics": ("seen", "rebuilt", "true")}
"""Where lines and planes, and what would fall, may be taken from. For both, what is a line or a plane is seen, and its
axis is that of the rebuilt part."""
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
    desk: Desk, split: str, programs: Sequence[str | None], sources: Mapping[str, str]
) -> Iterator[Seen]:
    """What was seen of each scene of a split.

    programs : of all questions of the split, None where none could be read · sources : for geometry and physics
    """
    given = {stage for stage in EXCHANGED if desk.choices.get(stage)}
    told = {name for name, source in sources.items() if source == "true"}
    asked = {name: _asked(desk, split, programs, name) for name in SOURCES}
    truth = look_at_truth(desk, split) if given | told else repeat(None)
    for scene, (seen, true) in enumerate(zip(look_at_pixels(desk, split), truth, strict=False)):
        own = seen if true is None else exchanged(seen, true, given)
        own = _rebuilt(own, {name: source for name, source in sources.items() if scene in asked[name]})
        yield own if true is None else exchanged(own, true, told)


def _rebuilt(seen: Seen, sources: Mapping[str, str]) -> Seen:
    """What was seen, with what follows from a room that is rebuilt of it. sources : of what is asked for"""
    if sources.get("physics") == "rebuilt":
        from mereo.benchmarks.ptr.learning.rebuild.verdicts import with_verdicts

        seen = with_verdicts(seen)
    if sources.get("geometry") in ("rebuilt", "both"):
        from mereo.benchmarks.ptr.learning.rebuild.straight import with_axes

        seen = with_axes(seen, alone=sources["geometry"] == "rebuilt")
    return seen


def _asked(desk: Desk, split: str, programs: Sequence[str | None], what: str) -> set[int]:
    """The scenes of which a program asks for something."""
    scenes = desk.corpus.questions(split, desk.lexicon).scene.tolist()
    return {
        scene
        for scene, line in zip(scenes, programs, strict=True)
        if line is not None and any(word in line for word in _ASKING[what])
    }
