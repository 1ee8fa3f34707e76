"""Procedural floors, walls and table tops: pictures that repeat without a seam, from a pattern and a few colors."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo import chance
from mereo.chance import generator
from mereo.errors import UnknownName
from mereo.files import read_toml
from mereo.scenes.scene import Surface
from mereo.shapes.mesh import Floats
from mereo.stock import code_digits, stocked

__all__ = ["all_looks", "look_of", "texture", "texture_bytes"]

SIZE = 768
"""Pixels of a picture's side."""

Pattern = Callable[[np.random.Generator, Floats], Floats]
_PATTERNS: dict[str, Pattern] = {}


@cache
def all_looks() -> dict[str, dict[str, Any]]:
    """Every look by name."""
    return read_toml(Path(__file__).with_name("looks.toml"))


def look_of(name: str) -> dict[str, Any]:
    """The look of this name."""
    looks = all_looks()
    if name not in looks:
        raise UnknownName("look of floors and walls", name, looks)
    return looks[name]


def texture(surface: Surface) -> NDArray[np.float32]:
    """(SIZE, SIZE, 3) float: sRGB colors from 0 to 1, row 0 at the top; left meets right and top meets bottom."""
    look = look_of(surface.look)
    colors = np.array([[int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)] for code in look["colors"]])
    picture = _PATTERNS[look["pattern"]](generator(surface.seed, "look", surface.look), colors)
    clipped: NDArray[np.float32] = np.clip(picture, 0.02, 0.98).astype(np.float32)
    return clipped


@lru_cache(maxsize=16)
def texture_bytes(surface: Surface) -> NDArray[np.uint8]:
    """(SIZE, SIZE, 3), sRGB: a texture from the stock. Drawing one takes a hundred times as long as reading it."""
    here = Path(__file__)
    code = code_digits(here, here.with_name("looks.toml"), Path(chance.__file__))
    told = f"{surface.look} {surface.seed}"
    pixels: NDArray[np.uint8] = stocked("textures", told, lambda: _quantized(texture(surface)), code=code)
    return pixels


def _quantized(picture: NDArray[np.float32]) -> NDArray[np.uint8]:
    return np.rint(255 * picture).astype(np.uint8)


def _pattern(draw: Pattern) -> Pattern:
    _PATTERNS[draw.__name__.removeprefix("_")] = draw
    return draw


def _noise(rng: np.random.Generator, *, grain: tuple[float, float], slope: float = 1.0) -> Floats:
    """Cloudy noise, mean 0, deviation 1, that repeats. grain : typical size down and across, in shares of the side"""
    down, across = np.fft.fftfreq(SIZE, 1 / SIZE), np.fft.rfftfreq(SIZE, 1 / SIZE)
    distance = np.hypot(down[:, None] * grain[0], across[None] * grain[1])
    spectrum = np.fft.rfft2(rng.standard_normal((SIZE, SIZE))) / (1 + distance**2) ** slope
    spectrum[0, 0] = 0
    field = np.fft.irfft2(spectrum, (SIZE, SIZE))
    even: Floats = field / field.std()
    return even


def _mixed(base: Floats, towards: Floats, share: Floats) -> Floats:
    return base + (towards - base) * share[..., None]


def _grid() -> tuple[Floats, Floats]:
    """Row and column of each pixel's middle, from 0 to 1."""
    steps = (np.arange(SIZE) + 0.5) / SIZE
    return steps[:, None] + 0 * steps[None], steps[None] + 0 * steps[:, None]


def _cells(rng: np.random.Generator, number: NDArray[np.int64]) -> Floats:
    """One random number from -1 to 1 for every cell."""
    values: Floats = rng.uniform(-1, 1, int(number.max()) + 1)[number]
    return values


def _gap(place: Floats, width: float | Floats) -> Floats:
    """1 in the seams between cells, 0 inside. place : from 0 to 1 within the cell"""
    edge = np.minimum(place, 1 - place)
    return np.clip(1.5 - edge / width, 0, 1)


def _boards(rng: np.random.Generator, colors: Floats, board: NDArray[np.int64], seams: Floats, grain: Floats) -> Floats:
    tone = _cells(rng, board)
    picture = _mixed(colors[0], colors[1], np.clip(tone, 0, 1))
    picture = _mixed(picture, colors[2], np.clip(-tone, 0, 1))
    return picture * (1 + 0.045 * grain)[..., None] * (1 - 0.45 * seams)[..., None]


