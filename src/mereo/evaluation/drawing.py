"""Scenes as small drawings: the picture with outlines that can be lit, or a map where there is no picture."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.datasets.inspector import Inspector, Sign
from mereo.datasets.point_views import PointView
from mereo.evaluation.prompt import data_url
from mereo.masks import Box, Pixels
from mereo.shapes.draw import part_paint
from mereo.world import World

__all__ = [
    "Drawing",
    "Reach",
    "box_svg",
    "draw_cloud",
    "draw_map",
    "draw_scene",
    "outline",
    "reach_of",
    "ring_svg",
    "thumbnail",
]

_PLAIN = "#a0a4ab"
_RING = 22
"""Pixels from a point to the ring around it."""
_MARGIN = 12
"""Pixels around the boxes of a map."""
_LETTERS, _SMALL_LETTERS, _MANY = 40, 60, 8
"""Letters of a name on such a map are one such part of it high, and smaller where there are many."""

_POINTS, _SLABS = 1200, 10
"""Points of a cloud that are drawn, of which any first ones are spread as evenly as all are; and into how many slabs
they are cut by how far away they are."""
_FROM = np.array([(0.84, 0.543, 0.0), (-0.212, 0.328, 0.92), (0.5, -0.773, 0.391)])
"""Rightwards, upwards and towards the eye, as clouds are looked at."""


class Drawing(NamedTuple):
    """A scene in a page."""

    width: int
    height: int
    picture: str
    """What lies below: SVG."""
    outlines: dict[int, str]
    """By entity what can be lit: SVG without its class."""
    reach: Mapping[int, Box]
    """By entity where one points at it; nothing of those whose pixels tell."""


def draw_scene(row: Mapping[str, Any], world: World, eye: Inspector, *, width: int = 380) -> Drawing:
    """The picture of a scene row with the outlines of its entities; a map of the world where there is none.

    width : of the picture, pixels
    """
    if not row.get("image"):
        return draw_map(row, world, eye)
    jpeg, width, height, scale = thumbnail(row["image"]["bytes"], width=width)
    picture = f'<image href="{data_url(jpeg)}" width="{width}" height="{height}"/>'
    outlines: dict[int, str] = {}
    masks, reach = eye.masks(row, world), reach_of(row, world, eye)
    for k in range(len(world)):
        if k in masks:
            path, (x, y) = outline(masks[k], scale)
            outlines[k] = f'<path d="{path}"/>{_badge(k, x, y)}'
        elif k in reach.boxes:
            left, top, wide, tall = own = _scaled(reach.boxes[k], scale)
            outlines[k] = box_svg(own) + _badge(k, left + wide / 2, top + tall / 2)
        elif k in reach.rings:
            left, top, wide, tall = own = _scaled(reach.rings[k], scale)
            outlines[k] = ring_svg(own) + _badge(k, left + wide / 2, top + tall / 2)
    return Drawing(width, height, picture, outlines, {})


class Reach(NamedTuple):
    """Where in a picture entities are, of those whose pixels are not known."""

    boxes: Mapping[int, Box]
    rings: Mapping[int, Box]
    """The boxes around rings, where only a point is known."""


def reach_of(row: Mapping[str, Any], world: World, eye: Inspector) -> Reach:
    """Where entities are, as boxes or at least points tell."""
    boxes = eye.boxes(row, world)
    points = {k: point for k, point in eye.points(row, world).items() if k not in boxes}
    return Reach(boxes, {k: (x - _RING, y - _RING, 2 * _RING, 2 * _RING) for k, (x, y) in points.items()})


def box_svg(box: Box) -> str:
    """A box as SVG."""
    left, top, wide, tall = box
    return f'<rect x="{left:.0f}" y="{top:.0f}" width="{wide:.0f}" height="{tall:.0f}"/>'


def ring_svg(box: Box) -> str:
    """The ring in a box as SVG."""
    left, top, wide, tall = box
    return f'<circle cx="{left + wide / 2:.0f}" cy="{top + tall / 2:.0f}" r="{wide / 2:.0f}"/>'


def _scaled(box: Box, scale: float) -> Box:
    left, top, wide, tall = box
    return scale * left, scale * top, scale * wide, scale * tall


def thumbnail(image: bytes, *, width: int) -> tuple[bytes, int, int, float]:
    """A picture as a small JPEG, with its size and how much smaller it is."""
    from mereo.datasets.picture_bytes import open_picture, pillow

    with open_picture(image) as opened:
        scale = min(1.0, width / opened.width)
        size = (round(opened.width * scale), max(1, round(opened.height * scale)))
        small = opened.convert("RGB").resize(size, pillow("Image").Resampling.LANCZOS)
    buffer = io.BytesIO()
    small.save(buffer, format="JPEG", quality=76, optimize=True)
    return buffer.getvalue(), size[0], size[1], scale


def outline(mask: Pixels, scale: float) -> tuple[str, tuple[float, float]]:
    """The border of a mask as an SVG path of straight strokes, and a place inside. mask : (height, width)"""
    step = 2 if min(mask.shape) > 160 else 1  # every other pixel is as much as one sees
    coarse = mask[::step, ::step]
    unit = scale * step
    wide = np.pad(coarse, 1)
    across = _stretches((wide[1:] != wide[:-1])[:, 1:-1])
    down = _stretches((wide[:, 1:] != wide[:, :-1]).T[:, 1:-1])
    strokes = [f"M{a * unit:.4g} {y * unit:.4g}H{b * unit:.4g}" for y, a, b in across]
    strokes += [f"M{x * unit:.4g} {a * unit:.4g}V{b * unit:.4g}" for x, a, b in down]
    rows, columns = np.nonzero(mask)
    if not len(rows):
        return "", (0.0, 0.0)
    inside = int(np.argmin((columns - columns.mean()) ** 2 + (rows - rows.mean()) ** 2))
    return "".join(strokes), (float(columns[inside]) * scale, float(rows[inside]) * scale)


def _stretches(edges: NDArray[np.bool_]) -> Iterator[tuple[int, int, int]]:
    """Runs of True in the rows of a table: row, where it begins, where it ends."""
    changes = np.diff(np.pad(edges.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    rows, places = np.nonzero(changes)
    return zip(rows[::2].tolist(), places[::2].tolist(), places[1::2].tolist(), strict=True)


def _badge(number: int, x: float, y: float) -> str:
    return f'<text class="badge" x="{x:.0f}" y="{y + 4:.0f}" text-anchor="middle">{number}</text>'


def draw_map(row: Mapping[str, Any], world: World, eye: Inspector) -> Drawing:
    """What stands for a picture where there is none: points, boxes where they are known, else signs of objects.

    Signs stand where their relations say: further right, the more are left of it; further down, the more are behind.
    Where there are no such relations, they stand in rows.
    """
    cloud = eye.cloud(row)
    if cloud is not None:
        return draw_cloud(cloud)
    boxes = eye.boxes(row, world)
    if boxes:
        return _boxed_map(boxes, world, eye)
    width, height, objects = 400, 260, [k for k, entity in enumerate(world.entities) if entity.kind == "object"]
    places = _ranked(world, objects, eye.axes) if eye.axes else _in_rows(objects)
    shapes, outlines, reach = [], {}, {}
    for k in objects:
        x, y = 40 + (width - 80) * places[k][0], 40 + (height - 80) * places[k][1]
        entity = world.entities[k]
        sign = eye.sign(entity)
        size = 12 if sign.small else 19
        said = escape(f"{k}: {eye.called(entity)}")
        tag = _badge(k, x, y).replace("badge", "badge plain")
        sheen = "metal" if sign.shiny else "matt"
        shape = f'<g class="{sheen}" fill="{sign.paint or _PLAIN}">{_shape(sign, x, y, size)}<title>{said}</title></g>'
        shapes.append(shape + tag)
        reach[k] = (x - size - 8, y - size - 8, 2 * size + 16, 2 * size + 16)
        outlines[k] = ring_svg(reach[k])
    ground = f'<rect class="ground" width="{width}" height="{height}" rx="6"/>'
    return Drawing(width, height, ground + "".join(shapes), outlines, reach)


def draw_cloud(cloud: PointView) -> Drawing:
    """A cloud of points, its coarsest parts in colors."""
    width, height = 400, 260
    numbers = cloud.tellings[0].numbers if cloud.tellings else np.zeros(len(cloud.points), np.int64)
    box = (20.0, 20.0, width - 40.0, height - 40.0)
    drawn, places = cloud_svg(cloud.points[:_POINTS], numbers[:_POINTS], box, dot=5)
    outlines, reach = {}, {}
    for entity, there in enumerate(cloud.entities):
        own = places[there[:_POINTS]]
        if len(own):
            outlines[entity] = f'<path stroke-linecap="round" d="{_dots(own)}"/>'
            (left, top), (wide, tall) = own.min(0).tolist(), (own.max(0) - own.min(0)).tolist()
            reach[entity] = (left - 3, top - 3, wide + 6, tall + 6)
    ground = f'<rect class="ground" width="{width}" height="{height}" rx="6"/>'
    return Drawing(width, height, ground + drawn, outlines, reach)


def cloud_svg(
    points: NDArray[np.floating], numbers: NDArray[np.integer], box: Box, *, dot: float
) -> tuple[str, NDArray[np.float64]]:
    """Points from the front, a little from the right and from above, as SVG in a box, and (n, 2) where each is.

    points : (n, 3) z up, front towards -y · numbers : (n,) what each belongs to, from 1, 0 for nothing · dot : pixels
    """
    seen = points @ _FROM.T
    low, high = seen[:, :2].min(0), seen[:, :2].max(0)
    left, top, wide, tall = box
    scale = min(wide / max(high[0] - low[0], 1e-6), tall / max(high[1] - low[1], 1e-6))
    places = (seen[:, :2] - (low + high) / 2) * (scale, -scale) + (left + wide / 2, top + tall / 2)
    paths = []
    for slab, own in enumerate(np.array_split(np.argsort(seen[:, 2]), _SLABS)):  # the far ones first, and paler
        opacity = 0.35 + 0.65 * (slab + 1) / _SLABS
        for number in np.unique(numbers[own]).tolist():
            paint = part_paint(number - 1) if number else _PLAIN
            dots = _dots(places[own[numbers[own] == number]])
            paths.append(f'<path stroke="{paint}" stroke-opacity="{opacity:.2f}" d="{dots}"/>')
    return f'<g fill="none" stroke-width="{dot:g}" stroke-linecap="round">{"".join(paths)}</g>', places


def _dots(places: NDArray[Any]) -> str:
    """A dot at each place, as an SVG path. places : (n, 2)"""
    return "".join(f"M{x:.1f} {y:.1f}h0" for x, y in places.tolist())


def _boxed_map(boxes: Mapping[int, Box], world: World, eye: Inspector) -> Drawing:
    """Boxes with their names, the larger ones below."""
    width = max(round(left + wide) for left, _, wide, _ in boxes.values()) + _MARGIN
    height = max(round(top + tall) for _, top, _, tall in boxes.values()) + _MARGIN
    shapes, letters = [], width / (_LETTERS if len(boxes) <= _MANY else _SMALL_LETTERS)
    for k in sorted(boxes, key=lambda k: -boxes[k][2] * boxes[k][3]):
        entity, (left, top, _, _) = world.entities[k], boxes[k]
        paint = eye.sign(entity).paint or _PLAIN
        name = (
            f'<text class="badge" style="font-size:{letters:.1f}px;stroke-width:{letters / 6:.1f}px" '
            f'x="{left + letters / 3:.1f}" y="{top + letters:.1f}">{escape(eye.name(entity))}</text>'
        )
        shapes.append(f'<g class="matt" fill="{paint}" fill-opacity="0.6">{box_svg(boxes[k])}</g>{name}')
    ground = f'<rect class="ground" width="{width}" height="{height}" rx="6"/>'
    outlines = {k: box_svg(box) for k, box in boxes.items()}
    return Drawing(width, height, ground + "".join(shapes), outlines, dict(boxes))


Places = dict[int, tuple[float, float]]
"""By entity where it stands on a map, rightwards and downwards, from 0 to 1."""


def _ranked(world: World, objects: Sequence[int], axes: tuple[str, str]) -> Places:
    """By how many others are in each of two relations to it."""
    everyone, ranks = sum(1 << k for k in objects), []
    for relation in axes:
        counts = {k: (world.related[relation][k] & everyone).bit_count() for k in objects}
        order = sorted(objects, key=lambda k: (counts[k], k))
        ranks.append({k: place / max(len(objects) - 1, 1) for place, k in enumerate(order)})
    return {k: (ranks[0][k], ranks[1][k]) for k in objects}


def _in_rows(objects: Sequence[int]) -> Places:
    """One after the other, in as many rows as there are columns for every two."""
    columns = max(1, math.ceil(math.sqrt(2 * len(objects))))
    rows = math.ceil(len(objects) / columns)
    return {
        k: ((place % columns) / max(columns - 1, 1), (place // columns) / max(rows - 1, 1))
        for place, k in enumerate(objects)
    }


def _shape(sign: Sign, x: float, y: float, size: float) -> str:
    if sign.form == "round":
        return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{size}"/>'
    tall = sign.form == "tall"
    wide, round_by = (0.8 * size, 0.5 * size) if tall else (size, 2)
    return f'<rect x="{x - wide:.0f}" y="{y - size:.0f}" width="{2 * wide:.0f}" height="{2 * size}" rx="{round_by}"/>'
