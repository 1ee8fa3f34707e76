"""Proposed parts of a shape, to be taken over one by one as ordinary actions.

Whoever proposes has points with parts: a network that was shown points of the shape itself, or shapes of a grammar that
look like it. Points on every piece ask the nearest of those which part they are, and most of them decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.annotation.geometry.places import Place, child_places, of_one_kind, places_of, ranked
from mereo.chance import generator
from mereo.errors import BadInput
from mereo.shapes.grammar import make_shape
from mereo.shapes.mesh import Floats, Mesh
from mereo.shapes.points import sample_mesh, sample_points
from mereo.shapes.template import AndOrTemplate, template_of

__all__ = ["Instances", "Proposed", "from_grammar", "from_instances"]

Ints = NDArray[np.int64]

_OF_PIECE, _OF_ALL = 24, 4_000
"""How many points ask for each piece, and for all of them together by their area."""
_OF_VOTER = 2_000
_SAMPLES, _VOTERS = 60, 3
"""How many shapes of a grammar are looked at, and how many of them vote."""
_FAVOR = 4
"""With which power of nearness votes weigh: chairs of the same design are nearer by little, and right by far."""


class Proposed(NamedTuple):
    """A proposed part."""

    label: str
    """The path of names from the root."""
    pieces: tuple[int, ...]
    confidence: float
    """Between 0 and 1: how much of its pieces' points agree, and how sure whoever proposed it is."""
    place: Place
    """By step of the label which of the parts of that name it is, from 1: the second arm's first panel."""


class Instances(NamedTuple):
    """Points of a shape, and the parts that they were said to be of.

    points : (n, 3) float, z up and front towards -y, at any size and place
    masks : (k, n) bool
    labels : the label path of each mask
    confidence : (k,) float
    """

    points: Floats
    masks: NDArray[np.bool_]
    labels: Sequence[str]
    confidence: Floats


def from_instances(
    pieces: Mapping[int, Mesh], said: Instances, template: AndOrTemplate, *, rng: np.random.Generator
) -> list[Proposed]:
    """The parts that a network saw: each piece is of the one that most of its points are of, if it is of any."""
    asking, owner = _asking(pieces, rng)
    sure = np.where(said.masks, said.confidence[:, None], -np.inf)
    best = sure.argmax(0) if len(sure) else np.zeros(len(said.points), np.int64)
    part = np.where(said.masks.any(0), best, -1)
    votes = np.zeros((len(pieces), len(said.labels) + 1))
    np.add.at(votes, (owner, part[_nearest(_fitted(said.points, asking), asking)]), 1.0)
    votes /= votes.sum(1, keepdims=True)
    weights = dict.fromkeys(said.labels, 0.0)
    for column, label in enumerate(said.labels):
        weights[label] += float(votes[:, column].sum())
    kept = of_one_kind(weights, template)
    votes[:, [column for column, label in enumerate(said.labels) if label not in kept]] = 0.0
    places = places_of(said.labels, template)
    found: dict[int, list[tuple[int, float]]] = {}
    for row, piece in enumerate(pieces):
        chosen = int(votes[row].argmax())
        if chosen < len(said.labels) and votes[row, chosen] > 0:
            found.setdefault(chosen, []).append((piece, float(votes[row, chosen])))
    proposed = [
        _proposed(said.labels[chosen], places[chosen], own, min(max(float(said.confidence[chosen]), 0.0), 1.0))
        for chosen, own in sorted(found.items())
    ]
    return _in_order(proposed)


def from_grammar(
    category: str,
    pieces: Mapping[int, Mesh],
    *,
    rng: np.random.Generator,
    samples: int = _SAMPLES,
    voters: int = _VOTERS,
) -> list[Proposed]:
    """What the shapes of a grammar that are nearest to this one, once they fill the same box, say of each piece.

    samples : how many shapes are looked at; voters : how many of them vote, the nearer the more
    """
    asking, owner = _asking(pieces, rng)
    known = [voter._replace(points=_filling(voter.points, asking)) for voter in _voters(category, samples)]
    apart = np.array([_chamfer(asking, voter.points) for voter in known])
    chosen = np.argsort(apart, kind="stable")[:voters]
    weights = 1.0 / np.maximum(apart[chosen], 1e-3 * float(np.ptp(asking, axis=0).max())) ** _FAVOR
    ballots: list[dict[tuple[str, Place], float]] = [{} for _ in pieces]
    for voter, weight in zip((known[place] for place in chosen), weights / weights.sum(), strict=True):
        leaf = voter.leaf[_nearest(voter.points, asking)]
        for ballot, own in zip(ballots, np.split(leaf, np.flatnonzero(np.diff(owner)) + 1), strict=True):
            for number, count in zip(*np.unique(own, return_counts=True), strict=True):
                part = (voter.labels[number], voter.places[number])
                ballot[part] = ballot.get(part, 0.0) + float(weight) * int(count) / len(own)
    total: dict[str, float] = {}
    for ballot in ballots:
        total = _by_label(ballot, total)
    kept = of_one_kind(total, template_of(category))
    found: dict[tuple[str, Place], list[tuple[int, float]]] = {}
    for piece, ballot in zip(pieces, ballots, strict=True):
        shares = {label: share for label, share in _by_label(ballot, {}).items() if label in kept}
        if shares:
            label = max(shares, key=lambda name: shares[name])
            part = max((one for one in ballot if one[0] == label), key=lambda one: ballot[one])
            found.setdefault(part, []).append((piece, shares[label]))
    return _in_order([_proposed(label, place, own, 1.0) for (label, place), own in found.items()])


