"""What the task files of several evaluation harnesses share: questions with their pictures, and texts to fill in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mereo.datasets.export import Progress, Source, picture_name
from mereo.datasets.picture_bytes import picture_size
from mereo.datasets.store import fingerprint
from mereo.errors import BadInput
from mereo.files import read_bytes, write_bytes

__all__ = ["fill", "in_boxes", "questions_with_pictures", "task_name", "write_facts", "write_program"]

_KEPT = ("question_id", "scene_id", "type", "subtype", "question", "answer", "program")


def task_name(source: Source) -> str:
    """A name that is a Python identifier."""
    return "mereo_" + re.sub(r"\W+", "_", source.manifest.benchmark)


def questions_with_pictures(
    source: Source, out: Path, progress: Progress
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """For every shard its split and questions; their pictures are written to `images` on the way.

    Questions that ask for boxes and not for words have `boxes`.
    """
    for split, scenes, questions in source.shards():
        pictures = {}
        for row in scenes:
            if not row.get("image"):
                raise BadInput("has no pictures, without which there is nothing to show", file=source.folder)
            name = f"images/{picture_name(row)}"
            write_bytes(out / name, row["image"]["bytes"])
            width, height = picture_size(row["image"]["bytes"])
            pictures[row["scene_id"]] = {"image": name, "width": width, "height": height}
            progress(1)
        yield split, [_asked(source, row, pictures[row["scene_id"]]) for row in questions]


def _asked(source: Source, row: dict[str, Any], picture: dict[str, Any]) -> dict[str, Any]:
    kept = {**{name: row[name] for name in _KEPT}, **picture}
    boxes = source.inspector.boxes_asked(row) if source.inspector is not None else None
    return kept if boxes is None else {**kept, "boxes": boxes}


def in_boxes(rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> bool:
    """Whether the questions of these splits ask for boxes."""
    return any("boxes" in row for own in rows.values() for row in own)


def write_program(template: str, path: Path) -> None:
    """Write a program as it stands: what it has to know of a dataset it reads from `task.json`, as data."""
    write_bytes(path, _template(template))


def write_facts(source: Source, out: Path, **facts: Any) -> None:
    """Write `task.json`: what the task is called, what it is about, and whatever its program wants to know."""
    told = {"task": task_name(source), "benchmark": source.manifest.benchmark, "dataset": fingerprint(source.manifest)}
    write_bytes(out / "task.json", msgspec.json.format(msgspec.json.encode({**told, **facts}), indent=1) + b"\n")


def fill(template: str, path: Path, **holes: Any) -> None:
    """Write a YAML file from its template; what stands in its holes is quoted, so that it stays a value."""
    quoted = {name: msgspec.json.encode(value).decode() for name, value in holes.items()}
    write_bytes(path, _template(template).decode().format(**quoted).encode())


def _template(name: str) -> bytes:
    return read_bytes(Path(__file__).with_name("tasks") / name)
