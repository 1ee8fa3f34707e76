"""Questions after a statement, and whom "it" means in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mereo.questions.free.joining import joint
from mereo.questions.free.lexicon import From, Relation
from mereo.questions.free.meaning import Asked, At, Both, Either, Of, Phrase, Ranked, contradictory, exchanged
from mereo.questions.free.posting import (
    IT,
    ONES,
    any_of,
    counted_from,
    marks_of,
    priced,
    pronoun,
    question_of,
    with_it,
    with_mark,
)
from mereo.questions.free.resolving import besides_it, speaks_of_it, speaks_of_them
from mereo.questions.free.rules import rule

_FRONTED = {"count": 1, "exist": 1, "refer": 1, "query": 1, "verify": 1, "compare": 2}
"""What may be asked after the place where it is asked about, each of so many things."""
BESIDE_IT = 0.25
"""How much rather "that thing" is what was named last than what it stands to."""
AT_IT = 2.0
"""What it costs to take "in front of … the ball" for "in front of it, the ball"."""


@rule("exist_among")
def exist_among(given: Phrase, phrase: Phrase) -> Any:
    """ "Of the cubes, is there a red one?"."""
    made = among(given, phrase) if ONES in phrase.marks or given.head is None else None
    if made is None or contradictory(made[0].phrases[0].marks):
        return None
    return question_of("exist", replace(made[0].phrases[0], definite=False))


@rule("asked_so")
def asked_so(question: Asked, *_: Any) -> Asked:
    """ "Are they of the same color, or do they differ?": the rest says nothing more."""
    return question


@rule("refer_both")
def refer_both(one: Phrase, other: Phrase) -> Asked | None:
    """ "Point at the cube and at the ball"."""
    return question_of("refer", joint(one, other)) if not one.others else None


@rule("both_most")
def both_most(one: Ranked, other: Ranked, phrase: Phrase) -> Phrase:
    """ "the leftmost and rightmost cubes"."""
    first, last = (replace(phrase, definite=True, several=False).with_marks(place) for place in (one, other))
    return replace(first, others=(last,))


@rule("refer_its")
def refer_its(given: Phrase, phrase: Phrase) -> Any:
    """ "Look at the red cube and show me what is behind it", "I need the cube behind the ball, so find that cube"."""
    again = phrase.definite and not phrase.others and phrase.head == given.head and phrase.head is not None
    if again and set(phrase.marks) <= set(given.marks):
        return question_of("refer", given)
    return told_bare(given, Asked("refer", (phrase,)))


@rule("refer_each")
def refer_each(one: Phrase, other: Phrase) -> Any:
    """ "Show me the balls, and show me the cubes": both, unless the second is told by the first."""
    return refer_its(one, other) or refer_both(one, other)


@rule("refer_next")
def refer_next(one: Phrase, other: Phrase) -> Any:
    """ "Look at the cube, what is behind it"; "get the red cube, the green one" is both."""
    made = refer_its(one, other)
    if made is not None:
        return made
    among_them = ONES in other.marks and one.every and any(isinstance(mark, Ranked) for mark in other.marks)
    apart = other.definite and not speaks_of_it(Asked("refer", (other,))) and not one.others and not among_them
    return (question_of("refer", joint(one, other)), 1.0) if apart else None


@rule("refer_its_far")
def refer_its_far(given: Phrase, phrase: Phrase) -> Any:
    """ "Find the cube and what is behind it": rather both."""
    made = refer_its(given, phrase)
    return None if made is None else (priced(made)[0], 0.5)


@rule("fronted")
def fronted(*said: Any) -> Any:
    """ "Behind the cube, are there any balls?", "how many do you see when you look behind the cube?"."""
    question = next(one for one in said if isinstance(one, Asked))
    where = next(one for one in said if not isinstance(one, Asked))
    if isinstance(where, str) or len(question.phrases) != _FRONTED.get(question.head):
        return None
    each = [one for phrase in question.phrases for one in (phrase, *phrase.others)]
    if any(isinstance(mark, At) for one in each for mark in one.marks):
        return None
    found = question.head == "refer" and question.phrases == (pronoun(),)  # "behind the ball: pick it"
    such = [with_mark(Phrase(definite=True) if found else phrase, where) for phrase in question.phrases]
    return None if None in such else replace(question, phrases=tuple(such))


@rule("fronted_from")
def fronted_from(side: From, question: Asked) -> Any:
    """ "Counting from the left, which is the third ball?"."""
    made = exchanged(question, lambda phrase: counted_from(phrase, side.side))
    return None if made == question else made


@rule("said_from")
def said_from(question: Asked, side: From) -> Any:
    """ "How many things are between the cube and the ball, going from left to right?": that says no more."""
    made = fronted_from(side, question)
    choices = [mark for one in question.phrases for mark in one.marks if isinstance(mark, Either)]
    places = [mark for choice in choices for way in choice.ways for mark in marks_of(way)]
    return question if made is None and places and all(isinstance(mark, At) for mark in places) else made


@rule("told_looked")
def told_looked(given: Phrase, where: Any, question: Asked) -> Any:
    """ "Find the red ball. Look behind it. Are there any cubes there?"."""
    made = fronted(where, question)
    return None if made is None else told_of(given, made)


@rule("told_such")
def told_such(given: Phrase, mark: Any, question: Asked) -> Any:
    such = with_mark(given, mark)
    made = None if such is None else told_of(such, question)
    return made or told_besides(given, question)


def told_besides(given: Phrase, question: Asked) -> Any:
    """ "The cube is red. What color is the ball?": what is told of something else."""
    spoken_of = {mark for one in (given, *question.phrases) for mark in one.marks}
    free = given.definite and not given.every and not spoken_of & {IT, ONES} and not speaks_of_it(question)
    said = question.head != "count" or any(one.marks for one in question.phrases)  # "…: how many things is that?"
    loose = any(one.kind == "part" and not any(isinstance(m, Of) for m in one.marks) for one in question.phrases)
    kept = loose and given.kind == "object"  # "The table has drawers. How many legs …": rather its own
    return (question, 1.0) if free and said and not (kept or any(one.other for one in question.phrases)) else None


@rule("told_beside")
def told_beside(whole: Phrase, given: Phrase, relation: Relation, question: Asked) -> Any:
    """ "The cart has something in front of it. What is that thing?"."""
    apart = not whole.others and whole.definite and not given.definite and given.kind == "object"
    made = told_such(with_it(given, whole), At(relation.name, whole), question) if apart else None
    return None if made is None else (made, -BESIDE_IT)


@rule("told_turned")
def told_turned(where: Any, given: Phrase, question: Asked) -> Any:
    """ "In front of the ball is a cube: what color is it?"."""
    return None if isinstance(where, str) or given.definite else told_such(given, where, question)


@rule("shown_turned")
def shown_turned(given: Phrase, where: Any, phrase: Phrase) -> Any:
    """ "There is a red ball, and behind it there is a cube": that is the one."""
    known = with_it(where, replace(given, definite=True))
    such = None if isinstance(where, str) or phrase.definite or known == where else with_mark(phrase, known)
    made = question_of("refer", such)
    return None if made is None else (made, 1.0)


def with_owner(question: Asked, whole: Phrase) -> Asked:
    """ "There is a chair. What color are the legs?": known parts that nobody owns are those of what is spoken of."""

    def change(phrase: Phrase) -> Phrase | None:
        owned = any(isinstance(mark, Of) for mark in phrase.marks)
        return phrase.with_marks(Of(whole)) if phrase.kind == "part" and phrase.definite and not owned else None

    return replace(question, phrases=tuple(change(phrase) or phrase for phrase in question.phrases))


@rule("told")
def told_of(given: Phrase, question: Asked) -> Any:
    """A statement and a question about what it speaks of."""
    if given.others and any(phrase.other for phrase in question.phrases):
        return None  # "a cube and another one: what color is the other one?"
    known, found = replace(given, definite=True), list[Phrase]()
    alone = given.several is False and not given.others
    each = [replace(one, definite=True, others=()) for one in (given, *given.others)]

    def change(phrase: Phrase) -> Phrase | None:
        if phrase.other and phrase != known and alone and phrase.kind == known.kind and not phrase.others:
            found.append(phrase)
            return besides_it(phrase, known)
        meant = [one for one in each if set(phrase.marks) <= set(one.marks) and phrase.head in (None, one.head)]
        named = phrase.marks or (phrase.several is False and not given.several)  # "the thing" that was spoken of
        if phrase.definite and named and len(meant) == 1 and not phrase.others and phrase.kind == meant[0].kind:
            found.append(phrase)
            return meant[0]
        return None

    if given.every and given.head is None and not given.others:
        one = replace(known, every=False, several=None)  # "look at whatever is behind it: is it red?"
        told = with_it(question, known if speaks_of_them(question) else one)
        return there(given, question) or (told if speaks_of_it(question) else None)
    question = beside_each(question, each) if given.others else question
    counted = question.head == "count" and not known.several and not speaks_of_it(question)
    made = exchanged(question if counted else with_it(question, known), change)
    if known.kind == "object" and not known.several and not known.others:
        made = with_owner(made, known)
    return made if made != question or found else told_already(given, question)


@rule("told_of_two")
def told_of_two(given: Phrase, another: Phrase, question: Asked) -> Any:
    """ "There is a red cube and one more cube. What color is the other one?"."""
    alike = given.kind == another.kind and set(another.marks) <= set(given.marks) and not given.others
    if not alike or given.several:
        return None
    known = replace(given, definite=True)
    other = besides_it(replace(another, definite=True, several=False), known)

    def change(phrase: Phrase) -> Phrase | None:
        return other if phrase.other and set(phrase.marks) <= {ONES, *another.marks} else None

    made = exchanged(question, change)
    return None if other is None or made == question else with_it(made, known)


def beside_each(question: Asked, each: Sequence[Phrase]) -> Asked:
    """ "left of both of them", of several that were told: left of each."""
    both = replace(pronoun(), several=True)

    def change(phrase: Phrase) -> Phrase | None:
        them = [mark for mark in phrase.marks if isinstance(mark, At) and mark.other == both]
        places = [replace(mark, other=one) for mark in them for one in each]
        rest = [mark for mark in phrase.marks if mark not in them]
        return replace(phrase, marks=(*rest, *places)) if them else None

    made: Asked = exchanged(question, change)
    return made


def told_already(given: Phrase, question: Asked) -> Any:
    """ "There are cubes and balls here. Are there more cubes than balls?": nothing is said that is not asked about."""
    if given.definite or speaks_of_it(question):
        return None
    asked = [each for phrase in question.phrases for each in (phrase, *phrase.others)]
    told = (given, *given.others)
    known = all(any(set(one.marks) <= set(each.marks) and one.head == each.head for each in asked) for one in told)
    return question if known and all(one.marks for one in told) else None


def there(given: Phrase, question: Asked) -> Any:
    """ "Look at everything behind the cube: how many balls do you see?": of all that is so."""
    if not given.marks or speaks_of_it(question):
        return None
    each = [one_there(given, phrase, question) for phrase in question.phrases]
    return None if None in each else replace(question, phrases=tuple(each))


def one_there(given: Phrase, phrase: Phrase, question: Asked) -> Any:
    """Those of a phrase that are of what was spoken of before."""
    if phrase.others:
        first, *others = (one_there(given, replace(one, others=()), question) for one in (phrase, *phrase.others))
        return None if None in (first, *others) else replace(first, others=tuple(others))
    ordered = any(isinstance(mark, Ranked) and mark.side for mark in phrase.marks)
    if ordered and phrase.definite and phrase.head is None and question.head == "refer":
        return replace(phrase, marks=(*given.marks, *phrase.marks), head=given.head)
    placed = all(any(isinstance(mark, At) for mark in one.marks) for one in (phrase, given))
    if phrase.definite and not (phrase.head is None and (phrase.several or ONES in phrase.marks)):
        return None
    if placed or (question.head == "verify" and phrase.marks and ONES not in phrase.marks):
        return None
    if ONES in phrase.marks:
        known = replace(phrase, marks=tuple(mark for mark in phrase.marks if mark != ONES), head=given.head)
        return replace(known, marks=(*given.marks, *known.marks))
    return with_mark(phrase, given.marks[0] if len(given.marks) == 1 else Both(given.marks))


@rule("told_of_value")
def told_of_value(*said: Any) -> Any:
    """ "I cannot make out the size of the ball. Is it large?"."""
    given = next(one for one in said if isinstance(one, Phrase))
    return told_of(given, said[-1]) if speaks_of_it(said[-1]) else None


@rule("limited")
def limited(given: Phrase, question: Asked) -> Any:
    """ "Considering only the cubes, how many are red?"."""
    single = given.others and any(one.several is False for one in (given, *given.others))
    made = None if single else there(any_of(given), question)
    return made or told_of(given, question)


@rule("limited_last")
def limited_last(question: Asked, given: Phrase) -> Any:
    """ "Are there more cubes than balls among the big things?"; "Is a cube among them?" asks of all."""
    if not given.marks and not given.others:
        return question, 0.25
    made = limited(given, question) if given.several is not False and not given.others else None
    return None if made is None or made == question else (made, 0.25)


@rule("told_value")
def told_value(mark: Any, question: Asked) -> Any:
    """ "I love red. How many red cubes are there?": nothing is said that is not asked about."""
    return question if any(mark in phrase.marks for phrase in question.phrases) else None


@rule("told_chain")
def told_chain(first: Phrase, given: Phrase, question: Asked) -> Any:
    """ "Find the red ball, then look at everything behind it: how many cubes are there?"."""
    known = with_it(given, replace(first, definite=True))
    return None if known == given else told_of(known, question)


@rule("told_where")
def told_where(where: Any, question: Asked) -> Any:
    """ "What is behind the cube, and what color is it?"."""
    such = with_mark(Phrase(several=False if question.head == "verify" else None), where)  # "Is it a cube?"
    return None if such is None else told_bare(such, question)


@rule("told_bare")
def told_bare(given: Phrase, question: Asked) -> Any:
    """ "The red ball, is it big?": only a pronoun can mean it. "What is behind it? Is it big?" does not mean all."""
    if given.every and question.head == "verify":
        return None
    owned = given.kind == "object" and given.definite and with_owner(question, given) != question
    return told_of(given, question) if owned or speaks_of_it(question) else None


@rule("told_after")
def told_after(question: Asked, given: Phrase) -> Any:
    """ "Is it big, the red ball?"."""
    made = told_bare(given, question) if given.definite else None
    at_it = any(isinstance(mark, At) and IT in mark.other.marks for one in question.phrases for mark in one.marks)
    return None if made is None else (made, AT_IT if at_it else 0.5)


@rule("which_among")
def which_among(given: Phrase, *said: Any) -> Any:
    """ "Of the cubes, which one is the second from the left?"."""
    kind = [one for one in said if isinstance(one, Phrase)]
    single = given.several is False or (ONES in given.marks and not given.several)
    if given.others or single or any(one.marks != (ONES,) for one in kind):
        return None
    return question_of("refer", with_mark(replace(given, definite=False, several=None), said[-1]))


@rule("among")
def among(given: Phrase, phrase: Phrase) -> Any:
    """ "of the cubes, the second from the left"."""
    one = not given.others and (given.several is False or given.marks == (ONES,))
    given = any_of(given)
    if one or phrase.others or phrase.kind != given.kind:
        return None
    given = replace(given, marks=tuple(mark for mark in given.marks if mark != ONES))
    rest = tuple(mark for mark in phrase.marks if mark not in (ONES, *given.marks))
    made = question_of("refer", replace(given, marks=(*given.marks, *rest), several=phrase.several))
    return None if made is None else (made, 0.5)


@rule("among_bare")
def among_bare(given: Phrase, phrase: Phrase) -> Any:
    """ "of the cubes, the red ones", "among the things behind the large, the cube": who names a sort says which."""
    named = phrase.head is not None and not phrase.definite and phrase.several is False
    return None if named else among(given, phrase)
