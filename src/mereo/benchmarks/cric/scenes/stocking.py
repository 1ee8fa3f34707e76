"""What own scenes take from the stock: all shapes with what follows from them, and all textures."""

from __future__ import annotations

from mereo.benchmarks.cric.scenes.kinds import all_shapes, traits_of
from mereo.benchmarks.cric.scenes.plans import all_surfaces
from mereo.benchmarks.cric.scenes.things import hull_of
from mereo.datasets.workers import Task
from mereo.scenes.assemble import shape_of
from mereo.scenes.physics import substance
from mereo.scenes.scene import ShapeRef, Surface
from mereo.scenes.textures import texture_bytes

__all__ = ["stocking"]


def stocking(seed: int) -> list[Task]:
    """A task for each texture and each shape. seed : of the builds, which all show the same shapes"""
    return [
        *(Task(f"{each.look} {each.seed}", _stock_texture, (each,)) for each in all_surfaces()),
        *(Task(f"{each.category} {each.split} {each.family}", _stock_shape, (each,)) for each in all_shapes()),
    ]


def _stock_shape(reference: ShapeRef) -> None:
    for made in (shape_of, traits_of, hull_of, substance):
        made(reference)


def _stock_texture(surface: Surface) -> None:
    texture_bytes(surface)
