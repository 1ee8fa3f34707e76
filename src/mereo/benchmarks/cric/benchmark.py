"""CRIC as one value."""

from __future__ import annotations

from mereo.benchmarks.benchmark import Benchmark
from mereo.benchmarks.cric import OFFER
from mereo.benchmarks.cric.export import EXPORTERS
from mereo.benchmarks.cric.hearing import listener
from mereo.benchmarks.cric.inspect import CricInspector
from mereo.benchmarks.cric.judge import JUDGING
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.official import FORMAT
from mereo.training.learning import Learning

__all__ = ["BENCHMARK"]


def _learning() -> Learning:
    from mereo.benchmarks.cric.learning import LEARNING

    return LEARNING


BENCHMARK = Benchmark(
    name=OFFER.name,
    about=OFFER.about,
    languages=(LANGUAGE,),
    maker=OFFER.maker,
    inspector=CricInspector,
    formats=(FORMAT,),
    exporters=EXPORTERS,
    judging=JUDGING,
    commands=OFFER.commands,
    learning=_learning,
    listener=listener,
)
