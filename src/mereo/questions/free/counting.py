"""What questions for a number mean."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mereo.questions.free.joining import joint
from mereo.questions.free.marking import opposite
from mereo.questions.free.meaning import Asked, Either, Of, Phrase, Ranked, Same
from mereo.questions.free.posting import NOTHING, ONES, of_each, ones, question_of, with_mark, within
from mereo.questions.free.rules import rule


@rule("count")
def count_of(phrase: Phrase) -> Asked | None:
    numbered = phrase.counted is not None and not phrase.definite  # "how many four chairs"
    return None if numbered else question_of("count", phrase)


@rule("count_both")
def count_both(one: Phrase, other: Phrase) -> Any:
    """ "legs plus wheels"."""
    return None if one.others else question_of("count", joint(one, other))


@rule("count_ones")
def count_ones() -> Any:
    """ "How many remain?"."""
    return question_of("count", ones()), 1.0


@rule("count_such")
def count_such(phrase: Phrase, mark: Any) -> Asked | None:
    """How many of some are so; of "the first three" as many as are so of these."""
    ordered = any(isinstance(way, Ranked) for one in phrase.marks if isinstance(one, Either) for way in one.ways)
    those = Phrase((Same(replace(phrase, definite=True)),), several=True) if ordered and not phrase.others else phrase
    return question_of("count", with_mark(those, mark))


@rule("count_any")
def count_any(*said: Any) -> Any:
    """How many are so, whatever they are."""
    mark = next((one for one in said if one != NOTHING), NOTHING)
    such = None if mark == NOTHING else with_mark(ones(), mark)
    return None if such is None else (question_of("count", such), 1.0)


@rule("count_loose")
def count_loose(mark: Any) -> Any:
    """ "Small and shiny: how many?"."""
    such = None if mark == NOTHING else with_mark(Phrase(several=True), mark)
    return None if such is None else (question_of("count", such), 1.0)


@rule("count_not")
def count_not(phrase: Phrase, mark: Any) -> Asked | None:
    return question_of("count", with_mark(phrase, opposite(mark)))


@rule("count_parts")
def count_parts(parts: Phrase, whole: Phrase) -> Asked | None:
    if whole.kind == "part" and whole.definite and not parts.others and parts.kind == "part":
        return question_of("count", within(parts, whole))
    if any(one.kind != "part" for one in (parts, *parts.others)) or whole.kind != "object":
        return None
    if parts.others and whole.others:
        return None
    if parts.others:
        one, *others = (replace(part, others=()).with_marks(Of(whole)) for part in (parts, *parts.others))
        return question_of("count", replace(one, others=tuple(others)))
    return question_of("count", of_each(parts, whole))


@rule("count_had")
def count_had(whole: Phrase, parts: Phrase) -> Asked | None:
    """ "The chair has how many legs?", "There is a chair; how many legs does it have?"."""
    if whole.several and not parts.marks:
        return None  # "all chairs, how many pieces is that?"
    return count_parts(parts, whole if whole.several else replace(whole, definite=True))


@rule("count_known")
def count_known(whole: Phrase, parts: Phrase) -> Any:
    """ "The table has drawers. How many?"."""
    told = parts.definite or parts.counted is not None or not whole.one_known
    return None if told else count_parts(parts, whole)


@rule("count_options")
def count_options(*said: Any) -> Any:
    """ "Does the chair have three legs or four?", "Are there two or three chairs?": a number is asked for."""
    phrases = [one for one in said if isinstance(one, Phrase)]
    whole, parts = phrases if phrases[0].kind == "object" and len(phrases) > 1 else (None, phrases[0])
    numbers = {one for one in said if isinstance(one, int)}
    if len(numbers) < len(("one", "other")) or len(phrases) > len(("whole", "parts")):
        return None
    if whole is None:
        return None if len(phrases) > 1 else question_of("count", parts)
    return count_parts(parts, whole) if whole.one_known else None


@rule("count_those")
def count_those(given: Phrase, kind: Phrase) -> Any:
    """ "Put the cubes and the balls together: how many things is that?"."""
    return count_given(given) if all(mark == ONES for mark in kind.marks) else None


@rule("count_given")
def count_given(phrase: Phrase) -> Any:
    """ "I see some cubes. How many are there?"."""
    return (question_of("count", phrase), 0.5) if phrase.several else None


@rule("number_of_those")
def number_of_those(question: Asked, *kind: Phrase) -> Any:
    """ "What else is red? How many things?": as many as are asked for, or shown."""
    told = {mark for one in kind for mark in one.marks} - {ONES}
    shown = len(question.phrases) == 1 and not question.phrases[0].one_known and question.head in ("query", "refer")
    if told or not shown:
        return None
    return question_of("count", replace(question.phrases[0], definite=False, several=True)), 0.5
