"""What things are said to be, where more than one word or more than one thing has a say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mereo.training.seeing import SeenThing

__all__ = ["named", "voted"]


def named(thing: SeenThing, attribute: str, values: Sequence[str], *, among: Sequence[str]) -> str | None:
    """What a thing is: its own word if that is among the possible ones, else the likeliest of these; None for no word.

    values : all values, in the order of the odds
    """
    own = thing.words.get(attribute)
    if not isinstance(own, str) or own in among:
        return own if isinstance(own, str) else None
    if attribute not in thing.odds:
        return None
    return max(among, key=lambda value: float(thing.odds[attribute][values.index(value)]))


def voted(
    things: Sequence[SeenThing], attribute: str, values: Sequence[str], *, among: Sequence[str] | None = None
) -> str | None:
    """What things that are alike are together: each has a say as large as it is; None where none has a word.

    among : the values that are possible, all where none are given
    """
    votes = np.zeros(len(values))
    for thing in things:
        votes += thing.mask.sum() * _opinion(thing, attribute, values)
    possible = [values.index(value) for value in (values if among is None else among)]
    best = max(possible, key=lambda k: float(votes[k]))
    return values[best] if votes[best] > 0 else None


def _opinion(thing: SeenThing, attribute: str, values: Sequence[str]) -> NDArray[np.float64]:
    """(values,) float: how likely each is; zeros where nothing is known."""
    own = thing.words.get(attribute)
    if own is None:
        return np.zeros(len(values))
    if attribute in thing.odds:
        return np.asarray(thing.odds[attribute], np.float64)
    return np.array([float(value == own) for value in values])
