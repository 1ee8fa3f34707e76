"""Physical facts of shapes: what they weigh, where their weight lies, and the convex pieces that they collide with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mereo.errors import BadInput, MissingExtra, UnknownName
from mereo.files import read_toml
from mereo.shapes.label_pattern import fits
from mereo.shapes.mesh import Floats, Mesh
from mereo.shapes.part import Part, Shape

__all__ = [
    "CollisionPiece",
    "MassProperties",
    "Material",
    "Substance",
    "all_materials",
    "collision_pieces",
    "friction_of",
    "mass_of",
    "material_of",
    "rolls",
    "substance_of",
]

_FILE = Path(__file__).with_name("materials.toml")

_NEGLIGIBLE = 0.01
"""Pieces are always joined where that adds less than this share of the leaf's volume."""
_NEIGHBORS = 8
"""With how many of the nearest pieces a piece may be joined."""
_FLAW = 1e-4
"""Meters: corners that stick out by less are left out."""


class Material(NamedTuple):
    """What a part is made of."""

    name: str
    density: float
    """Kilograms per cubic meter of the matter itself."""
    friction: float
    """The coefficient of sliding friction."""
    wall: float
    """Meters: a body thicker than this is hollow, with walls of this thickness; infinite where bodies are solid."""


class MassProperties(NamedTuple):
    """How a shape's weight is spread.

    mass : kilograms
    center : (3,) float, the center of mass, shape's frame, meters
    inertia : (3, 3) float, about the center of mass, along the shape's axes, kilogram square meters
    """

    mass: float
    center: Floats
    inertia: Floats


class CollisionPiece(NamedTuple):
    """A convex body that stands for a leaf, or for some of it, when things collide.

    leaf : the place of its leaf in `shape.leaves()`
    corners : (k, 3) float, its hull's corners, shape's frame, meters
    """

    leaf: int
    corners: Floats


class Substance(NamedTuple):
    """What a shape is to physics.

    mass : how its weight is spread
    corners : (n, 3) float, the corners of all convex pieces, one after another, shape's frame, meters
    counts : how many corners each piece has
    friction : the coefficient of sliding friction of each piece
    rolls : whether each piece belongs to a wheel
    """

    mass: MassProperties
    corners: Floats
    counts: Sequence[int]
    friction: Sequence[float]
    rolls: Sequence[bool]


def substance_of(shape: Shape) -> Substance:
    """What a shape is to physics, each part of its usual material."""
    leaves, pieces = shape.leaves(), collision_pieces(shape)
    return Substance(
        mass_of(shape),
        np.concatenate([piece.corners for piece in pieces]),
        tuple(len(piece.corners) for piece in pieces),
        tuple(friction_of(leaves[piece.leaf]) for piece in pieces),
        tuple(rolls(leaves[piece.leaf]) for piece in pieces),
    )


@cache
def all_materials() -> dict[str, Material]:
    """Every material by name."""
    table = read_toml(_FILE)["materials"]
    return {
        name: Material(name, row["density"], row["friction"], row.get("wall", np.inf)) for name, row in table.items()
    }


def material_of(leaf: Part) -> Material:
    """What a leaf is made of: what its maker chose, or what is usual, judged by its label and its thickness."""
    if leaf.material:
        return _named(leaf.material)
    row = next(row for row in _usual() if _is_for(leaf, row))
    material = _named(row["material"])
    return material._replace(wall=row["wall"]) if "wall" in row else material


def rolls(leaf: Part) -> bool:
    """Whether a leaf is a wheel, judged by its label."""
    return any(fits(leaf.label, pattern) for pattern in _rolling()["label"])


def friction_of(leaf: Part) -> float:
    """The coefficient of friction with which a leaf holds on to what it touches; a wheel hardly does."""
    return float(_rolling()["friction"]) if rolls(leaf) else material_of(leaf).friction


