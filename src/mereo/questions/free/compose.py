"""From a meaning to programs, by the function table: whatever the table cannot say is no program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from mereo.programs import Language
from mereo.questions.free.lexicon import Lexicon
from mereo.questions.free.meaning import (
    Alike,
    Asked,
    Is,
    Of,
    Phrase,
    Ranked,
)
from mereo.questions.free.notation import Made, Presumed, Unsayable, call, few
from mereo.questions.free.table import Table
from mereo.questions.free.verifying import Verifying

__all__ = ["Composer"]

_FIGURES = {
    "exactly": ("equal", 0),
    "least": ("greater", -1),
    "most": ("less", 1),
    "more": ("greater", 0),
    "fewer": ("less", 0),
}
"""How bounds are compared, and what is added to the number before."""
_TWO = 2
"""Of so many values one is more than the other."""


@dataclass(frozen=True, eq=False)
class Composer(Verifying):
    """Says meanings in a language."""

    @staticmethod
    def of(language: Language, lexicon: Lexicon) -> Composer:
        """For a language that a lexicon is read in."""
        own, noun = lexicon.own, lexicon.noun
        table = Table(language, own.get("functions", {}))
        single, apart = frozenset(own.get("single", ())), bool(own.get("apart"))
        return Composer(language, table, noun, own.get("part"), apart, own.get("asked_as", {}), single)

    @cached_property
    def _around(self) -> Composer | None:
        """Who says the same in a roundabout way; nobody where things have no parts to tell what is left by."""
        around = not self.roundabout and self.table.named("filter_part_count") is not None
        return replace(self, roundabout=True) if around else None

    def programs(self, asked: Asked) -> list[Made]:
        """Every program that says what is asked; none where the language cannot say it."""
        try:
            return list(dict.fromkeys(few(_HEADS[asked.head](self, asked))))
        except Unsayable:
            return self._around.programs(asked) if self._around else []

    def meant(self, phrase: Phrase) -> list[Made]:
        """Every set that a phrase may mean; none where the language cannot say it."""
        try:
            return list(few(self.sets(phrase)))
        except Unsayable:
            return self._around.meant(phrase) if self._around else []

    def _count(self, asked: Asked) -> Iterator[Made]:
        phrase = asked.phrases[0]
        yield from self._numbers(phrase) if phrase.of_each else self._number(phrase)

    def _exist(self, asked: Asked) -> Iterator[Made]:
        phrase = _rather_parts(asked.phrases[0])
        if phrase.kind == "surface":
            raise Unsayable
        if phrase.counted == 0 and (phrase.either or not phrase.others):
            yield from self._none(replace(phrase, counted=None))
            return
        if phrase.counted is not None:
            raise Unsayable
        phrase = self.spread(phrase)
        if phrase.kind == "part" and phrase.others and self.roundabout:
            yield from self._any_of_them(phrase)
            return
        if phrase.others and not phrase.either:
            yield from self._each_there(phrase)
            return
        try:
            found = list(few(self.sets(phrase)))
        except Unsayable:
            yield from self._any_of_them(phrase) if phrase.others else self._any_not(phrase)
            return
        for made in found:
            yield Made(call(self.table.exist(phrase.kind).name, [], made.text), made.presumed)

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
                    call(self.table.count("object")[0].name, [], self._valued("object", made, asked.mark).text)
                )
            yield Made(call(greater.name, [], *texts), tuple(presumed))

    def _query(self, asked: Asked) -> Iterator[Made]:
        phrase = asked.phrases[0]
        spread = self.spread(phrase)
        if not phrase.others and spread.others:
            for sort in (replace(spread, others=()), *spread.others):
                yield from self._query(replace(asked, phrases=(sort,)))
            return
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
            yield Made(call(compares.name, [], one.text, other.text), (*one.presumed, *other.presumed))

    def _figure(self, asked: Asked) -> Iterator[Made]:
        """Whether there are so many; as many and more are more than one less."""
        verb, more = _FIGURES[asked.word]
        compares, phrase = self.table.compare(verb), asked.phrases[0]
        if compares is None or phrase.counted is None:
            raise Unsayable
        figure = self._said_number(phrase.counted + more)
        for made in self._number(replace(phrase, counted=None)):
            yield Made(call(compares.name, [], made.text, figure), made.presumed)

    def _difference(self, asked: Asked) -> Iterator[Made]:
        minus = self.table.reckon("minus")
        if minus is None:
            raise Unsayable
        for one, other in product(self._number(asked.phrases[0]), self._number(asked.phrases[1])):
            yield Made(call(minus.name, [], one.text, other.text), (*one.presumed, *other.presumed))

    def _equal(self, asked: Asked) -> Iterator[Made]:
        one, other = asked.phrases
        equal = self.table.about(one.kind, asked.word, "equal")
        if equal is None or one.kind != other.kind:
            raise Unsayable
        for pair in product(*(self._query(Asked("query", (phrase,), asked.word)) for phrase in asked.phrases)):
            yield Made(call(equal.name, [], *(made.text for made in pair)), (*pair[0].presumed, *pair[1].presumed))

    def _alike_two(self, asked: Asked) -> Iterator[Made]:
        """Whether both of two have the same value: the first from a side, and the other."""
        phrase = asked.phrases[0]
        if any(isinstance(mark, Ranked) for mark in phrase.marks):
            raise Unsayable
        (first, second, *_), (side, *_) = self._places()
        whole = replace(phrase, counted=_TWO, definite=False, several=None, every=False)
        one, other = (
            replace(whole, counted=None, definite=True).with_marks(Ranked(place, side)) for place in (first, second)
        )
        for both in self._figure(Asked("figure", (whole,), "exactly")):
            told = Presumed(phrase, both.text, one=True)
            for made in self._equal(Asked("equal", (one, other), asked.word)):
                yield Made(made.text, (told, *made.presumed))

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
                yield Made(call(less.name, [], *texts), (*known.presumed, *alike.presumed))

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
            found = call(analogy.name, [], *(one.text for one in ones))
            presumed = tuple(told for one in ones for told in one.presumed)
            yield Made(call(noun.name, [], call(unique.name, [], found)), presumed)

    def _identical(self, asked: Asked) -> Iterator[Made]:
        """Whether two phrases mean one thing."""
        equal = self.table.named("equal_object")
        if equal is None:
            raise Unsayable
        for pair in product(*(list(self.sets(phrase)) for phrase in asked.phrases)):
            ones = [self._unique(made, phrase) for made, phrase in zip(pair, asked.phrases, strict=True)]
            yield Made(call(equal.name, [], *(one.text for one in ones)), (*ones[0].presumed, *ones[1].presumed))

    def _change(self, asked: Asked) -> Iterator[Made]:
        """Which way to move a thing, or whether one way would do."""
        phrase, values = asked.phrases[0], self.language.vocabulary.attributes[asked.word].values
        name = self.table.told(asked.word) if asked.mark else self.table.query_of(asked.word)
        if name is None or not values:
            raise Unsayable
        for made in self.sets(phrase):
            one = self._unique(made, phrase)
            said = [asked.mark.value] if isinstance(asked.mark, Is) else []
            yield Made(call(name.name, said, one.text), one.presumed)

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
    "figure": Composer._figure,
    "difference": Composer._difference,
    "equal": Composer._equal,
    "alike": Composer._alike_two,
    "differ": Composer._differ,
    "exceed": Composer._exceed,
    "identical": Composer._identical,
    "analogy": Composer._analogy,
    "change": Composer._change,
    "refer": Composer._refer,
}


def _rather_parts(phrase: Phrase) -> Phrase:
    """ "anything else of the seat's color": parts, since whole things have none."""
    alike = [mark for mark in phrase.marks if isinstance(mark, Alike) and mark.attribute != "count"]
    parts = bool(alike) and all(mark.other.kind == "part" for mark in alike) and len(alike) == len(phrase.marks)
    return replace(phrase, kind="part") if parts and not phrase.others else phrase


def _all_parts(phrase: Phrase) -> Phrase:
    """The parts of what a phrase speaks of."""
    return Phrase((Of(replace(phrase, definite=True)),), "part", definite=True, several=True)
