"""What is asked of a scene: what every eye sees, in words that tell nothing, by programs that one split owns."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from furnished import furnished, part, room, thing
from mereo.benchmarks.ptr.describe import DESCRIBER
from mereo.benchmarks.ptr.hearing import listener
from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.questions import RULES, ptr_questions
from mereo.benchmarks.ptr.readings import ptr_readings
from mereo.benchmarks.ptr.world import ptr_world
from mereo.errors import UnknownName
from mereo.programs import parse_program
from mereo.questions.generate import Asker, Question
from mereo.questions.hearing import words_of
from mereo.questions.ownership import is_common, owner_of
from mereo.questions.phrase import Said, Speech
from mereo.questions.readings import stands_in
from mereo.questions.rules import Tally
from mereo.questions.template_set import TemplateSet
from mereo.questions.toml_text import holes_of, parse_text


def legs(visible: int, **more: Any) -> dict[str, Any]:
    """A room of a table with so many legs and a bed."""
    table = thing("table", part("top", "red"), *[part("leg", "blue")] * visible, **more)
    return room(table, thing("bed", part("sleep area", "green"), part("back", "gray"), at=(2, 0)))


def asked(record: dict[str, Any], *titles: str, seeds: int = 20) -> list[Question]:
    """What is asked of a record by some templates."""
    whole = ptr_questions()
    chosen = tuple(template for template in whole.templates if not titles or template.title in titles)
    rules = replace(RULES, balanced=False, margin=None, common=1.0)
    found: list[Question] = []
    for seed in range(seeds):
        asker = Asker(TemplateSet(chosen, whole.speech), LANGUAGE, rules)
        found += asker.ask(ptr_world(record), 10, chance=random.Random(seed), readings=ptr_readings(record))
    return found


@cache
def furnished_questions(split: str, scenes: int = 120) -> tuple[tuple[int, Question], ...]:
    """Questions of random furniture, each with the number of its scene."""
    asker = Asker(ptr_questions(), LANGUAGE, RULES, split)
    return tuple(
        (seed, question)
        for seed in range(scenes)
        for question in asker.ask(ptr_world(furnished(seed)), 10, chance=random.Random(f"{split} {seed}"))
    )


def test_what_an_eye_could_count_otherwise_is_not_counted() -> None:
    assert asked(legs(3), "concept/count_part")
    faint = {**part("leg", "blue"), "pixels": 9}
    assert not asked(legs(3, faint=[faint]), "concept/count_part")
    record = legs(3, faint=[faint])
    for question in asked(record, seeds=3):
        assert all(stands_in(other, question.trace, LANGUAGE) for other in ptr_readings(record).by_eye)


def test_where_what_is_hidden_would_be_counted_too_the_words_say_visible() -> None:
    hidden = {name: value for name, value in part("leg", "blue").items() if name != "box"}
    texts = {question.text for question in asked(legs(3, hidden=[{**hidden, "pixels": 0}]), "concept/count_part")}
    assert texts
    assert all("visible" in text or "see" in text for text in texts)


def test_visible_is_said_where_it_must_be_and_else_as_often_as_the_speech_says() -> None:
    text = parse_text("How many {visible} legs are there?")
    assert holes_of(text.source) == []
    said = Said({}, {}, ptr_world(legs(1)))
    must, seldom, often = Speech(), Speech(), Speech(visibly=1.0)
    assert must.say([text], replace(said, visible=True), random.Random(0)) == "How many visible legs are there?"
    assert seldom.say([text], said, random.Random(0)) == "How many legs are there?"
    assert often.say([text], said, random.Random(0)) == "How many visible legs are there?"
    silent = parse_text("How many legs [that are visible] does it have?")
    assert not silent.of_visible
    assert {must.say([silent, text], replace(said, visible=True), random.Random(seed)) for seed in range(9)} == {
        "How many visible legs are there?"
    }


def test_visible_is_heard_and_need_not_be() -> None:
    understanding = listener()
    (template,) = [one for one in understanding.templates.templates if one.title == "concept/count_part"]
    marked = replace(template, texts=(parse_text("Count the {visible} {N.plural} that belong to the {A}!"),))
    hears = replace(understanding, templates=replace(understanding.templates, templates=(marked,)))
    programs = {hears.understand(f"Count the {way}legs that belong to the table!").program for way in ("", "visible ")}
    assert len(programs) == 1
    assert None not in programs


def test_a_word_that_would_tell_the_answer_must_wait_for_another() -> None:
    tally = Tally(("chair", "table", "bed", "cart"))
    for answer in ("chair", "table", "bed", "cart") * 5:
        tally.add(answer)
    rules = replace(RULES, margin=0.1)
    assert not tally.telling("cart", {"door": 1}, rules)
    tally.add("cart", {"door": 1})
    assert tally.telling("cart", {"door": 1}, rules)
    assert not tally.telling("cart", {"door": 2}, rules)
    assert not tally.telling("table", {"door": 1}, rules)
    assert not tally.telling("cart", {"door": 1}, replace(rules, margin=None))
    tally.clear()
    assert not tally.told


def test_what_fits_nothing_says_as_much_as_what_fits() -> None:
    world = ptr_world(furnished(7, physical=False))
    fitting = DESCRIBER.descriptions(world)
    chance = random.Random(0)
    drawn = [DESCRIBER.drawn(chance, world) for _ in range(400)]
    assert {tuple(value is None for value in one) for one in drawn} <= {
        tuple(value is None for value in one) for one in fitting.every
    }
    assert sum(not fitting.denoted(one) for one in drawn) > 200


def test_neither_a_program_nor_a_text_is_asked_twice_of_a_scene() -> None:
    questions = furnished_questions("train")
    assert max(Counter((seed, str(question.program)) for seed, question in questions).values()) == 1
    assert max(Counter((seed, question.text) for seed, question in questions).values()) == 1


def test_no_answer_stands_in_its_question() -> None:
    for _, question in furnished_questions("train"):
        if isinstance(question.answer, str):
            said = f" {' '.join(words_of(question.text))} "
            assert f" {question.answer} " not in said, question.text


def test_no_two_descriptions_have_the_same_part_in_the_same_number_or_color() -> None:
    assert DESCRIBER.alike((None, "leg", 4, "gray"), ("table", "leg", 4, None))
    assert DESCRIBER.alike((None, "leg", None, "gray"), ("table", "leg", 4, "gray"))
    assert not DESCRIBER.alike((None, "leg", 4, None), ("table", "arm", 4, None))
    assert not DESCRIBER.alike((None, "leg", None, None), ("table", "leg", None, None))


def test_how_many_things_there_are_is_seldom_asked() -> None:
    kinds = Counter(question.template.type for _, question in furnished_questions("train"))
    bare = sum(str(question.program) == "count_object(scene())" for _, question in furnished_questions("train"))
    assert bare <= 0.05 * (kinds["count-object"] + 1)


def test_a_program_of_any_variety_is_asked_by_one_split_only() -> None:
    train, test = ({question.program for _, question in furnished_questions(split)} for split in ("train", "test"))
    assert all(is_common(program, LANGUAGE, RULES) for program in train & test)
    assert {owner_of(program, LANGUAGE, RULES) for program in train} <= {"train", None}
    assert {owner_of(program, LANGUAGE, RULES) for program in test} <= {"test", None}


def test_programs_are_dealt_out_by_their_shares_and_few_are_common() -> None:
    parts, colors = ("leg", "arm", "door", "wheel", "seat"), ("red", "blue", "gray", "cyan", "green")
    programs = [
        parse_program(
            f'count_object(filter_part_count[{n}](count_part(filter_part_color["{color}"]('
            f'filter_part_category["{name}"](expand_parts(scene()))))))'
        )
        for n in range(1, 9)
        for name in parts
        for color in colors
    ]
    owners = Counter(owner_of(program, LANGUAGE, RULES) for program in programs)
    for split, share in RULES.owners.items():
        assert abs(owners[split] / len(programs) - share) < 0.1
    assert owner_of(programs[0], LANGUAGE, replace(RULES, owners={})) is None
    assert is_common(parse_program('count_object(filter_object_category["chair"](scene()))'), LANGUAGE, RULES)


def test_a_split_that_owns_nothing_is_named() -> None:
    with pytest.raises(UnknownName, match="there is no split that owns programs 'trian'"):
        Asker(ptr_questions(), LANGUAGE, RULES, "trian")
