"""PTR's second table is made again by one command, at the scale for trying.

With MEREO_THOROUGH=1 by all of its rows, which takes minutes.
"""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

import mereo as workbench
from kit import ROOT, THOROUGH, CommandLine, run_script
from mereo.workbench.learning import check_device, reopened, unread

pytest.importorskip("torch")
QUICK = "q_type_frequent,cnn_lstm,mdetr"
SMALL: dict[str, Any] = {"trunk": "small", "width": 64}


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("table2") / "rooms"
    return workbench.build(
        "ptr", folder, split="train=2,val=1,test=1", questions_per_scene=12, size="96x64", samples=8, seed=3, workers=1
    ).folder


def test_the_table_is_made_again_beside_the_papers(rooms: Path, tmp_path: Path, mereo: CommandLine) -> None:
    out, all_rows = tmp_path / "out", THOROUGH
    small = "--scale", "tiny", "--minutes", "0.01"
    said = mereo(
        "reproduce", "ptr/table2", "--data", rooms, "--out", out, *small, *([] if all_rows else ["--rows", QUICK])
    ).out
    written = (out / "table2" / "table.md").read_text()
    for name, paper in (("Q-type (Freq.)", "33.5"), ("CNN+LSTM", "52.9"), ("MDETR", "59.8"), ("Human", "84.8")):
        line = next(line for line in said.splitlines() if line.startswith(name))
        assert paper in line
        assert name in written
    arms = json.loads((out / "table2" / "table.json").read_text())["arms"]
    assert [arm["scores"]["All"]["count"] for arm in arms] == [12] * (12 if all_rows else 3)
    assert all(0 <= arm["scores"]["All"]["low"] <= arm["scores"]["All"]["high"] <= 1 for arm in arms)
    assert (out / "table2" / "chart.svg").exists()
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "ptr.md").write_text(
        "Before.\n<!-- table2 -->\n<!-- end -->\nBetween.\n<!-- learned -->\nstale\n<!-- end -->\n"
    )
    for _ in range(2):
        run_script(ROOT / "docs" / "results.py", out, "--pages", pages)
        page = (pages / "ptr.md").read_text()
        assert "stale" not in page
        assert page.startswith("Before.\n<!-- table2 -->\nHere: percent with the 95% interval")
        assert "(ptr/table2/chart.svg)" in page
        assert (pages / "ptr" / "table2" / "chart.svg").exists()
        assert re.search(r"\n<!-- end -->\nBetween\.\n<!-- learned -->\n\| run \| stage ", page)
        assert page.count("| cnn_lstm | answers |") == 1
    written = runpy.run_path(str(ROOT / "docs" / "results.py"))["written"]
    for one in (pages / "ptr.md", *sorted((ROOT / "docs" / "results").glob("*.md"))):
        assert written(one) == one.read_text(), f"{one} does not say what was measured"


def test_whoever_learned_from_small_pictures_is_asked_about_small_ones(rooms: Path, tmp_path: Path) -> None:
    run = workbench.train("cnn_lstm", rooms, tmp_path / "run", minutes=0.01, widest=48, **SMALL).folder
    place = check_device("cpu")
    assert reopened(run, None).desk(rooms, place, unread).corpus.size == (32, 48)
    assert reopened(run, {"widest": 480}).desk(rooms, place, unread).corpus.size == (64, 96)
