"""Wavefront OBJ: the triangles and groups of a file, and meshes written so that every number comes back as it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.errors import BadInput
from mereo.files import read_bytes, write_bytes
from mereo.shapes.mesh import Floats, Group, Mesh

__all__ = ["read_obj", "read_obj_groups", "write_obj"]

Ints = NDArray[np.int64]


def write_obj(mesh: Mesh, path: str | Path) -> None:
    """Write a mesh with the shortest decimals that give the same floats again."""
    vertices = "v %r %r %r\n" * len(mesh.vertices) % tuple(mesh.vertices.ravel().tolist())
    faces = "f %d %d %d\n" * len(mesh.faces) % tuple((mesh.faces + 1).ravel().tolist())
    write_bytes(path, (vertices + faces).encode())


def read_obj(path: str | Path) -> Mesh:
    """All triangles of a file; what stands in it beside vertices and faces is passed over."""
    content = _parsed(path)
    return Mesh.of(content.vertices, content.triangles)


def read_obj_groups(path: str | Path, *, unnamed: str) -> dict[str, Group]:
    """The triangles of each group (`g`) or object (`o`), whichever was named last before a face.

    unnamed : what faces before any name belong to
    """
    content = _parsed(path, unnamed=unnamed)
    order = np.argsort(content.owner, kind="stable")
    ends = np.cumsum(np.bincount(content.owner, minlength=len(content.names)))
    found = {}
    for number, name in enumerate(content.names):
        chosen = content.triangles[order[ends[number - 1] if number else 0 : ends[number]]]
        used, renumbered = np.unique(chosen, return_inverse=True)
        mesh = Mesh.of(content.vertices[used], renumbered)
        found[name] = Group(mesh, tuple(content.materials[number]), content.dropped[number])
    return found


class _Content(NamedTuple):
    """What a file holds.

    vertices : (n, 3) float
    triangles : (m, 3) int
    owner : (m,) int, the place of each triangle's name
    names, materials, dropped : of each group
    """

    vertices: Floats
    triangles: Ints
    owner: Ints
    names: list[str]
    materials: list[dict[str, None]]
    dropped: list[int]


@dataclass
class _Lines:
    """The lines of a file that matter, taken apart into words."""

    vertices: list[list[str]] = field(default_factory=list)
    faces: list[list[str]] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    """How many vertices were read before each face."""
    owner: list[int] = field(default_factory=list)
    """The place of each face's group."""
    groups: dict[str, dict[str, None]] = field(default_factory=dict)
    """By name the materials."""


def _sorted_out(text: str, *, unnamed: str) -> _Lines:
    found, name, material, owner = _Lines(), unnamed, "", -1
    places: dict[str, int] = {}
    vertices, faces, before, owners = found.vertices, found.faces, found.before, found.owner
    for line in text.splitlines():
        words = line.split()
        word = words[0] if words else ""
        if word == "v":
            vertices.append(words[1:4])
        elif word == "f":
            if owner < 0:
                owner = places.setdefault(name, len(places))
                found.groups.setdefault(name, {}).update({material: None} if material else {})
            faces.append(words[1:])
            before.append(len(vertices))
            owners.append(owner)
        elif word in ("g", "o"):
            name, owner = " ".join(words[1:]) or unnamed, -1
        elif word == "usemtl":
            material, owner = " ".join(words[1:]), -1
    return found


def _parsed(path: str | Path, *, unnamed: str = "") -> _Content:
    text = read_bytes(path).decode("utf-8", "replace")
    lines = _sorted_out(text, unnamed=unnamed)

    def wrong(word: str, number: int, reason: str = "") -> BadInput:
        """What to say of the so-manieth line that begins with a word."""
        places = (place for place, line in enumerate(text.splitlines()) if line.split()[:1] == [word])
        place = next(islice(places, number, None))
        shown = text.splitlines()[place].strip()[:40]
        return BadInput(reason or f"'{shown}' is not OBJ", file=path, record=f"line {place + 1}")

    points = _points(lines, wrong)
    if not np.isfinite(points).all():
        bad = int(np.flatnonzero(~np.isfinite(points).all(1))[0]) + 1
        raise BadInput("has coordinates that are not finite numbers", file=path, record=f"vertex {bad}")
    corners, count = _corners(lines, len(points), wrong), np.array(list(map(len, lines.faces)), np.int64)
    start, fans = np.cumsum(count) - count, np.maximum(count - 2, 0)
    first = np.repeat(start, fans)
    step = np.arange(len(first)) - np.repeat(np.cumsum(fans) - fans, fans)
    triangles = corners[np.stack([first, first + step + 1, first + step + 2], 1)]
    owner = np.array(lines.owner, np.int64)
    dropped = np.bincount(owner[count < 3], minlength=len(lines.groups)).tolist()
    names, materials = list(lines.groups), list(lines.groups.values())
    return _Content(points, triangles, np.repeat(owner, fans), names, materials, dropped)


def _points(lines: _Lines, wrong: Callable[[str, int], BadInput]) -> Floats:
    """The vertices. (n, 3) float"""
    try:
        return np.array([list(map(float, words)) for words in lines.vertices], np.float64).reshape(-1, 3)
    except ValueError:
        bad = next(number for number, words in enumerate(lines.vertices) if not _is_point(words))
        raise wrong("v", bad) from None


def _is_point(words: list[str]) -> bool:
    try:
        return len(list(map(float, words))) == 3
    except ValueError:
        return False


def _corners(lines: _Lines, vertices: int, wrong: Callable[..., BadInput]) -> Ints:
    """The vertices of all faces, one face after the other; OBJ counts from one, or backwards from the last read."""
    flat = [word.partition("/")[0] for words in lines.faces for word in words]
    count = np.array(list(map(len, lines.faces)), np.int64)
    face = np.repeat(np.arange(len(count)), count)
    if len(count) and not count.all():
        raise wrong("f", int(count.argmin()))
    try:
        numbers = np.array(list(map(int, flat)), np.int64)
    except (ValueError, OverflowError):
        place = next(place for place, word in enumerate(flat) if not _is_number(word))
        raise wrong("f", int(face[place])) from None
    before = np.array(lines.before, np.int64)[face]
    found: Ints = np.where(numbers > 0, numbers - 1, before + numbers)
    bad = (numbers == 0) | (found < 0)
    if bad.any():
        raise wrong("f", int(face[int(bad.argmax())]))
    if len(found) and found.max() >= vertices:
        place = int(found.argmax())
        raise wrong("f", int(face[place]), f"a face names vertex {found[place] + 1} of {vertices}")
    return found


def _is_number(word: str) -> bool:
    try:
        return -(2**63) <= int(word) < 2**63
    except ValueError:
        return False
