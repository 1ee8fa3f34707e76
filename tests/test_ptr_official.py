"""`ptr_official` answers as PTR's generator does, defects included, and asks with its templates what it would ask."""

from __future__ import annotations

import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import naive_ptr
from kit import OFFICIAL_DATA, THOROUGH, CommandLine, complaint
from mereo.benchmarks.ptr.official.format import FORMAT, SPELLING
from mereo.benchmarks.ptr.official.language import LANGUAGE
from mereo.benchmarks.ptr.official.options import OfficialDescriptions, narrowed, narrows, shared_parts
from mereo.benchmarks.ptr.official.scene import WORDS
from mereo.benchmarks.ptr.official.world import official_scene
from mereo.chance import fast, generator
from mereo.clevr_family.nodes import Node, Spelling, node_records, steps_of
from mereo.clevr_family.templates import load_family
from mereo.datasets.format import SceneRecord, plain_output
from mereo.evaluation.noise import without
from mereo.programs import Function, Program, ProgramFailure, Type, compile_program, execute, parse_program
from mereo.questions.generate import Question
from mereo.world import World
from ptr_scenes import RGB, SENTINEL, Record, sampled, scene, thing

TEMPLATES = OFFICIAL_DATA / "templates" / "ptr"
needs_templates = pytest.mark.skipif(not TEMPLATES.is_dir(), reason=f"there is no {TEMPLATES}")


def world(record: Record) -> World:
    return FORMAT.world(SceneRecord(record, Path("scene.json"), "the scene"))


def answer(program: str, record: Record) -> Any:
    """What a program gives, in the form of official files; the failure's name where there is none."""
    try:
        trace = execute(program, world(record), LANGUAGE)
    except ProgramFailure as failure:
        return failure.name
    return plain_output(trace.values[-1], trace.executable.types[-1].form)


def program_from(nodes: list[Node], spelling: Spelling) -> Program:
    return Program(tuple(step for step, _ in steps_of(nodes, spelling)))


NO = "no single value"


# The function table


def test_the_57_functions_are_there_and_one_for_the_room() -> None:
    assert len(LANGUAGE.functions) == 58
    assert set(SPELLING.pairs) <= set(LANGUAGE.functions)
    assert SPELLING.word == "surface"


def literal(type: Type, rng: random.Random) -> Any:
    if type.values:
        return rng.choice(type.values)
    return rng.choice(list(RGB.values())) if type.name == "RGB" else rng.randint(0, 6)


def official_literals(function: Function, literals: list[Any]) -> list[Any]:
    form = SPELLING.pairs.get(function.name)
    if form is None:
        return literals
    return [{literals[0]: literals[1]}] if form == "object" else [literals]


@pytest.mark.parametrize("physics", [False, True], ids=["still", "physical"])
def test_every_function_agrees_with_a_naive_one_on_chance_scenes(physics: bool) -> None:
    """Steps are added by chance to what earlier ones gave: the same output, or no output on both sides."""
    reached: dict[str, list[int]] = {name: [0, 0] for name in LANGUAGE.functions}
    for number in range(60 if THOROUGH else 30):
        record = sampled(generator(11, "functions", number), number, physics=physics)
        known, chance = world(record), random.Random(number)
        pool: list[tuple[Type, Any, Any]] = []
        for _ in range(700):
            function = chance.choice(list(LANGUAGE.functions.values()))
            if not physics and "stability" in function.name:
                continue
            given = [[one for one in pool if one[0] == type] for type in function.inputs]
            if not all(given):
                continue
            inputs = [chance.choice(fitting[-12:]) for fitting in given]
            literals = [literal(type, chance) for type in function.values]
            if function.name == "query_part-geometry":
                literals[1] = RGB[literals[0]]
            if function.name == "relate" and literals[0] not in record["relationships"]:
                continue
            if function.name == "surface":
                theirs = literals[0]
            else:
                side = official_literals(function, literals)
                theirs = naive(function.name, [one[2] for one in inputs], side, record)
            try:
                ours = function.call(known, *[one[1] for one in inputs], *literals)
            except ProgramFailure:
                assert theirs is naive_ptr.Invalid, (number, function.name, literals)
                reached[function.name][1] += 1
                continue
            assert theirs is not naive_ptr.Invalid, (number, function.name, literals, ours)
            if function.name != "surface":
                assert plain_output(ours, function.output.form) == theirs, (number, function.name, literals)
            reached[function.name][0] += 1
            pool.append((function.output, ours, theirs))
    expected = {name for name in reached if physics or "stability" not in name}
    if physics:
        expected -= {name for name in reached if "line" in name or "plane" in name or "geom" in name}
        expected -= {"perpendicular", "parallel"}
    else:
        expected -= {"query_direction"}
    assert all(reached[name][0] for name in expected), {name for name in expected if not reached[name][0]}


