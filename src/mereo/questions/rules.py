"""The rules by which questions are chosen and answers kept flat, with CLEVR's numbers as the defaults."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
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
    distinct: bool = False
    """Whether neither a program nor a text may be asked twice of a world."""
    unsaid: bool = False
    """Whether no answer that is a word may stand in its question, also where the template does not demand it."""
    margin: float | None = None
    """How far a word may tell the answer: by how much the share of an answer among the questions with that word may lie
    above the share of the template's most frequent answer. The first question with a word may always be asked, with two
    words together the first two. None where nobody looks."""
    told: Literal["template", "type"] = "template"
    """Among whose questions that is looked at: those of the template, or, where many templates ask for the same, those
    of all templates of its type."""
    attempts: int = 1
    """How many instances of a template are looked for in a world before it is given up."""
    wordings: int = 1
    """How many ways to say an instance are tried before another is looked for."""
    owners: Mapping[str, float] = field(default_factory=dict)
    """The share of all programs that each split owns and no other may ask; none where all may ask any."""
    variety: int = 0
    """Programs of which there are fewer than this with other literals cannot be dealt out: all splits share them."""
    common: float = 1.0
    """The largest share of such programs among the questions of a type; a single one has at most half of it."""
    sparing: bool = False
    """Whether nothing is drawn for what can be known to be in vain before. Sets that were asked without stay as they
    were without."""


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
    told: dict[Hashable, dict[Any, int]] = field(default_factory=dict)
    """For each word the answers of the questions that had it."""

    def __post_init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Start a new window."""
        self.uses, self.counts = 0, dict.fromkeys(self.answers, 0) if self.answers else _Seen()
        self.told = {}

    def add(self, answer: Any, words: Iterable[Hashable] = ()) -> None:
        """Note that a question with this answer was asked in these words."""
        self.uses += 1
        self.counts[answer] += 1
        for word in words:
            answers = self.told.get(word)
            if answers is None:
                self.told[word] = {answer: 1}
            else:
                answers[answer] = answers.get(answer, 0) + 1

    def telling(self, answer: Any, words: Mapping[Hashable, int], rules: Rules) -> bool:
        """Whether some words would tell this answer, were it given once more. words : each with its slack"""
        if rules.margin is None or not self.uses:
            return False
        usual = max(self.counts.values()) / self.uses + rules.margin
        for word, slack in words.items():
            answers = self.told.get(word)
            if answers and answers.get(answer, 0) + 1 > slack + usual * (sum(answers.values()) + 1):
                return True
        return False

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
