"""Referring expressions in CLEVR-Ref+'s manner: programs that end in objects, every step of them grounded."""

from mereo.benchmarks.benchmark import Benchmark, Official
from mereo.benchmarks.refer.importing import ReferImport
from mereo.benchmarks.refer.inspect import ReferInspector
from mereo.benchmarks.refer.judge import judge_referring
from mereo.benchmarks.refer.language import CLEVR_REF, LANGUAGE, official_world_of
from mereo.benchmarks.refer.official import DIALECT
from mereo.benchmarks.refer.questions import listener
from mereo.benchmarks.refer.recipe import PRESETS, ReferRecipe

__all__ = ["BENCHMARK"]

BENCHMARK = Benchmark(
    name="refer",
    about="expressions that refer to objects: by attribute, relation, place in an order, visibility",
    languages=(LANGUAGE, CLEVR_REF),
    officials=(Official(CLEVR_REF, official_world_of, DIALECT, dataset="CLEVR-Ref+-v1.0", recipe=ReferImport),),
    presets=PRESETS,
    recipe=ReferRecipe,
    inspector=ReferInspector,
    judge=judge_referring,
    blind=False,
    listener=listener,
)
