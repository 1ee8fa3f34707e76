"""What scenes of household objects take from the stock: all shapes with what follows from them, and all textures."""

from __future__ import annotations

from mereo.benchmarks.shop.choice import all_shapes, sides_of
from mereo.benchmarks.shop.table import all_surfaces
from mereo.benchmarks.shop.view import hull_of
from mereo.datasets.workers import Task
from mereo.scenes.assemble import shape_of
from mereo.scenes.scene import ShapeRef, Surface
from mereo.scenes.textures import texture_bytes

__all__ = ["stocking"]


def stocking(seed: int) -> list[Task]:
    """A task for each texture and each shape. seed : of the builds, which all show the same shapes"""
    return [
        *(Task(f"{each.look} {each.seed}", _stock_texture, (each,)) for each in all_surfaces()),
        *(
            Task(f"{each.category} {each.split} {each.family}-{each.instance}", _stock_shape, (each,))
            for each in all_shapes()
        ),
    ]


def _stock_shape(reference: ShapeRef) -> None:
    for made in (shape_of, sides_of, hull_of):
        made(reference)


def _stock_texture(surface: Surface) -> None:
    texture_bytes(surface)