@_pattern
def _planks(rng: np.random.Generator, colors: Floats) -> Floats:
    row, column = _grid()
    lanes, lengths = 12, 2
    lane = np.floor(column * lanes).astype(int)
    shift = rng.random(lanes)[lane]
    along = (row * lengths + shift) % lengths
    board = lane * lengths + np.floor(along).astype(int)
    seams = np.maximum(_gap(column * lanes % 1, 0.018), _gap(along % 1, 0.0022))
    grain = _noise(rng, grain=(0.6, 0.006), slope=1.2) + 0.35 * _noise(rng, grain=(0.1, 0.002))
    return _boards(rng, colors, board, seams, grain)


@_pattern
def _herringbone(rng: np.random.Generator, colors: Floats) -> Floats:
    row, column = _grid()
    units = 16  # lanes of blocks; a block is one unit wide and four long
    x, y = np.floor(column * units).astype(int), np.floor(row * units).astype(int)
    step = (x - y) % 8
    level = step < 4
    first_x, first_y = np.where(level, x - step, x), np.where(level, y, y - (7 - step))
    board = (first_x % units) * units + first_y % units
    inside_x, inside_y = column * units % 1, row * units % 1
    ends_x = np.where(level, (step + inside_x) / 4, inside_x)
    ends_y = np.where(level, inside_y, (7 - step + inside_y) / 4)
    seams = np.maximum(_gap(ends_x, np.where(level, 0.006, 0.022)), _gap(ends_y, np.where(level, 0.022, 0.006)))
    across, upright = _noise(rng, grain=(0.004, 0.15), slope=1.2), _noise(rng, grain=(0.15, 0.004), slope=1.2)
    return _boards(rng, colors, board, seams, np.where(level, across, upright))


@_pattern
def _staves(rng: np.random.Generator, colors: Floats) -> Floats:
    """Strips of wood glued side by side, as in a worktop: they run across, their joints hardly show."""
    row, column = _grid()
    lanes, lengths = 24, 2
    lane = np.floor(row * lanes).astype(int)
    along = (column * lengths + rng.random(lanes)[lane] * lengths) % lengths
    board = lane * lengths + np.floor(along).astype(int)
    seams = np.maximum(_gap(row * lanes % 1, 0.03), _gap(along % 1, 0.0016))
    grain = _noise(rng, grain=(0.003, 0.5), slope=1.2) + 0.3 * _noise(rng, grain=(0.002, 0.08))
    return _boards(rng, colors, board, 0.35 * seams, grain)


@_pattern
def _veneer(rng: np.random.Generator, colors: Floats) -> Floats:
    """One sheet of wood: the rings of the trunk as long wavering lines across, and fine pores along them."""
    row = _grid()[0]
    rings = 14 * row + 1.1 * _noise(rng, grain=(0.25, 0.9), slope=1.6) + 0.06 * _noise(rng, grain=(0.03, 0.5))
    place = rings % 1
    figure = np.where(place < 0.75, place / 0.75, (1 - place) / 0.25)  # slow growth ends in a dark, sharp line
    strength = np.clip(0.5 + 0.3 * _noise(rng, grain=(0.2, 0.6)), 0, 1)
    picture = _mixed(colors[0], colors[1], figure * strength)
    picture = _mixed(picture, colors[2], np.clip(0.35 * _noise(rng, grain=(0.3, 0.6)), 0, 0.6))
    return picture * (1 + 0.03 * _noise(rng, grain=(0.0015, 0.12)))[..., None]


@_pattern
def _marble(rng: np.random.Generator, colors: Floats) -> Floats:
    """Clouds, and veins where a slow noise passes through zero."""
    cloud = np.clip(0.5 + 0.3 * _noise(rng, grain=(0.3, 0.3)), 0, 1)
    picture = _mixed(colors[0], colors[1], cloud)
    for width, share in ((0.035, 0.75), (0.012, 0.45)):
        bent = _noise(rng, grain=(0.16, 0.16), slope=1.7) + 0.1 * _noise(rng, grain=(0.03, 0.03))
        fading = np.clip(0.5 + 0.5 * _noise(rng, grain=(0.2, 0.2)), 0, 1)
        picture = _mixed(picture, colors[2], share * fading * np.exp(-((bent / width) ** 2)))
    return picture


