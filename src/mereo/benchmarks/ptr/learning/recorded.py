"""What was seen in a picture as the record of a scene, as far as a world is made of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.ptr.learning.axes import direction_of
from mereo.benchmarks.ptr.learning.counted import as_counted
from mereo.benchmarks.ptr.learning.levels import AXES, LEVELS, NEITHER, PARTS_OF
from mereo.benchmarks.ptr.learning.votes import named, voted
from mereo.benchmarks.ptr.numbers import NUMBERS, VISIBLE_PART
from mereo.benchmarks.ptr.world import VOCABULARY
from mereo.masks import box_of
from mereo.training.seeing import COUNTS, Seen, SeenThing

__all__ = ["record_of_seen"]

_DIRECTIONS = {
    "left": (-1.0, 0.0, 0.0),
    "right": (1.0, 0.0, 0.0),
    "front": (0.0, -1.0, 0.0),
    "behind": (0.0, 1.0, 0.0),
}
_SURFACES = {
    "ground": {"normal": (0.0, 0.0, 1.0)},
    "back wall": {"normal": (0.0, -1.0, 0.0)},
    "left wall": {"normal": (1.0, 0.0, 0.0)},
    "right wall": {"normal": (-1.0, 0.0, 0.0)},
}
_SURE = 0.5
"""What one is less sure of is not counted. Of 0.45, 0.5 and 0.55 this counted the parts of 96 rooms best."""
_BELOW = 0.3
"""Meters by which the middle of what carries an object lies below its own, at least: half of the least that occurs."""


def record_of_seen(seen: Seen) -> dict[str, Any]:
    """What was seen as the record of a scene, as far as a world is made of it."""
    height, width = seen.size
    own: list[list[tuple[int, SeenThing]]] = [[] for _ in seen.objects]
    for place, part in enumerate(seen.parts):
        if part.whole is not None:
            own[part.whole].append((place, part))
    places = np.array([thing.numbers["place"] for thing in seen.objects], float).reshape(-1, 3)
    carried = zip(seen.objects, own, _carriers(seen.objects, places), strict=True)
    return {
        "size": (width, height),
        "directions": _DIRECTIONS,
        "surfaces": _SURFACES,
        "objects": [_thing(*one, least=VISIBLE_PART * width * height) for one in carried],
    }


def _carriers(things: Sequence[SeenThing], places: NDArray[np.float64]) -> list[list[int]]:
    """For each object that which it stands on: where its support is said to be."""
    found: list[list[int]] = []
    for number, thing in enumerate(things):
        support = np.asarray(thing.numbers.get("support", np.zeros(3)), float)
        away = np.linalg.norm(places - (places[number] + support), axis=1)
        away[number] = np.inf
        stands = support[2] < -_BELOW and np.isfinite(away).any()
        found.append([int(away.argmin())] if stands else [])
    return found


def _thing(thing: SeenThing, parts: Sequence[tuple[int, SeenThing]], on: list[int], *, least: float) -> dict[str, Any]:
    words, category = thing.words, str(thing.words["category"])
    box = box_of(thing.mask) or (0, 0, 0, 0)
    sides = VOCABULARY.words("change")
    likely = thing.odds.get("change")
    changes = words.get("change") or ()
    seen: list[dict[str, Any]] = []
    faint: list[dict[str, Any]] = []
    for part in _parts(parts, category):
        (seen if part["pixels"] >= least and part["score"] >= _SURE else faint).append(part)
    if COUNTS in thing.numbers:
        counts = zip(LEVELS["part"].words["part"], thing.numbers[COUNTS].tolist(), strict=True)
        seen, faint = as_counted(seen, faint, dict(counts))
    return {
        "category": category,
        "position": tuple(map(float, thing.numbers["place"])),
        "pixel": (box[0] + box[2] / 2, box[1] + box[3] / 2, float(np.linalg.norm(thing.numbers["place"]))),
        "box": list(box),
        "on": on,
        "stability": words.get("stability"),
        "changes": changes,
        "likeliest": sides[int(np.argmax(likely))] if likely is not None else (*changes, sides[0])[0],
        "parts": seen,
        "faint": faint,
        "hidden": [],
    }


def _parts(parts: Sequence[tuple[int, SeenThing]], category: str) -> Iterator[dict[str, Any]]:
    """The parts of an object. Those of a name are painted alike, and all of them are lines or planes, or none is.

    parts : each with its place among all that were seen, which is told
    """
    level = LEVELS["part"].words
    names = [named(part, "part", level["part"], among=PARTS_OF[category]) for _, part in parts]
    for name in dict.fromkeys(name for name in names if name is not None):
        own = [one for one, its in zip(parts, names, strict=True) if its == name]
        alike = [part for _, part in own]
        color = voted(alike, "color", level["color"])
        kind = voted(alike, "geometry", level["geometry"], among=(*_possible(category, name), NEITHER))
        for place, part in own:
            yield {
                "part": name,
                "seen": place,
                "color": color if part.words.get("color") is not None else None,
                "leaves": [],
                "pixels": int(part.mask.sum()),
                "score": part.score,
                "box": list(box_of(part.mask) or (0, 0, 0, 0)),
                **_geometry(part, kind),
            }


def _geometry(part: SeenThing, kind: str | None) -> dict[str, Any]:
    """A part as the line or plane that its like are, if they are one and its axis is known."""
    axis = part.numbers.get("axis")
    if kind not in AXES or axis is None or part.words.get("geometry") is None or not np.isfinite(axis).all():
        return {}
    return {kind: {AXES[kind]: direction_of(axis)}}


def _possible(category: str, name: str) -> tuple[str, ...]:
    """Whether parts of a name of such an object can be lines, or planes."""
    return tuple(kind for kind in AXES if name in NUMBERS[f"{kind}s"].get(category, ()))
