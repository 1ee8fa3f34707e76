"""A light rasterizer: shapes drawn in the colors of their parts, for contact sheets and icons.

No renderer is needed: every triangle is spread into the pixels of its box at once, and the nearest wins.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mereo.errors import MissingExtra
from mereo.files import write_bytes
from mereo.shapes.mesh import Floats, joined

if TYPE_CHECKING:
    from mereo.shapes.part import Shape

__all__ = [
    "OVERSAMPLING",
    "PAPER",
    "Image",
    "draw_shape",
    "gallery",
    "lightness",
    "nearest_of",
    "part_color",
    "part_paint",
    "png",
    "save_png",
    "shrunk",
    "view_of",
    "with_legend",
]

Image = NDArray[np.uint8]
OVERSAMPLING = 2
"""How many pixels are drawn, along either side, for one of the picture."""
PAPER = np.array([250, 249, 246], float)
"""What is behind everything."""
_LIGHTS = (((-0.45, -0.6, 0.9), 0.62), ((0.8, -0.35, 0.35), 0.22))
_AMBIENT = 0.34


def part_color(number: int) -> Floats:
    """A clear color for the n-th thing, far from those of its neighbors. (3,) float, 0 to 255"""
    hue, ring = (number * 0.618034) % 1.0, number // 9
    saturation, value = (0.62, 0.92) if ring % 2 == 0 else (0.42, 0.78)
    sector, rest = divmod(hue * 6, 1)
    low, falling, rising = (
        value * (1 - saturation),
        value * (1 - saturation * rest),
        value * (1 - saturation * (1 - rest)),
    )
    channels = [
        (value, rising, low),
        (falling, value, low),
        (low, value, rising),
        (low, falling, value),
        (rising, low, value),
        (value, low, falling),
    ][int(sector)]
    return 255 * np.array(channels)


def part_paint(number: int) -> str:
    """The same color as style sheets write it: `#b0a080`."""
    return "#{:02x}{:02x}{:02x}".format(*np.rint(part_color(number)).astype(int).tolist())


def draw_shape(
    shape: Shape,
    *,
    size: int = 240,
    azimuth: float = 32.0,
    elevation: float = 22.0,
    colors: Mapping[str, Floats] | None = None,
    clear: bool = False,
) -> Image:
    """A picture of a shape seen from its front, turned by `azimuth` to the right and from above by `elevation`.

    colors : by label; those that are missing get one by their order
    clear : whether the ground is to be transparent; the picture has a fourth channel then
    """
    leaves = [leaf for leaf in shape.leaves() if leaf.mesh is not None]
    mesh, source = joined([leaf.mesh for leaf in leaves if leaf.mesh is not None])
    known = dict(colors or {})
    for leaf in leaves:
        known.setdefault(leaf.label, part_color(len(known)))
    palette = np.stack([known[leaf.label] for leaf in leaves])
    view = view_of(azimuth, elevation)
    pixels = size * OVERSAMPLING
    corners = _fitted(mesh.triangles @ view.T, pixels)
    nearest, depth = _rasterized(corners, pixels)
    image = np.broadcast_to(PAPER, (pixels, pixels, 3)).copy()
    seen = nearest >= 0
    normals = mesh.face_normals()[nearest[seen]]
    normals *= np.where(normals @ view[2] > 0, -1.0, 1.0)[:, None]  # of what is open the inside may be seen
    image[seen] = palette[source[nearest[seen]]] * lightness(normals)[:, None]
    parts = np.where(seen, source[nearest], -1)
    image[_edges(parts, depth)] *= 0.45
    if clear:
        covered = seen.astype(float)
        share = shrunk(covered[..., None], size)
        color = shrunk(np.clip(image, 0, 255) * covered[..., None], size) / np.maximum(share, 1e-6)
        return np.dstack([color, 255 * share]).astype(np.uint8)
    picture: Image = shrunk(np.clip(image, 0, 255), size).astype(np.uint8)
    return picture


def lightness(normals: Floats) -> Floats:
    """(m,) how bright surfaces are, about 1 where they look towards the light. normals : (m, 3) unit, world frame"""
    light = np.full(len(normals), _AMBIENT)
    for direction, strength in _LIGHTS:
        towards = np.asarray(direction) / np.linalg.norm(direction)
        light += strength * np.clip(normals @ towards, 0, None)
    clipped: Floats = np.clip(light, 0, 1.1)
    return clipped


def shrunk(image: Floats, size: int) -> Floats:
    """The means of the pixels that were drawn for each. image : (n * size, n * size, channels)"""
    small: Floats = image.reshape(size, OVERSAMPLING, size, OVERSAMPLING, -1).mean((1, 3))
    return small


def view_of(azimuth: float, elevation: float) -> Floats:
    """Rows: right, up and away from the viewer, world frame."""
    turn, tilt = math.radians(azimuth), math.radians(elevation)
    away = np.array([-math.sin(turn) * math.cos(tilt), math.cos(turn) * math.cos(tilt), -math.sin(tilt)])
    right = np.cross(away, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(right, away), away])


def _fitted(corners: Floats, pixels: int) -> Floats:
    """Corners in pixels: the whole in the middle, with a margin. corners : (m, 3, 3), right, up, away"""
    flat = corners.reshape(-1, 3)
    low, high = flat.min(0), flat.max(0)
    scale = 0.88 * pixels / max(high[0] - low[0], high[1] - low[1])
    centered = (corners - (low + high) / 2) * scale
    return np.stack([centered[..., 0] + pixels / 2, pixels / 2 - centered[..., 1], centered[..., 2]], -1)


def _rasterized(corners: Floats, pixels: int) -> tuple[NDArray[np.int64], Floats]:
    """For each pixel the nearest face, -1 for none, and its depth. corners : (m, 3, 3), column, row, depth"""
    low = np.clip(np.floor(corners[..., :2].min(1)).astype(int), 0, pixels - 1)
    high = np.clip(np.ceil(corners[..., :2].max(1)).astype(int), 0, pixels - 1)
    face, row = _runs(low[:, 1], high[:, 1])
    left, right = _crossed(corners[face, :, :2], row)
    met = left <= right
    face, row, left, right = face[met], row[met], left[met], right[met]
    # A pixel more on either side: which are inside is decided below.
    run, column = _runs(
        np.maximum(np.floor(left).astype(int) - 1, low[face, 0]), np.minimum(np.ceil(right).astype(int), high[face, 0])
    )
    face, row = face[run], row[run]
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = np.moveaxis(corners[face], (1, 2), (0, 1))
    x, y = column + 0.5, row + 0.5
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    area[area == 0] = np.inf
    second = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
    third = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
    inside = (second >= 0) & (third >= 0) & (second + third <= 1)
    depth = (az + second * (bz - az) + third * (cz - az))[inside]
    place, face = (row * pixels + column)[inside], face[inside]
    first = nearest_of(place, depth, face)
    nearest = np.full(pixels * pixels, -1)
    far = np.full(pixels * pixels, np.inf)
    nearest[place[first]], far[place[first]] = face[first], depth[first]
    return nearest.reshape(pixels, pixels), far.reshape(pixels, pixels)


def _runs(first: NDArray[np.int64], last: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All whole numbers from each first to each last one, after the number of the pair that they belong to."""
    count = np.maximum(last - first + 1, 0)
    owner = np.repeat(np.arange(len(count)), count)
    return owner, np.arange(len(owner)) - (np.cumsum(count) - count - first)[owner]


