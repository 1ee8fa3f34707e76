"""Colors of PTR's objects: one of eight for each name of a part, and none of them for what has no name."""

from __future__ import annotations

import msgspec
import numpy as np

from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.parts import ptr_part_of, ptr_parts
from mereo.scenes.assemble import shape_of
from mereo.scenes.scene import Paint, Placed, ShapeRef

__all__ = ["colors_of", "paints_of", "repainted"]

_PAINT = NUMBERS["paint"]


def paints_of(reference: ShapeRef, rng: np.random.Generator) -> dict[str, Paint]:
    """Paint by label, so that all leaves of one name have one color; names mostly differ in color."""
    chances = np.array(_PAINT["weights"], float)
    material = str(rng.choice(_PAINT["materials"], p=chances / chances.sum()))
    colors = list(_PAINT["colors"])
    rng.shuffle(colors)
    neutral = _PAINT["neutral"]
    named: dict[str, Paint] = {}
    paints = {"": Paint(neutral["material"], _unit(neutral["color"]))}
    for leaf in shape_of(reference).leaves():
        name = ptr_part_of(reference.category, leaf.label)
        if name is None:
            continue
        if name not in named:
            again = named and rng.random() < _PAINT["shared"]
            color = str(rng.choice(list(_PAINT["colors"]))) if again else colors[len(named) % len(colors)]
            named[name] = Paint(material, _unit(_PAINT["colors"][color]), color)
        paints[leaf.label] = named[name]
    return paints


def repainted(placed: Placed, name: str, color: str) -> Placed:
    """An object whose parts of a name have another color."""
    category, fresh = placed.shape.category, _unit(_PAINT["colors"][color])
    paints = {
        label: Paint(paint.material, fresh, color) if label and ptr_part_of(category, label) == name else paint
        for label, paint in placed.paints.items()
    }
    return msgspec.structs.replace(placed, paints=paints)


def colors_of(placed: Placed) -> dict[str, str | None]:
    """The color of each name of a part that an object has; None for a whole whose parts all have names of their own.

    So it is with an arm that is nothing but bars.
    """
    category, shape = placed.shape.category, shape_of(placed.shape)
    colors: dict[str, str | None] = dict.fromkeys(ptr_parts(shape))
    for leaf in shape.leaves():
        name = ptr_part_of(category, leaf.label)
        if name in colors:
            colors[name] = placed.paint(leaf.label).name
    return colors


def _unit(color: list[int]) -> tuple[float, float, float]:
    red, green, blue = (value / 255 for value in color)
    return red, green, blue
