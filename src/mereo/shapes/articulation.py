"""Parts that move: grammars hang doors and push drawers in, and whoever has the shape moves them within their range."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from mereo.errors import BadInput
from mereo.shapes.joint import Joint, Kind
from mereo.shapes.mesh import Floats
from mereo.shapes.part import Part, Shape

__all__ = ["joints", "moved", "posed", "sliding", "spinning", "turning"]

_UNITS = {"hinge": "degrees", "slide": "m", "spin": "degrees"}
_PLAY = 1e-9
"""By which a value may be out of range: sums of decimals are."""


def turning(
    part: Part, about: Sequence[float], at: Sequence[float], reach: tuple[float, float], *, stands: float = 0.0
) -> Part:
    """A part on a hinge, built at rest.

    about : the axis, of any length; turning is by the right hand
    at : a point on it, meters
    reach : the least and the greatest angle, degrees
    stands : the angle at which it is left
    """
    return _left(part, _joint("hinge", about, at, reach), stands)


def sliding(part: Part, along: Sequence[float], reach: tuple[float, float], *, stands: float = 0.0) -> Part:
    """A part on rails, built at rest.

    along : which way; reach : the least and the greatest way, meters; stands : where it is left
    """
    return _left(part, _joint("slide", along, (0.0, 0.0, 0.0), reach), stands)


def spinning(part: Part, about: Sequence[float], at: Sequence[float]) -> Part:
    """A part that turns without end: a wheel, a dial, a fan."""
    return replace(part, joint=_joint("spin", about, at, (-np.inf, np.inf)))


def moved(part: Part, matrix: Floats) -> Part:
    """A part and all below it, moved as one. matrix : (4, 4) float, a turn and a shift"""
    return replace(
        part,
        children=tuple(moved(child, matrix) for child in part.children),
        mesh=part.mesh.moved(matrix) if part.mesh else None,
        pieces=tuple(piece @ matrix[:3, :3].T + matrix[:3, 3] for piece in part.pieces),
        joint=part.joint.moved(matrix) if part.joint else None,
    )


def joints(shape: Shape) -> dict[int, Joint]:
    """The joints of a shape by the id of the part that moves."""
    return {part.id: part.joint for part in shape.parts() if part.joint is not None}


def posed(shape: Shape, values: Mapping[int, float]) -> Shape:
    """The shape with some of its parts moved; what hangs on them goes along. values : degrees or meters by part id"""
    known = joints(shape)
    for number, value in values.items():
        if number not in known:
            moving = ", ".join(map(str, known)) or "none"
            raise BadInput(f"has no joint (the parts that have one: {moving})", record=f"{shape.name}, part {number}")
        _check(known[number], value, f"{shape.name}, part {number}")
    return replace(shape, root=_posed(shape.root, values)) if values else shape


def _posed(part: Part, values: Mapping[int, float]) -> Part:
    part = replace(part, children=tuple(_posed(child, values) for child in part.children))
    if part.joint is None or part.id not in values:
        return part
    return _at(part, part.joint, values[part.id])


def _left(part: Part, joint: Joint, stands: float) -> Part:
    _check(joint, stands, part.name)
    part = replace(part, joint=joint)
    return _at(part, joint, stands) if stands else part


def _at(part: Part, joint: Joint, value: float) -> Part:
    """The part with its own joint at a value."""
    return replace(moved(part, joint.motion(value)), joint=replace(joint, at=float(value)))


def _check(joint: Joint, value: float, whose: str) -> None:
    if not (math.isfinite(value) and joint.low - _PLAY <= value <= joint.high + _PLAY):
        unit = _UNITS[joint.kind]
        raise BadInput(f"cannot be at {value:g} {unit}: it goes from {joint.low:g} to {joint.high:g}", record=whose)


def _joint(kind: Kind, axis: Sequence[float], origin: Sequence[float], reach: tuple[float, float]) -> Joint:
    length = float(np.linalg.norm(axis))
    x, y, z = (float(value) / length for value in axis)
    a, b, c = map(float, origin)
    return Joint(kind, (x, y, z), (a, b, c), float(reach[0]), float(reach[1]))
