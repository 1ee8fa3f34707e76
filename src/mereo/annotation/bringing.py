"""Bringing shapes into a project: files and folders are kept there whole, and become pieces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from mereo.annotation.geometry.archive import unpack
from mereo.annotation.geometry.blobs import keep_mesh
from mereo.annotation.geometry.intake import Intake, grammar_intake, read_shape, shapes_in
from mereo.annotation.home import Files
from mereo.annotation.library import add_shape, shape_views
from mereo.annotation.project import Project
from mereo.errors import BadInput, Refusals
from mereo.files import read_chunks
from mereo.shapes.grammar import make_shape

__all__ = ["Brought", "bring_in", "bring_made"]


class Brought(NamedTuple):
    """What came of shapes that were to be brought in."""

    shapes: list[int]
    refusals: Refusals


def bring_in(
    project: Project,
    paths: Sequence[Path],
    *,
    up: str = "+y",
    front: str = "+z",
    strict: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Brought:
    """Bring in mesh files, PartNet's folders, folders of both and zip archives of them.

    up, front : of mesh files; PartNet's folders are y up, front towards +z
    strict : whether the first shape that cannot be taken ends it; otherwise it is told in the end
    """
    taken = {shape.name for shape in shape_views(project)}
    brought = Brought([], Refusals())
    with project.home.scratch() as scratch:
        for name, path in _named(paths, Path(scratch)):
            try:
                if name in taken:
                    raise BadInput(f"there is a shape '{name}' already", file=path)
                brought.shapes.append(_brought(project, name, path, up=up, front=front))
                taken.add(name)
            except BadInput as error:
                brought.refusals.leave_out(error, strict=strict)
            progress(1)
    return brought


def bring_made(project: Project, category: str, count: int, *, seed: int) -> list[int]:
    """Bring in shapes that our grammar of a category makes, without what they are made of."""
    made = (make_shape(category, seed=seed, split="train", family=family) for family in range(count))
    return [_kept(project, f"{category}-{seed}-{place}", grammar_intake(shape)) for place, shape in enumerate(made)]


def _named(paths: Sequence[Path], scratch: Path) -> Iterator[tuple[str, Path]]:
    """Shapes by the names that they get: those in folders have the names of these before their own."""
    for place, path in enumerate(paths):
        root = path
        if path.suffix.lower() == ".zip":
            root = scratch / f"archive-{place}"
            unpack(path, root)
        if not root.is_dir():
            yield _plain(root.stem), root
            continue
        for shape in shapes_in(root):
            inner = shape.relative_to(root).with_suffix("") if shape.is_file() else shape.relative_to(root)
            yield _plain("-".join(inner.parts) or root.name), shape


def _plain(name: str) -> str:
    return re.sub(r"[^\w.-]+|^\W+", "_", name)[:200]


def _brought(project: Project, name: str, path: Path, *, up: str, front: str) -> int:
    shape = read_shape(path, up=up, front=front)  # refused before anything is kept
    kept = f"shapes/{name}" if path.is_dir() else f"shapes/{name}{path.suffix.lower()}"
    project.home.keep(_files(path, kept))
    return _kept(project, name, shape, file=kept)


def _files(path: Path, kept: str) -> Files:
    """What lies at a path, under the name that it gets."""
    if not path.is_dir():
        return [(kept, read_chunks(path))]
    files = sorted(file for file in path.rglob("*") if file.is_file())
    return ((f"{kept}/{file.relative_to(path).as_posix()}", read_chunks(file)) for file in files)


def _kept(project: Project, name: str, shape: Intake, *, file: str = "") -> int:
    pieces = [(piece.name, keep_mesh(piece.mesh, project.home)) for piece in shape.pieces]
    return add_shape(project, name, pieces, file=file, frame=shape.frame.text())
