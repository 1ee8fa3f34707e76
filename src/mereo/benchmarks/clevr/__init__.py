"""CLEVR: simple solids on a stage, questions about their attributes and places."""

from mereo.benchmarks.benchmark import Benchmark
from mereo.benchmarks.clevr.export import to_clevr
from mereo.benchmarks.clevr.inspect import ClevrInspector
from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.benchmarks.clevr.official import FORMAT
from mereo.benchmarks.clevr.questions import listener
from mereo.benchmarks.clevr.recipe import MAKER
from mereo.benchmarks.clevr.tables import TABLES
from mereo.evaluation.judging import Judging

__all__ = ["BENCHMARK"]

BENCHMARK = Benchmark(
    name="clevr",
    about="questions about solids on a stage: attributes, places, counts, comparisons",
    languages=(LANGUAGE,),
    maker=MAKER,
    inspector=lambda manifest: ClevrInspector(),
    formats=(FORMAT,),
    exporters={"clevr": to_clevr},
    judging=Judging(tables=TABLES),
    listener=listener,
)
