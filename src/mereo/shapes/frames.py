"""Frames: how the axes and the ground of other files become ours: z up, front towards -y, resting on z = 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mereo.errors import BadInput
from mereo.shapes.mesh import Floats, Mesh

__all__ = ["AXES", "PARTNET", "Axes", "resting"]

AXES = {sign + name: (place, -1.0 if sign == "-" else 1.0) for place, name in enumerate("xyz") for sign in "+-"}


@dataclass(frozen=True, eq=False)
class Axes:
    """A frame by its upward and its frontal axis. Going there and back changes not a single bit of a number."""

    order: NDArray[np.int64]
    """For each of our axes, which of theirs."""
    sign: Floats

    @staticmethod
    def of(*, up: str, front: str) -> Axes:
        """The right-handed frame with these axes, each such as `+y` or `-z`."""
        for name, axis in (("up", up), ("front", front)):
            if axis not in AXES:
                raise BadInput(f"'{axis}' is no axis: {', '.join(AXES)}", field=name)
        if up[1] == front[1]:
            raise BadInput(f"up ({up}) and front ({front}) are the same axis", field="front")
        rows = np.zeros((3, 3))
        rows[2][AXES[up][0]] = AXES[up][1]
        rows[1][AXES[front][0]] = -AXES[front][1]
        rows[0] = np.cross(rows[1], rows[2])
        order = np.abs(rows).argmax(1)
        return Axes(order, rows[np.arange(3), order])

    def to_ours(self, vectors: Floats) -> Floats:
        """Points or directions of that frame in ours. vectors : (n, 3) float"""
        turned: Floats = vectors[:, self.order] * self.sign
        return turned

    def to_theirs(self, vectors: Floats) -> Floats:
        """Points or directions of our frame in that one. vectors : (n, 3) float"""
        turned = np.empty_like(vectors)
        turned[:, self.order] = vectors * self.sign
        return turned


PARTNET = Axes.of(up="+y", front="+z")
"""The frame of PartNet's meshes and points."""


def resting(meshes: Mapping[str, Mesh]) -> dict[str, Mesh]:
    """All meshes moved as one so that they rest on z = 0 with their box centered over the origin."""
    low = np.min([mesh.vertices.min(0) for mesh in meshes.values()], axis=0)
    high = np.max([mesh.vertices.max(0) for mesh in meshes.values()], axis=0)
    offset = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    return {name: Mesh.of(mesh.vertices - offset, mesh.faces) for name, mesh in meshes.items()}
