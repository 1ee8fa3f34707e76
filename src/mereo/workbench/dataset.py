"""A dataset to look into: its scenes and questions by id, by split and by place, each a value that knows the rest.

rooms = mereo.load("rooms")
scene = rooms.scenes[0]
scene.picture, scene.masks[2], scene.world
scene.questions[0].program.run(scene.world).answer
scene.ask("How many red legs are there?")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.benchmark import Benchmark, benchmark, inspector_of, listener_of
from mereo.datasets.columns import record_of
from mereo.datasets.inspector import Inspector
from mereo.datasets.reading import RowReader
from mereo.datasets.store import Manifest, open_dataset
from mereo.errors import BadInput
from mereo.masks import Box
from mereo.programs import Language, Program
from mereo.workbench.guessing import guesser_of
from mereo.workbench.listing import Listing
from mereo.workbench.programs import Answered, AskedProgram
from mereo.workbench.showing import dataset_html, question_html, scene_html
from mereo.world import World

if TYPE_CHECKING:
    from PIL.Image import Image

    from mereo.datasets.arrays import Examples
    from mereo.scenes.scene import Scene as Layout

__all__ = ["Dataset", "StoredQuestion", "StoredScene", "load"]

_CALLED = {"image": "picture", "instances": "part ids"}
"""What columns hold, where they are not called so."""


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

    @property
    def splits(self) -> Mapping[str, int]:
        """How many scenes each split has."""
        return self.manifest.scenes

    @cached_property
    def scenes(self) -> Listing[StoredScene]:
        """All scenes, in the dataset's order."""
        return Listing(RowReader(self.folder, "scenes", self.manifest), partial(StoredScene, self))

    @cached_property
    def questions(self) -> Listing[StoredQuestion]:
        """All questions, in the dataset's order."""
        return Listing(RowReader(self.folder, "questions", self.manifest), partial(StoredQuestion, self))

    def examples(
        self, *, split: str | None = None, fields: Sequence[str] = ("picture", "question", "program", "answer")
    ) -> Examples:
        """Questions with their scenes as arrays, for learning.

        split : only these; fields : of `id`, `picture` (height, width, 3) uint8, `depth` (height, width) uint16 in
        millimeters, `ids` (height, width) uint16, `boxes` (entities, 4) float32 in pixels, `question`, `program` and
        `answer`
        """
        from mereo.datasets.arrays import Examples

        return Examples(self.folder, self.inspector, split=split, fields=fields)

    def __repr__(self) -> str:
        about = f"{len(self.scenes):,} {self.manifest.benchmark} scenes"
        return f"{self.folder}: {len(self.questions):,} questions about {about}"

    def _repr_html_(self) -> str:
        return dataset_html(self)


