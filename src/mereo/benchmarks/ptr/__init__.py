"""PTR: furniture made of parts, questions about parts, geometry, analogies, numbers and what would fall."""

from __future__ import annotations

from typing import Any

from mereo.benchmarks.benchmark import Benchmark
from mereo.benchmarks.ptr.hearing import listener
from mereo.benchmarks.ptr.inspect import OfficialInspector, PtrInspector
from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.masks import instances_of
from mereo.benchmarks.ptr.official import OFFICIAL
from mereo.benchmarks.ptr.official_record import TRANSLATION
from mereo.benchmarks.ptr.recipe import PRESETS, PtrRecipe
from mereo.benchmarks.ptr.referring import referring
from mereo.benchmarks.ptr.tables import TABLES
from mereo.datasets.store import Manifest

__all__ = ["BENCHMARK"]


def _inspector(manifest: Manifest) -> Any:
    return OfficialInspector() if manifest.settings.get("imported") else PtrInspector()


BENCHMARK = Benchmark(
    name="ptr",
    about="questions about furniture and its parts: colors, numbers, geometry, analogies, stability",
    languages=(LANGUAGE, OFFICIAL.language),
    officials=(OFFICIAL,),
    presets=PRESETS,
    recipe=PtrRecipe,
    inspector=_inspector,
    translation=TRANSLATION,
    tables=TABLES,
    instances=instances_of,
    referring=referring,
    listener=listener,
)
