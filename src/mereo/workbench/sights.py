"""Keeping what a run saw and where it looked, of a few questions, beside its predictions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from mereo.datasets.asked import Asked, Selection
from mereo.datasets.spread import spread
from mereo.evaluation.runs import SIGHTS
from mereo.folders import alone_in
from mereo.training.row import Desk, Row

if TYPE_CHECKING:
    from mereo.datasets.sights import Looks, SeenScene

__all__ = ["SHOWN", "keep_sights"]

SHOWN = 50
"""Questions of which it is kept, unless somebody wants more or fewer."""


def keep_sights(row: Row, desk: Desk, splits: Sequence[str], run: Path, count: int) -> None:
    """Keep what a row saw of so many questions, shared out among splits; nothing where it can tell nothing.

    The questions follow from the dataset alone, so that runs can be held against each other. run : its folder
    """
    asked = {split: _of_split(desk.corpus.asked, split) for split in splits}
    places = {split: spread(own, ceil(count / len(splits))) for split, own in asked.items()}
    with alone_in(run):
        (run / SIGHTS).unlink(missing_ok=True)
        if row.show is None or not any(places.values()):
            return
        from mereo.datasets.sights import write_sights

        named = {split: [*zip(own.ids, own.words("scene_id"), strict=True)] for split, own in asked.items()}
        about = dict(named[split][place] for split, chosen in places.items() for place in chosen)
        write_sights(run / SIGHTS, desk.corpus.asked.checksum, about, _shown(row, desk, places), model=row.name)


def _of_split(asked: Asked, split: str) -> Asked:
    return asked.take(asked.chosen(Selection((split,))))


def _shown(row: Row, desk: Desk, places: dict[str, list[int]]) -> Iterator[Looks | SeenScene]:
    assert row.show is not None
    for split, chosen in places.items():
        if chosen:
            yield from row.show(desk, split, chosen)
