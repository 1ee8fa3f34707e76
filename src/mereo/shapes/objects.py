"""Own shapes for scenes, chosen by a small TOML file.

    [objects.my_chairs]
    category = "chair"
    shapes = "chairs"           # a library, or a folder of PartNet folders
    share = 0.5                 # of the category's objects; 1 leaves the grammar out

    [objects.my_tables]
    category = "table"
    meshes = "meshes/*.obj"     # or mesh files
    map = "table.toml"          # what their groups are, where no NAME.toml beside a mesh says it

    [objects.my_tables.splits]  # which shapes a split has, by file or folder name
    test = ["round*"]

Paths are relative to the file. Shapes that no split names are dealt out among the splits that name none.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import compress
from pathlib import Path
from typing import Any

import msgspec

from mereo.errors import BadInput, UnknownName, nearest
from mereo.files import converted, read_toml
from mereo.shapes.own import digits_of, keep_shape
from mereo.shapes.part import Shape
from mereo.shapes.template import template_of

__all__ = ["OwnShapes", "dealt", "read_objects"]

Check = Callable[[Shape], str | None]
"""What is wrong with a shape for those who want to use it, if anything."""

_MAP = ".toml"


class OwnShapes(msgspec.Struct, frozen=True):
    """Shapes that some objects of a category are made of."""

    group: str
    """What the file calls them."""
    category: str
    share: float
    """Of the category's objects."""
    shapes: dict[str, tuple[str, ...]]
    """The names of each split's own."""


class _Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One table of the file."""

    category: str
    shapes: str | None = None
    meshes: str | None = None
    map: str | None = None
    share: float = 0.5
    splits: dict[str, tuple[str, ...]] = {}


def read_objects(
    path: Path, *, categories: Sequence[str], weights: Mapping[str, int], check: Check
) -> tuple[OwnShapes, ...]:
    """The own shapes of a file, all of them read, checked and kept.

    categories : those that can be used; weights : how many of so many shapes each split gets, where nobody says
    """
    content = read_toml(path)
    tables = content.pop("objects", None)
    if content or not isinstance(tables, dict) or not tables:
        raise BadInput("must hold tables [objects.NAME] and nothing else", file=path)
    found: list[OwnShapes] = []
    for name, table in tables.items():
        try:
            group = _checked(table, categories, weights)
            shapes = _gathered(path.parent, group, weights, check)
        except BadInput as error:
            if error.file is not None:
                raise
            field = f"objects.{name}.{error.field}" if error.field else f"objects.{name}"
            raise BadInput(error.reason, file=path, field=field) from None
        found.append(OwnShapes(name, group.category, group.share, shapes))
    _refuse_too_many(path, found)
    _refuse_crossing(path, found)
    return tuple(found)


def _checked(table: Any, categories: Sequence[str], weights: Mapping[str, int]) -> _Group:
    group = converted(table, file=None, type=_Group)
    if group.category not in categories:
        raise BadInput(f"'{group.category}' cannot be used here{nearest(group.category, categories)}", field="category")
    if not 0 < group.share <= 1:
        raise BadInput(f"must be more than 0 and at most 1, not {group.share}", field="share")
    for split in group.splits:
        if split not in weights:
            raise BadInput(f"there is no split '{split}'{nearest(split, weights)}", field="splits")
    if (group.shapes is None) == (group.meshes is None):
        raise BadInput("must name either shapes or meshes")
    return group


def _gathered(base: Path, group: _Group, weights: Mapping[str, int], check: Check) -> dict[str, tuple[str, ...]]:
    """The names of a group's shapes by split."""
    first: dict[str, str] = {}
    named: dict[str, list[str]] = {split: [] for split in group.splits}
    free: list[str] = []
    for source, read in _meshes(base, group) if group.shapes is None else _shapes(base, group):
        called = source.stem if group.shapes is None else source.name
        shape = Shape.of(read.category, read.root, name=called, facts=read.facts)
        fault = _misfit(shape, group.category) or check(shape)
        if fault:
            raise BadInput(fault, file=source)
        own = keep_shape(shape, called)
        own = first.setdefault(digits_of(own), own)  # what is there twice counts once
        splits = [split for split, patterns in group.splits.items() if _is_named(source, base, patterns)]
        for names in [named[split] for split in splits] or [free]:
            names.append(own)
    rest = {split: weight for split, weight in weights.items() if split not in group.splits}
    if free and not rest:
        raise BadInput(f"{free[0]} is in none of them", field="splits")
    claimed = {own for names in named.values() for own in names}
    shared = named | dealt([own for own in free if own not in claimed], rest)
    return {split: tuple(dict.fromkeys(names)) for split, names in shared.items()}


