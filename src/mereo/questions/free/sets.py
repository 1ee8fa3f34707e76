"""From phrases to sets, by the function table: whatever the table cannot say is no set.

A phrase may mean several sets, as "parallel to" does for lines
and for planes, of which the world decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from mereo.programs import OBJECT, Function
from mereo.questions.free.english import ENGLISH
from mereo.questions.free.meaning import (
    Alike,
    At,
    Besides,
    Both,
    Either,
    Has,
    Is,
    Known,
    Lying,
    Mark,
    Not,
    Of,
    Phrase,
    Ranked,
    Same,
    contradictory,
)
from mereo.questions.free.notation import Made, Presumed, Unsayable, call, few
from mereo.questions.free.possessing import Possessing, loose

__all__ = ["Sets"]

_BASES = At | Alike | Of | Besides | Known | Lying | Same
"""Marks that give a set by themselves, instead of choosing from one."""
_SIDES = ("left", "right", "front", "behind")
"""Whatever is not a thing itself stands on one of these sides of it."""


@dataclass(frozen=True, eq=False)
class Sets(Possessing):
    """Says in a language whom phrases mean, as sets."""

    def sets(self, phrase: Phrase) -> Iterator[Made]:
        """What a phrase denotes, as a set, with what is spoken of together with it."""
        if any(other.kind != phrase.kind for other in phrase.others):
            raise Unsayable
        ways = [list(few(self._alone(one))) for one in (replace(phrase, others=()), *phrase.others)]
        for combination in product(*ways):
            found = combination[0]
            for other in combination[1:]:
                found = self._joined(phrase.kind, "union", found, other)
            yield found

    def _alone(self, phrase: Phrase) -> Iterator[Made]:
        if any(isinstance(mark, Is) and mark.attribute == "it" and mark.value == "it" for mark in phrase.marks):
            raise Unsayable
        if contradictory(mark for mark in phrase.marks if not loose(mark)):
            raise Unsayable
        if phrase.kind == "surface":
            surface = self.table.named("surface")
            if surface is None or not isinstance(phrase.marks[0], Is) or not all(map(loose, phrase.marks[1:])):
                raise Unsayable
            yield Made(call(surface.name, [phrase.marks[0].value]))
            return
        told = (mark for mark in phrase.marks if not loose(mark) and not self._implied(mark, phrase))
        marks = sorted(_sided(list(told)), key=_rank)
        bases = [mark for mark in marks if isinstance(mark, _BASES)]
        rest = [mark for mark in marks if not isinstance(mark, _BASES)]
        for base in few(self._base(phrase, bases)):
            found: Iterable[Made] = [base]
            for mark in rest:
                found = [one for made in found for one in few(self._filtered(phrase.kind, made, mark))]
            yield from found

    def _implied(self, mark: Mark, phrase: Phrase) -> bool:
        """Whether a mark says only that a thing is not what it cannot be: a chair is no table, but what has a red part
        may have a blue one."""
        denied = mark.mark if isinstance(mark, Not) else None
        if not isinstance(denied, Is) or self.table.filter(phrase.kind, denied.attribute) is None:
            return False
        return any(isinstance(one, Is) and one.attribute == denied.attribute and one != denied for one in phrase.marks)

    def _base(self, phrase: Phrase, bases: Sequence[Mark]) -> Iterator[Made]:
        """What the filters begin with: everything, or what stands where it is said."""
        kind = phrase.kind
        if not bases:
            whole = Made(call(self.table.everything.name))
            yield self._parts_of(whole) if kind == "part" else whole
            return
        ways = [list(few(self._stands(kind, mark, phrase))) for mark in bases]
        for combination in product(*ways):
            found = combination[0]
            for other in combination[1:]:
                found = self._joined(kind, "intersect", found, other)
            yield found

    def _stands(self, kind: str, mark: Mark, phrase: Phrase | None = None) -> Iterator[Made]:
        if isinstance(mark, At):
            yield from self._related(kind, mark, phrase)
        elif isinstance(mark, Alike):
            yield from self._alike(kind, mark)
        elif isinstance(mark, Besides):
            yield from self._others(kind, mark.other, phrase)
        elif isinstance(mark, Of):
            if kind != "part":
                raise Unsayable
            for whole in self.sets(mark.whole):
                yield self._own_parts(whole, mark.whole)
        elif isinstance(mark, Known):
            yield self._known(mark)
        elif isinstance(mark, Lying):
            yield from self._lying(kind, mark)
        elif isinstance(mark, Same):
            yield from self._itself(mark.other)

    def _itself(self, other: Phrase) -> Iterator[Made]:
        """The one that a phrase means, or the several."""
        for made in self.sets(other):
            yield made if other.several else Made(made.text, self._unique(made, other).presumed)

    def _lying(self, kind: str, mark: Lying) -> Iterator[Made]:
        """What lies to the third as the other lies to the one."""
        analogy, trio = self.table.named("query_object_analogy"), (mark.one, mark.other, mark.third)
        if analogy is None or any(phrase.kind != "object" for phrase in trio) or kind != "object":
            raise Unsayable
        for sets in product(*(list(self.sets(phrase)) for phrase in trio)):
            ones = [self._unique(made, phrase) for made, phrase in zip(sets, trio, strict=True)]
            presumed = tuple(told for one in ones for told in one.presumed)
            yield Made(call(analogy.name, [], *(one.text for one in ones)), presumed)

    def _related(self, kind: str, mark: At, phrase: Phrase | None) -> Iterator[Made]:
        if kind != "object" and mark.other.kind == "object":
            raise Unsayable
        names = self.table.relations(kind, mark.relation)
        if not names:
            raise Unsayable
        others = list(self.sets(mark.other))
        if mark.other.kind == "surface":
            names = [name for name in names if name.partition(" ")[0].endswith("-plane")] or names
        for name, other in product(names, others):
            relate = self.table.role("inverse") if mark.turned else self.table.relate(kind, name)
            sort = self._sort_of(name, mark, phrase)
            if relate is not None and sort is not None:
                one = self._standing(relate, other, mark.other)
                yield Made(call(relate.name, [name], one.text), (*one.presumed, *sort))

    def _standing(self, relate: Function, made: Made, phrase: Phrase) -> Made:
        """What others stand to: one object, or some; where it is not spoken of as known it need not be there."""
        if relate.inputs == (OBJECT,):
            return self._unique(made, phrase)
        return self._shown(made, phrase) if phrase.definite or phrase.kind != "object" else made

    def _sort_of(self, relation: str, mark: At, phrase: Phrase | None) -> list[Presumed] | None:
        """Of parts that lie to others: that there are lines among them, or planes, as the relation says; None where the
        words say otherwise."""
        sort = relation.partition("-")[0]
        if phrase is None or phrase.kind != "part" or sort == relation or not phrase.marks[1:]:
            return []
        plain = replace(phrase, marks=tuple(one for one in phrase.marks if one != mark))
        sorted_out = plain.with_marks(Is("geometry", sort))
        if contradictory(sorted_out.marks):
            return None
        exist = self.table.exist("part").name
        return [Presumed(plain, call(exist, [], made.text), one=False) for made in self.sets(sorted_out)]

    def _others(self, kind: str, other: Phrase, phrase: Phrase | None) -> Iterator[Made]:
        """All but one: those of its kind, where that is spoken of, or whatever stands on any side of it."""
        if kind != "object" or other.kind != kind:
            raise Unsayable
        if phrase is not None and phrase.head in other.marks and isinstance(phrase.head, Is):
            yield from self._alike(kind, Alike(phrase.head.attribute, other))
            return
        for own in self.sets(other):
            one = self._unique(own, other)
            if self.table.join(kind, "union") is None:
                yield Made(self._rest(own).text, one.presumed)
                continue
            sides = [(side, self.table.relate(kind, side)) for side in _SIDES]
            around = [Made(call(relate.name, [side], one.text), one.presumed) for side, relate in sides if relate]
            if len(around) != len(_SIDES):
                raise Unsayable
            found = around[0]
            for more in around[1:]:
                found = Made(self._joined(kind, "union", found, more).text, one.presumed)
            yield found

    def _alike(self, kind: str, mark: Alike) -> Iterator[Made]:
        if mark.other.kind != kind and mark.attribute != "count":
            raise Unsayable
        if kind != "object" and mark.attribute == "count":
            raise Unsayable
        for own in self.sets(mark.other):
            same = (
                self.table.about(mark.other.kind, mark.attribute, "same")
                if mark.attribute != "count"
                else self.table.named("same_part_count")
            )
            if same is None:
                raise Unsayable
            one = self._unique(own, mark.other) if mark.other.kind == "object" else self._shown(own, mark.other)
            yield Made(call(same.name, [], one.text), one.presumed)

    def _filtered(self, kind: str, made: Made, mark: Mark) -> Iterator[Made]:
        """Those of a set that have a mark."""
        if isinstance(mark, Is):
            yield self._valued(kind, made, mark)
        elif isinstance(mark, Both):
            found: Iterable[Made] = [made]
            for one in mark.marks:
                found = [new for old in found for new in few(self._placed(kind, old, one))]
            yield from found
        elif isinstance(mark, Either):
            ways = [list(few(self._placed(kind, made, way))) for way in mark.ways]
            for combination in product(*ways):
                united = combination[0]
                for other in combination[1:]:
                    united = self._joined(kind, "union", united, other)
                yield united
        elif isinstance(mark, Ranked):
            yield self._ranked(kind, made, mark)
        elif isinstance(mark, Has):
            if kind != "object":
                raise Unsayable
            yield from self._having(made, mark)
        elif isinstance(mark, Not):
            yield from self._lacking(kind, made, mark.mark)
        elif isinstance(mark, At | Alike | Of | Known | Lying | Same):
            yield from self._placed(kind, made, mark)
        else:
            raise Unsayable

    def _placed(self, kind: str, made: Made, mark: Mark) -> Iterator[Made]:
        """Those of a set that have a mark, which may be where they stand."""
        if isinstance(mark, _BASES):
            for there in self._stands(kind, mark):
                yield self._joined(kind, "intersect", made, there)
        else:
            yield from self._filtered(kind, made, mark)

    def _lacking(self, kind: str, made: Made, mark: Mark) -> Iterator[Made]:
        """Those of a set without a mark: with another value, or with none of the parts."""
        if isinstance(mark, Is) and self.table.filter(kind, mark.attribute) is not None:
            attribute = self.language.vocabulary.attributes.get(mark.attribute)
            if attribute is None or not attribute.values or attribute.multiple:
                raise Unsayable
            others = [value for value in attribute.values if value != mark.value]
            found = self._valued(kind, made, Is(mark.attribute, others[0]))
            for value in others[1:]:
                found = self._joined(kind, "union", found, self._valued(kind, made, Is(mark.attribute, value)))
            yield found
        elif isinstance(mark, Has) and kind == "object" and mark.count is None:
            yield from self._having(made, replace(mark, count=0))
        elif isinstance(mark, At) and kind == "object" and self.apart and mark.relation in _SIDES and not mark.turned:
            yield from self._not_at(made, mark)
        elif isinstance(mark, Alike) and not self.roundabout and (told := _told(mark)) is not None:
            for other in self.sets(mark.other):
                known = self._unique(other, mark.other).presumed
                for found in self._lacking(kind, made, told):
                    yield Made(found.text, (*found.presumed, *known))
        elif kind == "object":
            for such in self._placed(kind, made, mark):
                yield self._left_of(made, such)
        else:
            raise Unsayable

    def _not_at(self, made: Made, mark: At) -> Iterator[Made]:
        """Those of a set that are not on one side of a thing: they are on the other, or it."""
        other = replace(mark, relation=ENGLISH["opposites"][mark.relation])
        for there in self._related("object", other, None):
            for itself in self.sets(mark.other):
                beside = self._joined("object", "union", there, itself)
                yield self._joined("object", "intersect", made, beside)


def _told(mark: Alike) -> Is | None:
    """What value something has that is like another, where that is said: red, of "the color of the red cube"."""
    told = [one for one in mark.other.marks if isinstance(one, Is) and one.attribute == mark.attribute]
    return told[0] if len(told) == 1 and mark.other.one_known else None


def _sided(marks: list[Mark]) -> list[Mark]:
    """ "the first cube right of the ball": places in an order that nothing is said of are counted from there."""
    sides = [mark.relation for mark in marks if isinstance(mark, At) and mark.relation in _SIDES and not mark.turned]
    if len(sides) != 1:
        return marks
    start = ENGLISH["opposites"][sides[0]]
    return [Ranked(mark.number, start) if isinstance(mark, Ranked) and not mark.side else mark for mark in marks]


def _rank(mark: Mark) -> int:
    """Negated parts are counted among everything, so they come first; an order is of what is left, so it is last."""
    if isinstance(mark, Not) or (isinstance(mark, Has) and mark.count == 0):
        return 0
    ranks = mark.ways if isinstance(mark, Either) else (mark,)
    return 2 if isinstance(ranks[0], Ranked) else 1
