"""Turned and thrown things: hollow vessels and what fills them; `turnery.toml` has profiles.

Nothing here is cut out of anything: surfaces are skinned over rings of corners, which takes a millisecond.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mereo.shapes.joinery import Profile, Span
from mereo.shapes.mesh import Floats
from mereo.shapes.profiles import Profiles
from mereo.shapes.solids import Solid, skinned

__all__ = [
    "PROFILES",
    "Form",
    "Vessel",
    "fluted",
    "formed",
    "hoop",
    "polygonal",
    "rectangular",
    "round_form",
    "solid_of",
]

PROFILES = Profiles(Path(__file__).with_suffix(".toml"))
"""Profiles of vessels and knobs, as shares of the radius and the height."""
Form = Callable[[Floats], Floats]
"""What a vessel looks like from above: from directions in radians to the distance of the edge, 1 for a circle."""

_SEGMENTS = 32
_CLOSE = 2e-4
"""Meters: corners of a profile that are nearer to the one before are left out."""
_STRAIGHT = 0.01
"""The sine of the angle by which a profile must turn at a corner, or the corner is left out."""
_SUNK = 5e-4
"""Meters by which a filling goes into the floor below it."""


def round_form(turns: Floats) -> Floats:
    """A circle."""
    return np.ones_like(turns)


def polygonal(sides: int) -> Form:
    """A polygon with a flat side to the front, as wide as a circle between its sides and corners."""

    def form(turns: Floats) -> Floats:
        step = 2 * np.pi / sides
        off = (turns + np.pi / 2 + step / 2) % step - step / 2
        edge: Floats = (1 + np.cos(step / 2)) / 2 / np.cos(off)
        return edge

    return form


def rectangular(wide: float = 1.0, deep: float = 1.0, *, squareness: float = 6.0) -> Form:
    """A rectangle with round corners, the rounder the smaller the squareness; at 2 an ellipse."""

    def form(turns: Floats) -> Floats:
        x, y = np.abs(np.cos(turns) / wide), np.abs(np.sin(turns) / deep)
        edge: Floats = (x**squareness + y**squareness) ** (-1 / squareness)
        return edge

    return form


def fluted(count: int, depth: float) -> Form:
    """A circle with waves. depth : as a share of the radius"""

    def form(turns: Floats) -> Floats:
        edge: Floats = 1 + depth * np.cos(count * turns)
        return edge

    return form


_NAMED: dict[str, Form] = {
    "round": round_form,
    "oval": rectangular(1.25, 0.8, squareness=2),
    "square": rectangular(squareness=4.5),
    "oblong": rectangular(1.25, 0.75, squareness=5),
    "hexagonal": polygonal(6),
    "octagonal": polygonal(8),
    "ribbed": fluted(16, 0.02),
    "scalloped": fluted(8, 0.05),
    "lobed": fluted(5, 0.09),
}


def _rings(profile: Floats, form: Form, segments: int, twist: float, ease: Span | None) -> Floats:
    """(k, n, 3) float: the form at each corner of a profile; round again between the heights of `ease`."""
    turns = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    share = np.ones(len(profile)) if ease is None else np.clip((ease[1] - profile[:, 1]) / (ease[1] - ease[0]), 0, 1)
    reach = profile[:, :1] * (1 + share[:, None] * (form(turns)[None] - 1))
    angles = turns[None] + np.radians(twist) * profile[:, 1:] / max(float(profile[:, 1].max()), 1e-9)
    level = np.broadcast_to(profile[:, 1:], reach.shape)
    return np.stack([reach * np.cos(angles), reach * np.sin(angles), level], -1)


def solid_of(
    profile: Profile,
    *,
    form: Form = round_form,
    segments: int = _SEGMENTS,
    twist: float = 0.0,
    ease: Span | None = None,
) -> Solid:
    """A filled body. profile : radius and height from the foot to the top, meters"""
    corners = _apart(np.asarray(profile, np.float64))
    rings = _rings(corners, form, segments, twist, ease)
    steps = max((len(corners) - 1) // 6, 1)
    cuts = [*range(0, len(corners) - 1, steps), len(corners) - 1]
    slices = [rings[low : high + 1].reshape(-1, 3) for low, high in pairwise(cuts)]
    return Solid(skinned(rings, middles=True), tuple(part for part in slices if np.ptp(part[:, 2]) > _CLOSE))


def formed(name: str) -> Form:
    """A form by its name."""
    return _NAMED[name]


def hoop(
    profile: Profile, wall: float | Span, *, form: Form = round_form, segments: int = _SEGMENTS, sectors: int = 8
) -> Solid:
    """A wall about z, open below and above. profile : radius and height of its outside, meters

    wall : how thick it is level, or by how much its inside lies towards the axis and below
    """
    outside = np.asarray(profile, np.float64)
    everything = np.concatenate([outside, (outside - (wall if isinstance(wall, tuple) else (wall, 0.0)))[::-1]])
    rings = _rings(everything, form, segments, 0.0, None)
    pieces = []
    for k in range(len(outside) - 1):
        both = np.concatenate([rings[k : k + 2], rings[len(rings) - k - 2 : len(rings) - k]])
        pieces += [both[:, share].reshape(-1, 3) for share in _shares(segments, sectors)]
    return Solid(skinned(rings, closed=True), tuple(pieces))


def _apart(corners: Floats) -> Floats:
    """A profile without corners that nearly repeat the one before or lie on a line between their neighbors."""
    kept = [0]
    for k in range(1, len(corners)):
        if np.linalg.norm(corners[k] - corners[kept[-1]]) > _CLOSE:
            kept.append(k)
    found = corners[kept]
    before, after = found[1:-1] - found[:-2], found[2:] - found[1:-1]
    turn = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    bends = np.abs(turn) > _STRAIGHT * np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    bent = found[np.concatenate([[True], bends, [True]])]
    return np.column_stack([np.maximum(bent[:, 0], 2 * _CLOSE), bent[:, 1]])


@dataclass(frozen=True, eq=False)
class Vessel:
    """A hollow body about z, open above.

    profile : (radius, height) of the outside from the middle of the foot to the rim, meters
    """

    profile: Profile
    wall: float
    floor: float
    """The height of the floor inside."""
    form: Form = round_form
    twist: float = 0.0
    """Degrees by which the rim is turned against the foot."""
    ease: Span | None = None
    """Between which heights the form becomes round, where it does."""
    segments: int = _SEGMENTS

    def radius(self, height: float) -> float:
        """Of the outside of a round one at a height."""
        outside = np.asarray(self.profile, np.float64)
        rising = np.concatenate([[True], np.diff(outside[:, 1]) > 0])
        return float(np.interp(height, outside[rising, 1], outside[rising, 0]))

    def reach(self, height: float, degrees: float = 0.0) -> float:
        """Of the outside at a height in a direction."""
        return self.radius(height) * float(self.form(np.radians([degrees]))[0])

    def across(self, height: float, aside: float) -> float:
        """How far to the right the outside is at a height, at some distance from the plane y = 0."""
        turns = np.linspace(-1.2, 1.2, 121)
        edge = self.radius(height) * self.form(turns)
        return float(np.interp(aside, edge * np.sin(turns), edge * np.cos(turns)))

    @property
    def rim(self) -> float:
        """The height of its rim."""
        return float(np.asarray(self.profile)[-1][1])

    def inside(self) -> Floats:
        """(k, 2) float: the profile of the hollow, from the edge of the floor to the rim."""
        outside = self._outside()
        ahead = np.diff(outside, axis=0) / np.linalg.norm(np.diff(outside, axis=0), axis=1, keepdims=True)
        steps = np.concatenate([ahead[:1], ahead[:-1] + ahead[1:], ahead[-1:]])
        normals = np.stack([steps[:, 1], -steps[:, 0]], 1) / np.linalg.norm(steps, axis=1, keepdims=True)
        within = outside - self.wall * normals
        kept: list[Floats] = []
        for radius, height in within:
            if height > (kept[-1][1] if kept else self.floor) + _CLOSE and radius > 4 * _CLOSE:
                kept.append(np.array([radius, height]))
        radius = float(np.interp(self.floor, within[:, 1], within[:, 0])) if within[0, 1] < self.floor else kept[0][0]
        return np.array([(max(min(radius, kept[0][0]) - _CLOSE, 4 * _CLOSE), self.floor), *kept])

    def _outside(self) -> Floats:
        """(k, 2) float: the profile, with more corners where what is straight is to wind or to become round."""
        corners = _apart(np.asarray(self.profile, np.float64))
        step = self.rim / 16
        low, high = (-np.inf, np.inf) if self.twist else (np.inf, -np.inf)
        if self.ease is not None:
            low, high = sorted(self.ease)
            step = (high - low) / 4
        under, over = corners[:-1, 1], corners[1:, 1]
        across = (np.maximum(under, over) > low) & (np.minimum(under, over) < high)
        counts = np.where(across, np.maximum(np.abs(over - under) / step, 1), 1).astype(int)
        places = np.concatenate([k + np.arange(n) / n for k, n in enumerate(counts)] + [[len(counts)]])
        return np.stack([np.interp(places, np.arange(len(corners)), column) for column in corners.T], 1)

    def solid(self, *, sectors: int = 8) -> Solid:
        """Its walls and floor, with pieces that leave it hollow."""
        outside, inside = self._outside(), self.inside()
        edge = outside[-1] - outside[-2]
        lip = (outside[-1] + inside[-1]) / 2 + 0.35 * self.wall * edge / np.linalg.norm(edge)
        everything = np.concatenate([outside, lip[None], inside[::-1]])
        rings = _rings(everything, self.form, self.segments, self.twist, self.ease)
        outer, inner = rings[: len(outside)], rings[len(outside) + 1 :][::-1]
        pieces = [np.concatenate([outer[outside[:, 1] <= self.floor + _CLOSE].reshape(-1, 3), inner[0]])]
        for low, high in _shares_of_height(self.floor, self.rim, outside):
            walls = np.concatenate([_between(outer, outside, low, high), _between(inner, inside, low, high)])
            pieces += [walls[:, share].reshape(-1, 3) for share in _shares(self.segments, sectors)]
        return Solid(skinned(rings, middles=True), tuple(pieces))

    def filling(self, level: float, *, gap: float = 0.001, crown: float = 0.0) -> Solid:
        """What fills it up to a level, a gap away from the walls. crown : how far it is heaped in the middle"""
        inside = self.inside()
        below = inside[inside[:, 1] < level - _CLOSE]
        top = (float(np.interp(level, inside[:, 1], inside[:, 0])), level)
        body = np.array([(below[0, 0], self.floor - _SUNK), *below[1:], top]) - (gap, 0.0)
        heap = [(top[0] * np.cos(t), level + crown * np.sin(t)) for t in np.radians([25, 50, 75])] if crown else []
        profile = np.array([*body, *heap])
        return solid_of(profile, form=self.form, segments=self.segments, ease=self.ease)


def _shares(segments: int, sectors: int) -> list[NDArray[np.int64]]:
    """Which corners of a ring each sector has, the borders twice."""
    cuts = np.linspace(0, segments, sectors + 1).astype(int)
    return [np.arange(low, high + 1) % segments for low, high in pairwise(cuts)]


def _shares_of_height(floor: float, rim: float, outside: Floats) -> list[Span]:
    """At most four ranges of height, the finer where the outside has more corners."""
    heights = np.unique(outside[outside[:, 1] > floor, 1])
    cuts = [floor, *np.quantile(heights[:-1], [0.33, 0.67]), rim] if len(heights) > 4 else [floor, rim]
    return [(low, high) for low, high in pairwise(cuts) if high - low > _CLOSE]


def _between(rings: Floats, profile: Floats, low: float, high: float) -> Floats:
    """The rings between two heights, with rings drawn at the heights themselves."""
    order = np.argsort(profile[:, 1], kind="stable")
    heights, sorted_rings = profile[order, 1], rings[order]

    def at(height: float) -> Floats:
        above = int(np.clip(np.searchsorted(heights, height), 1, len(heights) - 1))
        span = heights[above] - heights[above - 1]
        share = float(np.clip((height - heights[above - 1]) / span, 0, 1)) if span > 0 else 0.0
        mixed: Floats = (1 - share) * sorted_rings[above - 1] + share * sorted_rings[above]
        return mixed

    inner = sorted_rings[(heights > low) & (heights < high)]
    return np.concatenate([at(low)[None], inner, at(high)[None]])
