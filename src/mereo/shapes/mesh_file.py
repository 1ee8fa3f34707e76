"""The named meshes of anybody's file: OBJ, GLB, PLY and STL, in their own units and axes."""

from __future__ import annotations

import logging
import struct
from pathlib import Path
from typing import Any

from mereo.errors import BadInput, MissingExtra
from mereo.files import read_bytes
from mereo.shapes.mesh import Group, Mesh
from mereo.shapes.obj import read_obj_groups

__all__ = ["FORMATS", "MOST_TRIANGLES", "read_groups"]

MOST_TRIANGLES = 1_000_000
_SILENT = logging.NullHandler()
FORMATS = (".obj", ".glb", ".gltf", ".ply", ".stl")


def read_groups(path: Path, *, most: int = MOST_TRIANGLES) -> dict[str, Group]:
    """The groups, objects or nodes of a file by name; those without a single face are left out.

    most : triangles that it may have
    """
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise BadInput(f"'{suffix}' is no mesh format that can be read: {', '.join(FORMATS)}", file=path)
    data = read_bytes(path)
    if not data.strip():
        raise BadInput("is empty", file=path)
    _refuse_many(_announced(data, suffix), path, most)
    groups = read_obj_groups(path, unnamed=path.stem) if suffix == ".obj" else _through_trimesh(path)
    groups = {name: group for name, group in groups.items() if len(group.mesh.faces) or group.dropped}
    if not groups:
        raise BadInput("has no triangles", file=path)
    _refuse_many(sum(len(group.mesh.faces) for group in groups.values()), path, most)
    return groups


def _announced(data: bytes, suffix: str) -> int:
    """How many triangles a file seems to have, before time is spent on reading it."""
    if suffix == ".obj":
        return data.count(b"\nf ")
    if suffix == ".stl" and len(data) >= 84:
        count = int(struct.unpack_from("<I", data, 80)[0])
        return count if len(data) == 84 + 50 * count else 0  # else it is written in words
    if suffix == ".ply":
        words = data[:4096].split()
        at = [k for k in range(len(words) - 2) if words[k : k + 2] == [b"element", b"face"]]
        return int(words[at[0] + 2]) if at and words[at[0] + 2].isdigit() else 0
    return 0


def _refuse_many(triangles: int, path: Path, most: int) -> None:
    if triangles > most:
        raise BadInput(f"has {triangles:,} triangles, more than the {most:,} a shape may have: simplify it", file=path)


def _through_trimesh(path: Path) -> dict[str, Group]:
    try:
        import trimesh
    except ImportError:
        raise MissingExtra("reading GLB, PLY and STL", "scenes") from None
    logging.getLogger("trimesh").addHandler(_SILENT)  # it writes tracebacks of what it then tries otherwise
    try:
        scene: Any = trimesh.load_scene(path, process=False)
        found = {}
        for node in sorted(scene.graph.nodes_geometry):  # trimesh keeps no order
            matrix, geometry = scene.graph[node]
            solid = scene.geometry[geometry]
            if isinstance(solid, trimesh.Trimesh):
                if len(solid.faces) and not 0 <= solid.faces.min() <= solid.faces.max() < len(solid.vertices):
                    raise ValueError("a triangle has a corner that is not there")
                name = path.stem if len(scene.geometry) == 1 and path.suffix.lower() in (".ply", ".stl") else str(node)
                material = getattr(getattr(solid.visual, "material", None), "name", None)
                mesh = Mesh.of(solid.vertices, solid.faces).moved(matrix)
                found[name] = Group(mesh, (str(material),) if material else ())
    except Exception as error:  # noqa: BLE001  trimesh's readers fail in as many ways as files can be broken
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise BadInput(f"cannot be read as {path.suffix[1:].upper()} ({reason[:80]})", file=path) from None
    return found
