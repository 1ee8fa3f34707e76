"""What an annotation says, apart from how it came about: a tree of named parts, each with its own pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mereo.annotation.geometry.frame import Frame
from mereo.annotation.state import State
from mereo.errors import BadInput
from mereo.shapes.frames import PARTNET
from mereo.shapes.mesh import Floats, Mesh, joined
from mereo.shapes.part import Part, Shape
from mereo.shapes.pieces import convex_pieces

__all__ = ["Annotated", "AnnotatedPart", "annotated", "in_file", "mesh_of_pieces", "shape_of"]

OURS = Frame("+z", "-y")
"""Of shapes that were never turned or moved."""
Read = Callable[[str], Mesh]
"""Gives the mesh of a piece by the digits of its content."""


@dataclass(frozen=True)
class AnnotatedPart:
    """A part that has pieces, its own or those of parts below it."""

    number: int
    """Within the annotation."""
    name: str
    custom: bool = False
    """Whether an annotator brought the name."""
    pieces: Mapping[int, str] = field(default_factory=dict)
    """Its own: by number the digits of their content."""
    children: tuple[AnnotatedPart, ...] = ()

    def walk(self, above: str = "") -> Iterator[tuple[str, AnnotatedPart]]:
        """This part and all below it with their label paths, parents first."""
        label = f"{above}/{self.name}" if above else self.name
        yield label, self
        for child in self.children:
            yield from child.walk(label)

    def all_pieces(self) -> dict[int, str]:
        """The pieces of this part and of all below it."""
        return {piece: digits for _, part in self.walk() for piece, digits in part.pieces.items()}


@dataclass(frozen=True)
class Annotated:
    """An annotated shape."""

    name: str
    category: str
    root: AnnotatedPart
    read: Read
    frame: Frame = OURS
    """How the shape lay in its file."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Who annotated it, and what else is to be told."""


def annotated(
    state: State, *, name: str, read: Read, frame: Frame | None = None, facts: Mapping[str, Any] | None = None
) -> Annotated:
    """What stands in an annotation. Parts without a piece are left out, and so are pieces that no part has."""
    if state.unfit:
        raise BadInput(f"cannot be annotated: {state.unfit}", record=name)
    below: dict[int | None, list[int]] = {}
    for part in state.parts.values():
        below.setdefault(part.parent, []).append(part.number)
    own: dict[int, dict[int, str]] = {}
    for piece in sorted(state.owner):
        own.setdefault(state.owner[piece], {})[piece] = state.pieces[piece]

    def made(number: int) -> AnnotatedPart | None:
        children = tuple(child for child in map(made, below.get(number, [])) if child is not None)
        part = state.parts[number]
        found = AnnotatedPart(number, part.name, part.custom, own.get(number, {}), children)
        return found if found.pieces or children else None

    (top,) = below[None]
    root = made(top)
    if root is None:
        raise BadInput("has no part with a piece", record=name)
    return Annotated(name, state.tree.template.category, root, read, frame or OURS, facts or {})


def mesh_of_pieces(pieces: Mapping[int, str], read: Read) -> Mesh | None:
    """Some pieces as one mesh, the shape's frame; nothing if there are none."""
    return joined([read(digits) for digits in pieces.values()])[0] if pieces else None


def shape_of(given: Annotated, *, original: bool = False, customs: bool = True) -> Shape:
    """An annotated shape as one of ours: a tree of parts with meshes, z up, front towards -y.

    original : whether it stays where it was in its file, and does not rest on z = 0 about the origin
    customs : whether parts that the template does not know stay under their parents; if not, they are left out
    """
    root = given.root if customs else _known(given.root)
    if root is None:
        raise BadInput("has no part that the template knows", record=given.name)
    offset = given.frame.offset if original else (0.0, 0.0, 0.0)

    def part(node: AnnotatedPart) -> Part:
        mesh = mesh_of_pieces(node.pieces, given.read)
        placed = Mesh.of(mesh.vertices + offset, mesh.faces) if mesh is not None else None
        hulls = convex_pieces(placed) if placed is not None else ()
        return Part(node.name, tuple(map(part, node.children)), placed, hulls)

    return Shape.of(given.category, part(root), name=given.name, facts=dict(given.facts))


def _known(node: AnnotatedPart) -> AnnotatedPart | None:
    children = tuple(child for child in map(_known, node.children) if child is not None)
    return None if node.custom or not (node.pieces or children) else replace(node, children=children)


def in_file(points: Floats, frame: Frame) -> Floats:
    """Points of pieces in glTF's and PartNet's axes, y up and front towards +z, where the file had its origin."""
    return PARTNET.to_theirs(points + frame.offset)