def mass_of(shape: Shape, materials: Mapping[int, str] | None = None) -> MassProperties:
    """What a shape weighs, leaf by leaf; what two leaves share where they run into each other is weighed twice.

    materials : by leaf id, the names of materials that are not the usual ones

    A hollow body is taken as lighter matter all through: its mass is right, its inertia a little too small.
    """
    chosen = materials or {}
    masses, centers, spreads = [], [], []
    for leaf in shape.leaves():
        assert leaf.mesh is not None
        material = _named(chosen[leaf.id]) if leaf.id in chosen else material_of(leaf)
        volume, center, spread = _moments(leaf)
        matter = min(volume, material.wall * float(leaf.mesh.face_areas().sum()))
        masses.append(material.density * matter)
        centers.append(center)
        spreads.append(spread / volume)
    mass = np.array(masses)
    middle = mass @ np.array(centers) / mass.sum()
    away = np.array(centers) - middle
    spread = np.einsum("n,nij->ij", mass, np.array(spreads)) + np.einsum("n,ni,nj->ij", mass, away, away)
    return MassProperties(float(mass.sum()), middle, np.trace(spread) * np.eye(3) - spread)


def _moments(leaf: Part) -> tuple[float, Floats, Floats]:
    """Volume, centroid, and the (3, 3) integral of offset times offset from the centroid over the volume."""
    assert leaf.mesh is not None
    near = leaf.mesh.vertices.mean(0)  # tetrahedra from a point close by lose no digits
    a, b, c = np.moveaxis(_enclosing(leaf) - near, 1, 0)
    volumes = np.einsum("ni,ni->n", a, np.cross(b, c)) / 6
    volume = float(volumes.sum())
    if not volume > 0:
        raise BadInput("encloses no volume, so it has no mass", record=f"part {leaf.id} ({leaf.label})")
    corners = np.stack([a, b, c, a + b + c])
    center = volumes @ corners[3] / 4 / volume
    spread = np.einsum("n,kni,knj->ij", volumes, corners, corners) / 20 - volume * np.outer(center, center)
    return volume, near + center, spread


def _enclosing(leaf: Part) -> Floats:
    """Triangles around what a leaf fills: its own where it is closed, else its convex pieces'. (m, 3, 3) float"""
    assert leaf.mesh is not None
    if _is_filled(leaf):
        return leaf.mesh.triangles
    return np.concatenate([_Hull.of(piece).triangles for piece in leaf.pieces])


def _is_filled(leaf: Part) -> bool:
    """Whether a leaf's own mesh says what it fills. Some that are brought in are open."""
    return leaf.mesh is not None and (not leaf.pieces or (leaf.mesh.volume() > 0 and _is_closed(leaf.mesh)))


def _is_closed(mesh: Mesh) -> bool:
    """Whether a mesh encloses something, also if every face brings corners of its own."""
    if mesh.is_watertight():
        return True
    _, number = np.unique(mesh.vertices, axis=0, return_inverse=True)
    return Mesh.of(mesh.vertices, number.reshape(-1)[mesh.faces]).is_watertight()


def _named(name: str) -> Material:
    known = all_materials()
    if name not in known:
        raise UnknownName("material", name, known)
    return known[name]


@cache
def _usual() -> tuple[dict[str, Any], ...]:
    return tuple(read_toml(_FILE)["parts"])


@cache
def _rolling() -> dict[str, Any]:
    rows: dict[str, Any] = read_toml(_FILE)["rolling"]
    return rows


def _is_for(leaf: Part, row: Mapping[str, Any]) -> bool:
    if not any(fits(leaf.label, pattern) for pattern in row["label"]):
        return False
    return "thicker" not in row or _thickness(leaf) > row["thicker"]


def _thickness(leaf: Part) -> float:
    """The mean thickness of a body if it were a board, meters; none without a mesh."""
    if leaf.mesh is None:
        return 0.0
    volume = leaf.mesh.volume() if _is_filled(leaf) else sum(_Hull.of(piece).volume for piece in leaf.pieces)
    return 2 * volume / float(leaf.mesh.face_areas().sum())


def collision_pieces(shape: Shape, *, most: int = 6, corners: int = 64) -> list[CollisionPiece]:
    """Convex pieces of all leaves, at least one for each; a chair has about twenty.

    most : of one leaf; what has more is joined where that adds the least volume
    corners : of one piece; what has more lies within its true hull, by as little as possible
    """
    if most < 1 or corners < 4:
        raise BadInput(f"a leaf needs at least 1 piece of at least 4 corners, not {most} of {corners}")
    found = []
    for place, leaf in enumerate(shape.leaves()):
        assert leaf.mesh is not None
        hulls = [_Hull.of(piece) for piece in leaf.pieces]
        solid = [hull for hull in hulls if hull.volume > 0] or [_Hull.of(leaf.mesh.vertices)]
        found += [CollisionPiece(place, _few_corners(hull.corners, corners)) for hull in _joined(solid, most)]
    return found


