"""Shapes on their way in: mesh files, PartNet's folders and shapes of our own grammars become pieces.

The groups of a file are its pieces. A file of one group is taken apart into what hangs together, after vertices at the
same place were made one. Nothing is mended: holes stay, and a piece says that it is open.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mereo.annotation.geometry.cutting import merged
from mereo.annotation.geometry.frame import Frame, rested
from mereo.annotation.geometry.gltf import check_glb
from mereo.annotation.geometry.splitting import some_of
from mereo.errors import BadInput
from mereo.names import inside
from mereo.shapes.mesh import Mesh
from mereo.shapes.mesh_file import read_groups
from mereo.shapes.obj import read_obj
from mereo.shapes.part import Shape
from mereo.shapes.partnet import is_partnet, read_annotation
from mereo.shapes.surface import bodies

__all__ = ["FORMATS", "MOST_TRIANGLES", "Intake", "Piece", "grammar_intake", "read_shape", "shapes_in"]

FORMATS = (".obj", ".glb", ".ply", ".stl")
MOST_TRIANGLES = 2_000_000
MOST_PIECES = 10_000
_LARGEST_FILE = 1 << 29
"""Bytes."""
_MESHES = ("objs", "textured_objs")


class Piece(NamedTuple):
    """A piece as a shape begins with it."""

    name: str
    """Of its group, with a number where the group fell apart."""
    mesh: Mesh
    """The shape's frame: z up, front towards -y, resting on z = 0; single precision."""
    open: bool
    """Whether it encloses no volume: a sheet, or a body with holes."""


class Intake(NamedTuple):
    """A shape that was read."""

    name: str
    pieces: tuple[Piece, ...]
    frame: Frame


def shapes_in(folder: Path) -> list[Path]:
    """The mesh files and the PartNet folders in a folder and the folders in it. A link is refused."""
    if is_partnet(folder):
        return [folder]
    found: list[Path] = []
    for place, below, files in os.walk(folder):
        here = Path(place)
        for name in sorted([*below, *files]):
            _refuse_link(here / name)
        shapes = [name for name in below if is_partnet(here / name)]
        found += [here / name for name in shapes]
        below[:] = sorted(set(below) - set(shapes))
        found += [here / name for name in files if Path(name).suffix.lower() in FORMATS]
    if not found:
        raise BadInput(f"holds no shape: no file in it ends in {', '.join(FORMATS)}, and no folder is one", file=folder)
    return sorted(found)


def read_shape(path: Path, *, within: Path | None = None, up: str = "+y", front: str = "+z") -> Intake:
    """The shape in a mesh file or a PartNet folder; whatever is not sound is refused in a sentence.

    within : the folder that it must lie in
    up, front : of a mesh file; PartNet's folders are y up, front towards +z
    """
    if within is not None and not path.resolve().is_relative_to(within.resolve()):
        raise BadInput("leads out of its folder", file=path)
    _refuse_link(path)
    try:
        if path.is_dir():
            groups, (up, front) = _folder_groups(path), ("+y", "+z")
        else:
            groups = _file_groups(path)
        return _taken_in(path.stem if path.is_file() else path.name, groups, up=up, front=front)
    except BadInput as error:
        raise error.within(file=path) from None


def grammar_intake(shape: Shape) -> Intake:
    """The leaves of a shape of ours as pieces, without what they are."""
    leaves = {f"piece {number}": leaf.mesh for number, leaf in enumerate(shape.leaves()) if leaf.mesh is not None}
    return _taken_in(shape.name or shape.category, leaves, up="+z", front="-y")


def _refuse_link(path: Path) -> None:
    if path.is_symlink():
        raise BadInput("is a link: bring in the file itself", file=path)


def _file_groups(path: Path) -> dict[str, Mesh]:
    suffix = path.suffix.lower()
    if not path.exists():
        raise BadInput("there is no such file", file=path)
    if suffix not in FORMATS:
        raise BadInput(f"'{suffix}' is no mesh format that can be brought in: {', '.join(FORMATS)}", file=path)
    if path.stat().st_size > _LARGEST_FILE:
        raise BadInput(f"is larger than {_LARGEST_FILE >> 20} MiB", file=path)
    if suffix == ".glb":
        check_glb(path, most=MOST_TRIANGLES)
    return {name: group.mesh for name, group in read_groups(path, most=MOST_TRIANGLES).items()}


def _folder_groups(folder: Path) -> dict[str, Mesh]:
    """The meshes of a PartNet folder, by name."""
    for path in folder.rglob("*"):
        _refuse_link(path)
    raw = read_annotation(folder).raw
    objs = next((folder / name for name in _MESHES if (folder / name).is_dir()), None)
    if objs is None:
        raise BadInput(f"has no meshes: there is none of {', '.join(_MESHES)}", file=folder)
    files = {name: inside(objs, f"{name}.obj", file=folder, field="objs") for name in dict.fromkeys(raw.all_objs())}
    if sum(path.stat().st_size for path in files.values() if path.is_file()) > _LARGEST_FILE:
        raise BadInput(f"is larger than {_LARGEST_FILE >> 20} MiB", file=folder)
    return {name: read_obj(path) for name, path in files.items()}


def _taken_in(name: str, groups: Mapping[str, Mesh], *, up: str, front: str) -> Intake:
    groups = {group: some_of(mesh, np.ones(len(mesh.faces), bool)) for group, mesh in groups.items() if len(mesh.faces)}
    triangles = sum(len(mesh.faces) for mesh in groups.values())
    if not triangles:
        raise BadInput("has no triangles")
    if triangles > MOST_TRIANGLES:
        raise BadInput(f"has {triangles:,} triangles, more than the {MOST_TRIANGLES:,} a shape may have: simplify it")
    set_down, frame = rested(groups, up=up, front=front)
    found = {group: _single(mesh) for group, mesh in set_down.items()}
    if len(found) == 1:
        found = dict(_apart(*found.popitem()))
    pieces = tuple(Piece(own, mesh, not mesh.is_watertight()) for own, mesh in found.items() if len(mesh.faces))
    if not any(piece.mesh.face_areas().any() for piece in pieces):
        raise BadInput("has no area")
    if len(pieces) > MOST_PIECES:
        raise BadInput(f"falls apart into {len(pieces):,} pieces, more than the {MOST_PIECES:,} a shape may have")
    return Intake(name, pieces, frame)


def _single(mesh: Mesh) -> Mesh:
    """A mesh in single precision, its vertices at the same place made one."""
    with np.errstate(over="ignore"):
        rounded = mesh.vertices.astype(np.float32)
    if not np.isfinite(rounded).all():
        raise BadInput("has coordinates that are too large")
    return merged(Mesh.of(rounded, mesh.faces))


def _apart(name: str, mesh: Mesh) -> Iterator[tuple[str, Mesh]]:
    """What hangs together in a mesh, each as one."""
    first, body = np.unique(bodies(mesh), return_inverse=True)
    if len(first) > MOST_PIECES:
        raise BadInput(f"falls apart into {len(first):,} pieces, more than the {MOST_PIECES:,} a shape may have")
    if len(first) < 2:
        yield name, mesh
        return
    order = np.argsort(body.reshape(-1), kind="stable")
    for number, chosen in enumerate(np.split(order, np.cumsum(np.bincount(body.reshape(-1)))[:-1])):
        used, faces = np.unique(mesh.faces[chosen], return_inverse=True)
        yield f"{name} {number}", Mesh.of(mesh.vertices[used], faces)
