"""Asking questions with the template files of others, and writing them as their generators do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mereo.chance import fast, generator
from mereo.clevr_family.nodes import Spelling, node_records, write_questions
from mereo.clevr_family.templates import Dialect, load_family
from mereo.datasets.format import Asking, SceneRecord
from mereo.errors import BadInput
from mereo.files import read_json
from mereo.questions.generate import Asker, Question
from mereo.world import World

__all__ = ["ask_officially", "dataset_of", "refexp_record"]


def dataset_of(metadata: str | Path) -> str:
    """What a `metadata.json` calls its dataset."""
    content = read_json(metadata, type=dict[str, Any])
    dataset = content.get("dataset")
    if not isinstance(dataset, str):
        raise BadInput("must name the dataset", file=metadata, field="dataset")
    return dataset


def ask_officially(
    scenes: Sequence[SceneRecord],
    asking: Asking,
    *,
    dialect: Dialect,
    world_of: Callable[[SceneRecord], World],
    spelling: Spelling,
    progress: Callable[[int], None] = lambda scenes: None,
) -> int:
    """Write a question file about scenes; gives the number of questions.

    progress : called for every scene
    """
    family = load_family(asking.templates, metadata=asking.metadata, synonyms=asking.synonyms, dialect=dialect)
    asker = (dialect.asker or Asker)(family, dialect.language, dialect.rules)
    places = {template.title: place for place, template in enumerate(family.templates)}
    records: list[msgspec.Raw] = []
    for number, scene in enumerate(scenes):
        world = world_of(scene)
        chance = fast(generator(asking.seed, "questions", number))
        for question in asker.ask(world, asking.per_scene, chance=chance):
            record = _record(question, scene, number, len(records), spelling)
            if spelling.throughout:
                record["question_in_family_index"] = question.template.index
                record["question_family_index"] = places[question.template.title]
            # Kept as bytes: the garbage collector would go through hundreds of thousands of nodes again and again.
            records.append(msgspec.Raw(msgspec.json.encode(refexp_record(record) if dialect.refers else record)))
        progress(1)
    if not records:
        asker.refuse_silence()
    split = scenes[0].split if scenes else "new"
    info = {"split": split, "dataset": family.dataset, "seed": asking.seed}
    write_questions(asking.out, records, info=info, under="refexps" if dialect.refers else "questions")
    return len(records)


def refexp_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """A question's record as CLEVR-Ref+ writes expressions: the answer is what the last step refers to."""
    return {key.replace("question", "refexp"): value for key, value in record.items() if key != "answer"}


def _record(question: Question, scene: SceneRecord, number: int, index: int, spelling: Spelling) -> dict[str, Any]:
    filename = str(scene.data.get("image_filename", f"{number}"))
    form = question.trace.executable.types[-1].form
    return {
        "split": scene.data.get("split", "new"),
        "image_filename": filename,
        "image_index": scene.data.get("image_index", number),
        "image": filename.rpartition(".")[0] or filename,
        "question": question.text,
        "program": node_records(question.trace, spelling),
        "answer": spelling.output(question.answer, form),
        "template_filename": question.template.source,
        "question_family_index": question.template.index,
        "question_index": index,
    }
