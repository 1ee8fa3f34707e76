"""Referring expressions in CLEVR-Ref+'s manner: programs that end in objects, every step of them grounded."""

from mereo.benchmarks.benchmark import Benchmark
from mereo.benchmarks.refer.commands import FIGURES, POINT
from mereo.benchmarks.refer.export import to_clevr_ref
from mereo.benchmarks.refer.inspect import ReferInspector
from mereo.benchmarks.refer.judge import judge_referring
from mereo.benchmarks.refer.language import CLEVR_REF, LANGUAGE
from mereo.benchmarks.refer.official import FORMAT
from mereo.benchmarks.refer.questions import listener
from mereo.benchmarks.refer.recipe import MAKER
from mereo.evaluation.judging import Judging

__all__ = ["BENCHMARK"]

BENCHMARK = Benchmark(
    name="refer",
    about="expressions that refer to objects: by attribute, relation, place in an order, visibility",
    languages=(LANGUAGE, CLEVR_REF),
    maker=MAKER,
    inspector=ReferInspector,
    formats=(FORMAT,),
    exporters={"clevr_ref": to_clevr_ref},
    judging=Judging(judge_referring, worded=False, prompt="refer"),
    listener=listener,
    commands=(FIGURES, POINT),
)
