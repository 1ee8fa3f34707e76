"""The models of SHOP-VRB's fifth table that only it has, and the one of our own that answers by what it believes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from mereo.benchmarks.shop.language import LANGUAGE
from mereo.benchmarks.shop.learning.beliefs import run_on_beliefs
from mereo.benchmarks.shop.learning.looking import Look, crops_and_pages, pixels_and_pages
from mereo.benchmarks.shop.learning.stages import (
    CROP_WIDTH,
    DENSE,
    EYES,
    FEW,
    FEW_PARSER,
    LOOKING,
    MODULES,
    PAIRS,
    PARSER,
    READER,
    REWARDED,
    VOTER,
)
from mereo.datasets.predictions import Prediction
from mereo.training.row import Desk, Row
from mereo.training.seeing import Seen
from mereo.training.sight_stages import DENSE_WIDTH, shown_by
from mereo.training.understanding import answers_by_programs, parsed

if TYPE_CHECKING:
    from mereo.datasets.sights import Looks

__all__ = ["LOOKS", "ROWS"]

Value = str | int | float | bool


def _answer_by_crops(desk: Desk, split: str) -> Iterator[Prediction]:
    return _answers(desk, split, crops_and_pages(desk, split))


def _answer_by_beliefs(desk: Desk, split: str) -> Iterator[Prediction]:
    return _answers(desk, split, pixels_and_pages(desk, split))


def _answers(desk: Desk, split: str, seen: Iterator[Seen]) -> Iterator[Prediction]:
    literal = bool(desk.choices.get("literal"))
    programs = parsed(desk, split, LANGUAGE)
    return answers_by_programs(
        desk, split, programs, seen, lambda line, one: run_on_beliefs(line, one, literal=literal)
    )


def _answer_by_modules(desk: Desk, split: str) -> Iterator[Prediction]:
    from mereo.benchmarks.shop.learning.graphs import answer_by_modules

    return answer_by_modules(desk, split, crops_and_pages(desk, split), parsed(desk, split, LANGUAGE))


def _answer_by_looking(desk: Desk, split: str) -> Iterator[Prediction]:
    from mereo.benchmarks.shop.learning.transparent import answer_by_looking

    return answer_by_looking(desk, split)


def _show_looks(desk: Desk, split: str, places: Sequence[int]) -> Iterator[Looks]:
    from mereo.benchmarks.shop.learning.transparent import show_looks

    return show_looks(desk, split, places)


_CROPS: dict[str, Value] = {"detector": "mask2former", "crop_width": CROP_WIDTH, "masks": False}
"""masks : whether those are true ones when it answers"""
_DENSE: dict[str, Value] = {"width": DENSE_WIDTH, "compiled": False}
"""compiled : whether code is made for learning, which takes a while before it begins"""
_PAGES: dict[str, Value] = {"reader": "bilstm", "weights": "", "page_width": 128, "pages": False, "attributes": False}
"""reader : `bilstm`, `votes`, or `minilm` with the folder of its files as weights · pages, attributes : whether what is
read, and all that is seen, is true, which only answering tells apart"""
_PARSED: dict[str, Value] = {"pairs": PAIRS, "programs": False}
"""pairs : to learn from · programs : whether these are the true ones when it answers"""
_NEEDS = ("pictures", "masks", "semantics", "programs")
ROWS = (
    Row(
        name="ns_vqa",
        about="a detector, attribute networks, a reader of pages, a parser and our executor: the paper's own",
        needs=_NEEDS,
        gives=("answers", "programs", "masks", "worlds"),
        supervision="M,S,P",
        stages=(READER, PARSER, *EYES),
        answer=_answer_by_crops,
        choices={**_CROPS, **_PAGES, **_PARSED, "literal": True},
        show=shown_by(crops_and_pages),
    ),
    Row(
        name="ns_vqa_rewarded",
        about="the same, with a parser that has few programs, and then rewards for right answers, as the paper has it",
        needs=(*_NEEDS, "answers"),
        gives=("answers", "programs", "masks", "worlds"),
        supervision="A,M,S,P",
        stages=(READER, FEW_PARSER, REWARDED, *EYES),
        answer=_answer_by_crops,
        choices={**_CROPS, **_PAGES, **_PARSED, "pairs": FEW, "literal": True},
        show=shown_by(crops_and_pages),
    ),
    Row(
        name="xnm",
        about="XNM: a graph of what was seen and read, on which programs are run by neural modules as attention",
        needs=(*_NEEDS, "answers"),
        gives=("answers", "programs", "masks", "worlds"),
        supervision="A,M,S,P",
        stages=(READER, PARSER, *EYES, MODULES),
        answer=_answer_by_modules,
        choices={**_CROPS, **_PAGES, **_PARSED, "module_width": 128},
        show=shown_by(crops_and_pages),
    ),
    Row(
        name="tbd",
        about="TbD: a parser, and a small network for every function that passes on where it looks in the picture",
        needs=("pictures", "programs", "answers"),
        gives=("answers", "programs", "attention"),
        supervision="A,P",
        stages=(PARSER, LOOKING),
        answer=_answer_by_looking,
        choices={"module_width": 128, "trunk": "usual", "together": 10, **_PARSED},
        show=_show_looks,
    ),
    Row(
        name="shop_symbolic",
        about="one network that tells of every pixel what it shows, a reader, a parser, and programs run on beliefs",
        needs=_NEEDS,
        gives=("answers", "programs", "masks", "worlds"),
        supervision="M,S,P",
        stages=(VOTER, PARSER, DENSE),
        answer=_answer_by_beliefs,
        choices={**_DENSE, **_PAGES, **_PARSED, "reader": "votes", "literal": False, "named": True},
        show=shown_by(pixels_and_pages),
    ),
)
"""literal : whether a question is taken at its word, in the likeliest world alone · named : whether a thing is called
what eyes and page together say, and not what the eyes alone do"""

LOOKS: Mapping[str, Look] = {
    "ns_vqa": crops_and_pages,
    "ns_vqa_rewarded": crops_and_pages,
    "xnm": crops_and_pages,
    "shop_symbolic": pixels_and_pages,
}
"""By row how it comes to know what there is."""
