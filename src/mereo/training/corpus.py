"""A dataset as tensors on a device, each thing decoded once when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple, overload

import torch
from torch import Tensor

from mereo.datasets.asked import Asked, Selection, is_training, load_questions
from mereo.datasets.inspector import Inspector
from mereo.datasets.reading import RowReader, split_rows
from mereo.errors import BadInput, UnknownName
from mereo.training.device import free_memory
from mereo.training.lexicon import Lexicon, filled_up
from mereo.training.picture_tensors import cores, decode_pictures, shrunk_size
from mereo.training.row import COLUMNS, NEEDS
from mereo.training.scene_things import levels_of
from mereo.training.seeing import Level, Seeing
from mereo.training.thing_reading import Looking, read_things
from mereo.training.things import Things, things_together

__all__ = ["Corpus", "Questions"]

_LOOKED_AT = 1000
"""Scenes that are looked at to find out what is told of things, where no `Seeing` says so."""


_COLUMNS = {"pictures": "image", "masks": "instances", "points": "points"}
"""What of a row's needs is a column of scenes."""


class Questions(NamedTuple):
    """The q questions of a split, in the dataset's order."""

    ids: list[str]
    scene: Tensor
    """(q,) int64: the place of its scene among those of the split."""
    words: Tensor
    """(q, n) int64: numbers of words, 0 where there are none."""
    answer: Tensor
    """(q,) int64: the number of the answer, -1 where the lexicon has none."""
    types: list[tuple[str, str]]
    """Type and subtype."""
    programs: list[str]
    """As lines of notation."""
    texts: list[str]
    templates: list[str]

    def by_scene(self) -> dict[int, list[int]]:
        """The places of the questions about each scene, by its own place."""
        found: dict[int, list[int]] = {}
        for place, scene in enumerate(self.scene.tolist()):
            found.setdefault(scene, []).append(place)
        return found


