"""Pieces as files named by the digits of their content: written once, never changed, checked when they are read.

uint32 n, uint32 m, n x 3 float32 positions, m x 3 uint32 corners of triangles, all with the least byte first
"""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

import numpy as np

from mereo.annotation.home import Home
from mereo.errors import BadInput
from mereo.shapes.mesh import Mesh

__all__ = ["Corner", "Kept", "blob_name", "blob_of", "facts_of", "keep_mesh", "mesh_of", "read_mesh"]

Corner = tuple[float, float, float]

_DIGITS = re.compile(r"[0-9a-f]{64}")
_FLOAT, _NUMBER = np.dtype("<f4"), np.dtype("<u4")


class Kept(NamedTuple):
    """A piece that is kept, and what is known of it without opening its file."""

    digits: str
    """The SHA-256 of its content."""
    triangles: int
    low: Corner
    """The lowest corner of its box, in the shape's frame."""
    high: Corner
    area: float
    closed: bool
    """Whether it encloses a volume; otherwise it is open, as a sheet or a body with holes is."""


def blob_of(mesh: Mesh) -> bytes:
    """A mesh as bytes; positions are rounded to single precision."""
    with np.errstate(over="ignore"):
        positions = mesh.vertices.astype(_FLOAT)
    if not np.isfinite(positions).all():
        raise BadInput("has coordinates that are not finite numbers")
    sizes = np.array([len(mesh.vertices), len(mesh.faces)], _NUMBER)
    return sizes.tobytes() + positions.tobytes() + mesh.faces.astype(_NUMBER).tobytes()


def mesh_of(data: bytes, *, file: object = None) -> Mesh:
    """The mesh in such bytes, checked."""
    if len(data) < 8:
        raise BadInput("is too short to be a mesh", file=file)
    points, triangles = np.frombuffer(data, _NUMBER, 2).tolist()
    if len(data) != 8 + 12 * (points + triangles):
        raise BadInput(f"does not hold the {points:,} points and {triangles:,} triangles it speaks of", file=file)
    positions = np.frombuffer(data, _FLOAT, 3 * points, 8).reshape(-1, 3)
    faces = np.frombuffer(data, _NUMBER, 3 * triangles, 8 + 12 * points).reshape(-1, 3)
    if not np.isfinite(positions).all():
        raise BadInput("has coordinates that are not finite numbers", file=file)
    if faces.max(initial=0) >= max(points, 1):
        raise BadInput("has a triangle with a corner that is not there", file=file)
    return Mesh.of(positions, faces)


def facts_of(mesh: Mesh, digits: str) -> Kept:
    """What is known of a mesh that is kept under some digits."""
    low, high = (_corner(corner.tolist()) for corner in mesh.bounds())
    return Kept(digits, len(mesh.faces), low, high, float(mesh.face_areas().sum()), mesh.is_watertight())


def _corner(values: list[float]) -> Corner:
    x, y, z = values
    return x, y, z


def keep_mesh(mesh: Mesh, home: Home) -> Kept:
    """Keep a mesh as a file of a project, if it is not kept there already."""
    if not len(mesh.faces):
        raise BadInput("a piece without triangles cannot be kept")
    data = blob_of(mesh)
    digits = hashlib.sha256(data).hexdigest()
    name = blob_name(digits)
    if not home.has(name):
        home.write(name, data)
    return facts_of(mesh_of(data), digits)


def blob_name(digits: str) -> str:
    """The file of the mesh with some digits; refused is whatever is none, since it may come from anywhere."""
    if not _DIGITS.fullmatch(digits):
        raise BadInput(f"'{digits[:80]}' is not the name of a mesh: 64 digits from 0 to f")
    return f"meshes/{digits}.bin"


def read_mesh(home: Home, digits: str) -> Mesh:
    """The mesh with some digits, if its file still holds what it is named after."""
    name = blob_name(digits)
    data = home.read(name)
    if hashlib.sha256(data).hexdigest() != digits:
        raise BadInput("is damaged: it does not hold the mesh that it is named after", file=home.place(name))
    return mesh_of(data, file=home.place(name))
