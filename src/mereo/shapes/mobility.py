"""Shapes that move, for simulators: URDF and MJCF, in folders like those of PartNet-Mobility.

    mobility.urdf or mobility.xml    links and joints, the shape at rest
    semantics.txt                    a line for each link: its name, how it moves, what it is
    objs/                            what is seen of each leaf, and the convex pieces that it collides with

Meters, z up, front towards -y; the frame of a link lies on its joint, along the shape's axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from mereo.errors import BadInput, UnknownName
from mereo.files import write_bytes
from mereo.folders import new_folder
from mereo.names import plain_name
from mereo.shapes.links import Link, links_of
from mereo.shapes.mjcf import mjcf
from mereo.shapes.obj import write_obj
from mereo.shapes.part import Shape
from mereo.shapes.urdf import urdf

__all__ = ["FORMATS", "write_mobility"]

FORMATS = {"urdf": ("mobility.urdf", urdf), "mjcf": ("mobility.xml", mjcf)}
"""By name the file that a format has, and who writes it."""
_MESHES = "objs"
_MOVES = {"hinge": "hinge", "slide": "slider", "spin": "hinge"}
"""What PartNet-Mobility calls the ways to move."""


def write_mobility(shapes: Sequence[Shape], out: Path, *, to: str) -> list[Path]:
    """A new folder with one of each shape's own, by its name; whole or not at all. to : one of `FORMATS`"""
    if to not in FORMATS:
        raise UnknownName("format for shapes that move", to, FORMATS)
    names = [plain_name(shape.name or shape.category) for shape in shapes]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise BadInput("is there twice", record=name)
    file, written = FORMATS[to]
    with new_folder(out) as scratch:
        for name, shape in zip(names, shapes, strict=True):
            links = links_of(shape)
            folder = scratch / name
            (folder / _MESHES).mkdir(parents=True)
            for body in (body for link in links for body in (*link.seen, *link.pieces)):
                write_obj(body.mesh, folder / _MESHES / f"{body.name}.obj")
            model = written(name, links, _MESHES)
            ET.indent(model)
            write_bytes(folder / file, ET.tostring(model, encoding="utf-8", xml_declaration=True))
            write_bytes(folder / "semantics.txt", "".join(map(_meaning, links)).encode())
    return [out / name / file for name in names]


def _meaning(link: Link) -> str:
    moves = _MOVES[link.joint.kind] if link.joint else "static"
    return f"{link.name} {moves} {link.part.name}\n"
