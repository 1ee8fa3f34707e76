"""What a benchmark is to the rest of mereo, and how benchmarks are found."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from inspect import signature
from typing import Any, Protocol

import mereo.benchmarks
from mereo.clevr_family.records import PLAIN, SceneRecord, Spelling
from mereo.clevr_family.templates import Dialect, TemplateSet
from mereo.datasets.audit import Inspector
from mereo.datasets.build import Recipe
from mereo.datasets.export import Translation
from mereo.datasets.importing import ImportRecipe
from mereo.datasets.store import Manifest
from mereo.errors import UnknownName
from mereo.evaluation.answers import judge_answers
from mereo.evaluation.marks import Judge
from mereo.evaluation.tables import Table
from mereo.programs import Language
from mereo.questions.rules import Rules
from mereo.questions.understand import Listener
from mereo.world import World

__all__ = [
    "Benchmark",
    "Official",
    "Preset",
    "Referring",
    "all_benchmarks",
    "all_languages",
    "benchmark",
    "benchmark_of_language",
    "inspector_of",
    "listener_of",
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
    spelling: Spelling = PLAIN
    """How their programs are written, where not as CLEVR's."""
    check: Callable[[SceneRecord], None] = lambda scene: None
    """Complains of what a scene must hold besides what questions are about, before it is imported."""
    recipe: Callable[..., Recipe] = ImportRecipe
    """recipe(official files, their form, benchmark, images) for `mereo import`."""


@dataclass(frozen=True)
class Preset:
    """A ready choice of splits: how scenes are shared out, and whatever else a split stands for."""

    shares: Mapping[str, float]
    """The share of each split in the scenes."""
    about: str
    scenes: int = 100
    """How many in all, where nobody says."""


class Expressions(Protocol):
    """Where a benchmark's referring expressions come from."""

    def __call__(self, *, false_premise: bool) -> tuple[TemplateSet, Rules]:
        """Templates whose programs end in entities, or where the premise is to be false in none, and their rules."""


@dataclass(frozen=True)
class Referring:
    """How the entities of a benchmark's scenes are referred to: what `mereo build refer --scenes-from` needs of it."""

    language: Language
    expressions: Expressions
    world: Callable[[Mapping[str, Any]], World]
    """The world of a scene row."""
    masks: Callable[[Mapping[str, Any]], list[Any] | None]
    """For each entity of a scene row's world (height, width) bool, what is visible of it; None without pictures."""
    annotate: Callable[[Mapping[str, Any]], dict[str, Any]] = dict
    """A scene row with whatever its world needs to know besides, put into the record."""
    families: Mapping[str, str] = field(default_factory=dict)
    """What tables call the families of templates."""


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
    inspector: Callable[..., Inspector] | None = None
    """What `mereo audit` asks about the benchmark's data; called with `manifest=` if it takes that."""
    translation: Translation | None = None
    """How its scenes and programs are told in the official JSON, where its own forms are others."""
    shard_size: int = 1000
    """Scenes per shard; a multiple of the window in which answers are balanced."""
    referring: Callable[[], Referring] | None = None
    """How things in its scenes are referred to, where they can be."""
    judge: Judge = judge_answers
    """How predictions are marked."""
    blind: bool = True
    """Whether its questions ask for words, which can be guessed blindly and given by an oracle."""
    tables: tuple[Table, ...] = ()
    """Which tables of scores are shown; by type and subtype where there are none."""
    instances: Callable[[Mapping[str, Any], World], Sequence[Sequence[int]]] | None = None
    """instances(scene row, its world): for each entity the numbers of the part instances that show it; object k of the
    instance key shows entity k where this is not given."""
    listener: Callable[[], Listener] | None = None
    """Who understands plain questions in its first language, where somebody does."""


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


def inspector_of(manifest: Manifest) -> Inspector | None:
    """Who knows about the data of a dataset, if its benchmark has somebody."""
    make = benchmark(manifest.benchmark).inspector
    if make is None:
        return None
    return make(manifest=manifest) if "manifest" in signature(make).parameters else make()


def benchmark_of_language(name: str) -> Benchmark:
    """The benchmark that a language belongs to."""
    for known in all_benchmarks().values():
        if any(language.name == name for language in known.languages):
            return known
    raise UnknownName("language", name, all_languages())


@cache
def listener_of(language: str) -> Listener | None:
    """Who understands plain questions in a language, if somebody does."""
    own = benchmark_of_language(language)
    return own.listener() if own.listener is not None and own.languages[0].name == language else None
