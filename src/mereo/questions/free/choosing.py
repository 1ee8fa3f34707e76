"""Choosing from sets by the function table, one step at a time: those with a value, their parts, the one of them.

Whatever the table cannot say is no set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mereo.programs import Function, Language
from mereo.questions.free.meaning import Is, Known, Phrase, Ranked
from mereo.questions.free.notation import Made, Presumed, Unsayable, call
from mereo.questions.free.table import Table

__all__ = ["Choosing"]


@dataclass(frozen=True, eq=False)
class Choosing:
    """Says in a language what is done with sets."""

    language: Language
    table: Table
    noun: str
    """The attribute that nouns name."""
    part: str | None = None
    """The attribute that the names of parts tell."""
    apart: bool = False
    """Whether whatever is not on one side of a thing, and not it, is on the other."""
    asked_as: Mapping[str, str] = field(default_factory=dict)
    """What an attribute is called where it is asked for, if not by its name."""
    single: frozenset[str] = frozenset()
    """Names of parts of which an object has one at most."""
    roundabout: bool = False
    """Whether what nobody unites or leaves out may be said by what is left of everything."""

    def _known(self, mark: Known) -> Made:
        knows = self.table.role("known_reverse" if mark.reverse else "known")
        if knows is None:
            raise Unsayable
        return Made(call(knows.name, list(mark.query), call(self.table.everything.name)))

    def _valued(self, kind: str, made: Made, mark: Is) -> Made:
        keeps = self.table.filter(kind, mark.attribute)
        if keeps is not None:
            return Made(call(keeps.name, [mark.value], made.text), made.presumed)
        if kind == "object" and mark.attribute != self.part and self.table.filter("part", mark.attribute) is not None:
            parts = self._valued("part", self._parts_of(made), mark)
            return Made(call("filter_part_exist", [], parts.text), made.presumed)
        raise Unsayable

    def _ranked(self, kind: str, made: Made, mark: Ranked) -> Made:
        ordinal = self.table.ordinal() if kind == "object" else None
        if ordinal is None:
            raise Unsayable
        numbers, sides = (type.values or () for type in ordinal.values)
        if mark.number not in numbers or mark.side not in sides:
            raise Unsayable
        return Made(call(ordinal.name, [mark.number, mark.side], made.text), made.presumed)

    def _parts_of(self, objects: Made) -> Made:
        expand = self.table.named("expand_parts")
        if expand is None:
            raise Unsayable
        return Made(call(expand.name, [], objects.text), objects.presumed)

    def _own_parts(self, whole: Made, phrase: Phrase) -> Made:
        """The parts of one object, or of all that are meant."""
        own = self.table.named("own_parts")
        if own is None or not phrase.definite or phrase.several:
            return self._parts_of(whole)
        one = self._unique(whole, phrase)
        return Made(call(own.name, [], one.text), one.presumed)

    def _unique(self, made: Made, phrase: Phrase) -> Made:
        """The one object of a set, which the words take for granted."""
        if (
            phrase.kind != "object"
            or phrase.others
            or (phrase.several and not any(isinstance(mark, Ranked) for mark in phrase.marks))
        ):
            raise Unsayable
        unique = self.table.unique
        if unique is not None:
            text = call(unique.name, [], made.text)
            return Made(text, (*made.presumed, Presumed(phrase, text, one=True)))
        names = self.table.about(phrase.kind, self.noun, "query")
        if names is None:
            raise Unsayable
        told = Presumed(phrase, self._told_by(names, self.noun, made), one=True)
        return Made(made.text, (*made.presumed, told))

    def _told_by(self, query: Function, attribute: str, one: Made) -> str:
        """The value of an attribute, of whom there is one. Who tells of all attributes is told which."""
        values = [self.asked_as.get(attribute, attribute)] if query.values else []
        return call(query.name, values, one.text)

    def _shown(self, made: Made, phrase: Phrase) -> Made:
        """Some parts, of which the words take for granted that there are any."""
        if phrase.kind == "surface":
            return made
        told = Presumed(phrase, call(self.table.exist(phrase.kind).name, [], made.text), one=False)
        return Made(made.text, (*made.presumed, told))

    def _joined(self, kind: str, verb: str, one: Made, other: Made) -> Made:
        joins = self.table.join(kind, verb)
        if one.text == other.text:
            return one
        if joins is None and kind == "object" and self.table.join("part", verb) is not None:
            parts = self._joined("part", verb, self._parts_of(one), self._parts_of(other))
            return Made(call("filter_part_exist", [], parts.text), parts.presumed)
        if joins is None and kind == "object" and verb == "union":
            return self._rest(self._joined(kind, "intersect", self._rest(one), self._rest(other)))
        if joins is None:
            raise Unsayable
        return Made(call(joins.name, [], one.text, other.text), (*one.presumed, *other.presumed))

    def _numbering(self, number: int, parts: Made) -> Made:
        """The objects that have so many of some parts."""
        count, keeps = self.table.named("count_part"), self.table.named("filter_part_count")
        if count is None or keeps is None:
            raise Unsayable
        return Made(call(keeps.name, [number], call(count.name, [], parts.text)), parts.presumed)

    def _rest(self, made: Made) -> Made:
        """All objects but some: those of which no part is among the parts of these."""
        if not self.roundabout:
            raise Unsayable
        return self._numbering(0, self._parts_of(made))

    def _among(self, made: Made, such: Made) -> Made:
        """Those of some objects that are such."""
        return (
            such if made.text == call(self.table.everything.name) else self._joined("object", "intersect", made, such)
        )

    def _left_of(self, made: Made, taken: Made) -> Made:
        """Those of some objects that are not among others."""
        return self._among(made, self._rest(taken))
