"""Curves that fill space: every cell is come by once, near cells one after the other, and windows hold all points."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from torch import Tensor  # noqa: E402

from mereo.models.points.curves import cells_of, codes_of, hilbert, orders_of, z_order  # noqa: E402
from mereo.models.points.transformer import in_windows, out_of_windows  # noqa: E402


def grid(bits: int) -> Tensor:
    """All cells of a grid. (8^bits, 3) int32"""
    side = torch.arange(2**bits, dtype=torch.int32)
    cells: Tensor = torch.cartesian_prod(side, side, side)
    return cells


def cloud(seed: int = 0) -> Tensor:
    points: Tensor = torch.rand(2, 200, 3, generator=torch.Generator().manual_seed(seed)) * 2 - 1
    return points


@pytest.mark.parametrize("bits", [1, 2, 4])
def test_hilberts_curve_comes_by_every_cell_once_and_goes_on_to_one_that_touches_it(bits: int) -> None:
    cells = grid(bits)
    codes = hilbert(cells, bits)
    assert codes.sort().values.tolist() == list(range(8**bits))
    along = cells[codes.argsort()]
    assert ((along[1:] - along[:-1]).abs().sum(1) == 1).all()


def test_z_order_takes_the_bits_of_the_axes_in_turn() -> None:
    chance = torch.Generator().manual_seed(0)
    cells = torch.randint(0, 1024, (50, 3), generator=chance, dtype=torch.int32)
    for cell, code in zip(cells.tolist(), z_order(cells).tolist(), strict=True):
        bits = ["".join(three) for three in zip(*(f"{axis:010b}" for axis in cell), strict=True)]
        assert code == int("".join(bits), 2)


def test_points_lie_in_the_cells_of_a_grid_from_minus_one_to_one() -> None:
    points = torch.tensor([[-1.0, -0.01, 0.0], [0.999, 1.0, -7.0]])
    assert cells_of(points, 1).tolist() == [[0, 0, 1], [1, 1, 0]]
    assert cells_of(points, 3).tolist() == [[0, 3, 4], [7, 7, 0]]


def test_orders_say_who_comes_when_whatever_order_points_are_given_in() -> None:
    points, turned = cloud(), torch.randperm(200, generator=torch.Generator().manual_seed(1))
    codes = codes_of(points)
    orders = orders_of(codes)
    assert codes.shape == orders.places.shape == orders.ranks.shape == (2, 4, 200)
    assert (codes.gather(2, orders.places).diff() >= 0).all()
    assert orders.places.gather(2, orders.ranks).equal(torch.arange(200).expand(2, 4, -1))
    assert orders_of(codes_of(points[:, turned])).ranks.equal(orders.ranks[..., turned])
    assert len({tuple(one) for one in orders.places[0].tolist()}) == 4, "no two curves are the same"


def test_neighbors_along_a_curve_are_near_in_space() -> None:
    points = cloud()
    places = orders_of(codes_of(points)).places
    strangers = (points[:, 1:] - points[:, :-1]).norm(dim=-1).mean()
    for curve in range(4):
        along = points.gather(1, places[:, curve, :, None].expand(-1, -1, 3))
        assert (along[:, 1:] - along[:, :-1]).norm(dim=-1).mean() < strangers / 3


@pytest.mark.parametrize(("count", "size", "windows"), [(12, 4, 3), (13, 4, 4), (15, 4, 4), (4, 4, 1), (5, 4, 2)])
def test_windows_are_full_hold_what_follows_each_other_and_give_back_the_line(
    count: int, size: int, windows: int
) -> None:
    line = torch.arange(count).expand(2, -1)[..., None]
    cut = in_windows(line, size)
    assert cut.shape == (2, windows, size, 1)
    assert (cut.diff(dim=2) == 1).all()
    assert set(cut.flatten().tolist()) == set(range(count))
    assert out_of_windows(cut, count).equal(line)
