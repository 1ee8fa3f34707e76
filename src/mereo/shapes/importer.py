"""Anybody's mesh as a shape: groups or nodes become parts, by a small TOML file that says what they are.

    category = "chair"
    units = "cm"                # or m, mm, inch, foot, or how many meters one unit is
    up = "+y"
    front = "+z"
    ignore = ["floor*"]         # names, or patterns with * and ?

    [parts]
    "seat" = "chair/chair_seat/seat_surface/seat_single_surface"
    "leg_*" = "chair/chair_base/regular_leg_base/leg"
    "left_arm" = "chair/chair_arm#left/arm_sofa_style"
    "right_arm" = "chair/chair_arm#right/arm_sofa_style"

Every group is a leaf of its own. Leaves share the parts above them, unless a `#` tells these apart.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mereo.errors import BadInput, MissingExtra, UnknownName
from mereo.files import converted, read_bytes, read_toml
from mereo.shapes.frames import Axes, resting
from mereo.shapes.mesh import Mesh
from mereo.shapes.obj import read_obj_groups
from mereo.shapes.part import Part, Shape
from mereo.shapes.repair import closed, hull_corners
from mereo.shapes.template import all_templates

__all__ = ["MOST_TRIANGLES", "PartMap", "import_shape", "read_part_map"]

MOST_TRIANGLES = 1_000_000
_METERS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254, "foot": 0.3048}
_FORMATS = (".obj", ".glb", ".gltf", ".ply", ".stl")


class PartMap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the groups of a mesh file are."""

    category: str
    parts: dict[str, str]
    """By name or pattern the label path; the first that fits counts."""
    units: str | float = "m"
    up: str = "+z"
    front: str = "-y"
    ignore: tuple[str, ...] = ()

    def meters(self) -> float:
        """How long one unit is."""
        length = _METERS.get(self.units) if isinstance(self.units, str) else float(self.units)
        if length is None:
            raise UnknownName("unit", self.units, _METERS)
        if not 0 < length < np.inf:
            raise BadInput(f"one unit cannot be {length} meters", field="units")
        return length

    def label_of(self, group: str) -> str | None:
        """The label path of a group, or nothing if it is to be ignored."""
        for pattern, label in self.parts.items():
            if fnmatchcase(group, pattern):
                return label
        if any(fnmatchcase(group, pattern) for pattern in self.ignore):
            return None
        raise BadInput(f"'{group}' is neither mapped to a part nor ignored", field="parts")


def read_part_map(path: Path) -> PartMap:
    """A map file, checked against the template of its category where there is one."""
    known = converted(read_toml(path), file=path, type=PartMap)
    try:
        known.meters()
        Axes.of(up=known.up, front=known.front)
        _check_labels(known)
    except BadInput as error:
        raise error.within(file=path) from None
    return known


def _check_labels(known: PartMap) -> None:
    if not known.parts:
        raise BadInput("maps no part", field="parts")
    template = all_templates().get(known.category)
    labels = {pattern: "/".join(_plain(step) for step in path.split("/")) for pattern, path in known.parts.items()}
    roots = sorted({label.partition("/")[0] for label in labels.values()})
    if len(roots) > 1:
        raise BadInput(f"the parts have different roots: {', '.join(roots)}", field="parts")
    for pattern, label in labels.items():
        if not all(label.split("/")):
            raise BadInput(f"'{label}' is no path of a part", field=f"parts.{pattern}")
        if template and label not in template.labels:
            raise UnknownName(f"part of {known.category}", label, template.labels)
        if template and template.labels[label].kind != "leaf":
            raise BadInput(f"'{label}' is made of parts itself: name one of those", field=f"parts.{pattern}")


def _plain(step: str) -> str:
    return step.partition("#")[0]


def import_shape(path: Path, known: PartMap) -> Shape:
    """The shape in a mesh file: repaired, in meters, z up, front towards -y, resting on z = 0."""
    axes, meters = Axes.of(up=known.up, front=known.front), known.meters()
    groups = _read_groups(path)
    meshes: dict[str, Mesh] = {}
    labels: dict[str, str] = {}
    for group, mesh in groups.items():
        try:
            label = known.label_of(group)
            if label is not None:
                meshes[group] = closed(Mesh.of(axes.to_ours(mesh.vertices) * meters, mesh.faces))
                labels[group] = label
        except BadInput as error:
            raise error.within(file=path, record=None if error.field else f"part '{group}'") from None
    if not meshes:
        raise BadInput("has nothing that is not ignored", file=path)
    roots = _roots(labels, resting(meshes))
    if len(roots) > 1:
        raise BadInput(f"'{roots[0].name}' is one part, and {len(labels)} groups are mapped to it", file=path)
    return Shape.of(known.category, roots[0], name=path.stem, facts={"source": path.name})


@dataclass
class _Branch:
    """A part in the making."""

    name: str
    mesh: Mesh | None = None
    below: dict[str, _Branch] = field(default_factory=dict)

    def part(self) -> Part:
        pieces = (hull_corners(self.mesh),) if self.mesh else ()
        return Part(self.name, tuple(branch.part() for branch in self.below.values()), self.mesh, pieces)


def _roots(labels: Mapping[str, str], meshes: Mapping[str, Mesh]) -> list[Part]:
    top = _Branch("")
    for group, label in labels.items():
        here = top
        *inner, last = label.split("/")
        for step in inner:
            here = here.below.setdefault(step, _Branch(_plain(step)))
        here.below[f"{last}\n{group}"] = _Branch(_plain(last), meshes[group])
    return [branch.part() for branch in top.below.values()]


def _read_groups(path: Path) -> dict[str, Mesh]:
    """The named meshes of a file, its own units and axes."""
    suffix = path.suffix.lower()
    if suffix not in _FORMATS:
        raise BadInput(f"'{suffix}' is no mesh format that can be read: {', '.join(_FORMATS)}", file=path)
    data = read_bytes(path)
    if not data.strip():
        raise BadInput("is empty", file=path)
    _refuse_many(_announced(data, suffix), path)
    groups = read_obj_groups(path, unnamed=path.stem) if suffix == ".obj" else _through_trimesh(path)
    groups = {name: mesh for name, mesh in groups.items() if len(mesh.faces)}
    if not groups:
        raise BadInput("has no triangles", file=path)
    _refuse_many(sum(len(mesh.faces) for mesh in groups.values()), path)
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


def _refuse_many(triangles: int, path: Path) -> None:
    if triangles > MOST_TRIANGLES:
        raise BadInput(
            f"has {triangles:,} triangles, more than the {MOST_TRIANGLES:,} a shape may have: simplify it", file=path
        )


def _through_trimesh(path: Path) -> dict[str, Mesh]:
    try:
        import trimesh
    except ImportError:
        raise MissingExtra("reading GLB, PLY and STL", "scenes") from None
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
                found[name] = Mesh.of(solid.vertices, solid.faces).moved(matrix)
    except Exception as error:  # noqa: BLE001  trimesh's readers fail in as many ways as files can be broken
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise BadInput(f"cannot be read as {path.suffix[1:].upper()} ({reason[:80]})", file=path) from None
    return found
