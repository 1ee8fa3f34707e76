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

A part may say more than its label, and a part above the leaves how it moves:

    "grip" = { label = "refrigerator/body/door#upper/handle", material = "metal" }

    [joints]
    "refrigerator/body/door#upper" = { kind = "hinge", axis = [0, 0, -1], origin = [-30, -35, 0], low = 0, high = 110 }
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
import numpy as np

from mereo.errors import BadInput
from mereo.shapes.findings import Finding, kept, listed
from mereo.shapes.frames import Axes, resting
from mereo.shapes.mesh import Floats, Mesh, joined
from mereo.shapes.mesh_file import read_groups
from mereo.shapes.part import Part, Shape
from mereo.shapes.part_map import MappedPart, PartMap, read_part_map
from mereo.shapes.pieces import MOST_PIECES, convex_pieces, fallen_apart
from mereo.shapes.repair import NoArea, mended
from mereo.shapes.sizes import strange_size

__all__ = ["PartMap", "import_shape", "read_part_map"]

_EACH = "*"
"""The instance that stands for each piece."""
_OWN = "#\n"
"""How an instance begins that nobody has named."""


def import_shape(path: Path, known: PartMap) -> Shape:
    """The shape in a mesh file: mended, in meters, z up, front towards -y, resting on z = 0.

    What was mended, and what was not, stands in its facts: `mereo.shapes.findings` reads it.
    """
    axes, meters = Axes.of(up=known.up, front=known.front), known.meters()
    groups = read_groups(path)
    try:
        mapped = known.of_groups(groups)
    except BadInput as error:
        raise error.within(file=path) from None
    if not mapped:
        raise BadInput("has nothing that is not ignored", file=path)
    leaves: list[_Leaf] = []
    empty: list[str] = []
    for label, chosen in _bundles({group: said.label for group, said in mapped.items()}).items():
        raw = joined([groups[name].mesh for name in chosen])[0]
        mesh = Mesh.of(axes.to_ours(raw.vertices) * meters, raw.faces)
        try:
            said = _agreed([mapped[name] for name in chosen])
            leaves += _leaves(label, mesh, said, dropped=sum(groups[name].dropped for name in chosen))
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
    """A leaf on its way: its label path with instances, its mesh, what was found in it, and what its map says."""

    label: str
    mesh: Mesh
    findings: tuple[Finding, ...]
    said: MappedPart


def _agreed(said: Sequence[MappedPart]) -> MappedPart:
    """What is said of groups that make one leaf, some of which may leave it to the others."""
    materials = {each.material for each in said if each.material}
    joints = list(dict.fromkeys(each.joint for each in said if each.joint))
    if len(materials) > 1 or len(joints) > 1:
        raise BadInput("is one part, and its groups say different things of it")
    return MappedPart(said[0].label, *materials or ("",), *joints)


def _bundles(labels: Mapping[str, str]) -> dict[str, list[str]]:
    """By label path the groups that make it; where it names no instance at its end, every group is one of its own."""
    found: dict[str, list[str]] = {}
    for group, label in labels.items():
        named = "#" in label.rpartition("/")[2]
        found.setdefault(label if named else f"{label}{_OWN}{len(found)}", []).append(group)
    return found


def _leaves(label: str, mesh: Mesh, said: MappedPart, *, dropped: int) -> Iterator[_Leaf]:
    """The leaf of a bundle, or those of its pieces."""
    plain, _, instance = label.rpartition("#")
    pieces = fallen_apart(mesh) if instance == _EACH else [mesh]
    if instance == _EACH and len(pieces) == 1:
        raise BadInput("is one piece, so it cannot be split: take the #* away")
    if len(pieces) > MOST_PIECES:
        raise BadInput(f"falls apart into {len(pieces):,} pieces, more than the {MOST_PIECES} it may be split into")
    for number, piece in enumerate(pieces):
        found = mended(piece, dropped=0 if number else dropped)
        called = f"{plain}{_OWN}{number} of {_EACH}" if instance == _EACH else label
        yield _Leaf(called, found.mesh, found.findings, said)


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
    shift = rested[leaves[0].label].vertices[0] - leaves[0].mesh.vertices[0]
    root = roots[0].part(next(iter(top.below)), known, shift)
    shape = Shape.of(known.category, root, name=path.stem)
    numbers = [leaf.id for leaf in shape.leaves()]
    found = [
        msgspec.structs.replace(finding, part=number)
        for number, leaf in zip(numbers, roots[0].leaves(), strict=True)
        for finding in leaf.findings
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
    leaf: _Leaf | None = None
    below: dict[str, _Branch] = field(default_factory=dict)

    def add(self, path: Sequence[str], leaf: _Leaf) -> None:
        """Grow towards a leaf."""
        step, *rest = path
        if rest:
            self.below.setdefault(step, _Branch(_plain(step))).add(rest, leaf)
        else:
            self.below[step] = _Branch(_plain(step), leaf)

    def leaves(self) -> Iterator[_Leaf]:
        """Those with meshes, in the order of the parts that they become."""
        if self.leaf is not None:
            yield self.leaf
        for branch in self.below.values():
            yield from branch.leaves()

    def part(self, path: str, known: PartMap, shift: Floats) -> Part:
        """What it becomes. path : of steps with their instances; shift : (3,) float, by which all was moved"""
        children = tuple(branch.part(f"{path}/{step}", known, shift) for step, branch in self.below.items())
        mapped = self.leaf.said.joint if self.leaf else known.joints.get(path)
        joint = mapped.joint(Axes.of(up=known.up, front=known.front), known.meters(), shift) if mapped else None
        if self.leaf is None:
            return Part(self.name, children, joint=joint)
        mesh, material = self.leaf.mesh, self.leaf.said.material
        return Part(self.name, children, mesh, convex_pieces(mesh), joint=joint, material=material)


def _plain(step: str) -> str:
    return step.partition("#")[0]
