"""Annotators as they might be: people who see the parts of a shape, and err in the ways that PartNet tells of.

A part with parts of its own may be taken for one piece and called as the largest of them; a piece may be cut where it
has no border, and one side given to its neighbor; and a piece may be called as another beside it in the tree. Some
labels are less clear than others, and to all annotators: how much so is drawn once for a category.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.partnet.clouds import Cloud, Piece, array_of, cloud_of, parents_of, record_of_cloud
from mereo.benchmarks.partnet.confusion import Counts, counted
from mereo.benchmarks.partnet.labels import read_labels
from mereo.chance import generator
from mereo.datasets.asked import Asked
from mereo.datasets.reading import split_rows

__all__ = ["Habits", "Unclear", "annotated", "compared", "unclear_labels"]

_SUREST = 0.95
"""No fault is likelier than this, however unclear a label is."""

Numbers = NDArray[np.int64]


class Habits(NamedTuple):
    """How likely each fault is at a part whose label is as clear as the average."""

    merging: float = 0.1
    splitting: float = 0.1
    mislabeling: float = 0.1


class Unclear(NamedTuple):
    """The labels of a category's parts, and how clear they are to everybody."""

    names: Sequence[str]
    times: NDArray[np.float64]
    """(c,) how many times as likely as on average faults are there; the mean over many labels is 1."""
    mistaken: Numbers
    """(c,) the label that each is mistaken for: one that leaves have too, beside it in the tree; else its own."""

    def chance(self, name: str, habit: float) -> float:
        """How likely a fault is at a part of this label."""
        return min(_SUREST, habit * float(self.times[self.names.index(name)]))


def unclear_labels(names: Sequence[str], leaves: Collection[str], *, rng: np.random.Generator) -> Unclear:
    """Draw how clear labels are. names : of all parts, each once; leaves : those of parts without parts of their own"""
    above = [name.rpartition("/")[0] for name in names]
    mistaken = np.arange(len(names))
    for own, name in enumerate(names):
        beside = [k for k, other in enumerate(names) if above[k] == above[own] and other in leaves and other != name]
        if beside:
            mistaken[own] = rng.choice(beside)
    return Unclear(names, rng.exponential(size=len(names)), mistaken)


def annotated(
    cloud: Cloud, points: NDArray[np.float32], unclear: Unclear, habits: Habits, *, rng: np.random.Generator
) -> Numbers:
    """(n,) what an annotator calls each point: the place of its label among all of the category. points : (n, 3)"""
    parts, lowest = cloud.record.parts, _lowest(cloud)
    pieces = np.array(_pieces(parts, unclear, habits.merging, rng))[lowest]
    called = {}
    for piece in np.unique(pieces).tolist():
        name = parts[int(np.bincount(lowest[pieces == piece]).argmax())].label
        own = unclear.names.index(name)
        wrong = rng.random() < unclear.chance(name, habits.mislabeling)
        called[piece] = int(unclear.mistaken[own]) if wrong else own
    labels: Numbers = np.array([called[piece] for piece in pieces.tolist()], np.int64)
    for piece in called:
        if len(called) > 1 and rng.random() < unclear.chance(parts[piece].label, habits.splitting):
            side, neighbor = _cut(points, pieces, piece)
            labels[side] = called[neighbor]
    return labels


def _lowest(cloud: Cloud) -> Numbers:
    """(n,) the place of the lowest part that each point belongs to; the whole, where there is none."""
    found = np.zeros(len(cloud), np.int64)
    for place, part in enumerate(cloud.record.parts):  # parents come first
        found[np.isin(cloud.leaf, part.leaves)] = place
    return found


def _pieces(parts: Sequence[Piece], unclear: Unclear, merging: float, rng: np.random.Generator) -> list[int]:
    """For each part the one that it is annotated as: itself, or one above it that was taken for one piece."""
    parents = parents_of(parts)
    found, whole = list(range(len(parts))), [False] * len(parts)
    for place, parent in enumerate(parents):
        if parent >= 0 and whole[parent]:
            found[place], whole[place] = found[parent], True
        elif parent >= 0 and place in parents:
            whole[place] = rng.random() < unclear.chance(parts[place].label, merging)
    return found


def _cut(points: NDArray[np.float32], pieces: Numbers, piece: int) -> tuple[NDArray[np.bool_], int]:
    """Cut a piece in two halves across its longest side: (n,) bool the half next to its neighbor, and that one."""
    own = pieces == piece
    middle = points[own].mean(0)
    others = np.flatnonzero(~own)
    near = others[np.square(points[others] - middle).sum(1).argmin()]
    axis = int(np.ptp(points[own], axis=0).argmax())
    beyond = points[:, axis] > np.median(points[own, axis])
    return own & (beyond == (points[near, axis] > middle[axis])), int(pieces[near])


def compared(
    asked: Asked, *, annotators: int, habits: Habits, seed: int, progress: Callable[[int], None] = lambda done: None
) -> dict[str, Counts]:
    """By category how often points are called what by one annotator and by another, over all shapes of some splits."""
    labels, splits = read_labels(asked.manifest), sorted(set(asked.words("split")))
    known = _known(asked, splits, seed)
    found = {name: np.zeros((len(one.names), len(one.names)), np.int64) for name, one in known.items()}
    for row in split_rows(asked.folder, asked.manifest, splits, heavy=("points", "leaf")):
        cloud = cloud_of(row, labels)
        category, points = cloud.record.category, array_of(row, "points", len(cloud))
        chance = [generator(seed, "annotator", row["scene_id"], number) for number in range(annotators)]
        told = [annotated(cloud, points, known[category], habits, rng=rng) for rng in chance]
        found[category] += counted(told, len(known[category].names))
        progress(1)
    return found


def _known(asked: Asked, splits: Sequence[str], seed: int) -> dict[str, Unclear]:
    """By category the labels of its shapes, and how clear they are."""
    names, leaves = dict[str, set[str]](), dict[str, set[str]]()
    for row in split_rows(asked.folder, asked.manifest, splits):
        record = record_of_cloud(row)
        inner = set(parents_of(record.parts))
        names.setdefault(record.category, set()).update(part.label for part in record.parts)
        lowest = (part.label for place, part in enumerate(record.parts) if place not in inner)
        leaves.setdefault(record.category, set()).update(lowest)
    return {
        name: unclear_labels(sorted(names[name]), leaves[name], rng=generator(seed, "unclear", name))
        for name in sorted(names)
    }
