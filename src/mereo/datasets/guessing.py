"""What can be guessed from a question's words alone, beside what its template's most frequent answer gets right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from heapq import heappush, heappushpop
from operator import itemgetter
from typing import NamedTuple

from mereo.chance import generator, mark
from mereo.datasets.asked import is_training
from mereo.datasets.gates import Gate, Row, Watch
from mereo.datasets.words import bag_of_words, regression_answers

__all__ = ["Guessing"]

_KEPT, _LEARNED = 10_000, 0.7
"""Questions that are kept of splits to learn from and of others, and of which share of them a model learns."""
_FOLDS = 3
"""Where there is no split to learn from, or none to judge, each third of the scenes is guessed from the others."""
_ENOUGH = 100
"""Questions of a sort that must be guessed for the share of right ones to say something."""
_EPOCHS, _DECAY = 20, 0.3
"""Chosen once, on a thousand questions of each subtype of PTR: weaker decay learns single questions by heart."""


class _Asked(NamedTuple):
    """A question; of all, those that come last in this order are kept."""

    order: int
    scene: str
    sort: str
    template: str
    text: str
    answer: str


class Guessing(Watch):
    """Logistic regression on words and pairs of words, for every sort of questions a model of its own.

    most : how much more than the most frequent answer of each template it may get right; None where that is only told
    most_of_all : which share of all questions it may get right, where that has a bound
    sort_of : of which sort a question is
    kept : how many questions are kept; more where there are many sorts
    """

    def __init__(
        self,
        *,
        most: float | None = None,
        most_of_all: float | None = None,
        sort_of: Callable[[Row], str] = itemgetter("subtype"),
        kept: int = _KEPT,
    ):
        self._most, self._most_of_all, self._sort_of, self._most_kept = most, most_of_all, sort_of, kept
        self._kept: dict[bool, list[_Asked]] = {True: [], False: []}

    def look(self, scene: Row, questions: Sequence[Row]) -> None:
        """Keep some of the questions, whichever chance says, so that memory does not grow."""
        for row in questions:
            place = mark(row["question_id"])
            asked = _Asked(place, row["scene_id"], self._sort_of(row), row["template"], row["question"], row["answer"])
            kept = self._kept[is_training(row["split"])]
            if len(kept) < self._most_kept:
                heappush(kept, asked)
            else:
                heappushpop(kept, asked)

    def gates(self) -> Iterator[Gate]:
        """For every sort how much more the words tell."""
        folds, every = self._folds(), list[bool]()
        for sort in sorted({asked.sort for side in self._kept.values() for asked in side}):
            guesses = [guess for fold in folds for guess in _guessed(sort, *fold)]
            every += [guess.by_words for guess in guesses]
            name, of = f"guessed by words: {sort}", len(guesses)
            if of < _ENOUGH:
                yield Gate(name=name, found=None, most=self._most, of=of, unit="points")
                continue
            by_words, by_template, by_chance = (sum(way) / of for way in zip(*guesses, strict=True))
            # Answers are kept flat, so what is frequent among some questions is rare among others: that is no better
            # than chance, and may well be worse.
            by_template = max(by_template, by_chance)
            note, found = f"{by_words:.1%} against {by_template:.1%}", by_words - by_template
            yield Gate(name=name, found=found, most=self._most, of=of, unit="points", note=note)
        if self._most_of_all is not None:
            found = sum(every) / len(every) if len(every) >= _ENOUGH else None
            most = self._most_of_all
            yield Gate(name="guessed by words: all", found=found, most=most, of=len(every), unit="share")

    def _folds(self) -> list[tuple[list[_Asked], list[_Asked]]]:
        """What is learned from, and what is then guessed."""
        learned, guessed = (sorted(self._kept[side], reverse=True) for side in (True, False))
        most = round(_LEARNED * self._most_kept)
        if learned and len(guessed) >= self._most_kept // 10:
            return [(learned[:most], guessed)]
        every = (learned + guessed)[: self._most_kept]
        fold = [mark(asked.scene) % _FOLDS for asked in every]
        return [
            (
                [asked for asked, own in zip(every, fold, strict=True) if own != k][:most],
                [asked for asked, own in zip(every, fold, strict=True) if own == k],
            )
            for k in range(_FOLDS)
        ]


class _Guess(NamedTuple):
    """Whether the words and whether the template told the answer, and how likely mere chance would have."""

    by_words: bool
    by_template: bool
    by_chance: float


def _guessed(sort: str, learned: Sequence[_Asked], guessed: Sequence[_Asked]) -> list[_Guess]:
    """A guess for every question of a sort."""
    learned, guessed = ([asked for asked in side if asked.sort == sort] for side in (learned, guessed))
    if not learned or not guessed:
        return []
    bags, answers = bag_of_words([asked.text for asked in learned]), [asked.answer for asked in learned]
    texts, rng = [asked.text for asked in guessed], generator(0, "guessing", sort)
    words = regression_answers(bags, answers, texts, rng=rng, epochs=_EPOCHS, decay=_DECAY)
    tallies: dict[str, Counter[str]] = {}
    for one in learned:
        tallies.setdefault(one.template, Counter())[one.answer] += 1
    every = Counter(answers)
    found = []
    for one, word in zip(guessed, words, strict=True):
        counts = tallies.get(one.template, every)
        usual = min(counts, key=lambda answer: (-counts[answer], answer))
        found.append(_Guess(word == one.answer, usual == one.answer, 1 / len(counts)))
    return found
