"""Chance that can be repeated: every random choice follows from a seed and from what it is made for."""

from __future__ import annotations

import random
import zlib

import numpy as np

__all__ = ["fast", "generator"]


def generator(seed: int, *place: str | int) -> np.random.Generator:
    """The generator for one thing, such as scene 4711 of the training split, whoever builds it and when."""
    key = [zlib.crc32(part.encode()) if isinstance(part, str) else part for part in place]
    return np.random.default_rng([seed, *key])


def fast(rng: np.random.Generator) -> random.Random:
    """A generator for inner loops: numpy's takes longer for one number than a search takes for one step."""
    return random.Random(int(rng.integers(1 << 62)))