class _Hull(NamedTuple):
    """A convex body by its corners, (k, 3) float, and the triangles between them, (m, 3, 3) float."""

    corners: Floats
    triangles: Floats
    volume: float

    @staticmethod
    def of(points: Floats) -> _Hull:
        """The body around points; without volume or corners if they lie in a plane."""
        try:
            from manifold3d import Manifold
        except ImportError:
            raise MissingExtra("finding convex pieces", "scenes") from None
        body = Manifold.hull_points(np.ascontiguousarray(points, np.float64))
        mesh = body.to_mesh64()
        corners = np.array(mesh.vert_properties, np.float64)[:, :3]
        return _Hull(corners, corners[np.asarray(mesh.tri_verts)], float(body.volume()))


def _joined(hulls: Sequence[_Hull], most: int) -> list[_Hull]:
    """The same or fewer pieces, joined pair by pair, the cheapest first."""
    pieces = dict(enumerate(hulls))
    allowed = _NEGLIGIBLE * sum(hull.volume for hull in hulls)

    def union(one: int, other: int) -> tuple[float, _Hull]:
        hull = _Hull.of(np.concatenate([pieces[one].corners, pieces[other].corners]))
        return hull.volume - pieces[one].volume - pieces[other].volume, hull

    unions = {pair: union(*pair) for pair in _neighbors(hulls)}
    while unions:
        one, other = min(unions, key=lambda pair: (unions[pair][0], pair))
        cost, hull = unions[one, other]
        if cost > allowed and len(pieces) <= most:
            break
        near = sorted({each for pair in unions if {one, other} & set(pair) for each in pair} - {one, other})
        unions = {pair: value for pair, value in unions.items() if not {one, other} & set(pair)}
        number = max(pieces) + 1
        del pieces[one], pieces[other]
        pieces[number] = hull
        unions |= {(each, number): union(each, number) for each in near}
    return list(pieces.values())


def _neighbors(hulls: Sequence[_Hull]) -> list[tuple[int, int]]:
    """Pairs of pieces worth joining: all of them if they are few, else those close to each other."""
    if len(hulls) <= 2 * _NEIGHBORS:
        return list(combinations(range(len(hulls)), 2))
    middles = np.array([hull.corners.mean(0) for hull in hulls])
    nearest = np.linalg.norm(middles[:, None] - middles[None], axis=-1).argsort(1, kind="stable")[:, 1 : _NEIGHBORS + 1]
    pairs = {(min(one, other), max(one, other)) for one, row in enumerate(nearest.tolist()) for other in row}
    return sorted(pair for pair in pairs if pair[0] != pair[1])  # of two in one place, either may come first


def _few_corners(points: Floats, most: int) -> Floats:
    """At most so many of a convex body's corners: the outermost along the axes, then what sticks out farthest."""
    if len(points) <= most:
        return points
    chosen = list(dict.fromkeys([*points.argmin(0).tolist(), *points.argmax(0).tolist()]))[:most]
    while len(chosen) < most:
        several = max(1, (most - len(chosen)) // 3)  # one at a time would be best, and slow
        outermost = [each for each in _outermost(points, points[chosen]) if each not in chosen][:several]
        if not outermost:
            break
        chosen += outermost
    kept: Floats = points[np.sort(chosen)]
    return kept


def _outermost(points: Floats, corners: Floats) -> list[int]:
    """The point farthest above each side of the corners' hull, the farthest first; where they are flat, beside them."""
    triangles = _Hull.of(corners).triangles
    if not len(triangles):
        return [int(np.linalg.norm(points[:, None] - corners[None], axis=-1).min(1).argmax())]
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    sizes = np.linalg.norm(normals, axis=1)
    triangles, normals = triangles[sizes > 0], normals[sizes > 0] / sizes[sizes > 0, None]
    heights = points @ normals.T - np.einsum("ni,ni->n", normals, triangles[:, 0])
    tops, most = heights.argmax(0), heights.max(0)
    order = np.argsort(-most, kind="stable")
    return list(dict.fromkeys(tops[order[most[order] > _FLAW]].tolist()))
