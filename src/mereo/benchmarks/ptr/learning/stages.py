"""The networks that PTR's own rows are made of, and what each learns from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.learning.levels import LEVELS
from mereo.benchmarks.ptr.learning.said import ABSENT
from mereo.benchmarks.ptr.numbers import VISIBLE_PART
from mereo.training.row import Desk, Stage
from mereo.training.sight_stages import dense_stage, detector_stage, parser_stage

if TYPE_CHECKING:
    from mereo.models.learner import Learner
    from mereo.training.fields import Source

__all__ = ["CROP_WIDTH", "DENSE", "EYES", "PARSER"]

CROP_WIDTH = 32
"""Channels of attribute networks at their finest resolution: half of those of ResNet-34, since crops are small."""
_UNSTABLE = LEVELS["object"].words["stability"].index("unstable")


def _object_attributes(desk: Desk) -> Learner:
    """Names from the object alone; where it is and whether it stays, from object and scene."""
    from mereo.models.attributes import Attributes, Said

    level, both = LEVELS["object"], ("crop", "scene")
    return Attributes(
        [
            Said("category", "words", len(level.words["category"]), ("crop",)),
            Said("stability", "words", len(level.words["stability"]), both),
            Said("change", "several", len(level.several["change"]), both, only=("stability", _UNSTABLE)),
            *(Said(name, "numbers", level.numbers[name], both) for name in ("place", "support")),
        ],
        width=int(desk.choices.get("crop_width", CROP_WIDTH)),
    )


def _part_attributes(desk: Desk) -> Learner:
    """Name and color from the part, its object and what that is; line, plane and axis from the part alone."""
    from mereo.models.attributes import Attributes, Said

    level, both = LEVELS["part"], ("crop", "around")
    return Attributes(
        [
            *(Said(name, "words", len(level.words[name]), both, knows=True) for name in ("part", "color")),
            Said("geometry", "words", len(level.words["geometry"]), ("crop",), absent=ABSENT["geometry"]),
            Said("axis", "numbers", level.numbers["axis"], ("crop",)),
        ],
        known=len(LEVELS["object"].words["category"]),
        width=int(desk.choices.get("crop_width", CROP_WIDTH)),
    )


def _objects(desk: Desk, split: str) -> Source:
    from mereo.training.crops import ThingSource

    return ThingSource(desk.corpus, split, "object")


def _parts(desk: Desk, split: str) -> Source:
    from mereo.training.crops import ThingSource

    return ThingSource(desk.corpus, split, "part", whole="category")


def _check(desk: Desk) -> None:
    from mereo.benchmarks.ptr.learning.rebuilding import check_sources

    check_sources(desk.choices)  # before an hour of training, and not after it


EYES = (
    detector_stage("objects", "masks of objects", "object", share=2.0),
    detector_stage("parts", "masks of parts", "part", share=4.0),
    Stage(
        "object_attributes",
        "what objects are, where, and whether they stay",
        _object_attributes,
        _objects,
        reads=("crop_width",),
    ),
    Stage(
        "part_attributes",
        "what parts are, their colors and how they lie",
        _part_attributes,
        _parts,
        share=2.0,
        reads=("crop_width",),
    ),
)
"""NS-VQA's perception."""

DENSE = dense_stage(
    "objects, parts, and what they are like, by pixels", absent=ABSENT, counted=VISIBLE_PART, check=_check
)

PARSER = parser_stage(LANGUAGE)