def naive(name: str, inputs: list[Any], literals: list[Any], record: Record) -> Any:
    try:
        return naive_ptr.step(name, inputs, literals, record)
    except naive_ptr.Invalid:
        return naive_ptr.Invalid


# Its defects and limits, one by one


FURNITURE = scene(
    thing("Chair", {"leg": "red", "seat": "blue", "back": "cyan"}, {"leg": 4}),
    thing("Chair", {"leg": "red", "seat": "green"}, {"leg": 12}),
    thing("Table", {"top": "gray", "leg": "brown", "drawer": "gray"}, {"leg": 6, "drawer": 3}),
    thing("Bed", {"sleep area": "blue", "leg": "red"}, {"leg": 4, "leg bar": 3}),
)
TABLE, BED = "unique(filter_object-category[Table](scene()))", "unique(filter_object-category[Bed](scene()))"
FIRST = "unique(filter_part-category[back](scene()))"


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("count(filter_object-category[Chair](scene()))", 2),
        # Naming a category that all have, also of none at all, is no description.
        ("count(filter_object-category[Chair](filter_object-category[Chair](scene())))", NO),
        ("count(filter_object-category[Cart](filter_object-category[Cart](scene())))", NO),
        ("count(filter_object-category[Cart](scene()))", 0),
        # What is not counted counts as one if it can be seen, in descriptions only.
        ("filter_part-count[seat, 1](scene())", [0, 1]),
        (f"query_part-count[back]({FIRST})", NO),
        # A bed's leg bars have a number and no color.
        (f"query_part-count[leg bar]({BED})", 3),
        ("filter_part-count[leg bar, 3](scene())", []),
        ("filter_part-category[leg bar](scene())", []),
        # Numbers end at nine, except in descriptions.
        ("filter_part-count[leg, 12](scene())", [1]),
        ("query_part-count[leg](unique(filter_part-count[leg, 12](scene())))", NO),
        (f"sum(query_part-count[leg]({TABLE}), query_part-count[drawer]({TABLE}))", 9),
        (f"sum(query_part-count[leg]({TABLE}), query_part-count[leg]({BED}))", NO),
        (f"minus_more(query_part-count[leg]({BED}), query_part-count[leg]({TABLE}))", NO),
        (f"minus_more(query_part-count[leg]({TABLE}), query_part-count[leg]({BED}))", 2),
        (f"minus_less(query_part-count[leg]({TABLE}), query_part-count[leg]({BED}))", NO),
        (f"minus_less(query_part-count[leg]({BED}), query_part-count[leg]({BED}))", 0),
        # One part of a color, and nothing else of the object in that color.
        (f"query_part-category[brown]({TABLE})", "leg"),
        (f"query_part-category[gray]({TABLE})", NO),
        (f"query_part-category[cyan]({TABLE})", NO),
        (f"query_part-color[drawer]({TABLE})", "gray"),
        (f"query_part-color[door]({TABLE})", NO),
        # The object itself is not the same as itself; what lacks the part is not the same either.
        (f"same_part-color[leg]({FIRST})", [1, 3]),
        (f"same_part-count[leg]({FIRST})", [3]),
        (f"same_part-color[top]({TABLE})", []),
        (f"same_part-count[drawer]({FIRST})", NO),
        ("same_object-category(unique(filter_part-count[leg, 12](scene())))", [0]),
    ],
)
def test_parts_colors_and_numbers(program: str, expected: Any) -> None:
    assert answer(program, FURNITURE) == expected


def test_a_color_is_the_same_only_with_its_numbers() -> None:
    other = json.loads(json.dumps(FURNITURE))
    other["objects"][1]["part_color_occluded"]["leg"] = ["red", [173, 35, 36]]
    assert answer(f"same_part-color[leg]({FIRST})", other) == [3]


