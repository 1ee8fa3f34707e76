"""The rules by which questions are chosen and answers kept flat, with CLEVR's numbers as the defaults."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from mereo.programs import Type

__all__ = ["CLEVR_RULES", "Rules", "Tally", "answers_of", "tallied"]


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
    """All the answers that a question of this type could have; where it ends in entities, all their numbers."""
    if type.form == "boolean":
        return (True, False)
    if type.form in ("integer", "entities"):
        return tuple(range(rules.most + 1))
    if type.values is None:
        raise ValueError(f"answers of type {type} cannot be counted")
    return type.values


def tallied(type: Type, answer: Any) -> Any:
    """What of an answer is kept flat: the number of the entities where it is a set of them, else the answer."""
    return answer.bit_count() if type.form == "entities" else answer


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
        if not rules.balanced:
            return frozenset(self.counts)
        ascending = sorted(self.counts.values())
        second = ascending[-2] if len(ascending) > 1 else ascending[-1]
        median = max(ascending[len(ascending) // 2], rules.median_floor)
        most = min(rules.second_ratio * second, rules.median_ratio * median)
        return frozenset(_at_most(self.counts.items(), most))


def _at_most(counts: Iterable[tuple[Any, int]], most: float) -> list[Any]:
    return [answer for answer, count in counts if count <= most]
