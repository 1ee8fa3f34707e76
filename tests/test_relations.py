"""Relations that follow from where things stand: as CLEVR's files store them, and as plain arithmetic has it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mereo.world import along, members

coordinate = st.floats(-5, 5).map(lambda x: round(x, 3))
point = st.tuples(coordinate, coordinate, coordinate)


def test_computed_relations_are_those_that_clevr_stores(official_data: Path) -> None:
    scenes = json.loads((official_data / "clevr" / "val_scenes_first_100.json").read_text())["scenes"]
    compared = 0
    for scene in scenes:
        positions = [thing["3d_coords"] for thing in scene["objects"]]
        for name, stored in scene["relationships"].items():
            computed = along(positions, scene["directions"][name], margin=0.2)
            assert [members(row) for row in computed] == [sorted(row) for row in stored]
            compared += len(stored)
    assert compared > 1000


@given(st.lists(point, max_size=12), point, st.sampled_from([0.0, 0.2, 1.0]))
def test_along_is_a_comparison_of_dot_products(
    positions: list[tuple[float, float, float]], direction: tuple[float, float, float], margin: float
) -> None:
    rows = along(positions, direction, margin=margin)
    assert len(rows) == len(positions)
    for i, row in enumerate(rows):
        ahead = [float(np.dot(np.subtract(other, positions[i]), direction)) for other in positions]
        # Where rounding decides, either answer is right.
        assert set(members(row)) >= {j for j, reach in enumerate(ahead) if reach > margin + 1e-9}
        assert set(members(row)) <= {j for j, reach in enumerate(ahead) if reach > margin - 1e-9}


@given(st.lists(point, max_size=8), point)
def test_what_is_ahead_one_way_is_behind_the_other_way(
    positions: list[tuple[float, float, float]], direction: tuple[float, float, float]
) -> None:
    there = along(positions, direction, margin=0.2)
    x, y, z = direction
    back = along(positions, (-x, -y, -z), margin=0.2)
    assert {(i, j) for i, row in enumerate(there) for j in members(row)} == {
        (j, i) for i, row in enumerate(back) for j in members(row)
    }


def test_the_margin_itself_is_still_the_dead_zone() -> None:
    positions = [(0.0, 0.0, 0.0), (0.25, 0.0, 0.0), (0.5, 0.0, 0.0)]
    assert along(positions, (1, 0, 0), margin=0.25) == (0b100, 0, 0)
    assert along(positions, (1, 0, 0), margin=0.2) == (0b110, 0b100, 0)


def test_nothing_is_ahead_of_itself_nor_along_no_direction() -> None:
    assert along([(1, 2, 3), (1, 2, 3)], (1, 1, 1), margin=0.0) == (0, 0)
    assert along([(1, 2, 3), (9, 9, 9)], (0, 0, 0), margin=0.0) == (0, 0)
