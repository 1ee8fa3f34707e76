"""What the rules of the grammar mean in a language: those that hang on what its nouns tell, and all others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

from mereo.questions.free.asking import BARE
from mereo.questions.free.comparing import bounded, difference_between
from mereo.questions.free.counting import count_both
from mereo.questions.free.lexicon import Attribute, Lexicon, Relation
from mereo.questions.free.marking import both_marks, opposite, whose
from mereo.questions.free.meaning import Alike, Asked, At, Both, Either, Is, Mark, Of, Phrase, Ranked
from mereo.questions.free.owning import Owning
from mereo.questions.free.phrasing import everything, whichever
from mereo.questions.free.posting import NOTHING, ONES, of_kind, ones, question_of, with_it, with_mark
from mereo.questions.free.rules import RULES
from mereo.questions.free.showing import RATHER, SHOWN, refer_such
from mereo.questions.free.telling import shown_turned

__all__ = ["actions"]

_READ = (
    *("asking", "comparing", "counting", "having", "marking", "measuring", "ordering", "pairs", "partwise", "phrasing"),
    *("posting", "querying", "repairing", "showing", "sides", "sorting", "stories", "telling"),
)
"""Where the functions stand that hang on no lexicon: to load them is to know them."""
_ALIASES = {
    "looked": "what_where",
    "what_it": "which_at_all",
    "what_side": "what_where",
    "which_it": "which",
}
"""Rules that mean what others mean."""


def actions(lexicon: Lexicon) -> dict[str, Callable[..., Any]]:
    """The functions by the names of the grammar."""
    for room in _READ:
        import_module(f"mereo.questions.free.{room}")
    own = _Own(lexicon)
    named = {name: getattr(own, name) for name in dir(own) if not name.startswith("_")}
    mine = {name: action for name, action in named.items() if callable(action)}
    return {**RULES, **mine, **{name: mine[other] for name, other in _ALIASES.items()}}


class _Own(Owning):
    """Meanings of rules by their names, of what is named and shown."""

    def _named(self, phrase: Phrase | None) -> Asked | None:
        """What something is."""
        if phrase is None:
            return None
        word = self.part if phrase.kind == "part" else self.noun
        return question_of("query", replace(phrase, definite=True), word=word or "")

    def what_inverse(self, *said: Any) -> Any:
        return self.what_where(self.at_inverse(*said))

    def which_inverse(self, phrase: Phrase, *said: Any) -> Any:
        return self.which(phrase, self.at_inverse(*said))

    def whatever_inverse(self, *said: Any) -> Any:
        """ "whatever the cube is in front of"."""
        mark = self.at_inverse(*said)
        return None if mark is None else everything(mark)

    def at_what(self, relation: Relation, *phrases: Phrase) -> Any:
        """ "Behind what is the chair?", "On which piece of furniture does it stand?"."""
        *kind, other = phrases
        return self.which_inverse(kind[0], relation, other) if kind else self.what_inverse(relation, other)

    def at_what_sort(self, relation: Relation, name: Attribute, other: Phrase) -> Any:
        """ "On what kind of furniture is the chair?"."""
        return self.what_inverse(relation, other) if name.name == self.noun else None

    def which_borne(self, kind: Phrase, other: Phrase, relation: Relation) -> Any:
        """ "Which object does the chair stand on?": never what the chair has."""
        made = self.which_inverse(kind, relation, other)
        ways = made if isinstance(made, list) else [(made, 0.0)]
        return [(asked, cost - 1.0 - RATHER) for asked, cost in ways if asked is not None]

    def sort_borne(self, name: Attribute, other: Phrase, relation: Relation) -> Any:
        """ "Which kind of furniture does the chair stand on?"."""
        return self.which_borne(Phrase(), other, relation) if name.name == self.noun else None

    def what_made(self, phrase: Phrase) -> Asked | None:
        return question_of("query", phrase, word=self.material) if self.material else None

    def what_made_such(self, phrase: Phrase, mark: Any) -> Any:
        """ "Of what is the cube made that is behind the ball?"."""
        such = with_mark(phrase, mark) if phrase.definite else None
        return None if such is None else self.what_made(such)

    def which_noun(self, one: Phrase, other: Phrase, mark: Any) -> Any:
        """ "Is it a cube or a ball that is behind the cylinder?"."""
        heads = [phrase.head for phrase in (one, other) if phrase.marks == (phrase.head,) and not phrase.definite]
        named = [head for head in heads if isinstance(head, Is) and head.attribute == self.noun]
        return self._named(with_mark(Phrase(), mark)) if len(named) == len((one, other)) else None

    def said_turned(self, given: Phrase, where: Any, phrase: Phrase) -> Any:
        """ "There is a red ball, and behind it there is a cube": that is the one, or it is asked whether it is so."""
        made = shown_turned(given, where, phrase)
        return None if made is None else self._said(made[0].phrases[0])

    def shown_such(self, given: Phrase, mark: Any) -> Any:
        """ "I lost something, and it was red"."""
        such = with_mark(given, mark)
        return None if such is None or given.definite else self._said(such)

    def given_alone(self, phrase: Phrase) -> Any:
        """ "I spy something green"; "I see exactly two cubes" is asked whether it is so."""
        if phrase.counted and not phrase.definite and not self.finds:
            return bounded(phrase.counted, replace(phrase, counted=None))
        if phrase.definite:
            return (question_of("refer", phrase), 1.0) if self.finds else None
        return self._said(phrase)

    def it_so(self, one: Any, other: Any) -> Any:
        """ "It is a ball, and it is as big as the cube": that is to be found."""
        made = refer_such(both_marks(one, other)) if self.finds else None
        return None if made is None else (made, 0.5)

    def count_plus(self, one: Phrase, other: Phrase) -> Any:
        """ "cubes plus balls": a number, unless things are to be found."""
        made = count_both(one, other)
        return None if made is None else (made, SHOWN + 1.0 if self.finds else 0.0)

    def count_minus(self, one: Phrase, other: Phrase) -> Any:
        """ "chairs minus tables": a number, unless things are to be found."""
        return None if self.finds else (difference_between(one, other), BARE)

    def _said(self, phrase: Phrase) -> Any:
        return [(question_of("refer", phrase), 1.0), (question_of("exist", phrase), 1.25 if self.finds else 0.5)]

    def what_is(self, phrase: Phrase) -> Any:
        """What it is, or which it is where that is said already."""
        return self._named_or_shown(phrase)

    def _named_or_shown(self, phrase: Phrase | None) -> Any:
        """One thing is named; several are shown, and what has a name already is."""
        if phrase is None:
            return None
        word = self.part if phrase.kind == "part" else self.noun
        named = self.finds or any(isinstance(mark, Is | Alike) and mark.attribute == word for mark in phrase.marks)
        return [(self._named(phrase), 1.0 if named else 0.0), (question_of("refer", phrase), 0.0 if named else 1.0)]

    def what_where(self, mark: Any) -> Any:
        return self._named_or_shown(with_mark(Phrase(), mark))

    def looked_from(self, given: Phrase, where: Any) -> Any:
        """ "Take the red ball. Look behind it: what is there?"."""
        return self.what_where(with_it(where, replace(given, definite=True)))

    def found(self, phrase: Phrase) -> Any:
        """ "There is a red ball; can you see it?"."""
        return question_of("refer" if self.finds else "exist", phrase)

    def named_if_any(self, phrase: Phrase, *said: Any) -> Any:
        """ "Is there something behind the ball, and if so, what?"."""
        mark = next((one for one in said if not isinstance(one, Phrase)), None)
        return self._named_or_shown(phrase if mark is None else with_mark(phrase, mark))

    def which(self, phrase: Phrase, mark: Any) -> Any:
        """Which chair has wheels: that one is to be found. Which thing is left of it: what is it?"""
        if phrase.either and phrase.definite:
            return self.which_of(mark, phrase)
        if isinstance(mark, Ranked) and not phrase.others:  # "which of the cubes is the leftmost": one of them
            phrase = replace(phrase, several=None)
        such = with_mark(phrase, mark)
        if such is None:
            return None
        sort = isinstance(phrase.head, Is) and phrase.kind == "object" and phrase.head.attribute != self.noun
        told = any(isinstance(one, Is) and one.attribute == self.part for one in phrase.marks)
        named = sort or (phrase.kind == "part" and not told)
        placed = phrase.head is None and all(isinstance(one, At) for one in phrase.marks)
        unnamed = phrase.head is None and ONES not in phrase.marks and not phrase.several and not self.finds
        if ((phrase.marks and not placed) or phrase.several) and not (named or unnamed):
            return question_of("refer", such)
        return self._named_or_shown(such)

    def which_most(self, phrase: Phrase, mark: Is) -> Any:
        """ "Which ball is the biggest?": where things are either big or small."""
        return self.which(phrase, mark) if mark.attribute in self.opposed else None

    def whichever_most(self, phrase: Phrase, mark: Is) -> Any:
        """ "whichever ball is biggest"."""
        return whichever(phrase, mark) if mark.attribute in self.opposed else None

    def which_not(self, phrase: Phrase, mark: Any) -> Any:
        return self.which(phrase, opposite(mark))

    def which_of(self, *said: Any) -> Any:
        """ "Which is bigger, the cube or the ball?": told by what they differ in."""
        *_, either = (Phrase(), *(one for one in said if isinstance(one, Phrase) and one.marks != (ONES,)))
        mark = next((one for one in said if isinstance(one, Mark)), None)
        if mark is None or not either.either or len(either.others) != 1 or not either.definite:
            return None
        two = replace(either, others=(), either=False), of_kind(either.others[0], either)
        ways = tuple(one.marks[0] if len(one.marks) == 1 else Both(one.marks) for one in two)
        one = Phrase((Either(ways), mark), definite=True)
        values = [{m.attribute: m.value for m in each.marks if isinstance(m, Is)} for each in two]
        told = [name for name in (self.noun, *values[0]) if values[0].get(name, "") != values[1].get(name, "")]
        if self.finds or not told:
            return question_of("refer", one)
        return question_of("query", one, word=told[0])

    def what_called(self, phrase: Phrase, mark: Any) -> Any:
        """ "What is the thing called that has wheels?"."""
        return self._named_or_shown(with_mark(phrase, mark))

    def what_beside(self, phrase: Phrase, relation: Relation) -> Any:
        """ "What does the table have on its left?"."""
        return self.what_where(At(relation.name, phrase)) if not phrase.others else None

    def which_whose(self, parts: Phrase, mark: Any) -> Any:
        """ "Whose legs are red?"."""
        owned = whose(parts, mark)
        return None if owned is None else self.which_at_all(owned)

    def which_owner(self, kind: Phrase, parts: Phrase, mark: Any) -> Any:
        """ "Which chair's legs are red?"."""
        owned = whose(parts, mark)
        return None if owned is None or kind.kind != "object" else self.which(kind, owned)

    def bounded_bare(self, count: int, phrase: Phrase) -> Any:
        """ "Two red cubes?"; they are rather shown where things are to be found."""
        made = None if self.finds else bounded(count, phrase)
        return None if made is None else [(asked, BARE) for asked, _ in made]

    def all_so(self, mark: Any) -> Any:
        """ "Everything stable?"; all that is so is rather shown where things are to be found."""
        return None if self.finds else (question_of("verify", everything(), mark=mark), BARE)

    def each_so(self, phrase: Phrase, mark: Any) -> Any:
        """ "All cubes big?", "second cube from the left: big?", "the green block, metal or not"."""
        ordered = any(isinstance(one, Ranked) and one.side for one in phrase.marks)
        if self.finds or not (phrase.definite or ordered) or phrase.head is None or phrase.others:
            return None
        return question_of("verify", replace(phrase, definite=True), mark=mark), BARE

    def which_at_all(self, *said: Any) -> Any:
        mark = next((one for one in said if one != NOTHING), None)
        found = []
        for phrase, more in ((Phrase(), 0.0), (ones(), 0.5)):  # whatever there is, or of the kind that was spoken of
            such = with_mark(phrase, mark)
            found += [] if such is None else [(asked, cost + more) for asked, cost in self._named_or_shown(such)]
        return found

    def query_any(self, name: Attribute, mark: Any) -> Any:
        """What color is left of it: of what is there."""
        phrase = Phrase(kind="part") if name.name == self.part else Phrase()
        such = with_mark(phrase, mark)
        return None if such is None else question_of("query", replace(such, definite=True), word=name.name)

    def query_any_left(self, name: Attribute, mark: Any) -> Any:
        """ "color behind the cube": asked for, unless things are to be found."""
        made = None if self.finds else self.query_any(name, mark)
        return None if made is None else (made, BARE)

    def query_part(self, *said: Any) -> Any:
        """Which part of the chair is yellow, what is yellow on the chair."""
        mark, whole = (
            next((m for m in said if isinstance(m, Mark)), None),
            next(p for p in said if isinstance(p, Phrase)),
        )
        name = next((one.name for one in said if isinstance(one, Attribute)), self.part)
        if self.part is None or mark is None or name != self.part or whole.kind != "object":
            return None
        parts = with_mark(Phrase((Of(whole),), kind="part"), mark)
        return None if parts is None else question_of("query", replace(parts, definite=True), word=self.part)

    def which_alike(self, *said: Any) -> Any:
        """ "What else is the color of the big cube?"."""
        mark = self.alike(*said)
        return None if mark is None else self.which_at_all(mark)
