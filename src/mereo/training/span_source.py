"""Questions with the spans of words that speak of things, read from programs once and kept in few bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from mereo.datasets.inspector import Inspector
from mereo.datasets.shards import open_shard
from mereo.datasets.store import HEAVY, Manifest, open_dataset, sealed
from mereo.datasets.workers import LocalCrew, Task
from mereo.errors import BadInput
from mereo.models.kinds import Batch
from mereo.programs import parse_program
from mereo.training.augment import Change
from mereo.training.corpus import Corpus
from mereo.training.lexicon import Lexicon, split_words
from mereo.training.sources import QuestionSource
from mereo.training.spans import Phrases, Span, spans_of

__all__ = ["SpanSource", "SpanTable", "read_spans"]

_USUAL = Change()
_FEW = 4000
"""Questions that this process reads alone: to start others takes as long."""


class SpanTable(NamedTuple):
    """The spans of q questions, at most s of one."""

    start: Tensor
    """(q, s) int64: the first word."""
    end: Tensor
    """(q, s) int64: the place after the last word, 0 where there is no span."""
    things: Tensor
    """(q, s, bytes) uint8: a bit for every entity of the world, the first one the highest of the first byte."""

    @staticmethod
    def of(spans: Sequence[Sequence[Span]], device: torch.device) -> SpanTable:
        """The table of the spans of some questions."""
        most = max(map(len, spans), default=0)
        last = max((max(span.things) for own in spans for span in own), default=0)
        edges = np.zeros((2, len(spans), most), np.int64)
        bits = np.zeros((len(spans), most, last // 8 + 1), np.uint8)
        for question, own in enumerate(spans):
            for place, span in enumerate(own):
                edges[:, question, place] = span.start, span.end
                for thing in span.things:
                    bits[question, place, thing >> 3] |= 128 >> (thing & 7)
        start, end, things = (torch.from_numpy(array).to(device) for array in (*edges, bits))
        return SpanTable(start, end, things)

    def spans(self, places: Tensor, entity: Tensor, words: int) -> Tensor:
        """(b, k, words) bool: which words speak of which things.

        places : (b,) int64, of questions · entity : (b, k) int64, places in the scene's world, -1 where there is none
        """
        bits = self.things[places]
        at = entity.clamp(0, 8 * bits.shape[-1] - 1)[:, None].expand(-1, bits.shape[1], -1)
        there = (entity >= 0) & (entity < 8 * bits.shape[-1])
        meant = (bits.gather(-1, at >> 3) >> (7 - (at & 7)) & 1).bool() & there[:, None]
        word = torch.arange(words, device=places.device)
        said = (word >= self.start[places][..., None]) & (word < self.end[places][..., None])
        return (meant[..., None] & said[:, :, None]).any(1)


class SpanSource:
    """What a `QuestionSource` gives, with `spans` (b, k, n) bool: which words speak of which things of all levels.

    levels : whose things are wanted, in the order in which they stand in the spans
    """

    def __init__(
        self,
        corpus: Corpus,
        split: str,
        lexicon: Lexicon,
        *,
        levels: Sequence[str],
        together: int = 1,
        change: Change = _USUAL,
    ):
        self._questions = QuestionSource(corpus, split, lexicon, together=together, levels=levels, change=change)
        self._table = SpanTable.of(read_spans(corpus, split), corpus.device)
        self.levels = tuple(levels)

    def __len__(self) -> int:
        return len(self._questions)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The examples at some places."""
        found = self._questions.batch(places, chance=chance)
        entity = torch.cat([found[f"{level}_entity"] for level in self.levels], 1)[found["scene_of"]]
        found["spans"] = self._table.spans(found["place"], entity, found["question"].shape[1])
        return found

    def name(self, place: int) -> str:
        """The id of a question or, where several are together, of their scene."""
        return self._questions.name(place)


def read_spans(corpus: Corpus, split: str) -> list[list[Span]]:
    """The spans of all questions of a split, in the dataset's order."""
    manifest, shards = corpus.manifest, []
    for name in manifest.files:
        if name.startswith("questions/") and Path(name).name.rpartition("-")[0] == split:
            shards.append(Task(name, _read, (corpus.folder, name, manifest, corpus.inspector)))
    alone = manifest.questions.get(split, 0) <= _FEW
    found = {}
    for done in LocalCrew(1 if alone else min(corpus.workers, len(shards))).run(shards):
        done.check("nothing was changed")
        found[done.task.name] = done.result
        corpus.progress(f"spans of {split}", sum(map(len, found.values())), manifest.questions[split])
    return [spans for shard in shards for spans in found[shard.name]]


def _read(folder: Path, name: str, manifest: Manifest, inspector: Inspector) -> list[list[Span]]:
    open_dataset(folder)  # what goes with it is found from now on, in this process too
    wholes: dict[str, dict[int, int]] = {}
    with open_shard(sealed(folder, f"scenes/{Path(name).name}", manifest)) as shard:
        for row in shard.read([column for column in shard.names if column not in HEAVY]).to_pylist():
            above = inspector.world(row).whole
            wholes[row["scene_id"]] = {part: whole for part, whole in enumerate(above) if whole is not None}
    phrases = Phrases(split_words, inspector.spoken)
    with open_shard(sealed(folder, name, manifest)) as shard:
        if "referred" not in shard.names:
            raise BadInput("does not tell what the steps of its programs refer to", file=folder / name)
        rows = shard.read(["scene_id", "question", "program", "referred"]).to_pylist()
    return [
        spans_of(
            split_words(row["question"]),
            parse_program(row["program"]),
            row["referred"],
            language=inspector.language,
            whole=wholes[row["scene_id"]],
            phrases=phrases,
        )
        for row in rows
    ]