def test_what_ptr_has_no_name_for_may_not_have_the_color_that_is_asked_for() -> None:
    record = scene(thing("Refrigerator", {"door": "red", "body": "gray"}), thing("Cart", {"wheel": "red"}))
    program = "query_part-category[red](unique(filter_object-category[Refrigerator](scene())))"
    assert answer(program, record) == "door"
    record["objects"][0]["part_color_all"]["handle"] = ["red", [1.0, 0.0, 0.0, 1.0]]
    assert answer(program, record) == NO


def test_more_than_nine_objects_are_not_counted() -> None:
    record = scene(*[thing("Chair", {"seat": "red"}) for _ in range(9)])
    assert answer("count(scene())", record) == 9
    record = scene(*[thing("Chair", {"seat": "red"}) for _ in range(10)])
    assert answer("count(scene())", record) == NO
    assert answer("exist(scene())", record) is True


UP, DOWN, ALONG, TILTED = [0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.0, 0.19, 0.98]


def pair(kind: str, one: Any, other_kind: str, other: Any) -> Record:
    """A chair with a red part and a table with a gray one, with these directions."""
    parts = {"line": "central support", "plane": "pedestal"}
    objects = []
    for category, color, part, direction in (("Chair", "red", kind, one), ("Table", "gray", other_kind, other)):
        geometry = {f"{part}_geo": {parts[part]: direction}}
        objects.append(thing(category, {parts[part]: color}, **geometry))
    return scene(*objects)


def geometry(category: str, color: str) -> str:
    return f"query_part-geometry[{color}, {RGB[color]}](unique(filter_object-category[{category}](scene())))"


def lies(record: Record) -> Any:
    found = answer(f"query_geometric-relation({geometry('Chair', 'red')}, {geometry('Table', 'gray')})", record)
    return found if found == NO else found[2]


@pytest.mark.parametrize(
    ("kind", "one", "other_kind", "other", "expected"),
    [
        ("line", UP, "line", TILTED, "parallel"),
        ("plane", UP, "plane", UP, "parallel"),
        ("line", UP, "plane", UP, "perpendicular"),
        ("line", UP, "line", DOWN, NO),  # a direction and its opposite are not alike
        ("line", UP, "line", ALONG, NO),  # right angles are found only where the largest number is zero
        ("line", UP, "line", [0.0, -1.0, 0.0], "perpendicular"),
        ("plane", UP, "line", [0.0, -1.0, 0.0], "parallel"),
        ("line", [0.0, -1.0, 0.0], "line", UP, NO),  # of the second, that is
        ("line", UP, "line", [0.0, -1.0, -1e-9], "perpendicular"),
        ("line", UP, "line", [1e-9, -1.0, 0.0], NO),
        ("line", [UP], "line", [UP], "parallel"),
        ("line", SENTINEL, "line", SENTINEL, NO),
        ("line", [3.0, -12000.0, 1.0], "line", [3.0, -12000.0, 1.0], "parallel"),  # only large ones are looked for
    ],
)
def test_how_two_parts_lie_to_each_other(kind: str, one: Any, other_kind: str, other: Any, expected: str) -> None:
    assert lies(pair(kind, one, other_kind, other)) == expected


def asked(function: str, record: Record) -> Any:
    return answer(f"{function}(unique(filter_object-category[Table](scene())), {geometry('Chair', 'red')})", record)


@pytest.mark.parametrize(
    ("function", "kind", "one", "other_kind", "other", "expected"),
    [
        ("exist_perpendicular_line", "line", UP, "line", ALONG, True),  # here right angles are found
        ("exist_parallel_line", "line", UP, "line", TILTED, True),
        ("exist_parallel_line", "line", UP, "line", DOWN, False),
        ("exist_parallel_plane", "line", UP, "plane", ALONG, True),
        ("exist_perpendicular_plane", "line", UP, "plane", UP, True),
        ("exist_parallel_plane", "plane", UP, "plane", UP, True),
        ("exist_parallel_line", "plane", UP, "line", ALONG, True),
        ("exist_perpendicular_line", "line", UP, "line", SENTINEL, False),
        ("query_parallel_plane_color", "plane", UP, "plane", UP, "gray"),
        ("query_parallel_plane_color", "plane", UP, "plane", ALONG, NO),
        ("count_parallel_plane", "plane", UP, "plane", [UP], 1),
    ],
)
def test_parts_that_lie_so(function: str, kind: str, one: Any, other_kind: str, other: Any, expected: Any) -> None:
    assert asked(function, pair(kind, one, other_kind, other)) == expected


