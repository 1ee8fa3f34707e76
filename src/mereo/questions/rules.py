"""The rules by which questions are chosen and answers kept flat, with CLEVR's numbers as the defaults."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

from mereo.programs import Type

__all__ = ["CLEVR_RULES", "AllBut", "Answers", "Rules", "Tally", "answers_of"]


@dataclass(frozen=True)
class Rules:
    """What makes a question worth asking."""

    second_ratio: float = 1.1
    """An answer is refused when its template gave it more often than this times the second most frequent answer."""
    median_ratio: float = 5.0
    """… or more often than this times the median count."""
    median_floor: int = 5
    """The median is taken for at least this."""
    window: int = 250
    """After this many worlds the counts start anew."""
    most: int = 10
    """The largest number that may be an answer, or the most entities that may be referred to."""
    balanced: bool = True
    """Whether answers are kept flat; where they are not, every answer is welcome."""
    fewest: int = 0
    """Where programs end in entities: the fewest that may be referred to."""
    trivial_share: float = 0.1
    """Share of relations that may leave the described set as it is. CLEVR lets a tenth through; our own sets, none."""
    patience: int = 1_000_000
    """How many states a search may look at before it gives a template up for a world."""
    balance: Literal["template", "type"] = "template"
    """What is kept in balance: templates, whatever they ask, or types of question and within these their templates."""
    dropped: Literal["answer", "derivation"] = "answer"
    """What must change when a relation that stands alone is dropped: the answer, or the set that it narrows."""


CLEVR_RULES = Rules()
"""What the official CLEVR generator does."""


def answers_of(type: Type, rules: Rules) -> tuple[Any, ...]:
    """All the answers that a question of this type could have; where it ends in entities, all their numbers.

    None are listed where any word may be the answer, or any list of words.
    """
    if type.form == "boolean":
        return (True, False)
    if type.form in ("integer", "entities"):
        return tuple(range(rules.most + 1))
    if type.form in ("entity", "integers"):
        raise ValueError(f"answers of type {type} cannot be counted")
    return type.values or () if type.form == "value" else ()


@dataclass(frozen=True)
class AllBut:
    """Every answer that there could be, except a few."""

    refused: frozenset[Any] = frozenset()

    def __contains__(self, answer: object) -> bool:
        return answer not in self.refused

    def __and__(self, answers: Answers) -> Answers:
        if isinstance(answers, AllBut):
            return AllBut(self.refused | answers.refused)
        return answers - self.refused

    __rand__ = __and__


Answers = frozenset[Any] | AllBut
"""A set of answers, which may be all there could be."""


class _Seen(Counter[Any]):
    """Counts of whatever comes, so that there is nothing that it does not hold."""

    def __contains__(self, answer: object) -> bool:
        return True


@dataclass
class Tally:
    """How often one template was used and gave each answer, within the current window."""

    answers: tuple[Any, ...]
    """All that it may give; none where these cannot be listed, and what comes is counted."""
    uses: int = 0
    counts: dict[Any, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Start a new window."""
        self.uses, self.counts = 0, dict.fromkeys(self.answers, 0) if self.answers else _Seen()

    def add(self, answer: Any) -> None:
        """Note that a question with this answer was asked."""
        self.uses += 1
        self.counts[answer] += 1

    def welcome(self, rules: Rules) -> Answers:
        """The answers that would not make the template lopsided; whatever was never given is always welcome."""
        most = self._most(rules)
        if not self.answers:
            return AllBut(frozenset([answer for answer, count in self.counts.items() if count > most]))
        return frozenset([answer for answer, count in self.counts.items() if count <= most])

    def _most(self, rules: Rules) -> float:
        """How often an answer may have been given to be given again."""
        if not rules.balanced:
            return math.inf
        ascending = sorted(self.counts.values())
        if not self.answers and len(ascending) < 2:
            return 0  # the second answer is still to come
        second = ascending[-2] if len(ascending) > 1 else ascending[-1]
        median = max(ascending[len(ascending) // 2], rules.median_floor)
        return min(rules.second_ratio * second, rules.median_ratio * median)
