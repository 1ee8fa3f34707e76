"""PartNet as one value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mereo.benchmarks.benchmark import Benchmark
from mereo.benchmarks.partnet import OFFER
from mereo.benchmarks.partnet.export import to_partnet_h5
from mereo.benchmarks.partnet.inspect import PartNetInspector
from mereo.benchmarks.partnet.judge import JUDGING
from mereo.benchmarks.partnet.language import LANGUAGE

if TYPE_CHECKING:
    from mereo.training.learning import Learning

__all__ = ["BENCHMARK"]


def _learning() -> Learning:
    from mereo.benchmarks.partnet.learning import LEARNING

    return LEARNING


BENCHMARK = Benchmark(
    name=OFFER.name,
    about=OFFER.about,
    languages=(LANGUAGE,),
    maker=OFFER.maker,
    inspector=PartNetInspector,
    exporters={"partnet_h5": to_partnet_h5},
    judging=JUDGING,
    learning=_learning,
    commands=OFFER.commands,
)