def _crossed(corners: Floats, row: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Between which columns the middle of a row of pixels meets its triangle; inf and -inf where it does not.

    corners : (m, 3, 2), column, row; row : (m,)
    """
    height = row + 0.5
    left, right = np.full(len(row), np.inf), np.full(len(row), -np.inf)
    for one, other in ((0, 1), (1, 2), (2, 0)):
        (ax, ay), (bx, by) = corners[:, one].T, corners[:, other].T
        meets = (np.minimum(ay, by) <= height) & (height <= np.maximum(ay, by)) & (ay != by)
        at = ax + (height - ay) / np.where(meets, by - ay, 1.0) * (bx - ax)
        left, right = np.where(meets, np.minimum(left, at), left), np.where(meets, np.maximum(right, at), right)
    return left, right


def nearest_of(place: NDArray[np.int64], depth: Floats, owner: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which of all that falls on pixels is seen: the nearest at each place, of equally near ones the first owner's.

    place : (m,) the number of a pixel; depth : (m,) how far away; owner : (m,) whose it is
    """
    order = np.lexsort((owner, depth, place))
    first: NDArray[np.int64] = order[np.unique(place[order], return_index=True)[1]]
    return first


def _edges(parts: NDArray[np.int64], depth: Floats) -> NDArray[np.bool_]:
    """Where a line belongs: between two parts, and around the whole."""
    edge = np.zeros(parts.shape, bool)
    edge[:, 1:] |= parts[:, 1:] != parts[:, :-1]
    edge[1:] |= parts[1:] != parts[:-1]
    edge &= np.isfinite(depth)
    return edge


def gallery(shapes: Sequence[Shape], *, columns: int = 6, size: int = 240) -> Image:
    """A contact sheet; the same label has the same color everywhere on it."""
    labels = sorted({leaf.label for shape in shapes for leaf in shape.leaves()})
    colors = {label: part_color(number) for number, label in enumerate(labels)}
    tiles = [draw_shape(shape, size=size, colors=colors, elevation=_elevation(shape)) for shape in shapes]
    blank = np.full((size, size, 3), PAPER, np.uint8)
    rows = -(-len(tiles) // columns)
    tiles += [blank] * (rows * columns - len(tiles))
    return np.concatenate([np.concatenate(tiles[row * columns : (row + 1) * columns], 1) for row in range(rows)])


def _elevation(shape: Shape) -> float:
    """From how far above a shape is looked at: what lies flat, such as a knife, is hardly seen from the side."""
    width, depth, height = np.ptp(shape.bounds(), axis=0)
    return 58.0 if height < 0.15 * max(width, depth) else 22.0


def with_legend(image: Image, rows: Sequence[tuple[Floats, str]], *, width: int = 260) -> Image:
    """A picture with colors and their names beside it."""
    try:
        from PIL import Image as Pillow
        from PIL import ImageDraw
    except ImportError:
        raise MissingExtra("pictures of shapes", "scenes") from None
    line = 18
    height, start = max(image.shape[0], line * (len(rows) + 1)), image.shape[1]
    ground = tuple(PAPER.astype(int).tolist())
    sheet = Pillow.new("RGB", (start + width, height), ground)
    sheet.paste(Pillow.fromarray(image), (0, (height - image.shape[0]) // 2))
    pen = ImageDraw.Draw(sheet)
    for number, (color, text) in enumerate(rows):
        top = line * number + line // 2
        pen.rectangle((start, top, start + 12, top + 12), fill=tuple(color.astype(int).tolist()))
        pen.text((start + 18, top), text.encode("latin-1", "replace").decode("latin-1"), fill=(40, 40, 40))
    return np.asarray(sheet)


def png(image: Image) -> bytes:
    """A picture as a PNG file."""
    try:
        from PIL import Image as Pillow
    except ImportError:
        raise MissingExtra("pictures of shapes", "scenes") from None
    buffer = io.BytesIO()
    Pillow.fromarray(image).save(buffer, format="PNG", optimize=True)
    return buffer.getvalue()


def save_png(image: Image, path: str | Path) -> None:
    """Write a picture, whole or not at all."""
    write_bytes(path, png(image))
