"""World files: what is saved is read back the same, and what is wrong in one is said in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import complaint
from kit import world as sampled_world
from mereo.errors import BadInput
from mereo.world import World, along, load_world, members, save_world, world_from_json, world_to_json
from strategies import worlds

Record = dict[str, Any]


def record() -> Record:
    return {
        "world": 1,
        "attributes": {
            "color": {"values": ["red", "green"]},
            "use": {"values": ["cut", "eat"], "multiple": True},
        },
        "entities": [
            {"id": "knife", "attributes": {"color": "red", "use": ["cut"]}, "numbers": {"position": [0, 0, 0.5]}},
            {"id": "apple", "attributes": {"color": "green"}, "numbers": {"position": [1, 0, 1.5], "mass": 0.2}},
            {"id": "blade", "kind": "part", "part_of": "knife", "numbers": {"position": [2, 0, 0.5]}},
        ],
        "relations": {"left": {"knife": ["apple"]}, "above": {"along": [0, 0, 1], "margin": 0.25}},
    }


def load(content: Record) -> World:
    return world_from_json(json.dumps(content).encode(), file="w.json")


def same(one: World, other: World) -> bool:
    tables = ("entities", "vocabulary", "kinds", "objects", "having", "value", "related", "parts", "whole")
    return all(getattr(one, table) == getattr(other, table) for table in tables)


@given(worlds())
def test_a_world_is_read_back_as_it_was_written(world: World) -> None:
    again = world_from_json(world_to_json(world))
    assert same(world, again)
    assert world_to_json(again) == world_to_json(world)


def test_a_world_survives_a_file(tmp_path: Path) -> None:
    world = sampled_world(1)
    save_world(world, tmp_path / "deep" / "down" / "w.json")
    assert same(load_world(tmp_path / "deep" / "down" / "w.json"), world)
    assert [path.name for path in (tmp_path / "deep" / "down").iterdir()] == ["w.json"]


def test_saving_replaces_an_older_file_and_a_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "w.json").write_text("old")
    save_world(sampled_world(1), tmp_path / "w.json")
    assert len(load_world(tmp_path / "w.json")) == len(sampled_world(1))
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadInput, match="folder: is a folder, not a file"):
        save_world(sampled_world(1), tmp_path / "folder")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "w.json"]


def test_a_file_says_what_the_world_holds() -> None:
    world = load(record())
    assert [entity.id for entity in world.entities] == ["knife", "apple", "blade"]
    assert world.entities[1].numbers == {"position": (1, 0, 1.5), "mass": 0.2}
    assert members(world.objects) == [0, 1]
    assert (world.whole, world.parts) == ((None, None, 0), (0b100, 0, 0))
    assert world.value["use"] == (("cut",), None, None)
    assert world.related["left"] == (0b010, 0, 0)
    assert world.related["above"] == along([(0, 0, 0.5), (1, 0, 1.5), (2, 0, 0.5)], (0, 0, 1), margin=0.25)


def test_an_open_vocabulary_is_written_as_null_and_cannot_come_about_by_forgetting_it() -> None:
    content = record()
    content["attributes"]["name"] = {"values": None}
    content["entities"][0]["attributes"]["name"] = "bread knife"
    world = load(content)
    assert world.having["name"] == {"bread knife": 0b001}
    assert same(world_from_json(world_to_json(world)), world)
    content["attributes"]["name"] = {}
    assert complaint(lambda: load(content)) == (
        "w.json, field 'attributes[...]': object missing required field `values`"
    )


def changed(*path: str | int, to: Any) -> Callable[[Record], None]:
    def change(content: Any) -> None:
        for key in path[:-1]:
            content = content[key]
        content[path[-1]] = to

    return change


MISTAKES: dict[str, tuple[Callable[[Record], None], str]] = {
    "unknown value": (
        changed("entities", 0, "attributes", "color", to="rad"),
        "w.json, entity 0 ('knife'), field 'color': 'rad' is not a color (did you mean 'red'?)",
    ),
    "unknown one of several values": (
        changed("entities", 0, "attributes", "use", to=["cut", "throw"]),
        "w.json, entity 0 ('knife'), field 'use': 'throw' is not a use (there is: cut, eat)",
    ),
    "several values of a single-valued attribute": (
        changed("entities", 0, "attributes", "color", to=["red", "green"]),
        "w.json, entity 0 ('knife'), field 'color': takes a single value, not several",
    ),
    "unknown attribute": (
        changed("entities", 0, "attributes", to={"colour": "red"}),
        "w.json, entity 0 ('knife'): there is no attribute 'colour' (did you mean 'color'?)",
    ),
    "relation to an absent entity": (
        changed("relations", "left", to={"knife": ["appel"]}),
        "w.json, relation 'left', field 'knife': there is no entity 'appel' (did you mean 'apple'?)",
    ),
    "relation of an absent entity": (
        changed("relations", "left", to={"fork": ["apple"]}),
        "w.json, relation 'left', field 'fork': there is no entity 'fork' (there is: apple, blade, knife)",
    ),
    "relation that is no list": (
        changed("relations", "left", to={"knife": "apple"}),
        "w.json, relation 'left', field 'knife': must be a list of entity ids",
    ),
    "computed relation without positions": (
        changed("entities", 1, "numbers", to={}),
        "w.json, entity 1 ('apple'), field 'position': must be three numbers for a relation that is computed",
    ),
    "duplicate id": (
        changed("entities", 2, "id", to="apple"),
        "w.json, entity 2 ('apple'), field 'id': the id is already that of entity 1",
    ),
    "number for a text": (
        changed("entities", 1, "id", to=7),
        "w.json, field 'entities[1].id': expected `str`, got `int`",
    ),
    "text for a list": (
        changed("entities", to="knife"),
        "w.json, field 'entities': expected `array`, got `str`",
    ),
    "missing field": (
        changed("entities", 1, to={"kind": "object"}),
        "w.json, field 'entities[1]': object missing required field `id`",
    ),
    "unknown field": (
        changed("entities", 1, "colour", to="red"),
        "w.json, field 'entities[1]': object contains unknown field `colour`",
    ),
    "too many entities": (
        changed("entities", to=[{"id": str(i)} for i in range(10_000)]),
        "w.json, field 'entities': 10,000 entities are too many: a world holds at most 4,096",
    ),
    "whole that is absent": (
        changed("entities", 2, "part_of", to="knif"),
        "w.json, entity 2 ('blade'), field 'part_of': there is no entity 'knif' (did you mean 'knife'?)",
    ),
    "part of itself": (
        changed("entities", 0, "part_of", to="blade"),
        "w.json, entity 0 ('knife'), field 'part_of': the entity is a part of itself",
    ),
    "newer version": (
        changed("world", to=2),
        "w.json, field 'world': is of version 2; this mereo reads up to 1",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence_with_file_record_and_field(mistake: str) -> None:
    change, sentence = MISTAKES[mistake]
    content = record()
    change(content)
    with pytest.raises(BadInput) as caught:
        load(content)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda text: text.replace("0.2\n", "NaN\n"), "is not JSON: NaN or Infinity at line 46, column 13"),
        (lambda text: text.replace("0.2\n", "-Infinity\n"), "is not JSON: NaN or Infinity at line 46, column 1"),
        (lambda text: text[:300], "is not JSON: input data was truncated, after line"),
        (lambda text: text + "}", "is not JSON: trailing characters at line"),
        (lambda text: text.replace('"id"', "id"), "is not JSON: object keys must be strings at line 20, column 4"),
        (lambda text: "", "is not JSON: the file is empty"),
        (lambda text: " \n", "is not JSON: the file is empty"),
        (lambda text: "[" * 100_000, "expected `object`, got `array`"),
        (lambda text: "null", "expected `object`, got `null`"),
        (lambda text: "{}", "object missing required field `world`"),
    ],
)
def test_what_is_no_json_is_named_with_its_place(spoil: Callable[[str], str], sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        world_from_json(spoil(json.dumps(record(), indent=1)).encode(), file="w.json")
    assert str(caught.value).startswith(f"w.json: {sentence}")
    assert "\n" not in str(caught.value)


def test_what_is_not_utf8_is_said_to_be() -> None:
    with pytest.raises(BadInput, match=r"^w\.json: is not JSON: not UTF-8"):
        world_from_json(json.dumps(record()).encode().replace(b"apple", b"app\xffle"), file="w.json")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no\.json: there is no such file"):
        load_world(tmp_path / "no.json")
    with pytest.raises(BadInput, match=": is a folder, not a file"):
        load_world(tmp_path)


@given(st.data())
def test_damage_at_any_byte_is_a_named_error_or_still_a_world(data: st.DataObject) -> None:
    """No damage to a file ends in anything but a world or one sentence that names the file."""
    content = bytearray(json.dumps(record()).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at] = data.draw(st.one_of(st.sampled_from(b'"{}[],:0ae\\'), st.integers(0, 255)))
    content = content[: data.draw(st.one_of(st.just(len(content)), st.integers(0, len(content))))]
    said = complaint(lambda: world_from_json(bytes(content), file="w.json"))
    assert said is None or (said.startswith("w.json") and "\n" not in said)


replacements = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 5), st.text(max_size=3), st.just([]), st.just({}), st.just([["a"]])
)


@given(st.data())
def test_another_value_at_any_place_is_a_named_error_or_still_a_world(data: st.DataObject) -> None:
    content = record()
    place: Any = content
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
            place = place[key]
            continue
        place[key] = data.draw(replacements)
        break
    said = complaint(lambda: load(content))
    assert said is None or (said.startswith("w.json") and "\n" not in said)
