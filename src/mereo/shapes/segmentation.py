"""What segmentation tasks ask of a cloud: which part each point belongs to, coarse or fine, by kind and by instance.

Points know the leaf they lie on; a part is a set of leaves. So one cloud serves all levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.errors import BadInput
from mereo.shapes.mesh import Floats
from mereo.shapes.part import Shape
from mereo.shapes.partnet_tree import PartInstance
from mereo.shapes.template import AndOrTemplate

__all__ = [
    "MOST_INSTANCES",
    "Masks",
    "hierarchical_labels",
    "instance_masks",
    "level_names",
    "normalized",
    "part_instances",
    "point_labels",
]

MOST_INSTANCES = 200
"""How many masks PartNet's files have room for."""

Leaves = NDArray[np.integer[Any]]


class Masks(NamedTuple):
    """Part instances of one shape over its n points, those that there are first.

    mask : (k, n) bool
    label : (k,) uint8, the place of the instance's label among the names, from 0
    valid : (k,) bool, whether there is such an instance
    other : (n,) bool, points that belong to none
    """

    mask: NDArray[np.bool_]
    label: NDArray[np.uint8]
    valid: NDArray[np.bool_]
    other: NDArray[np.bool_]


def normalized(points: Floats) -> NDArray[np.float32]:
    """Points with the center of their box at the origin and the farthest of them at radius 1. points : (n, 3) float"""
    if not len(points):
        raise BadInput("a cloud without points cannot be normalized")
    centered = points - (points.min(0) + points.max(0)) / 2
    radius = np.sqrt((centered**2).sum(1).max())
    scaled: NDArray[np.float32] = (centered / (radius or 1.0)).astype(np.float32)
    return scaled


def part_instances(shape: Shape) -> list[PartInstance]:
    """Every part of a shape with the numbers of its leaves, parents first."""
    return [PartInstance(part.label, tuple(leaf.id for leaf in part.leaves())) for part in shape.parts()]


def level_names(template: AndOrTemplate, level: int) -> list[str]:
    """The labels that segmentation at a level tells apart, in PartNet's order."""
    names = [label.path for label in template.level(level)]
    if not names:
        known = sorted({number for label in template.labels.values() for number in label.levels})
        listed = ", ".join(map(str, known)) or "none"
        raise BadInput(f"{template.category} has no segmentation level {level} (there is: {listed})")
    return names


def point_labels(leaf: Leaves, instances: Sequence[PartInstance], names: Sequence[str]) -> NDArray[np.uint8]:
    """For each point the place of its label among the names, from 1; 0 for points that none of them has.

    leaf : (n,) int, the number of each point's leaf
    """
    places = {name: place for place, name in enumerate(names, start=1)}
    found = {number: places[part.path] for part in instances if part.path in places for number in part.leaves}
    present, back = np.unique(leaf, return_inverse=True)
    of_leaf = np.array([found.get(int(number), 0) for number in present], np.uint8)
    labels: NDArray[np.uint8] = of_leaf[back]
    return labels


def hierarchical_labels(leaf: Leaves, instances: Sequence[PartInstance], template: AndOrTemplate) -> NDArray[np.bool_]:
    """(n, 1 + c) bool: which labels of the hierarchical set each point has, from the root down; the first is none."""
    names = [label.path for label in template.hierarchical()]
    present, back = np.unique(leaf, return_inverse=True)  # a few leaves have all the points
    labels = np.zeros((len(present), 1 + len(names)), bool)
    for place, name in enumerate(names, start=1):
        numbers = [number for part in instances if part.path == name for number in part.leaves]
        labels[:, place] = np.isin(present, numbers)
    labels[:, 0] = ~labels.any(1)
    every: NDArray[np.bool_] = labels[back]
    return every


def instance_masks(
    leaf: Leaves, instances: Sequence[PartInstance], names: Sequence[str], *, most: int = MOST_INSTANCES
) -> Masks:
    """The instances of all labels among the names that have a point, in the order of the tree."""
    places = {name: place for place, name in enumerate(names)}
    present, back = np.unique(leaf, return_inverse=True)
    found = [(places[part.path], np.isin(present, part.leaves)[back]) for part in instances if part.path in places]
    seen = [(place, mask) for place, mask in found if mask.any()]
    if len(seen) > most:
        raise BadInput(f"has {len(seen)} part instances, more than the {most} that there is room for")
    masks = Masks(
        np.zeros((most, len(leaf)), bool), np.zeros(most, np.uint8), np.zeros(most, bool), np.ones(len(leaf), bool)
    )
    for row, (place, mask) in enumerate(seen):
        masks.mask[row], masks.label[row], masks.valid[row] = mask, place, True
        masks.other[mask] = False
    return masks