@dataclass(frozen=True)
class StoredScene:
    """One scene of a dataset."""

    dataset: Dataset
    place: int

    @property
    def _reader(self) -> RowReader:
        return self.dataset.scenes.reader

    @cached_property
    def row(self) -> dict[str, Any]:
        """Its columns but the heavy ones."""
        return self._reader.row(self.place)

    @cached_property
    def whole_row(self) -> Mapping[str, Any]:
        """All its columns; the heavy ones are read when they are looked at."""
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
        return record_of(self.row)

    @cached_property
    def world(self) -> World:
        """What can be asked about: entities by index, their attributes and relations. `print` lists them."""
        return self.dataset.inspector.world(self.whole_row)

    @cached_property
    def questions(self) -> list[StoredQuestion]:
        """What is asked about it."""
        asked = self.dataset.questions.reader.about(self.id, self._reader.shard_of(self.place))
        return [self.dataset.questions[place] for place in asked]

    @property
    def picture(self) -> Image:
        """The picture as a Pillow image, sRGB; `numpy.asarray` makes (height, width, 3) uint8 of it."""
        from mereo.datasets.picture_bytes import open_picture

        with open_picture(self._stored("image")) as image:
            image.load()
            whole: Image = image.copy()
        return whole

    @cached_property
    def depth(self) -> NDArray[np.uint16]:
        """(height, width) uint16: millimeters along the view axis, 0 where there is nothing."""
        return self._decoded("depth")

    @cached_property
    def ids(self) -> NDArray[np.uint16]:
        """(height, width) uint16: the number of the part instance that a pixel shows, 0 for none."""
        return self._decoded("instances")

    @cached_property
    def masks(self) -> Mapping[int, NDArray[np.bool_]]:
        """By index in `world.entities` (height, width) bool: the pixels that show it; who is not seen has none."""
        return self.dataset.inspector.masks(self.whole_row, self.world)

    @cached_property
    def boxes(self) -> Mapping[int, Box]:
        """By index in `world.entities`: column, row, width and height of what is seen of it, pixels from top left."""
        return self.dataset.inspector.boxes(self.whole_row, self.world)

    @property
    def layout(self) -> Layout:
        """The scene as a value, meters and z up, that can be changed and rendered again; see `render`."""
        from mereo.scenes.scene import scene_from_json

        return scene_from_json(str(self._heavy("layout")).encode())

    def ask(self, question: str, *, parser: str | Path | None = None) -> Answered:
        """Answer a plain question in your own words, or a program in notation.

        What cannot be understood is a `MereoError` that says why, or names questions near it; so is what takes for
        granted something that is not so here.

        parser : the folder of a trained run, whose parser guesses at what cannot be read; `guessed_by` says so then
        """
        language = self.dataset.language
        if "(" in question:
            return self._answered(question)
        listener = listener_of(language.name)
        if listener is None:
            raise BadInput(f"nobody understands plain questions in {language.name}: give a program, as count(scene())")
        guesser = None if parser is None else guesser_of(parser, language.name)
        understood = listener.understand(question, self.world, guesser=guesser)
        if understood.guess is not None:
            answered = self._answered(understood.guess.program, listener.spoken)
            return answered._replace(guessed_by=understood.guess.guessed_by)
        return self._answered(understood.sure(question), listener.spoken)

    def _answered(self, program: Program | str, language: Language | None = None) -> Answered:
        return AskedProgram.of(program, language or self.dataset.language).run(self.world)._replace(scene=self)

    def _stored(self, column: str) -> bytes:
        data: bytes = self._heavy(column)["bytes"]
        return data

    def _heavy(self, column: str) -> Any:
        value = self._reader.value(self.place, column)
        if not value:
            bare = column == "image" or not self._reader.has("image")
            kept = "it was made without pictures" if bare else "there is nothing but its picture"
            raise BadInput(f"has no {_CALLED.get(column, column)}: {kept}", record=f"scene {self.id}")
        return value

    def _decoded(self, column: str) -> NDArray[np.uint16]:
        from mereo.datasets.pictures import decode_png

        return decode_png(self._stored(column))

    def __repr__(self) -> str:
        return f"scene {self.id}: {len(self.world)} entities, {len(self.questions)} questions"

    def _repr_html_(self) -> str:
        return scene_html(self)


@dataclass(frozen=True)
class StoredQuestion:
    """One question of a dataset."""

    dataset: Dataset
    place: int

    @cached_property
    def row(self) -> dict[str, Any]:
        """All its columns."""
        return self.dataset.questions.reader.row(self.place)

    @property
    def id(self) -> str:
        """As `train-000003-07`."""
        return str(self.row["question_id"])

    @property
    def split(self) -> str:
        """The split it belongs to."""
        return str(self.row["split"])

    @property
    def text(self) -> str:
        """Its words."""
        return str(self.row["question"])

    @property
    def answer(self) -> str:
        """The right answer, in words; for a referring expression, the number of entities that it refers to."""
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
    def scene(self) -> StoredScene:
        """What it is about."""
        return self.dataset.scenes[str(self.row["scene_id"])]

    def run(self) -> Answered:
        """Run its program on its scene."""
        return self.program.run(self.scene.world)._replace(scene=self.scene)

    def __repr__(self) -> str:
        return f"{self.text} → {self.answer}"

    def _repr_html_(self) -> str:
        return question_html(self)


def load(folder: str | Path) -> Dataset:
    """Open a dataset."""
    return Dataset(Path(folder), open_dataset(folder))
