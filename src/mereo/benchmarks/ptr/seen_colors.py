"""The colors that parts have in the picture: which are taken for others there, and which would not be.

Light changes colors: cyan in deep shade is dark green. People allow for some shade when they name a color, so a part is
read as that of the eight colors whose shades, in the light that is usual, come nearest. Nearness is that of CIELAB,
where equal steps look equal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.ptr.numbers import CLEAR_COLOR, NUMBERS
from mereo.benchmarks.ptr.paint import colors_of, repainted
from mereo.benchmarks.ptr.parts import ptr_part_of
from mereo.scenes.assemble import lab, linear, shape_of
from mereo.scenes.render import Frame
from mereo.scenes.scene import Scene
from mereo.shapes.mesh import Floats

__all__ = ["better_painted", "misread", "rendered_colors"]

_NAMES: tuple[str, ...] = tuple(NUMBERS["paint"]["colors"])
_ALBEDO: Floats = linear(np.array([*NUMBERS["paint"]["colors"].values()]) / 255)
"""(8, 3), linear RGB."""
_DARKEST, _LIGHTEST = NUMBERS["paint"]["shades"]
_SHADES: Floats = np.geomspace(_DARKEST, _LIGHTEST, 12)
_LOOKS: Floats = lab(np.clip(_SHADES[:, None, None] * _ALBEDO, 0.0, 1.0))
"""(12, 8, 3): each color in each shade."""


def rendered_colors(scene: Scene, frame: Frame, picture: NDArray[np.uint8]) -> list[dict[str, Floats]]:
    """For each object the mean color of each name of its parts that shows enough of it. (3,) float, sRGB, 0 to 255"""
    least = CLEAR_COLOR * frame.object.size
    found: list[dict[str, Floats]] = []
    for number, placed in enumerate(scene.objects):
        own = frame.object == number
        pixels, leaves = picture[own].astype(np.float64), frame.part[own]
        names: dict[str, list[int]] = {}
        for leaf in shape_of(placed.shape).leaves():
            name = ptr_part_of(placed.shape.category, leaf.label)
            if name is not None:
                names.setdefault(name, []).append(leaf.id)
        shown = {name: np.isin(leaves, ids) for name, ids in names.items()}
        found.append({name: pixels[mask].mean(0) for name, mask in shown.items() if mask.sum() >= least})
    return found


def misread(scene: Scene, seen: Sequence[Mapping[str, Floats]]) -> list[dict[str, str]]:
    """For each object the names of its parts that look like another color than theirs, and which.

    seen : the rendered colors
    """
    found: list[dict[str, str]] = []
    for placed, colors in zip(scene.objects, seen, strict=True):
        own = colors_of(placed)
        read = {name: _read(linear(color / 255)) for name, color in colors.items()}
        found.append({name: color for name, color in read.items() if color != own[name]})
    return found


def better_painted(
    scene: Scene,
    seen: Sequence[Mapping[str, Floats]],
    wrong: Sequence[Mapping[str, str]],
    rng: np.random.Generator,
) -> Scene:
    """The scene with new colors for parts that look like another, as far as any is likely to look like itself there.

    seen : the rendered colors; wrong : which of them are misread
    """
    objects = list(scene.objects)
    for number, name in [(number, name) for number, names in enumerate(wrong) for name in names]:
        own = colors_of(objects[number])
        good = _readable(seen[number][name], str(own[name]))
        # Colors that the object does not have yet, as its names mostly differ in color.
        fresh = [color for color in good if color not in own.values()] or good
        if fresh:
            objects[number] = repainted(objects[number], name, str(rng.choice(fresh)))
    changed = any(new is not old for new, old in zip(objects, scene.objects, strict=True))
    return msgspec.structs.replace(scene, objects=tuple(objects)) if changed else scene


def _readable(seen: Floats, paint: str) -> list[str]:
    """The colors that would be read as themselves where a paint looks as it is seen.

    The light on a part is what its paint explains of what is seen; the rest, gloss and the color of what stands around,
    would stay.
    """
    light, old = linear(seen / 255), _ALBEDO[_NAMES.index(paint)]
    bright = float(light @ old / (old @ old))
    would = np.clip(bright * _ALBEDO + (light - bright * old), 0.0, 1.0)
    return [name for name, color in zip(_NAMES, would, strict=True) if name != paint and _read(color) == name]


def _read(light: Floats) -> str:
    """The name of a color. light : (3,) float, linear RGB, 0 to 1"""
    distances = np.linalg.norm(lab(light) - _LOOKS, axis=2).min(0)
    return _NAMES[int(distances.argmin())]
