"""CRIC's own files as a format: their questions are verified, imported and run.

A program is a flat list of functions that says nothing about inputs: each function takes as many of the latest results
as it has inputs, so the list is the tree from its leaves to its root.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from mereo.benchmarks.cric.graph import SceneGraph, Stated, graph_world
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.official_files import (
    GRAPHS,
    QUESTIONS,
    Id,
    Node,
    OfficialQuestion,
    graph_of_record,
    lore_beside,
    raw_records,
    sizes_beside,
    splits_beside,
)
from mereo.benchmarks.cric.question import CRIC_FIELDS, Described, SubGraph, Used, WrongPart
from mereo.datasets.answers import plain_answer
from mereo.datasets.format import Complain, Format, Layout, OfficialSplit, QuestionRecord, SceneRecord
from mereo.datasets.importing import IMPORTED_FIELDS, ImportRecipe, OfficialFiles
from mereo.errors import BadInput, nearest
from mereo.files import converted, decode_json
from mereo.programs import Language, Program, Step, Trace
from mereo.world import World

__all__ = ["FORMAT", "OFFICIAL_NAMES", "CricFormat", "official_name"]

T = TypeVar("T")


def official_name(function: str) -> str:
    """What CRIC calls a function of ours: Find_KG_Reverse."""
    return "_".join("KG" if word == "kg" else word.capitalize() for word in function.split("_"))


OFFICIAL_NAMES: Mapping[str, str] = {official_name(function): function for function in LANGUAGE.functions}
"""Our functions by what CRIC calls them."""


@dataclass(frozen=True)
class CricFormat(Format):
    """Reads CRIC's files."""

    language: Language = LANGUAGE

    def scenes(self, path: Path, *, complain: Complain | None = None) -> list[SceneRecord]:
        """The scene graphs of a file; which split each belongs to is told by the question files beside it."""
        splits, found, seen = splits_beside(path), list[SceneRecord](), set[str]()
        for raw in raw_records(path, "scene graph"):
            try:
                own = decode_json(raw.data, file=path, type=_Named)
            except BadInput as error:
                raise error.within(record=raw.name) from None
            name = str(own.image_id)
            if name in seen:
                raise BadInput(f"there are two of picture {name}", file=path, record=raw.name, field="image_id")
            seen.add(name)
            split = own.split or splits.get(name, "new")
            image = own.image_filename or f"{name}.jpg"
            found.append(SceneRecord({"json": raw.data}, path, raw.name, (name,), split, image))
        return found

    def questions(self, path: Path) -> Iterator[QuestionRecord]:
        """The questions of a file."""
        for raw in raw_records(path, "question"):
            try:
                asked = decode_json(raw.data, file=path, type=OfficialQuestion)
            except BadInput as error:
                raise error.within(record=raw.name) from None
            text = raw.data.decode()
            yield QuestionRecord(str(asked.image_id), asked.question, asked, text, path, raw.name, asked.answer)

    def layout(self, folder: Path) -> Layout:
        """One file of scene graphs for all splits, and a question file for each."""
        scenes, (first, *more) = folder / GRAPHS, (*sorted(folder.glob(f"*{QUESTIONS}")), None)
        if not scenes.exists():
            raise BadInput(f"has no {GRAPHS}: name the files instead", file=folder)
        images = folder / "images"
        split = OfficialSplit(scenes, first, None, tuple(filter(None, more)))
        return Layout([split], images if images.is_dir() else None)

    def graph(self, scene: SceneRecord) -> SceneGraph:
        """A scene's graph."""
        sizes = sizes_beside(scene.file)
        try:
            return graph_of_record(scene.data["json"], sizes)
        except BadInput as error:
            raise scene.blame(error) from None

    def record(self, scene: SceneRecord) -> Mapping[str, Any]:
        """A scene as our records hold it."""
        return {"graph": self.graph(scene)}

    def world(self, scene: SceneRecord) -> World:
        """The world that a scene shows, with what the knowledge beside it tells."""
        return graph_world(self.graph(scene), lore_beside(scene.file))

    def steps(self, question: QuestionRecord) -> Sequence[tuple[Step, Any]]:
        """The functions of a program with what they take, and the ids that the file gives for each.

        Of functions that give an answer the file lists what this is about, which is what they take.
        """
        asked: OfficialQuestion = question.data
        steps: list[tuple[Step, Any]] = []
        left: list[int] = []
        for number, node in enumerate(asked.program):
            field = f"program[{number}]"
            function = LANGUAGE.functions[_function(node, field)]
            count = len(function.inputs)
            if count > len(left):
                raise BadInput(f"{node.function} takes {count}, of which {len(left)} are left", field=field)
            inputs = tuple(left[len(left) - count :])
            del left[len(left) - count :]
            output = _listed(node, field) if function.output.form == "entities" else msgspec.UNSET
            steps.append((Step(function.name, inputs, tuple(node.text_input)), output))
            left.append(number)
        if len(left) != 1:
            raise BadInput(f"leaves {len(left)} results, not one", field="program")
        return steps

    def outputs(self, trace: Trace) -> list[Any]:
        """The ids of what every step refers to."""
        names = [entity.id for entity in trace.world.entities]
        return [sorted(names[place] for place in places) for places in trace.referred()]

    def kind(self, question: QuestionRecord, program: Program) -> dict[str, str]:
        """Verify or Recognize, and the type that the file names."""
        asked: OfficialQuestion = question.data
        type = "Verify" if program.steps[-1].function == "verify" else "Recognize"
        subtype = asked.question_type or type
        return {"type": type, "subtype": subtype, "family": "cric", "template": subtype}

    def columns(self, question: QuestionRecord, trace: Trace) -> dict[str, Any]:
        """What an answer points at, why it is no, and what the question takes from the two graphs."""
        asked: OfficialQuestion = question.data
        places = {entity.id: place for place, entity in enumerate(trace.world.entities)}
        for number, name in enumerate(asked.target):
            if str(name) not in places:
                raise BadInput(f"there is no object {name} in the picture", field=f"target[{number}]")
        for number, step in enumerate(asked.definite):
            if not 0 <= step < len(asked.program):
                raise BadInput(f"the program has no step {step}", field=f"definite[{number}]")
        return {
            "target": sorted(places[str(name)] for name in asked.target),
            "definite": asked.definite,
            "wrong_part": _wrong_part(asked.wrong_part) if plain_answer(asked.answer) == "no" else "",
            "sub_graph": msgspec.json.encode(_sub_graph(asked.sub_graph)).decode(),
        }

    def recipe(self, files: OfficialFiles, *, benchmark: str, images: Path | None) -> ImportRecipe:
        """The build that makes a dataset of files that were read."""
        fields = CRIC_FIELDS.append(IMPORTED_FIELDS.field("official"))
        return ImportRecipe(files, self, benchmark, images, question_fields=fields)


