"""The rules by which questions are chosen and answers kept flat, with CLEVR's numbers as the defaults."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from mereo.programs import Type

__all__ = ["CLEVR_RULES", "Rules", "Tally", "answers_of"]


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
    """The largest number that may be an answer."""
    trivial_share: float = 0.1
    """Share of relations that may leave the described set as it is. CLEVR lets a tenth through; our own sets, none."""
    dropped: Literal["answer", "derivation"] = "answer"
    """What must change when a relation that stands alone is dropped: the answer, or the set that it narrows."""


CLEVR_RULES = Rules()
"""What the official CLEVR generator does."""


def answers_of(type: Type, rules: Rules) -> tuple[Any, ...]:
    """All the answers that a question of this type could have."""
    if type.form == "boolean":
        return (True, False)
    if type.form == "integer":
        return tuple(range(rules.most + 1))
    if type.values is None:
        raise ValueError(f"answers of type {type} cannot be counted")
    return type.values


@dataclass
class Tally:
    """How often one template was used and gave each answer, within the current window."""

    answers: tuple[Any, ...]
    uses: int = 0
    counts: dict[Any, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Start a new window."""
        self.uses, self.counts = 0, dict.fromkeys(self.answers, 0)

    def add(self, answer: Any) -> None:
        """Note that a question with this answer was asked."""
        self.uses += 1
        self.counts[answer] += 1

    def welcome(self, rules: Rules) -> frozenset[Any]:
        """The answers that would not make the template lopsided."""
        ascending = sorted(self.counts.values())
        second = ascending[-2] if len(ascending) > 1 else ascending[-1]
        median = max(ascending[len(ascending) // 2], rules.median_floor)
        most = min(rules.second_ratio * second, rules.median_ratio * median)
        return frozenset(_at_most(self.counts.items(), most))


def _at_most(counts: Iterable[tuple[Any, int]], most: float) -> list[Any]:
    return [answer for answer, count in counts if count <= most]
