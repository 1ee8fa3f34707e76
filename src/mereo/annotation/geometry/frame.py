"""How a shape lay in its file, so that whatever leaves has the coordinates with which it came."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np

from mereo.errors import BadInput
from mereo.files import decode_json
from mereo.shapes.frames import Axes, resting
from mereo.shapes.mesh import Floats, Mesh

__all__ = ["Frame", "rested"]


class Frame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The axes of a file, and where its origin was. Lengths are those of the file."""

    up: str = "+y"
    front: str = "+z"
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """What was taken off after the axes were turned to ours, z up and front towards -y."""

    def to_ours(self, points: Floats) -> Floats:
        """Points of the file as the pieces have them. points : (n, 3) float"""
        return self._axes().to_ours(points) - self.offset

    def to_file(self, points: Floats) -> Floats:
        """Points of pieces as the file had them. points : (n, 3) float"""
        return self._axes().to_theirs(points + self.offset)

    def _axes(self) -> Axes:
        return Axes.of(up=self.up, front=self.front)

    def text(self) -> str:
        """As JSON."""
        return msgspec.json.encode(self).decode()

    @staticmethod
    def read(text: str, *, file: object = "frame") -> Frame:
        """From JSON."""
        return decode_json(text.encode(), file=file, type=Frame)


def rested(meshes: Mapping[str, Mesh], *, up: str, front: str) -> tuple[dict[str, Mesh], Frame]:
    """The meshes of a file turned upright and set down on z = 0 about the origin, at their own size."""
    axes = Axes.of(up=up, front=front)
    turned = {name: Mesh.of(axes.to_ours(mesh.vertices), mesh.faces) for name, mesh in meshes.items()}
    for name, mesh in turned.items():
        if not np.isfinite(mesh.vertices).all():
            raise BadInput("has coordinates that are not finite numbers", record=f"group '{name}'")
    found = resting(turned)
    name = next(iter(found))
    x, y, z = (turned[name].vertices[0] - found[name].vertices[0]).tolist()
    return found, Frame(up, front, (x, y, z))
