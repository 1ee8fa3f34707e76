"""PTR's questions sound like a person's: of what is visible where that matters, in few words, and never absurd."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from furnished import furnished, part, room, thing
from mereo.benchmarks.ptr.describe import DESCRIBER
from mereo.benchmarks.ptr.hearing import listener
from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.questions import RULES, ptr_questions
from mereo.benchmarks.ptr.readings import ptr_readings
from mereo.benchmarks.ptr.referring import referring
from mereo.benchmarks.ptr.world import ptr_world
from mereo.questions.generate import Asker, Question
from mereo.questions.phrase import Said
from mereo.questions.readings import stands_in
from mereo.questions.template import Choose, Describe
from mereo.world import World

SEEING = re.compile(r"\b(visible|see|seen)\b", re.IGNORECASE)
NEVER = (
    "with a body", "with bodies", "to the front", "towards", "whatever", "taken as", "regardless",
    "of any kind", "in the color of its", "by analogy", "about the",
)  # fmt: skip
COUNTING = {"count_part", "exist_part", "same_part_color", "same_part_count", "query_part_analogy", "filter_part_color"}
"""The functions whose values change where hidden parts count."""


def hiding(number: int) -> dict[str, Any]:
    """A furnished room of whose parts some are hidden."""
    record, chance = furnished(number), random.Random(number)
    for each in record["objects"]:
        parts = each["parts"]
        each["hidden"] = [one for one in parts if chance.random() < 0.15]
        each["parts"] = [one for one in parts if one not in each["hidden"]]
    return record


@cache
def asked() -> tuple[tuple[World, Question], ...]:
    return tuple(_asked())


def _asked() -> Iterator[tuple[World, Question]]:
    """Questions, each with the world that its scene is as a whole."""
    asker = Asker(ptr_questions(), LANGUAGE, RULES, "train")
    for number in range(50):
        record = hiding(number)
        readings = ptr_readings(record)
        assert readings.whole is not None
        for question in asker.ask(ptr_world(record), 10, chance=random.Random(number), readings=readings):
            yield readings.whole, question


def test_words_that_do_not_speak_of_what_is_seen_are_true_of_the_furniture_itself() -> None:
    plain = 0
    for whole, question in asked():
        if not SEEING.search(question.text):
            plain += 1
            assert stands_in(whole, question.trace, LANGUAGE), question.text
    assert 100 < plain < len(asked())


def test_visible_is_said_where_nothing_is_hidden_too() -> None:
    """Else the word would tell that a part is hidden, and so that the number is small."""
    needless = [q.text for whole, q in asked() if "visible" in q.text and stands_in(whole, q.trace, LANGUAGE)]
    assert len(needless) > 20


def test_no_question_has_more_than_45_words_and_none_says_what_nobody_would() -> None:
    for _, question in asked():
        assert len(question.text.split()) <= 45, question.text
        assert not [phrase for phrase in NEVER if phrase in question.text.lower()], question.text


def test_every_template_can_be_said_in_three_ways() -> None:
    for template in ptr_questions().templates:
        assert len({text.source for text in template.texts}) >= 3, template.title


def test_whatever_hangs_on_hidden_parts_can_be_said_of_visible_ones() -> None:
    expressions, _ = referring().expressions(false_premise=False)
    for template in (*ptr_questions().templates, *expressions.templates):
        functions = {node.function for node in template.nodes if not isinstance(node, Describe)}
        if functions & COUNTING:
            assert any(text.of_visible for text in template.texts), template.title


def test_how_many_parts_there_are_does_not_tell_what_they_are() -> None:
    """ "The red parts" cannot be a seat; where the kind of part is asked, its number is not said."""
    for template in ptr_questions().templates:
        if {"query_part_category", "equal_part_category"} & {getattr(node, "function", "") for node in template.nodes}:
            asked_of = [n.hole for n in template.nodes if isinstance(n, Choose) and n.function == "filter_part_color"]
            if template.type != "geometric" and template.type != "geometric-analogy":
                assert asked_of
                for text in template.texts:
                    assert not any(f"{{{hole}:" in text.source for hole in asked_of), text.source


HIDING = room(
    thing("chair", part("leg", "cyan"), part("back", "red"), hidden=[part("leg", "cyan"), part("leg", "cyan")]),
    thing("bed", part("back", "blue"), part("back", "blue"), part("leg", "red"), part("leg", "red"), at=(2, 0)),
)


def spoken(title: str, fillings: dict[str, Any], *, visible: bool, meant: dict[str, int] | None = None) -> set[str]:
    """All that is said of the first objects of the room."""
    templates = ptr_questions()
    template = next(template for template in templates.templates if template.title == title)
    whole = ptr_readings(HIDING).whole
    kinds = {node.hole: node.type.name for node in template.nodes if isinstance(node, Choose)}
    said = Said(fillings, {"A": 0, "B": 1}, ptr_world(HIDING), meant or {}, kinds, visible, whole)
    texts = [templates.speech.say(template.texts, said, random.Random(seed)) for seed in range(60)]
    return {text for text in texts if text is not None}


def test_only_texts_that_can_speak_of_what_is_visible_do_where_they_must() -> None:
    fillings = {"A": {"category": "chair"}, "N": "leg"}
    assert spoken("concept/count_part", fillings, visible=True) == {
        "How many visible legs does the chair have?",
        "How many legs of the chair can you see?",
        "What is the number of visible legs on the chair?",
        "Look at the chair: how many visible legs does it have?",
    }
    free = spoken("concept/count_part", fillings, visible=False)
    assert {"How many legs does the chair have?", "How many visible legs does the chair have?"} < free


def test_a_description_says_visible_by_itself_where_it_would_fit_others() -> None:
    one_leg = {"A": DESCRIBER.names((None, "leg", 1, None)), "T": "stable"}
    texts = spoken("physics/is_stable", one_leg, visible=False)
    assert all("with one visible leg" in text for text in texts)
    back = {"A": DESCRIBER.names((None, "back", None, "red")), "T": "stable"}
    assert not any("visible" in text for text in spoken("physics/is_stable", back, visible=False))


def test_a_chair_of_whose_legs_one_is_seen_has_legs() -> None:
    world = ptr_world(HIDING)
    leg = world.parts[0] & world.having["part"]["leg"]
    fillings = {"A": {"category": "chair"}, "P": "leg"}
    assert "What color are the legs of the chair?" in spoken(
        "concept/query_part_color", fillings, visible=False, meant={"P": leg}
    )
    matching = spoken("same/count_same_part_color", fillings, visible=True, meant={"P": leg})
    assert "How many other objects match the chair in the color of the visible leg?" in matching
    with_legs = {"A": DESCRIBER.names((None, "leg", None, "cyan")), "T": "stable"}
    assert {text.partition(" with ")[2] for text in spoken("physics/is_stable", with_legs, visible=False)} >= {
        "cyan legs stable?"
    }


def test_nothing_has_backs() -> None:
    world = ptr_world(HIDING)
    backs = world.parts[1] & world.having["part"]["back"]
    assert backs.bit_count() == 2
    texts = spoken(
        "concept/query_part_color", {"A": {"category": "bed"}, "P": "back"}, visible=False, meant={"P": backs}
    )
    assert "What color is the back of the bed?" in texts


def test_other_is_said_where_the_landmark_is_left_out() -> None:
    fillings = {"A": {"category": "chair"}, "B": {}, "R": "left"}
    assert {
        text.replace("to the ", "").replace("object", "thing")
        for text in spoken("spatial/count", fillings, visible=False)
    } == {
        "How many other things are left of the chair?",
        "What is the number of other things that are left of the chair?",
        "Look at the chair: how many other things are left of it?",
    }


@pytest.mark.parametrize(
    ("said", "plainly"),
    [
        ("How many visible legs does the chair have?", "How many legs does the chair have?"),
        ("Is the thing with a visible red back stable?", "Is the thing with a red back stable?"),
        ("Are there any chairs with visible arms?", "Are there any chairs with arms?"),
        ("What color are the arm vertical bars of the chair?", "What color are the vertical arm bars of the chair?"),
        ("What color is the sleep area of the bed?", "What color is the sleeping area of the bed?"),
    ],
)
def test_visible_and_the_names_of_the_paper_are_understood_and_change_nothing(said: str, plainly: str) -> None:
    one, other = listener().understand(said).program, listener().understand(plainly).program
    assert one is not None
    assert one == other


def test_what_is_compared_in_one_word_is_described_by_others() -> None:
    """ "Does the chair with four legs have more legs than the bed?" would half answer itself."""
    found = 0
    for _, question in asked():
        if question.template.name.endswith(("_of_a_kind", "_overall")):
            found += 1
            steps = question.program.steps
            totals = [steps[step.inputs[0]] for step in steps if step.function == "total"]
            counted = [steps[step.inputs[0]].values[0] for step in totals]
            assert len(counted) == 2, question.text
            assert len(set(counted)) == 1, question.text
            named = [step.values[0] for step in steps if step.function == "filter_part_category"]
            assert named.count(counted[0]) == 2, question.text
    assert found > 20
