"""The models of CLEVR-Ref+'s third table, and one of our own that points at any number of things, or at none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from mereo.benchmarks.refer.learning.stages import (
    CHOICE,
    MODULES,
    PARSER,
    QUERIES,
    READING,
    SIMILARITY,
    SOLIDS,
    SPEAKING,
)
from mereo.training.row import Desk, Row
from mereo.training.sight_stages import DENSE_WIDTH, shown_by

if TYPE_CHECKING:
    from mereo.datasets.predictions import Prediction
    from mereo.datasets.sights import Looks
    from mereo.training.seeing import Seen

__all__ = ["ROWS"]


def _choosing(stage: str) -> Callable[[Desk, str], Iterator[Prediction]]:
    """By a network that chooses one of the true boxes."""

    def answer(desk: Desk, split: str) -> Iterator[Prediction]:
        from mereo.benchmarks.refer.learning.pointing import choose

        return choose(desk, split, desk.networks[stage])

    return answer


def _marking(stage: str) -> Callable[[Desk, str], Iterator[Prediction]]:
    """By a network that marks pixels."""

    def answer(desk: Desk, split: str) -> Iterator[Prediction]:
        from mereo.benchmarks.refer.learning.pointing import mark_whole

        return mark_whole(desk, split, desk.networks[stage])

    return answer


def _answer_by_modules(desk: Desk, split: str) -> Iterator[Prediction]:
    """With the program that was understood; by the choice `steps` with the mask of every step, too."""
    from mereo.benchmarks.refer.learning.pointing import mark_by_programs

    return mark_by_programs(desk, split)


def _show_steps(desk: Desk, split: str, places: Sequence[int]) -> Iterator[Looks]:
    from mereo.benchmarks.refer.learning.showing import show_steps

    return show_steps(desk, split, places)


def _point_by_programs(desk: Desk, split: str) -> Iterator[Prediction]:
    """By what the dense network sees, on which the program that was understood is run."""
    from mereo.benchmarks.refer.learning.symbolic import point_by_programs

    return point_by_programs(desk, split)


def _look_at_solids(desk: Desk, split: str, scenes: Sequence[int]) -> Iterator[Seen]:
    from mereo.benchmarks.refer.learning.symbolic import look_at_solids

    return look_at_solids(desk, split, scenes)


_SEEN = ("pictures", "masks", "targets")
_DRAWN: dict[str, str | int | float | bool] = {"trunk": "usual", "detail": 4, "together": 10}
"""detail : pixels of the picture to a side of a cell of masks · together : expressions about a picture that are learned
from at once"""

_BOXES: dict[str, str | int | float | bool] = {"width": 256, "trunk": "usual", "together": 10}

ROWS = (
    Row(
        name="slr",
        about="SLR: a listener chooses among true boxes, a speaker and a reinforcer teach it",
        needs=_SEEN,
        gives=("targets",),
        supervision="M",
        stages=(SIMILARITY, SPEAKING),
        answer=_choosing("speaking"),
        choices=_BOXES,
    ),
    Row(
        name="mattnet",
        about="MAttNet: subject, location and relationship, weighed by words, choose among true boxes",
        needs=_SEEN,
        gives=("targets",),
        supervision="M",
        stages=(CHOICE,),
        answer=_choosing("choice"),
        choices=_BOXES,
    ),
    Row(
        name="rmi",
        about="RMI: a convolutional LSTM reads word by word at every place of the picture",
        needs=_SEEN,
        gives=("targets",),
        supervision="M",
        stages=(READING,),
        answer=_marking("reading"),
        choices={"width": 256, **_DRAWN},
    ),
    Row(
        name="iep_ref",
        about="IEP-Ref: a parser, and a small network for every function of its program; programs may be true ones",
        needs=(*_SEEN, "programs"),
        gives=("targets", "programs", "attention"),
        supervision="M,P",
        stages=(MODULES, PARSER),
        answer=_answer_by_modules,
        choices={"width": 128, **_DRAWN, "pairs": 0, "programs": False, "steps": False},
        show=_show_steps,
    ),
    Row(
        name="refer_queries",
        about="ReferQueries: finds all things as masks, which then read: any number of them may be meant, or none",
        needs=_SEEN,
        gives=("targets",),
        supervision="M",
        stages=(QUERIES,),
        answer=_marking("queries"),
        choices={"width": 256, "layers": 6, "queries": 24, "fine": 32, "depth": 5, "detail": 2, "together": 10},
    ),
    Row(
        name="refer_symbolic",
        about="one network that tells of every pixel what it shows, a parser, and programs run on what was seen",
        needs=(*_SEEN, "semantics", "programs"),
        gives=("targets", "programs", "masks", "worlds"),
        supervision="M,S,P",
        stages=(PARSER, SOLIDS),
        answer=_point_by_programs,
        choices={"width": DENSE_WIDTH, "compiled": False, "pairs": 0, "programs": False},
        show=shown_by(_look_at_solids),
    ),
)
