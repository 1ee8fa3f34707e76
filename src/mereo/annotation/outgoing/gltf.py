"""Annotated shapes as GLB: a node for each part, named after it, and its own pieces as a mesh.

Nodes are called `leg.003`, with the part's number in the annotation, since parts may share a name. Their extras have
the label path, whether an annotator brought the name, and the pieces with the digits of their content.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mereo.annotation.outgoing.annotated import Annotated, AnnotatedPart, in_file, mesh_of_pieces
from mereo.errors import BadInput, MissingExtra
from mereo.files import decode_json, read_bytes, write_bytes

__all__ = ["glb_of", "read_glb", "write_glb"]

_WORLD = "world"


class _Extras(msgspec.Struct, frozen=True):
    label: str
    part: int
    custom: bool
    pieces: dict[str, str]


class _Node(msgspec.Struct, frozen=True):
    name: str = ""
    children: tuple[int, ...] = ()
    extras: _Extras | None = None


class _Content(msgspec.Struct, frozen=True):
    nodes: tuple[_Node, ...] = ()


def write_glb(given: Annotated, path: Path) -> None:
    """Write a shape as a file: y up, front towards +z, where it was in its own file."""
    write_bytes(path, glb_of(given))


def glb_of(given: Annotated) -> bytes:
    """A shape as GLB."""
    try:
        import trimesh
    except ImportError:
        raise MissingExtra("writing GLB", "annotate") from None
    scene: Any = trimesh.Scene(base_frame=_WORLD)

    def add(part: AnnotatedPart, label: str, above: str) -> None:
        name = f"{part.name}.{part.number:03d}"
        pieces = {str(piece): digits for piece, digits in part.pieces.items()}
        extras = msgspec.to_builtins(_Extras(label, part.number, part.custom, pieces))
        mesh = mesh_of_pieces(part.pieces, given.read)
        if mesh is not None:
            scene.geometry[name] = trimesh.Trimesh(in_file(mesh.vertices, given.frame), mesh.faces, process=False)
        shown = {"geometry": name} if mesh is not None else {}
        scene.graph.update(frame_to=name, frame_from=above, matrix=np.eye(4), metadata=extras, **shown)
        for child in part.children:
            add(child, f"{label}/{child.name}", name)

    add(given.root, given.root.name, _WORLD)
    data: bytes = scene.export(file_type="glb")
    return data


def read_glb(path: Path) -> AnnotatedPart:
    """The tree of parts in a file that was written so."""
    data = read_bytes(path)
    if data[:4] != b"glTF" or data[16:20] != b"JSON":
        raise BadInput("is not GLB", file=path)
    length = int(struct.unpack_from("<I", data, 12)[0])
    nodes = decode_json(data[20 : 20 + length].rstrip(b" \0"), file=path, type=_Content).nodes
    below = {child for node in nodes if node.extras for child in node.children}
    roots = [place for place, node in enumerate(nodes) if node.extras and place not in below]
    if len(roots) != 1:
        raise BadInput(f"holds {len(roots)} annotated shapes, not one", file=path)

    def part(place: int) -> AnnotatedPart:
        extras = nodes[place].extras if place < len(nodes) else None
        if extras is None:
            raise BadInput("has a node that is no part", file=path, record=f"node {place}")
        pieces = {int(piece): digits for piece, digits in extras.pieces.items()}
        children = tuple(sorted(map(part, nodes[place].children), key=lambda child: child.number))
        return AnnotatedPart(extras.part, extras.label.rpartition("/")[2], extras.custom, pieces, children)

    return part(roots[0])
