"""Datasets as a task for Inspect (inspect_ai)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from mereo.datasets.export import Progress, Source, exporter
from mereo.datasets.formats.task_files import in_boxes, questions_with_pictures, write_facts, write_program
from mereo.files import write_bytes

__all__ = ["to_inspect"]


@exporter("inspect")
def to_inspect(source: Source, out: Path, progress: Progress) -> None:
    """`task.py` for `inspect eval` with `task.json`, `samples-SPLIT.jsonl` and `images/`."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for split, questions in questions_with_pictures(source, out, progress):
        rows.setdefault(split, []).extend(questions)
    for split, own in rows.items():
        write_bytes(out / f"samples-{split}.jsonl", b"\n".join(map(msgspec.json.encode, own)) + b"\n")
    template = "inspect_boxes_task.txt" if in_boxes(rows) else "inspect_task.txt"
    write_program(template, out / "task.py")
    write_facts(source, out, splits=list(rows))
