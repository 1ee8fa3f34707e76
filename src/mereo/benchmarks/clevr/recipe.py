"""Building CLEVR: symbolic scenes with questions of our own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from mereo.benchmarks.benchmark import Preset
from mereo.benchmarks.clevr.language import LANGUAGE, VOCABULARY, WORDS
from mereo.benchmarks.clevr.questions import RULES, load_questions
from mereo.benchmarks.clevr.scenes import sample_scene
from mereo.chance import fast, generator
from mereo.datasets.build import Rows
from mereo.datasets.formats.clevr_family import world_from_record
from mereo.datasets.store import QUESTION_FIELDS, SCENE_FIELDS, Shard
from mereo.datasets.verify import plain_answer
from mereo.questions.generate import Asker, Question

__all__ = ["PRESETS", "ClevrRecipe"]

PRESETS = {
    "clevr": Preset({"train": 0.7, "val": 0.15, "test": 0.15}, "CLEVR: all shapes in all colors"),
    "cogent": Preset(
        {"trainA": 0.5, "valA": 0.125, "valB": 0.125, "testA": 0.125, "testB": 0.125},
        "CoGenT: train on the colors of condition A, test on A and on B",
    ),
}


@dataclass(frozen=True)
class ClevrRecipe:
    """How CLEVR data is made."""

    seed: int
    questions_per_scene: int = 10
    preset: str = "clevr"
    benchmark: str = "clevr"

    def settings(self) -> dict[str, Any]:
        """All choices besides the seed."""
        return {"preset": self.preset, "questions_per_scene": self.questions_per_scene, "pictures": False}

    def condition(self, split: str) -> str:
        """CoGenT's condition of a split: its last letter."""
        return split[-1] if self.preset == "cogent" else ""

    def make(self, shard: Shard) -> Rows:
        """The scenes and questions of one shard."""
        asker = Asker(load_questions(), LANGUAGE, RULES)
        rows = Rows({name: [] for name in SCENE_FIELDS.names}, {name: [] for name in QUESTION_FIELDS.names})
        for index in range(shard.first, shard.stop):
            scene = sample_scene(generator(self.seed, shard.split, index), condition=self.condition(shard.split))
            scene_id = f"{shard.split}-{index:06d}"
            record = {"split": shard.split, "image_index": index, "image_filename": f"CLEVR_{scene_id}.png", **scene}
            _append(
                rows.scenes,
                scene_id=scene_id,
                split=shard.split,
                index=index,
                objects=len(scene["objects"]),
                scene=msgspec.json.encode(record).decode(),
            )
            world = world_from_record(record, VOCABULARY)
            chance = fast(generator(self.seed, shard.split, index, "questions"))
            for number, question in enumerate(asker.ask(world, self.questions_per_scene, chance=chance)):
                _append(rows.questions, **_question_row(question, scene_id, shard.split, number))
        return rows


def _question_row(question: Question, scene_id: str, split: str, number: int) -> dict[str, Any]:
    template = question.template
    return {
        "question_id": f"{scene_id}-{number:02d}",
        "scene_id": scene_id,
        "split": split,
        "type": WORDS["types"][template.type],
        "subtype": template.type,
        "family": template.family,
        "template": template.title,
        "question": question.text,
        "program": str(question.program),
        "answer": plain_answer(question.answer),
        "referred": question.trace.referred(),
    }


def _append(columns: Any, **row: Any) -> None:
    for name, value in row.items():
        columns[name].append(value)
