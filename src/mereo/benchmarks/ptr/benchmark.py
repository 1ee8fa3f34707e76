"""PTR as one value."""

from __future__ import annotations

from mereo.benchmarks.benchmark import Benchmark
from mereo.benchmarks.ptr import OFFER
from mereo.benchmarks.ptr.export import to_ptr
from mereo.benchmarks.ptr.hearing import listener
from mereo.benchmarks.ptr.inspect import inspector
from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.official import FORMAT
from mereo.benchmarks.ptr.referring import referring
from mereo.benchmarks.ptr.tables import TABLES
from mereo.evaluation.judging import Judging
from mereo.training.learning import Learning

__all__ = ["BENCHMARK"]


def _learning() -> Learning:
    from mereo.benchmarks.ptr.learning import LEARNING

    return LEARNING


BENCHMARK = Benchmark(
    name=OFFER.name,
    about=OFFER.about,
    languages=(LANGUAGE, FORMAT.language),
    maker=OFFER.maker,
    inspector=inspector,
    formats=(FORMAT,),
    exporters={"ptr": to_ptr},
    judging=Judging(tables=TABLES),
    referring=referring,
    listener=listener,
    learning=_learning,
)
