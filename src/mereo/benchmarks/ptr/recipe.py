"""Building PTR: ordinary and physical scenes, with or without pictures, and the questions about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.objects import told_own
from mereo.benchmarks.ptr.questions import RULES, TYPES, ptr_questions
from mereo.benchmarks.ptr.readings import ptr_readings
from mereo.benchmarks.ptr.world import ptr_world
from mereo.chance import fast, generator
from mereo.datasets.build import Rows
from mereo.datasets.columns import record_of
from mereo.datasets.picture_settings import USUAL, PictureSettings, scene_fields
from mereo.datasets.rows import append, new_columns, question_row, scene_row
from mereo.datasets.store import QUESTION_FIELDS, Shard
from mereo.programs import ProgramFailure, Trace
from mereo.questions.generate import Asker
from mereo.questions.readings import Readings, stands_in
from mereo.shapes.objects import OwnShapes

__all__ = ["PtrRecipe", "is_physical"]


def is_physical(index: int) -> bool:
    """Whether the scene of this number is a physical one."""
    return index % 10 in NUMBERS["physical"]["indices"]


@dataclass(frozen=True)
class PtrRecipe:
    """How PTR data is made."""

    seed: int
    questions_per_scene: int = 10
    preset: str = "tiny"
    view: PictureSettings = USUAL
    """What is seen is counted in pixels, with pictures or without."""
    pictures: bool = False
    counterfactuals: bool = False
    """Whether an unstable object that a change would save is also shown with the change made."""
    own: tuple[OwnShapes, ...] = ()
    """Shapes to use beside those of grammars, or instead; they lie in the dataset's folder."""
    proportions: str = "real"
    """Whether objects are as large as such things are, or all of one diagonal."""
    benchmark: str = "ptr"

    @property
    def piecemeal(self) -> bool:
        """Every scene is looked at and many are simulated, which takes about a second even without its picture."""
        return True

    @property
    def scene_fields(self) -> pa.Schema:
        """The columns of scene shards."""
        return scene_fields(self.view if self.pictures else None)

    def settings(self) -> dict[str, Any]:
        """All choices besides the seed."""
        chosen = {
            "preset": self.preset,
            "questions_per_scene": self.questions_per_scene,
            "pictures": self.pictures,
            "width": self.view.width,
            "height": self.view.height,
            "counterfactuals": self.counterfactuals,
            "proportions": self.proportions,
        }
        own = {"objects": told_own(self.own)} if self.own else {}
        return chosen | own | (self.view.settings() if self.pictures else {})

    def categories(self, split: str) -> tuple[str, ...]:
        """The categories of a split's objects; all where none is named."""
        narrow = self.preset == "cross-category" and split != "test"
        return tuple(NUMBERS["cross_category"]) if narrow else ()

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene: its record and, with pictures, what the camera saw; counterfactual ones are within it."""
        from mereo.benchmarks.ptr.behavior import Behavior
        from mereo.benchmarks.ptr.physical import physical_scene
        from mereo.benchmarks.ptr.scenes import Shown, Wanted, ordinary_scene

        view = self.view
        seen = (view.width, view.height, view.renderer)
        asked = Wanted(split, self.seed, self.categories(split), *seen, self.own, self.proportions)
        rng = generator(self.seed, split, index)
        shown: Shown
        behaviors: Sequence[Behavior] | None
        if is_physical(index):
            shown, behaviors = physical_scene(asked, rng)
        else:
            shown, behaviors = ordinary_scene(asked, rng), None
        taken = self._taken(shown, split, index, repaint=True)
        row = self._row(taken, behaviors, split, index)
        if self.counterfactuals and behaviors is not None:
            row["counterfactuals"] = self._counterfactuals(asked, taken.shown, behaviors, split, index)
        return row

    def _taken(self, shown: Any, split: str, index: int, suffix: str = "", *, repaint: bool) -> Any:
        """The picture of a scene, where there are pictures, and else what is there without."""
        from mereo.benchmarks.ptr.taking import Taken, taken

        if not self.pictures:
            return Taken(shown)
        noise = int(generator(self.seed, split, index, "noise", suffix).integers(1 << 24))
        return taken(
            shown, self.view, noise=noise, rng=generator(self.seed, split, index, "paint") if repaint else None
        )

    def _row(self, taken: Any, behaviors: Any, split: str, index: int, suffix: str = "", **more: Any) -> dict[str, Any]:
        from mereo.benchmarks.ptr.record import record_of

        scene_id = f"{split}-{index:06d}{suffix}"
        name = f"PTR_{scene_id}"
        facts = {"split": split, "image_index": index, "image_filename": f"{name}.{self.view.image_format}", **more}
        scene, frame = taken.shown
        record = record_of(scene, frame, behaviors, unread=taken.unread, **facts)
        row = scene_row(scene_id, split, index, objects=len(scene.objects), record=record)
        if not self.pictures:
            return row
        return row | self.view.columns(scene, frame, taken.stage, name, taken.picture)

    def _counterfactuals(self, asked: Any, shown: Any, behaviors: Any, split: str, index: int) -> list[dict[str, Any]]:
        from mereo.benchmarks.ptr.counterfactual import counterfactual_scenes

        rows = []
        for number, (other, after, moved) in enumerate(counterfactual_scenes(asked, shown.scene, behaviors)):
            link = {"counterfactual_of": f"{split}-{index:06d}", "moved": moved}
            # Only what is moved may differ, so all keeps its paint.
            taken = self._taken(other, split, index, f"-c{number}", repaint=False)
            rows.append(self._row(taken, after, split, index, f"-c{number}", **link))
        return rows

    @property
    def question_fields(self) -> pa.Schema:
        """The columns of question shards; by one of them pairs are known where there are counterfactual scenes."""
        return (
            QUESTION_FIELDS.append(pa.field("counterfactual", pa.string())) if self.counterfactuals else QUESTION_FIELDS
        )

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        """The columns of scenes, and the questions about them, asked in order."""
        rows = Rows(new_columns(self.scene_fields), new_columns(self.question_fields))
        common = self.preset == "cross-category" and shard.split == "test"
        asker = Asker(ptr_questions(common=common), LANGUAGE, RULES, shard.split)
        for scene in scenes:
            others = scene.get("counterfactuals", ())
            for row in (scene, *others):
                append(rows.scenes, row)
            for question in self._asked(asker, scene, others):
                append(rows.questions, question)
        return rows

    def _asked(self, asker: Asker, scene: dict[str, Any], others: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Questions about a scene, and then each again about its counterfactual ones where it has an answer there."""
        record = record_of(scene)
        chance = fast(generator(self.seed, scene["scene_id"], "questions"))
        asked = asker.ask(ptr_world(record), self.questions_per_scene, chance=chance, readings=ptr_readings(record))
        questions = list(asked)
        rows = [
            question_row(question, scene["scene_id"], scene["split"], number, type=TYPES[question.template.type])
            for number, question in enumerate(questions)
        ]
        again: list[dict[str, Any]] = []
        for other in others:
            record = record_of(other)
            changed, readings = ptr_world(record), ptr_readings(record)
            for number, (question, row) in enumerate(zip(questions, rows, strict=True)):
                trace = question.trace.executable.attempt(changed)
                if isinstance(trace, ProgramFailure):
                    continue  # what it speaks of is gone, or no longer one
                # Its words are those of the first scene, so they must be true with all that is hidden in this one.
                if not _stands(trace, readings):
                    continue
                told = question._replace(trace=trace, answer=trace.values[-1])
                pair = question_row(told, other["scene_id"], scene["split"], number, type=row["type"])
                again.append({**pair, "counterfactual": row["question_id"]})
        paired = {row["counterfactual"] for row in again}
        for row in rows:
            yield {**row, "counterfactual": row["question_id"] if row["question_id"] in paired else None}
        yield from again


def _stands(trace: Trace, readings: Readings) -> bool:
    """Whether words that were chosen for another scene are true of whatever an eye might see, and of what is hidden."""
    by_eye = all(stands_in(reading, trace, LANGUAGE, numbers=True) for reading in readings.by_eye)
    return by_eye and (readings.whole is None or stands_in(readings.whole, trace, LANGUAGE))
