"""Scenes and questions in the JSON that CLEVR's generator writes and its descendants share.

Scenes: one file `{"scenes": [...]}`, or a folder of one-scene files. Questions: `{"questions": [...]}`, or referring
expressions: `{"refexps": [...]}`, whose programs are lists of nodes. A node names its function `type` or `function`,
its literals `value_inputs` or `side_inputs`, and may carry its own result as `_output`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import msgspec

from mereo.errors import BadInput
from mereo.files import is_finite, read_json, write_bytes
from mereo.programs import Program, Step, Trace
from mereo.world import Entity, Vocabulary, World, along, bits_of, make_world, members

__all__ = [
    "PLAIN",
    "Node",
    "OfficialQuestion",
    "SceneRecord",
    "Spelling",
    "node_records",
    "official_output",
    "places_of",
    "program_of",
    "question_files",
    "question_records",
    "read_questions",
    "read_scenes",
    "relation_rows",
    "steps_of",
    "world_from_record",
    "world_of",
    "write_nodes",
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

    inputs: list[int | str]
    type: str | None = None
    function: str | None = None
    value_inputs: list[Any] | None = None
    side_inputs: list[Any] | None = None
    output: Any = msgspec.UNSET


class Spelling(NamedTuple):
    """How a member of the family writes programs where it departs from CLEVR."""

    pairs: Mapping[str, Literal["object", "list"]] = MappingProxyType({})
    """Functions whose two literals are one value of a node: `{"leg": 4}` or `["red", [173, 35, 35]]`."""
    word: str | None = None
    """The function that a word among a node's inputs stands for, such as "ground"."""


PLAIN = Spelling()
"""CLEVR's own."""


class OfficialQuestion(msgspec.Struct):
    """What a question file holds of a question; other fields are let be."""

    program: list[Node]
    question: str = ""
    refexp: str = ""
    answer: Any = msgspec.UNSET
    image_index: int | None = None
    image_filename: str | None = None
    template_filename: str = ""
    refexp_family_index: int | None = None


class _QuestionFile(msgspec.Struct):
    questions: list[OfficialQuestion] | None = None
    refexps: list[OfficialQuestion] | None = None


def read_scenes(path: str | Path, *, complain: Callable[[BadInput], None] | None = None) -> list[SceneRecord]:
    """The scenes of a file, or of all JSON files of a folder in the order of their names.

    complain : called for a file of a folder that cannot be read, instead of stopping there
    """
    path = Path(path)
    if path.is_dir():
        found = []
        files = sorted(path.glob("*.json"))
        if not files:
            raise BadInput("holds no .json file", file=path)
        for file in files:
            try:
                found.append(_named(SceneRecord(read_json(file, type=dict[str, Any]), file, "the scene")))
            except BadInput as error:
                if complain is None:
                    raise
                complain(error)
        return found
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
    return {name: relation_rows(stored.get(name), name, len(entities)) for name in vocabulary.relations}


def relation_rows(table: Any, name: str, count: int) -> list[int]:
    """The stored table of one relation: for each of so many objects the set of those that stand in it."""
    field = f"relationships.{name}"
    if not isinstance(table, list) or len(table) != count:
        raise BadInput(f"must have one list for each of the {count} objects", field=field)
    for i, row in enumerate(table):
        if not isinstance(row, list):
            raise BadInput("must be a list of objects", record=f"object {i}", field=field)
        for j in row:
            if isinstance(j, bool) or not isinstance(j, int) or not 0 <= j < count:
                raise BadInput(f"there is no object {j!r}", record=f"object {i}", field=field)
    return [bits_of(row) for row in table]


def places_of(
    scene: Mapping[str, Any], entities: Sequence[Entity]
) -> tuple[dict[str, Any], list[tuple[float, float, float]]]:
    """What relations follow from where they are not stored: the directions, and where each object is."""
    directions = scene.get("directions")
    if not isinstance(directions, dict):
        raise BadInput("is missing, and so is 'directions' from which it follows", field="relationships")
    positions = []
    for i, entity in enumerate(entities):
        position = entity.numbers.get("position")
        if not isinstance(position, tuple) or len(position) != 3:
            raise BadInput("must be three numbers", record=f"object {i}", field="3d_coords")
        positions.append(position)
    return directions, positions


def _computed(scene: Mapping[str, Any], entities: Sequence[Entity], vocabulary: Vocabulary) -> dict[str, list[int]]:
    directions, positions = places_of(scene, entities)
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


