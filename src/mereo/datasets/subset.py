"""A part of a dataset, for learning from less: always the same scenes, and the smaller part within the larger."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from mereo.datasets.card import write_card
from mereo.datasets.shards import read_shard
from mereo.datasets.store import (
    KINDS,
    SHAPES,
    open_dataset,
    own_shapes,
    record_file,
    save_table,
    sealed,
    write_manifest,
)
from mereo.errors import BadInput, UnknownName
from mereo.files import read_bytes, write_bytes
from mereo.folders import new_folder
from mereo.shapes.own import copy_shapes

__all__ = ["portion", "take_subset"]

_GOLDEN = (math.sqrt(5) - 1) / 2


def portion(index: int) -> float:
    """Where in a split a scene stands, from 0 to 1: those below 0.25 are a quarter of it.

    Multiples of the golden ratio fill the interval evenly however far one goes, so that every stretch of scenes, and
    with it every shard, gives its share.
    """
    return (index + 1) * _GOLDEN % 1.0


def take_subset(
    folder: str | Path,
    out: str | Path,
    *,
    share: float,
    split: str = "train",
    progress: Callable[[int], None] = lambda scenes: None,
) -> int:
    """Write a dataset with a share of one split's scenes and all of the others; gives the number of scenes kept.

    progress : called with the number of scenes looked at
    """
    folder, out = Path(folder), Path(out)
    manifest = open_dataset(folder)
    if split not in manifest.scenes:
        raise UnknownName("split", split, manifest.scenes)
    if not 0 < share <= 1:
        raise BadInput(f"must be more than 0 and at most 1, not {share}", field="--share")
    counts = {kind: dict.fromkeys(manifest.scenes, 0) for kind in KINDS}
    files = {}
    with new_folder(out) as scratch:
        for name in manifest.files:
            if not name.startswith("scenes/"):
                continue
            own = Path(name).name.rpartition("-")[0]
            scenes, questions = (read_shard(sealed(folder, f"{kind}/{Path(name).name}", manifest)) for kind in KINDS)
            progress(len(scenes))
            if own == split:
                scenes = scenes.filter(
                    pa.array([portion(index) < share for index in scenes["index"].to_pylist()], pa.bool_())
                )
                questions = questions.filter(pc.is_in(questions["scene_id"], scenes["scene_id"].combine_chunks()))
            for kind, table in (("scenes", scenes), ("questions", questions)):
                path = scratch / kind / Path(name).name
                save_table(path, table)
                files[f"{kind}/{path.name}"] = record_file(path)
                counts[kind][own] += len(table)
        copy_shapes(own_shapes(manifest), scratch / SHAPES)
        for name, record in manifest.files.items():
            room = name.partition("/")[0]
            if room not in KINDS:
                files[name] = record
            if room not in (*KINDS, SHAPES):
                write_bytes(scratch / name, read_bytes(sealed(folder, name, manifest)))
        chosen = {**manifest.settings, "subset": {"split": split, "share": share}}
        left_out = [one for one in manifest.left_out if one.split != split or portion(one.index) < share]
        asked = {other: count for other, count in manifest.asked.items() if other != split}
        smaller = msgspec.structs.replace(
            manifest, settings=chosen, files=files, asked=asked, left_out=left_out, **counts
        )
        write_card(scratch, smaller)
        write_manifest(scratch, smaller)
    return counts["scenes"][split]
