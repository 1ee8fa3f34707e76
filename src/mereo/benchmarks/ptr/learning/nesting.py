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
from mereo.training.seeing import Seen, SeenThing

__all__ = ["with_wholes"]

_NESTING: Mapping[str, Mapping[str, Sequence[str]]] = read_toml(Path(__file__).with_name("nesting.toml"))
_SINGLE = frozenset(WORDS["speech"]["single"])


def with_wholes(seen: Seen) -> Seen:
    """What was seen, and the parts that are made of parts that were seen and have not been seen themselves."""
    more = []
    for number, thing in enumerate(seen.objects):
        own = [part for part in seen.parts if part.whole == number]
        for name, bars in _NESTING.get(str(thing.words["category"]), {}).items():
            if not any(part.words.get("part") == name for part in own):
                more += _made_of(name, [part for part in own if part.words.get("part") in bars])
    return replace(seen, parts=[*seen.parts, *more])


def _made_of(name: str, bars: Sequence[SeenThing]) -> Iterator[SeenThing]:
    """What bars make up: near each other one, or all of them together. It has the colors of bars, so none of its own."""
    masks = [part.mask for part in bars]
    every = [[*range(len(bars))]] if bars else []
    for together in every if name in _SINGLE else group(masks):
        mask: Pixels = np.any([masks[place] for place in together], 0)
        yield SeenThing(mask, {"part": name}, {}, bars[0].whole)
