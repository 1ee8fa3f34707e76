"""What can be laid over a picture: objects, parts, boxes, depth and normals, worked out from a scene row."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.datasets.columns import entities_of
from mereo.datasets.picture_bytes import picture_size
from mereo.datasets.pictures import decode_png, encode_png
from mereo.datasets.seen import masks_in
from mereo.masks import Box, box_of, decode
from mereo.world import World

__all__ = ["boxes_svg", "color_of", "depth_picture", "entity_boxes", "ids_of", "ids_picture", "normals_picture"]
__all__ += ["look_picture", "size_of", "tinted"]

Ids = NDArray[np.uint16]
Pixels = NDArray[np.uint8]

_NEAR_TO_FAR = np.array([(253, 231, 96), (122, 200, 120), (38, 130, 142), (58, 72, 130), (46, 16, 66)], float)
_OPACITY = 170
_UNSEEN, _SEEN = np.array((12, 14, 16, 205), float), np.array((245, 158, 11, 45), float)
"""What lies over a place that was not looked at, and over that which was looked at most."""
_LEAST_BOX = 2
"""Boxes of fewer pixels a side are specks that nobody sees."""
_LETTERS = 62
"""Letters of a name are one such part of the picture high."""


def ids_of(row: Mapping[str, Any]) -> Ids | None:
    """(height, width): the number of the instance that a pixel shows, 0 for none; None where nothing tells.

    Imported referring expressions have masks of entities instead: entity k is number k + 1 then, and the smaller one
    lies above.
    """
    if row.get("instances"):
        ids: Ids = decode_png(row["instances"]["bytes"]).astype(np.uint16)
        return ids
    if not row.get("entities"):
        return None
    masks = [decode(entity.mask) for entity in entities_of(row)]
    if not masks:
        return None
    painted = np.zeros(masks[0].shape, np.uint16)
    for number in sorted(range(len(masks)), key=lambda k: -int(masks[k].sum())):
        painted[masks[number]] = number + 1
    return painted


def size_of(row: Mapping[str, Any]) -> tuple[int, int] | None:
    """Width and height of a scene's picture, or of its masks where it has none; None where it has neither."""
    if row.get("image"):
        return picture_size(row["image"]["bytes"])
    ids = ids_of(row)
    return None if ids is None else (ids.shape[1], ids.shape[0])


def ids_picture(ids: Ids) -> bytes:
    """PNG whose red and green are the high and low byte of the ids: a browser reads eight bits a channel, no more."""
    return encode_png(np.dstack([ids >> 8, ids & 255, np.zeros_like(ids)]).astype(np.uint8))


def tinted(ids: Ids, groups: Sequence[Sequence[int]]) -> bytes:
    """PNG to lay over the picture: the instances of each group in a color of its own, with dark seams between them."""
    table = np.zeros(int(ids.max(initial=0)) + 1, np.int64)
    for place, numbers in enumerate(groups):
        table[[number for number in numbers if number < len(table)]] = place + 1
    shown = table[ids]
    paints = np.array([(0, 0, 0, 0), *((*color_of(place), _OPACITY) for place in range(len(groups)))], np.uint8)
    picture: Pixels = paints[shown]
    seam = np.zeros(shown.shape, bool)
    seam[:, 1:] |= shown[:, 1:] != shown[:, :-1]
    seam[1:] |= shown[1:] != shown[:-1]
    picture[seam] = (20, 20, 24, 200)
    return encode_png(picture)


def look_picture(looked: Pixels) -> bytes:
    """PNG to lay over the picture: dark where nobody looked, clear where somebody did. looked : (rows, columns)"""
    share = looked[..., None] / 255
    return encode_png(np.rint((1 - share) * _UNSEEN + share * _SEEN).astype(np.uint8))


def color_of(place: int) -> tuple[int, int, int]:
    """A color for the nth of many; neighbors are far apart on the wheel."""
    hue = place * 0.61803398875 % 1.0
    red, green, blue = colorsys.hls_to_rgb(hue, 0.42 + 0.16 * (place % 3), 0.72)
    return round(255 * red), round(255 * green), round(255 * blue)


def entity_boxes(ids: Ids, instances: Sequence[Sequence[int]]) -> dict[int, Box]:
    """By entity that can be seen: the box around it."""
    boxes = map(box_of, masks_in(ids, instances))
    return {entity: box for entity, box in enumerate(boxes) if box is not None}


def boxes_svg(boxes: Mapping[int, Box], size: tuple[int, int], world: World, names: Sequence[str]) -> bytes:
    """Boxes as lines that stay thin at any size: objects firm and with their names, parts fine.

    size : width and height of the picture; names : of all entities
    """
    width, height = size
    letters = width / _LETTERS
    lines = []
    for entity, (left, top, wide, tall) in boxes.items():
        if min(wide, tall) < _LEAST_BOX:
            continue
        whole = world.whole[entity] is None
        red, green, blue = color_of(entity)
        lines.append(
            f'<rect x="{left}" y="{top}" width="{wide}" height="{tall}" stroke="rgb({red},{green},{blue})" '
            f'stroke-width="{2.5 if whole else 1}"/>'
        )
        if whole:
            lines.append(f'<text x="{left + letters / 3:.1f}" y="{top + letters:.1f}">{escape(names[entity])}</text>')
    body = "".join(lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" preserveAspectRatio="none">'
        f"<style>rect{{fill:none;vector-effect:non-scaling-stroke}}text{{font:600 {letters:.1f}px sans-serif;fill:#fff;"
        f"paint-order:stroke;stroke:#000a;stroke-width:{letters / 4:.1f}px}}</style>{body}</svg>"
    ).encode()


def depth_picture(depth: NDArray[np.uint16]) -> bytes:
    """PNG of depth, near bright and far dark, from the nearest to the farthest that the picture shows."""
    seen = depth > 0
    near, far = np.percentile(depth[seen], (0.5, 99.5)) if seen.any() else (0, 1)
    share = np.clip((depth - near) / max(far - near, 1), 0, 1)
    at = share * (len(_NEAR_TO_FAR) - 1)
    low = np.minimum(at.astype(int), len(_NEAR_TO_FAR) - 2)
    mix = (at - low)[..., None]
    picture = (1 - mix) * _NEAR_TO_FAR[low] + mix * _NEAR_TO_FAR[low + 1]
    picture[~seen] = 24
    return encode_png(np.rint(picture).astype(np.uint8))


def normals_picture(depth: NDArray[np.uint16], field: float) -> bytes:
    """PNG of which way surfaces face, x to the right, y up, z to the viewer, as the slope of the depth tells.

    depth : (height, width) millimeters along the view axis
    field : the angle that the picture spans from left to right, degrees
    """
    height, width = depth.shape
    z = np.where(depth > 0, depth, np.nan) / 1000.0
    scale = np.tan(np.radians(field) / 2) / (width / 2)
    across, down = np.meshgrid(np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2)
    points = np.dstack([across * scale * z, -down * scale * z, -z])
    normals = np.cross(np.gradient(points, axis=1), -np.gradient(points, axis=0))
    with np.errstate(invalid="ignore"):
        normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    picture = np.where(np.isfinite(normals), 127.5 * (normals + 1), 24)
    return encode_png(np.rint(picture).astype(np.uint8))
