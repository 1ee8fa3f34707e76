"""CLEVR: simple solids on a stage, questions about their attributes and places."""

from mereo.benchmarks.benchmark import Benchmark, Official
from mereo.benchmarks.clevr.inspect import ClevrInspector
from mereo.benchmarks.clevr.language import LANGUAGE, VOCABULARY
from mereo.benchmarks.clevr.official import DIALECT
from mereo.benchmarks.clevr.questions import listener
from mereo.benchmarks.clevr.recipe import PRESETS, ClevrRecipe
from mereo.benchmarks.clevr.tables import TABLES
from mereo.clevr_family.records import SceneRecord, world_of
from mereo.world import World

__all__ = ["BENCHMARK"]


def _world_of(scene: SceneRecord) -> World:
    return world_of(scene, VOCABULARY)


BENCHMARK = Benchmark(
    name="clevr",
    about="questions about solids on a stage: attributes, places, counts, comparisons",
    languages=(LANGUAGE,),
    officials=(Official(LANGUAGE, _world_of, DIALECT, dataset="CLEVR-v1.0"),),
    presets=PRESETS,
    recipe=ClevrRecipe,
    inspector=ClevrInspector,
    tables=TABLES,
    listener=listener,
)
