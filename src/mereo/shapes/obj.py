"""Wavefront OBJ: the triangles and groups of a file, and meshes written so that every number comes back as it was."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mereo.errors import BadInput
from mereo.files import read_bytes, write_bytes
from mereo.shapes.mesh import Floats, Mesh

__all__ = ["read_obj", "read_obj_groups", "write_obj"]


def write_obj(mesh: Mesh, path: str | Path) -> None:
    """Write a mesh with the shortest decimals that give the same floats again."""
    vertices = "v %r %r %r\n" * len(mesh.vertices) % tuple(mesh.vertices.ravel().tolist())
    faces = "f %d %d %d\n" * len(mesh.faces) % tuple((mesh.faces + 1).ravel().tolist())
    write_bytes(path, (vertices + faces).encode())


def read_obj(path: str | Path) -> Mesh:
    """All triangles of a file; what stands in it beside vertices and faces is passed over."""
    vertices, groups = _parsed(path)
    return Mesh.of(vertices, [face for faces in groups.values() for face in faces])


def read_obj_groups(path: str | Path, *, unnamed: str) -> dict[str, Mesh]:
    """The triangles of each group (`g`) or object (`o`), whichever was named last before a face.

    unnamed : what faces before any name belong to
    """
    vertices, groups = _parsed(path)
    found = {}
    for name, faces in groups.items():
        used, renumbered = np.unique(np.array(faces, np.int64), return_inverse=True)
        found[name or unnamed] = Mesh.of(vertices[used], renumbered)
    return found


def _parsed(path: str | Path) -> tuple[Floats, dict[str, list[tuple[int, int, int]]]]:
    vertices: list[tuple[float, float, float]] = []
    groups: dict[str, list[tuple[int, int, int]]] = {}
    name, highest, highest_at = "", -1, 0
    for number, line in enumerate(read_bytes(path).decode("utf-8", "replace").splitlines(), start=1):
        words = line.split()
        word = words[0] if words else ""
        try:
            if word == "v":
                vertices.append((float(words[1]), float(words[2]), float(words[3])))
            elif word == "f":
                corners = [_vertex(corner, len(vertices)) for corner in words[1:]]
                fan = [(corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1)]
                if not fan or min(corners) < 0:
                    raise ValueError
                groups.setdefault(name, []).extend(fan)
                highest, highest_at = max((highest, highest_at), (max(corners), number))
            elif word in ("g", "o"):
                name = " ".join(words[1:])
        except (ValueError, IndexError):
            raise BadInput(f"'{line.strip()[:40]}' is not OBJ", file=path, record=f"line {number}") from None
    points = np.array(vertices, np.float64).reshape(-1, 3)
    if highest >= len(points):
        reason = f"a face names vertex {highest + 1} of {len(points)}"
        raise BadInput(reason, file=path, record=f"line {highest_at}")
    if not np.isfinite(points).all():
        bad = int(np.flatnonzero(~np.isfinite(points).all(1))[0]) + 1
        raise BadInput("has coordinates that are not finite numbers", file=path, record=f"vertex {bad}")
    return points, groups


def _vertex(corner: str, count: int) -> int:
    """The place of a corner's vertex; OBJ counts from one, or backwards from the last that was read."""
    number = int(corner.partition("/")[0])
    return number - 1 if number > 0 else count + number if number else -1
