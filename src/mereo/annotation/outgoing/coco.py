"""Annotated shapes as one JSON file in the manner of COCO, with shapes where it has images.

    images        id, name, category; frame: the axes and the origin of the file that it was
    categories    id, name: the label path of a part, as `chair/chair_base/leg`; supercategory: that of the shape
    annotations   id, image_id, category_id; one for each part
                  part: its number in the annotation; parent: the id of the part above it, null for the whole
                  custom: whether an annotator brought the name
                  bbox: the lowest x, y and z and the lengths along them, in the axes and the place of the file
                  area: of its surface; pieces: all of it and of the parts below it, as numbers
    pieces        by image: the number of each piece and the digits of its content

Ids count from 1. Lengths are those of the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from mereo.annotation.geometry.frame import Frame
from mereo.annotation.outgoing.annotated import Annotated, AnnotatedPart, Read, mesh_of_pieces
from mereo.errors import BadInput
from mereo.files import read_json, write_bytes

__all__ = ["CocoFile", "coco_of", "read_coco", "write_coco"]

Box = tuple[float, float, float, float, float, float]


class CocoImage(msgspec.Struct, frozen=True):
    """A shape."""

    id: int
    name: str
    category: str
    frame: Frame


class CocoCategory(msgspec.Struct, frozen=True):
    """A kind of part."""

    id: int
    name: str
    supercategory: str


class CocoAnnotation(msgspec.Struct, frozen=True):
    """A part."""

    id: int
    image_id: int
    category_id: int
    part: int
    parent: int | None
    custom: bool
    bbox: Box
    area: float
    pieces: tuple[int, ...]
    iscrowd: int = 0


class CocoPiece(msgspec.Struct, frozen=True):
    """A piece of a shape."""

    image_id: int
    id: int
    digits: str


class CocoFile(msgspec.Struct, frozen=True):
    """The content of the file."""

    info: dict[str, str]
    images: tuple[CocoImage, ...]
    categories: tuple[CocoCategory, ...]
    annotations: tuple[CocoAnnotation, ...]
    pieces: tuple[CocoPiece, ...]


def write_coco(every: Sequence[Annotated], path: Path) -> None:
    """Write shapes as one file."""
    write_bytes(path, msgspec.json.format(msgspec.json.encode(coco_of(every)), indent=1) + b"\n")


def coco_of(every: Sequence[Annotated]) -> CocoFile:
    """What the file of some shapes holds."""
    kinds: dict[tuple[str, str], CocoCategory] = {}
    images, annotations, pieces = [], list[CocoAnnotation](), list[CocoPiece]()
    for number, given in enumerate(every, start=1):
        images.append(CocoImage(number, given.name, given.category, given.frame))
        ids = {part.number: len(annotations) + k for k, (_, part) in enumerate(given.root.walk(), start=1)}
        above = {child.number: ids[part.number] for _, part in given.root.walk() for child in part.children}
        for label, part in given.root.walk():
            new = CocoCategory(len(kinds) + 1, label, given.category)
            kind = kinds.setdefault((given.category, label), new).id
            own = part.all_pieces()
            bbox, area = _measured(own, given)
            facts = (part.number, above.get(part.number), part.custom, bbox, area, tuple(own))
            annotations.append(CocoAnnotation(ids[part.number], number, kind, *facts))
        pieces += [CocoPiece(number, piece, digits) for piece, digits in given.root.all_pieces().items()]
    info = {"description": "parts of shapes, annotated with mereo", "version": "1"}
    return CocoFile(info, tuple(images), tuple(kinds.values()), tuple(annotations), tuple(pieces))


def _measured(pieces: dict[int, str], given: Annotated) -> tuple[Box, float]:
    mesh = mesh_of_pieces(pieces, given.read)
    assert mesh is not None  # parts without pieces are left out
    there = given.frame.to_file(mesh.vertices)
    low, size = there.min(0), np.ptp(there, axis=0)
    (x, y, z), (across, up, deep) = low.tolist(), size.tolist()
    return (x, y, z, across, up, deep), float(mesh.face_areas().sum())


def read_coco(path: Path, *, read: Read) -> list[Annotated]:
    """The annotated shapes in a file, checked. read : gives the mesh of a piece by the digits of its content"""
    content = read_json(path, type=CocoFile)
    kinds = {kind.id: kind.name for kind in content.categories}
    found = []
    for image in content.images:
        own = [one for one in content.annotations if one.image_id == image.id]
        digits = {piece.id: piece.digits for piece in content.pieces if piece.image_id == image.id}
        try:
            root = _tree(own, kinds, digits)
        except BadInput as error:
            raise error.within(file=path, record=f"image {image.id}") from None
        found.append(Annotated(image.name, image.category, root, read, image.frame))
    return found


def _tree(own: Sequence[CocoAnnotation], kinds: dict[int, str], digits: dict[int, str]) -> AnnotatedPart:
    below: dict[int | None, list[CocoAnnotation]] = {}
    for one in own:
        below.setdefault(one.parent, []).append(one)
        if one.category_id not in kinds:
            raise BadInput(f"annotation {one.id} is of category {one.category_id}, which is not there")
        missing = [piece for piece in one.pieces if piece not in digits]
        if missing:
            raise BadInput(f"annotation {one.id} has piece {missing[0]}, which is not there")
    if len(below.get(None, ())) != 1:
        raise BadInput(f"has {len(below.get(None, ()))} parts without a parent, not one")
    made = 0

    def part(one: CocoAnnotation) -> AnnotatedPart:
        nonlocal made
        made += 1
        children = below.get(one.id, [])
        theirs = {piece for child in children for piece in child.pieces}
        pieces = {piece: digits[piece] for piece in one.pieces if piece not in theirs}
        name = kinds[one.category_id].rpartition("/")[2]
        return AnnotatedPart(one.part, name, one.custom, pieces, tuple(map(part, children)))

    root = part(below[None][0])
    if made != len(own):
        raise BadInput("has parts that hang on none above them")
    return root
