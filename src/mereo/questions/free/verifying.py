"""Whether what is said of known things is so, by the function table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from mereo.questions.free.meaning import Asked, Both, Either, Is, Mark, Not, Phrase, Ranked, contradictory
from mereo.questions.free.notation import Made, Presumed, Unsayable, call, few
from mereo.questions.free.numbers import Numbers

__all__ = ["Verifying"]


@dataclass(frozen=True, eq=False)
class Verifying(Numbers):
    """Says in a language whether things are as they are said to be."""

    def _verify(self, asked: Asked) -> Iterator[Made]:
        phrase, mark = asked.phrases[0], asked.mark
        assert mark is not None
        if phrase.others:
            yield from self._verify_all(phrase, mark)
            return
        if phrase.kind == "surface":
            raise Unsayable
        if phrase.kind == "part" and (_denied(mark) or self.spread(phrase).others):
            yield from self._verify_parts(phrase, mark)
            return
        if isinstance(mark, Is) and phrase.kind == "object" and not phrase.several:
            tells = self.table.told(mark.attribute)
            if tells is not None:
                for made in self.sets(phrase):
                    one = self._unique(made, phrase)
                    yield Made(call(tells.name, [mark.value], one.text), one.presumed)
                return
        exist = self.table.exist(phrase.kind)
        for made in self.sets(phrase):
            known = (
                self._unique(made, phrase)
                if phrase.kind == "object" and not phrase.several
                else self._shown(made, phrase)
            )
            for such in few(self._such(phrase, made, mark)):
                presumed = (*known.presumed, *such.presumed)
                if phrase.several:
                    yield Made(self._all_of(phrase, such, made), presumed)
                else:
                    yield Made(call(exist.name, [], such.text), presumed)

    def _verify_all(self, phrase: Phrase, mark: Mark) -> Iterator[Made]:
        """Whether each of several known things has a mark."""
        if phrase.kind != "object":
            yield from self._verify_parts(phrase, mark)
            return
        each = [list(self.sets(replace(one, others=()))) for one in (phrase, *phrase.others)]
        for combination in product(*each):
            whole, presumed = combination[0], list[Presumed]()
            for made, one in zip(combination, (replace(phrase, others=()), *phrase.others), strict=True):
                presumed += self._unique(made, one).presumed
            for other in combination[1:]:
                whole = self._joined(phrase.kind, "union", whole, other)
            for such in few(self._placed(phrase.kind, whole, mark)):
                one_of = call(self.table.exist(phrase.kind).name, [], such.text)
                yield Made(one_of if phrase.either else self._all_of(phrase, such, whole), (*presumed, *such.presumed))

    def _verify_parts(self, phrase: Phrase, mark: Mark) -> Iterator[Made]:
        """Whether all of some parts have a mark, or none of them, told by their numbers alone."""
        spread = self.spread(phrase)
        each = [replace(one, others=(), either=False) for one in (spread, *spread.others)]
        denied, equal = _denied(mark), self.table.compare("equal")
        if equal is None or not self.roundabout or any(one.kind != "part" for one in each):
            raise Unsayable
        marks = denied or (mark,)
        first, *others = (one.with_marks(one_mark) for one in each for one_mark in marks)
        such = replace(first, others=tuple(others))
        presumed: tuple[Presumed, ...] = ()
        if spread.others == phrase.others:
            known = [self._shown(next(self.sets(one)), one).presumed for one in each]
            presumed = tuple(told for one in known for told in one)
        else:
            presumed = tuple(Presumed(phrase, any_.text, one=False) for any_ in self._any_of_them(spread))
        if denied or phrase.either:
            if denied and phrase.either:
                raise Unsayable
            for made in self._none(such) if denied else self._any_of_them(such):
                yield Made(made.text, (*presumed, *made.presumed))
            return
        for one, other in product(self._number(such), self._number(replace(each[0], others=tuple(each[1:])))):
            yield Made(call(equal.name, [], one.text, other.text), (*presumed, *one.presumed, *other.presumed))

    def _such(self, phrase: Phrase, made: Made, mark: Mark) -> Iterator[Made]:
        """Those of a phrase that have one mark more."""
        odd = isinstance(mark, Is) and contradictory((*phrase.marks, mark))  # "Is the blue ball red?"
        if odd or any(_is_ordered(one) for one in (*phrase.marks, mark)):
            yield from self._placed(phrase.kind, made, mark)
        else:
            yield from self.sets(phrase.with_marks(*(mark.marks if isinstance(mark, Both) else (mark,))))


def _denied(mark: Mark) -> tuple[Mark, ...]:
    """What a mark says something has not; nothing where it says anything else."""
    marks = mark.marks if isinstance(mark, Both) else (mark,)
    return tuple(one.mark for one in marks if isinstance(one, Not)) if all(isinstance(o, Not) for o in marks) else ()


def _is_ordered(mark: Mark) -> bool:
    """Whether a mark is a place in an order, or one of several places."""
    return isinstance(mark, Ranked) or (isinstance(mark, Either) and any(map(_is_ordered, mark.ways)))
