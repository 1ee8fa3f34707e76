"""Referring expressions as one value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mereo.benchmarks.benchmark import Benchmark
from mereo.benchmarks.refer import OFFER
from mereo.benchmarks.refer.export import to_clevr_ref
from mereo.benchmarks.refer.inspect import ReferInspector
from mereo.benchmarks.refer.judge import judge_referring
from mereo.benchmarks.refer.language import CLEVR_REF, LANGUAGE
from mereo.benchmarks.refer.official import FORMAT
from mereo.benchmarks.refer.questions import listener
from mereo.benchmarks.refer.tables import further_tables
from mereo.evaluation.judging import Judging

if TYPE_CHECKING:
    from mereo.training.learning import Learning

__all__ = ["BENCHMARK"]


def _learning() -> Learning:
    from mereo.benchmarks.refer.learning import LEARNING

    return LEARNING


BENCHMARK = Benchmark(
    name=OFFER.name,
    about=OFFER.about,
    languages=(LANGUAGE, CLEVR_REF),
    maker=OFFER.maker,
    inspector=ReferInspector,
    formats=(FORMAT,),
    exporters={"clevr_ref": to_clevr_ref},
    judging=Judging(judge_referring, further=further_tables, worded=False, prompt="refer"),
    listener=listener,
    learning=_learning,
    commands=OFFER.commands,
)