def test_hidden_parts_are_found_but_not_counted_and_have_no_color() -> None:
    record = pair("plane", UP, "plane", UP)
    table = record["objects"][1]
    table["part_color_occluded"] = {"top": ["blue", RGB["blue"]]}
    assert asked("count_parallel_plane", record) == 0
    assert asked("exist_parallel_plane", record) is False
    assert asked("query_parallel_plane_color", record) == NO
    table["plane_geo"]["top"] = UP
    assert asked("count_parallel_plane", record) == 1
    assert asked("query_parallel_plane_color", record) == NO  # two kinds of part match, though one shows
    analogy = (
        f"query_geometric-analogy-color(query_geometric-relation({geometry('Chair', 'red')}, "
        f"{geometry('Chair', 'red')}), {geometry('Chair', 'red')}, unique(filter_object-category[Table](scene())))"
    )
    assert answer(analogy, record) == "blue"  # an analogy looks at what shows


def test_counts_of_a_part_are_added_and_end_at_nine() -> None:
    record = pair("plane", UP, "line", ALONG)
    table = record["objects"][1]
    table["line_geo"] = {"leg": ALONG, "central support": ALONG}
    table["part_color_occluded"] |= {"leg": ["blue", RGB["blue"]]}
    table["part_count_occluded"] = {"leg": 8}
    assert asked("count_parallel_line", record) == 9
    table["part_count_occluded"] = {"leg": 9}
    assert asked("count_parallel_line", record) == NO
    assert asked("exist_parallel_line", record) is True


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record["objects"][1].update(question_type=["perception"]),
        lambda record: record["objects"][0].update(question_type=["perception"]),
        lambda record: record["objects"][1].pop("question_type"),
        lambda record: record["objects"][1].update(plane_geo={}),
        lambda record: record["objects"][1].pop("line_geo"),
    ],
)
def test_geometry_needs_two_objects_that_may_be_asked_about(change: Any) -> None:
    record = pair("plane", UP, "plane", UP)
    assert asked("exist_parallel_plane", record) is True
    change(record)
    assert asked("exist_parallel_plane", record) == NO


@pytest.mark.parametrize(
    ("category", "function", "expected"),
    [
        ("Refrigerator", "exist_parallel_plane", True),
        ("Refrigerator", "exist_parallel_line", NO),
        ("Cart", "exist_parallel_plane", NO),
        ("Cart", "exist_parallel_line", NO),
    ],
)
def test_carts_have_no_geometry_and_refrigerators_no_lines(category: str, function: str, expected: Any) -> None:
    record = scene(
        thing("Chair", {"pedestal": "red"}, plane_geo={"pedestal": UP}),
        thing(category, {"door": "gray"}, plane_geo={"door": UP}, line_geo={"leg": ALONG}),
    )
    target = f"unique(filter_object-category[{category}](scene()))"
    assert answer(f"{function}({target}, {geometry('Chair', 'red')})", record) == expected
    itself = f"{function}(unique(filter_object-category[Chair](scene())), {geometry('Chair', 'red')})"
    assert answer(itself, record) == NO


def test_a_part_is_taken_for_a_line_first_and_needs_a_color_of_its_own() -> None:
    both: dict[str, Any] = {"line_geo": {"leg": UP}, "plane_geo": {"leg": ALONG, "seat": UP}}
    record = scene(
        thing("Chair", {"leg": "red", "seat": "red", "back": "blue"}, **both), thing("Cart", {"body": "red"})
    )
    assert answer(geometry("Chair", "red"), record) == NO
    assert answer(geometry("Chair", "blue"), record) == NO
    del record["objects"][0]["part_color_occluded"]["seat"]
    assert answer(geometry("Chair", "red"), record) == ["line", UP, 0]
    # Meant to mind what else has that color, the generator does not.
    record["objects"][0]["part_color_all"]["handle"] = ["red", RGB["red"]]
    assert answer(geometry("Chair", "red"), record) == ["line", UP, 0]
    assert answer(geometry("Chair", "red").replace("35]", "36]"), record) == NO


