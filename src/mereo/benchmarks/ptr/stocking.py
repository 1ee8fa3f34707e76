"""What PTR's scenes take from the stock: all shapes of all splits with what follows from them, and all textures."""

from __future__ import annotations

from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.parts import ptr_categories
from mereo.benchmarks.ptr.record import geometry_of
from mereo.benchmarks.ptr.stage import all_surfaces
from mereo.benchmarks.ptr.view import hull_of
from mereo.datasets.workers import Task
from mereo.scenes.assemble import shape_of
from mereo.scenes.physics import substance
from mereo.scenes.scene import ShapeRef, Surface
from mereo.scenes.textures import texture_bytes

__all__ = ["stock_shape", "stocking"]


def stocking(seed: int) -> list[Task]:
    """A task for each texture and each shape. seed : of the builds"""
    numbers = NUMBERS["objects"]
    shapes = [
        ShapeRef(category, seed, split, family, instance)
        for split, families in numbers["families"].items()
        for family in range(families)
        for category in ptr_categories()
        for instance in range(numbers["instances"])
    ]
    return [
        *(Task(f"{each.look} {each.seed}", _stock_texture, (each,)) for each in all_surfaces()),
        *(Task(f"{each.category} {each.split} {each.family}-{each.instance}", stock_shape, (each,)) for each in shapes),
    ]


def stock_shape(reference: ShapeRef) -> None:
    """Have all that follows from a shape in the stock."""
    for made in (shape_of, substance, hull_of, geometry_of):
        made(reference)


def _stock_texture(surface: Surface) -> None:
    texture_bytes(surface)
