"""PartNet as one value."""

from __future__ import annotations

from mereo.benchmarks.benchmark import Benchmark
from mereo.benchmarks.partnet import OFFER
from mereo.benchmarks.partnet.export import to_partnet_h5
from mereo.benchmarks.partnet.inspect import PartNetInspector
from mereo.benchmarks.partnet.judge import JUDGING
from mereo.benchmarks.partnet.language import LANGUAGE

__all__ = ["BENCHMARK"]

BENCHMARK = Benchmark(
    name=OFFER.name,
    about=OFFER.about,
    languages=(LANGUAGE,),
    maker=OFFER.maker,
    inspector=PartNetInspector,
    exporters={"partnet_h5": to_partnet_h5},
    judging=JUDGING,
    commands=OFFER.commands,
)
