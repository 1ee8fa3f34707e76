"""Whether a thing is as large as such things are, and in which unit it would be."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mereo.files import read_toml

__all__ = ["METERS", "likely_unit", "strange_size", "usual_length"]

METERS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254, "foot": 0.3048}
"""How long the units are that have a name, the likeliest first."""

_ANYTHING = (0.02, 10.0)
"""Meters of the longest side of what has no row of its own."""


@cache
def _table() -> dict[str, Any]:
    return read_toml(Path(__file__).with_name("things.toml"))


def usual_length(category: str) -> tuple[float, float]:
    """The least and the most meters of the longest side of such a thing."""
    low, high = _table().get(category, {}).get("longest", _ANYTHING)
    return low, high


def likely_unit(length: float, category: str) -> str | None:
    """The unit in which a longest side would be usual: a metric one if any, the nearest to the middle of what is usual.

    length : in the unknown unit
    """
    low, high = usual_length(category)
    fitting = [name for name, meters in METERS.items() if low <= length * meters <= high]
    metric = [name for name in fitting if name in ("m", "cm", "mm")]
    return min(
        metric or fitting, key=lambda name: abs(np.log(length * METERS[name] / np.sqrt(low * high))), default=None
    )


def strange_size(length: float, category: str, *, meters: float) -> str | None:
    """What to say of a thing whose longest side no such thing has; nothing where it is usual.

    length : meters
    meters : how many of them one unit of the file was taken for
    """
    low, high = usual_length(category)
    if low <= length <= high:
        return None
    unit = likely_unit(length / meters, category)
    hint = f'; with units = "{unit}" it would be {length / meters * METERS[unit]:.2g} m' if unit else ""
    return f"is {length:.3g} m long, and a {category} is {low:g} to {high:g} m{hint}"
