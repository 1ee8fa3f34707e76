"""Stories before a question: of what was told, one is picked out, or more is said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mereo.questions.free.comparing import bounded
from mereo.questions.free.joining import joint
from mereo.questions.free.lexicon import Bound, From, Relation
from mereo.questions.free.meaning import Asked, At, Phrase, Ranked, contradictory
from mereo.questions.free.posting import IT, ONES, any_of, of_kind, pronoun, question_of, with_it, with_mark
from mereo.questions.free.resolving import speaks_of_it
from mereo.questions.free.rules import rule
from mereo.questions.free.telling import among, fronted, fronted_from, told_bare, told_of, told_turned


@rule("told_one")
def told_one(given: Phrase, one: Phrase, mark: Any, question: Asked) -> Any:
    """ "There are some balls. One of them is red. What is it made of?"."""
    if IT not in one.marks or one.definite or given.others:
        return None
    single = replace(with_it(one, given), definite=True, several=False, every=False, counted=None)
    such = with_mark(single, mark)
    return None if such is None else told_bare(such, question)


@rule("told_of_these")
def told_of_these(given: Phrase, one: Phrase, question: Asked) -> Any:
    """ "There are two cubes. The bigger one, what color is it?"."""
    if ONES not in one.marks or not one.one_known or given.others or given.one_known:
        return None
    return told_bare(of_kind(one, any_of(given)), question)


@rule("told_of_next")
def told_of_next(given: Phrase, one: Phrase, mark: Any, question: Asked) -> Any:
    """ "There is a yellow ball, and something small is behind it. What color is that small thing?"."""
    such = None if given.others or one.definite else with_mark(one, mark)
    known = None if such is None else with_it(such, replace(given, definite=True))
    return None if known is None or known == such else told_of(known, question)


@rule("told_both")
def told_both(one: Phrase, other: Phrase, question: Asked) -> Any:
    """ "There is a ball and there is a cube. Show me what is left of both of them."."""
    apart = not (one.others or other.others or speaks_of_it(Asked("refer", (other,))))
    return told_of(joint(one, other), question) if apart and speaks_of_it(question) else None


@rule("told_only")
def told_only(bound: Bound, count: int, phrase: Phrase, mark: Any, question: Asked) -> Any:
    """ "Only one of the things is purple. Is it a ball?"."""
    such = with_mark(replace(phrase, definite=True, several=False), mark)
    return told_bare(such, question) if bound.name == "exactly" and count == 1 and such is not None else None


@rule("told_from")
def told_from(*said: Any) -> Any:
    """ "Picture all the balls from left to right, and show me the second one", "from left to right, the balls: …"."""
    given = next(one for one in said if isinstance(one, Phrase))
    side = next(one for one in said if isinstance(one, From))
    question = next(one for one in said if isinstance(one, Asked))
    made = fronted_from(side, question)
    return None if made is None else told_of(given, made)


@rule("told_and_turned")
def told_and_turned(given: Phrase, where: Any, phrase: Phrase, question: Asked) -> Any:
    """ "Look at the bed. To its right there is something. What is it?", "… To the right of that bed is a cart. …"."""
    one = replace(given, definite=True)
    known = with_it(where, one)
    named = where.other.marks if isinstance(where, At) and where.other.definite else ()
    if known == where and named and set(named) <= set(given.marks):
        known = replace(where, other=one)
    return None if known == where else told_turned(known, phrase, question)


@rule("which_is_it")
def which_is_it(kind: Phrase | None = None) -> Any:
    """ "It is red and round. Which thing is it?"."""
    return None if kind is not None and kind.marks not in ((), (ONES,)) else question_of("refer", pronoun())


@rule("exist_another")
def exist_another(given: Phrase) -> Any:
    """ "I see a red cube. Is there another one?": more than the one."""
    alone = not given.definite and not given.others and not given.several and given.counted in (None, 1)
    return bounded(Bound("more"), 1, replace(given, counted=None)) if alone else None


@rule("looked_aside")
def looked_aside(given: Phrase, side: Ranked, question: Asked) -> Any:
    """ "Standing at the red cube and looking left, how many things do you see?"."""
    known = replace(given, definite=True)
    return None if given.several or given.others else fronted(At(side.side, known), question)


@rule("told_there")
def told_there(given: Phrase, question: Asked) -> Any:
    """ "I see some things left of the cube; how many balls are on that side?"."""
    placed = tuple(mark for mark in given.marks if isinstance(mark, At))
    return fronted(placed[0], question) if len(placed) == 1 and not given.others else None


@rule("count_among")
def count_among(given: Phrase, phrase: Phrase) -> Any:
    """ "Among the things left of the ball, count the shiny ones"."""
    made = among(given, replace(phrase, definite=False))
    such = None if made is None else made[0].phrases[0]
    return None if such is None or contradictory(such.marks) else question_of("count", such)


@rule("count_among_last")
def count_among_last(phrase: Phrase, given: Phrase) -> Any:
    """ "Count the shiny ones among the things left of the ball"."""
    return count_among(given, phrase)


@rule("count_beside")
def count_beside(phrase: Phrase, known: Phrase, relation: Relation) -> Any:
    """ "How many things does the ball have behind it?"."""
    alone = known.one_known and not phrase.others
    return question_of("count", with_mark(phrase, At(relation.name, known))) if alone else None


@rule("beside_it")
def beside_it(given: Phrase, side: Ranked) -> Any:
    """ "From the red ball, what is to the right?"."""
    known = given.definite and given.several is False and not given.others
    return question_of("refer", Phrase((At(side.side, given),))) if known else None
