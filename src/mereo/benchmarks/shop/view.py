"""Whether things can be seen where they stand, reckoned from their outlines in the picture.

A thing's outline is the union of its convex pieces as the camera sees them, and what stands nearer covers what stands
farther off. That takes milliseconds and no renderer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from mereo.clevr_family.stage import VISIBLE
from mereo.scenes.assemble import kept_of, pose_matrix, shape_of
from mereo.scenes.layout import Objection
from mereo.scenes.observe import projected
from mereo.scenes.scene import Placed, Pose, Scene, ShapeRef
from mereo.shapes.mesh import Floats
from mereo.shapes.pieces import hull_corners

__all__ = ["SHOWN", "hard_to_see", "hull_of", "out_of_view"]

SHOWN = 0.75
"""The least share of its own outline that shows of every object."""
_SLACK = 1.08
"""By how much more is asked of outlines, which are nearly but not quite what rays find."""
_SEEN_THROUGH = 0.3
"""How much of a glass's outline may lie before other things, among which it would be hard to make out."""
_HIDDEN = 0.5
"""How much of an object's hull may lie behind others' while it is placed; outlines are looked at afterwards."""
_BORDER = 3 / 480
"""How near an object may come to the border of the picture, as a share of its width."""
_TELLING = 24 / (480 * 320)
"""The least share of the picture that a part which tells the class covers outside of the rest."""


class _Hull(NamedTuple):
    figure: Any
    low: Floats
    high: Floats
    far: float
    area: float


def out_of_view(scene: Scene) -> Objection:
    """The rule for placing that forbids what would be cut by the picture's border or stand behind others."""
    size, border = np.array([scene.camera.width, scene.camera.height]), _BORDER * scene.camera.width
    kept: dict[tuple[ShapeRef, Pose], _Hull] = {}

    def hull(placed: Placed) -> _Hull:
        key = (placed.shape, placed.pose)
        if key not in kept:
            kept[key] = _hull(scene, placed)
        return kept[key]

    def objection(placed: Placed, others: Sequence[Placed]) -> str | None:
        own = _hull(scene, placed)
        if (own.low < border).any() or (own.high > size - border).any():
            return "an object is cut by the border of the picture"
        for other in map(hull, others):
            if (own.low > other.high).any() or (other.low > own.high).any():
                continue
            behind = max(own, other, key=lambda each: each.far)
            if (own.figure ^ other.figure).area() > _HIDDEN * behind.area:
                return "an object stands behind another"
        return None

    return objection


def _hull(scene: Scene, placed: Placed) -> _Hull:
    from manifold3d import CrossSection

    seen = projected(scene, _where(placed, hull_of(placed.shape)))[:, :2]
    figure = CrossSection.hull_points(np.ascontiguousarray(seen))
    return _Hull(figure, seen.min(0), seen.max(0), _far(scene, placed), float(figure.area()))


def hard_to_see(scene: Scene, tells: Sequence[Sequence[str]]) -> str | None:
    """The rule of visibility that a scene breaks, if any. tells : for each object the parts that must stand out"""
    from manifold3d import CrossSection

    whole = scene.camera.width * scene.camera.height
    before, glasses = CrossSection(), CrossSection()
    order = sorted(range(len(scene.objects)), key=lambda number: _far(scene, scene.objects[number]))
    for number in order:
        placed = scene.objects[number]
        telling, rest = _outlines(scene, placed, tells[number])
        outline = telling + rest
        shown = (outline - before).area()
        if shown < _SLACK * VISIBLE * whole:
            return f"an object shows fewer than {VISIBLE * whole:.0f} pixels"
        if shown < _SLACK * SHOWN * outline.area():
            return f"an object shows less than {SHOWN:.0%} of itself"
        if tells[number] and (telling - rest - before).area() < _TELLING * whole:
            return "an object does not show the part that tells what it is"
        if (outline ^ glasses).area() > _SEEN_THROUGH * glasses.area():
            return "a glass stands before another thing"
        before += outline
        if placed.paint("").material == "glass":
            glasses += outline
    return None


def _outlines(scene: Scene, placed: Placed, labels: Sequence[str]) -> tuple[Any, Any]:
    """What the parts of these labels cover in the picture, and what all others do. Pixels"""
    from manifold3d import CrossSection, OpType

    corners, starts, leaves = _pieces(placed.shape)
    seen = np.ascontiguousarray(projected(scene, _where(placed, corners))[:, :2])
    under = tuple(f"{label}/" for label in labels)
    own = {leaf.id for leaf in shape_of(placed.shape).leaves() if f"{leaf.label}/".startswith(under)}
    figures: tuple[list[Any], list[Any]] = [], []
    for points, leaf in zip(np.split(seen, starts), leaves, strict=True):
        figures[leaf not in own].append(CrossSection.hull_points(points))
    telling, rest = (CrossSection.batch_boolean(each, OpType.Add) if each else CrossSection() for each in figures)
    return telling, rest


def _far(scene: Scene, placed: Placed) -> float:
    """How far off an object stands on the table. Meters"""
    return float(np.hypot(*np.subtract(placed.pose.position, scene.camera.position)[:2]))


def _where(placed: Placed, corners: Floats) -> Floats:
    """Points of a shape's own frame as they come to lie."""
    matrix = pose_matrix(placed.pose, placed.scale)
    moved: Floats = corners @ matrix[:3, :3].T + matrix[:3, 3]
    return moved


@lru_cache(maxsize=4096)
def hull_of(reference: ShapeRef) -> Floats:
    """(n, 3) float: the corners of a shape's convex hull, its own frame."""
    corners: Floats = kept_of(reference, "hull", lambda: hull_corners(shape_of(reference).mesh().vertices))
    return corners


@lru_cache(maxsize=512)
def _pieces(reference: ShapeRef) -> tuple[Floats, Sequence[int], Sequence[int]]:
    """The corners of all convex pieces in one array, where each but the first begins, and the leaf of each."""
    leaves = shape_of(reference).leaves()
    pieces = [(piece, leaf.id) for leaf in leaves for piece in leaf.pieces]
    corners = np.concatenate([piece for piece, _ in pieces])
    return corners, np.cumsum([len(piece) for piece, _ in pieces])[:-1].tolist(), [leaf for _, leaf in pieces]
