"""What a benchmark is to the rest of mereo, and how benchmarks are found.

Everything that one published system has of its own stands behind the fields of a `Benchmark`. A field that is left out
means that the system does without, which commands say in a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any, Protocol

from mereo.benchmarks.offer import Offer, folders, plugged
from mereo.errors import BadInput, UnknownName

if TYPE_CHECKING:
    from mereo.datasets.export import Exporter
    from mereo.datasets.format import Format
    from mereo.datasets.inspector import Inspector
    from mereo.datasets.store import Manifest
    from mereo.evaluation.judging import Judging
    from mereo.programs import Language
    from mereo.questions.readings import Readings
    from mereo.questions.rules import Rules
    from mereo.questions.template_set import TemplateSet
    from mereo.questions.understand import Listener
    from mereo.training.learning import Learning
    from mereo.world import World

__all__ = [
    "Benchmark",
    "Expressions",
    "Referring",
    "all_benchmarks",
    "all_formats",
    "all_languages",
    "benchmark",
    "benchmark_of_language",
    "find_format",
    "find_language",
    "format_of_metadata",
    "inspector_of",
    "listener_of",
]


class Expressions(Protocol):
    """Where a benchmark's referring expressions come from."""

    def __call__(self, *, false_premise: bool) -> tuple[TemplateSet, Rules]:
        """Templates whose programs end in entities, or where the premise is to be false in none, and their rules."""


@dataclass(frozen=True)
class Referring:
    """How the entities of a benchmark's scenes are referred to, for whoever makes expressions about them."""

    language: Language
    expressions: Expressions
    world: Callable[[Mapping[str, Any]], World]
    """The world of a scene row."""
    masks: Callable[[Mapping[str, Any]], list[Any] | None]
    """For each entity of a scene row's world (height, width) bool, what is visible of it; None without pictures."""
    annotate: Callable[[Mapping[str, Any]], dict[str, Any]] = dict
    """A scene row with whatever its world needs to know besides, put into the record."""
    readings: Callable[[Mapping[str, Any]], Readings] | None = None
    """What else the world of a scene row may be taken for, where there is any doubt."""
    families: Mapping[str, str] = field(default_factory=dict)
    """What tables call the families of templates."""


def _worded() -> Judging:
    from mereo.evaluation.judging import WORDED

    return WORDED


@dataclass(frozen=True)
class Benchmark(Offer):
    """One seed's system: what it is called, what it can be asked, how its data is made, read, written and judged."""

    languages: tuple[Language, ...]
    inspector: Callable[[Manifest], Inspector] | None = None
    """Who knows what the rows of its datasets mean."""
    formats: tuple[Format, ...] = ()
    """The files of others that are read as its data."""
    exporters: Mapping[str, Exporter] = field(default_factory=dict)
    """The formats of others that only its datasets can be written in, by name."""
    judging: Judging = field(default_factory=_worded)
    """How predictions are marked and shown."""
    referring: Callable[[], Referring] | None = None
    """How things in its scenes are referred to, where they can be."""
    listener: Callable[[], Listener] | None = None
    """Who understands plain questions in its first language, where somebody does."""
    learning: Callable[[], Learning] | None = None
    """The models that only it has, how its pictures are looked at, and its published tables."""


class _Shelf(Mapping[str, Benchmark]):
    """Benchmarks by name, each loaded when it is first taken: whoever needs one does not wait for the others."""

    def __init__(self, loaders: dict[str, Callable[[], Benchmark]]):
        self.loaders = loaders

    def __getitem__(self, name: str) -> Benchmark:
        return self.loaders[name]()

    def __contains__(self, name: object) -> bool:
        return name in self.loaders

    def __iter__(self) -> Iterator[str]:
        return iter(self.loaders)

    def __len__(self) -> int:
        return len(self.loaders)


@cache
def all_benchmarks() -> _Shelf:
    """Every benchmark by name: the folders beside this file, and those that installed packages offer."""
    own = {name: partial(_from_folder, name) for name in folders()}
    return _Shelf({**own, **{name: partial(_from_package, point) for name, point in plugged().items()}})


def _from_folder(name: str) -> Benchmark:
    own: Benchmark = import_module(f"mereo.benchmarks.{name}.benchmark").BENCHMARK
    return own


def _from_package(point: EntryPoint) -> Benchmark:
    found: Benchmark = point.load()
    if found.name != point.name:
        raise BadInput(f"the entry point '{point.name}' offers a benchmark that is named '{found.name}'")
    return found


def benchmark(name: str) -> Benchmark:
    """The benchmark of this name."""
    known = all_benchmarks()
    if name not in known:
        raise UnknownName("benchmark", name, known)
    return known[name]


def inspector_of(manifest: Manifest) -> Inspector:
    """Who knows what the rows of a dataset mean."""
    make = benchmark(manifest.benchmark).inspector
    if make is None:
        raise BadInput(f"benchmark {manifest.benchmark} does not tell what its scenes mean")
    return make(manifest)


def all_languages() -> dict[str, Language]:
    """Every language by name."""
    return {language.name: language for known in all_benchmarks().values() for language in known.languages}


def find_language(name: str) -> Language:
    """The language of this name."""
    return next(known for known in benchmark_of_language(name).languages if known.name == name)


def benchmark_of_language(name: str) -> Benchmark:
    """The benchmark that a language belongs to; most often it has the same name, so that one is asked first."""
    known = all_benchmarks()
    for own in sorted(known, key=lambda one: one != name):
        if any(language.name == name for language in known[own].languages):
            return known[own]
    raise UnknownName("language", name, all_languages())


def all_formats() -> dict[str, Format]:
    """Every format of official files by name."""
    return {form.name: form for known in all_benchmarks().values() for form in known.formats}


def find_format(name: str) -> Format:
    """The format of this name; the name of a benchmark with just one format will do."""
    known = all_benchmarks()
    if name in known and len(known[name].formats) == 1:
        return known[name].formats[0]
    formats = all_formats()
    if name not in formats:
        raise UnknownName("language with official files", name, formats)
    return formats[name]


def format_of_metadata(dataset: str) -> Format:
    """The format whose template files call their dataset so."""
    known: dict[str, Format] = {}
    for form in all_formats().values():
        names = (form.asked_by,) if isinstance(form.asked_by, str) else form.asked_by
        known |= {name: form for name in names if name}
    if dataset not in known:
        raise UnknownName("template family for the dataset", dataset, known)
    return known[dataset]


@cache
def listener_of(language: str) -> Listener | None:
    """Who understands plain questions in a language, if somebody does."""
    own = benchmark_of_language(language)
    return own.listener() if own.listener is not None and own.languages[0].name == language else None
