"""Which answers are given for which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

__all__ = ["Confusion", "confusion"]

_MOST = 400


class Confusion(msgspec.Struct, frozen=True, array_like=True):
    """How often one answer was given where another is right; the empty text stands for none."""

    truth: str
    said: str
    count: int


def confusion(truth: Sequence[str], said: Sequence[str]) -> list[Confusion]:
    """The most frequent pairs, right ones included, the most frequent first."""
    pairs = Counter(zip(truth, said, strict=True))
    ranked = sorted(pairs.items(), key=lambda pair: (-pair[1], pair[0]))
    return [Confusion(*pair, count) for pair, count in ranked[:_MOST]]
