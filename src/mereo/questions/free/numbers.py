"""How many phrases speak of, by the function table, and what follows from numbers alone: none, and all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations, product

from mereo.questions.free.english import ENGLISH
from mereo.questions.free.meaning import Besides, Either, Has, Is, Mark, Not, Of, Phrase, Ranked, contradictory
from mereo.questions.free.notation import Made, Unsayable, call, few
from mereo.questions.free.sets import Sets

__all__ = ["Numbers"]


@dataclass(frozen=True, eq=False)
class Numbers(Sets):
    """Says in a language how many there are."""

    def _number(self, phrase: Phrase) -> Iterator[Made]:
        """How many a phrase speaks of; where sets cannot be united, their numbers are added."""
        if phrase.kind == "surface" or phrase.of_each:
            raise Unsayable
        phrase = self.spread(phrase)
        if phrase.others and self.table.join(phrase.kind, "union") is None:
            one, other = replace(phrase, others=()), phrase.others
            add = self.table.reckon("sum")
            if add is None or one.kind != phrase.kind:
                raise Unsayable
            for first, second in product(self._number(one), self._number(replace(other[0], others=other[1:]))):
                yield Made(call(add.name, [], first.text, second.text), (*first.presumed, *second.presumed))
            return
        try:
            found = list(few(self.sets(phrase)))
        except Unsayable:
            yield from self._reckoned(phrase)
            return
        for made in found:
            yield Made(self.counted(phrase.kind, made.text), made.presumed)

    def _numbers(self, phrase: Phrase) -> Iterator[Made]:
        """How many of some parts everything has, one number for each; who asks it of some things is not told of all."""
        wholes = [mark.whole for mark in phrase.marks if isinstance(mark, Of)]
        counts = self.table.count(phrase.kind)
        if phrase.others or len(counts) < len(("each", "all")) or any(whole.marks or whole.others for whole in wholes):
            raise Unsayable
        for made in self.sets(phrase):
            yield Made(call(counts[0].name, [], made.text), made.presumed)

    def spread(self, phrase: Phrase) -> Phrase:
        """Parts of several names, which are never united, as those of each: "bars"."""
        sorts = next((mark for mark in phrase.marks if isinstance(mark, Either)), None)
        if not self.roundabout or phrase.kind != "part" or sorts is None or phrase.others:
            return phrase
        if not contradictory(sorts.ways):
            return phrase
        each = [
            replace(phrase, head=way, marks=tuple(way if mark == sorts else mark for mark in phrase.marks))
            for way in sorts.ways
        ]
        return replace(each[0], others=tuple(each[1:]))

    def counted(self, kind: str, text: str) -> str:
        """How many a set has, in notation."""
        if not self.table.count(kind):
            raise Unsayable
        for counts in self.table.count(kind):
            text = call(counts.name, [], text)
        return text

    def _reckoned(self, phrase: Phrase) -> Iterator[Made]:
        """A number that no set has: all less those that are so, or the sum of two sorts."""
        odd = next((mark for mark in phrase.marks if isinstance(mark, Not | Either | Besides)), None)
        if odd is None or phrase.others:
            raise Unsayable
        plain = replace(phrase, marks=tuple(mark for mark in phrase.marks if mark != odd))
        if isinstance(odd, Not):
            pair, verb = (plain, plain.with_marks(odd.mark)), "minus"
        elif isinstance(odd, Besides):
            pair, verb = (plain, odd.other.with_marks(*plain.marks)), "minus"
        elif len(odd.ways) == 2 and all(isinstance(way, Is | Has) for way in odd.ways):
            yield from self._either_sum(plain, odd.ways)
            return
        else:
            raise Unsayable
        reckons = self.table.reckon(verb)
        if reckons is None:
            raise Unsayable
        for one, other in product(self._number(pair[0]), self._number(pair[1])):
            yield Made(call(reckons.name, [], one.text, other.text), (*one.presumed, *other.presumed))

    def _either_sum(self, phrase: Phrase, ways: Sequence[Mark]) -> Iterator[Made]:
        """How many are of one of two sorts: of the one and of the other, less those that are of both."""
        add, subtract = self.table.reckon("sum"), self.table.reckon("minus")
        if add is None or subtract is None:
            raise Unsayable
        apart = contradictory(ways) and all(
            isinstance(way, Is) and self.table.filter(phrase.kind, way.attribute) is not None for way in ways
        )
        for pair in product(*(list(self._number(phrase.with_marks(way))) for way in ways)):
            whole = call(add.name, [], *(made.text for made in pair))
            presumed = (*pair[0].presumed, *pair[1].presumed)
            if apart:
                yield Made(whole, presumed)
            else:
                for both in self._number(phrase.with_marks(*ways)):
                    yield Made(call(subtract.name, [], whole, both.text), (*presumed, *both.presumed))

    def _none(self, phrase: Phrase) -> Iterator[Made]:
        """Whether there are as many as of what cannot be."""
        equal, zero = self.table.compare("equal"), self._zero()
        if equal is None or zero is None:
            raise Unsayable
        for made in self._number(phrase):
            yield Made(call(equal.name, [], made.text, zero), made.presumed)

    def _zero(self) -> str | None:
        """The number of things of two values at once, in notation."""
        for name, attribute in self.language.vocabulary.attributes.items():
            values = attribute.values or ()
            if self.table.filter("object", name) is not None and len(values) > 1 and not attribute.multiple:
                none = Made(call(self.table.everything.name))
                for value in values[:2]:
                    none = self._valued("object", none, Is(name, value))
                return self.counted("object", none.text)
        return None

    def _places(self) -> tuple[Sequence[str], Sequence[str]]:
        """The places that can be counted to, and the sides to count from."""
        ordinal = self.table.ordinal()
        if ordinal is None:
            raise Unsayable
        places, sides = (type.values or () for type in ordinal.values)
        return places, sides

    def _each_there(self, phrase: Phrase) -> Iterator[Made]:
        """Whether there is one of each of several sorts that have nothing in common: the first of each are so many."""
        each = [replace(phrase, others=()), *phrase.others]
        union, equal = self.table.join(phrase.kind, "union"), self.table.compare("equal")
        if union is None or equal is None or phrase.kind != "object":
            raise Unsayable
        if any(not contradictory((*one.marks, *other.marks)) for one, other in combinations(each, 2)):
            raise Unsayable
        for ways in product(*(list(few(self.sets(one))) for one in each)):
            firsts = [self._first_if_any(made) for made in ways]
            whole = reduce(lambda one, other: self._joined(phrase.kind, "union", one, other), firsts)
            counted = self.counted(phrase.kind, whole.text)
            yield Made(call(equal.name, [], counted, self._said_number(len(each))), whole.presumed)

    def _first_if_any(self, made: Made) -> Made:
        """The first of a set from one side, or none of none: the last of all is with it while it is looked for."""
        (place, *_), (side, *_) = self._places()
        last = self._ranked("object", Made(call(self.table.everything.name)), Ranked(place, ENGLISH["opposites"][side]))
        first = self._ranked("object", self._joined("object", "union", made, last), Ranked(place, side))
        return self._joined("object", "intersect", made, first)

    def _said_number(self, number: int) -> str:
        """A number, in notation: of the first so many of all things, counted from a side."""
        zero, (places, sides) = self._zero(), self._places()
        if zero is None or not 0 <= number <= len(places):
            raise Unsayable
        whole, add = Made(call(self.table.everything.name)), self.table.reckon("sum")
        found = [self._ranked("object", whole, Ranked(place, sides[0])) for place in places[:number]]
        if not found:
            return zero
        first = found[0]
        if add is not None:
            one = self.counted("object", first.text)
            return reduce(lambda sum, _: call(add.name, [], sum, one), found[1:], one)
        for other in found[1:]:
            first = self._joined("object", "union", first, other)
        return self.counted("object", first.text)

    def _any_not(self, phrase: Phrase) -> Iterator[Made]:
        """Whether there are more than those that are not so."""
        odd = next((mark for mark in phrase.marks if isinstance(mark, Not)), None)
        greater = self.table.compare("greater")
        if odd is None or greater is None or phrase.others:
            raise Unsayable
        plain = replace(phrase, marks=tuple(mark for mark in phrase.marks if mark != odd))
        for one, other in product(self._number(plain), self._number(plain.with_marks(odd.mark))):
            yield Made(call(greater.name, [], one.text, other.text), (*one.presumed, *other.presumed))

    def _any_of_them(self, phrase: Phrase) -> Iterator[Made]:
        """Whether there is any of several sorts that cannot be put together: they are more than none."""
        greater, none = self.table.compare("greater"), self._said_number(0)
        if greater is None:
            raise Unsayable
        for made in self._number(phrase):
            yield Made(call(greater.name, [], made.text, none), made.presumed)

    def _all_of(self, phrase: Phrase, such: Made, made: Made) -> str:
        """Whether all of a set are of another."""
        equal = self.table.compare("equal")
        if equal is None:
            raise Unsayable
        return call(equal.name, [], *(self.counted(phrase.kind, text) for text in (such.text, made.text)))