class _Named(msgspec.Struct):
    image_id: Id
    split: str = ""
    """Our own."""
    image_filename: str = ""


def _function(node: Node, field: str) -> str:
    if node.function not in OFFICIAL_NAMES:
        reason = f"there is no function '{node.function}'{nearest(node.function, OFFICIAL_NAMES)}"
        raise BadInput(reason, field=f"{field}.function")
    return OFFICIAL_NAMES[node.function]


def _listed(node: Node, field: str) -> Any:
    """The ids that a node gives, in the order in which we give them."""
    if node.output is msgspec.UNSET:
        return msgspec.UNSET
    return sorted(map(str, _read(node.output, list[Id], f"{field}.output")))


def _read(told: Any, type: type[T], field: str) -> T:
    """What a field holds, as a type."""
    try:
        return converted(told, file=None, type=type)
    except BadInput as error:
        raise BadInput(error.reason, field=f"{field}.{error.field}" if error.field else field) from None


class _SubGraph(msgspec.Struct):
    relations: list[tuple[Id, str, Id]] = []
    attributes: list[tuple[Id, str]] = []
    knowledge_items: list[tuple[str, str, str]] = []
    knowledge_steps: list[int] = []
    """Our own: for every item the step that needs it."""


def _sub_graph(told: Any) -> SubGraph:
    own = _read(told or {}, _SubGraph, "sub_graph")
    steps = [*own.knowledge_steps, *[-1] * len(own.knowledge_items)]
    return SubGraph(
        tuple(Stated(str(one), predicate, str(other)) for one, predicate, other in own.relations),
        tuple(Described(str(thing), word) for thing, word in own.attributes),
        tuple(Used(*item, step) for item, step in zip(own.knowledge_items, steps, strict=False)),
    )


def _wrong_part(told: Any) -> str:
    """Why the answer is no: as we write it, or in whatever words somebody else has for it."""
    if not told:
        return ""
    ours = isinstance(told, dict) and {"kind", "asked"} <= told.keys()
    said = told if isinstance(told, str) else msgspec.json.encode(told).decode()
    part = _read(told, WrongPart, "wrong_part") if ours else WrongPart("", said)
    return msgspec.json.encode(part).decode()


FORMAT = CricFormat()
