"""Anybody's mesh as a shape: groups or nodes become parts, by a small TOML file that says what they are.

    category = "chair"
    units = "cm"                # or m, mm, inch, foot, or how many meters one unit is
    up = "+y"
    front = "+z"
    ignore = ["floor*"]         # names, or patterns with * and ?

    [parts]
    "seat_*" = "chair/chair_seat/seat_surface/seat_single_surface#whole"
    "leg_*" = "chair/chair_base/regular_leg_base/leg"
    "feet" = "chair/chair_base/regular_leg_base/foot#*"
    "left_arm" = "chair/chair_arm#left/arm_sofa_style"
    "right_arm" = "chair/chair_arm#right/arm_sofa_style"

A `#` names an instance. Parts above the leaves are shared unless it tells them apart. A leaf is made of one group, or
of all groups that have the same instance, and `#*` makes a leaf of each piece into which its groups fall apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec
import numpy as np

from mereo.errors import BadInput, UnknownName, nearest
from mereo.files import converted, read_toml
from mereo.names import plain_name
from mereo.shapes.findings import Finding, kept, listed
from mereo.shapes.frames import Axes, resting
from mereo.shapes.mesh import Group, Mesh, joined
from mereo.shapes.mesh_file import read_groups
from mereo.shapes.part import Part, Shape
from mereo.shapes.pieces import MOST_PIECES, convex_pieces, fallen_apart
from mereo.shapes.repair import NoArea, mended
from mereo.shapes.sizes import METERS, strange_size
from mereo.shapes.template import all_templates

__all__ = ["PartMap", "import_shape", "read_part_map"]

_EACH = "*"
"""The instance that stands for each piece."""
_OWN = "#\n"
"""How an instance begins that nobody has named."""


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
        length = METERS.get(self.units) if isinstance(self.units, str) else float(self.units)
        if length is None:
            raise UnknownName("unit", self.units, METERS)
        if not 0 < length < np.inf:
            raise BadInput(f"one unit cannot be {length} meters", field="units")
        return length

    def labels(self, groups: Mapping[str, Group]) -> dict[str, str]:
        """The label path of every group that is not to be ignored."""
        found = {group: self._label_of(group) for group in groups}
        unknown = [f"'{group}'" for group, label in found.items() if label is None]
        if unknown:
            verb = "is" if len(unknown) == 1 else "are"
            raise BadInput(f"{listed(unknown)} {verb} neither mapped to a part nor ignored", field="parts")
        return {group: label for group, label in found.items() if label}

    def _label_of(self, group: str) -> str | None:
        """The label path of a group, nothing at all if nobody speaks of it, and an empty one if it is to be ignored."""
        label = next((label for pattern, label in self.parts.items() if fnmatchcase(group, pattern)), None)
        if label is None and any(fnmatchcase(group, pattern) for pattern in self.ignore):
            return ""
        return label


def read_part_map(path: Path) -> PartMap:
    """A map file, checked against the template of its category where there is one."""
    known = converted(read_toml(path), file=path, type=PartMap)
    try:
        plain_name(known.category, field="category")
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


def _plain(step: str) -> str:
    return step.partition("#")[0]


def import_shape(path: Path, known: PartMap) -> Shape:
    """The shape in a mesh file: mended, in meters, z up, front towards -y, resting on z = 0.

    What was mended, and what was not, stands in its facts: `mereo.shapes.findings` reads it.
    """
    axes, meters = Axes.of(up=known.up, front=known.front), known.meters()
    groups = read_groups(path)
    try:
        labels = known.labels(groups)
    except BadInput as error:
        raise error.within(file=path) from None
    if not labels:
        raise BadInput("has nothing that is not ignored", file=path)
    leaves: list[_Leaf] = []
    empty: list[str] = []
    for label, chosen in _bundles(labels).items():
        raw = joined([groups[name].mesh for name in chosen])[0]
        mesh = Mesh.of(axes.to_ours(raw.vertices) * meters, raw.faces)
        try:
            leaves += _leaves(label, mesh, dropped=sum(groups[name].dropped for name in chosen))
        except NoArea:
            empty += chosen
        except BadInput as error:
            raise error.within(file=path, record=f"part {_quoted(chosen)}") from None
    if not leaves:
        raise BadInput("has no area", file=path, record=f"part {_quoted(empty)}")
    return _shape(path, known, leaves, empty)


def _quoted(names: Iterable[str]) -> str:
    return listed(f"'{name}'" for name in names)


@dataclass(frozen=True)
class _Leaf:
    """A leaf on its way: its label path with instances, its mesh, and what was found in it."""

    label: str
    mesh: Mesh
    findings: tuple[Finding, ...]


def _bundles(labels: Mapping[str, str]) -> dict[str, list[str]]:
    """By label path the groups that make it; where it names no instance at its end, every group is one of its own."""
    found: dict[str, list[str]] = {}
    for group, label in labels.items():
        named = "#" in label.rpartition("/")[2]
        found.setdefault(label if named else f"{label}{_OWN}{len(found)}", []).append(group)
    return found


def _leaves(label: str, mesh: Mesh, *, dropped: int) -> Iterator[_Leaf]:
    """The leaf of a bundle, or those of its pieces."""
    plain, _, instance = label.rpartition("#")
    pieces = fallen_apart(mesh) if instance == _EACH else [mesh]
    if instance == _EACH and len(pieces) == 1:
        raise BadInput("is one piece, so it cannot be split: take the #* away")
    if len(pieces) > MOST_PIECES:
        raise BadInput(f"falls apart into {len(pieces):,} pieces, more than the {MOST_PIECES} it may be split into")
    for number, piece in enumerate(pieces):
        found = mended(piece, dropped=0 if number else dropped)
        yield _Leaf(f"{plain}{_OWN}{number} of {_EACH}" if instance == _EACH else label, found.mesh, found.findings)


def _shape(path: Path, known: PartMap, leaves: Sequence[_Leaf], empty: Sequence[str]) -> Shape:
    top = _Branch("")
    rested = resting({leaf.label: leaf.mesh for leaf in leaves})
    for leaf in leaves:
        top.add(leaf.label.split("/"), replace(leaf, mesh=rested[leaf.label]))
    roots = list(top.below.values())
    if len(roots) > 1:
        name = roots[0].name
        reason = f"'{name}' is one part, and {len(roots)} groups are mapped to it: '{name}#whole' joins them"
        raise BadInput(reason, file=path)
    shape = Shape.of(known.category, roots[0].part(), name=path.stem)
    numbers = [leaf.id for leaf in shape.leaves()]
    found = [
        msgspec.structs.replace(finding, part=number)
        for number, branch in zip(numbers, roots[0].leaves(), strict=True)
        for finding in branch.findings
    ]
    if empty:
        found.append(Finding("empty", len(empty), note=_quoted(empty)))
    longest = float(np.ptp(shape.bounds(), axis=0).max())
    strange = strange_size(longest, known.category, meters=known.meters())
    if strange:
        found.append(Finding("size", note=strange))
    return replace(shape, facts={"source": path.name} | ({"findings": kept(found)} if found else {}))


@dataclass
class _Branch:
    """A part in the making."""

    name: str
    mesh: Mesh | None = None
    findings: tuple[Finding, ...] = ()
    below: dict[str, _Branch] = field(default_factory=dict)

    def add(self, path: Sequence[str], leaf: _Leaf) -> None:
        """Grow towards a leaf."""
        step, *rest = path
        if rest:
            self.below.setdefault(step, _Branch(_plain(step))).add(rest, leaf)
        else:
            self.below[step] = _Branch(_plain(step), leaf.mesh, leaf.findings)

    def leaves(self) -> Iterator[_Branch]:
        """Those with meshes, in the order of the parts that they become."""
        if self.mesh is not None:
            yield self
        for branch in self.below.values():
            yield from branch.leaves()

    def part(self) -> Part:
        """What it becomes."""
        pieces = convex_pieces(self.mesh) if self.mesh else ()
        return Part(self.name, tuple(branch.part() for branch in self.below.values()), self.mesh, pieces)
