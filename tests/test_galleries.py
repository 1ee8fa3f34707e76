"""The page of all shapes: every category with a grammar of ours has its sheet and its place."""

from __future__ import annotations

import runpy
from typing import Any

import pytest

from kit import ROOT

AGAIN = "run python docs/galleries.py"


@pytest.fixture(scope="module")
def galleries() -> dict[str, Any]:
    """What the script that makes the page defines."""
    return runpy.run_path(str(ROOT / "docs" / "galleries.py"))


def test_the_page_shows_every_category_in_its_group(galleries: dict[str, Any]) -> None:
    assert galleries["PAGE"].read_text() == galleries["page"](), AGAIN
    assert galleries["page"]().count("![") == len(galleries["ours"]())


def test_every_category_has_a_small_sheet_and_no_other_has(galleries: dict[str, Any]) -> None:
    wanted = {galleries["picture"](category) for category in galleries["ours"]()}
    assert set(galleries["PICTURES"].iterdir()) == wanted, AGAIN
    assert {path.name: path.stat().st_size for path in wanted if path.stat().st_size > 80_000} == {}
