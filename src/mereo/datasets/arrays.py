"""Rows as arrays, for learning: one reader from a dataset on disk to what a network takes.

    examples = Examples("rooms", inspector, split="train", fields=("picture", "question", "answer"))
    for batch in examples.batches(64, seed=0): ...

An example is a question with its scene. Its fields:

picture : (height, width, 3) uint8 · depth : (height, width) uint16, millimeters, 0 where there is nothing ·
ids : (height, width) uint16, the part instance that a pixel shows, 0 for none · boxes : (entities, 4) float32, column,
row, width and height of every entity, NaN where nothing is seen of it · question, program, answer : text
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.chance import generator
from mereo.datasets.inspector import Inspector
from mereo.datasets.reading import RowReader
from mereo.errors import MissingExtra, UnknownName

__all__ = ["FIELDS", "Examples"]

FIELDS = ("picture", "depth", "ids", "boxes", "question", "program", "answer")
_COLUMNS = {"picture": "image", "depth": "depth", "ids": "instances"}
_BLOCK = 1024
"""Questions that are shuffled among each other; blocks are shuffled, too, so that a picture is seldom read twice."""


class Examples(Sequence[dict[str, Any]]):
    """The questions of a dataset, or of some of its splits, each with its scene."""

    def __init__(
        self,
        folder: str | Path,
        inspector: Inspector,
        *,
        split: str | None = None,
        fields: Sequence[str] = ("picture", "question", "program", "answer"),
    ):
        for name in fields:
            if name not in FIELDS:
                raise UnknownName("field of an example", name, FIELDS)
        self.inspector, self.fields = inspector, tuple(fields)
        self.questions = RowReader(folder, "questions")
        self.scenes = RowReader(folder, "scenes", self.questions.manifest)
        self._places = self.questions.of_split(split) if split else range(len(self.questions))

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, which: Any) -> Any:
        """One example by its place, or a list by a slice."""
        if isinstance(which, slice):
            return [self._example(place) for place in self._places[which]]
        return self._example(self._places[which])

    def batches(self, size: int, *, seed: int | None = None) -> Iterator[dict[str, Any]]:
        """Batches in order, or shuffled by a seed: arrays of one shape are stacked, all else is a list."""
        order = self._order(seed)
        for start in range(0, len(self), size):
            some = [self[int(k)] for k in order[start : start + size]]
            yield {name: _together([one[name] for one in some]) for name in self.fields}

    def torch(self) -> Any:
        """The same as a `torch.utils.data.Dataset`: pictures as (3, height, width) uint8 tensors, ids as int32."""
        try:
            torch: Any = import_module("torch")
        except ImportError:
            raise MissingExtra("examples for torch", "train") from None
        examples, base = self, torch.utils.data.Dataset

        class Tensors(base):  # type: ignore[misc, valid-type]
            def __len__(self) -> int:
                return len(examples)

            def __getitem__(self, place: int) -> dict[str, Any]:
                found = dict(examples[place])
                for name, value in found.items():
                    if isinstance(value, np.ndarray):
                        whole = value.astype(np.int32) if value.dtype == np.uint16 else value
                        found[name] = torch.from_numpy(np.moveaxis(whole, -1, 0).copy() if name == "picture" else whole)
                return found

        return Tensors()

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
        return {name: row[name] if name in row else self._of_scene(scene, name) for name in self.fields}

    def _of_scene(self, scene: int, field: str) -> NDArray[Any]:
        from mereo.datasets.pictures import decode_picture, decode_png

        if field == "boxes":
            return self._boxes(scene)
        data = self.scenes.value(scene, _COLUMNS[field])["bytes"]
        return decode_picture(data)[..., :3] if field == "picture" else decode_png(data)

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
