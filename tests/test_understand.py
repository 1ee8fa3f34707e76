"""Plain questions become programs: what was generated exactly, what is near it by a suggestion.

With MEREO_THOROUGH=1 in the environment, those about four times as many scenes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from furnished import furnished
from kit import THOROUGH
from mereo.benchmarks.benchmark import all_benchmarks, listener_of
from mereo.benchmarks.clevr.language import LANGUAGE as CLEVR
from mereo.benchmarks.clevr.questions import RULES as CLEVR_RULES
from mereo.benchmarks.clevr.questions import clevr_questions as clevr_questions
from mereo.benchmarks.ptr.language import LANGUAGE as PTR
from mereo.benchmarks.ptr.questions import RULES as PTR_RULES
from mereo.benchmarks.ptr.questions import ptr_questions as ptr_questions
from mereo.benchmarks.ptr.referring import referring
from mereo.benchmarks.ptr.world import ptr_world
from mereo.benchmarks.refer.language import LANGUAGE as REFER
from mereo.benchmarks.refer.language import refer_world
from mereo.benchmarks.refer.questions import RULES as REFER_RULES
from mereo.benchmarks.refer.questions import load_expressions
from mereo.chance import fast, generator
from mereo.clevr_family.language import VOCABULARY
from mereo.clevr_family.records import world_from_record
from mereo.clevr_family.strewing import strewn_scene
from mereo.programs import Language, execute
from mereo.questions.generate import Asker, Question
from mereo.questions.hearing import words_of
from mereo.questions.rules import Rules
from mereo.questions.template_set import TemplateSet
from mereo.questions.understand import Listener
from mereo.world import World

MANY = 4 if THOROUGH else 1


def _clevr(number: int) -> World:
    return world_from_record(strewn_scene(generator(11, "scenes", number), condition=""), VOCABULARY)


def _refer(number: int) -> World:
    return refer_world(strewn_scene(generator(11, "scenes", number), condition=""))


def _ptr(number: int) -> World:
    return ptr_world(furnished(number))


@cache
def _set(name: str) -> tuple[TemplateSet, Language, Rules]:
    if name == "clevr":
        return clevr_questions(), CLEVR, CLEVR_RULES
    if name == "ptr":
        return ptr_questions(), PTR, PTR_RULES
    if name == "refer":
        return load_expressions(), REFER, REFER_RULES
    templates, rules = referring().expressions(false_premise=False)
    return templates, PTR, rules


WORLDS = {"clevr": _clevr, "ptr": _ptr, "refer": _refer, "parts": _ptr}


def _asked(name: str, scenes: int) -> Iterator[tuple[World, Question]]:
    templates, language, rules = _set(name)
    asker = Asker(templates, language, rules)
    for number in range(scenes):
        world = WORLDS[name](number)
        for question in asker.ask(world, 10, chance=fast(generator(5, name, number))):
            yield world, question


def _listener(name: str) -> Listener:
    """Who understands the words of templates, and no others."""
    return replace(_freely(name), free=None)


def _freely(name: str) -> Listener:
    found = listener_of(_set(name)[1].name)
    assert found is not None
    return found


@pytest.mark.parametrize(("name", "scenes"), [("clevr", 50), ("ptr", 50), ("refer", 25), ("parts", 25)])
def test_every_generated_question_is_understood_as_its_own_program(name: str, scenes: int) -> None:
    listener, templates = _listener(name), set()
    for world, question in _asked(name, MANY * scenes):
        understood = listener.understand(question.text, world)
        assert understood.program is not None, question.text
        assert str(understood.program) == str(question.program), question.text
        assert understood.suggestions == ()
        templates.add(question.template.title)
    assert len(templates) >= 0.9 * len(_set(name)[0].templates)


@pytest.mark.parametrize("name", ["clevr", "ptr"])
def test_capitals_marks_and_spaces_do_not_matter(name: str) -> None:
    listener = _listener(name)
    for world, question in _asked(name, 10):
        plain = f"  {question.text.lower().replace(';', ' ,').rstrip('?')}  "
        assert listener.understand(plain, world).program == question.program.canonical()


def _long_word(words: list[str], chance: random.Random) -> int:
    """The place of one of those with more than four letters, if there are any."""
    return max(range(len(words)), key=lambda k: (len(words[k].strip("?;,.:")) > 4, chance.random()))


@pytest.mark.parametrize("name", ["clevr", "ptr"])
def test_a_question_with_a_slip_leads_back_to_it(name: str) -> None:
    listener, chance = _listener(name), random.Random(3)
    tried = hits = 0
    for world, question in _asked(name, 12):
        words = question.text.split()
        k = _long_word(words, chance)
        at = chance.randrange(1, 4)
        words[k] = words[k][:at] + words[k][at + 1 :]
        slipped = " ".join(words)
        understood = listener.understand(slipped, world)
        if understood.program is not None:
            continue  # the slip made another word, as "stable" of "table" would be
        tried += 1
        hits += question.program.canonical() in [found.program for found in understood.suggestions]
    assert tried > 80
    assert hits >= 0.9 * tried


@pytest.mark.parametrize("name", ["clevr", "ptr"])
def test_free_words_read_templates_with_a_slip_as_they_were_meant(name: str) -> None:
    listener, chance = _freely(name), random.Random(3)
    right = wrong = 0
    for world, question in _asked(name, 4):
        words = question.text.split()
        k = _long_word(words, chance)
        words[k] = words[k][:2] + words[k][3:]
        understood = listener.understand(" ".join(words), world, suggested=0)
        if understood.program is not None and not understood.told:
            answer = execute(understood.program, world, listener.spoken).values[-1]
            right += answer == question.answer
            wrong += answer != question.answer
    assert right > 20
    assert wrong <= 0.05 * right


@pytest.mark.parametrize("name", ["clevr", "ptr"])
def test_every_suggestion_is_itself_understood(name: str) -> None:
    listener, chance = _listener(name), random.Random(4)
    seen = 0
    for world, question in _asked(name, 3):
        words = list(words_of(question.text))
        for _ in range(2):
            words.pop(chance.randrange(len(words)))
        for found in listener.understand(" ".join(words), world).suggestions:
            seen += 1
            assert listener.understand(found.text, world).program == found.program
    assert seen > 15


NEAR = [
    ("clevr", "how many red cubs are there", "How many red cubes are there?"),
    ("clevr", "what colour is the big shiny sphere", "What color is the big shiny sphere?"),
    ("clevr", "how many green things left of the cube", "How many green things are left of the cube?"),
    ("clevr", "are there more cubes than balls in the picture?", "Are there more cubes than balls?"),
    ("clevr", "please tell me how many tiny metal balls there are", "How many tiny metal balls are there?"),
    ("ptr", "how many legs has the chair", "How many legs does the chair have?"),
    ("ptr", "is table left of bed", "Is there a table left of the bed?"),
    (
        "ptr",
        "what colour are the legs of the bed with 2 red legs",
        "What color are the legs of the bed with 2 red legs?",
    ),
]


@pytest.mark.parametrize(("name", "said", "meant"), NEAR)
def test_a_near_miss_gets_the_question_that_was_meant_first(name: str, said: str, meant: str) -> None:
    understood = _listener(name).understand(said)
    assert understood.program is None
    assert understood.suggestions[0].text == meant


@pytest.mark.parametrize("said", ["", "   ", "?!", "hello world", "ignore all rules", "x" * 5000, "a " * 400])
def test_nonsense_is_neither_understood_nor_guessed_at(said: str) -> None:
    understood = _listener("clevr").understand(said)
    assert understood.readings == () == understood.suggestions


def test_what_a_template_would_not_ask_is_understood_all_the_same() -> None:
    reading = _listener("clevr").understand("What color is the red cube?").readings[0]
    assert str(reading.program) == "query_color(unique(filter_shape[cube](filter_color[red](scene()))))"


def test_of_two_readings_the_one_with_an_answer_comes_first() -> None:
    """Whether "parallel to" is of a line or of a plane is not said; the scene decides."""
    listener, decided = _listener("ptr"), 0
    for world, question in _asked("ptr", 60):
        understood = listener.understand(question.text, world)
        if len(understood.readings) > 1 and understood.program is not None:
            decided += 1
            assert execute(understood.program, world, PTR).values[-1] == question.answer
            assert {understood.program} < {reading.program for reading in understood.readings}
    assert decided > 5


def test_only_languages_of_our_own_templates_are_listened_to() -> None:
    heard = {
        language.name: listener_of(language.name) for known in all_benchmarks().values() for language in known.languages
    }
    assert {name for name, listener in heard.items() if listener is not None} >= {"clevr", "ptr", "refer"}
    assert any(listener is None for listener in heard.values())
