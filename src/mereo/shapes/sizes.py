"""Facts of things: where they are at home, how long and heavy they are, how they rest; and in which unit a mesh is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from mereo.files import read_toml

__all__ = [
    "FILE",
    "GROUPS",
    "METERS",
    "RESTS",
    "Rest",
    "grouped",
    "groups_of",
    "likely_unit",
    "resting_of",
    "strange_size",
    "usual_length",
    "usual_weight",
]

GROUPS = {
    "furniture": "Furniture",
    "partnet": "PartNet",
    "household": "Household",
    "kitchen": "Kitchen",
    "solids": "Solids",
}
"""Where categories are at home, as people read it. A category is shown in the first that it belongs to."""
_ELSEWHERE = "Others"

Rest = Literal["stands", "lies", "hangs", "bolted"]
RESTS: tuple[Rest, ...] = get_args(Rest)
"""How a thing is kept where it is."""

METERS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254, "foot": 0.3048}
"""How long the units are that have a name, the likeliest first."""

FILE = Path(__file__).with_name("things.toml")
_ANYTHING = (0.02, 10.0)
"""Meters of the longest side of what has no row of its own."""


@cache
def _table() -> dict[str, Any]:
    return read_toml(FILE)


def _row(category: str) -> Mapping[str, Any]:
    """What is known of a category; nothing of one that somebody else brings."""
    row: Mapping[str, Any] = _table().get(category, {})
    return row


def groups_of(category: str) -> tuple[str, ...]:
    """Where a category is at home, some of `GROUPS`; nowhere if nothing is known of it."""
    return tuple(_row(category).get("groups", ()))


def grouped(categories: Iterable[str]) -> dict[str, list[str]]:
    """Categories by the group that each is shown in, as people read it; those that nothing is known of come last."""
    shown: dict[str, list[str]] = {title: [] for title in (*GROUPS.values(), _ELSEWHERE)}
    for category in categories:
        own = groups_of(category)
        shown[next((title for name, title in GROUPS.items() if name in own), _ELSEWHERE)].append(category)
    return {title: found for title, found in shown.items() if found}


def usual_length(category: str) -> tuple[float, float]:
    """The least and the most meters of the longest side of such a thing."""
    low, high = _row(category).get("longest", _ANYTHING)
    return float(low), float(high)


def usual_weight(category: str) -> tuple[float, float]:
    """The least and the most kilograms of such a thing; of what is not known, anything."""
    low, high = _row(category).get("weight", (0.0, math.inf))
    return float(low), float(high)


def resting_of(category: str) -> Rest:
    """How such a thing is kept where it is; what nothing is known of stands."""
    rest: Rest = _row(category).get("rests", "stands")
    return rest


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
