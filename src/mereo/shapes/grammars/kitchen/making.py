"""What several things of a kitchen build alike."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mereo.files import read_toml
from mereo.shapes.articulation import moved
from mereo.shapes.joint import Vector, about_axis
from mereo.shapes.mesh import Floats
from mereo.shapes.organic import level_ring, walled
from mereo.shapes.outlines import Point
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bent, tube

__all__ = ["about", "ear", "lying", "profile_of", "resampled", "smooth", "vessel"]


def smooth(profile: Sequence[Point], radius: float = 1.0, height: float = 1.0, *, rounds: int = 2) -> Floats:
    """A profile of shares in meters, its corners rounded. (k, 2) float"""
    line = bent([(r, 0.0, z) for r, z in profile], rounds=rounds)
    return line[:, ::2] * (radius, height)


@cache
def _profiles() -> dict[str, Any]:
    return read_toml(Path(__file__).with_name("profiles.toml"))


def profile_of(group: str, kind: str, radius: float, height: float) -> Floats:
    """A profile of `profiles.toml` in meters, its corners rounded. (k, 2) float"""
    shares = _profiles()[group][kind]
    return smooth(shares, radius, height, rounds=1 if len(shares) > 4 else 2)


def about(axis: Vector, degrees: float) -> Floats:
    """(4, 4) float: a turn about an axis through the origin."""
    return about_axis(axis, (0.0, 0.0, 0.0), degrees)


def lying(part: Part, degrees: float) -> Part:
    """A part tipped over backwards, by so much."""
    return moved(part, about((1.0, 0.0, 0.0), -degrees))


def resampled(profile: Floats, count: int, low: float, high: float) -> Floats:
    """A profile that only rises, by so many points between two heights. (count, 2) float"""
    heights = np.linspace(low, high, count)
    return np.stack([np.interp(heights, profile[:, 1], profile[:, 0]), heights], 1)


def vessel(
    profile: Floats,
    wall: float,
    *,
    depth: float = 1.0,
    squareness: float = 2.0,
    segments: int = 32,
    flutes: tuple[int, float] = (0, 0.0),
    floor: float | None = None,
) -> Solid:
    """A vessel open above, its floor at the start of its profile.

    profile : (k, 2) float, half its width and the height, which only rises
    depth : along y, as a share of its width
    flutes : how many, and how deep as a share of the radius
    floor : how thick, meters; as thick as the wall unless somebody says otherwise
    """
    start, end = float(profile[0, 1]), float(profile[-1, 1])
    within = resampled(profile, len(profile), start + (wall if floor is None else floor), end - 1e-4)

    grown = 1 / np.cos(np.pi / segments)  # the flats of few sides are as far out as a round wall is

    def ring(radius: float, z: float, *, less: float = 0.0) -> Floats:
        found = level_ring(
            2 * grown * (radius - less),
            2 * grown * (depth * radius - less),
            z,
            squareness=squareness,
            segments=segments,
        )
        count, deep = flutes
        if count and z > within[0, 1]:
            found[:, :2] *= 1 + deep * np.cos(count * np.arctan2(found[:, 1], found[:, 0]))[:, None]
        return found

    return walled([ring(r, z) for r, z in profile], [ring(max(r, 2 * wall), z, less=wall) for r, z in within])


def ear(top: Point, bottom: Point, reach: float, thick: float, *, square: bool = False) -> Solid:
    """A handle from one place on a wall to another, out towards +x by a reach."""
    (x, y, z), (x0, _, z0) = top, bottom
    far = max(x, x0) + reach
    path = [(x, y, z), (far, y, z + 0.05 * reach), (far, y, z0 + (0.0 if square else 0.3 * (z - z0))), (x0, y, z0)]
    return tube(bent(path, rounds=1 if square else 3), thick / 2, segments=10)
