"""Between the official language and ours: what both can say, said in the other."""

from __future__ import annotations

import random
from typing import Any

import pytest

from furnished import furnished
from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.official import FORMAT
from mereo.benchmarks.ptr.official_record import PAINT
from mereo.benchmarks.ptr.questions import RULES, ptr_questions
from mereo.benchmarks.ptr.translation import Unsaid, to_official, to_ours
from mereo.benchmarks.ptr.world import ptr_world
from mereo.programs import Program, compile_program, parse_program
from mereo.questions.generate import Asker

official = FORMAT.language


def kinds_of(program: Program, ours: Any) -> dict[int, str]:
    """The kind of every step of an official program that gives a geometry, from the relations that ours names."""
    related = [step.values[0] for step in ours.steps if step.function == "relate_part"]
    kind = related[0].split()[0].split("-")[1] if related else "line"
    return {
        number: kind for number, step in enumerate(program.steps) if step.function in ("query_part-geometry", "surface")
    }


def test_what_both_can_say_comes_back_as_it_was() -> None:
    asker = Asker(ptr_questions(), LANGUAGE, RULES)
    said, families = 0, set()
    for number in range(120):
        world = ptr_world(furnished(number))
        for question in asker.ask(world, 10, chance=random.Random(number)):
            try:
                there = to_official(question.program, PAINT)
            except Unsaid:
                continue
            compile_program(there, official)
            back = to_ours(there, kinds_of(there, question.program))
            again = compile_program(back, LANGUAGE)(world)
            assert again.answer == question.trace.answer, question.text
            said += 1
            families.add(question.template.type)
    assert said > 700
    assert len(families) == 14


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (
            "query_part_color(filter_part_category[leg](own_parts(unique(filter_object_category[chair](scene())))))",
            "query_part-color[leg](unique(filter_object-category[Chair](scene())))",
        ),
        (
            "count_object(filter_part_count[4](count_part(filter_part_category[leg](expand_parts(scene())))))",
            "count(filter_part-count[leg, 4](scene()))",
        ),
        (
            "exist_object(filter_part_exist(filter_part_color[red](filter_part_category[top](expand_parts(scene())))))",
            "exist(filter_color[top, red](scene()))",
        ),
        ("count_object(filter_stability[unstable](scene()))", "count(filter_unstability(scene()))"),
        (
            "count_object(same_part_count(filter_part_category[leg](own_parts(unique(scene())))))",
            "count(same_part-count[leg](unique(scene())))",
        ),
    ],
)
def test_programs_as_each_language_writes_them(ours: str, theirs: str) -> None:
    assert str(to_official(parse_program(ours), PAINT)) == theirs
    assert str(to_ours(parse_program(theirs), {})) == ours


@pytest.mark.parametrize(
    "ours",
    [
        "total(count_part(filter_part_category[leg](expand_parts(scene()))))",
        "query_part_category(relate_part[line-plane parallel](surface[ground]()))",
    ],
)
def test_what_the_official_language_cannot_say_is_refused(ours: str) -> None:
    with pytest.raises(Unsaid):
        to_official(parse_program(ours), PAINT)


@pytest.mark.parametrize(
    ("theirs", "reason"),
    [
        ("equal_object(unique(scene()), unique(scene()))", "nothing for equal_object"),
        ("query_positional-relation(unique(scene()), unique(scene()))", "a relation is no answer"),
        (
            "exist_parallel_line(unique(scene()), query_part-geometry[red, [173, 35, 35]](unique(scene())))",
            "a line or a plane is not known",
        ),
    ],
)
def test_what_our_language_cannot_say_is_refused(theirs: str, reason: str) -> None:
    with pytest.raises(Unsaid, match=reason):
        to_ours(parse_program(theirs), {})
