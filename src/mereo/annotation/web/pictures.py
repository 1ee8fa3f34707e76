"""Pictures of shapes, and of what a choice means: drawn once, and kept in the project's folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Lock

import numpy as np
from sqlalchemy import select

from mereo.annotation.geometry.blobs import read_mesh
from mereo.annotation.project import Project
from mereo.annotation.tables import Piece
from mereo.files import write_bytes
from mereo.shapes.draw import Image, draw_shape, png
from mereo.shapes.grammar import all_grammars, make_shape
from mereo.shapes.mesh import Floats
from mereo.shapes.part import Part, Shape

__all__ = ["Pictures"]

Drawing = Callable[[], Image | None]

_SIZE = 320
_FAMILIES = 60
"""So many designs are looked through for one that shows a part."""
_QUIET = np.array([206, 202, 192], float)
_SHOWN = np.array([38, 150, 140], float)
_WIDE = 0.16
"""A part that takes up a smaller share of a shape is hardly seen in its picture."""


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
        category = self.project.settings.category
        if path not in self.project.tree.nodes or category not in all_grammars():
            return None
        return self._kept(f"example {category} {path}", lambda: _example(category, path))

    def _kept(self, name: str, draw: Drawing) -> bytes | None:
        """A picture from the folder, or drawn now; that there is none is kept as an empty file."""
        place = self.project.folder / "pictures" / f"{sha256(name.encode()).hexdigest()[:32]}.png"
        if not place.is_file():
            with self.drawing:
                if not place.is_file():
                    image = draw()
                    write_bytes(place, b"" if image is None else png(image))
        return place.read_bytes() or None

    def _drawn(self, digits: list[str]) -> Image:
        folder: Path = self.project.meshes
        leaves = tuple(Part(f"piece {number}", mesh=read_mesh(folder, one)) for number, one in enumerate(digits))
        shape = Shape.of("", Part("shape", leaves))
        return draw_shape(shape, size=_SIZE, colors=dict.fromkeys((leaf.label for leaf in shape.leaves()), _QUIET))


def _example(category: str, path: str) -> Image | None:
    """The first design in which the part is large enough to be seen, else the one where it is largest."""
    best: tuple[float, Shape] | None = None
    for share, shape in _showing(category, path):
        if best is None or share > best[0]:
            best = share, shape
        if share > _WIDE:
            break
    if best is None:
        return None
    colors: dict[str, Floats] = {leaf.label: _QUIET for leaf in best[1].leaves()}
    colors |= {label: _SHOWN for label in colors if f"{label}/".startswith(f"{path}/")}
    return draw_shape(best[1], size=_SIZE, colors=colors, clear=True)


def _showing(category: str, path: str) -> Iterator[tuple[float, Shape]]:
    for family in range(_FAMILIES):
        shape = make_shape(category, seed=0, family=family)
        shown = [leaf.mesh for leaf in shape.leaves() if f"{leaf.label}/".startswith(f"{path}/")]
        corners = [mesh.bounds() for mesh in shown if mesh is not None]
        if corners:
            low, high = np.min([box[0] for box in corners], 0), np.max([box[1] for box in corners], 0)
            whole = np.ptp(shape.bounds(), axis=0)
            yield float(np.linalg.norm(high - low) / np.linalg.norm(whole)), shape
