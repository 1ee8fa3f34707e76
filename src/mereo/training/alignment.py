"""Which words of a question stand for which value of its program, found in the pairs themselves.

Words and tokens that come together are each other's translation (IBM's first model). Neighboring words that stand for
one value are a phrase of it, if no question has them whose program does not have that value.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.programs import Language

__all__ = ["EDGE", "Pair", "Piece", "Spoken", "is_value", "spoken"]

_ROUNDS = 20
"""Of expectation and maximization; more change nothing."""
_SURE = 0.98
"""Of the questions with a phrase those that must have its value."""
_TELLING = 2.0
"""How much likelier a word must make a function to stand for it: "the" goes with many and stands for none."""


class Pair(NamedTuple):
    """A question and its program in prefix order."""

    words: tuple[str, ...]
    tokens: tuple[str, ...]


class Piece(NamedTuple):
    """Neighboring words of a question that stand for one token of its program."""

    words: tuple[str, ...]
    token: str
    """Empty where they stand for none."""
    type: str = ""
    """Of the value that the words surely stand for, which makes them a phrase; empty for all other words."""

    @property
    def kind(self) -> str:
        """What it is to its neighbors: a phrase by its type, and words by themselves."""
        return f"<{self.type}>" if self.type else " ".join(self.words)


EDGE = "<edge>"
"""The kind of neighbor that the first and the last piece have."""


class Spoken(NamedTuple):
    """A pair whose question is told apart into phrases and single words."""

    pieces: tuple[Piece, ...]
    tokens: tuple[str, ...]

    @property
    def pair(self) -> Pair:
        """The pair as it was."""
        return Pair(tuple([word for piece in self.pieces for word in piece.words]), self.tokens)

    @property
    def kinds(self) -> list[str]:
        """The kinds of all pieces, with an edge before and behind."""
        return [EDGE, *[piece.kind for piece in self.pieces], EDGE]


def spoken(pairs: Sequence[Pair], language: Language) -> list[Spoken]:
    """All pairs with the phrases that stand for values."""
    runs = [list(_runs(pair, tokens)) for pair, tokens in zip(pairs, _telling(pairs, _translated(pairs)), strict=True)]
    types = [_value_types(pair.tokens, language) for pair in pairs]
    counts = Counter(run for some in runs for run in some)
    sure = _precise(pairs, [run for run, count in counts.items() if is_value(run.token)])
    often = {run for run in sure if counts[run] > 1}
    first = [_told_apart(*one, often) for one in zip(pairs, runs, types, strict=True)]
    # What was seen once is a phrase if it stands where phrases of its type stand: so rare numbers are learned.
    seams = {seam for one in first for seam in pairwise(one.kinds)}
    once = {
        run
        for pair, some, known in zip(pairs, runs, types, strict=True)
        for run in _fitting(_told_apart(pair, some, known, set()), known, seams)
        if run in sure
    }
    return [_told_apart(*one, often | once) for one in zip(pairs, runs, types, strict=True)]


def is_value(token: str) -> bool:
    """Whether a token is a value, and no function."""
    return token.startswith("[")


def _runs(pair: Pair, tokens: Sequence[str]) -> Iterator[Piece]:
    """Neighboring words that stand for the same token."""
    for token, some in groupby(zip(tokens, pair.words, strict=True), key=lambda both: both[0]):
        yield Piece(tuple([word for _, word in some]), token)


def _told_apart(pair: Pair, runs: Sequence[Piece], types: Mapping[str, str], sure: Collection[Piece]) -> Spoken:
    pieces: list[Piece] = []
    for run in runs:
        if run in sure and run.token in types:
            pieces.append(run._replace(type=types[run.token]))
        else:
            pieces += [Piece((word,), run.token) for word in run.words]
    return Spoken(tuple(pieces), pair.tokens)


def _fitting(one: Spoken, types: Mapping[str, str], seams: Collection[tuple[str, str]]) -> Iterator[Piece]:
    """The single words that stand between such neighbors as phrases of their type do."""
    kinds = one.kinds
    for piece, before, after in zip(one.pieces, kinds, kinds[2:], strict=False):
        kind = f"<{types.get(piece.token)}>"
        if (before, kind) in seams and (kind, after) in seams:
            yield piece


def _precise(pairs: Sequence[Pair], runs: Collection[Piece]) -> set[Piece]:
    """Those runs of words that are almost never in a question whose program has not their token."""
    wanted = {run.words for run in runs}
    sizes = {len(words) for words in wanted}
    having: Counter[tuple[str, ...]] = Counter()
    together: Counter[tuple[tuple[str, ...], str]] = Counter()
    for pair in pairs:
        grams = {pair.words[k : k + size] for size in sizes for k in range(len(pair.words) - size + 1)} & wanted
        having.update(grams)
        together.update((words, token) for words in grams for token in set(pair.tokens))
    return {run for run in runs if together[run.words, run.token] >= _SURE * having[run.words]}


def _telling(pairs: Sequence[Pair], translated: Sequence[Sequence[str]]) -> list[list[str]]:
    """The same translations, but for functions whose words are as good as everywhere."""
    words = Counter(word for pair in pairs for word in set(pair.words))
    tokens = Counter(token for pair in pairs for token in set(pair.tokens))
    both = Counter((word, token) for pair in pairs for word in set(pair.words) for token in set(pair.tokens))

    def tells(word: str, token: str) -> bool:
        expected = words[word] * tokens[token] / len(pairs)
        return is_value(token) or both[word, token] >= _TELLING * expected

    return [
        [token if token and tells(word, token) else "" for word, token in zip(pair.words, some, strict=True)]
        for pair, some in zip(pairs, translated, strict=True)
    ]


def _value_types(tokens: Sequence[str], language: Language) -> dict[str, str]:
    """By value its type, where it is of one type throughout the program."""
    types: dict[str, set[str]] = defaultdict(set)
    for place, token in enumerate(tokens):
        function = language.functions.get(token)
        for k, type in enumerate(function.values if function else (), 1):
            types[tokens[place + k]].add(type.name)
    return {token: next(iter(some)) for token, some in types.items() if len(some) == 1}


def _translated(pairs: Sequence[Pair]) -> list[list[str]]:
    """For every word of every question the token of its program that it most likely stands for, or ""."""
    names = {name: k for k, name in enumerate(["", *sorted({token for pair in pairs for token in pair.tokens})])}
    said = {word: k for k, word in enumerate(sorted({word for pair in pairs for word in pair.words}))}
    sources = [np.array([0, *sorted({names[token] for token in pair.tokens})]) for pair in pairs]
    targets = [np.array([said[word] for word in pair.words], np.int64) for pair in pairs]
    likely = _likelihoods(sources, targets, (len(names), len(said)))
    by_number = list(names)
    return [
        [by_number[k] for k in source[likely[np.ix_(source, target)].argmax(0)]]
        for source, target in zip(sources, targets, strict=True)
    ]


def _likelihoods(
    sources: Sequence[NDArray[np.int64]], targets: Sequence[NDArray[np.int64]], shape: tuple[int, int]
) -> NDArray[np.float64]:
    """(tokens, words): how likely a token is said by a word."""
    both = list(zip(sources, targets, np.cumsum([0, *map(len, targets)]), strict=False))
    token = np.concatenate([np.repeat(source, len(target)) for source, target, _ in both])
    word = np.concatenate([np.tile(target, len(source)) for source, target, _ in both])
    place = np.concatenate([np.tile(first + np.arange(len(target)), len(source)) for source, target, first in both])
    likely = np.full(shape, 1 / shape[1])
    for _ in range(_ROUNDS):
        share = likely[token, word]
        share /= np.bincount(place, share)[place]
        counts = np.bincount(token * shape[1] + word, share, shape[0] * shape[1]).reshape(shape)
        likely = counts / np.maximum(counts.sum(1, keepdims=True), 1e-12)
    return likely
