"""Trained parsers that guess at what nobody reads."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from mereo.benchmarks.benchmark import benchmark, benchmark_of_language, find_language
from mereo.errors import BadInput
from mereo.extras import need
from mereo.questions.guessing import Guesser

__all__ = ["guesser_of", "learned_language"]

_KEPT = 4
"""How many parsers are kept ready."""


def guesser_of(run: str | Path, language: str) -> Guesser:
    """The parser of a trained run, which proposes programs of a language. run : its folder"""
    need("a trained parser", "train")
    from mereo.training.run import Run

    past, there = Run.open(run), benchmark_of_language(language).name
    if past.benchmark != there:
        raise BadInput(f"has learned the language of {past.benchmark}, which is not that of {there}", file=run)
    trained = sorted((path, path.stat().st_mtime_ns) for path in Path(run).glob("*/weights.pt"))
    return _guesser(str(run), language, tuple(trained))


def learned_language(run: str | Path) -> str:
    """The language of a trained run. run : its folder"""
    need("a trained parser", "train")
    from mereo.training.run import Run

    return benchmark(Run.open(run).benchmark).languages[0].name


@lru_cache(_KEPT)
def _guesser(run: str, language: str, _: tuple[tuple[Path, int], ...]) -> Guesser:
    """As it was trained last."""
    from mereo.training.proposing import proposer
    from mereo.training.run import Run

    return Guesser(run, proposer(Run.open(run), find_language(language)))
