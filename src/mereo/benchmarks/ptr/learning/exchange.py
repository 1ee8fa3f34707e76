"""What was seen, with one stage of seeing exchanged for the truth, so that one finds where answers are lost.

Whatever is told of things belongs to one stage. `things` is what there is: pixels, names, colors, places, and whose
parts are whose; `poses` how objects lie in three dimensions; `geometry` what is a line or a plane, and its axis;
`physics` what would fall. All but the first are exchanged only of things that were found. Where `things` is exchanged,
those that nobody had found are there as well and are true in every way, since nothing else is known of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mereo.benchmarks.ptr.learning.rebuild.numbers import OBJECT_NUMBERS, OBJECT_WORDS, PART_NUMBERS
from mereo.training.matching import matched
from mereo.training.seeing import COUNTS, Seen, SeenThing

__all__ = ["STAGES", "exchanged"]

_STAGE_OF = {
    **dict.fromkeys(("category", "part", "color", "place", "support", COUNTS), "things"),
    **dict.fromkeys((*OBJECT_WORDS, *OBJECT_NUMBERS, *PART_NUMBERS), "poses"),
    **dict.fromkeys(("geometry", "axis", "own_axis"), "geometry"),
    **dict.fromkeys(("stability", "change"), "physics"),
}
"""By name of a word or number the stage that tells it."""
STAGES = tuple(dict.fromkeys(_STAGE_OF.values()))

_LEAST = {"category": 0.5, "part": 0.3}
"""The least overlap of what was found with what is there, objects and parts: a leg is hardly wider than its border."""

Values = Mapping[str, Any]


def exchanged(seen: Seen, true: Seen, stages: Collection[str]) -> Seen:
    """What was seen, with all that belongs to some stages as it is in truth."""
    if not stages:
        return seen
    objects = _pairs(seen.objects, true.objects, "category", whole="things" in stages)
    parts = _pairs(seen.parts, true.parts, "part", whole="things" in stages)
    return replace(
        true if "things" in stages else seen,
        objects=[_mixed(*pair, stages) for pair in objects],
        parts=[_mixed(*pair, stages) for pair in parts],
    )


def _pairs(
    found: Sequence[SeenThing], true: Sequence[SeenThing], called: str, *, whole: bool
) -> list[tuple[SeenThing, SeenThing]]:
    """All that was found, each with what it is in truth; for the whole truth all there is, each as it was found.

    What has no partner is its own.
    """
    partner = matched(found, true, called=called, least=_LEAST[called])
    if whole:
        return [(found[partner[k]] if k in partner else one, one) for k, one in enumerate(true)]
    truth = {here: true[there] for there, here in partner.items()}
    return [(one, truth.get(k, one)) for k, one in enumerate(found)]


def _mixed(found: SeenThing, true: SeenThing, stages: Collection[str]) -> SeenThing:
    """One thing: what belongs to the stages as it is in truth, all else as it was found."""
    if found is true:
        return found

    def told(seen: Values, truth: Values) -> dict[str, Any]:
        own = {name: value for name, value in seen.items() if _STAGE_OF[name] not in stages}
        return own | {name: value for name, value in truth.items() if _STAGE_OF[name] in stages}

    return replace(
        true if "things" in stages else found,
        words=told(found.words, true.words),
        numbers=told(found.numbers, true.numbers),
        odds=told(found.odds, {}),
    )
