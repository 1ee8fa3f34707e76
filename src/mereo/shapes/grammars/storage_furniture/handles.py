"""Handles for doors and drawers."""

from __future__ import annotations

from mereo.shapes.solids import Solid, bar, bent, box, cylinder, hull, lathe, ring, sphere, tube, union

__all__ = ["made_handle"]


def made_handle(kind: str, length: float) -> Solid:
    """A handle along x before the face y = 0, in which it is rooted."""
    half, root = length / 2, 0.008
    if kind == "knob":
        profile = [(0.007, -root), (0.006, 0.012), (0.014, 0.016), (0.016, 0.024), (0.01, 0.03)]
        return lathe(profile, segments=16).turned(x=90)
    if kind == "bar":
        studs = [bar((x, root, 0), (x, -0.03, 0), 0.009, round=True, sides=10) for x in (-0.75 * half, 0.75 * half)]
        return union(bar((-half, -0.03, 0), (half, -0.03, 0), 0.011, round=True, sides=10), *studs)
    if kind == "bow":
        path = [(-half, root, 0), (-0.9 * half, -0.03, 0), (0.9 * half, -0.03, 0), (half, root, 0)]
        return tube(bent(path), 0.006, segments=8)
    if kind == "cup":
        ball, hollow = (sphere(0.5, segments=20).scaled(*size) for size in ((0.09, 0.06, 0.05), (0.08, 0.05, 0.042)))
        wall, below = box((1, 1, 1), (0, 0.5 + root, 0)), box((1, 1, 1), (0, 0, -0.507))
        bowl = ball.minus(hollow, wall, below)
        return Solid(bowl.body, hull(bowl.mesh().vertices).pieces)
    if kind == "ring":
        plate = cylinder(0.016, root + 0.006, bevel=0.002).turned(x=90).at(y=root)
        return union(plate, ring(0.022, 0.006, segments=8).turned(x=80).at(y=-0.009, z=-0.02))
    return box((length, 0.022 + root, 0.006), (0, (root - 0.022) / 2, 0.0), bevel=0.001)
