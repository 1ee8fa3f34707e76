"""Datasets as tasks for lmms-eval."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mereo.datasets.export import Progress, Source, exporter
from mereo.datasets.formats.task_files import (
    fill,
    in_boxes,
    questions_with_pictures,
    task_name,
    write_facts,
    write_program,
)
from mereo.datasets.store import fingerprint
from mereo.files import new_file

__all__ = ["to_lmms_eval"]


def _asking(prompt: str, tokens: int, *metrics: str) -> dict[str, Any]:
    means = [{"metric": metric, "aggregation": "mean", "higher_is_better": True} for metric in metrics]
    return {"prompt": prompt, "tokens": tokens, "metrics": means}


_WORDS = _asking("short", 64, "accuracy")
_BOXES = _asking("refer", 512, "iou", "half")


@exporter("lmms-eval")
def to_lmms_eval(source: Source, out: Path, progress: Progress) -> None:
    """For every split `TASK_SPLIT.yaml` and `data/SPLIT.parquet`; `utils.py`, `task.json` and `images/` for all."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for split, questions in questions_with_pictures(source, out, progress):
        rows.setdefault(split, []).extend(questions)
    boxes = in_boxes(rows)
    for split, own in rows.items():
        with new_file(out / "data" / f"{split}.parquet") as scratch:
            pq.write_table(pa.Table.from_pylist(own), scratch)
        task = f"{task_name(source)}_{split}"
        about = {"task": task, "split": split, "data": f"data/{split}.parquet"}
        about |= {"fingerprint": fingerprint(source.manifest)} | (_BOXES if boxes else _WORDS)
        fill("lmms_eval_task.txt", out / f"{task}.yaml", **about)
    write_program("lmms_eval_boxes_utils.txt" if boxes else "lmms_eval_utils.txt", out / "utils.py")
    write_facts(source, out, answers=sorted({row["answer"] for own in rows.values() for row in own}))
