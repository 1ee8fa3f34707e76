"""Questions as bags of words: what the baselines that read the question, and only it, learn from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bags", "bag_of_words", "nearest_answers", "regression_answers"]

Floats = NDArray[np.float32]
_WORD = re.compile(r"[\w']+")
_MOST = 1000
"""Words and pairs of words that are looked at, the most frequent ones."""
_BATCH, _RATE = 256, 0.02
_ROWS = 2048
"""Questions compared at a time."""


class Bags(NamedTuple):
    """The words that are looked at, and the bags that they were learned from."""

    places: dict[str, int]
    weights: Floats
    """(k,) how telling each word is: less, the more questions have it."""
    learned: Floats

    def of(self, texts: Sequence[str]) -> Floats:
        """(n, k): which words each text has, by weight, as vectors of length 1."""
        return _bags(texts, self.places, self.weights)


def bag_of_words(texts: Sequence[str]) -> Bags:
    """Choose the words to look at, and bag the texts."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(set(_words(text)))
    chosen = sorted(sorted(counts), key=lambda word: -counts[word])[:_MOST]
    weights = np.array([np.log((1 + len(texts)) / (1 + counts[word])) + 1 for word in chosen], np.float32)
    places = {word: place for place, word in enumerate(chosen)}
    return Bags(places, weights, _bags(texts, places, weights))


def _words(text: str) -> list[str]:
    """Words, and pairs of neighbors, which tell "left of the cube" from "cube left of"."""
    words = _WORD.findall(text.casefold())
    return words + [f"{one} {two}" for one, two in pairwise(words)]


def _bags(texts: Sequence[str], places: dict[str, int], weights: Floats) -> Floats:
    bags = np.zeros((len(texts), len(places)), np.float32)
    for row, text in enumerate(texts):
        known = [places[word] for word in _words(text) if word in places]
        bags[row, known] = weights[known]
    bags /= np.maximum(np.linalg.norm(bags, axis=1, keepdims=True), 1e-6)
    return bags


def nearest_answers(bags: Bags, answers: Sequence[str], asked: Sequence[str]) -> list[str]:
    """The answer of the most similar learned question; of several equally similar ones, of the first."""
    found: list[str] = []
    for theirs in _chunks(bags, asked):
        found += [answers[place] for place in (theirs @ bags.learned.T).argmax(1)]
    return found


def regression_answers(
    bags: Bags,
    answers: Sequence[str],
    asked: Sequence[str],
    *,
    rng: np.random.Generator,
    epochs: int = 12,
    decay: float = 1e-4,
) -> list[str]:
    """Multinomial logistic regression, trained by Adam on small batches.

    rng : for their order
    epochs : how often all are gone through; decay : what large weights cost, the more the fewer there are to learn from
    """
    names = sorted(set(answers))
    place = {name: k for k, name in enumerate(names)}
    target = np.array([place[answer] for answer in answers])
    learned = _with_bias(bags.learned)
    weight = np.zeros((learned.shape[1], len(names)), np.float32)
    first, second = np.zeros_like(weight), np.zeros_like(weight)
    step = 0
    for epoch in range(epochs):
        order = rng.permutation(len(learned))
        rate = _RATE * (1 - epoch / epochs)
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            chances = _softmax(learned[batch] @ weight)
            chances[np.arange(len(batch)), target[batch]] -= 1
            gradient = learned[batch].T @ chances / len(batch) + decay * weight
            step += 1
            first += 0.1 * (gradient - first)
            second += 0.01 * (gradient**2 - second)
            weight -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    found: list[str] = []
    for theirs in _chunks(bags, asked):
        found += [names[k] for k in (_with_bias(theirs) @ weight).argmax(1)]
    return found


def _chunks(bags: Bags, texts: Sequence[str]) -> Iterator[Floats]:
    for start in range(0, len(texts), _ROWS):
        yield bags.of(texts[start : start + _ROWS])


def _with_bias(bags: Floats) -> Floats:
    """Bags on the scale of single words, with a last column that is always there."""
    scaled = bags * np.float32(np.sqrt(bags.shape[1]))
    return np.concatenate([scaled, np.ones((len(bags), 1), np.float32)], 1)


def _softmax(scores: Floats) -> Floats:
    raised: Floats = np.exp(scores - scores.max(1, keepdims=True))
    raised /= raised.sum(1, keepdims=True)
    return raised
