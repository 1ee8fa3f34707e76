"""A library: a folder of shapes on disk, each in PartNet's layout, with an index that says how it was made.

    LIBRARY/shapes.json              the index, written last
    LIBRARY/chair/chair-00003-0/     one shape

Any other folder of PartNet folders, one or two levels deep, opens just as well, without an index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from mereo.chance import generator
from mereo.errors import BadInput, UnknownName, differing
from mereo.files import read_json, write_bytes
from mereo.folders import alone_in, is_taken, sweep
from mereo.names import inside
from mereo.shapes.part import Shape
from mereo.shapes.partnet import is_partnet, read_partnet, write_partnet

__all__ = [
    "Library",
    "LibraryOrder",
    "abandon_library",
    "begin_library",
    "chosen_categories",
    "finish_library",
    "make_library",
    "open_library",
]

_INDEX, _UNFINISHED = "shapes.json", "unfinished.json"


class LibraryOrder(msgspec.Struct, frozen=True):
    """What a library was asked to be: so many families of each category."""

    categories: tuple[str, ...]
    count: int
    seed: int
    split: str
    points: int = 0
    """How many points are sampled on each shape."""


class _Index(msgspec.Struct, frozen=True):
    order: LibraryOrder | None
    """Nothing where the shapes were not made but brought in."""
    shapes: tuple[str, ...]
    """The folders."""


@dataclass(frozen=True)
class Library:
    """The shapes of a folder, read when they are asked for."""

    path: Path
    folders: tuple[Path, ...]
    order: LibraryOrder | None = None

    def __len__(self) -> int:
        return len(self.folders)

    def __iter__(self) -> Iterator[Shape]:
        return map(read_partnet, self.folders)

    def __getitem__(self, place: int) -> Shape:
        return read_partnet(self.folders[place])

    def trees(self) -> Iterator[Shape]:
        """All shapes without their meshes, which is much faster."""
        return (read_partnet(folder, meshes=False) for folder in self.folders)


def open_library(path: Path) -> Library:
    """The library in a folder."""
    if not path.is_dir():
        raise BadInput("there is no such folder", file=path)
    if (path / _UNFINISHED).is_file():
        raise BadInput("is an unfinished library: go on with --resume", file=path)
    if (path / _INDEX).is_file():
        index = read_json(path / _INDEX, type=_Index)
        return Library(
            path,
            tuple(inside(path, folder, file=path / _INDEX, field="shapes") for folder in index.shapes),
            index.order,
        )
    if is_partnet(path):
        return Library(path, (path,))
    found = [*path.glob("*"), *path.glob("*/*")]
    folders = sorted(folder for folder in found if folder.is_dir() and is_partnet(folder))
    if not folders:
        raise BadInput("holds no shapes: no folder in it has a result.json", file=path)
    return Library(path, tuple(folders))


def make_library(
    path: Path, order: LibraryOrder, *, resume: bool = False, progress: Callable[[int], None] = lambda done: None
) -> Library:
    """Make the shapes of an order by the grammars; the same order gives the same bytes.

    resume : whether to go on with a library of the same order that was stopped before its end
    """
    with alone_in(path):
        return _make_all(path, order, resume=resume, progress=progress)


def _make_all(path: Path, order: LibraryOrder, *, resume: bool, progress: Callable[[int], None]) -> Library:
    from mereo.shapes.grammar import family_number

    begin_library(path, order, resume=resume)
    folders = []
    for category in order.categories:
        for family in range(order.count):
            name = f"{category}-{family_number(order.split, family):05d}-0"
            folder = Path(category) / name
            if not is_partnet(path / folder):
                _make(path / folder, category, family, order)
            folders.append(folder)
            progress(1)
    return finish_library(path, order, folders)


def begin_library(path: Path, order: LibraryOrder | None, *, resume: bool) -> None:
    """Mark the folder as being worked on, if it is ours to work on."""
    started = path / _UNFINISHED if (path / _UNFINISHED).is_file() else path / _INDEX
    if is_taken(path):
        if not resume:
            raise BadInput("is not empty: add --resume to go on with what is there", file=path)
        if not started.is_file():
            raise BadInput("is not empty and not a library that could be gone on with", file=path)
        before = read_json(started, type=_Index).order
        if (before is None) != (order is None):
            raise BadInput(
                f"was {'made' if before else 'imported'} and not {'made' if order else 'imported'}", file=started
            )
        if before != order:
            different = differing(msgspec.to_builtins(before), msgspec.to_builtins(order))
            raise BadInput(f"was begun with {different}", file=started)
        for place in (path, *(path / category for category in (order.categories if order else ()))):
            sweep(place)
    write_bytes(path / _UNFINISHED, msgspec.json.encode(_Index(order, ())))


def finish_library(path: Path, order: LibraryOrder | None, folders: Sequence[Path]) -> Library:
    """Write the index, which makes the folder a library."""
    index = _Index(order, tuple(folder.as_posix() for folder in folders))
    write_bytes(path / _INDEX, msgspec.json.format(msgspec.json.encode(index)) + b"\n")
    (path / _UNFINISHED).unlink()
    return Library(path, tuple(path / folder for folder in folders), order)


def abandon_library(path: Path) -> None:
    """Take the mark away again, and the folder if there is nothing in it."""
    (path / _UNFINISHED).unlink()
    if not any(path.iterdir()):
        path.rmdir()


def _make(folder: Path, category: str, family: int, order: LibraryOrder) -> None:
    from mereo.shapes.grammar import make_shape

    shape = make_shape(category, seed=order.seed, split=order.split, family=family)
    cloud = None
    if order.points:
        from mereo.shapes.points import cloud as sample

        cloud = sample(shape, order.points, rng=generator(order.seed, "points", shape.name))
    write_partnet(shape, folder, points=cloud)


def chosen_categories(wanted: str, known: Sequence[str]) -> tuple[str, ...]:
    """The categories of a comma-separated list, or all."""
    names = tuple(known) if wanted == "all" else tuple(dict.fromkeys(wanted.split(",")))
    for name in names:
        if name not in known:
            raise UnknownName("category with a grammar", name, known)
    return names
