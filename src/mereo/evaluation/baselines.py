"""Blind baselines: what one can score without looking at the picture, which every dataset must be read against.

They learn from the training splits and answer all others. Where there is nothing to learn from, each half of the scenes
is answered by what was learned from the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from mereo.chance import generator
from mereo.datasets.asked import Asked, Positions, Selection, is_training
from mereo.datasets.predictions import Header, Prediction, Predictions
from mereo.datasets.words import bag_of_words, nearest_answers, regression_answers
from mereo.errors import UnknownName

__all__ = ["CHEAP", "Baseline", "all_baselines", "answer_blindly", "judged_splits"]

Guess = Callable[[Asked, Asked, np.random.Generator], Sequence[str]]
"""guess(learned from, asked, chance): an answer for every question."""

_LEARNED = 10_000
"""Most questions that baselines which look at words learn from; more changes nothing but the time."""


class Baseline(NamedTuple):
    """One way to answer without seeing."""

    name: str
    about: str
    guess: Guess


_FOUND: dict[str, Baseline] = {}
CHEAP = ("random-by-type", "frequent-by-type", "frequent-by-template")
"""Those that take no time to speak of."""


def baseline(name: str, about: str) -> Callable[[Guess], Guess]:
    """Make a function a baseline."""

    def register(guess: Guess) -> Guess:
        _FOUND[name] = Baseline(name, about, guess)
        return guess

    return register


def all_baselines() -> dict[str, Baseline]:
    """Every baseline by name."""
    return dict(_FOUND)


def judged_splits(splits: Sequence[str]) -> tuple[str, ...]:
    """The splits that are there to be judged on: all but those for training, or all if there are only such."""
    others = tuple(split for split in splits if not is_training(split))
    return others if others and len(others) < len(splits) else tuple(splits)


def answer_blindly(asked: Asked, name: str, *, seed: int = 0) -> tuple[Asked, Predictions]:
    """The questions that are judged, and a baseline's answers. asked : all questions of the dataset"""
    if name not in _FOUND:
        raise UnknownName("baseline", name, _FOUND)
    chosen = _FOUND[name]
    counts = {split: count for split, count in asked.manifest.questions.items() if count}
    selection = Selection(judged_splits(list(counts)))
    judged = asked.take(asked.chosen(selection), selection)
    answers: dict[str, str] = {}
    for part, (learned, tested) in enumerate(_folds(asked, selection, seed)):
        test = asked.take(tested)
        answers.update(zip(test.ids, chosen.guess(asked.take(learned), test, generator(seed, name, part)), strict=True))
    given = [Prediction(question, answers[question]) for question in judged.ids]
    header = Header(
        dataset=asked.checksum,
        benchmark=asked.manifest.benchmark,
        model=chosen.about,
        selection=selection,
        kind="baseline",
        settings={"baseline": name, "seed": seed},
    )
    return judged, Predictions(header, given)


def _folds(asked: Asked, selection: Selection, seed: int) -> list[tuple[Positions, Positions]]:
    """What is learned from, and what is then answered."""
    training = tuple(split for split in asked.manifest.scenes if is_training(split))
    if training and not set(training) & set(selection.splits):
        return [(asked.chosen(Selection(training)), asked.chosen(selection))]
    scenes = int(asked.scenes.max()) + 1
    side = (generator(seed, "halves").permutation(scenes) * 2 >= scenes)[asked.scenes]
    one, other = np.flatnonzero(side), np.flatnonzero(~side)
    # A single scene has no other half: it is then learned from what is asked, which flatters and is still blind.
    return [(other, one), (one, other)] if len(one) and len(other) else [(one, one), (other, other)]


def _kinds(asked: Asked) -> list[tuple[str, ...]]:
    return list(zip(asked.words("type"), asked.words("subtype"), strict=True))


def _templates(asked: Asked) -> list[tuple[str, ...]]:
    return list(zip(asked.words("type"), asked.words("subtype"), asked.words("template"), strict=True))


def _tallies(keys: Sequence[tuple[str, ...]], answers: Sequence[str]) -> dict[tuple[str, ...], Counter[str]]:
    """How often each answer was given, for each key and for all the shorter keys that it begins with."""
    tallies: dict[tuple[str, ...], Counter[str]] = {}
    for key, answer in zip(keys, answers, strict=True):
        for length in range(len(key) + 1):
            tallies.setdefault(key[:length], Counter())[answer] += 1
    return tallies


def _known(tallies: dict[tuple[str, ...], Counter[str]], key: tuple[str, ...]) -> Counter[str]:
    """What was learned about a key, or, where that is nothing, about the longest key that it begins with."""
    while key and key not in tallies:
        key = key[:-1]
    return tallies.get(key, Counter({"yes": 1}))


@baseline("random-by-type", "any answer that the question's type was seen to have")
def _random(learned: Asked, asked: Asked, rng: np.random.Generator) -> list[str]:
    tallies = _tallies(_kinds(learned), learned.words("answer"))
    options = {key: sorted(_known(tallies, key)) for key in set(_kinds(asked))}
    draws = rng.random(len(asked))
    return [options[key][int(draw * len(options[key]))] for key, draw in zip(_kinds(asked), draws, strict=True)]


@baseline("frequent-by-type", "the most frequent answer of the question's type")
def _frequent(learned: Asked, asked: Asked, rng: np.random.Generator) -> list[str]:
    return _most_frequent(_kinds(learned), learned.words("answer"), _kinds(asked))


@baseline("frequent-by-template", "the most frequent answer of the question's template")
def _frequent_template(learned: Asked, asked: Asked, rng: np.random.Generator) -> list[str]:
    return _most_frequent(_templates(learned), learned.words("answer"), _templates(asked))


def _most_frequent(
    learned: Sequence[tuple[str, ...]], answers: Sequence[str], asked: Sequence[tuple[str, ...]]
) -> list[str]:
    tallies = _tallies(learned, answers)
    best = {}
    for key in set(asked):
        counts = _known(tallies, key)
        best[key] = min(counts, key=lambda answer: (-counts[answer], answer))
    return [best[key] for key in asked]


@baseline("bag-of-words", "logistic regression on the words of the question")
def _regression(learned: Asked, asked: Asked, rng: np.random.Generator) -> list[str]:
    learned = _some(learned, rng)
    bags = bag_of_words(learned.with_columns("question").words("question"))
    return regression_answers(bags, learned.words("answer"), asked.with_columns("question").words("question"), rng=rng)


@baseline("nearest-question", "the answer to the question with the most similar words")
def _nearest(learned: Asked, asked: Asked, rng: np.random.Generator) -> list[str]:
    learned = _some(learned, rng)
    bags = bag_of_words(learned.with_columns("question").words("question"))
    return nearest_answers(bags, learned.words("answer"), asked.with_columns("question").words("question"))


def _some(asked: Asked, rng: np.random.Generator) -> Asked:
    if len(asked) <= _LEARNED:
        return asked
    return asked.take(np.sort(rng.permutation(len(asked))[:_LEARNED]))
