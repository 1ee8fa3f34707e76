"""Scenes and questions in the JSON that CLEVR's generator writes and its descendants share.

Scenes: one file `{"scenes": [...]}`, or a folder of one-scene files. Questions: `{"questions": [...]}`, whose programs
are lists of nodes. A node names its function `type` or `function`, its literals `value_inputs` or `side_inputs`, and
may carry its own result as `_output`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mereo.errors import BadInput
from mereo.files import is_finite, read_json, write_bytes
from mereo.programs import Program, Step, Trace
from mereo.world import Entity, Vocabulary, World, along, bits_of, make_world, members

__all__ = [
    "Node",
    "OfficialQuestion",
    "SceneRecord",
    "node_records",
    "official_output",
    "program_of",
    "read_questions",
    "read_scenes",
    "world_from_record",
    "world_of",
    "write_questions",
]

MARGIN = 0.2
"""The dead zone of CLEVR's spatial relations, in scene units."""

_NUMBERS = {"3d_coords": "position", "pixel_coords": "pixel", "rotation": "rotation"}


class SceneRecord(NamedTuple):
    """One scene as it stands in a file, and how to speak of it."""

    data: Mapping[str, Any]
    file: Path
    name: str

    @property
    def image(self) -> str:
        """The name that questions use for the scene."""
        return str(self.data.get("image_filename", self.data.get("image_index", self.name)))


class Node(msgspec.Struct, rename={"output": "_output"}):
    """One step of an official program."""

    inputs: list[int]
    type: str | None = None
    function: str | None = None
    value_inputs: list[Any] | None = None
    side_inputs: list[Any] | None = None
    output: Any = msgspec.UNSET


class OfficialQuestion(msgspec.Struct):
    """What a question file holds of a question; other fields are let be."""

    program: list[Node]
    question: str = ""
    answer: Any = msgspec.UNSET
    image_index: int | None = None
    image_filename: str | None = None


class _QuestionFile(msgspec.Struct):
    questions: list[OfficialQuestion]


def read_scenes(path: str | Path) -> list[SceneRecord]:
    """The scenes of a file, or of all JSON files of a folder in the order of their names."""
    path = Path(path)
    if path.is_dir():
        files = sorted(path.glob("*.json"))
        if not files:
            raise BadInput("holds no .json file", file=path)
        return [_named(SceneRecord(read_json(file, type=dict[str, Any]), file, "the scene")) for file in files]
    content = read_json(path, type=dict[str, Any])
    if "objects" in content:
        return [_named(SceneRecord(content, path, "the scene"))]
    scenes = content.get("scenes")
    if not isinstance(scenes, list) or not all(isinstance(scene, dict) for scene in scenes):
        raise BadInput("must be a list of scenes", file=path, field="scenes")
    return [_named(SceneRecord(scene, path, f"scene {i}")) for i, scene in enumerate(scenes)]


def _named(scene: SceneRecord) -> SceneRecord:
    """The scene, if questions can name it."""
    for field in ("image_filename", "image_index"):
        if isinstance(scene.data.get(field), list | dict):
            raise BadInput("must be a name or a number", file=scene.file, record=scene.name, field=field)
    return scene


def world_of(scene: SceneRecord, vocabulary: Vocabulary) -> World:
    """The world that a scene shows, its objects numbered as in the file."""
    try:
        return world_from_record(scene.data, vocabulary)
    except BadInput as error:
        record = f"{scene.name}, {error.record}" if error.record else scene.name
        raise BadInput(error.reason, file=scene.file, record=record, field=error.field) from None


def world_from_record(record: Mapping[str, Any], vocabulary: Vocabulary) -> World:
    """The world of one scene's record, wherever it came from."""
    entities = [_entity(i, thing, vocabulary) for i, thing in enumerate(_list(record, "objects"))]
    return make_world(entities, vocabulary, related=_related(record, entities, vocabulary))


def _entity(i: int, record: Any, vocabulary: Vocabulary) -> Entity:
    name = f"object {i}"
    if not isinstance(record, dict):
        raise BadInput("must be an object with fields", record=name)
    attributes: dict[str, str | tuple[str, ...]] = {}
    for attribute in vocabulary.attributes.values():
        value = record.get(attribute.name)
        if value is None:
            raise BadInput("is missing", record=name, field=attribute.name)
        words = value if isinstance(value, list) else [value]
        if not all(isinstance(word, str) for word in words):
            raise BadInput("must be a word", record=name, field=attribute.name)
        attributes[attribute.name] = tuple(words) if isinstance(value, list) else words[0]
    numbers: dict[str, Any] = {}
    for theirs, ours in _NUMBERS.items():
        if theirs in record:
            numbers[ours] = _numbers(record[theirs], name, theirs)
    return Entity(id=str(i), attributes=attributes, numbers=numbers)


