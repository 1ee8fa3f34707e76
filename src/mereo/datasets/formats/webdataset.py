"""Datasets as WebDataset: tar files of samples, a picture with its scene and questions each."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path
from typing import Any

import msgspec

from mereo.datasets.columns import key_of
from mereo.datasets.export import Progress, Source, exporter, picture_name
from mereo.files import new_file

__all__ = ["to_webdataset"]


@exporter("webdataset")
def to_webdataset(source: Source, out: Path, progress: Progress) -> None:
    """`SPLIT-NNNNN.tar`, with samples of `ID.png` or `ID.webp`, `ID.depth.png`, `ID.instances.png` and `ID.json`.

    Whoever reads tables from these wants one type for a field in all samples. So `scene` and `amodal`, whose fields
    differ from scene to scene, are texts of JSON as in our shards, and the instance key is a list of objects.
    """
    numbers: dict[str, int] = {}
    for split, rows, asked in source.shards():
        number = numbers[split] = numbers.get(split, -1) + 1
        with new_file(out / f"{split}-{number:05d}.tar") as scratch, tarfile.open(scratch, "w") as archive:
            for row in rows:
                _sample(archive, row, [question for question in asked if question["scene_id"] == row["scene_id"]])
                progress(1)


def _sample(archive: tarfile.TarFile, row: dict[str, Any], questions: list[dict[str, Any]]) -> None:
    row = {**row, "scene_id": row["scene_id"].replace(".", "_")}  # a sample's name ends at its first dot
    for column, before in (("image", ""), ("depth", ".depth"), ("instances", ".instances")):
        if row.get(column):
            _add(archive, picture_name(row, column, after=before), row[column]["bytes"])
    content: dict[str, Any] = {"scene": row["scene"], "questions": questions}
    if row.get("instance_key"):
        key = key_of(row)
        content["instance_key"] = [{"object": owner, "part": part, "label": label} for owner, part, label in key]
    if row.get("amodal"):
        content["amodal"] = row["amodal"]
    _add(archive, f"{row['scene_id']}.json", msgspec.json.encode(content))


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    archive.addfile(member, io.BytesIO(data))
