"""CRIC as one value."""

from __future__ import annotations

from mereo.benchmarks.benchmark import Benchmark
from mereo.benchmarks.cric import OFFER
from mereo.benchmarks.cric.inspect import CricInspector
from mereo.benchmarks.cric.language import LANGUAGE

__all__ = ["BENCHMARK"]

BENCHMARK = Benchmark(
    name=OFFER.name,
    about=OFFER.about,
    languages=(LANGUAGE,),
    maker=OFFER.maker,
    inspector=CricInspector,
    commands=OFFER.commands,
)
