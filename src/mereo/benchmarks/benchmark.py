"""What a benchmark is to the rest of mereo, and how benchmarks are found."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

import mereo.benchmarks
from mereo.datasets.audit import Inspector
from mereo.datasets.build import Recipe
from mereo.datasets.formats.clevr_family import SceneRecord
from mereo.errors import UnknownName
from mereo.programs import Language
from mereo.questions.family import Dialect
from mereo.world import World

__all__ = [
    "Benchmark",
    "Official",
    "Preset",
    "all_benchmarks",
    "all_languages",
    "benchmark",
    "benchmark_of_language",
    "official",
    "official_of_dataset",
]


@dataclass(frozen=True)
class Official:
    """A language in which others have written files: how to read their scenes and their templates."""

    language: Language
    world_of: Callable[[SceneRecord], World]
    dialect: Dialect
    dataset: str
    """What their `metadata.json` calls it."""


@dataclass(frozen=True)
class Preset:
    """A ready choice of splits: how scenes are shared out, and whatever else a split stands for."""

    shares: Mapping[str, float]
    """The share of each split in the scenes."""
    about: str


@dataclass(frozen=True)
class Benchmark:
    """One seed's system: what it is called, what it can be asked, how its data is made."""

    name: str
    about: str
    languages: tuple[Language, ...]
    officials: tuple[Official, ...] = ()
    presets: Mapping[str, Preset] = field(default_factory=dict)
    """The first one is the default."""
    recipe: Callable[..., Recipe] | None = None
    """recipe(seed=, questions_per_scene=, preset=) for `mereo build`."""
    inspector: Callable[[], Inspector] | None = None
    """What `mereo audit` asks about the benchmark's data."""
    shard_size: int = 1000
    """Scenes per shard; a multiple of the window in which answers are balanced."""


@cache
def all_benchmarks() -> dict[str, Benchmark]:
    """Every benchmark by name: the folders beside this file, and those that installed packages offer."""
    found = {}
    for module in pkgutil.iter_modules(mereo.benchmarks.__path__):
        if module.ispkg:
            own: Benchmark = import_module(f"mereo.benchmarks.{module.name}").BENCHMARK
            found[own.name] = own
    for point in entry_points(group="mereo.benchmarks"):
        plugged: Benchmark = point.load()
        found[plugged.name] = plugged
    return found


def benchmark(name: str) -> Benchmark:
    """The benchmark of this name."""
    known = all_benchmarks()
    if name not in known:
        raise UnknownName("benchmark", name, known)
    return known[name]


def all_languages() -> dict[str, Language]:
    """Every language by name."""
    return {language.name: language for known in all_benchmarks().values() for language in known.languages}


def official(name: str) -> Official:
    """The official format of a language of this name."""
    known = {own.language.name: own for known in all_benchmarks().values() for own in known.officials}
    if name not in known:
        raise UnknownName("language with official files", name, known)
    return known[name]


def official_of_dataset(dataset: str) -> Official:
    """The official format that a `metadata.json` is of, by what it calls its dataset."""
    known = {own.dataset: own for known in all_benchmarks().values() for own in known.officials}
    if dataset not in known:
        raise UnknownName("template family for the dataset", dataset, known)
    return known[dataset]


def benchmark_of_language(name: str) -> Benchmark:
    """The benchmark that a language belongs to."""
    for known in all_benchmarks().values():
        if any(language.name == name for language in known.languages):
            return known
    raise UnknownName("language", name, all_languages())
