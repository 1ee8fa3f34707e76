"""Stages that rows share: what one of them has learned is lent to the others, and learned once."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mereo.folders import new_folder
from mereo.training.keeping import STATE, WEIGHTS
from mereo.training.row import WIDEST, Pace, Row, Stage

if TYPE_CHECKING:
    from mereo.training.run import Run

__all__ = ["Lender", "Terms", "borrow", "could_lend", "pace_of", "time_for"]

_ENOUGH = 0.5
"""Whoever learned for less than this share of the time that is meant for a stage has not learned enough to lend it."""


class Lender(NamedTuple):
    """A run of another row, which may have learned the same."""

    run: Run
    row: Row


class Terms(NamedTuple):
    """How a row learns."""

    row: Row
    choices: Mapping[str, Any]
    minutes: float | None
    """For all its stages together; None where each sees its examples as often as its pace has it."""


def borrow(stage: Stage, row: Row, run: Run, lenders: Sequence[Lender]) -> Path | None:
    """Copy what another run has learned in this very stage from the same data; gives its folder, None where none has.

    It is the same stage where the choices that it reads are the same; where it does not say which, those that both rows
    declare. And what looks at pictures of another size is not the same.
    """
    folder = run.place / stage.name
    if folder.exists():  # it is done, or under way
        return None
    for lender in lenders:
        other = lender.run.place / stage.name
        if (other / WEIGHTS).exists() and _same(stage, Lender(run, row), lender):
            with new_folder(folder) as made:
                for path in sorted(other.iterdir()):
                    if path.is_file() and path.name != STATE:
                        shutil.copyfile(path, made / path.name)
            return lender.run.place
    return None


def _same(stage: Stage, own: Lender, other: Lender) -> bool:
    """Whether two runs learn a stage alike, the other long enough."""
    return (
        not (own.run.start or other.run.start)
        and own.run.fingerprint == other.run.fingerprint
        and own.run.seed == other.run.seed
        and own.run.mereo == other.run.mereo
        and could_lend(stage, *(Terms(one.row, one.run.choices, one.run.minutes) for one in (own, other)))
    )


def could_lend(stage: Stage, own: Terms, other: Terms) -> bool:
    """Whether two rows learn a stage alike from the same data, the other long enough."""
    if not any(one is stage for one in other.row.stages):
        return False
    read = own.row.choices.keys() & other.row.choices.keys() if stage.reads is None else stage.reads
    mine, theirs = ({**one.row.choices, **one.choices} for one in (own, other))
    return (
        (not stage.looks or mine.get(WIDEST) == theirs.get(WIDEST))
        and all(mine.get(name) == theirs.get(name) for name in read)
        and _alike(pace_of(stage, own.choices), pace_of(stage, other.choices))
        and time_for(stage, other) >= _ENOUGH * time_for(stage, own)
    )


def _alike(own: Pace, other: Pace) -> bool:
    """Whether two paces come to the same weights. Who keeps some after every part of the time learns as others do."""
    return own.parts in (1, other.parts) and replace(own, parts=1) == replace(other, parts=1)


def time_for(stage: Stage, terms: Terms) -> float:
    """How many minutes a stage learns, at most."""
    if terms.minutes is None:
        return float("inf")
    return terms.minutes * stage.share / sum(one.share for one in terms.row.stages)


def pace_of(stage: Stage, choices: Mapping[str, Any]) -> Pace:
    """A stage's pace as somebody chose it: `rate=0.001` for all stages, `parser.rate=0.001` for one."""
    own: dict[str, Any] = {}
    for name in (one.name for one in fields(Pace)):
        for chosen in (name, f"{stage.name}.{name}"):
            if chosen in choices:
                own[name] = choices[chosen]
    return replace(stage.pace, **own)
