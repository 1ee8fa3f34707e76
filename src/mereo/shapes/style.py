"""Style: the choices and numbers that make one design of a category, and the small play of its instances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

__all__ = ["Style"]

_PLAY = 0.04
"""How far an instance's number may lie from that of its family, as a share of it."""


class Style:
    """Draws whatever a grammar leaves open. A family fixes it all but for a little play in the numbers."""

    def __init__(self, family: np.random.Generator, instance: np.random.Generator):
        self._family, self._instance = family, instance
        self.choices: dict[str, Any] = {}
        """Everything that was chosen, by name."""

    def number(self, name: str, low: float, high: float) -> float:
        """A length, angle or share between two bounds."""
        drawn = self._family.uniform(low, high) * (1 + _PLAY * self._instance.uniform(-1, 1))
        return float(self._kept(name, float(np.clip(drawn, min(low, high), max(low, high)))))

    def count(self, name: str, low: int, high: int) -> int:
        """How many, both bounds included."""
        return int(self._kept(name, int(self._family.integers(low, high + 1))))

    def maybe(self, name: str, probability: float) -> bool:
        """Whether there is one."""
        return bool(self._kept(name, bool(self._family.random() < probability)))

    def pick(self, name: str, options: Mapping[str, float]) -> str:
        """One of several, by weight."""
        names, weights = list(options), np.array(list(options.values()), float)
        return str(self._kept(name, names[int(self._family.choice(len(names), p=weights / weights.sum()))]))

    def _kept(self, name: str, value: Any) -> Any:
        if name in self.choices:
            raise ValueError(f"the grammar chooses {name} twice")
        self.choices[name] = value
        return value
