"""The rows of datasets that all benchmarks write alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pyarrow as pa

from mereo.datasets.answers import stored_answer
from mereo.questions.generate import Question

__all__ = ["append", "new_columns", "question_row", "scene_row"]


def new_columns(fields: pa.Schema) -> dict[str, list[Any]]:
    """Empty columns."""
    return {name: [] for name in fields.names}


def append(columns: Mapping[str, list[Any]], row: Mapping[str, Any]) -> None:
    """Add a row, which must have just these columns."""
    for name, column in columns.items():
        column.append(row[name])


def scene_row(scene_id: str, split: str, index: int, *, objects: int, record: Mapping[str, Any]) -> dict[str, Any]:
    """A scene without its picture. objects : how many it has; record : all that is told of it, kept as JSON"""
    told = msgspec.json.encode(record).decode()
    return {"scene_id": scene_id, "split": split, "index": index, "objects": objects, "scene": told}


def question_row(question: Question, scene_id: str, split: str, number: int, *, type: str) -> dict[str, Any]:
    """A question with its program, answer and what every step refers to."""
    template = question.template
    return {
        "question_id": f"{scene_id}-{number:02d}",
        "scene_id": scene_id,
        "split": split,
        "type": type,
        "subtype": template.type,
        "family": template.family,
        "template": template.title,
        "question": question.text,
        "program": str(question.program),
        "answer": stored_answer(question.answer, template.output),
        "referred": question.trace.referred(),
    }
