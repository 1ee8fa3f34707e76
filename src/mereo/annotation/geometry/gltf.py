"""What a GLB file speaks of, looked at before anything is made of it: a few bytes can ask for any amount of memory."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from mereo.errors import BadInput
from mereo.files import decode_json

__all__ = ["check_glb"]

_LARGEST_TEXT = 1 << 26
_MOST_NODES = 100_000


class _Accessor(msgspec.Struct, frozen=True):
    count: int = 0


class _Primitive(msgspec.Struct, frozen=True):
    attributes: dict[str, int] = {}
    indices: int | None = None


class _Shape(msgspec.Struct, frozen=True):
    primitives: tuple[_Primitive, ...] = ()


class _Node(msgspec.Struct, frozen=True):
    mesh: int | None = None
    children: tuple[int, ...] = ()


class _Linked(msgspec.Struct, frozen=True):
    uri: str | None = None


class _Content(msgspec.Struct, frozen=True):
    accessors: tuple[_Accessor, ...] = ()
    meshes: tuple[_Shape, ...] = ()
    nodes: tuple[_Node, ...] = ()
    buffers: tuple[_Linked, ...] = ()
    images: tuple[_Linked, ...] = ()


def check_glb(path: Path, *, most: int) -> None:
    """Refuse a GLB that names other files, has nodes in a circle, or speaks of more triangles than it may."""
    content = decode_json(_text(path), file=path, type=_Content)
    for one in (*content.buffers, *content.images):
        if one.uri is not None and not one.uri.startswith("data:"):
            raise BadInput(f"names another file, '{one.uri[:60]}': put everything into the GLB", file=path)
    if len(content.nodes) > _MOST_NODES:
        raise BadInput(f"has {len(content.nodes):,} nodes, more than {_MOST_NODES:,}", file=path)
    if not _is_forest(content.nodes):
        raise BadInput("has nodes that are not a tree", file=path)
    corners = sum(_corners(content, path))
    if corners > 3 * most:
        reason = f"has {corners // 3:,} triangles, more than the {most:,} a shape may have: simplify it"
        raise BadInput(reason, file=path)
    if any(accessor.count > 6 * most for accessor in content.accessors):
        raise BadInput("speaks of more numbers than a shape can have", file=path)


def _is_forest(nodes: Sequence[_Node]) -> bool:
    """Whether no node is below two others, or below itself."""
    below = [child for node in nodes for child in node.children]
    if len(below) != len(set(below)) or not set(below) <= set(range(len(nodes))):
        return False
    waiting, seen = [*(set(range(len(nodes))) - set(below))], 0
    while waiting:
        waiting += nodes[waiting.pop()].children
        seen += 1
    return seen == len(nodes)


def _corners(content: _Content, path: Path) -> Iterator[int]:
    """How many corners of triangles each node has that shows a mesh."""
    for node in content.nodes:
        if node.mesh is None:
            continue
        try:
            for primitive in content.meshes[node.mesh].primitives:
                place = primitive.attributes["POSITION"] if primitive.indices is None else primitive.indices
                yield content.accessors[place].count
        except (IndexError, KeyError):
            raise BadInput("has a node that shows a mesh which is not there", file=path) from None


def _text(path: Path) -> bytes:
    """The JSON within the file."""
    with path.open("rb") as file:
        head = file.read(20)
        if len(head) < 20 or head[:4] != b"glTF" or head[16:20] != b"JSON":
            raise BadInput("is not GLB", file=path)
        length = int(struct.unpack_from("<I", head, 12)[0])
        if length > _LARGEST_TEXT:
            raise BadInput("describes itself at too great length", file=path)
        text = file.read(length)
    if len(text) < length:
        raise BadInput("is cut short", file=path)
    return text.rstrip(b" \0")
