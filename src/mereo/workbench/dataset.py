"""A dataset to look into: its scenes and questions by id, by split and by place, each a value that knows the rest.

rooms = mereo.load("rooms")
scene = rooms.scenes[0]
scene.picture, scene.masks[2], scene.world
scene.questions[0].program.run(scene.world).answer
scene.ask("How many red legs are there?")
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import msgspec
import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.benchmark import Benchmark, benchmark, inspector_of, listener_of
from mereo.datasets.inspector import Inspector
from mereo.datasets.reading import RowReader
from mereo.datasets.store import Manifest, open_dataset
from mereo.errors import BadInput
from mereo.masks import Box
from mereo.programs import Language
from mereo.workbench.programs import Answered, AskedProgram
from mereo.workbench.showing import dataset_html, question_html, scene_html
from mereo.world import World

if TYPE_CHECKING:
    from PIL.Image import Image

    from mereo.scenes.scene import Scene as Layout

__all__ = ["Dataset", "Listing", "Question", "Scene", "load"]

Item = TypeVar("Item")


class Listing(Sequence[Item], Generic[Item]):
    """Scenes or questions: `[3]`, `[-1]`, `[10:20]`, `["train-000003"]`, `.split("val")`, and in a loop."""

    def __init__(self, dataset: Dataset, reader: RowReader, make: Any, places: Sequence[int]):
        self._dataset, self._reader, self._make, self._places = dataset, reader, make, places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, which: int | str) -> Item: ...
    @overload
    def __getitem__(self, which: slice) -> Listing[Item]: ...
    def __getitem__(self, which: int | str | slice) -> Item | Listing[Item]:
        """One by its place or id, or several by a slice."""
        if isinstance(which, slice):
            return Listing(self._dataset, self._reader, self._make, self._places[which])
        place = self._reader.place(which) if isinstance(which, str) else self._places[which]
        item: Item = self._make(self._dataset, place)
        return item

    def split(self, name: str) -> Listing[Item]:
        """Those of one split."""
        return Listing(self._dataset, self._reader, self._make, self._reader.of_split(name))

    def __repr__(self) -> str:
        return f"{len(self):,} {self._reader.kind} of {self._dataset.folder}"


@dataclass(frozen=True, eq=False)
class Dataset:
    """A dataset on disk."""

    folder: Path
    manifest: Manifest

    @cached_property
    def benchmark(self) -> Benchmark:
        """Whose data it is."""
        return benchmark(self.manifest.benchmark)

    @cached_property
    def inspector(self) -> Inspector:
        """Who knows what its rows mean."""
        return inspector_of(self.manifest)

    @property
    def language(self) -> Language:
        """The language of its programs."""
        return self.inspector.language

    @cached_property
    def scenes(self) -> Listing[Scene]:
        """All scenes, in the dataset's order."""
        reader = RowReader(self.folder, "scenes", self.manifest)
        return Listing(self, reader, Scene, range(len(reader)))

    @cached_property
    def questions(self) -> Listing[Question]:
        """All questions, in the dataset's order."""
        reader = RowReader(self.folder, "questions", self.manifest)
        return Listing(self, reader, Question, range(len(reader)))

    @cached_property
    def by_scene(self) -> Mapping[str, list[int]]:
        """Where the questions of each scene stand."""
        from mereo.datasets.asked import load_questions

        found: dict[str, list[int]] = {}
        if len(self.questions):
            for place, scene in enumerate(load_questions(self.folder).words("scene_id")):
                found.setdefault(scene, []).append(place)
        return found

    def __repr__(self) -> str:
        about = f"{len(self.scenes):,} {self.manifest.benchmark} scenes"
        return f"{self.folder}: {len(self.questions):,} questions about {about}"

    def _repr_html_(self) -> str:
        return dataset_html(self)


