"""A shape as a plain value, few arrays and a tree of names and counts, and back: what the stock holds."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import numpy as np

from mereo.shapes.joint import Joint
from mereo.shapes.mesh import Floats, Ints, Mesh
from mereo.shapes.part import Part, Shape

__all__ = ["plain_shape", "shape_of_plain"]


def plain_shape(shape: Shape) -> dict[str, Any]:
    """The shape's arrays, all meshes and all convex pieces one after another, and how they are shared out."""
    leaves = shape.leaves()
    return {
        "category": shape.category,
        "name": shape.name,
        "facts": dict(shape.facts),
        "tree": _plain(shape.root),
        "vertices": _all([leaf.mesh.vertices for leaf in leaves if leaf.mesh is not None], np.float64),
        "faces": _all([leaf.mesh.faces for leaf in leaves if leaf.mesh is not None], np.int32),
        "corners": _all([piece for part in shape.parts() for piece in part.pieces], np.float64),
    }


def shape_of_plain(plain: dict[str, Any]) -> Shape:
    """The shape that a plain value stands for."""
    root = _Sharing(plain["vertices"], plain["faces"], plain["corners"]).part(plain["tree"])
    return Shape(plain["category"], root, plain["name"], plain["facts"])


def _plain(part: Part) -> list[Any]:
    """Name, label, id, how many vertices and faces it has, how many corners its pieces have, its children, what it is
    made of, and its joint."""
    counts = None if part.mesh is None else [len(part.mesh.vertices), len(part.mesh.faces)]
    children = [_plain(child) for child in part.children]
    joint = None if part.joint is None else list(astuple(part.joint))
    return [
        part.name,
        part.label,
        part.id,
        counts,
        [len(piece) for piece in part.pieces],
        children,
        part.material,
        joint,
    ]


def _all(arrays: list[Any], dtype: type) -> Any:
    return np.concatenate(arrays, dtype=dtype) if arrays else np.empty((0, 3), dtype)


def _joint(plain: list[Any] | None) -> Joint | None:
    if plain is None:
        return None
    kind, axis, origin, *numbers = plain
    return Joint(kind, tuple(axis), tuple(origin), *numbers)


class _Sharing:
    """Hands out rows of arrays in order."""

    def __init__(self, vertices: Floats, faces: Ints, corners: Floats):
        self._vertices, self._faces, self._corners = vertices, faces, corners
        self._vertex = self._face = self._corner = 0

    def part(self, plain: list[Any]) -> Part:
        """The part of a plain one, and all below it."""
        name, label, number, counts, corners, children, material, joint = plain
        mesh = None if counts is None else self._mesh(*counts)
        pieces = tuple(map(self._piece, corners))
        return Part(name, tuple(map(self.part, children)), mesh, pieces, label, number, _joint(joint), material)

    def _mesh(self, vertices: int, faces: int) -> Mesh:
        self._vertex, self._face = self._vertex + vertices, self._face + faces
        return Mesh(
            self._vertices[self._vertex - vertices : self._vertex], self._faces[self._face - faces : self._face]
        )

    def _piece(self, corners: int) -> Floats:
        self._corner += corners
        return self._corners[self._corner - corners : self._corner]