def _numbers(value: Any, record: str, field: str) -> float | tuple[float, ...]:
    several = value if isinstance(value, list) else [value]
    for number in several:
        if isinstance(number, bool) or not isinstance(number, int | float) or not is_finite(number):
            raise BadInput(f"{number!r} is not a finite number", record=record, field=field)
    return tuple(several) if isinstance(value, list) else several[0]


def _related(scene: Mapping[str, Any], entities: Sequence[Entity], vocabulary: Vocabulary) -> dict[str, list[int]]:
    stored = scene.get("relationships")
    if stored is None:
        return _computed(scene, entities, vocabulary)
    if not isinstance(stored, dict):
        raise BadInput("must be an object with one table per relation", field="relationships")
    related = {}
    for name in vocabulary.relations:
        table = stored.get(name)
        if not isinstance(table, list) or len(table) != len(entities):
            raise BadInput(f"must have one list for each of the {len(entities)} objects", field=f"relationships.{name}")
        for i, row in enumerate(table):
            if not isinstance(row, list):
                raise BadInput("must be a list of objects", record=f"object {i}", field=f"relationships.{name}")
            for j in row:
                if isinstance(j, bool) or not isinstance(j, int) or not 0 <= j < len(entities):
                    raise BadInput(f"there is no object {j!r}", record=f"object {i}", field=f"relationships.{name}")
        related[name] = [bits_of(row) for row in table]
    return related


def _computed(scene: Mapping[str, Any], entities: Sequence[Entity], vocabulary: Vocabulary) -> dict[str, list[int]]:
    directions = scene.get("directions")
    if not isinstance(directions, dict):
        raise BadInput("is missing, and so is 'directions' from which it follows", field="relationships")
    positions = []
    for i, entity in enumerate(entities):
        position = entity.numbers.get("position")
        if not isinstance(position, tuple) or len(position) != 3:
            raise BadInput("must be three numbers", record=f"object {i}", field="3d_coords")
        positions.append(position)
    related = {}
    for name in vocabulary.relations:
        direction = _numbers(directions.get(name), "directions", name)
        if not isinstance(direction, tuple) or len(direction) != 3:
            raise BadInput("must be three numbers", record="directions", field=name)
        related[name] = list(along(positions, direction, margin=MARGIN))
    return related


def _list(record: Mapping[str, Any], field: str) -> list[Any]:
    value = record.get(field)
    if not isinstance(value, list):
        raise BadInput("must be a list", field=field)
    return value


def read_questions(path: str | Path) -> list[OfficialQuestion]:
    """The questions of a file."""
    return read_json(path, type=_QuestionFile).questions


def program_of(nodes: Sequence[Node]) -> Program:
    """The program that a list of nodes stands for, steps in the file's order."""
    steps = []
    for position, node in enumerate(nodes):
        function = node.type or node.function
        if function is None:
            raise BadInput("names no function (neither 'type' nor 'function')", record=f"program node {position}")
        values = node.value_inputs if node.value_inputs is not None else node.side_inputs or []
        steps.append(Step(function, tuple(node.inputs), tuple(values)))
    try:
        return Program(tuple(steps))
    except ValueError as error:
        raise BadInput(str(error), field="program") from None


def official_output(value: Any, form: str) -> Any:
    """A step's value as the official files write it: indices, sorted lists of indices, plain values."""
    return members(value) if form == "entities" else list(value) if form == "integers" else value


def node_records(trace: Trace) -> list[dict[str, Any]]:
    """A run as official program nodes with their outputs."""
    executable = trace.executable
    return [
        {
            "type": step.function,
            "inputs": step.inputs,
            "value_inputs": step.values,
            "_output": official_output(value, type.form),
        }
        for step, type, value in zip(executable.program.steps, executable.types, trace.values, strict=True)
    ]


def write_questions(path: str | Path, questions: Iterable[Mapping[str, Any]], *, info: Mapping[str, Any]) -> None:
    """Write a whole question file."""
    write_bytes(path, msgspec.json.encode({"info": info, "questions": list(questions)}))
