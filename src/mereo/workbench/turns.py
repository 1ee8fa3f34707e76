"""Whose turn it is: in which order the rows of a study are trained, and who waits for what another lends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mereo.workbench.rows import chosen, find_model
from mereo.workbench.studies import Reproduction, Work

if TYPE_CHECKING:
    from mereo.training.lending import Terms

__all__ = ["held", "longest_first"]

_WORTH_WAITING = 0.25
"""For what share of all that a row learns it waits."""


def longest_first(plan: Reproduction, waiting: Sequence[Work]) -> list[Work]:
    """Works in the order in which they are trained: who learns a stage longest, seed by seed.

    What others borrow has then been learned as long as anybody means to, and side by side nobody is left to the end
    who takes longest.
    """
    from mereo.training.lending import time_for

    def order(work: Work) -> tuple[int, float]:
        terms = _terms(plan, work)
        return work.again, -max((time_for(stage, terms) for stage in terms.row.stages), default=0.0)

    return sorted(waiting, key=order)


def held(plan: Reproduction, waiting: Sequence[Work]) -> dict[str, str]:
    """By name the works that wait until an earlier one is done, which lends them a quarter or more of what they learn.

    Side by side each would learn it for itself. For less nobody waits: a parser is learned in a minute.
    """
    from mereo.training.lending import could_lend

    terms = [_terms(plan, work) for work in waiting]
    found: dict[str, str] = {}
    for number, work in enumerate(waiting):
        stages = terms[number].row.stages
        for earlier, other in zip(waiting[:number], terms, strict=False):
            lent = sum(stage.share for stage in stages if could_lend(stage, terms[number], other))
            alike = (earlier.data, earlier.again) == (work.data, work.again)
            if alike and stages and lent >= _WORTH_WAITING * sum(stage.share for stage in stages):
                found[work.name] = earlier.name
                break
    return found


def _terms(plan: Reproduction, work: Work) -> Terms:
    from mereo.training.lending import Terms

    row = find_model(work.row, of=plan.benchmark).row
    return Terms(row, chosen(row, plan.choices(work.arms[0])), plan.minutes_of(work.row))
