"""SHOP-VRB as one value."""

from __future__ import annotations

from mereo.benchmarks.benchmark import Benchmark
from mereo.benchmarks.shop import OFFER
from mereo.benchmarks.shop.export import to_shop_vrb
from mereo.benchmarks.shop.language import SHOP_VRB
from mereo.benchmarks.shop.official import FORMAT

__all__ = ["BENCHMARK"]

BENCHMARK = Benchmark(
    name=OFFER.name,
    about=OFFER.about,
    languages=(SHOP_VRB,),
    maker=OFFER.maker,
    commands=OFFER.commands,
    formats=(FORMAT,),
    exporters={"shop_vrb": to_shop_vrb},
)