@pytest.mark.parametrize(("surface", "normal"), [("ground", UP), ("left wall", ALONG), ("back wall", [0.0, 1.0, 0.0])])
def test_surfaces_of_the_room_stand_for_parts(surface: str, normal: list[float]) -> None:
    record = scene(
        thing("Table", {"top": "gray"}, plane_geo={"top": normal}), thing("Chair", {"seat": "red"}, question_type=[])
    )
    target = "unique(filter_object-category[Table](scene()))"
    room = f"surface[{surface}]()"
    assert answer(f"exist_parallel_plane({target}, {room})", record) is True
    assert answer(f"parallel(query_geometric-relation({room}, {geometry('Table', 'gray')}))", record) is True
    assert answer(f"query_geometric-relation({geometry('Table', 'gray')}, {room})", record) == NO
    analogy = f"query_geometric-relation({room}, {geometry('Table', 'gray')}), {room}, {target}"
    assert answer(f"query_geometric-analogy-count({analogy})", record) == 1
    record["objects"][0]["question_type"] = ["perception"]
    assert answer(f"exist_parallel_plane({target}, {room})", record) == NO


def physical(*changes: Any) -> Record:
    objects = [
        thing("Chair", {"seat": "red"}, stability="no", **({} if change is None else {"possible_change": change}))
        for change in changes
    ]
    return scene(*objects, thing("Table", {"top": "red"}, stability="yes"), physics=True)


@pytest.mark.parametrize(
    ("change", "direction", "left"),
    [
        ([["left"], [0.5, 0, 0]], "left", True),
        ([["left", "left"], [0.5, 0, 0]], NO, True),  # stable at both distances: twice the same
        ([["left", "right"], [0.5, 0, 0]], NO, True),
        ([[], [0, 0, 0]], NO, False),
        (None, NO, False),
    ],
)
def test_which_change_would_make_it_stable(change: Any, direction: str, left: bool) -> None:
    chair = "unique(filter_unstability(scene()))"
    assert answer(f"query_direction({chair})", physical(change)) == direction
    assert answer(f"query_change[left]({chair})", physical(change)) is left
    assert answer(f"query_stability({chair})", physical(change)) is False
    assert answer(f"query_unstability({chair})", physical(change)) is True
    assert answer("filter_stability(scene())", physical(change)) == [1]


def test_stability_that_is_not_known_is_no_answer() -> None:
    assert answer("filter_stability(scene())", FURNITURE) == NO
    assert answer(f"query_stability({TABLE})", FURNITURE) == NO


def test_relations_of_two_come_in_the_order_of_the_scene() -> None:
    record = sampled(generator(3, "order"), 0)
    names = [name for name, table in record["relationships"].items() if 1 in table[0]]
    reversed_scene = {**record, "relationships": dict(reversed(record["relationships"].items()))}
    relations = LANGUAGE.function("query_positional-relation").call
    assert list(relations(world(record), 0, 1)) == names
    assert list(relations(world(reversed_scene), 0, 1)) == names[::-1]


def test_an_analogy_of_places_needs_all_relations_and_none_fits_everything() -> None:
    record = scene(*[thing("Chair", {"seat": color}) for color in ("red", "blue", "gray", "cyan")])
    seat = "unique(filter_color[seat, {}](scene()))".format
    right = f"query_positional-relation({seat('red')}, {seat('blue')})"
    assert answer(right, record) == ["right"]
    assert answer(f"query_positional-analogy-count({right}, {seat('blue')})", record) == 2
    assert answer(f"query_positional-analogy-category({right}, {seat('gray')})", record) == "Chair"
    assert answer(f"query_positional-analogy-category({right}, {seat('blue')})", record) == NO
    assert answer(f"query_positional-analogy-exist({right}, {seat('cyan')})", record) is False
    nowhere = f"query_positional-relation({seat('red')}, {seat('red')})"
    assert answer(nowhere, record) == []
    assert answer(f"query_positional-analogy-count({nowhere}, {seat('red')})", record) == 3


def test_relations_that_the_file_lacks_hold_for_none_and_all_are_computed_from_places() -> None:
    record = sampled(generator(4, "places"), 0)
    known = world(record)
    assert set(known.related["above"]) == {0}
    without = {name: value for name, value in record.items() if name != "relationships"}
    assert world(without).related == known.related


def test_a_world_of_another_kind_says_what_it_lacks() -> None:
    from kit import world as clevr_world

    said = str(complaint(lambda: execute("filter_color[leg, red](scene())", clevr_world(0), LANGUAGE)))
    assert said.endswith("this world knows no fact 'OfficialScene' (there is none)")


# OfficialDescriptions


