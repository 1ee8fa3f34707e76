"""Talk around questions: it is left out where it changes nothing, and never turns one question into another."""

from __future__ import annotations

import pytest

from free_wordings import ROW, solids
from mereo.benchmarks.benchmark import listener_of
from mereo.programs import execute
from mereo.questions.free.padding import without_padding
from mereo.questions.free.skimming import skimmed
from mereo.questions.understand import Listener
from mereo.world import World


def _listener() -> Listener:
    listener = listener_of("clevr")
    assert listener is not None
    return listener


def _answer(question: str, world: World = ROW) -> object:
    listener = _listener()
    return execute(listener.understand(question, world).sure(question), world, listener.spoken).answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When I was a girl we had wooden blocks like these, so how many blocks are there?", 2),
        ("He thinks there are more balls than cubes, is he right?", False),
        ("My dog chewed up my ball, anyway, what size is the green cylinder?", "small"),
        ("Bet you can't tell me how many cylinders there are!", 1),
        ("yo bro is there like a purple ball or nah", False),
        ("Which colour is that lovely little ball, dear?", "blue"),
        ("Frankly, how many red things are there?", 2),
        ("what's the blue thing, sweetie, a cube or a ball?", "sphere"),
        ("There isn't a green cylinder, is there?", True),
        ("There are cubes and balls here. Are there more balls than cubes?", False),
        ("How many objects would be left if we took all the cubes away?", 2),
        ("What have they made the blue ball out of?", "metal"),
        ("Is it the cylinder that is green?", True),
        ("The ball and the cylinder, are they the same colour or different?", False),
        ("are #cubes = #balls", False),
        ("I can't make out the colour of the ball, can you help?", "blue"),
        ("The cylinder's green, right?", True),
    ],
)
def test_a_question_is_read_with_talk_around_it(question: str, answer: object) -> None:
    assert _answer(question) == answer


@pytest.mark.parametrize(
    "question",
    [
        "There is a red cube. Do you like it?",
        "How old is the blue ball?",
        "teacher says 3 cubes. true?",
        "How many wooden blocks are there?",
        "Which cone is red, the one I bought or the other?",
        "The movers left, whereabouts is the purple?",
    ],
)
def test_what_is_asked_of_something_else_is_not_answered(question: str) -> None:
    assert _listener().understand(question, ROW).program is None


def test_praise_that_may_tell_things_apart_stays() -> None:
    free = _listener().free
    assert free is not None
    assert without_padding(("the", "pretty", "ball"), free.lexicon) == ("the", "pretty", "ball")
    assert without_padding(("that", "pretty", "ball"), free.lexicon) == ("that", "ball")
    assert without_padding(("the", "pretty", "red", "ball"), free.lexicon) == ("the", "red", "ball")
    assert without_padding(("frankly", "barely", "red"), free.lexicon) == ("barely", "red")


def test_what_is_left_of_a_sentence_names_something_that_can_be_here() -> None:
    free = _listener().free
    assert free is not None
    assert list(skimmed("Oh my, what a day I had!", free.lexicon)) == []
    assert "show the blocks" in [" ".join(left.split()) for left in skimmed("show Mia the blocks", free.lexicon)]


def test_which_of_two_is_told_by_what_they_differ_in() -> None:
    assert _answer("Which one is green, the ball or the cylinder?") == "cylinder"
    assert _answer("Which is metal, the purple ball or the green cylinder?") == "cylinder"


def test_both_are_alike_only_where_there_are_two() -> None:
    assert _answer("Are both cubes the same color?") is True
    three = solids(("red", "cube"), ("red", "cube"), ("blue", "cube"))
    assert _listener().understand("Are both cubes the same color?", three).told.startswith("There are three cubes")
