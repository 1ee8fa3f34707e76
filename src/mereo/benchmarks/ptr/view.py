"""Whether objects can be seen where they stand: guessed from their hulls while placing, then counted in the frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from mereo.benchmarks.ptr.numbers import CLEAR_COLOR, NUMBERS, VISIBLE_OBJECT, VISIBLE_PART
from mereo.benchmarks.ptr.parts import ptr_parts
from mereo.benchmarks.ptr.world import WORDS
from mereo.scenes.assemble import kept_of, pose_matrix, shape_of
from mereo.scenes.layout import Objection
from mereo.scenes.observe import Observation, Seen, directions, projected
from mereo.scenes.scene import Placed, Scene, ShapeRef
from mereo.shapes.mesh import Floats
from mereo.shapes.pieces import hull_corners

__all__ = ["center_of", "hard_to_see", "hull_of", "out_of_view"]

_VIEW = NUMBERS["view"]
_SINGLE = frozenset(WORDS["speech"]["single"])
_MARGIN = NUMBERS["floor"]["margin"]
_CUT = "an object is cut by the border of the picture"
_COVERED = f"an object is covered by nearer ones by more than {_VIEW['covered']:.0%} of its box"


def out_of_view(scene: Scene) -> Objection:
    """The rule for placing that forbids what would not be seen well from the scene's camera."""
    cache: dict[tuple[ShapeRef, Any, float], tuple[Any, Floats, float]] = {}

    def outline(placed: Placed) -> tuple[Any, Floats, float]:
        key = (placed.shape, placed.pose, placed.scale)
        if key not in cache:
            cache[key] = _outline(scene, placed)
        return cache[key]

    def objection(placed: Placed, others: Sequence[Placed]) -> str | None:
        from manifold3d import CrossSection, OpType

        sides = directions(scene)
        for other in others:
            offset = center_of(placed) - center_of(other)
            if min(abs(offset @ sides[side]) for side in ("right", "behind")) < _MARGIN:
                return f"middles are nearer than {_MARGIN} m"
        _, box, _ = own = outline(placed)
        border = _VIEW["border"] * scene.camera.width / 480
        size = scene.camera.width, scene.camera.height
        if (box[0] < border).any() or (box[1] > np.subtract(size, border)).any():
            return _CUT
        for hidden in (placed, *others):
            shape, (low, high), depth = outline(hidden)
            nearer = [own, *map(outline, others)]
            window = CrossSection.square(tuple(high - low)).translate(tuple(low))
            before = [other for other, _, its_depth in nearer if other is not shape and its_depth < depth]
            covered = CrossSection.batch_boolean(before, OpType.Add) ^ window if before else CrossSection()
            if covered.area() > _VIEW["covered"] * window.area():
                return _COVERED
        return None

    return objection


def _outline(scene: Scene, placed: Placed) -> tuple[Any, Floats, float]:
    """An object's hull in the picture, the hull's box (2, 2) in pixels, and its depth."""
    from manifold3d import CrossSection

    matrix = pose_matrix(placed.pose, placed.scale)
    corners = hull_of(placed.shape) @ matrix[:3, :3].T + matrix[:3, 3]
    pixels = projected(scene, corners.tolist())
    hull = CrossSection.hull_points(np.ascontiguousarray(pixels[:, :2]))
    box = np.stack([pixels[:, :2].min(0), pixels[:, :2].max(0)])
    return hull, box, float(projected(scene, [center_of(placed).tolist()])[0, 2])


def center_of(placed: Placed) -> Floats:
    """(3,) float: the middle of the box around an object, along the world's axes, meters."""
    matrix = pose_matrix(placed.pose, placed.scale)
    corners = hull_of(placed.shape) @ matrix[:3, :3].T + matrix[:3, 3]
    middle: Floats = (corners.min(0) + corners.max(0)) / 2
    return middle


@lru_cache(maxsize=512)
def hull_of(reference: ShapeRef) -> Floats:
    """(n, 3) float: the corners of a shape's convex hull, its own frame."""
    corners: Floats = kept_of(reference, "hull", lambda: hull_corners(shape_of(reference).mesh().vertices))
    return corners


def hard_to_see(scene: Scene, seen: Observation) -> str | None:
    """The rule of visibility that a frame breaks, if any."""
    camera = scene.camera
    whole = camera.width * camera.height
    shown = [_shown(placed, leaves) for placed, leaves in zip(scene.objects, seen.parts, strict=True)]
    for thing, names, covered in zip(seen.objects, shown, seen.covered, strict=True):
        if thing.box is None or thing.pixels < VISIBLE_OBJECT * whole:
            return f"an object shows fewer than {VISIBLE_OBJECT * whole:.0f} pixels"
        left, top, width, height = thing.box
        if left == 0 or top == 0 or left + width >= camera.width or top + height >= camera.height:
            return _CUT
        if covered > _VIEW["covered"]:
            return _COVERED
        if sum(max(pixels) >= VISIBLE_PART * whole for pixels in names.values()) < _VIEW["names"]:
            return f"an object shows fewer than {_VIEW['names']} kinds of parts"
    return _too_doubtful(shown, whole)


def _shown(placed: Placed, leaves: Mapping[int, Seen]) -> dict[str, list[int]]:
    """The pixels of every instance of each name of an object's parts."""
    return {
        name: [sum(leaves[leaf.id].pixels for leaf in part.leaves() if leaf.id in leaves) for part in instances]
        for name, instances in ptr_parts(shape_of(placed.shape)).items()
    }


def _too_doubtful(shown: Sequence[Mapping[str, Sequence[int]]], whole: int) -> str | None:
    """The rule that forbids a scene of which too little is beyond doubt to ask about, if any does."""
    few, groups, doubtful = 0, 0, 0
    for names in shown:
        faint = {name for name, each in names.items() if any(0 < pixels < VISIBLE_PART * whole for pixels in each)}
        clear = [name for name, each in names.items() if name not in faint and max(each) >= CLEAR_COLOR * whole]
        few += len(clear) < _VIEW["names"]
        counted = {name for name, each in names.items() if any(each)} - _SINGLE
        groups += len(counted)
        doubtful += len(counted & faint)
    if few > _VIEW["weak"]:
        return f"more than {_VIEW['weak']} objects show fewer than {_VIEW['names']} kinds of parts beyond doubt"
    if doubtful > _VIEW["doubtful"] * groups:
        return f"more than {_VIEW['doubtful']:.0%} of what could be counted are faint"
    return None
