"""Clouds of points as pictures: what is near hides what is far, light shows how surfaces lie, and sheets hold them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from mereo.chance import generator
from mereo.evaluation.panels import ENDINGS, Frame, Panel, Tile, sheet_bytes, sheet_of
from mereo.shapes.draw import PAPER
from mereo.shapes.draw_points import see_points

RED, BLUE = (200.0, 30.0, 30.0), (30.0, 30.0, 200.0)


def wall(y: float, *, side: float = 1.0, count: int = 900) -> Any:
    """Points of an upright square that looks towards the viewer."""
    step = np.linspace(-side, side, round(count**0.5))
    x, z = np.meshgrid(step, step)
    return np.stack([x.ravel(), np.full(x.size, y), z.ravel()], 1)


def is_paper(picture: Any) -> Any:
    return (picture == PAPER.astype(np.uint8)).all(-1)


def test_what_is_near_hides_what_is_far() -> None:
    front, back = wall(-0.5), wall(0.5)
    points = np.concatenate([back, front])
    colors = np.array([BLUE] * len(back) + [RED] * len(front))
    picture = see_points(points, size=60, azimuth=0, elevation=0).painted(colors).astype(int)
    drawn = ~is_paper(picture)
    assert (picture[drawn][:, 0] > picture[drawn][:, 2]).all()
    behind = see_points(points, size=60, azimuth=180, elevation=0).painted(colors).astype(int)
    assert (behind[~is_paper(behind)][:, 0] < behind[~is_paper(behind)][:, 2]).all()


def test_the_whole_cloud_is_within_the_picture_and_surfaces_are_closed() -> None:
    picture = see_points(wall(0.0), size=80, azimuth=0, elevation=0).painted(np.full((900, 3), 120.0))
    paper = is_paper(picture)
    assert paper[[0, -1]].all()
    assert paper[:, [0, -1]].all()
    assert not paper[10:70, 10:70].any()


def test_what_looks_up_is_brighter_than_what_looks_down() -> None:
    step = generator(1).normal(size=(3000, 3))
    ball = step / np.linalg.norm(step, axis=1, keepdims=True)
    picture = see_points(ball, size=80, azimuth=0, elevation=0).painted(np.full((3000, 3), 200.0)).astype(float)
    assert picture[12:25, 30:50].mean() > 1.2 * picture[55:68, 30:50].mean()


@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_few_points_are_drawn_too(count: int) -> None:
    points = generator(2).normal(size=(count, 3))
    picture = see_points(points, size=40).painted(np.full((count, 3), 90.0))
    assert picture.shape == (40, 40, 3)
    assert not is_paper(picture).all()


def test_what_lies_flat_is_seen_from_above() -> None:
    flat = wall(0.0)[:, [0, 2, 1]]
    covered = [
        (~is_paper(see_points(flat, size=60, elevation=angle).painted(np.full((900, 3), 90.0)))).mean()
        for angle in (None, 22.0)
    ]
    assert covered[0] > 1.5 * covered[1]


# Sheets


@given(st.integers(1, 40), st.integers(1, 9), st.booleans())
def test_a_sheet_is_no_wider_than_a_page(panels: int, columns: int, named: bool) -> None:
    frame = Frame.of(panels, columns, named=named)
    assert 1 <= frame.across <= panels
    assert frame.picture > 100
    assert frame.width <= 1600
    rows = -(-panels // frame.across)
    assert rows * frame.across - panels < rows  # no row could be spared or is much shorter than the others


def panel(title: str, frame: Frame, *colors: tuple[int, int, int], headings: tuple[str, ...] = ()) -> Panel:
    side = frame.picture
    tiles = [Tile(np.full((side, side, 3), color, np.uint8)) for color in colors]
    return Panel(title, "", headings or [""] * len(colors), [""], [tiles])


def test_pictures_stand_side_by_side_in_their_panels() -> None:
    frame = Frame.of(2, 2)
    colors = [(250, 0, 0), (0, 250, 0), (0, 0, 250), (250, 250, 0)]
    sheet = sheet_of([panel("a", frame, *colors[:2]), panel("b", frame, *colors[2:])], frame)
    assert sheet.shape[1] == frame.width
    lefts = []
    for color in colors:
        there = (sheet == color).all(-1)
        assert there.sum() == frame.picture**2
        lefts.append(int(there.any(0).argmax()))
    assert lefts == sorted(lefts)
    assert lefts[1] - lefts[0] < lefts[2] - lefts[1]


def test_headings_are_written_again_only_where_they_change() -> None:
    def height(*headings: str) -> int:
        frame = Frame(1, 1, named=False)
        return len(sheet_of([panel("a", frame, (9, 9, 9), headings=(text,)) for text in headings], frame))

    assert height("one", "one") < height("one", "two")
    assert height("", "") < height("one", "one")


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_sheet_is_a_picture_that_others_open(ending: str, tmp_path: Any) -> None:
    frame = Frame.of(1, 1)
    sheet = sheet_of([panel("a", frame, (9, 99, 9))], frame, foot="said of all")
    path = tmp_path / f"sheet{ending}"
    path.write_bytes(sheet_bytes(sheet, ending))
    with Image.open(path) as opened:
        assert opened.size == sheet.shape[1::-1]
        assert np.abs(np.asarray(opened.convert("RGB")).astype(int) - sheet).mean() < 3
