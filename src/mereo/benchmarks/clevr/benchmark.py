"""CLEVR as one value."""

from __future__ import annotations

from mereo.benchmarks.benchmark import Benchmark
from mereo.benchmarks.clevr import OFFER
from mereo.benchmarks.clevr.export import to_clevr
from mereo.benchmarks.clevr.inspect import ClevrInspector
from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.benchmarks.clevr.official import FORMAT
from mereo.benchmarks.clevr.questions import listener
from mereo.benchmarks.clevr.tables import TABLES
from mereo.evaluation.judging import Judging

__all__ = ["BENCHMARK"]

BENCHMARK = Benchmark(
    name=OFFER.name,
    about=OFFER.about,
    languages=(LANGUAGE,),
    maker=OFFER.maker,
    inspector=lambda manifest: ClevrInspector(),
    formats=(FORMAT,),
    exporters={"clevr": to_clevr},
    judging=Judging(tables=TABLES),
    listener=listener,
)
