"""Building CRIC: scenes of our own or of others, and the questions about them that are kept of all that were drawn."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa

from mereo.benchmarks.cric.balancing import balanced
from mereo.benchmarks.cric.drawn import drawn_note
from mereo.benchmarks.cric.graph import SceneGraph, graph_of
from mereo.benchmarks.cric.lore import Lore
from mereo.benchmarks.cric.names import DRAWN, DRAWN_COLUMN, LORE_FILE, NAME
from mereo.benchmarks.cric.question import CRIC_FIELDS, CricQuestion, question_row
from mereo.benchmarks.cric.sources import Known, SceneSource, known_of
from mereo.chance import fast, generator
from mereo.datasets.build import Rows
from mereo.datasets.columns import record_of, row_named
from mereo.datasets.rows import append, new_columns
from mereo.datasets.store import Shard, with_text

__all__ = ["Asker", "CricRecipe"]


class Asker(Protocol):
    """Who asks about scene graphs."""

    def ask(self, graph: SceneGraph, count: int, *, chance: random.Random) -> Sequence[CricQuestion]:
        """So many questions about a picture, or fewer where there are not as many."""


@dataclass(frozen=True)
class CricRecipe:
    """How CRIC's data is made."""

    seed: int
    source: SceneSource
    preset: str = "tiny"
    questions: int = 5
    """Questions that are kept of a scene."""
    drawn: int = DRAWN
    """How many are drawn for each that is kept."""
    knowledge: str | None = None
    """A file of knowledge; None for what comes with mereo."""
    strict: bool = False
    """Whether a row of that file that cannot be read ends all."""
    visual: bool = False
    """Whether it is asked only about what is seen."""
    benchmark: str = NAME
    question_fields: pa.Schema = CRIC_FIELDS

    @property
    def known(self) -> Known:
        """What is known of the things in the scenes."""
        return known_of(self.source, self.knowledge, strict=self.strict)

    @property
    def piecemeal(self) -> bool:
        """As the scenes are made."""
        return self.source.piecemeal

    @property
    def scene_fields(self) -> pa.Schema:
        """The columns that the scenes come with, and how much was drawn."""
        return with_text(self.source.fields, DRAWN_COLUMN)

    def settings(self) -> dict[str, Any]:
        """All choices besides the seed."""
        chosen = {"preset": self.preset, "questions": self.questions, "drawn": self.drawn}
        visual = {"visual": True} if self.visual else {}  # what was made before there was a choice stays the same
        return {**chosen, **visual, **self.source.settings(), **self.known.settings}

    def further(self) -> dict[str, bytes]:
        """What is known goes with the dataset."""
        return {LORE_FILE: self.known.content}

    def told(self) -> tuple[str, ...]:
        """What there is to say of the files of others."""
        return (*self.source.told, *self.known.told)

    def asker(self, lore: Lore) -> Asker:
        """Who asks."""
        from mereo.benchmarks.cric.asking import Questioner

        return Questioner(lore, visual=self.visual)

    def can_ask(self, splits: Mapping[str, int]) -> bool:
        """Whether there is at least one question about any of so many scenes of splits; for scenes that are there."""
        asker = self.asker(self.known.kept.lore)
        places = ((split, index) for split, count in splits.items() for index in range(count))
        return not self.questions or any(self._drawn(asker, self.scene(*place)) for place in places)

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene as it comes."""
        return self.source.scene(split, index)

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        """The columns of scenes, and the questions that are kept, balanced over all of them."""
        rows = Rows(new_columns(self.scene_fields), new_columns(CRIC_FIELDS))
        asker = self.asker(self.known.kept.lore)
        drawn = [self._drawn(asker, scene) for scene in scenes]
        for scene, every, kept in zip(scenes, drawn, balanced(drawn, self.questions), strict=True):
            append(rows.scenes, {**scene, DRAWN_COLUMN: drawn_note(every)})
            for number, question in enumerate(kept):
                append(rows.questions, question_row(question, scene["scene_id"], shard.split, number))
        return rows

    def _drawn(self, asker: Asker, scene: dict[str, Any]) -> list[CricQuestion]:
        """All questions from which those about one scene are chosen; none is another one again."""
        with row_named(scene):
            graph = graph_of(record_of(scene))
        chance = fast(generator(self.seed, scene["scene_id"], "questions"))
        asked = asker.ask(graph, self.drawn * self.questions, chance=chance)
        found: list[CricQuestion] = []
        seen: set[str] = set()
        for question in asked:
            own = {question.text, str(question.trace.executable.program)}
            if not own & seen:
                seen |= own
                found.append(question)
        return found
