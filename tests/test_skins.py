"""Lofts and sheets are closed and as large as they say, tins are hollow to physics, and what lies has come to rest."""

from __future__ import annotations

import numpy as np
import pytest

from mereo.shapes.cutlery import laid
from mereo.shapes.grammar import leaf, part
from mereo.shapes.part import Shape
from mereo.shapes.physical import mass_of
from mereo.shapes.skins import hollow, loft, oval, ribbon, sheet
from mereo.shapes.solids import box


def test_a_loft_through_equal_rings_is_a_prism() -> None:
    ring = oval(0.2, 0.1, squareness=4)
    rings = [np.column_stack([ring, np.full(len(ring), z)]) for z in (0.0, 0.1, 0.3)]
    x, y = ring.T
    area = 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))
    for made in (loft(rings), loft([each[::-1] for each in rings])):
        assert made.mesh().is_watertight()
        assert made.mesh().volume() == pytest.approx(0.3 * area)


def test_a_sheet_is_as_thick_as_its_grids_are_apart() -> None:
    x, y = np.meshgrid(np.linspace(0, 2, 5), np.linspace(0, 1, 4), indexing="ij")
    upper = np.stack([x, y, 0.1 * x * y], -1)
    made = sheet(upper, upper - (0, 0, 0.02))
    assert made.mesh().is_watertight()
    assert made.mesh().volume() == pytest.approx(2 * 0.02)


def test_a_tin_is_hollow_to_physics() -> None:
    tin = hollow(oval(0.2, 0.2), [(0.05, 0.0), (0.9, 0.0), (1.0, 0.1)], 0.004)
    assert tin.mesh().is_watertight()
    middle = np.array([0.0, 0.0, 0.06])
    for piece in tin.pieces:
        low, high = piece.min(0), piece.max(0)
        assert not ((low < middle) & (middle < high)).all()


def test_a_ribbon_keeps_its_width_across() -> None:
    turns = np.linspace(0, np.pi, 9)
    line = np.stack([np.cos(turns), np.zeros(9), np.sin(turns)], 1)
    made = ribbon(line, 0.3, 0.02, across=(0, 1, 0), squareness=30)
    assert made.mesh().is_watertight()
    assert np.ptp(made.bounds(), axis=0)[1] == pytest.approx(0.3, rel=0.02)


def test_what_is_laid_rests_on_what_is_below_its_weight() -> None:
    """A thin bar that sticks out of the middle of a light block goes down until its end touches the ground."""
    block, blade = box((0.04, 0.04, 0.04)), box((0.3, 0.03, 0.004), (0.15, 0, 0))
    lying = Shape.of("", laid(part("tool", leaf("handle", block, "foam"), leaf("blade", blade, "metal"))))
    vertices = lying.mesh().vertices
    lowest = vertices[vertices[:, 2] < vertices[:, 2].min() + 1e-6]
    center = mass_of(lying).center
    assert lowest[:, 0].min() < center[0] < lowest[:, 0].max()
    assert np.ptp(lowest[:, 0]) > 0.2