def _by_label(ballot: Mapping[tuple[str, Place], float], before: Mapping[str, float]) -> dict[str, float]:
    """What is for each label, whichever of its parts it is, added to what was before."""
    found = dict(before)
    for (label, _), share in ballot.items():
        found[label] = found.get(label, 0.0) + share
    return found


def _proposed(label: str, place: Place, own: Sequence[tuple[int, float]], sure: float) -> Proposed:
    agreed = float(np.mean([share for _, share in own]))
    return Proposed(label, tuple(piece for piece, _ in own), min(sure * agreed, 1.0), place)


def _in_order(proposed: Sequence[Proposed]) -> list[Proposed]:
    """By label and place, with places counted anew, since not all parts of whoever proposed got a piece."""
    places = ranked([(one.label, one.place) for one in proposed])
    renewed = [one._replace(place=place) for one, place in zip(proposed, places, strict=True)]
    return sorted(renewed, key=lambda one: (one.label, one.place))


def _asking(pieces: Mapping[int, Mesh], rng: np.random.Generator) -> tuple[Floats, Ints]:
    """Points on all pieces, (n, 3) float, and for each the row of its piece, (n,) int in order."""
    if not pieces:
        raise BadInput("there are no pieces to propose parts for")
    areas = [float(mesh.face_areas().sum()) for mesh in pieces.values()]
    counts = [_OF_PIECE + int(_OF_ALL * area / (sum(areas) or 1.0)) for area in areas]
    flat = [mesh.vertices[:1].repeat(count, 0) for mesh, count in zip(pieces.values(), counts, strict=True)]
    drawn = [
        sample_mesh(mesh, count, rng).points if area > 0 else instead
        for mesh, count, area, instead in zip(pieces.values(), counts, areas, flat, strict=True)
    ]
    return np.concatenate(drawn), np.repeat(np.arange(len(counts)), counts)


def _nearest(points: Floats, asking: Floats) -> Ints:
    """For each of some points which of others is nearest. points : (n, 3) float; asking : (m, 3) float; (m,) int"""
    from scipy.spatial import cKDTree

    found: Ints = cKDTree(points).query(asking)[1].astype(np.int64)
    return found


def _chamfer(one: Floats, other: Floats) -> float:
    """How far points of two clouds are from the other cloud, on average."""
    from scipy.spatial import cKDTree

    return float(cKDTree(other).query(one)[0].mean() + cKDTree(one).query(other)[0].mean())


def _fitted(points: Floats, onto: Floats) -> Floats:
    """Points moved and scaled, by the same along all axes, to the box around others."""
    (low, high), (bottom, top) = ((cloud.min(0), cloud.max(0)) for cloud in (points, onto))
    scale = float(np.linalg.norm(top - bottom)) / (float(np.linalg.norm(high - low)) or 1.0)
    fitted: Floats = (points - (low + high) / 2) * scale + (bottom + top) / 2
    return fitted


def _filling(points: Floats, onto: Floats) -> Floats:
    """Points moved and scaled along each axis to fill the box around others."""
    (low, high), (bottom, top) = ((cloud.min(0), cloud.max(0)) for cloud in (points, onto))
    filling: Floats = (points - low) / np.maximum(high - low, 1e-12) * (top - bottom) + bottom
    return filling


class _Voter(NamedTuple):
    """A shape of a grammar: points with the places of their leaves, and what the leaves are."""

    points: Floats
    leaf: Ints
    labels: tuple[str, ...]
    places: tuple[Place, ...]


@lru_cache(maxsize=8)
def _voters(category: str, samples: int) -> tuple[_Voter, ...]:
    return tuple(_voter(category, family) for family in range(samples))


def _voter(category: str, family: int) -> _Voter:
    shape = make_shape(category, seed=0, family=family)
    drawn = sample_points(shape, _OF_VOTER, generator(0, "proposals", category, family))
    leaves = [(part.label, place) for part, place in child_places(shape.root) if part.mesh is not None]
    labels, places = zip(*leaves, strict=True)
    return _Voter(drawn.points, drawn.leaf, labels, places)
