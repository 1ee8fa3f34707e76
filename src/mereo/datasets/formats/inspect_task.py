"""Datasets as a task for Inspect (inspect_ai)."""

from __future__ import annotations

from pathlib import Path

import msgspec

from mereo.datasets.export import Progress, Source, exporter
from mereo.datasets.formats.task_files import fill, questions_with_pictures, task_name
from mereo.files import write_bytes

__all__ = ["to_inspect"]


@exporter("inspect")
def to_inspect(source: Source, out: Path, progress: Progress) -> None:
    """`task.py` for `inspect eval`, `samples-SPLIT.jsonl` and `images/`."""
    lines: dict[str, list[bytes]] = {}
    for split, questions in questions_with_pictures(source, out, progress):
        lines.setdefault(split, []).extend(map(msgspec.json.encode, questions))
    for split, own in lines.items():
        write_bytes(out / f"samples-{split}.jsonl", b"\n".join(own) + b"\n")
    fill(source, "inspect_task.txt", out / "task.py", task=task_name(source), splits=list(lines))