def question_files(path: str | Path) -> list[Path]:
    """A question file, or those of a folder with one file for each scene."""
    path = Path(path)
    return sorted(path.glob("*.json")) or [path]


def read_questions(path: str | Path) -> list[OfficialQuestion]:
    """The questions of a file, or its referring expressions."""
    content = read_json(path, type=_QuestionFile)
    found = content.questions if content.questions is not None else content.refexps
    if found is None:
        raise BadInput("object missing required field `questions`", file=path)
    return found


class _RawFile(msgspec.Struct):
    questions: list[msgspec.Raw] | None = None
    refexps: list[msgspec.Raw] | None = None


def question_records(path: str | Path) -> list[str]:
    """The same questions, each as the JSON that it is."""
    content = read_json(path, type=_RawFile)
    found = content.questions if content.questions is not None else content.refexps
    return [bytes(record).decode() for record in found or ()]


def program_of(nodes: Sequence[Node], spelling: Spelling = PLAIN) -> Program:
    """The program that a list of nodes stands for, steps in the file's order."""
    try:
        return Program(tuple(step for step, _ in steps_of(nodes, spelling)))
    except ValueError as error:
        raise BadInput(str(error), field="program") from None


def steps_of(nodes: Sequence[Node], spelling: Spelling = PLAIN) -> list[tuple[Step, Any]]:
    """The steps that nodes stand for, each with the output that the file gives; a word among inputs is a step too."""
    steps: list[tuple[Step, Any]] = []
    place: list[int] = []
    for position, node in enumerate(nodes):
        record = f"program node {position}"
        function = node.type or node.function
        if function is None:
            raise BadInput("names no function (neither 'type' nor 'function')", record=record)
        inputs = []
        for given in node.inputs:
            if isinstance(given, str):
                if spelling.word is None:
                    raise BadInput(f"takes {given!r}, which is no step", record=record, field="inputs")
                steps.append((Step(spelling.word, (), (given,)), msgspec.UNSET))
                inputs.append(len(steps) - 1)
            else:
                inputs.append(place[given] if 0 <= given < position else len(steps))  # refused by the program
        values = node.value_inputs if node.value_inputs is not None else node.side_inputs or []
        if function in spelling.pairs:
            values = _split(values, record)
        place.append(len(steps))
        steps.append((Step(function, tuple(inputs), tuple(values)), node.output))
    return steps


def _split(values: Sequence[Any], record: str) -> list[Any]:
    """The two literals of a pair."""
    if len(values) == 1:
        if isinstance(values[0], dict) and len(values[0]) == 1:
            return list(*values[0].items())
        if isinstance(values[0], list) and len(values[0]) == 2:
            return list(values[0])
    raise BadInput("must be one pair of values", record=record, field="value_inputs")


def official_output(value: Any, form: str) -> Any:
    """A step's value as the official files write it: indices, sorted lists of indices, plain values."""
    if form == "entities":
        return members(value)
    return [official_output(one, form) for one in value] if isinstance(value, tuple) else value


def node_records(trace: Trace, spelling: Spelling = PLAIN) -> list[dict[str, Any]]:
    """A run as official program nodes with their outputs."""
    executable = trace.executable
    outputs = [official_output(value, type.form) for value, type in zip(trace.values, executable.types, strict=True)]
    return write_nodes(executable.program, spelling, outputs)


def write_nodes(program: Program, spelling: Spelling, outputs: Sequence[Any] | None = None) -> list[dict[str, Any]]:
    """A program as official nodes, with the outputs of all its steps where these are given."""
    nodes: list[dict[str, Any]] = []
    written: list[int | str] = []
    for position, step in enumerate(program.steps):
        if step.function == spelling.word:
            written.append(step.values[0])
            continue
        written.append(len(nodes))
        node: dict[str, Any] = {
            "type": step.function,
            "inputs": [written[i] for i in step.inputs],
            "value_inputs": _joined(step, spelling),
        }
        if outputs is not None:
            node["_output"] = outputs[position]
        nodes.append(node)
    return nodes


def _joined(step: Step, spelling: Spelling) -> list[Any]:
    form = spelling.pairs.get(step.function)
    if form is None:
        return list(step.values)
    first, second = step.values
    return [{first: second} if form == "object" else [first, second]]


def write_questions(
    path: str | Path,
    questions: Iterable[Mapping[str, Any] | msgspec.Raw],
    *,
    info: Mapping[str, Any],
    under: str = "questions",
) -> None:
    """Write a whole question file. under : what the file calls its list"""
    write_bytes(path, msgspec.json.encode({"info": info, under: list(questions)}))
