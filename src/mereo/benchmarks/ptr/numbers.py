"""The numbers and names that PTR's scenes are made by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mereo.files import read_toml

__all__ = ["CLEAR_COLOR", "NUMBERS", "VISIBLE_OBJECT", "VISIBLE_PART", "drawn_by_weight"]

NUMBERS: dict[str, Any] = read_toml(Path(__file__).with_name("scenes.toml"))

VISIBLE_OBJECT: float = NUMBERS["view"]["object"]
"""The least share of the picture that every object covers."""
VISIBLE_PART: float = NUMBERS["view"]["part"]
"""The least share of the picture that a part must cover to be seen beyond doubt."""
CLEAR_COLOR: float = NUMBERS["view"]["color"]
"""The least share of the picture that the largest part of a name must cover for its color to be beyond doubt."""


def drawn_by_weight(weights: dict[str, float], rng: np.random.Generator) -> str:
    """One of the names, as often as their weights say."""
    names = list(weights)
    chances = np.array(list(weights.values()), float)
    return names[int(rng.choice(len(names), p=chances / chances.sum()))]
