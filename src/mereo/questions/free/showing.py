"""What is to be found and shown rather than answered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mereo.questions.free.marking import both_marks, other_than
from mereo.questions.free.meaning import Asked, Phrase
from mereo.questions.free.posting import FARTHER, NOTHING, ONES, marks_of, of_kind, question_of, with_it, with_mark
from mereo.questions.free.rules import rule

SHOWN = 3.0
"""What it costs to take a phrase without a verb for one that is to be found."""

RATHER = 0.25
"""How much rather "show me" is taken for what is asked than left out."""


@rule("refer")
def referred(phrase: Phrase) -> Asked | None:
    return question_of("refer", phrase)


@rule("refer_told")
def refer_told(phrase: Phrase) -> Any:
    """ "Give me the red cube": who says so may as well ask for its name."""
    return question_of("refer", phrase), 0.5


@rule("refer_such_bare")
def refer_such_bare(mark: Any) -> Any:
    made = refer_such(mark)
    return None if made is None else (made, SHOWN)


@rule("refer_what")
def refer_what(mark: Any) -> Any:
    """ "Show me what is red"; who says "tell me what" rather asks for a name."""
    made = refer_such(mark)
    return None if made is None else (made, 0.5)


@rule("refer_which")
def refer_which(phrase: Phrase, mark: Any) -> Any:
    """ "Show me which cube is red"."""
    return question_of("refer", with_mark(phrase, mark))


@rule("shown_if_any")
def shown_if_any(phrase: Phrase, *marks: Any) -> Any:
    """ "Are there any cubes? Show me"."""
    given = next((one for one in marks if not isinstance(one, Phrase)), None)
    idle = not any(isinstance(one, Phrase) for one in marks)  # "Is there a cube showing?" asks whether there is
    cost = RATHER if idle else -RATHER
    return question_of("refer", phrase if given is None else with_mark(phrase, given)), cost


@rule("refer_such")
def refer_such(mark: Any) -> Any:
    return None if mark == NOTHING else question_of("refer", Phrase().with_marks(*marks_of(mark)))


@rule("refer_rather")
def refer_rather(other: Phrase, phrase: Phrase) -> Any:
    """ "I do not want the balls, show me the cubes"."""
    mark = other_than(other) if phrase.other or (phrase.every and not phrase.marks) else None
    made = with_it(of_kind(replace(phrase, other=False), other), replace(other, definite=True))
    return question_of("refer", made if mark is None else with_mark(made, mark))


@rule("refer_not")
def refer_not(phrase: Phrase, other: Phrase) -> Any:
    """ "Take the cubes and leave the red one alone"."""
    mark = other_than(of_kind(other, phrase))
    such = None if mark is None else with_mark(phrase, mark)
    return question_of("refer", phrase if such is None else such), 0.5


@rule("refer_both_so")
def refer_both_so(one: Any, other: Any) -> Any:
    """ "It is red, it is round. Where is it?"."""
    return refer_such(both_marks(one, other))


@rule("refer_both_bare")
def refer_both_bare(one: Any, other: Any) -> Any:
    """ "the same color as the cube, but it is a ball"."""
    return refer_such_bare(both_marks(one, other))


@rule("refer_all")
def refer_all(phrase: Phrase) -> Any:
    """ "balls, all"."""
    every = phrase.several and phrase.counted is None and not phrase.of_each
    return refer_bare(phrase) if every else None


@rule("refer_all_bare")
def refer_all_bare(phrase: Phrase) -> Any:
    """ "Balls, all": rather of what one sees all of."""
    made = refer_all(phrase)
    return None if made is None else (made[0], made[1] + 2 * FARTHER)


@rule("refer_bare")
def refer_bare(phrase: Phrase) -> Any:
    """A phrase alone; "the other one" says nothing alone."""
    other_one = phrase.definite and phrase.marks == (ONES,) and not phrase.several
    if other_one or phrase.counted == 0 or phrase.of_each:  # "legs per chair" is no set
        return None
    return question_of("refer", phrase), SHOWN