def test_what_is_said_of_a_part_must_narrow_the_category() -> None:
    known = world(FURNITURE)
    everything = known.objects
    assert narrowed(known, everything, ("Chair", "leg", None, None)) is None  # all chairs have legs
    assert narrowed(known, everything, ("Chair", "leg", 4, None)) == 0b0001
    assert narrowed(known, everything, (None, "leg", None, None)) == everything
    assert narrowed(known, 0b0011, ("Chair", "back", None, None)) is None  # "chair" narrows nothing
    assert narrowed(known, everything, ("Chair", "leg", None, "gray")) == 0  # nothing left is not nothing narrowed
    program = parse_program("count(filter_part-category[leg](filter_object-category[Chair](scene())))")
    trace = compile_program(program, LANGUAGE)(known)
    assert not narrows(program, trace.values)
    assert trace.values[-1] == 2  # it does not change what steps give


def test_descriptions_name_common_parts_without_a_category_only() -> None:
    both = world(FURNITURE)
    assert {"leg", "back", "pedestal"} <= shared_parts(both)
    assert not {"seat", "door", "wheel"} & shared_parts(both)
    assert {"body", "leg bar"} <= shared_parts(both)
    offered = OfficialDescriptions(both, numbers=True, nothing=True).denotes
    assert (None, "seat", None, None) not in offered
    assert ("Chair", "seat", None, None) not in offered  # every chair has one
    assert ("Chair", "seat", 1, None) not in offered
    assert offered["Chair", "seat", None, "green"] == 0b0010
    assert offered[None, None, None, None] == 0b1111
    assert not any(number for _, _, number, _ in OfficialDescriptions(both, numbers=False, nothing=False).denotes)
    assert all(part for _, part, number, color in offered if number or color)
    horizontal = world(scene(thing("Chair", {"arm horizontal bar": "red"}), thing("Cart", {"wheel": "red"})))
    named = OfficialDescriptions(horizontal, numbers=True, nothing=True).denotes
    assert not any(number for _, part, number, _ in named if part == "arm horizontal bar")
    assert ("Cart", "wheel", None, None) not in named
    assert ("Cart", "wheel", 1, None) in named


# Files


def nodes_of(records: list[dict[str, Any]]) -> list[Node]:
    return [
        Node(inputs=node["inputs"], type=node["type"], value_inputs=node["value_inputs"], output=node["_output"])
        for node in records
    ]


def test_programs_go_through_our_notation_and_back_without_loss() -> None:
    records: list[dict[str, Any]] = [
        {"type": "scene", "inputs": [], "value_inputs": [], "_output": [0, 1]},
        {"type": "filter_color", "inputs": [0], "value_inputs": [{"top": "gray"}], "_output": [1]},
        {"type": "filter_part-count", "inputs": [1], "value_inputs": [{"top": 1}], "_output": [1]},
        {"type": "unique", "inputs": [2], "value_inputs": [], "_output": 1},
        {
            "type": "query_part-geometry",
            "inputs": [3],
            "value_inputs": [["gray", RGB["gray"]]],
            "_output": ["plane", [UP], 1],
        },
        {
            "type": "query_geometric-relation",
            "inputs": ["ground", 4],
            "value_inputs": [],
            "_output": ["plane", "plane", "parallel"],
        },
        {"type": "parallel", "inputs": [5], "value_inputs": [], "_output": True},
    ]
    objects = thing("Chair", {"seat": "red"}), thing("Table", {"top": "gray"}, plane_geo={"top": [UP]})
    program = program_from(nodes_of(records), SPELLING)
    trace = compile_program(program, LANGUAGE)(world(scene(*objects)))
    assert node_records(trace, SPELLING) == records
    again = compile_program(str(program), LANGUAGE)(world(scene(*objects)))
    assert node_records(again, SPELLING) == records
    assert "surface[ground]()" in str(program)
    assert "filter_color[top, gray]" in str(program)


def test_files_of_the_official_generator_agree_completely(mereo: CommandLine, official_data: Path) -> None:
    samples = official_data / "official_samples"
    files = "--scenes", samples / "ptr_scenes", "--questions", samples / "ptr_questions.json"
    done = mereo("verify", "--language", "ptr_official", *files)
    questions = json.loads((samples / "ptr_questions.json").read_text())["questions"]
    steps = sum(len(one["program"]) for one in questions)
    assert done.out == f"answers: 30 of 30 (100%)\nsteps: {steps} of {steps} (100%)\n"


