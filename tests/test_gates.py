"""Gates: figures of whole datasets, each found by planting what it counts."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from furnished import half_seen, part, room, thing
from kit import THOROUGH, CommandLine
from mereo.benchmarks.ptr.gates import CountingAll, Tilt
from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.questions import RULES, ptr_questions
from mereo.benchmarks.ptr.readings import ptr_readings
from mereo.benchmarks.ptr.truth import Truth, faults, names_in
from mereo.benchmarks.ptr.world import ptr_world
from mereo.datasets.gates import Gate, Watch
from mereo.datasets.guessing import Guessing
from mereo.datasets.repeats import Repeats
from mereo.datasets.rows import question_row
from mereo.questions.generate import Asker, Question
from mereo.questions.readings import Readings
from naive_doubts import doubts

CHAIR = "own_parts(unique(filter_object_category[chair](scene())))"
LEGS = f"filter_part_category[leg]({CHAIR})"
COUNTED = f"total(count_part({LEGS}))"
UP, ASKEW = [0, 0, 1], [0.2, 0, 1]


def question(text: str, program: str, answer: str = "", **more: Any) -> dict[str, Any]:
    row = {"question_id": "train-0-00", "scene_id": "train-0", "split": "train", "subtype": "some", "template": "some"}
    return row | {"question": text, "program": program, "answer": answer} | more


def looked(watch: Watch, record: dict[str, Any], *questions: dict[str, Any]) -> dict[str, Gate]:
    watch.look({"scene_id": "train-0", "split": "train", "scene": json.dumps(record)}, questions)
    return {gate.name: gate for gate in watch.gates()}


def broken(record: dict[str, Any], *questions: dict[str, Any]) -> set[str]:
    """The first word of every gate of truth that is not met."""
    found = looked(Truth(), record, *questions).values()
    assert all(bool(gate.complaint()) == (gate.met is False) for gate in found)
    return {gate.name for gate in found if not gate.met}


def legs(*pixels: int, **more: Any) -> list[dict[str, Any]]:
    return [part("leg", "red", line=UP) | {"pixels": each} | more for each in pixels]


def chair(*pixels: int, **unseen: Any) -> dict[str, Any]:
    return room(thing("chair", part("seat", "blue"), *legs(*pixels), **unseen), thing("table", part("top", "gray")))


# Truth.


def test_a_second_implementation_finds_the_same_questions_false_and_in_doubt() -> None:
    names = dict.fromkeys(("false", "faint", "dim", "rough", "mixed"), 0)
    for record, asked in half_seen_questions(100 if THOROUGH else 50, 8, readings=False):
        found = faults(record, [question_row(each, "train-0", "train", 0, type="some") for each in asked])
        for each, own in zip(asked, found, strict=True):
            expected = doubts(each.program, each.text, record)
            assert own & names.keys() == expected, (each.text, str(each.program))
            for name in expected:
                names[name] += 1
    assert all(names.values()), names


def test_what_stands_in_every_reading_is_neither_false_nor_in_doubt() -> None:
    checked = 0
    for record, asked in half_seen_questions(40, 6, readings=True):
        for each in asked:
            assert not doubts(each.program, each.text, record), each.text
            checked += 1
    assert checked > 100


def half_seen_questions(rooms: int, count: int, *, readings: bool) -> Iterator[tuple[dict[str, Any], list[Question]]]:
    """Questions about rooms of which some is hidden and some in doubt. readings : whether the asker knows that"""
    asker = Asker(ptr_questions(), LANGUAGE, RULES, split="train")
    for number in range(rooms):
        record = half_seen(number)
        known = ptr_readings(record) if readings else Readings()
        yield record, list(asker.ask(ptr_world(record), count, chance=random.Random(number), readings=known))


def test_what_is_hidden_counts_unless_the_text_speaks_of_what_is_seen() -> None:
    record = chair(100, 100, 100, hidden=legs(0))
    assert broken(record, question("How many legs does the chair have?", COUNTED)) == {"texts false at face value"}
    assert not broken(record, question("How many legs of the chair can be seen?", COUNTED))
    assert not broken(record, question("What is the number of visible legs?", COUNTED))
    assert not broken(chair(100, 100), question("How many legs does the chair have?", COUNTED))


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("How many visible legs does the chair have?", COUNTED),
        ("Do you see a thing with three legs?", "exist_object(filter_part_count[3](count_part({})))"),
        ("Do you see a thing with legs that is a table?", "exist_object(filter_part_exist({}))"),
    ],
)
def test_a_few_pixels_are_neither_counted_nor_denied(text: str, program: str) -> None:
    every = "filter_part_category[leg](expand_parts(scene()))"
    record = chair(100, 100, faint=legs(24))
    if "table" in text:
        every = "filter_part_category[leg](expand_parts(filter_object_category[table](scene())))"
        record["objects"][1]["faint"] = legs(1)
    name = {"parts of a few pixels counted, numbered or denied"}
    assert broken(record, question(text, program.replace("{}", every))) == name


def test_a_few_pixels_have_no_color() -> None:
    asked = question("How many things have red legs?", f"exist_part(filter_part_color[red]({LEGS}))")
    assert broken(chair(59, 30), asked) == {"colors of a few pixels told, asked or denied", "texts false at face value"}
    assert not broken(chair(60, 30), asked)


@pytest.mark.parametrize(("axis", "name"), [(ASKEW, "nearly parallel"), (UP, "lines and planes"), (None, "")])
def test_lines_in_doubt_are_not_asked_about(axis: list[float] | None, name: str) -> None:
    record = chair(100)
    others = {"askew": [part("leg", "gray", line=ASKEW)], "mixed": [part("leg", "gray", line=UP), part("leg", "gray")]}
    own = others["askew" if axis == ASKEW else "mixed"] if axis else [part("leg", "gray", line=UP)]
    record["objects"][1]["parts"] += own
    table = "filter_part_geometry[line](own_parts(unique(filter_object_category[table](scene()))))"
    program = f"total(count_part(intersect_parts(relate_part[line-line parallel](as_geometry({LEGS})), {table})))"
    found = broken(record, question("How many?", program))
    assert [one.startswith(name) for one in found] == ([True] if name else [])


def test_an_answer_is_not_in_the_question() -> None:
    asked = question("Which part of the chair with legs is red?", COUNTED, "leg")
    assert broken(chair(100), asked) == {"answers that stand in the question"}
    assert names_in("the chair with leg bars before the back wall") == {"chair", "leg bar", "back wall"}
    assert names_in("Is the fridge red?") == {"refrigerator", "red"}


def test_texts_are_short_and_say_a_number_once() -> None:
    assert broken(chair(100), question("so " * 46, COUNTED)) == {"texts of more than 45 words"}
    legs_of = "filter_part_count[1](count_part(filter_part_category[leg](expand_parts({}))))"
    near = f"relate_object[left](unique({legs_of.format('scene()')}))"
    twice = question("How many?", f"count_object({legs_of.format(near)})")
    assert broken(chair(100), twice) == {"descriptions with the same part and number twice"}
    apart = f"unique({legs_of.format('scene()')})"
    categories = f"query_object_category({apart})"
    assert not broken(chair(100), question("Same?", f"equal_object_category({categories}, {categories})"))


# Balance.


def test_what_is_asked_again_is_counted() -> None:
    watch = Repeats(within=0, across={"question": 0.05})
    rows = [question(f"a {k % 400}", f"b {k}", split="train") for k in range(500)]
    rows += [question(f"a {k}", f"b {k}", split="test") for k in range(300, 800)]
    for row in rows[:-1]:
        watch.look({}, [row])
    found = looked(watch, {}, rows[-1])
    assert found["judged programs that stand in training"].found == 0.4
    assert found["judged texts that stand in training"].met is False
    assert found["programs repeated within a scene"].met
    found = looked(Repeats(within=0), {}, rows[0], rows[0])
    assert found["programs repeated within a scene"].complaint()
    assert "judged texts that stand in training" not in found


def guessing(told: float, place: int = 0) -> Gate:
    """What is found where a word tells the answer in this share of questions. place : of the sort, or of all"""
    watch, chance = Guessing(most=0.1, most_of_all=0.7), random.Random(4)
    for k in range(600):
        answer = chance.choice(["yes", "no"])
        word = {"yes": "red", "no": "blue"}[answer if chance.random() < told else chance.choice(["yes", "no"])]
        words = [chance.choice(["cube", "ball", "big", "small"]) for _ in range(4)]
        text = " ".join([*words, word])
        watch.look({}, [question(text, "", answer, question_id=str(k), scene_id=str(k // 5))])
    return list(watch.gates())[place]


def test_words_that_give_the_answer_away_are_found() -> None:
    assert guessing(0.0).met
    found = guessing(0.8)
    assert found.met is False
    assert found.found is not None
    assert 0.3 < found.found < 0.5
    assert found == guessing(0.8)
    assert found.complaint() is None


def test_what_words_tell_of_all_questions_has_a_bound_of_its_own() -> None:
    low, high = guessing(0.0, place=1), guessing(0.8, place=1)
    assert (low.met, high.met) == (True, False)
    assert high.found is not None
    assert 0.8 < high.found < 1
    assert guessing(0.8).note.startswith(f"{high.found:.1%}")


def test_few_questions_say_nothing() -> None:
    gate = next(iter(looked(Guessing(most=0.1), {}, question("a", "b", "c")).values()))
    assert (gate.found, gate.met, gate.verdict) == (None, None, "too few")
    counted = question("How many things are there?", "count_object(scene())", subtype="count-object")
    watch = CountingAll()
    assert looked(watch, {}, *[counted] * 99)["count-object that counts everything"].verdict == "too few"
    assert looked(watch, {}, counted)["count-object that counts everything"].verdict == "not met"


def test_tilt_tells_little_of_stability_and_wheels_roll() -> None:
    def tilted(stability: str, degrees: float) -> dict[str, Any]:
        half = degrees / 360 * 3.14159265
        return thing("chair", stability=stability, rotation=[1 - half**2 / 2, half, 0, 0])

    fair = [tilted("stable", 10), tilted("stable", 0), tilted("unstable", 10), tilted("unstable", 0)]
    name = "stability told by tilt alone"
    assert looked(Tilt(), room(*fair * 60))[name].found == 0.5
    assert looked(Tilt(), room(*[tilted("stable", 0), tilted("unstable", 20)] * 120))[name].met is False
    free, near = {"back wall": 0.5}, {"back wall": 0.1}
    doubtful = "tilted objects that leave open whether they touch a wall"
    for stability, more, met in [
        ("stable", {"gaps": {"back wall": 0.0}, "contact": 12}, True),
        ("stable", {"gaps": {"back wall": 0.0}, "contact": 11}, False),
        ("unstable", {"gaps": free, "contact": 0, "contrast": 30}, True),
        ("unstable", {"gaps": free, "contact": 0, "contrast": 20}, False),
        ("unstable", {"gaps": near, "contact": 0}, False),
    ]:
        assert looked(Tilt(), room(tilted(stability, 10) | {"wheels": False} | more))[doubtful].met == met
    rolling = looked(Tilt(), room(tilted("stable", 10) | {"wheels": True, "gaps": free, "contact": 0}))
    assert rolling["stable objects that stand tilted on wheels"].complaint()


# The command.


def test_the_command_prints_gates_and_gives_them_as_values(mereo: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    mereo("build", "clevr", str(folder), "--split", "train=3", "--symbolic")
    shown = mereo("audit", str(folder))
    assert "programs repeated within a scene" in shown.out
    assert "guessed by words (compare_" in " ".join(shown.out.split())
    assert "too few" in shown.out
    told = json.loads(mereo("audit", str(folder), "--json").out)
    assert told["complaints"] == []
    assert {"name", "found", "most", "of", "met"} <= set(told["gates"][0])
