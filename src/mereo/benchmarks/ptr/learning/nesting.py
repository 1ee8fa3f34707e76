"""Arms and backs that are made of bars: where the bars are seen, they are there, too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from mereo.benchmarks.ptr.learning.chain import group
from mereo.benchmarks.ptr.world import WORDS
from mereo.files import read_toml
from mereo.masks import Pixels
from mereo.training.seeing import SeenThing

__all__ = ["with_wholes"]

_NESTING: Mapping[str, Mapping[str, Sequence[str]]] = read_toml(Path(__file__).with_name("nesting.toml"))
_SINGLE = frozenset(WORDS["speech"]["single"])


def with_wholes(category: str, parts: Sequence[SeenThing]) -> list[SeenThing]:
    """The parts of an object, and those that are made of some of them and were not seen."""
    found = [*parts]
    for name, bars in _NESTING.get(category, {}).items():
        inner = [part for part in parts if part.words.get("part") in bars]
        outer = [part for part in parts if part.words.get("part") == name]
        found += _missing(name, inner, outer)
    return found


def _missing(name: str, inner: Sequence[SeenThing], outer: Sequence[SeenThing]) -> Iterator[SeenThing]:
    """What bars make up, near each other, unless it was seen. Its color is that of bars, so it has none of its own."""
    known = {"part": name, "color": None, "geometry": None}
    if name in _SINGLE:
        if inner and not outer:
            yield replace(inner[0], mask=_united([part.mask for part in inner]), words=known, numbers={}, odds={})
        return
    for together in group([part.mask for part in (*outer, *inner)]):
        if min(together) >= len(outer):
            own = [inner[place - len(outer)] for place in together]
            yield replace(own[0], mask=_united([part.mask for part in own]), words=known, numbers={}, odds={})


def _united(masks: Sequence[Pixels]) -> Pixels:
    together: Pixels = np.any(masks, 0)
    return together
