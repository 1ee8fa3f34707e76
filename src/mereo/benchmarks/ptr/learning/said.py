"""What a network says of a thing, odds and numbers, as a thing that was seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.ptr.learning.levels import LEVELS, NEITHER
from mereo.masks import Pixels
from mereo.training.seeing import SeenThing

__all__ = ["ABSENT", "seen_thing"]

ABSENT = {"geometry": LEVELS["part"].words["geometry"].index(NEITHER)}
"""By attribute the number of the value that stands for none."""


def seen_thing(
    level: str, mask: Pixels, said: Mapping[str, NDArray[Any]], *, whole: int | None = None, score: float = 1.0
) -> SeenThing:
    """A thing that is what is likeliest. said : by attribute how likely each of its values is, by name numbers"""
    own = LEVELS[level]
    words: dict[str, str | tuple[str, ...] | None] = {
        name: values[int(np.argmax(said[name]))] for name, values in own.words.items() if name in said
    }
    for name, values in own.several.items():
        if name in said:
            words[name] = tuple(value for value, odds in zip(values, said[name], strict=True) if odds > 0.5)
    odds = {name: np.asarray(said[name], np.float32) for name in (*own.words, *own.several) if name in said}
    numbers = {name: np.asarray(said[name], np.float32) for name in own.numbers if name in said}
    return SeenThing(mask, words, numbers, whole, score, odds)
