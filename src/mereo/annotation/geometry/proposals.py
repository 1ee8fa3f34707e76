"""Proposed parts of a shape, to be taken over one by one as ordinary actions.

A network was shown points of the shape itself: points on every piece ask the nearest of those which part they are, and
most of them decide. A grammar makes shapes, and those that have pieces like these at the same places say what they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.annotation.geometry.likeness import Boxes, Known, apart, boxes_of, known_shapes, together
from mereo.annotation.geometry.places import Place, of_one_kind, places_of, ranked
from mereo.errors import BadInput
from mereo.shapes.mesh import Floats, Mesh
from mereo.shapes.points import sample_mesh
from mereo.shapes.template import AndOrTemplate, template_of

__all__ = ["Instances", "Proposed", "from_grammar", "from_instances"]

Ints = NDArray[np.int64]

_OF_PIECE, _OF_ALL = 24, 4_000
"""How many points ask for each piece, and for all of them together by their area."""
_SAMPLES, _VOTERS = 100, 10
"""How many shapes of a grammar are looked at, and how many of them vote."""
_NEAR = 0.1
"""How far a piece may be from a leaf until its vote counts little."""
_MANY = 1_000
"""More than a shape has parts of one name."""


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
    category: str, pieces: Mapping[int, Mesh], *, samples: int = _SAMPLES, voters: int = _VOTERS
) -> list[Proposed]:
    """What the shapes of a grammar that are most like this one say of each piece, once they fill the same box.

    samples : how many shapes are looked at; voters : how many of them vote, those that are more like it the more
    """
    if not pieces:
        raise BadInput("there are no pieces to propose parts for")
    boxes, known = boxes_of(list(pieces.values())), known_shapes(category, samples)
    gaps = [apart(boxes, one) for one in known]
    unlike = np.array([gap.min(1).mean() + gap.min(0).mean() for gap in gaps])
    chosen = np.argsort(unlike, kind="stable")[:voters].tolist()
    shares = _shares([(known[one], gaps[one], float(unlike[one])) for one in chosen], len(pieces))
    total: dict[str, float] = {}
    for label, share in (pair for own in shares for pair in own.items()):
        total[label] = total.get(label, 0.0) + share
    kept = of_one_kind(total, template_of(category))
    found: dict[tuple[int, int], list[int]] = {}
    for row, own in enumerate(shares):
        if label := max((one for one in own if one in kept), key=lambda one: own[one], default=""):
            voter = next(one for one in chosen if label in known[one].labels)
            leaves = [place for place, name in enumerate(known[voter].labels) if name == label]
            found.setdefault((voter, min(leaves, key=lambda leaf: gaps[voter][row, leaf])), []).append(row)
    numbers, proposed = list(pieces), []
    for (voter, leaf), alike in found.items():
        label = known[voter].labels[leaf]
        for place, rows in _told_apart(boxes, known[voter], leaf, alike):
            proposed.append(_proposed(label, place, [(numbers[row], shares[row][label]) for row in rows], 1.0))
    return _in_order(proposed)


def _shares(voters: Sequence[tuple[Known, Floats, float]], pieces: int) -> list[dict[str, float]]:
    """By piece how much is for each label.

    voters : shapes, how far each piece is from each of their leaves, and how unlike they are as a whole
    """
    ballots: list[dict[str, float]] = [{} for _ in range(pieces)]
    for known, gaps, unlike in voters:
        votes = (np.exp(-((gaps.min(1) / _NEAR) ** 2)) + 1e-6) / max(unlike, 1e-3) ** 2
        for ballot, leaf, vote in zip(ballots, gaps.argmin(1).tolist(), votes.tolist(), strict=True):
            ballot[known.labels[leaf]] = ballot.get(known.labels[leaf], 0.0) + vote
    return [{label: vote / sum(ballot.values()) for label, vote in ballot.items()} for ballot in ballots]


def _told_apart(boxes: Boxes, known: Known, leaf: int, rows: list[int]) -> list[tuple[Place, list[int]]]:
    """Pieces that are most like one leaf: one part where they are like it together, else each one a part."""
    place = known.places[leaf]
    if len(rows) == 1 or apart(together(boxes, rows), known)[-1, leaf] < apart(boxes, known)[rows, leaf].min():
        return [(place, rows)]
    return [((*place[:-1], _MANY * place[-1] + number), [row]) for number, row in enumerate(rows)]


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


def _fitted(points: Floats, onto: Floats) -> Floats:
    """Points moved and scaled, by the same along all axes, to the box around others."""
    (low, high), (bottom, top) = ((cloud.min(0), cloud.max(0)) for cloud in (points, onto))
    scale = float(np.linalg.norm(top - bottom)) / (float(np.linalg.norm(high - low)) or 1.0)
    fitted: Floats = (points - (low + high) / 2) * scale + (bottom + top) / 2
    return fitted