@cache
def our_questions() -> tuple[tuple[Record, Question], ...]:
    """Questions of the official templates about scenes made by chance, a third of them physical."""
    dialect = FORMAT.dialect
    family = load_family(
        TEMPLATES / "templates",
        metadata=TEMPLATES / "metadata.json",
        synonyms=TEMPLATES / "synonyms.json",
        dialect=dialect,
    )
    assert dialect.asker is not None
    asker = dialect.asker(family, dialect.language, dialect.rules)
    found = []
    for number in range(60):
        record = sampled(generator(21, "asked", number), number, physics=number % 3 == 2)
        chance = fast(generator(21, "questions", number))
        found += [(record, question) for question in asker.ask(world(record), 10, chance=chance)]
    return tuple(found)


@needs_templates
def test_every_question_is_one_that_the_official_generator_could_write() -> None:
    questions = our_questions()
    titles = {question.template.title for _, question in questions}
    assert "one_hop/1" not in titles  # always "yes", also without its relation
    assert len(titles) >= 57  # of the other 58; the first analogy is rare
    for record, question in questions:
        nodes = node_records(question.trace, SPELLING)
        assert naive_ptr.run(nodes, record) == [node["_output"] for node in nodes]
        assert question.text == question.text.lower()
        assert not set("<>") & set(question.text)
        source = question.template.source
        assert ("physics" in source) <= bool(record.get("physics"))
        assert not (source == "geometry.json" and "physics" in record)
        if question.answer in RGB and "geometr" in source + question.template.type:
            assert question.answer not in question.text
        relations = {node["value_inputs"][0] for node in nodes if node["type"] == "relate"}
        assert not relations & {"above", "below"} or "stable" in question.text
        assert same_without_relation(nodes, record) is False
        assert not unnarrowed(nodes)


def same_without_relation(nodes: list[dict[str, Any]], record: Record) -> bool:
    """Whether any relation could as well be the whole scene: run naively with its result replaced."""
    for place, node in enumerate(nodes):
        if node["type"] == "relate":
            changed = [*nodes[:place], {"type": "scene", "inputs": [], "value_inputs": []}, *nodes[place + 1 :]]
            try:
                if naive_ptr.run(changed, record)[-1] == nodes[-1]["_output"]:
                    return True
            except naive_ptr.Invalid:
                pass
    return False


def unnarrowed(nodes: list[dict[str, Any]]) -> bool:
    """Whether a category is followed by filters of parts that leave all it left."""
    for place, node in enumerate(nodes):
        if node["type"] == "filter_object-category":
            last = place
            while last + 1 < len(nodes) and re.match("filter_(part|color)", nodes[last + 1]["type"]):
                last += 1
            if last > place and node["_output"] and nodes[last]["_output"] == node["_output"]:
                return True
    return False


@needs_templates
def test_no_question_names_a_part_or_color_that_it_asks_about() -> None:
    checked = 0
    for _, question in our_questions():
        steps = question.program.steps
        for place, (step, value) in enumerate(zip(steps, question.trace.values, strict=True)):
            if step.function in ("query_part-color", "query_part-count", "query_part-category"):
                named = [word for before in steps[:place] for word in before.values if isinstance(word, str)]
                assert step.values[0] not in named
                assert value not in named
                checked += 1
    assert checked > 100


@needs_templates
def test_answers_are_kept_flat_by_ptrs_rule() -> None:
    """Before each question its answer was at most 1.1 times as frequent as the second, and at most 7."""
    counts: dict[str, dict[Any, int]] = {}
    for _, question in our_questions():
        domain = {"boolean": (True, False), "integer": tuple(range(10))}
        output = question.template.output
        own = counts.setdefault(question.template.title, dict.fromkeys(output.values or domain[output.form], 0))
        assert question.answer in own
        if question.template.type != "geometry":
            assert own[question.answer] <= 1.1 * sorted(own.values())[-2]
        assert own[question.answer] <= 7
        own[question.answer] += 1


