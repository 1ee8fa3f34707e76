"""How far annotators of the same shapes agree: confusion over paths of parts, and what refining the template would do.

As in PartNet's Table 6, but by area: a part counts as much as there is of it to see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.annotation.home import Home
from mereo.annotation.sampling import NOTHING, paths_of_points, pieces_of_points, sampled
from mereo.annotation.state import State
from mereo.annotation.store import Finished, Store
from mereo.benchmarks.partnet.confusion import Agreement, Counts, agreement, counted, refinement, regrouped
from mereo.errors import BadInput, UnknownName

__all__ = [
    "AnnotatorShare",
    "Confusion",
    "PartShare",
    "Refined",
    "by_annotator",
    "by_part",
    "chosen",
    "confusion",
    "refined_by",
]


class Spoken(NamedTuple):
    """What one annotator calls the points of a shape."""

    annotator: str
    paths: NDArray[np.str_]
    """(n,) nothing where it is given to no part"""


class Confusion(NamedTuple):
    """What was called what, over all shapes that two or more have finished."""

    paths: tuple[str, ...]
    counts: Counts
    """(c, c) points that one annotator calls the one path and another the other"""
    annotators: dict[str, Counts]
    """The same of what each annotator says, in rows, and the others, in columns."""
    missing: dict[str, float]
    """By annotator the share of the area that was given to no part."""
    shapes: int


class PartShare(NamedTuple):
    """How sure one kind of part is."""

    path: str
    points: int
    same: float
    """The share of it that others call the same."""
    mistaken: str
    """What others call it most, else; nothing where they never do."""
    share: float
    """And how much of it."""


class AnnotatorShare(NamedTuple):
    """How far one annotator says what others say."""

    annotator: str
    points: int
    same: float
    missing: float


class Refined(NamedTuple):
    """The effect of telling fewer parts apart."""

    before: Agreement
    after: Agreement
    merged: tuple[tuple[str, ...], ...]
    """Paths that become one, each group called by its first."""
    removed: tuple[str, ...]


def confusion(store: Store, *, progress: Callable[[int], None] = lambda done: None) -> Confusion:
    """Compare all finished annotations of each shape with each other."""
    rows = sorted(_independent(store), key=lambda one: one.row.shape.id)
    groups = [list(group) for _, group in groupby(rows, key=lambda one: one.row.shape.id)]
    spoken = []
    for group in groups:
        if len(group) > 1:
            spoken.append(_spoken(group, store.project.home))
            progress(1)
    return _confusion(spoken)


def _independent(store: Store) -> list[Finished]:
    """Finished works, but for those that were merged of others and so agree with them."""
    return [one for one in store.finished() if not one.row.merged]


def _spoken(group: Sequence[Finished], home: Home) -> list[Spoken]:
    sample = sampled(home, group[0].start.pieces, seed=group[0].row.shape.id)

    def paths(state: State) -> NDArray[np.str_]:
        return paths_of_points(pieces_of_points(sample, state, home), state)

    return [Spoken(one.row.annotator, paths(one.state)) for one in group]


def _confusion(shapes: Sequence[Sequence[Spoken]]) -> Confusion:
    known = sorted({path for shape in shapes for one in shape for path in np.unique(one.paths).tolist()} - {NOTHING})
    names = sorted({one.annotator for shape in shapes for one in shape})
    size = (len(known), len(known))
    total, each = np.zeros(size, np.int64), {name: np.zeros(size, np.int64) for name in names}
    for shape in shapes:
        for one, other in combinations(shape, 2):
            both = (one.paths != NOTHING) & (other.paths != NOTHING)
            ours, theirs = (np.searchsorted(np.array(known), side.paths[both]) for side in (one, other))
            total += counted([ours, theirs], len(known))
            np.add.at(each[one.annotator], (ours, theirs), 1)
            np.add.at(each[other.annotator], (theirs, ours), 1)
    everyone = [one for shape in shapes for one in shape]
    missing = {name: _missing([one for one in everyone if one.annotator == name]) for name in names}
    return Confusion(tuple(known), total, each, missing, len(shapes))


def _missing(spoken: Sequence[Spoken]) -> float:
    return float(np.concatenate([one.paths == NOTHING for one in spoken]).mean())


def by_part(found: Confusion) -> list[PartShare]:
    """How sure each kind of part is, the least sure first."""
    told = []
    for place, path in enumerate(found.paths):
        row = found.counts[place]
        points = int(row.sum())
        if points:
            others = row.copy()
            others[place] = 0
            worst = int(others.argmax())
            mistaken = found.paths[worst] if others[worst] else NOTHING
            told.append(PartShare(path, points, row[place] / points, mistaken, others[worst] / points))
    return sorted(told, key=lambda one: one.same)


def by_annotator(found: Confusion) -> list[AnnotatorShare]:
    """How far each annotator says what others say."""

    def share(name: str, counts: Counts) -> AnnotatorShare:
        points = int(counts.sum())
        same = float(counts.trace() / points) if points else float("nan")
        return AnnotatorShare(name, points, same, found.missing[name])

    return [share(name, counts) for name, counts in found.annotators.items()]


def chosen(found: Confusion, merge: Sequence[Sequence[str]], remove: Sequence[str]) -> Refined:
    """The effect of a change that somebody asks for: each of its paths is one that annotators used, and named once."""
    asked = [*(path for group in merge for path in group), *remove]
    for path in asked:
        if path not in found.paths:
            raise UnknownName("part that annotators used", path, found.paths)
        if asked.count(path) > 1:
            raise BadInput("is named twice", record=f"part {path}")
    for group in merge:
        if len(group) < 2:
            raise BadInput("is merged with nothing: name two or more, with commas between", record=f"part {group[0]}")
    return refined_by(found, merge=merge, remove=remove)


def refined_by(
    found: Confusion, *, merge: Iterable[Sequence[str]] | None = None, remove: Iterable[str] = ()
) -> Refined:
    """The effect of merging and removing parts: of those that are chosen, or else of those that are confused most."""
    before = agreement(found.counts)
    if merge is None:
        change = refinement(found.counts)
        groups = change.groups
        gone = [label for group in change.removed for label in group]
    else:
        places = {path: place for place, path in enumerate(found.paths)}
        together = [tuple(places[path] for path in group if path in places) for group in merge]
        gone = [places[path] for path in remove if path in places]
        taken = {label for group in together for label in group} | set(gone)
        alone = [(label,) for label in range(len(found.paths)) if label not in taken]
        groups = tuple(group for group in [*together, *alone] if group)
    after = agreement(regrouped(found.counts, groups))
    merged = tuple(tuple(found.paths[label] for label in group) for group in groups if len(group) > 1)
    return Refined(before, after, merged, tuple(found.paths[label] for label in gone))
