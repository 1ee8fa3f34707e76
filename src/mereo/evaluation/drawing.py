"""Scenes as small drawings: the picture with outlines that can be lit, or a map where there is no picture."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.datasets.inspector import Inspector
from mereo.evaluation.prompt import data_url
from mereo.masks import Pixels
from mereo.world import World

__all__ = ["Drawing", "draw_map", "draw_scene", "outline", "thumbnail"]

_PAINT = {"gray": "#8d8d8d", "red": "#c8413b", "blue": "#3a64c8", "green": "#3d8f4c", "brown": "#8a5a2f"}
_PAINT |= {"purple": "#8446b4", "cyan": "#35adb5", "yellow": "#d9b92e"}


class Drawing(NamedTuple):
    """A scene in a page."""

    width: int
    height: int
    picture: str
    """What lies below: SVG."""
    outlines: dict[int, str]
    """By entity what can be lit: SVG without its class."""


def draw_scene(row: Mapping[str, Any], world: World, eye: Inspector, *, width: int = 380) -> Drawing:
    """The picture of a scene row with the outlines of its entities; a map of the world where there is none.

    width : of the picture, pixels
    """
    if not row.get("image"):
        return draw_map(world)
    jpeg, width, height, scale = thumbnail(row["image"]["bytes"], width=width)
    picture = f'<image href="{data_url(jpeg)}" width="{width}" height="{height}"/>'
    outlines: dict[int, str] = {}
    masks, boxes = eye.masks(row, world), eye.boxes(row, world)
    for k in range(len(world)):
        if k in masks:
            path, (x, y) = outline(masks[k], scale)
            outlines[k] = f'<path d="{path}"/>{_badge(k, x, y)}'
        elif k in boxes:
            left, top, wide, tall = (scale * value for value in boxes[k])
            outlines[k] = f'<rect x="{left:.0f}" y="{top:.0f}" width="{wide:.0f}" height="{tall:.0f}"/>'
            outlines[k] += _badge(k, left + wide / 2, top + tall / 2)
    return Drawing(width, height, picture, outlines)


def thumbnail(image: bytes, *, width: int) -> tuple[bytes, int, int, float]:
    """A picture as a small JPEG, with its size and how much smaller it is."""
    from mereo.datasets.pictures import pillow

    with pillow("Image").open(io.BytesIO(image)) as opened:
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


def draw_map(world: World) -> Drawing:
    """Objects as their relations say: further right, the more are left of it; further down, the more are behind."""
    width, height, objects = 400, 260, [k for k, entity in enumerate(world.entities) if entity.kind == "object"]
    across = _ranks(world, objects, "left")
    down = _ranks(world, objects, "behind")
    shapes, outlines = [], {}
    for k in objects:
        x, y = 40 + (width - 80) * across[k], 40 + (height - 80) * down[k]
        attributes = world.entities[k].attributes
        size = 12 if attributes.get("size") == "small" else 19
        paint = _PAINT.get(str(attributes.get("color")), "#a0a4ab")
        said = escape(f"{k}: " + " ".join(str(value) for value in attributes.values()))
        shape = _shape(str(attributes.get("shape")), x, y, size)
        sheen = "metal" if attributes.get("material") == "metal" else "matt"
        tag = _badge(k, x, y).replace("badge", "badge plain")
        shapes.append(f'<g class="{sheen}" fill="{paint}">{shape}<title>{said}</title></g>{tag}')
        outlines[k] = f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{size + 8}"/>'
    ground = f'<rect class="ground" width="{width}" height="{height}" rx="6"/>'
    return Drawing(width, height, ground + "".join(shapes), outlines)


def _ranks(world: World, objects: Sequence[int], relation: str) -> dict[int, float]:
    """Between 0 and 1, by how many others are in this relation to each; in a row where there is no such relation."""
    table = world.related.get(relation)
    everyone = sum(1 << k for k in objects)
    counts = {k: (table[k] & everyone).bit_count() if table is not None else place for place, k in enumerate(objects)}
    order = sorted(objects, key=lambda k: (counts[k], k))
    return {k: place / max(len(objects) - 1, 1) for place, k in enumerate(order)}


def _shape(name: str, x: float, y: float, size: float) -> str:
    if name == "sphere":
        return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{size}"/>'
    round_by = size * 0.5 if name == "cylinder" else 2
    wide = size * (0.8 if name == "cylinder" else 1)
    return f'<rect x="{x - wide:.0f}" y="{y - size:.0f}" width="{2 * wide:.0f}" height="{2 * size}" rx="{round_by}"/>'
