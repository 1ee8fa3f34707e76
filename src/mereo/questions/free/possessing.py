"""Choosing objects by the parts that they have, by the function table: any, none, so many, or such as are not so."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from mereo.questions.free.choosing import Choosing
from mereo.questions.free.meaning import Either, Has, Is, Mark, Not, Of, Phrase
from mereo.questions.free.notation import Made, Unsayable, call, few

__all__ = ["Possessing", "loose"]

_MOST_COUNTED = 10
"""How many parts may be asked for."""


@dataclass(frozen=True, eq=False)
class Possessing(Choosing):
    """Says in a language what things have."""

    @abstractmethod
    def _filtered(self, kind: str, made: Made, mark: Mark) -> Iterator[Made]:
        """Those of a set that have a mark."""

    def _having(self, made: Made, mark: Has) -> Iterator[Made]:
        exist = self.table.named("filter_part_exist")
        if exist is None:
            raise Unsayable
        sorts = next((one for one in mark.parts.marks if isinstance(one, Either)), None)
        if sorts is not None and self.table.join("part", "union") is None:
            yield from self._having_any(made, mark, sorts)
            return
        denied = next((one for one in mark.parts.marks if isinstance(one, Not)), None)
        if denied is not None and mark.count is None and self.roundabout:
            yield from self._having_unlike(made, mark.parts, denied)
            return
        parts: Iterable[Made] = [self._parts_of(made)]
        for inner in mark.parts.marks:
            if loose(inner) or isinstance(inner, Of):
                continue
            parts = [one for old in parts for one in self._filtered("part", old, inner)]
        for found in parts:
            if mark.count is None:
                yield Made(call(exist.name, [], found.text), found.presumed)
            elif mark.count == 0:
                yield self._among(made, self._numbering(0, found))
            elif mark.bound == "exactly":
                yield self._numbering(mark.count, found)
            else:
                yield self._bounded(made, found, mark)

    def _having_unlike(self, made: Made, parts: Phrase, denied: Not) -> Iterator[Made]:
        """Those of a set that have such parts, less those whose parts have what they should not: where parts of a name
        are one, or are alike."""
        plain = replace(parts, marks=tuple(one for one in parts.marks if one != denied))
        named = [one.value for one in plain.marks if isinstance(one, Is) and one.attribute == self.part]
        if not named or not (named[0] in self.single or isinstance(denied.mark, Is)):
            raise Unsayable
        for such in self._having(made, Has(plain)):
            for unlike in self._having(made, Has(plain.with_marks(denied.mark))):
                yield self._left_of(such, unlike)

    def _having_any(self, made: Made, mark: Has, sorts: Either) -> Iterator[Made]:
        """Those of a set that have parts of any of several sorts, or of none of them."""
        if mark.count not in (None, 0):
            raise Unsayable
        ways = []
        for way in sorts.ways:
            parts = replace(mark.parts, marks=tuple(way if one == sorts else one for one in mark.parts.marks))
            ways.append(list(few(self._having(made, Has(parts)))))
        for combination in product(*ways):
            united = combination[0]
            for other in combination[1:]:
                united = self._joined("object", "union", united, other)
            yield united if mark.count is None else self._left_of(made, united)

    def _bounded(self, made: Made, parts: Made, mark: Has) -> Made:
        """Those of some objects that have so many of some parts: all but those that have any number below."""
        least = (mark.count or 0) + (mark.bound in ("more", "most"))
        if not 0 < least <= _MOST_COUNTED:
            raise Unsayable
        found = Made(call("filter_part_exist", [], parts.text), parts.presumed)
        for number in range(1, least):
            found = self._left_of(found, self._numbering(number, Made(parts.text)))
        return found if mark.bound in ("least", "more") else self._left_of(made, found)


def loose(mark: Mark) -> bool:
    """Whether a mark says nothing: "one" where nothing was spoken of before."""
    return isinstance(mark, Is) and mark.attribute == "it"
