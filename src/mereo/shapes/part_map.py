"""What the groups of a mesh file are: a small TOML file with labels, materials and joints."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec
import numpy as np

from mereo.errors import BadInput, UnknownName, nearest
from mereo.files import converted, read_toml
from mereo.names import plain_name
from mereo.shapes.findings import listed
from mereo.shapes.frames import Axes
from mereo.shapes.joint import Joint, Kind, Vector
from mereo.shapes.mesh import Floats, Group
from mereo.shapes.physical import all_materials
from mereo.shapes.sizes import METERS
from mereo.shapes.template import all_templates

__all__ = ["MappedJoint", "MappedPart", "PartMap", "read_part_map"]


class MappedJoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a part moves, in the file's own units and axes; the mesh shows it at 0."""

    kind: Kind
    axis: Vector
    origin: Vector = (0.0, 0.0, 0.0)
    low: float | None = None
    """Degrees or units; 0 where nothing is said."""
    high: float | None = None

    def check(self) -> None:
        """Refuse what no part can do."""
        if not 0 < math.hypot(*self.axis) < math.inf:
            raise BadInput("has no direction", field="axis")
        if not all(map(math.isfinite, self.origin)):
            raise BadInput("is no point", field="origin")
        if self.kind == "spin":
            if self.low is not None or self.high is not None:
                raise BadInput("spins without end: leave low and high out, or call it a hinge")
            return
        if self.high is None:
            raise BadInput("must say how far it goes", field="high")
        low, high = self.low or 0.0, self.high
        if not (-math.inf < low <= 0.0 <= high < math.inf and low < high):
            raise BadInput(f"cannot go from {low:g} to {high:g}: the mesh shows it at 0")

    def joint(self, axes: Axes, meters: float, shift: Floats) -> Joint:
        """The joint in our frame. shift : (3,) float, by which the meshes were moved then"""
        axis, origin = axes.to_ours(np.array([self.axis, self.origin], np.float64))
        low, high, length = self.low or 0.0, self.high or 0.0, meters if self.kind == "slide" else 1.0
        ends = () if self.kind == "spin" else (length * low, length * high)
        unit, place = axis / math.hypot(*axis), meters * origin + shift
        return Joint(self.kind, _vector(unit), _vector(place), *ends)


class MappedPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a group is, where more is said than its label."""

    label: str
    material: str = ""
    joint: MappedJoint | None = None


class PartMap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the groups of a mesh file are."""

    category: str
    parts: dict[str, str | MappedPart]
    """By name or pattern the label path, or what else is to be said; the first that fits counts."""
    units: str | float = "m"
    up: str = "+z"
    front: str = "-y"
    ignore: tuple[str, ...] = ()
    joints: dict[str, MappedJoint] = {}
    """By label path, with its instances, how parts above the groups move with all below them."""

    def meters(self) -> float:
        """How long one unit is."""
        length = METERS.get(self.units) if isinstance(self.units, str) else float(self.units)
        if length is None:
            raise UnknownName("unit", self.units, METERS)
        if not 0 < length < np.inf:
            raise BadInput(f"one unit cannot be {length} meters", field="units")
        return length

    def mapped(self) -> dict[str, MappedPart]:
        """What is said of each part, by name or pattern."""
        return {pattern: MappedPart(said) if isinstance(said, str) else said for pattern, said in self.parts.items()}

    def of_groups(self, groups: Mapping[str, Group]) -> dict[str, MappedPart]:
        """What every group is that is not to be ignored."""
        mapped = self.mapped()
        found = {
            group: next((said for pattern, said in mapped.items() if fnmatchcase(group, pattern)), None)
            for group in groups
        }
        unknown = [f"'{group}'" for group, said in found.items() if said is None and not self._ignores(group)]
        if unknown:
            verb = "is" if len(unknown) == 1 else "are"
            raise BadInput(f"{listed(unknown)} {verb} neither mapped to a part nor ignored", field="parts")
        return {group: said for group, said in found.items() if said is not None}

    def _ignores(self, group: str) -> bool:
        return any(fnmatchcase(group, pattern) for pattern in self.ignore)


def read_part_map(path: Path) -> PartMap:
    """A map file, checked against the template of its category where there is one."""
    known = converted(read_toml(path), file=path, type=PartMap)
    try:
        plain_name(known.category, field="category")
        known.meters()
        Axes.of(up=known.up, front=known.front)
        _check_labels(known)
        _check_said(known)
    except BadInput as error:
        raise error.within(file=path) from None
    return known


def _check_labels(known: PartMap) -> None:
    if not known.parts:
        raise BadInput("maps no part", field="parts")
    template = all_templates().get(known.category)
    labels = {pattern: _plain_path(said.label) for pattern, said in known.mapped().items()}
    roots = sorted({label.partition("/")[0] for label in labels.values()})
    if len(roots) > 1:
        raise BadInput(f"the parts have different roots: {', '.join(roots)}", field="parts")
    for pattern, label in labels.items():
        if not all(label.split("/")):
            raise BadInput(f"'{label}' is no path of a part", field=f"parts.{pattern}")
    if template is None:
        return
    unknown = [label for label in dict.fromkeys(labels.values()) if label not in template.labels]
    if unknown:
        each = [
            f"'{label}'{nearest(label, template.labels, shown=12 if len(unknown) == 1 else 3)}" for label in unknown
        ]
        raise BadInput(f"there is no part of {known.category} {listed(each)}", field="parts")
    inner = {pattern: label for pattern, label in labels.items() if template.labels[label].kind != "leaf"}
    for pattern, label in inner.items():
        raise BadInput(f"'{label}' is made of parts itself: name one of those", field=f"parts.{pattern}")


def _check_said(known: PartMap) -> None:
    """Refuse materials that there are not, and joints of parts that cannot move or are not there."""
    paths = [said.label for said in known.mapped().values()]
    for pattern, said in known.mapped().items():
        if said.material and said.material not in all_materials():
            near = nearest(said.material, all_materials())
            raise BadInput(f"there is no material '{said.material}'{near}", field=f"parts.{pattern}.material")
        if said.joint:
            _check_joint(said.joint, said.label, f"parts.{pattern}.joint")
    for path, joint in known.joints.items():
        if not any(each.startswith(f"{path}/") for each in paths):
            raise BadInput(f"'{path}' is no part above a group: those say themselves how they move", field="joints")
        _check_joint(joint, path, f"joints.{path}")


def _check_joint(joint: MappedJoint, path: str, field: str) -> None:
    if "/" not in path:
        raise BadInput("is the whole, which has nothing to move against", field=field)
    try:
        joint.check()
    except BadInput as error:
        raise BadInput(error.reason, field=f"{field}.{error.field}" if error.field else field) from None


def _plain_path(path: str) -> str:
    return "/".join(step.partition("#")[0] for step in path.split("/"))


def _vector(values: Floats) -> Vector:
    x, y, z = (float(value) for value in values)
    return x, y, z
