"""Pictures of shapes, and of what a choice means: drawn once, and kept with the project."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Lock

import msgspec
import numpy as np
from sqlalchemy import select

from mereo.annotation.geometry.blobs import read_mesh
from mereo.annotation.project import Project
from mereo.annotation.tables import Piece
from mereo.files import decode_json
from mereo.shapes.draw import Image, draw_shape, png
from mereo.shapes.grammar import all_grammars, make_shape
from mereo.shapes.mesh import Floats
from mereo.shapes.part import Part, Shape

__all__ = ["Pictures"]

Drawing = Callable[[], Image]

_SIZE = 320
_FAMILIES = 40
"""So many designs are looked through for those that show each part best."""
_QUIET = np.array([206, 202, 192], float)
_SHOWN = np.array([38, 150, 140], float)


@dataclass(frozen=True)
class Pictures:
    """The pictures of a project."""

    project: Project
    drawing: Lock = field(default_factory=Lock)
    """One is drawn at a time: the others are for annotators' actions."""

    def of_shape(self, shape: int) -> bytes | None:
        """A shape that was brought in, as a PNG file."""
        with self.project.database.reading() as session:
            query = select(Piece.digits).where(Piece.shape_id == shape).order_by(Piece.number)
            digits = list(session.scalars(query))
        return self._kept("shape " + " ".join(digits), lambda: self._drawn(digits)) if digits else None

    def of_example(self, path: str) -> bytes | None:
        """A shape of our grammars with the parts at a path of the template marked, if one of them has such a part."""
        category = self.project.tree.template.category
        if path not in self.project.tree.nodes or category not in all_grammars():
            return None
        family = self._designs(category).get(path)
        return None if family is None else self._kept(f"example {path}", lambda: _example(category, path, family))

    def _designs(self, category: str) -> dict[str, int]:
        """Which design shows which path best: worked out once for a project."""
        home, file = self.project.home, "pictures/designs.json"
        with self.drawing:
            if not home.has(file):
                home.write(file, msgspec.json.encode(_families(category)))
        return decode_json(home.read(file), file=home.place(file), type=dict[str, int])

    def _kept(self, name: str, draw: Drawing) -> bytes:
        """A picture that was drawn before, or is drawn now."""
        home, file = self.project.home, f"pictures/{sha256(name.encode()).hexdigest()[:32]}.png"
        if not home.has(file):
            with self.drawing:
                if not home.has(file):
                    home.write(file, png(draw()))
        return home.read(file)

    def _drawn(self, digits: list[str]) -> Image:
        meshes = (read_mesh(self.project.home, one) for one in digits)
        leaves = tuple(Part(f"piece {number}", mesh=mesh) for number, mesh in enumerate(meshes))
        shape = Shape.of("", Part("shape", leaves))
        return draw_shape(shape, size=_SIZE, colors=dict.fromkeys((leaf.label for leaf in shape.leaves()), _QUIET))


def _example(category: str, path: str, family: int) -> Image:
    shape = make_shape(category, seed=0, family=family)
    colors: dict[str, Floats] = {leaf.label: _QUIET for leaf in shape.leaves()}
    colors |= {label: _SHOWN for label in colors if f"{label}/".startswith(f"{path}/")}
    return draw_shape(shape, size=_SIZE, colors=colors, clear=True)


def _families(category: str) -> dict[str, int]:
    """By path of the template the design in which it is seen best: large, but not the whole."""
    best: dict[str, tuple[float, int]] = {}
    for family in range(_FAMILIES):
        for path, share in _seen(make_shape(category, seed=0, family=family)):
            if path not in best or share > best[path][0]:
                best[path] = share, family
    return {path: family for path, (_, family) in best.items()}


def _seen(shape: Shape) -> Iterator[tuple[str, float]]:
    """Every path of a shape with the share of its height, width or depth that the parts there take up, at most half."""
    boxes: dict[str, list[Floats]] = {}
    for leaf in shape.leaves():
        if leaf.mesh is not None:
            names = leaf.label.split("/")
            for depth in range(1, len(names) + 1):
                boxes.setdefault("/".join(names[:depth]), []).append(leaf.mesh.bounds())
    whole = float(np.linalg.norm(np.ptp(shape.bounds(), axis=0)))
    for path, corners in boxes.items():
        span = np.max([box[1] for box in corners], 0) - np.min([box[0] for box in corners], 0)
        yield path, min(0.5, float(np.linalg.norm(span)) / whole)
