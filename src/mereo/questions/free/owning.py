"""What marks and comparisons mean in a language: what hangs on its nouns, its parts and what things are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from mereo.questions.free.asking import ANYTHING, BARE, is_any, like_it
from mereo.questions.free.comparing import Names, Valued, of_another
from mereo.questions.free.english import ENGLISH
from mereo.questions.free.lexicon import Attribute, Lexicon, Relation
from mereo.questions.free.marking import both_marks, but_not, either_mark, having, neither
from mereo.questions.free.meaning import Alike, Asked, At, Both, Either, Has, Is, Not, Of, Phrase
from mereo.questions.free.phrasing import all_parts, possessed
from mereo.questions.free.posting import (
    FARTHER,
    ONES,
    counted_alike,
    of_kind,
    of_one_whole,
    pronoun,
    question_of,
    with_it,
)
from mereo.questions.free.sorting import adjectives
from mereo.questions.free.table import Table

__all__ = ["Owning"]

_RATHER_NOT = 0.25
"""What it costs to take what something is not for said of what it is like, and not of itself."""
_TWO = 2
"""Of so many values one is more than the other."""


class Owning:
    """Meanings of rules by their names, of marks and comparisons."""

    def __init__(self, lexicon: Lexicon):
        self.noun, self.material = lexicon.noun, lexicon.made
        self.part = lexicon.own.get("part")
        self.belongs = lexicon.own.get("belongs")
        self.turns = "inverse" in lexicon.own.get("functions", {})
        told = lexicon.language.vocabulary.attributes.values()
        self.opposed = frozenset(attribute.name for attribute in told if len(attribute.values or ()) == _TWO)
        table = Table(lexicon.language, lexicon.own.get("functions", {}))
        self.many = frozenset(attribute.name for attribute in told if attribute.multiple)
        self.of_parts = frozenset(
            attribute.name
            for attribute in told
            if table.filter("part", attribute.name) and not table.filter("object", attribute.name)
        )
        """What only parts are asked for, and whole things are not."""
        self.attached = lexicon.own.get("attached")
        self.finds = lexicon.finds

    def at_inverse(self, *said: Any) -> Any:
        """ "the thing that the cube is in front of" is behind the cube."""
        relation = next(one for one in said if isinstance(one, Relation))
        other = next(one for one in said if isinstance(one, Phrase))
        if other.others or other.counted is not None:
            return None
        if relation.name == self.attached and other.head is None and other.marks and not other.definite:
            return having(replace(other, kind="part"))  # "has something red on it"
        if self.turns:
            return At(relation.name, replace(other, definite=True), turned=True)
        opposite = ENGLISH["opposites"].get(relation.name)
        return None if opposite is None else At(opposite, replace(other, definite=True))

    def at_inverses(self, one: Phrase, side: Relation, other: Phrase, another: Relation) -> Any:
        """ "things that have the cube behind them and the ball on their right"."""
        return both_marks(self.at_inverse(one, side), self.at_inverse(other, another))

    def has(self, parts: Phrase) -> Any:
        """Parts that are things themselves stand in a relation to what they belong to."""
        if self.belongs is None:
            return having(parts)
        if parts.others or parts.counted is not None or not parts.marks:
            return None
        return At(self.belongs, replace(parts, definite=True), turned=True)

    def has_also(self, parts: Phrase, mark: Any) -> Any:
        """ "two arms and more than two legs"."""
        both = self.has(parts), mark
        return None if None in both else both_marks(*both)

    def has_instead(self, one: Phrase, other: Phrase) -> Any:
        """ "wheels instead of legs"."""
        return but_not(self.has(one), self.has(other))

    def has_neither(self, one: Phrase, other: Phrase) -> Any:
        return neither(self.has(one), self.has(other))

    def possessed(self, whole: Phrase, phrase: Phrase) -> Any:
        if self.belongs is None:
            return possessed(whole, phrase)
        return replace(phrase, definite=True).with_marks(At(self.belongs, whole))

    def all_parts(self, whole: Phrase) -> Any:
        """ "everything that belongs to the chair"; "whichever of the cubes is red" speaks of no parts."""
        return None if self.part is None else all_parts(whole)

    def any_possessed(self, whole: Phrase, phrase: Phrase) -> Any:
        """ "one of the chair's legs"."""
        made = self.possessed(whole, phrase)
        return None if made is None else replace(made, definite=False)

    def none_possessed(self, whole: Phrase, phrase: Phrase) -> Any:
        """ "none of the chair's legs"."""
        made = self.possessed(whole, phrase)
        return None if made is None else replace(made, definite=False, counted=0)

    def possessed_both(self, whole: Phrase, one: Phrase, other: Phrase) -> Any:
        """ "the chair's seat and back"."""
        both = [self.possessed(whole, part) for part in (one, other)]
        return None if None in both else replace(both[0], others=(both[1],))

    def of_made(self, mark: Any) -> Any:
        """ "of metal": what things are made of is said so; of other values it is rather said of what is nearest."""
        if not isinstance(mark, Is):
            return None
        return mark, 0.0 if mark.attribute == self.material else 0.5

    def of_made_far(self, mark: Any) -> Any:
        made = self.of_made(mark)
        return None if made is None else (made[0], 2 * made[1])

    def alike(self, *said: Any) -> Any:
        """ "the same size as the cube, not red": rather of what is not red than of a cube that is not."""
        mark = self._alike(*said)
        other = next(one for one in said if isinstance(one, Phrase))
        return (mark, _RATHER_NOT) if mark and any(isinstance(one, Not) for one in other.marks) else mark

    def _alike(self, *said: Any) -> Any:
        said = tuple(one for each in said for one in (each.names if isinstance(each, Names) else (each,)))
        names = [one.name for one in said if isinstance(one, Attribute)] or [self.material or ""]
        other = next(one for one in said if isinstance(one, Phrase))
        marks = tuple(Alike(name, other) for name in names if name)
        if not marks or other.others:
            return None
        if isinstance(other.head, Is) and other.marks == (other.head,) and not other.definite:
            return other.head if [other.head.attribute] == names else None  # "in the shape of a cube"
        return marks[0] if len(marks) == 1 else Both(marks)

    def alike_either(self, *said: Any) -> Any:
        """ "of the same shape or color as the cube"."""
        made = self._alike(*said)
        return Either(made.marks) if isinstance(made, Both) else None

    def both_after(self, one: Is, other: Is) -> Any:
        """ "a cube, large and red", "cubes, large and small"; what may have two values of a kind has both or either."""
        unsure = one.attribute == other.attribute and one.attribute in self.many
        return None if unsure else (adjectives(one, other), FARTHER)

    def either_so(self, *marks: Any) -> Any:
        """ "Is it either red or blue?": yes or no, where it may be something else."""
        made = either_mark(*marks)
        ways = made.ways if isinstance(made, Either) else ()
        told = {way.attribute if isinstance(way, Is) else "" for way in ways}
        return Both((made,)) if len(told) == 1 and not told <= {"", *self.opposed} else made

    def alike_two(self, *said: Any) -> Any:
        """ "match the ball in color and the cube in size", "share their color with the ball and their size with …"."""
        names = [one for one in said if isinstance(one, Attribute)]
        one, other = (phrase for phrase in said if isinstance(phrase, Phrase))
        return both_marks(self._alike(names[0], one), self._alike(names[1], other)) if len(set(names)) > 1 else None

    def alike_but(self, mark: Any, name: Attribute) -> Any:
        """ "the same size as the ball, but another shape": one that the ball has not."""
        other = mark.other if isinstance(mark, Alike) else None
        told = () if other is None else other.marks
        known = next((one for one in told if isinstance(one, Is) and one.attribute == name.name), None)
        return None if known is None else both_marks(mark, Not(known))

    def alike_own(self, *said: Any) -> Any:
        """ "the same color as the chair's": as what it has of what is spoken of; where nothing has parts, as itself."""
        mark = self._alike(*said)
        if self.part is None or not isinstance(mark, Alike) or mark.other.kind != "object":
            return mark
        return Alike(mark.attribute, Phrase((ONES, Of(mark.other)), "part", definite=True))

    def alike_part(self, *said: Any) -> Any:
        """ "that has the leg color of the table"."""
        name = next(one for one in said if isinstance(one, Attribute))
        phrases = [one for one in said if isinstance(one, Phrase)]
        parts = next((one for one in phrases if one.kind == "part"), None)
        other = next((one for one in phrases if one.kind == "object"), None)
        if parts is None or other is None or parts.others or other.others or parts.definite:
            return None
        own = replace(parts, definite=True).with_marks(Of(other))
        return Has(parts.with_marks(Alike(name.name, own)))

    def alike_said(self, *said: Any) -> Any:
        """ "Is the cube the ball's color?"; "what is the ball's color?" rather asks for it."""
        mark = self._alike(*said)
        return None if mark is None else (mark, 0.5)

    def alike_it(self, name: Attribute) -> Any:
        return Alike(name.name, pronoun()), 0.5

    def equal(self, *said: Any) -> Any:
        return self._both("equal", *said)

    def equal_stated(self, *said: Any) -> Any:
        """ "The cube shares its color with the ball"; where things are to be found it may be short for one of them."""
        made = self.equal(*said)
        return None if made is None else (made, BARE * 2 if self.finds else ANYTHING)

    def equal_those(self, *said: Any) -> Any:
        """ "Are the legs of the chair the same color as those of the table?"."""
        said = tuple(_flat(said))
        name = next(one for one in said if isinstance(one, Attribute))
        one, other = (phrase for phrase in said if isinstance(phrase, Phrase))
        return self._both("equal", name, one, of_another(one, other))

    def differ_those(self, *said: Any) -> Any:
        """ "Do the legs of the chair differ in color from those of the table?"."""
        said = tuple(_flat(said))
        name = next(one for one in said if isinstance(one, Attribute))
        one, other = (phrase for phrase in said if isinstance(phrase, Phrase))
        return self._both("differ", name, one, of_another(one, other))

    def differ(self, *said: Any) -> Any:
        return self._both("differ", *said)

    def _both(self, head: str, *said: Any) -> Asked | None:
        said = tuple(_flat(said))
        names = {one.name for one in said if isinstance(one, Attribute)} or {self.material or ""}
        phrases = [one for one in said if isinstance(one, Phrase)]
        if len(phrases) == 1:
            phrases = [replace(phrases[0], others=()), *phrases[0].others]
        name = names.pop()
        if names or not name or len(phrases) > 2:
            return None
        if len(phrases) == 1:
            both = phrases[0].definite and phrases[0].several and phrases[0].counted in (None, 2)
            return question_of("alike", phrases[0], word=name) if both and head == "equal" else None
        one, other = phrases
        if is_any(one) and not one.marks and not one.others:
            return None  # "is anything the same color as the cube": whether there is such a thing
        beside = next((mark.other for mark in one.marks if isinstance(mark, At) and mark.other.definite), None)
        if beside is not None:  # "left of the cube … right of it"
            other = replace(other, marks=tuple(with_it(m, beside) if isinstance(m, At) else m for m in other.marks))
        other = counted_alike(other, one)
        if head == "equal" and one.kind == "object" and one.one_known and is_any(other) and not other.several:
            return like_it(one, [Alike(name, other)])
        made = question_of(head, *of_one_whole(one, of_kind(other, one)), word=name)
        return made if one.definite or one.kind != "object" or not self.finds else None


def _flat(said: Iterable[Any]) -> Iterator[Any]:
    """What is said, the attribute and the thing of "the color of the cube" one by one."""
    for one in said:
        yield from one if isinstance(one, Valued) else (one,)