@dataclass(frozen=True, eq=False)
class Scene:
    """One scene of a dataset."""

    dataset: Dataset
    place: int

    @property
    def _reader(self) -> RowReader:
        return self.dataset.scenes._reader

    @cached_property
    def row(self) -> dict[str, Any]:
        """Its columns but the heavy ones."""
        return self._reader.row(self.place)

    @cached_property
    def whole_row(self) -> dict[str, Any]:
        """All its columns."""
        return self._reader.whole(self.place)

    @property
    def id(self) -> str:
        """As `train-000003`."""
        return str(self.row["scene_id"])

    @property
    def split(self) -> str:
        """The split it belongs to."""
        return str(self.row["split"])

    @cached_property
    def record(self) -> dict[str, Any]:
        """What the benchmark has written down about it."""
        found: dict[str, Any] = msgspec.json.decode(self.row["scene"])
        return found

    @cached_property
    def world(self) -> World:
        """What can be asked about."""
        return self.dataset.inspector.world(self.whole_row)

    @cached_property
    def questions(self) -> list[Question]:
        """What is asked about it."""
        return [self.dataset.questions[place] for place in self.dataset.by_scene.get(self.id, ())]

    @property
    def picture(self) -> Image:
        """The picture, as Pillow has it."""
        from mereo.datasets.pictures import pillow

        image: Image = pillow("Image").open(io.BytesIO(self._stored("image")))
        return image

    @cached_property
    def depth(self) -> NDArray[np.uint16]:
        """(height, width): millimeters along the view axis, 0 where there is nothing."""
        return self._decoded("depth")

    @cached_property
    def ids(self) -> NDArray[np.uint16]:
        """(height, width): the number of the part instance that a pixel shows, 0 for none."""
        return self._decoded("instances")

    @cached_property
    def masks(self) -> Mapping[int, NDArray[np.bool_]]:
        """By entity of the world (height, width): what is visible of it."""
        return self.dataset.inspector.masks(self.whole_row, self.world)

    @cached_property
    def boxes(self) -> Mapping[int, Box]:
        """By entity: column, row, width and height of what is visible of it, pixels."""
        return self.dataset.inspector.boxes(self.whole_row, self.world)

    @property
    def layout(self) -> Layout:
        """The scene as a value that can be rendered again; see `render`."""
        from mereo.scenes.scene import scene_from_json

        return scene_from_json(self._text("layout"))

    def ask(self, question: str) -> Answered:
        """Answer a plain question, or a program in notation."""
        language = self.dataset.language
        if "(" in question:
            return AskedProgram.of(question, language).run(self.world)._replace(scene=self)
        listener = listener_of(language.name)
        if listener is None:
            raise BadInput(f"nobody understands plain questions in {language.name}: give a program, as count(scene())")
        understood = listener.understand(question, self.world)
        if understood.program is None:
            near = "; ".join(reading.text for reading in understood.suggestions)
            raise BadInput(f"cannot be understood{f' (perhaps: {near})' if near else ''}", record=repr(question))
        return AskedProgram.of(understood.program, language).run(self.world)._replace(scene=self)

    def _stored(self, column: str) -> bytes:
        value = self._reader.value(self.place, column)
        if not value:
            raise BadInput(f"has no {column}: it was built without pictures", record=f"scene {self.id}")
        data: bytes = value["bytes"]
        return data

    def _text(self, column: str) -> bytes:
        value = self._reader.value(self.place, column)
        if not value:
            raise BadInput(f"has no {column}: it was built without pictures", record=f"scene {self.id}")
        return str(value).encode()

    def _decoded(self, column: str) -> NDArray[np.uint16]:
        from mereo.datasets.pictures import decode_png

        return decode_png(self._stored(column))

    def __repr__(self) -> str:
        return f"scene {self.id}: {len(self.world)} entities, {len(self.questions)} questions"

    def _repr_html_(self) -> str:
        return scene_html(self)


@dataclass(frozen=True, eq=False)
class Question:
    """One question of a dataset."""

    dataset: Dataset
    place: int

    @cached_property
    def row(self) -> dict[str, Any]:
        """All its columns."""
        return self.dataset.questions._reader.row(self.place)

    @property
    def id(self) -> str:
        """As `train-000003-07`."""
        return str(self.row["question_id"])

    @property
    def text(self) -> str:
        """Its words."""
        return str(self.row["question"])

    @property
    def answer(self) -> str:
        """The right answer."""
        return str(self.row["answer"])

    @property
    def type(self) -> str:
        """What sort of question it is."""
        return str(self.row["type"])

    @cached_property
    def program(self) -> AskedProgram:
        """How the answer is found."""
        return AskedProgram.of(self.row["program"], self.dataset.language)

    @cached_property
    def scene(self) -> Scene:
        """What it is about."""
        return self.dataset.scenes[str(self.row["scene_id"])]

    @cached_property
    def run(self) -> Answered:
        """Its program, run on its scene."""
        return self.program.run(self.scene.world)._replace(scene=self.scene)

    def __repr__(self) -> str:
        return f"{self.text} {self.answer}"

    def _repr_html_(self) -> str:
        return question_html(self)


def load(folder: str | Path) -> Dataset:
    """Open a dataset."""
    return Dataset(Path(folder), open_dataset(folder))
