"""What the rules of the grammar mean in a language: those that hang on what its nouns tell, and all others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

from mereo.questions.free.asking import BARE, existing
from mereo.questions.free.comparing import bounded
from mereo.questions.free.counting import count_both
from mereo.questions.free.lexicon import Lexicon
from mereo.questions.free.marking import both_marks
from mereo.questions.free.meaning import Asked, At, Is, Of, Phrase, Ranked
from mereo.questions.free.naming import Naming
from mereo.questions.free.phrasing import everything, whichever
from mereo.questions.free.posting import of_one_whole, question_of, with_mark
from mereo.questions.free.rules import RULES
from mereo.questions.free.showing import RATHER, SHOWN, refer_such
from mereo.questions.free.subtracting import difference_between
from mereo.questions.free.telling import shown_turned, told_of, told_turned

__all__ = ["actions"]

_READ = (
    *("asking", "comparing", "counting", "having", "joining", "marking", "measuring", "ordering", "pairs", "partwise"),
    *("noting", "phrasing", "posting", "querying", "repairing", "showing", "sides", "sorting", "stories"),
    *("subtracting", "telling"),
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


class _Own(Naming):
    """Meanings of rules by their names, of what is named and shown."""

    def whatever_inverse(self, *said: Any) -> Any:
        """ "whatever the cube is in front of"."""
        mark = self.at_inverse(*said)
        return None if mark is None else everything(mark)

    def count_inverse(self, phrase: Phrase, *said: Any) -> Any:
        """ "How many chairs is the table in front of?"."""
        mark = self.at_inverse(*said)
        return None if mark is None else question_of("count", with_mark(phrase, mark))

    def exist(self, phrase: Phrase) -> Any:
        """ "Is there anything red on the chair?": a part of it, rather than something that lies there.

        "A red thing" on it may as well be either.
        """
        made, part = existing(phrase), self._attached(phrase)
        rather = RATHER if phrase.several is None else 0.0
        return made if made is None or part is None else [(question_of("exist", part), made[1] - rather), made]

    def _attached(self, phrase: Phrase) -> Phrase | None:
        """The part of something that "anything red on it" may be, where nothing is said of it but how it looks."""
        on = next((mark for mark in phrase.marks if isinstance(mark, At) and mark.relation == self.attached), None)
        looks = tuple(mark for mark in phrase.marks if mark != on)
        bare = phrase.head is None and phrase.kind == "object" and not phrase.others and phrase.counted is None
        if on is None or not bare or on.other.kind != "object" or not on.other.one_known:
            return None
        told = looks and all(isinstance(mark, Is) and mark.attribute != self.noun for mark in looks)
        return replace(phrase, kind="part", marks=(*looks, Of(on.other))) if told else None

    def told_turned(self, where: Any, given: Phrase, question: Asked) -> Any:
        """ "On the cart there is something brown. What part is it?"."""
        part = self._part_asked_for(None if isinstance(where, str) else with_mark(given, where), question)
        return told_turned(where, given, question) if part is None else told_of(part, question)

    def told_such(self, given: Phrase, mark: Any, question: Asked) -> Any:
        """ "Something on the cart is brown. What part is it?"."""
        part = self._part_asked_for(with_mark(given, mark), question)
        return super().told_such(given, mark, question) if part is None else told_of(part, question)

    def told(self, given: Phrase, question: Asked) -> Any:
        """ "There is something brown on the cart. What part is it?"."""
        part = self._part_asked_for(given, question)
        return super().told(given, question) if part is None else told_of(part, question)

    def _part_asked_for(self, given: Phrase | None, question: Asked) -> Phrase | None:
        """The part that something "on the cart" is, of which it is asked which part it is."""
        asks = question.head == "query" and question.word == self.part
        return self._attached(given) if asks and given is not None else None

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
        made = count_both(*of_one_whole(one, other, sure=True))
        return None if made is None else (made, SHOWN + 1.0 if self.finds else 0.0)

    def count_minus(self, one: Phrase, other: Phrase) -> Any:
        """ "chairs minus tables": a number, unless things are to be found."""
        return None if self.finds else (difference_between(one, other), BARE)

    def _said(self, phrase: Phrase) -> Any:
        return [(question_of("refer", phrase), 1.0), (question_of("exist", phrase), 1.25 if self.finds else 0.5)]

    def found(self, phrase: Phrase) -> Any:
        """ "There is a red ball; can you see it?"."""
        return question_of("refer" if self.finds else "exist", phrase)

    def whichever_most(self, phrase: Phrase, mark: Is | Ranked) -> Any:
        """ "whichever ball is biggest", "whichever is further left"."""
        return whichever(phrase, mark) if isinstance(mark, Ranked) or mark.attribute in self.opposed else None

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
