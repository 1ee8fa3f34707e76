"""The networks that PTR's own rows are made of, and what each learns from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mereo.benchmarks.ptr.learning.levels import LEVELS
from mereo.benchmarks.ptr.learning.said import ABSENT
from mereo.training.row import Desk, Pace, Stage

if TYPE_CHECKING:
    from mereo.models.learner import Learner
    from mereo.training.fields import Source

__all__ = ["CROP_WIDTH", "DENSE", "DENSE_WIDTH", "EYES", "PAIRS", "PARSER"]

PAIRS = 1000
"""Questions with programs that parsers learn from, as the paper has it."""
CROP_WIDTH = 32
"""Channels of attribute networks at their finest resolution: half of those of ResNet-34, since crops are small."""
DENSE_WIDTH = 32
_LONGEST = 64
"""Tokens of a program."""
_UNSTABLE = LEVELS["object"].words["stability"].index("unstable")


def _detector(desk: Desk) -> Learner:
    from mereo.models.detect import make_detector

    return make_detector(str(desk.choices.get("detector", "mask2former")))


def _scenes(level: str | None, desk: Desk, split: str) -> Source:
    from mereo.training.augment import MIRRORED
    from mereo.training.sources import SceneSource

    return SceneSource(desk.corpus, split, levels=None if level is None else (level,), change=MIRRORED)


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


def _dense(desk: Desk) -> Learner:
    from mereo.benchmarks.ptr.learning.rebuilding import check_sources
    from mereo.models.dense import DensePerception
    from mereo.models.told import Told

    check_sources(desk.choices)  # before an hour of training, and not after it

    def told(level: str) -> Told:
        own = LEVELS[level]
        words = {name: len(values) for name, values in own.words.items()}
        several = {name: len(values) for name, values in own.several.items()}
        absent = {name: value for name, value in ABSENT.items() if name in words}
        return Told(words, several, dict(own.numbers), absent=absent)

    return DensePerception(
        {level: told(level) for level in LEVELS},
        width=int(desk.choices.get("width", DENSE_WIDTH)),
        compiled=bool(desk.choices.get("compiled", False)),
    )


def _parser(desk: Desk) -> Learner:
    from mereo.benchmarks.ptr.language import LANGUAGE
    from mereo.models.grammar import Grammar
    from mereo.models.parser import Parser

    return Parser(len(desk.lexicon.words), Grammar(LANGUAGE, desk.lexicon.tokens, longest=_LONGEST))


def _pairs(desk: Desk, split: str) -> Source:
    """A few pairs, and many more that are made of these by exchanging what they speak of."""
    from mereo.benchmarks.ptr.language import LANGUAGE
    from mereo.training.pair_source import PairSource

    pairs = int(desk.choices.get("pairs", PAIRS))
    return PairSource(desk.corpus, split, desk.lexicon, LANGUAGE, pairs=pairs, seed=desk.seed)


EYES = (
    Stage(
        "objects",
        "masks of objects",
        _detector,
        lambda desk, split: _scenes("object", desk, split),
        share=2.0,
        pace=Pace(batch=16, rate=3e-4),
    ),
    Stage(
        "parts",
        "masks of parts",
        _detector,
        lambda desk, split: _scenes("part", desk, split),
        share=4.0,
        pace=Pace(batch=16, rate=3e-4),
    ),
    Stage("object_attributes", "what objects are, where, and whether they stay", _object_attributes, _objects),
    Stage("part_attributes", "what parts are, their colors and how they lie", _part_attributes, _parts, share=2.0),
)
"""NS-VQA's perception."""

DENSE = Stage(
    "perception",
    "objects, parts, and what they are like, by pixels",
    _dense,
    lambda desk, split: _scenes(None, desk, split),
    share=6.0,
    pace=Pace(batch=32, rate=2e-3, average=0.999),
)

PARSER = Stage(
    "parser",
    f"programs of questions, from {PAIRS:,} pairs",
    _parser,
    _pairs,
    pace=Pace(batch=256, rate=2e-3, passes=400.0),
)