@_pattern
def _granite(rng: np.random.Generator, colors: Floats) -> Floats:
    """Grains of two other colors in a ground."""
    picture = _mixed(colors[0], colors[1], np.clip(3 * _noise(rng, grain=(0.004, 0.004)) - 0.6, 0, 1))
    return _mixed(picture, colors[2], np.clip(4 * _noise(rng, grain=(0.003, 0.003)) - 3.4, 0, 1))


@_pattern
def _tiles(rng: np.random.Generator, colors: Floats) -> Floats:
    row, column = _grid()
    count = 4
    tile = np.floor(row * count).astype(int) * count + np.floor(column * count).astype(int)
    seams = np.maximum(_gap(row * count % 1, 0.012), _gap(column * count % 1, 0.012))
    tone = 0.5 + 0.5 * _cells(rng, tile)
    face = _mixed(colors[0], colors[1], np.clip(tone + 0.25 * _noise(rng, grain=(0.1, 0.1)), 0, 1))
    return _mixed(face, colors[2], seams)


@_pattern
def _checker(rng: np.random.Generator, colors: Floats) -> Floats:
    row, column = _grid()
    count = 4
    odd = (np.floor(row * count) + np.floor(column * count)) % 2
    seams = np.maximum(_gap(row * count % 1, 0.006), _gap(column * count % 1, 0.006))
    face = _mixed(colors[0], colors[1], odd) * (1 + 0.025 * _noise(rng, grain=(0.08, 0.08)))[..., None]
    return _mixed(face, colors[2], seams)


@_pattern
def _brick(rng: np.random.Generator, colors: Floats) -> Floats:
    row, column = _grid()
    courses, bricks = 24, 8
    course = np.floor(row * courses).astype(int)
    along = (column * bricks + 0.5 * (course % 2)) % bricks
    brick = course * bricks + np.floor(along).astype(int)
    rough = 0.02 * _noise(rng, grain=(0.01, 0.01))
    seams = np.maximum(_gap(row * courses % 1 + rough, 0.075), _gap(along % 1 + rough / 3, 0.026))
    face = _mixed(colors[0], colors[1], np.clip(0.5 + 0.5 * _cells(rng, brick), 0, 1))
    face = face * (1 + 0.06 * _noise(rng, grain=(0.008, 0.008)))[..., None]
    return _mixed(face, colors[2], np.clip(seams, 0, 1))


@_pattern
def _plaster(rng: np.random.Generator, colors: Floats) -> Floats:
    share = 0.5 + 0.3 * _noise(rng, grain=(0.2, 0.2)) + 0.1 * _noise(rng, grain=(0.01, 0.01))
    return _mixed(colors[0], colors[1], np.clip(share, 0, 1))


@_pattern
def _concrete(rng: np.random.Generator, colors: Floats) -> Floats:
    share = 0.5 + 0.35 * _noise(rng, grain=(0.3, 0.3)) + 0.15 * _noise(rng, grain=(0.02, 0.02))
    pores = np.clip(_noise(rng, grain=(0.004, 0.004)) - 2.4, 0, 1)
    return _mixed(colors[0], colors[1], np.clip(share, 0, 1)) * (1 - 0.3 * pores)[..., None]


@_pattern
def _carpet(rng: np.random.Generator, colors: Floats) -> Floats:
    pile = 0.5 + 0.3 * _noise(rng, grain=(0.004, 0.004)) + 0.12 * _noise(rng, grain=(0.1, 0.1))
    return _mixed(colors[0], colors[1], np.clip(pile, 0, 1)) * (1 + 0.05 * _noise(rng, grain=(0.002, 0.002)))[..., None]


@_pattern
def _stripes(rng: np.random.Generator, colors: Floats) -> Floats:
    column = _grid()[1]
    band = np.clip(6 * np.sin(2 * np.pi * 6 * column) + 0.5, 0, 1)
    return _mixed(colors[0], colors[1], band) * (1 + 0.012 * _noise(rng, grain=(0.01, 0.01)))[..., None]


@_pattern
def _plain(rng: np.random.Generator, colors: Floats) -> Floats:
    return _mixed(colors[0], colors[1], np.clip(0.5 + 0.2 * _noise(rng, grain=(0.2, 0.2)), 0, 1))
