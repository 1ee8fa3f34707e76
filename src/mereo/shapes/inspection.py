"""What is in anybody's mesh file, and a first map of its groups to edit."""

from __future__ import annotations

import glob
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mereo.shapes.draw import Image, draw_shape, part_color, with_legend
from mereo.shapes.findings import Finding, listed
from mereo.shapes.frames import Axes, resting
from mereo.shapes.mesh import Group, Mesh
from mereo.shapes.mesh_file import read_groups
from mereo.shapes.part import Part, Shape
from mereo.shapes.pieces import are_equal, fallen_apart
from mereo.shapes.repair import NoArea, mended
from mereo.shapes.sizes import METERS, likely_unit
from mereo.shapes.template import AndOrTemplate, all_templates

__all__ = ["GroupFacts", "Inspection", "first_map", "inspect_mesh", "picture"]

ANYTHING = "thing"
"""The category of what nobody has named yet."""
_FRAMES = {".ply": ("+z", "-y"), ".stl": ("+z", "-y")}
"""Upward and frontal axis as programs usually write them; those of all other formats are y up."""


@dataclass(frozen=True)
class GroupFacts:
    """One group of a file."""

    name: str
    mesh: Mesh
    """Our frame, meters."""
    materials: tuple[str, ...]
    findings: tuple[Finding, ...]
    holes: int
    pieces: int
    equal: bool
    """Whether the pieces are several of one size, so that each may be a part."""

    @property
    def closed(self) -> bool:
        """Whether it is a body as it stands or once its small holes are filled."""
        return not any(finding.what in ("open", "empty") for finding in self.findings)

    def size(self) -> list[float]:
        """Width, depth and height, meters."""
        extent: list[float] = np.ptp(self.mesh.vertices, axis=0).tolist() if len(self.mesh.vertices) else [0.0] * 3
        return extent

    def described(self) -> str:
        """In a few words: size, triangles, pieces, holes."""
        size = " x ".join(f"{length:.2f}" for length in self.size())
        pieces = f"{self.pieces} {'equal ' if self.equal else ''}pieces" if self.pieces > 1 else "1 piece"
        state = "closed" if self.closed else f"open, {self.holes} holes" if self.holes else "open"
        return f"{size} m, {len(self.mesh.faces):,} triangles, {pieces}, {state}"


@dataclass(frozen=True)
class Inspection:
    """What a file holds, and how it was taken: by guess where nobody said."""

    path: Path
    category: str
    units: str
    up: str
    front: str
    groups: tuple[GroupFacts, ...]

    def size(self) -> tuple[float, float, float]:
        """Width, depth and height, meters."""
        boxes = np.stack([group.mesh.bounds() for group in self.groups if len(group.mesh.vertices)])
        width, depth, height = (boxes[:, 1].max(0) - boxes[:, 0].min(0)).tolist()
        return width, depth, height


def inspect_mesh(path: Path, *, category: str = ANYTHING) -> Inspection:
    """Look into a mesh file. Units are guessed from its size, its axes from its format."""
    groups = read_groups(path)
    up, front = _FRAMES.get(path.suffix.lower(), ("+y", "+z"))
    axes = Axes.of(up=up, front=front)
    points = np.concatenate([group.mesh.vertices for group in groups.values()])
    units = likely_unit(float(np.ptp(points, axis=0).max()), category) if len(points) else None
    units = units or "m"
    facts = tuple(_facts(name, group, axes, METERS[units]) for name, group in groups.items())
    return Inspection(path, category, units, up, front, facts)


def _facts(name: str, group: Group, axes: Axes, meters: float) -> GroupFacts:
    mesh = Mesh.of(axes.to_ours(group.mesh.vertices) * meters, group.mesh.faces)
    try:
        found = mended(mesh, dropped=group.dropped)
    except NoArea:
        return GroupFacts(name, mesh, group.materials, (Finding("empty"),), 0, 0, equal=False)
    pieces = fallen_apart(mesh)
    return GroupFacts(name, mesh, group.materials, found.findings, found.holes, len(pieces), are_equal(pieces))


def picture(found: Inspection, *, size: int = 480) -> Image:
    """The mesh with a color for each group, and the names beside it."""
    seen = {group.name: group.mesh for group in found.groups if group.pieces}
    leaves = tuple(Part(name, mesh=mesh) for name, mesh in resting(seen).items())
    shape = Shape.of(found.category, Part("file", leaves))
    colors = {leaf.label: part_color(number) for number, leaf in enumerate(shape.leaves())}
    rows = [(colors[leaf.label], f"{number}  {leaf.name}") for number, leaf in enumerate(shape.leaves(), start=1)]
    return with_legend(draw_shape(shape, size=size, colors=colors), rows)


def first_map(found: Inspection) -> str:
    """A map of the file to edit, as TOML: what can be guessed is filled in, and the rest is listed."""
    template = all_templates().get(found.category)
    width, depth, height = found.size()
    lines = [
        f"# What the groups of {_quoted(found.path.name)} are. Guesses: look them over.",
        "",
        f"category = {_quoted(found.category)}  # {listed(sorted(all_templates()), most=40)}, or a word of your own",
        f"units = {_quoted(found.units)}  # so it is {width:.2f} m wide, {depth:.2f} m deep and {height:.2f} m high",
        f"up = {_quoted(found.up)}",
        f"front = {_quoted(found.front)}",
        "ignore = []  # names or patterns of groups to leave out",
        "",
        "# A # and a name after a label: all groups with it are one part. A #*: each piece is a part of its own.",
        "[parts]",
        *_part_lines(found, template),
    ]
    if template:
        leaves = [label.path for label in template.labels.values() if label.kind == "leaf"]
        lines += ["", f"# The parts that a {found.category} may have:", *(f"#   {label}" for label in leaves)]
    return "\n".join(lines) + "\n"


def _part_lines(found: Inspection, template: AndOrTemplate | None) -> Iterator[str]:
    for group in found.groups:
        label = _label(group.name, found, template)
        split = "#*" if group.equal and not label.endswith("#whole") else ""
        key = _quoted(glob.escape(group.name))
        made_of = f", made of {listed(map(_quoted, group.materials), most=3)}" if group.materials else ""
        yield f"# {group.described()}{made_of}"
        yield f"{key} = {_quoted(label + split)}" if label else f"# {key} = {_quoted(f'{found.category}/…{split}')}"


def _label(group: str, found: Inspection, template: AndOrTemplate | None) -> str:
    """What a group may be by its name; empty where that says nothing."""
    if template is None:
        word = "_".join(re.findall(r"[a-z0-9]+", group.lower())) or "part"
        return f"{found.category}/{word}"
    leaves = [label.path for label in template.labels.values() if label.kind == "leaf"]
    if leaves == [template.root]:
        return f"{template.root}#whole" if len(found.groups) > 1 else template.root
    words = {word.removesuffix("s") for word in re.findall(r"[a-z]+", group.lower())}
    fitting = [path for path in leaves if {w.removesuffix("s") for w in path.rpartition("/")[2].split("_")} <= words]
    return min(fitting, key=len, default="")


def _quoted(text: str) -> str:
    """A string of TOML, which is one of JSON but for a character or two."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