@needs_templates
def test_the_official_templates_run_unchanged_and_what_they_give_verifies(mereo: CommandLine, tmp_path: Path) -> None:
    scenes, out = tmp_path / "scenes", tmp_path / "questions.json"
    scenes.mkdir()
    for number in range(8):
        record = sampled(generator(31, "files", number), number, physics=number % 2 == 1)
        if number == 0:
            record["question"] = False
        (scenes / f"PTR_val_{number:06d}.json").write_text(json.dumps(record))
    folder = TEMPLATES
    command: list[str | Path] = ["questions", "--scenes", scenes, "--templates", folder / "templates", "--out", out]
    command += ["--metadata", folder / "metadata.json", "--synonyms", folder / "synonyms.json"]
    done = mereo(*command)
    questions = json.loads(out.read_text())["questions"]
    assert done.out.startswith(f"{len(questions)} questions about 8 scenes in ")
    assert 60 < len(questions) <= 70
    assert {question["image_index"] for question in questions} == set(range(1, 8))
    values = [value for one in questions for node in one["program"] for value in node["value_inputs"]]
    assert {type(value) for value in values} == {str, dict, list}
    done = mereo("verify", "--language", "ptr_official", "--scenes", scenes, "--questions", out)
    assert re.fullmatch(r"answers: (\d+) of \1 \(100%\)\nsteps: (\d+) of \2 \(100%\)\n", done.out)
    mereo(*command[:-5], tmp_path / "again.json", *command[-4:])
    assert (tmp_path / "again.json").read_bytes() == out.read_bytes()
    by_scene(questions, tmp_path / "by_scene")
    (tmp_path / "all.json").write_text(
        json.dumps({"scenes": [json.loads(path.read_text()) for path in sorted(scenes.iterdir())]})
    )
    for layout in (scenes, tmp_path / "all.json"):
        again = mereo("verify", "--language", "ptr_official", "--scenes", layout, "--questions", tmp_path / "by_scene")
        assert again.out == done.out


def by_scene(questions: list[dict[str, Any]], folder: Path) -> None:
    """One file for each scene, as the generator writes them besides: `side_inputs`, where there are any, and +1."""
    folder.mkdir()
    files: dict[str, list[Any]] = {}
    for question in json.loads(json.dumps(questions)):
        question["question_index"] += 1
        for node in question["program"]:
            values = node.pop("value_inputs")
            if values:
                node["side_inputs"] = values
        files.setdefault(question["image"], []).append(question)
    for name, own in files.items():
        (folder / f"{name}_question.json").write_text(json.dumps({"questions": own}))


def test_a_question_about_another_picture_is_not_answered_by_number(mereo: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "scenes.json").write_text(json.dumps({"scenes": [FURNITURE]}))
    program = [{"type": "scene", "inputs": []}, {"type": "count", "inputs": [0]}]
    question = {"image_index": 0, "image_filename": "PTR_train_000000.png", "program": program, "answer": 4}
    (tmp_path / "questions.json").write_text(json.dumps({"questions": [question]}))
    files = "--scenes", tmp_path / "scenes.json", "--questions", tmp_path / "questions.json"
    refused = mereo("verify", "--language", "ptr_official", *files, code=2)
    assert (
        "question 0, field 'image_filename': asks about PTR_train_000000.png, of which there is no scene" in refused.err
    )


def test_programs_of_official_scenes_run_from_the_command_line(mereo: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "scene.json").write_text(json.dumps(FURNITURE))
    arguments = "--world", tmp_path / "scene.json", "--language", "ptr_official", "--trace"
    done = mereo("run", f"query_part-count[leg bar]({BED})", *arguments)
    assert done.out.splitlines()[-1] == "3"
    assert "query_part-count[leg bar]" in done.out
    assert WORDS["parts"][0] in mereo("functions", "ptr_official").out


# Worlds that are made anew


def test_noise_on_official_scenes_is_noise_and_not_silence(
    official_data: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    samples = official_data / "official_samples"
    folder = tmp_path / "samples"
    questions = samples / "ptr_questions.json"
    mereo("import", "ptr", folder, "--scenes", samples / "ptr_scenes", "--questions", questions)
    done = mereo("oracle", folder, "--noise", "attributes=0.0001")
    assert "not answered" not in done.out
    assert "100.0" in done.out


def test_a_scene_without_some_objects_is_still_an_official_one() -> None:
    record = sampled(generator(3, "kept", 0), 0, physics=False)
    true = world(record)
    seen = without(true, {0})
    left, kept = official_scene(true), official_scene(seen)
    assert kept.things == left.things[1:]
    assert kept.numbered == {key: bits >> 1 for key, bits in left.numbered.items() if bits >> 1}
    assert kept.colored == {key: bits >> 1 for key, bits in left.colored.items() if bits >> 1}
