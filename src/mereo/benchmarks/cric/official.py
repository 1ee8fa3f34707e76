"""CRIC's own files as a format: their questions are verified, imported and run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from mereo.benchmarks.cric.graph import SceneGraph, graph_world
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.lore_file import encoded_lore
from mereo.benchmarks.cric.names import LORE_FILE
from mereo.benchmarks.cric.official_files import GRAPHS, QUESTIONS, Id, records_of, sizes_beside, splits_beside
from mereo.benchmarks.cric.official_graphs import graph_of_record, lore_beside
from mereo.benchmarks.cric.official_questions import OfficialQuestion, steps_of, sub_graph_of, wrong_part_of
from mereo.benchmarks.cric.question import CRIC_FIELDS
from mereo.datasets.answers import plain_answer
from mereo.datasets.format import Complain, Format, Layout, OfficialSplit, QuestionRecord, SceneRecord
from mereo.datasets.importing import IMPORTED_FIELDS, ImportRecipe, OfficialFiles
from mereo.errors import BadInput
from mereo.programs import Language, Program, Step, Trace
from mereo.world import World

__all__ = ["FORMAT", "CricFormat"]


@dataclass(frozen=True)
class CricFormat(Format):
    """Reads CRIC's files."""

    language: Language = LANGUAGE

    def scenes(self, path: Path, *, complain: Complain | None = None) -> list[SceneRecord]:
        """The scene graphs of a file; which split each belongs to is told by the question files beside it."""
        splits, found, seen = splits_beside(path), list[SceneRecord](), set[str]()
        for beside in (sizes_beside, lore_beside):
            beside(path)  # what is wrong there is told once, and not of every scene
        for own, data, record in records_of(path, "scene graph", _Named):
            name = str(own.image_id)
            if name in seen:
                raise BadInput(f"there are two of picture {name}", file=path, record=record, field="image_id")
            seen.add(name)
            split = own.split or splits.get(name, "new")
            image = own.image_filename or f"{name}.jpg"
            found.append(SceneRecord({"json": data}, path, record, (name,), split, image))
        return found

    def questions(self, path: Path) -> Iterator[QuestionRecord]:
        """The questions of a file."""
        for asked, data, name in records_of(path, "question", OfficialQuestion):
            about, record = str(asked.image_id), data.decode()
            yield QuestionRecord(about, asked.question, asked, record, path, name, asked.answer)

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
        """The functions of a program, each with the ids that the file gives."""
        return steps_of(question.data)

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
            "wrong_part": wrong_part_of(asked.wrong_part) if plain_answer(asked.answer) == "no" else "",
            "sub_graph": msgspec.json.encode(sub_graph_of(asked.sub_graph)).decode(),
        }

    def recipe(self, files: OfficialFiles, *, benchmark: str, images: Path | None) -> ImportRecipe:
        """The build that makes a dataset of files that were read."""
        fields = CRIC_FIELDS.append(IMPORTED_FIELDS.field("official"))
        return ImportRecipe(files, self, benchmark, images, question_fields=fields)

    def further(self, files: OfficialFiles) -> Mapping[str, bytes]:
        """What the knowledge beside the scenes tells of all that they show."""
        scenes = [scene for own in files.scenes.values() for scene in own]
        names = {thing.name for scene in scenes for thing in self.graph(scene).things}
        return {LORE_FILE: encoded_lore(lore_beside(scenes[0].file), names)} if scenes else {}


class _Named(msgspec.Struct):
    image_id: Id
    split: str = ""
    """Our own."""
    image_filename: str = ""


FORMAT = CricFormat()
