"""More pairs of question and program out of few: values are exchanged in both, and so are whole branches.

"The red chair" becomes "the blue table" where blue and table were seen between such neighbors, and `[red]` and
`[chair]` become theirs in the program. A branch of a program whose values are said by neighboring pieces of the
question is exchanged with another of its type that was said after the same piece.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

import numpy as np

from mereo.chance import fast
from mereo.programs import Language
from mereo.training.alignment import Pair, Piece, Spoken, is_value, spoken

__all__ = ["Exchange", "exchanged"]

_WIDER = 3
"""Words before the first phrase of a branch that may belong to it, as "thing with" does before "red legs"."""
_TRIES = 4


class Branch(NamedTuple):
    """A branch of a program, and the pieces of the question that say it."""

    tokens: tuple[str, ...]
    type: str
    above: str
    """The function that takes it."""
    closest: bool
    """Whether it is the smallest that holds its values; larger ones have functions around it that nobody may say."""
    first: int
    end: int

    def fits(self, other: Branch) -> bool:
        """Whether both are cut off at the same height, so that what is said around them stays true."""
        return self.closest or other.closest or self.tokens[0] == other.tokens[0]


def exchanged(
    pairs: Sequence[Pair], language: Language, *, times: int, rng: np.random.Generator, branches: float = 0.7
) -> list[Pair]:
    """New pairs, so many times as there are; those that come out as they were are left out.

    branches : the share of new pairs in which branches are exchanged before values are
    """
    exchange, chance = Exchange(pairs, language), fast(rng)
    found: list[Pair] = []
    for one in exchange.spoken:
        for _ in range(times):
            new = one
            if chance.random() < branches:
                for _ in range(chance.randint(1, 3)):
                    new = exchange.branches(new, chance)
            new = exchange.values(new, chance)
            if new != one:
                found.append(new.pair)
    return found


class Exchange:
    """What may take the place of what, as it was seen in some pairs."""

    def __init__(self, pairs: Sequence[Pair], language: Language):
        self.language = language
        self.spoken = spoken(pairs, language)
        self._longest = max((len(pair.tokens) for pair in pairs), default=0)
        self._seams = {seam for one in self.spoken for seam in pairwise(one.kinds)}
        self._neighbors: dict[Piece, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
        self._alone: Counter[str] = Counter()
        self._together: Counter[tuple[str, str]] = Counter()
        self._donors: dict[tuple[str, str], list[tuple[Branch, tuple[Piece, ...]]]] = defaultdict(list)
        for one in self.spoken:
            self._learn_values(one)
            self._learn_branches(one)

    def values(self, one: Spoken, chance: Random, *, share: float = 0.8) -> Spoken:
        """Most values exchanged for others of their types, each wherever it stands."""
        for token in sorted({piece.token for piece in one.pieces if piece.type}):
            if chance.random() < share:
                one = self._without(one, token, chance)
        return one

    def branches(self, one: Spoken, chance: Random) -> Spoken:
        """One branch exchanged for another of its type, if one is found that fits between its neighbors."""
        hosts = self._branches(one)
        for _ in range(_TRIES if hosts else 0):
            host = chance.choice(hosts)
            donors = self._donors.get((host.type, one.kinds[host.first]))
            if not donors:
                continue
            donor, pieces = chance.choice(donors)
            new = Spoken(
                (*one.pieces[: host.first], *pieces, *one.pieces[host.end :]),
                _replaced(one.tokens, host.tokens, donor.tokens),
            )
            seams = (pieces[-1].kind, one.kinds[host.end + 1]), (host.above, donor.tokens[0])
            if host.fits(donor) and self._seams.issuperset(seams) and len(new.tokens) <= self._longest:
                return new
        return one

    def _learn_values(self, one: Spoken) -> None:
        kinds = one.kinds
        for piece, before, after in zip(one.pieces, kinds, kinds[2:], strict=False):
            if piece.type:
                self._neighbors[piece][0].add(before)
                self._neighbors[piece][1].add(after)
        self._seams.update((above, tokens[0]) for tokens, _, above in _inner(one.tokens, self.language))
        values = sorted(_values(one.tokens))
        self._alone.update(values)
        self._together.update((one, other) for one in values for other in values)

    def _learn_branches(self, one: Spoken) -> None:
        """Remember each branch by the kind of piece before it, with the fewest words if there are several ways."""
        shortest: dict[tuple[tuple[str, ...], str], Branch] = {}
        for branch in self._branches(one):
            key = branch.tokens, one.kinds[branch.first]
            if key not in shortest or shortest[key].first < branch.first:
                shortest[key] = branch
        for (_, before), branch in shortest.items():
            self._donors[branch.type, before].append((branch, one.pieces[branch.first : branch.end]))

    def _without(self, one: Spoken, token: str, chance: Random) -> Spoken:
        """The pair with another value instead of this one, said by phrases that fit where it was said."""
        places = [place for place, piece in enumerate(one.pieces) if piece.type and piece.token == token]
        fitting = [self._fitting(one, place) for place in places]
        others = set.intersection(*[set(some) for some in fitting]) - {token}
        rest = _values(one.tokens) - {token}
        others = {other for other in others if all(self._agree(other, value) for value in rest)}
        if not others:
            return one
        other = chance.choice(sorted(others))
        pieces = list(one.pieces)
        for place, some in zip(places, fitting, strict=True):
            pieces[place] = chance.choice(some[other])
        return Spoken(tuple(pieces), tuple([other if value == token else value for value in one.tokens]))

    def _fitting(self, one: Spoken, place: int) -> dict[str, list[Piece]]:
        """By value the phrases of one type that were seen between such neighbors as the phrase at a place has."""
        kinds, type = one.kinds, one.pieces[place].type
        found: dict[str, list[Piece]] = defaultdict(list)
        for phrase, (before, after) in self._neighbors.items():
            if phrase.type == type and kinds[place] in before and kinds[place + 2] in after:
                found[phrase.token].append(phrase)
        return found

    def _agree(self, one: str, other: str) -> bool:
        """Whether two values are found in one program, or are too rare for that to be expected."""
        expected = self._alone[one] * self._alone[other] / len(self.spoken)
        return bool(self._together[one, other]) or expected < 0.5

    def _branches(self, one: Spoken) -> list[Branch]:
        """The branches that are said by neighboring pieces and nowhere else, each also with some words before these.

        Of those with the same values and the same type the smallest counts.
        """
        found: list[Branch] = []
        known: set[tuple[frozenset[str], str]] = set()
        closest: dict[frozenset[str], tuple[str, ...]] = {}
        for tokens, type, above in sorted(set(_inner(one.tokens, self.language)), key=_size):
            inside, rest = _values(tokens), {*_replaced(one.tokens, tokens, ())}
            places = [place for place, piece in enumerate(one.pieces) if piece.type and piece.token in inside]
            said = {one.pieces[place].token for place in places}
            if not inside or said != inside or inside & rest or (inside, type) in known:
                continue
            known.add((inside, type))
            branch = Branch(
                tokens, type, above, closest.setdefault(inside, tokens) == tokens, places[0], places[-1] + 1
            )
            found += self._wider(one, branch, own={*tokens} - rest, other=rest - {*tokens})
        return found

    def _wider(self, one: Spoken, branch: Branch, own: set[str], other: set[str]) -> Iterator[Branch]:
        """A branch as it is said, and with more and more words before; not where a word says what is not its own."""
        for first in range(branch.first, max(branch.first - _WIDER, 0) - 1, -1):
            within = one.pieces[first : branch.end]
            around = (*one.pieces[:first], *one.pieces[branch.end :])
            if (first < branch.first and within[0].type) or any(piece.token in other for piece in within):
                return
            if not any(piece.token in own for piece in around):
                yield branch._replace(first=first)


def _size(branch: tuple[tuple[str, ...], str, str]) -> tuple[int, tuple[str, ...], str]:
    """For an order that is the same for everybody: the smallest first."""
    tokens, _, above = branch
    return len(tokens), tokens, above


def _values(tokens: Sequence[str]) -> frozenset[str]:
    return frozenset([token for token in tokens if is_value(token)])


def _inner(tokens: Sequence[str], language: Language) -> list[tuple[tuple[str, ...], str, str]]:
    """The branches of a program but for itself, each with the name of its type and the function that takes it."""
    found: list[tuple[tuple[str, ...], str, str]] = []
    waiting: list[tuple[int, int]] = []
    # From right to left the inputs of a function lie on the stack, the first on top, each with its begin and end.
    for place in range(len(tokens) - 1, -1, -1):
        function = language.functions.get(tokens[place])
        if function is None:
            continue
        end = place + 1 + len(function.values)
        for type in function.inputs:
            begin, end = waiting.pop()
            found.append((tuple(tokens[begin:end]), type.name, function.name))
        waiting.append((place, end))
    return found


def _replaced(tokens: Sequence[str], old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """A program with another branch wherever one stands."""
    found: list[str] = []
    place = 0
    while place < len(tokens):
        if tuple(tokens[place : place + len(old)]) == tuple(old):
            found += new
            place += len(old)
        else:
            found.append(tokens[place])
            place += 1
    return tuple(found)
