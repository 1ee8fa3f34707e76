"""Rows as arrays, for learning: one reader from a dataset on disk to what a network takes.

    examples = dataset.examples(split="train", fields=("picture", "question", "answer"))
    for batch in examples.batches(64, seed=0): ...

An example is a question with its scene. Its fields:

id, question, program, answer : text · picture : (height, width, 3) uint8, sRGB · depth : (height, width) uint16,
millimeters along the view axis, 0 where there is nothing · ids : (height, width) uint16, the part instance that a pixel
shows, 0 for none · boxes : (entities, 4) float32, column, row, width and height in pixels of every entity of the world,
NaN where nothing is seen of it

Arrays of a scene are shared by all its questions, and read-only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.chance import generator
from mereo.datasets.inspector import Inspector
from mereo.datasets.reading import RowReader
from mereo.errors import BadInput, MissingExtra, UnknownName

__all__ = ["FIELDS", "Examples"]

FIELDS = ("id", "picture", "depth", "ids", "boxes", "question", "program", "answer")
_COLUMNS = {"id": "question_id", "picture": "image", "depth": "depth", "ids": "instances"}
"""What fields are called in rows, where they are of one column."""
_BLOCK = 1024
"""Questions that are shuffled among each other; blocks are shuffled, too, so that a picture is seldom read twice."""
_KEPT = 256
"""Arrays that are kept: those of the scenes of a block."""


class Examples(Sequence[dict[str, Any]]):
    """The questions of a dataset, or of one of its splits, each with its scene."""

    def __init__(
        self,
        folder: str | Path,
        inspector: Inspector,
        *,
        split: str | None = None,
        fields: Sequence[str] = ("picture", "question", "program", "answer"),
    ):
        self.inspector, self.fields = inspector, tuple(fields)
        self.questions = RowReader(folder, "questions")
        self.scenes = RowReader(folder, "scenes", self.questions.manifest)
        self._places = self.questions.of_split(split) if split else range(len(self.questions))
        self._of_scene = lru_cache(maxsize=_KEPT)(self._read_scene)
        for name in self.fields:
            if name not in FIELDS:
                raise UnknownName("field of an example", name, FIELDS)
            if name in ("picture", "depth", "ids") and not self.scenes.has(_COLUMNS[name]):
                raise BadInput(f"its scenes have no {name}", file=folder)

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, which: Any) -> Any:
        """One example by its place, or a list by a slice."""
        if isinstance(which, slice):
            return [self._example(place) for place in self._places[which]]
        return self._example(self._places[which])

    def batches(self, size: int, *, seed: int | None = None) -> Iterator[dict[str, Any]]:
        """Batches in order, or shuffled by a seed, the last perhaps smaller.

        By field arrays of one shape stacked, as (size, height, width, 3), and all else as a list.
        """
        if size < 1:
            raise BadInput(f"a batch must hold at least one example, not {size}")
        order = self._order(seed)
        for start in range(0, len(self), size):
            some = [self[int(k)] for k in order[start : start + size]]
            yield {name: _together([one[name] for one in some]) for name in self.fields}

    def torch(self) -> Any:
        """The same as a `torch.utils.data.Dataset`: pictures (3, height, width) uint8, depth and ids int32."""
        return _tensors(self)

    def __repr__(self) -> str:
        return f"{len(self):,} examples of {self.questions.folder}: {', '.join(self.fields)}"

    def __getstate__(self) -> dict[str, Any]:
        """What was read is not carried to another process."""
        return {name: value for name, value in self.__dict__.items() if name != "_of_scene"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._of_scene = lru_cache(maxsize=_KEPT)(self._read_scene)

    def _order(self, seed: int | None) -> NDArray[np.int64]:
        order = np.arange(len(self))
        if seed is None:
            return order
        rng = generator(seed, "examples")
        blocks = [order[start : start + _BLOCK] for start in range(0, len(order), _BLOCK)]
        for block in blocks:
            rng.shuffle(block)
        return np.concatenate([blocks[k] for k in rng.permutation(len(blocks))]) if blocks else order

    def _example(self, place: int) -> dict[str, Any]:
        row = self.questions.row(place)
        scene = self.scenes.place(row["scene_id"])
        found = {}
        for name in self.fields:
            column = _COLUMNS.get(name, name)
            found[name] = row[column] if column in row else self._of_scene(scene, name)
        return found

    def _read_scene(self, scene: int, field: str) -> NDArray[Any]:
        array = self._boxes(scene) if field == "boxes" else self._pixels(scene, field)
        array.flags.writeable = False
        return array

    def _pixels(self, scene: int, field: str) -> NDArray[Any]:
        from mereo.datasets.picture_bytes import open_picture
        from mereo.datasets.pictures import decode_png

        stored = self.scenes.value(scene, _COLUMNS[field])
        if not stored:
            raise BadInput(f"has no {field}", record=f"scene {self.scenes.row(scene)['scene_id']}")
        if field != "picture":
            return decode_png(stored["bytes"]).copy()
        with open_picture(stored["bytes"]) as image:
            return np.array(image.convert("RGB"))

    def _boxes(self, scene: int) -> NDArray[np.float32]:
        row = self.scenes.whole(scene)
        world = self.inspector.world(row)
        found = np.full((len(world), 4), np.nan, np.float32)
        for entity, box in self.inspector.boxes(row, world).items():
            found[entity] = box
        return found


def _together(values: list[Any]) -> Any:
    arrays = all(isinstance(value, np.ndarray) for value in values)
    return np.stack(values) if arrays and len({value.shape for value in values}) == 1 else values


def _tensors(examples: Examples) -> Any:
    """The class is made where torch is there; a process that gets one makes it again."""
    try:
        torch: Any = import_module("torch")
    except ImportError:
        raise MissingExtra("examples for torch", "train") from None
    base = torch.utils.data.Dataset

    class Tensors(base):  # type: ignore[misc, valid-type]
        def __len__(self) -> int:
            return len(examples)

        def __getitem__(self, place: int) -> dict[str, Any]:
            return {name: _tensor(torch, name, value) for name, value in examples[place].items()}

        def __reduce__(self) -> Any:
            return _tensors, (examples,)

    return Tensors()


def _tensor(torch: Any, name: str, value: Any) -> Any:
    """A value as torch has it, where it is an array: a copy, since tensors are written to."""
    if not isinstance(value, np.ndarray):
        return value
    if name == "picture":
        return torch.from_numpy(np.moveaxis(value, -1, 0).copy())
    return torch.from_numpy(value.astype(np.int32) if value.dtype == np.uint16 else value.copy())