def _shapes(base: Path, group: _Group) -> Iterator[tuple[Path, Shape]]:
    """The shapes of a library that are of the category, with their folders."""
    from mereo.shapes.library import open_library
    from mereo.shapes.partnet import read_partnet

    if group.map is not None:
        raise BadInput("is for meshes: shapes know what their parts are", field="map")
    library = open_library(base / str(group.shapes))
    of_category = [tree.category == group.category for tree in library.trees()]
    if not any(of_category):
        raise BadInput(f"holds no {group.category}", file=library.path)
    for folder in compress(library.folders, of_category):
        yield folder, read_partnet(folder)


def _meshes(base: Path, group: _Group) -> Iterator[tuple[Path, Shape]]:
    """The shapes in mesh files, by their maps, with the files."""
    from mereo.shapes.importer import import_shape, read_part_map

    named = sorted(glob.glob(str(group.meshes), root_dir=base, recursive=True))  # noqa: PTH207  paths may be absolute
    files = [base / name for name in named if (base / name).is_file() and not name.endswith(_MAP)]
    if not files:
        raise BadInput(f"no mesh file is called '{group.meshes}'", field="meshes")
    for file in files:
        map_file = file.with_suffix(_MAP)
        if group.map is not None and not map_file.is_file():
            map_file = base / group.map
        try:
            yield file, import_shape(file, read_part_map(map_file))
        except UnknownName as error:
            raise BadInput(str(error), file=map_file) from None


def _misfit(shape: Shape, category: str) -> str | None:
    if shape.category != category:
        return f"is a {shape.category}, not a {category}"
    if not shape.leaves():
        return "has no meshes"
    known = template_of(category).labels
    unknown = next((part.label for part in shape.parts() if part.label not in known), None)
    return None if unknown is None else f"has a part '{unknown}', which a {category} does not have"


def _is_named(source: Path, base: Path, patterns: Sequence[str]) -> bool:
    """Whether a pattern fits the name of a file or folder, with or without its ending, or its path from the TOML."""
    called = (source.name, source.stem, Path(os.path.relpath(source, base)).as_posix())
    return any(fnmatchcase(name, pattern) for name in called for pattern in patterns)


def dealt(names: Sequence[str], weights: Mapping[str, int]) -> dict[str, list[str]]:
    """Names shared out among splits: one for each, and then to whichever is farthest behind its weight.

    They come in the order of their digits, which follows from the shapes and says nothing about them.
    """
    found: dict[str, list[str]] = {split: [] for split in weights}
    for name in sorted(set(names), key=digits_of) if weights else ():
        behind = {split: (bool(own), len(own) / weights[split], -weights[split]) for split, own in found.items()}
        found[min(behind, key=lambda split: behind[split])].append(name)
    return found


def _refuse_too_many(path: Path, groups: Sequence[OwnShapes]) -> None:
    for category in dict.fromkeys(group.category for group in groups):
        shares = sum(group.share for group in groups if group.category == category)
        if shares > 1 + 1e-9:
            raise BadInput(f"the shares of {category} are {shares:g} together, more than 1", file=path)


def _refuse_crossing(path: Path, groups: Sequence[OwnShapes]) -> None:
    """Complain about a shape that is in two splits, whatever it is called there."""
    home: dict[str, tuple[str, str]] = {}
    for group in groups:
        for split, names in group.shapes.items():
            for name in names:
                before, called = home.setdefault(digits_of(name), (split, name))
                if before != split:
                    alias = "" if called == name else f", where it is called {called}"
                    reason = f"{name} is in {split} and in {before}{alias}"
                    raise BadInput(reason, file=path, field=f"objects.{group.group}.splits")
