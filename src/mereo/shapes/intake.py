"""A folder of anybody's meshes as a library: each with the map beside it, or all with one."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain, count
from pathlib import Path

import msgspec

from mereo.errors import BadInput, MereoError
from mereo.files import read_bytes
from mereo.folders import alone_in
from mereo.names import plain_name
from mereo.shapes.importer import PartMap, import_shape, read_part_map
from mereo.shapes.library import Library, abandon_library, begin_library, finish_library
from mereo.shapes.mesh_file import FORMATS
from mereo.shapes.part import Shape
from mereo.shapes.partnet import is_partnet, read_partnet, write_partnet

__all__ = ["import_folder", "map_of"]

MADE_FROM = "made_from"
"""The fact that says from which bytes and by which map a shape was made."""


def map_of(mesh: Path, shared: Path | None) -> PartMap:
    """The map of a mesh: the file of the same name that ends in .toml, or the shared one."""
    beside = mesh.with_suffix(".toml")
    path = beside if beside.is_file() else shared
    if path is None:
        raise BadInput(f"has no map: there is neither {beside.name} beside it nor --map", file=mesh)
    return read_part_map(path)


def import_folder(
    folder: Path,
    out: Path,
    *,
    shared: Path | None = None,
    resume: bool = False,
    begin: Callable[[int], Callable[[int], None]] = lambda total: lambda done: None,
    told: Callable[[Path, Shape | MereoError], None] = lambda mesh, outcome: None,
) -> Library:
    """Bring in all meshes of a folder and the folders in it. One that cannot come in does not keep the others out.

    shared : the map of those that have none beside them
    resume : whether to go on with what is there; a shape is made anew if its mesh or its map has changed since
    begin : hears how many there are, and gives what hears of each that is done
    told : hears what became of each
    """
    if shared is not None:
        read_part_map(shared)
    meshes = sorted(path for path in folder.rglob("*") if path.suffix.lower() in FORMATS and path.is_file())
    if not meshes:
        raise BadInput(f"holds no mesh: no file in it ends in {', '.join(FORMATS)}", file=folder)
    with alone_in(out):
        begin_library(out, None, resume=resume)
        progress, folders = begin(len(meshes)), []
        for mesh, name in _names(folder, meshes).items():
            try:
                known = map_of(mesh, shared)
                place = Path(known.category) / name
                told(mesh, _brought_in(mesh, known, out / place, name))
                folders.append(place)
            except MereoError as error:
                told(mesh, error)
            progress(1)
        if not folders:
            abandon_library(out)
            raise BadInput(f"none of its {len(meshes):,} meshes came in", file=folder)
        return finish_library(out, None, folders)


def _names(folder: Path, meshes: Iterable[Path]) -> dict[Path, str]:
    """A name for each mesh that a folder may have: where it lies, without its ending. A number tells twins apart."""
    found: dict[Path, str] = {}
    taken: set[str] = set()
    for mesh in meshes:
        words = "-".join(mesh.relative_to(folder).with_suffix("").parts)
        name = re.sub(r"[^\w.-]+|^[^\w]+", "_", words[-150:])
        names = chain([name], (f"{name}-{number}" for number in count(2)))
        found[mesh] = plain_name(next(each for each in names if each not in taken))
        taken.add(found[mesh])
    return found


def _brought_in(mesh: Path, known: PartMap, target: Path, name: str) -> Shape:
    """Read the mesh and write it as a shape's folder, unless it is there already."""
    made_from = hashlib.sha256(read_bytes(mesh) + msgspec.json.encode(known)).hexdigest()
    if is_partnet(target):
        before = read_partnet(target, meshes=False)
        if before.facts.get(MADE_FROM) == made_from:
            return before
        shutil.rmtree(target)
    shape = import_shape(mesh, known)
    shape = replace(shape, name=name, facts={**shape.facts, MADE_FROM: made_from})
    write_partnet(shape, target)
    return shape
