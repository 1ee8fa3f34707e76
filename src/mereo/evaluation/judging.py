"""How a benchmark's predictions are marked and shown: its judge, its tables, and what its report has besides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mereo.datasets.asked import Asked
from mereo.datasets.predictions import Predictions
from mereo.evaluation.answers import judge_answers
from mereo.evaluation.marks import Judge, Marks
from mereo.evaluation.tables import Table
from mereo.programs import Trace

__all__ = ["WORDED", "Judging"]


def _nothing(*about: Any) -> Sequence[Any]:
    return ()


def _no_more(trace: Trace) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True)
class Judging:
    """What a benchmark declares about judging; the defaults are for questions that are answered in words."""

    judge: Judge = judge_answers
    """How predictions are marked."""
    tables: tuple[Table, ...] = ()
    """Which tables of scores are shown; by type and subtype where there are none."""
    further: Callable[[Asked, Predictions, Marks], Sequence[Any]] = _nothing
    """further(questions, predictions, marks): tables that columns of questions do not tell, each a `ScoredTable`."""
    worded: bool = True
    """Whether its questions ask for words, which can be guessed blindly and given by an oracle."""
    blind: str = ""
    """The measure that says what can be guessed, where it is not the first one: whoever guesses cannot point."""
    told: Callable[[Trace], Mapping[str, Any]] = _no_more
    """told(a run of the true program): what an oracle says besides the answer, as fields of its prediction."""
    prompt: str = "short"
    """The prompt that a model is asked with, where nobody chooses one."""
    sections: Callable[[Any], Sequence[Any]] = _nothing
    """sections(report): further parts of the report, each a `Section`."""


WORDED = Judging()
"""Answers in words, compared after normalization."""