class Corpus:
    """A dataset folder as tensors.

    widest : columns of the largest pictures; wider ones are shrunk. Pictures of one dataset have one size, that of its
        first; what differs must have the same proportions
    workers : processes that read the things of a large split; as many as there are cores where none is given
    progress : is told what is being read, how many are done and how many there are
    """

    def __init__(
        self,
        folder: str | Path,
        inspector: Inspector,
        device: torch.device,
        *,
        seeing: Seeing | None = None,
        widest: int = COLUMNS,
        workers: int | None = None,
        progress: Callable[[str, int, int], None] = lambda what, done, total: None,
    ):
        self.folder, self.inspector, self.device, self.seeing = Path(folder), inspector, device, seeing
        self.widest, self.workers, self.progress = widest, workers or cores(), progress
        self._scenes = RowReader(folder, "scenes")
        self.manifest = self._scenes.manifest
        self._pictures: dict[str, Tensor] = {}
        self._questions: dict[tuple[str, Lexicon], Questions] = {}
        self._things: dict[str, dict[str, Things]] = {}

    @property
    def splits(self) -> tuple[str, ...]:
        """All splits."""
        return tuple(self.manifest.scenes)

    @cached_property
    def asked(self) -> Asked:
        """All questions, with their texts."""
        return load_questions(self.folder).with_columns("question")

    def lexicon(self) -> Lexicon:
        """All words, answers and tokens of the training splits."""
        return Lexicon.of(self.asked)

    def lacking(self, needs: Sequence[str]) -> list[str]:
        """Which of the things that a row needs (see `NEEDS`) are not in the dataset."""
        for need in needs:
            if need not in NEEDS:
                raise UnknownName("need", need, NEEDS)
        return [need for need in needs if not self._has(need)]

    def scene_ids(self, split: str) -> list[str]:
        """The ids of a split's scenes, in their order."""
        own = self._scenes.of_split(split)
        return [*self._scenes.places][own.start : own.stop]

    def together(self, split: str, most: int) -> int:
        """How many questions about a scene are asked at once: more than scenes have would only repeat them."""
        usual = ceil(self.manifest.questions[split] / max(1, self.manifest.scenes[split]))
        return max(1, min(most, usual))

    def rows(self, split: str) -> Sequence[Mapping[str, Any]]:
        """The scene rows of a split without what is heavy in them, each read when it is looked at."""
        return _Rows(self._scenes, self._scenes.of_split(split))

    def whole_row(self, split: str, place: int) -> Mapping[str, Any]:
        """A scene row of a split with all that is in it."""
        return self._scenes.whole(self._scenes.of_split(split)[place])

    @cached_property
    def size(self) -> tuple[int, int]:
        """Height and width of all pictures, as they are given out."""
        if not (self._scenes.has("image") and len(self._scenes)):
            raise BadInput(f"has no {NEEDS['pictures']}", file=self.folder)
        return shrunk_size(self._scenes.value(0, "image")["bytes"], self.widest)

    @cached_property
    def levels(self) -> Mapping[str, Level]:
        """By level what is told of things: as its `Seeing` says, or all that the training scenes tell."""
        if self.seeing is not None:
            return self.seeing.levels
        split = next(filter(is_training, self.splits), self.splits[0])
        return levels_of(map(self.inspector.world, islice(self.rows(split), _LOOKED_AT)))

    def pictures(self, split: str) -> Tensor:
        """(s, 3, h, w) uint8, sRGB: the pictures of a split's scenes."""
        if split not in self._pictures:
            count = len(self.rows(split))
            self._check_room("pictures", split, 3 * count)
            rows = split_rows(self.folder, self.manifest, [split], heavy=("image",))
            tell = self._telling(f"pictures of {split}", count)
            self._pictures[split] = decode_pictures(rows, count, size=self.size, device=self.device, progress=tell)
        return self._pictures[split]

    def things(self, split: str, level: str) -> Things:
        """The things of a level (`object`, `part`) that the pictures of a split's scenes show."""
        if level not in self.levels:
            raise UnknownName("level of things", level, self.levels)
        if split not in self._things:
            if not self._scenes.has("instances"):
                raise BadInput(f"has no {NEEDS['masks']}", file=self.folder)
            count = len(self.rows(split))
            self._check_room("masks", split, len(self.levels) * count)
            looking = Looking(self.inspector, self.levels, self.size, self.seeing)
            tell = self._telling(f"things of {split}", count)
            scenes = read_things(self.folder, self.manifest, split, looking, workers=self.workers, progress=tell)
            self._things[split] = {
                name: things_together([scene[name] for scene in scenes], own, size=self.size, device=self.device)
                for name, own in self.levels.items()
            }
        return self._things[split][level]

    def questions(self, split: str, lexicon: Lexicon) -> Questions:
        """The questions of a split in the numbers of a lexicon."""
        if (split, lexicon) not in self._questions:
            asked = self.asked.take(self.asked.chosen(Selection((split,))))
            texts = asked.words("question")

            def tensor(values: Any) -> Tensor:
                return torch.as_tensor(values, dtype=torch.int64).to(self.device)

            self._questions[split, lexicon] = Questions(
                ids=asked.ids,
                scene=tensor(self._scene_places(split, asked.words("scene_id"))),
                words=tensor(filled_up([lexicon.read(text) for text in texts])),
                answer=tensor([lexicon.answer(answer) for answer in asked.words("answer")]),
                types=[*zip(asked.words("type"), asked.words("subtype"), strict=True)],
                programs=asked.words("program"),
                texts=texts,
                templates=asked.words("template"),
            )
        return self._questions[split, lexicon]

    def answers(self, split: str) -> list[str]:
        """The true answers to the questions of a split, in their order."""
        return self.asked.take(self.asked.chosen(Selection((split,)))).words("answer")

    def _scene_places(self, split: str, names: Sequence[str]) -> list[int]:
        place = {name: number for number, name in enumerate(self.scene_ids(split))}
        if strange := next((name for name in names if name not in place), None):
            raise BadInput(f"asks in {split} about scene '{strange}', which is not there", file=self.folder)
        return [place[name] for name in names]

    def _has(self, need: str) -> bool:
        if need in _COLUMNS:
            return self._scenes.has(_COLUMNS[need])
        if need == "knowledge":
            return self.inspector.knowledge() is not None
        if need in ("semantics", "boxes"):
            world = self.inspector.world(self._scenes.row(0)) if len(self._scenes) else None
            told = [] if world is None else world.entities
            return any(entity.attributes if need == "semantics" else entity.numbers.get("box") for entity in told)
        if not sum(self.manifest.questions.values()):
            return False
        if need in ("answers", "targets"):
            return self._asked_for == need
        return any(self.asked.words("type" if need == "types" else "program"))

    @cached_property
    def _asked_for(self) -> str:
        """Which of these its questions ask for."""
        try:
            boxes = self.inspector.boxes_asked(RowReader(self.folder, "questions", self.manifest).row(0))
        except BadInput:  # it asks for boxes that are not there
            return ""
        return "answers" if boxes is None else "targets"

    def _telling(self, what: str, total: int) -> Callable[[int], None]:
        return lambda done: self.progress(what, done, total)

    def _check_room(self, what: str, split: str, layers: int) -> None:
        """Complain before anything is decoded that would not fit. layers : of one byte a pixel"""
        needed, free = layers * self.size[0] * self.size[1], free_memory(self.device)
        if needed > free:
            reason = f"the {what} of {split} take {needed / 1e9:.1f} GB and {free / 1e9:.1f} GB are free on"
            raise BadInput(f"{reason} {self.device}: use fewer scenes or smaller pictures", file=self.folder)


class _Rows(Sequence[Mapping[str, Any]]):
    """Rows of a reader, each read when it is looked at."""

    def __init__(self, reader: RowReader, places: range):
        self._reader, self._places = reader, places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, which: int) -> Mapping[str, Any]: ...

    @overload
    def __getitem__(self, which: slice) -> Sequence[Mapping[str, Any]]: ...

    def __getitem__(self, which: int | slice) -> Mapping[str, Any] | Sequence[Mapping[str, Any]]:
        if isinstance(which, slice):
            return _Rows(self._reader, self._places[which])
        return self._reader.row(self._places[which])

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return map(self._reader.row, self._places)
