"""SHOP-VRB as one value."""

from __future__ import annotations

from mereo.benchmarks.benchmark import Benchmark
from mereo.benchmarks.shop import OFFER
from mereo.benchmarks.shop.export import to_shop_vrb
from mereo.benchmarks.shop.inspect import inspector
from mereo.benchmarks.shop.judge import JUDGING
from mereo.benchmarks.shop.language import LANGUAGE, SHOP_VRB
from mereo.benchmarks.shop.official import FORMAT
from mereo.benchmarks.shop.questions import listener
from mereo.training.learning import Learning

__all__ = ["BENCHMARK"]


def _learning() -> Learning:
    from mereo.benchmarks.shop.learning import LEARNING

    return LEARNING


BENCHMARK = Benchmark(
    name=OFFER.name,
    about=OFFER.about,
    languages=(LANGUAGE, SHOP_VRB),
    maker=OFFER.maker,
    inspector=inspector,
    formats=(FORMAT,),
    exporters={"shop_vrb": to_shop_vrb},
    judging=JUDGING,
    listener=listener,
    commands=OFFER.commands,
    learning=_learning,
)
