"""CLEVR's cube, sphere and cylinder, of radius 1 m: a scene scales them by the radius of its size."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import grammar, leaf
from mereo.shapes.part import Part
from mereo.shapes.solids import hull, lathe, sphere
from mereo.shapes.style import Style

_CUBE_EDGE, _CYLINDER_EDGE = 0.14, 0.1
"""Radii of the rounded edges: wide enough that they catch a highlight, as in CLEVR's pictures."""

_CORNERS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]


@grammar("cube")
def cube(style: Style) -> Part:
    """The body that a small ball sweeps on its way to the eight corners."""
    (ball,) = sphere(_CUBE_EDGE, segments=32).pieces
    reach = 1 - _CUBE_EDGE
    return leaf("cube", hull(np.concatenate([ball + reach * np.array(corner) for corner in _CORNERS])))


@grammar("sphere")
def ball(style: Style) -> Part:
    """A ball, fine enough for a smooth rim in a large picture."""
    return leaf("sphere", sphere(1.0, segments=80))


@grammar("cylinder")
def cylinder(style: Style) -> Part:
    """A drum as high as wide, both rims rounded; as a hull it collides as one piece."""
    turns = np.linspace(0, np.pi / 2, 7)
    across, up = 1 - _CYLINDER_EDGE * (1 - np.sin(turns)), _CYLINDER_EDGE * (1 - np.cos(turns)) - 1
    profile = np.column_stack([np.append(across, across[::-1]), np.append(up, -up[::-1])])
    return leaf("cylinder", hull(lathe([*profile], segments=96).mesh().vertices))
