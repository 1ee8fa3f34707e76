"""What leaves a project: of every shape the annotation that a reviewer accepted last."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from sqlalchemy import select

from mereo.annotation.geometry.blobs import read_mesh
from mereo.annotation.geometry.frame import Frame
from mereo.annotation.outgoing.annotated import Annotated, annotated
from mereo.annotation.outgoing.coco import write_coco
from mereo.annotation.outgoing.gltf import write_glb
from mereo.annotation.outgoing.partnet import write_folders, write_hdf5, write_library
from mereo.annotation.store import Store
from mereo.annotation.tables import Shape
from mereo.errors import BadInput, UnknownName
from mereo.folders import new_folder

__all__ = ["FORMATS", "accepted", "export"]


def accepted(store: Store, *, finished: bool = False) -> list[Annotated]:
    """The annotations to go out, by shape. finished : whether works count that nobody has verified yet"""
    with store.project.database.reading() as session:
        frames = {row.id: row.frame for row in session.scalars(select(Shape))}
    last = {}
    for work in sorted(store.finished(), key=lambda one: (one.row.status == "accepted", one.row.touched)):
        if finished or work.row.status == "accepted":
            last[work.row.shape.id] = work
    read = partial(read_mesh, store.project.home)

    def told(shape: int) -> Annotated:
        row, state = last[shape].row, last[shape].state
        facts = {"annotator": row.annotator, "status": row.status}
        frame = Frame.read(frames[shape], file=f"shape {row.shape.name}")
        return annotated(state, name=row.shape.name, read=read, frame=frame, facts=facts)

    return [told(shape) for shape in sorted(last)]


def export(store: Store, out: Path, form: str, *, finished: bool = False) -> int:
    """Write all accepted annotations as a new file or folder, and say how many they are."""
    if form not in FORMATS:
        raise UnknownName("format", form, FORMATS)
    every = accepted(store, finished=finished)
    if not every:
        raise BadInput("has no accepted annotation yet", file=store.project.home)
    FORMATS[form](every, out)
    return len(every)


def _partnet(every: list[Annotated], out: Path) -> None:
    with new_folder(out) as scratch:
        write_folders(every, scratch)


def _hdf5(every: list[Annotated], out: Path) -> None:
    with new_folder(out) as scratch:
        write_hdf5(every, scratch)


def _gltf(every: list[Annotated], out: Path) -> None:
    with new_folder(out) as scratch:
        for one in every:
            write_glb(one, scratch / f"{one.name}.glb")


def _library(every: list[Annotated], out: Path) -> None:
    write_library(every, out)


FORMATS: Mapping[str, Callable[[list[Annotated], Path], None]] = {
    "partnet": _partnet,
    "hdf5": _hdf5,
    "coco": write_coco,
    "gltf": _gltf,
    "library": _library,
}
"""How annotations can be written; a library is what `mereo build` takes shapes from."""
