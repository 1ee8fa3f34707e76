"""Lines and planes of what was seen, as the shapes have them that it is rebuilt from.

What tells the axis of a part from its pixels errs in every part anew. In a shape all parts lie exactly to each other,
so only how the object is turned can be wrong; and what was told of the object and of all its parts agrees on that
better than any of it is right alone. But whether a part is thin enough to be a line is seen better than it is taken
from a shape that is merely near.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from mereo.benchmarks.ptr.learning.axes import direction_of, unsigned
from mereo.benchmarks.ptr.learning.levels import AXES, LEVELS, NEITHER, PARTS_OF
from mereo.benchmarks.ptr.learning.rebuild.fitting import fitting
from mereo.benchmarks.ptr.learning.rebuild.library import library
from mereo.benchmarks.ptr.learning.rebuild.posed import turn_of
from mereo.benchmarks.ptr.learning.rebuild.room import Sighted
from mereo.benchmarks.ptr.learning.rebuild.solid import sighted
from mereo.benchmarks.ptr.learning.rebuild.standing import straightened
from mereo.benchmarks.ptr.learning.votes import named
from mereo.benchmarks.ptr.record import geometry_of
from mereo.scenes.scene import ShapeRef
from mereo.shapes.geometry import Line, Plane
from mereo.shapes.mesh import Floats
from mereo.training.seeing import Seen, SeenThing

__all__ = ["agreed_turn", "with_axes", "with_posed_axes"]

_WHOLE = 3.0
"""What each axis of an object counts against that of one part, where it is asked how the object is turned."""
_ROUNDS = 3
"""How often parts are matched anew with those of the shape, once it is known better how the object is turned."""

Straight = Mapping[str, Sequence[Line | Plane]]
"""By name of parts the lines or planes that they are, the shape's own frame."""


def with_axes(seen: Seen, *, alone: bool = False) -> Seen:
    """What was seen, with the axes of rebuilt parts: of those of its name, a part has the one nearest to its own.

    alone : whether what was told of parts is left out: the object alone tells how it is turned, and the shape also what
        is a line, what a plane and what is neither
    """
    if not seen.objects:
        return seen
    parts = [*seen.parts]
    for number, thing in enumerate(sighted(seen)[0]):
        own = [place for place, part in enumerate(parts) if part.whole == number]
        told = _as_rebuilt(thing, [parts[place] for place in own], alone=alone)
        for place, part in zip(own, told, strict=True):
            parts[place] = part
    return replace(seen, parts=parts)


def with_posed_axes(seen: Seen) -> Seen:
    """What was seen, with the axes of parts as they are in their objects, turned as these are."""
    turns = [turn_of(thing.words, thing.numbers.get("tilt")) for thing in seen.objects]
    return replace(seen, parts=[_posed(part, turns) for part in seen.parts])


def _posed(part: SeenThing, turns: Sequence[Floats]) -> SeenThing:
    own = part.numbers.get("own_axis")
    if part.whole is None or own is None or not np.isfinite(own).all():
        return part
    return replace(part, numbers={**part.numbers, "axis": unsigned(turns[part.whole] @ direction_of(own))})


def _as_rebuilt(thing: Sighted, parts: Sequence[SeenThing], *, alone: bool) -> list[SeenThing]:
    straight = _straight_parts(fitting(thing.outline, library(thing.category)).reference)
    names = [named(part, "part", LEVELS["part"].words["part"], among=PARTS_OF[thing.category]) for part in parts]
    alike = [straight.get(name or "", ()) for name in names]
    if alone:
        parts = [_of_kind(part, like) for part, like in zip(parts, alike, strict=True)]
    axes = [[one.axis for one in like] for like in alike]
    known = [_axis(part) for part in parts]
    told = [(near, own) for near, own in zip(axes, known, strict=True) if near and own is not None]
    turn = straightened(thing.turn if alone else agreed_turn(thing.turn, told))
    found = []
    for part, near, own in zip(parts, axes, known, strict=True):
        axis = _nearest([turn @ one for one in near], own) if near else None
        numbers = part.numbers if axis is None else {**part.numbers, "axis": unsigned(axis)}
        found.append(replace(part, numbers=numbers))
    return found


def _straight_parts(reference: ShapeRef) -> Straight:
    return {name: [*each.values()] for name, each in geometry_of(reference).items() if each}


def _of_kind(part: SeenThing, alike: Sequence[Line | Plane]) -> SeenThing:
    """A part as the line or plane that those of its name are, or as neither."""
    kind = type(alike[0]).__name__.lower() if alike else NEITHER
    odds = {name: one for name, one in part.odds.items() if name != "geometry"}
    return replace(part, words={**part.words, "geometry": kind}, odds=odds)


def _axis(part: SeenThing) -> Floats | None:
    """(3,) float: the axis that was told of a part, if it is one that has any."""
    told = part.numbers.get("axis")
    if part.words.get("geometry") not in AXES or told is None or not np.isfinite(told).all():
        return None
    return direction_of(told)


def agreed_turn(turn: Floats, told: Sequence[tuple[Sequence[Floats], Floats]]) -> Floats:
    """(3, 3) float: how an object is turned, by what was told of it and of the axes of its parts.

    told : for each part the axes (3,) that it may have in the object's own frame, and the one it was seen to have
    """
    from scipy.spatial.transform import Rotation

    best = turn
    for _ in range(_ROUNDS):
        nearest = [_nearest([best @ one for one in near], own) for near, own in told]
        signed = [own if axis @ own > 0 else -own for axis, (_, own) in zip(nearest, told, strict=True)]
        weights = [*[_WHOLE] * 3, *[1.0] * len(told)]
        there, here = [*turn.T, *signed], [*np.eye(3), *(best.T @ axis for axis in nearest)]
        best = Rotation.align_vectors(there, here, weights=weights)[0].as_matrix()
    return best


def _nearest(axes: Sequence[Floats], own: Floats | None) -> Floats:
    """The axis at the smallest angle to another, since neither has a sign; the first where there is no other."""
    return axes[0] if own is None else max(axes, key=lambda axis: abs(float(axis @ own)))
