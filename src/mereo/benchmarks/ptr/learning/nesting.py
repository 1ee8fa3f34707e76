"""Arms and backs that are made of bars: where the bars are seen, they are there, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    """What was seen, with arms and backs that take in their bars, and those besides of which only bars were seen."""
    parts = [*seen.parts]
    for number, thing in enumerate(seen.objects):
        for name, bars in _NESTING.get(str(thing.words["category"]), {}).items():
            own = [part for part in parts if part.whole == number and part.words.get("part") in (name, *bars)]
            for together in [own] if name in _SINGLE else _near(own):
                whole = next((part for part in together if part.words["part"] == name), None)
                if together and whole is None:
                    # Its color is that of bars, so it has none of its own.
                    parts.append(SeenThing(_united(together), {"part": name}, {}, number))
                elif whole is not None:
                    place = next(k for k, part in enumerate(parts) if part is whole)
                    parts[place] = replace(whole, mask=_united(together))
    return replace(seen, parts=parts)


def _near(parts: Sequence[SeenThing]) -> list[list[SeenThing]]:
    return [[parts[place] for place in together] for together in group([part.mask for part in parts])]


def _united(parts: Sequence[SeenThing]) -> Pixels:
    together: Pixels = np.any([part.mask for part in parts], 0)
    return together
