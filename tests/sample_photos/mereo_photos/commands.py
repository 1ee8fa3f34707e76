"""The command that only photographs have: which words a dataset knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mereo.benchmarks.choices import Choice
from mereo.benchmarks.offer import Command, Lines, Sheet
from mereo.datasets.export import Source
from mereo.datasets.store import open_dataset
from mereo_photos.inspect import PhotoInspector

__all__ = ["WORDS"]


def _count(choices: Mapping[str, Any], progress: Callable[[int], None]) -> Lines:
    source, eye = Source(choices["dataset"], open_dataset(choices["dataset"])), PhotoInspector()
    found: Counter[tuple[str, str]] = Counter()
    for _, rows, _ in source.shards():
        for row in rows:
            found.update(fact for fact in eye.facts(row) if fact[0] != "link")
            progress(1)
    words = [(word, kind, f"{count:,}") for (kind, word), count in found.most_common() if count >= choices["least"]]
    return [f"{len(words):,} words", Sheet(("word", "is a", "photographs"), words)]


WORDS = Command(
    "words",
    "Count the words that photographs are annotated with.",
    (
        Choice("dataset", Path, None, "A dataset of photographs.", argument=True),
        Choice("least", int, 1, "Only words of at least so many photographs.", least=1),
    ),
    _count,
    lambda choices: sum(open_dataset(choices["dataset"]).scenes.values()),
    unit="photographs",
)
