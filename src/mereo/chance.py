"""Chance that can be repeated: every random choice follows from a seed and from what it is made for."""

from __future__ import annotations

import random
import zlib
from hashlib import blake2b

import numpy as np

__all__ = ["fast", "generator", "mark"]


def generator(seed: int, *place: str | int) -> np.random.Generator:
    """The generator for one thing, such as scene 4711 of the training split, whoever builds it and when."""
    key = [zlib.crc32(part.encode()) if isinstance(part, str) else part for part in place]
    return np.random.default_rng([seed, *key])


def fast(rng: np.random.Generator) -> random.Random:
    """A generator for inner loops: numpy's takes longer for one number than a search takes for one step."""
    return random.Random(int(rng.integers(1 << 62)))


def mark(text: str) -> int:
    """A number below 2**64 that stands for a text, the same wherever it is worked out."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
