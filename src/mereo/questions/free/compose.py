"""From a meaning to programs, by the function table: whatever the table cannot say is no program.

Programs are written in notation, from the inside out. A meaning may have several programs, as "parallel to" has for
lines and for planes, of which the world decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import NamedTuple

from mereo.programs import OBJECT, Function, Language, Program, parse_program
from mereo.programs.step import Step, format_step
from mereo.questions.free.lexicon import Lexicon
from mereo.questions.free.meaning import (
    Alike,
    Asked,
    At,
    Besides,
    Both,
    Either,
    Has,
    Is,
    Known,
    Mark,
    Not,
    Of,
    Phrase,
    Ranked,
    contradictory,
)
from mereo.questions.free.table import Table

__all__ = ["Composer", "Made", "Presumed", "Unsayable"]

_OPPOSITE = {"object": "filter", "part": "filter"}
_MOST = 12
_TWO = 2
"""Of so many values one is more than the other."""
_BASES = At | Alike | Of | Besides | Known
"""Marks that give a set by themselves, instead of choosing from one."""


_SIDES = ("left", "right", "front", "behind")
"""Whatever is not a thing itself stands on one of these sides of it."""


class Unsayable(Exception):
    """The language has no function for this."""


class Presumed(NamedTuple):
    """What a sentence takes for granted: that there is one such thing, or any."""

    phrase: Phrase
    program: str
    one: bool


class Made(NamedTuple):
    """A program in notation, and what it takes for granted."""

    text: str
    presumed: tuple[Presumed, ...] = ()

    @property
    def program(self) -> Program:
        """The program itself."""
        return parse_program(self.text).canonical()


@dataclass(frozen=True, eq=False)
class Composer:
    """Says meanings in a language."""

    language: Language
    table: Table
    noun: str
    """The attribute that nouns name."""
    part: str | None = None
    """The attribute that the names of parts tell."""
    asked_as: Mapping[str, str] = field(default_factory=dict)
    """What an attribute is called where it is asked for, if not by its name."""

    @staticmethod
    def of(language: Language, lexicon: Lexicon) -> Composer:
        """For a language that a lexicon is read in."""
        own, noun = lexicon.own, lexicon.noun
        table = Table(language, own.get("functions", {}))
        return Composer(language, table, noun, own.get("part"), own.get("asked_as", {}))

    def programs(self, asked: Asked) -> list[Made]:
        """Every program that says what is asked; none where the language cannot say it."""
        try:
            return list(dict.fromkeys(_few(_HEADS[asked.head](self, asked))))
        except Unsayable:
            return []

    # ------------------------------------------------------------ sets

    def sets(self, phrase: Phrase) -> Iterator[Made]:
        """What a phrase denotes, as a set, with what is spoken of together with it."""
        ways = [list(_few(self._alone(one))) for one in (replace(phrase, others=()), *phrase.others)]
        for combination in product(*ways):
            found = combination[0]
            for other in combination[1:]:
                found = self._joined(phrase.kind, "union", found, other)
            yield found

    def _alone(self, phrase: Phrase) -> Iterator[Made]:
        if any(isinstance(mark, Is) and mark.attribute == "it" and mark.value == "it" for mark in phrase.marks):
            raise Unsayable
        if contradictory(mark for mark in phrase.marks if not _loose(mark)):
            raise Unsayable
        if phrase.kind == "surface":
            surface = self.table.named("surface")
            if surface is None or not isinstance(phrase.marks[0], Is):
                raise Unsayable
            yield Made(_call(surface.name, [phrase.marks[0].value]))
            return
        marks = sorted((mark for mark in phrase.marks if not _loose(mark) and not _implied(mark, phrase)), key=_rank)
        bases = [mark for mark in marks if isinstance(mark, _BASES)]
        rest = [mark for mark in marks if not isinstance(mark, _BASES)]
        for base in _few(self._base(phrase, bases)):
            found: Iterable[Made] = [base]
            for mark in rest:
                found = [one for made in found for one in _few(self._filtered(phrase.kind, made, mark))]
            yield from found

    def _base(self, phrase: Phrase, bases: Sequence[Mark]) -> Iterator[Made]:
        """What the filters begin with: everything, or what stands where it is said."""
        kind = phrase.kind
        if not bases:
            whole = Made(_call(self.table.everything.name))
            yield self._parts_of(whole) if kind == "part" else whole
            return
        ways = [list(_few(self._stands(kind, mark, phrase))) for mark in bases]
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
            for whole in self.sets(mark.whole):
                yield self._own_parts(whole, mark.whole)
        elif isinstance(mark, Known):
            yield self._known(mark)

    def _known(self, mark: Known) -> Made:
        knows = self.table.role("known_reverse" if mark.reverse else "known")
        if knows is None:
            raise Unsayable
        return Made(_call(knows.name, list(mark.query), _call(self.table.everything.name)))

    def _related(self, kind: str, mark: At, phrase: Phrase | None) -> Iterator[Made]:
        if kind != "object" and mark.other.kind == "object":
            raise Unsayable
        names = self.table.relations(kind, mark.relation)
        if not names:
            raise Unsayable
        others = list(self.sets(mark.other))
        for name, other in product(names, others):
            relate = self.table.role("inverse") if mark.turned else self.table.relate(kind, name)
            sort = self._sort_of(name, mark, phrase)
            if relate is not None and sort is not None:
                one = self._standing(relate, other, mark.other)
                yield Made(_call(relate.name, [name], one.text), (*one.presumed, *sort))

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
        return [Presumed(plain, _call(exist, [], made.text), one=False) for made in self.sets(sorted_out)]

    def _others(self, kind: str, other: Phrase, phrase: Phrase | None) -> Iterator[Made]:
        """All but one: those of its kind, where that is spoken of, or whatever stands on any side of it."""
        if kind != "object" or other.kind != kind:
            raise Unsayable
        if phrase is not None and phrase.head in other.marks and isinstance(phrase.head, Is):
            yield from self._alike(kind, Alike(phrase.head.attribute, other))
            return
        for own in self.sets(other):
            one = self._unique(own, other)
            sides = [(side, self.table.relate(kind, side)) for side in _SIDES]
            around = [Made(_call(relate.name, [side], one.text), one.presumed) for side, relate in sides if relate]
            if len(around) != len(_SIDES):
                raise Unsayable
            found = around[0]
            for more in around[1:]:
                found = Made(self._joined(kind, "union", found, more).text, one.presumed)
            yield found

    def _alike(self, kind: str, mark: Alike) -> Iterator[Made]:
        for own in self.sets(mark.other):
            same = (
                self.table.about(mark.other.kind, mark.attribute, "same")
                if mark.attribute != "count"
                else self.table.named("same_part_count")
            )
            if same is None:
                raise Unsayable
            one = self._unique(own, mark.other) if mark.other.kind == "object" else self._shown(own, mark.other)
            yield Made(_call(same.name, [], one.text), one.presumed)

    def _filtered(self, kind: str, made: Made, mark: Mark) -> Iterator[Made]:
        """Those of a set that have a mark."""
        if isinstance(mark, Is):
            yield self._valued(kind, made, mark)
        elif isinstance(mark, Both):
            found: Iterable[Made] = [made]
            for one in mark.marks:
                found = [new for old in found for new in _few(self._placed(kind, old, one))]
            yield from found
        elif isinstance(mark, Either):
            ways = [list(_few(self._placed(kind, made, way))) for way in mark.ways]
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
        elif isinstance(mark, At | Alike | Of | Known):
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

    def _valued(self, kind: str, made: Made, mark: Is) -> Made:
        keeps = self.table.filter(kind, mark.attribute)
        if keeps is not None:
            return Made(_call(keeps.name, [mark.value], made.text), made.presumed)
        if kind == "object" and mark.attribute != self.part and self.table.filter("part", mark.attribute) is not None:
            parts = self._valued("part", self._parts_of(made), mark)
            return Made(_call("filter_part_exist", [], parts.text), made.presumed)
        raise Unsayable

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
        elif isinstance(mark, Has) and kind == "object":
            yield from self._having(made, replace(mark, count=0) if mark.count is None else mark)
        elif isinstance(mark, Both | Either):
            raise Unsayable
        else:
            raise Unsayable

    def _ranked(self, kind: str, made: Made, mark: Ranked) -> Made:
        ordinal = self.table.ordinal() if kind == "object" else None
        if ordinal is None:
            raise Unsayable
        numbers, sides = (type.values or () for type in ordinal.values)
        if mark.number not in numbers or mark.side not in sides:
            raise Unsayable
        return Made(_call(ordinal.name, [mark.number, mark.side], made.text), made.presumed)

    def _having(self, made: Made, mark: Has) -> Iterator[Made]:
        count, keeps = self.table.named("count_part"), self.table.named("filter_part_count")
        exist = self.table.named("filter_part_exist")
        if count is None or keeps is None or exist is None:
            raise Unsayable
        parts: Iterable[Made] = [self._parts_of(made)]
        for inner in mark.parts.marks:
            if _loose(inner) or isinstance(inner, Of):
                continue
            parts = [one for old in parts for one in self._filtered("part", old, inner)]
        for found in parts:
            if mark.count is None:
                yield Made(_call(exist.name, [], found.text), found.presumed)
            else:
                yield Made(_call(keeps.name, [mark.count], _call(count.name, [], found.text)), found.presumed)

    def _parts_of(self, objects: Made) -> Made:
        expand = self.table.named("expand_parts")
        if expand is None:
            raise Unsayable
        return Made(_call(expand.name, [], objects.text), objects.presumed)

    def _own_parts(self, whole: Made, phrase: Phrase) -> Made:
        """The parts of one object, or of all that are meant."""
        own = self.table.named("own_parts")
        if own is None or not phrase.definite or phrase.several:
            return self._parts_of(whole)
        one = self._unique(whole, phrase)
        return Made(_call(own.name, [], one.text), one.presumed)

    def _unique(self, made: Made, phrase: Phrase) -> Made:
        """The one object of a set, which the words take for granted."""
        if phrase.several and not any(isinstance(mark, Ranked) for mark in phrase.marks):
            raise Unsayable
        unique = self.table.unique
        if unique is not None:
            text = _call(unique.name, [], made.text)
            return Made(text, (*made.presumed, Presumed(phrase, text, one=True)))
        names = self.table.about(phrase.kind, self.noun, "query")
        if names is None:
            raise Unsayable
        told = Presumed(phrase, self._told_by(names, self.noun, made), one=True)
        return Made(made.text, (*made.presumed, told))

    def _told_by(self, query: Function, attribute: str, one: Made) -> str:
        """The value of an attribute, of whom there is one. Who tells of all attributes is told which."""
        values = [self.asked_as.get(attribute, attribute)] if query.values else []
        return _call(query.name, values, one.text)

    def _shown(self, made: Made, phrase: Phrase) -> Made:
        """Some parts, of which the words take for granted that there are any."""
        if phrase.kind == "surface":
            return made
        told = Presumed(phrase, _call(self.table.exist(phrase.kind).name, [], made.text), one=False)
        return Made(made.text, (*made.presumed, told))

    def _joined(self, kind: str, verb: str, one: Made, other: Made) -> Made:
        joins = self.table.join(kind, verb)
        if joins is None:
            raise Unsayable
        if one.text == other.text:
            return one
        return Made(_call(joins.name, [], one.text, other.text), (*one.presumed, *other.presumed))

    # ------------------------------------------------------------ heads

    def _number(self, phrase: Phrase) -> Iterator[Made]:
        """How many a phrase speaks of; where sets cannot be united, their numbers are added."""
        if phrase.kind == "surface":
            raise Unsayable
        if phrase.others and self.table.join(phrase.kind, "union") is None:
            one, other = replace(phrase, others=()), phrase.others
            add = self.table.reckon("sum")
            if add is None or one.kind != phrase.kind:
                raise Unsayable
            for first, second in product(self._number(one), self._number(replace(other[0], others=other[1:]))):
                yield Made(_call(add.name, [], first.text, second.text), (*first.presumed, *second.presumed))
            return
        try:
            found = list(_few(self.sets(phrase)))
        except Unsayable:
            yield from self._reckoned(phrase)
            return
        for made in found:
            yield Made(self.counted(phrase.kind, made.text), made.presumed)

    def counted(self, kind: str, text: str) -> str:
        """How many a set has, in notation."""
        if not self.table.count(kind):
            raise Unsayable
        for counts in self.table.count(kind):
            text = _call(counts.name, [], text)
        return text

    def _reckoned(self, phrase: Phrase) -> Iterator[Made]:
        """A number that no set has: all less those that are so, or the sum of two sorts."""
        odd = next((mark for mark in phrase.marks if isinstance(mark, Not | Either)), None)
        if odd is None or phrase.others:
            raise Unsayable
        plain = replace(phrase, marks=tuple(mark for mark in phrase.marks if mark != odd))
        if isinstance(odd, Not):
            pair, verb = (plain, plain.with_marks(odd.mark)), "minus"
        elif len(odd.ways) == 2 and all(isinstance(way, Is | Has) for way in odd.ways):
            pair, verb = (plain.with_marks(odd.ways[0]), plain.with_marks(odd.ways[1])), "sum"
        else:
            raise Unsayable
        reckons = self.table.reckon(verb)
        if reckons is None:
            raise Unsayable
        for one, other in product(self._number(pair[0]), self._number(pair[1])):
            yield Made(_call(reckons.name, [], one.text, other.text), (*one.presumed, *other.presumed))

    def _count(self, asked: Asked) -> Iterator[Made]:
        yield from self._number(asked.phrases[0])

    def _exist(self, asked: Asked) -> Iterator[Made]:
        phrase = asked.phrases[0]
        if phrase.kind == "surface":
            raise Unsayable
        if phrase.counted is not None or (phrase.others and not phrase.either):
            raise Unsayable
        try:
            found = list(_few(self.sets(phrase)))
        except Unsayable:
            yield from self._any_not(phrase)
            return
        for made in found:
            yield Made(_call(self.table.exist(phrase.kind).name, [], made.text), made.presumed)

    def _any_not(self, phrase: Phrase) -> Iterator[Made]:
        """Whether there are more than those that are not so."""
        odd = next((mark for mark in phrase.marks if isinstance(mark, Not)), None)
        greater = self.table.compare("greater")
        if odd is None or greater is None or phrase.others:
            raise Unsayable
        plain = replace(phrase, marks=tuple(mark for mark in phrase.marks if mark != odd))
        for one, other in product(self._number(plain), self._number(plain.with_marks(odd.mark))):
            yield Made(_call(greater.name, [], one.text, other.text), (*one.presumed, *other.presumed))

    def _verify(self, asked: Asked) -> Iterator[Made]:
        phrase, mark = asked.phrases[0], asked.mark
        assert mark is not None
        if phrase.others:
            yield from self._verify_all(phrase, mark)
            return
        if phrase.kind == "surface":
            raise Unsayable
        if isinstance(mark, Is) and phrase.kind == "object" and not phrase.several:
            tells = self.table.told(mark.attribute)
            if tells is not None:
                for made in self.sets(phrase):
                    one = self._unique(made, phrase)
                    yield Made(_call(tells.name, [mark.value], one.text), one.presumed)
                return
        exist = self.table.exist(phrase.kind)
        for made in self.sets(phrase):
            known = (
                self._unique(made, phrase)
                if phrase.kind == "object" and not phrase.several
                else self._shown(made, phrase)
            )
            for such in _few(self._such(phrase, made, mark)):
                presumed = (*known.presumed, *such.presumed)
                if phrase.several:
                    yield Made(self._all_of(phrase, such, made), presumed)
                else:
                    yield Made(_call(exist.name, [], such.text), presumed)

    def _verify_all(self, phrase: Phrase, mark: Mark) -> Iterator[Made]:
        """Whether each of several known things has a mark."""
        each = [list(self.sets(replace(one, others=()))) for one in (phrase, *phrase.others)]
        if phrase.either or phrase.kind != "object":
            raise Unsayable
        for combination in product(*each):
            whole, presumed = combination[0], list[Presumed]()
            for made, one in zip(combination, (phrase, *phrase.others), strict=True):
                presumed += self._unique(made, one).presumed
            for other in combination[1:]:
                whole = self._joined(phrase.kind, "union", whole, other)
            for such in _few(self._placed(phrase.kind, whole, mark)):
                yield Made(self._all_of(phrase, such, whole), (*presumed, *such.presumed))

    def _exceed(self, asked: Asked) -> Iterator[Made]:
        """Whether the one has a value that the other has not."""
        greater = self.table.compare("greater")
        if greater is None or not isinstance(asked.mark, Is):
            raise Unsayable
        if len(self.language.vocabulary.attributes[asked.mark.attribute].values or ()) != _TWO:
            raise Unsayable
        for pair in product(*(list(self.sets(phrase)) for phrase in asked.phrases)):
            texts, presumed = [], list[Presumed]()
            for made, phrase in zip(pair, asked.phrases, strict=True):
                presumed += self._unique(made, phrase).presumed
                texts.append(
                    _call(self.table.count("object")[0].name, [], self._valued("object", made, asked.mark).text)
                )
            yield Made(_call(greater.name, [], *texts), tuple(presumed))

    def _such(self, phrase: Phrase, made: Made, mark: Mark) -> Iterator[Made]:
        """Those of a phrase that have one mark more."""
        if any(isinstance(one, Ranked) for one in phrase.marks) or isinstance(mark, Ranked):
            yield from self._placed(phrase.kind, made, mark)
        else:
            yield from self.sets(phrase.with_marks(*(mark.marks if isinstance(mark, Both) else (mark,))))

    def _all_of(self, phrase: Phrase, such: Made, made: Made) -> str:
        """Whether all of a set are of another."""
        equal = self.table.compare("equal")
        if equal is None:
            raise Unsayable
        return _call(equal.name, [], *(self.counted(phrase.kind, text) for text in (such.text, made.text)))

    def _query(self, asked: Asked) -> Iterator[Made]:
        phrase = asked.phrases[0]
        if phrase.others or phrase.every:
            raise Unsayable
        query = self.table.about(phrase.kind, asked.word, "query")
        if query is None and phrase.kind == "object":
            yield from self._query(replace(asked, phrases=(_all_parts(phrase),)))
            return
        if query is None:
            raise Unsayable
        for made in self.sets(phrase):
            one = self._unique(made, phrase) if phrase.kind == "object" else self._shown(made, phrase)
            yield Made(self._told_by(query, asked.word, one), one.presumed)

    def _compare(self, asked: Asked) -> Iterator[Made]:
        compares = self.table.compare(asked.word)
        if compares is None:
            raise Unsayable
        for one, other in product(self._number(asked.phrases[0]), self._number(asked.phrases[1])):
            yield Made(_call(compares.name, [], one.text, other.text), (*one.presumed, *other.presumed))

    def _difference(self, asked: Asked) -> Iterator[Made]:
        minus = self.table.reckon("minus")
        if minus is None:
            raise Unsayable
        for one, other in product(self._number(asked.phrases[0]), self._number(asked.phrases[1])):
            yield Made(_call(minus.name, [], one.text, other.text), (*one.presumed, *other.presumed))

    def _equal(self, asked: Asked) -> Iterator[Made]:
        one, other = asked.phrases
        equal = self.table.about(one.kind, asked.word, "equal")
        if equal is None or one.kind != other.kind:
            raise Unsayable
        for pair in product(*(self._query(Asked("query", (phrase,), asked.word)) for phrase in asked.phrases)):
            yield Made(_call(equal.name, [], *(made.text for made in pair)), (*pair[0].presumed, *pair[1].presumed))

    def _differ(self, asked: Asked) -> Iterator[Made]:
        """Whether those of the one that are like the other are fewer than the one."""
        one, other = asked.phrases
        less = self.table.compare("less")
        if less is None or one.kind != other.kind:
            raise Unsayable
        for made in self.sets(one):
            known = self._unique(made, one) if one.kind == "object" else self._shown(made, one)
            for alike in self._alike(one.kind, Alike(asked.word, other)):
                both = self._joined(one.kind, "intersect", made, alike)
                texts = (self.counted(one.kind, text) for text in (both.text, made.text))
                yield Made(_call(less.name, [], *texts), (*known.presumed, *alike.presumed))

    def _analogy(self, asked: Asked) -> Iterator[Made]:
        """What lies to the third as the second lies to the first."""
        analogy = self.table.named("query_object_analogy")
        noun, unique = self.table.query_of(self.noun), self.table.unique
        if analogy is None or noun is None or unique is None:
            raise Unsayable
        if any(phrase.kind != "object" for phrase in asked.phrases):
            raise Unsayable
        for trio in product(*(list(self.sets(phrase)) for phrase in asked.phrases)):
            ones = [self._unique(made, phrase) for made, phrase in zip(trio, asked.phrases, strict=True)]
            found = _call(analogy.name, [], *(one.text for one in ones))
            presumed = tuple(told for one in ones for told in one.presumed)
            yield Made(_call(noun.name, [], _call(unique.name, [], found)), presumed)

    def _identical(self, asked: Asked) -> Iterator[Made]:
        """Whether two phrases mean one thing."""
        equal = self.table.named("equal_object")
        if equal is None:
            raise Unsayable
        for pair in product(*(list(self.sets(phrase)) for phrase in asked.phrases)):
            ones = [self._unique(made, phrase) for made, phrase in zip(pair, asked.phrases, strict=True)]
            yield Made(_call(equal.name, [], *(one.text for one in ones)), (*ones[0].presumed, *ones[1].presumed))

    def _change(self, asked: Asked) -> Iterator[Made]:
        """Which way to move a thing, or whether one way would do."""
        phrase, values = asked.phrases[0], self.language.vocabulary.attributes[asked.word].values
        name = self.table.told(asked.word) if asked.mark else self.table.query_of(asked.word)
        if name is None or not values:
            raise Unsayable
        for made in self.sets(phrase):
            one = self._unique(made, phrase)
            said = [asked.mark.value] if isinstance(asked.mark, Is) else []
            yield Made(_call(name.name, said, one.text), one.presumed)

    def _refer(self, asked: Asked) -> Iterator[Made]:
        phrase = asked.phrases[0]
        if phrase.kind == "surface":
            raise Unsayable
        yield from self.sets(phrase)


_HEADS = {
    "count": Composer._count,
    "exist": Composer._exist,
    "verify": Composer._verify,
    "query": Composer._query,
    "compare": Composer._compare,
    "difference": Composer._difference,
    "equal": Composer._equal,
    "differ": Composer._differ,
    "exceed": Composer._exceed,
    "identical": Composer._identical,
    "analogy": Composer._analogy,
    "change": Composer._change,
    "refer": Composer._refer,
}


def _all_parts(phrase: Phrase) -> Phrase:
    """The parts of what a phrase speaks of."""
    return Phrase((Of(replace(phrase, definite=True)),), "part", definite=True, several=True)


def _few(made: Iterable[Made]) -> Iterator[Made]:
    """The first of many, leaving out those that cannot be said."""
    found, ways = 0, iter(made)
    while found < _MOST:
        try:
            yield next(ways)
        except StopIteration:
            return
        found += 1


def _loose(mark: Mark) -> bool:
    """Whether a mark says nothing: "one" where nothing was spoken of before."""
    return isinstance(mark, Is) and mark.attribute == "it"


def _implied(mark: Mark, phrase: Phrase) -> bool:
    """Whether a mark says only that a thing is not what it cannot be: a chair is no table."""
    denied = mark.mark if isinstance(mark, Not) else None
    if not isinstance(denied, Is):
        return False
    return any(isinstance(one, Is) and one.attribute == denied.attribute and one != denied for one in phrase.marks)


def _rank(mark: Mark) -> int:
    """Negated parts are counted among everything, so they come first; an order is of what is left, so it is last."""
    if isinstance(mark, Not) or (isinstance(mark, Has) and mark.count == 0):
        return 0
    ranks = mark.ways if isinstance(mark, Either) else (mark,)
    return 2 if isinstance(ranks[0], Ranked) else 1


def _quoted(value: str | int) -> str:
    """A literal as notation writes it."""
    text = format_step(Step("x", (), (value,)))
    return text[2:-1]


def _call(name: str, values: list[str] | list[int] | list[str | int] | None = None, *inputs: str) -> str:
    literals = f"[{', '.join(_quoted(value) for value in values)}]" if values else ""
    return f"{name}{literals}({', '.join(inputs)})"
