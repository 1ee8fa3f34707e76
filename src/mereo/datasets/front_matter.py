"""The head of a dataset card, by which Hugging Face knows what is in the folder.

With it `datasets.load_dataset(FOLDER)` gives the scenes, `load_dataset(FOLDER, "questions")` the questions, and the Hub
shows a folder that was uploaded as it is. It is YAML, of which JSON's texts are a part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from mereo.datasets.shards import open_shard
from mereo.datasets.store import Manifest

__all__ = ["front_matter"]

_SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M", 10_000_000: "1M<n<10M"}


def front_matter(folder: Path, manifest: Manifest) -> list[str]:
    """The lines of it, marks included. A license stands there only if somebody has chosen one."""
    rows = max(sum(manifest.scenes.values()), sum(manifest.questions.values()))
    size = next((word for most, word in _SIZES.items() if rows < most), "10M<n<100M")
    origin = "imported" if manifest.settings.get("imported") else "synthetic"
    return [
        "---",
        f"pretty_name: {_text(f'{manifest.benchmark}, seed {manifest.seed}')}",
        *([f"license: {_text(manifest.license)}"] if manifest.license else []),
        "task_categories:",
        f"- {_task(folder, manifest)}",
        "size_categories:",
        f"- {size}",
        "tags:",
        *(f"- {_text(tag)}" for tag in ("mereo", manifest.benchmark, origin)),
        "configs:",
        *_config("scenes", manifest.scenes, default=True),
        *_config("questions", manifest.questions),
        "---",
        "",
    ]


def _text(words: str) -> str:
    return msgspec.json.encode(words).decode()


def _task(folder: Path, manifest: Manifest) -> str:
    """What a model is to do with it, as the Hub calls that."""
    if not manifest.settings.get("pictures"):
        return "question-answering"
    first = next((name for name in manifest.files if name.startswith("questions/")), None)
    if first is None:
        return "visual-question-answering"
    with open_shard(folder / first) as shard:
        masks = "masks" in shard.names
    return "image-segmentation" if masks else "visual-question-answering"


def _config(kind: str, rows: Mapping[str, int], *, default: bool = False) -> Iterator[str]:
    """Where the shards of each split lie that has any rows, since the library does not read a file without.

    Names of shards go on from the split's for five digits, so that `val` does not take those of `val-new`; the names
    of splits themselves may have no dashes and dots there.
    """
    found = [split for split, count in rows.items() if count]
    if not found:
        return
    yield f"- config_name: {kind}"
    if default:
        yield "  default: true"
    yield "  data_files:"
    for split in found:
        theirs = re.sub(r"\W", "_", split)
        yield f"  - split: {_text(theirs)}"
        yield f"    path: {_text(f'{kind}/{split}-?????.parquet')}"
