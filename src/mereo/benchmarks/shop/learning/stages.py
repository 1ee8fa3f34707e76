"""The networks that SHOP-VRB's own rows are made of, and what each learns from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mereo.benchmarks.shop.language import LANGUAGE
from mereo.benchmarks.shop.learning.levels import SEEN
from mereo.training.row import Desk, Pace, Stage
from mereo.training.sight_stages import dense_stage, detector_stage, parser_stage, rewarded_stage

if TYPE_CHECKING:
    from mereo.models.learner import Learner
    from mereo.training.fields import Source

__all__ = [
    "CROP_WIDTH",
    "DENSE",
    "EYES",
    "FEW",
    "FEW_PARSER",
    "LOOKING",
    "MODULES",
    "PAIRS",
    "PARSER",
    "READER",
    "REWARDED",
    "VOTER",
]

PAIRS = 4000
"""Questions with programs that parsers learn from: there are 1,752 texts of templates, and each is met twice."""
FEW = 976
"""As many as the paper has: two questions of each of its 488 templates. All others only tell whether an answer is
right."""
CROP_WIDTH = 32
"""Channels of attribute networks at their finest resolution: half of those of ResNet-34, since crops are small."""


def _attributes(desk: Desk) -> Learner:
    """What an object is like from object and scene: how large it is shows beside others, where it stands in both."""
    from mereo.models.attributes import Attributes, Said

    both = ("crop", "scene")
    return Attributes(
        [
            *(Said(name, "words", len(values), both) for name, values in SEEN.words.items()),
            *(Said(name, "numbers", wide, both) for name, wide in SEEN.numbers.items()),
        ],
        width=int(desk.choices.get("crop_width", CROP_WIDTH)),
    )


def _objects(desk: Desk, split: str) -> Source:
    from mereo.training.crops import ThingSource

    return ThingSource(desk.corpus, split, "object")


def _reader(usual: str) -> Stage:
    """A reader of pages. It comes first in a row: whatever is wrong with a model that was given is found then."""

    def network(desk: Desk) -> Learner:
        from mereo.benchmarks.shop.learning.pages import make_reader

        return make_reader(desk, usual)

    def source(desk: Desk, split: str) -> Source:
        from mereo.benchmarks.shop.learning.pages import PageSource

        return PageSource(desk, split, usual)

    pace = Pace(batch=128, rate=4e-3, passes=20.0)
    reads = ("reader", "weights", "page_width")
    return Stage("reader", "what pages tell about things", network, source, share=0.5, pace=pace, reads=reads)


def _modules(desk: Desk) -> Learner:
    from mereo.benchmarks.shop.learning.graphs import make_modules

    return make_modules(desk)


def _graphs(desk: Desk, split: str) -> Source:
    from mereo.benchmarks.shop.learning.graphs import true_graphs

    return true_graphs(desk, split)


def _looking(desk: Desk) -> Learner:
    from mereo.benchmarks.shop.learning.transparent import looking_modules

    return looking_modules(desk)


def _programmed(desk: Desk, split: str) -> Source:
    from mereo.benchmarks.shop.learning.transparent import programmed

    return programmed(desk, split)


READER = _reader("bilstm")
VOTER = _reader("votes")
"""Which understands more of pages that it has not read."""

PARSER = parser_stage(LANGUAGE, pairs=PAIRS)
FEW_PARSER, REWARDED = parser_stage(LANGUAGE, pairs=FEW), rewarded_stage(LANGUAGE)

EYES = (
    detector_stage("objects", "masks of objects", "object", share=3.0),
    Stage(
        "attributes",
        "what objects are like, and where they stand",
        _attributes,
        _objects,
        share=3.0,
        reads=("crop_width",),
    ),
)
"""NS-VQA's perception."""

DENSE = dense_stage("objects, what they are like and where they stand, by pixels")

MODULES = Stage(
    "modules",
    "attention to things, step by step, from answers",
    _modules,
    _graphs,
    share=3.0,
    pace=Pace(batch=256, rate=2e-3, average=0.999, passes=20.0),
)

LOOKING = Stage(
    "modules",
    "where every function looks in pictures, from answers to questions whose programs are true",
    _looking,
    _programmed,
    share=4.0,
    pace=Pace(batch=32, rate=1e-3, average=0.999),
    reads=("trunk", "module_width", "together"),
)
