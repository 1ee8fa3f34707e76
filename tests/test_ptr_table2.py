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
from PIL import Image

import mereo as workbench
from kit import ROOT, THOROUGH, CommandLine, run_script
from mereo.errors import BadInput
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


def test_slots_are_drawn_and_who_has_none_is_refused(rooms: Path, tmp_path: Path) -> None:
    small: dict[str, Any] = {"slots": 3, "width": 16, "slots.batch": 2, "answers.batch": 8}
    run = workbench.train("up_down", rooms, tmp_path / "run", minutes=0.02, **small).folder
    out = tmp_path / "new" / "slots.png"
    script = ROOT / "docs" / "slots.py"
    run_script(script, run, rooms, "--rooms", "2", "--split", "train", "--out", out)
    with Image.open(out) as sheet:
        assert (sheet.width, sheet.height) == (5 * (96 + 4), 2 * (64 + 4)), "a picture, the same again, and three slots"
    other = workbench.train("cnn_lstm", rooms, tmp_path / "other", minutes=0.01, **SMALL).folder
    drawn = runpy.run_path(str(script))["drawn"]
    with pytest.raises(BadInput, match="has no slots: only a run of up_down has"):
        drawn(other, rooms, split="train", rooms=1, out=out)
    with pytest.raises(BadInput, match="field '--rooms': must be at least 1, not 0"):
        drawn(run, rooms, split="train", rooms=0, out=out)


def test_what_was_found_on_other_data_is_kept_beside_the_rest(tmp_path: Path) -> None:
    """Under names of its own; the page has a block for each."""
    pages = tmp_path / "pages"
    (pages / "ptr").mkdir(parents=True)
    (pages / "ptr.md").write_text("<!-- table2 -->\n<!-- end -->\n<!-- table2_wide -->\n<!-- end -->\n")
    out = tmp_path / "out"
    (out / "table2").mkdir(parents=True)
    kept = ROOT / "docs" / "results" / "ptr"
    (out / "table2" / "table.json").write_text((kept / "table2" / "table.json").read_text())
    (out / "reproduction.json").write_text('{"benchmark": "ptr"}')
    run_script(ROOT / "docs" / "results.py", out, "--pages", pages, "--beside", "wide")
    first, second = (pages / "ptr.md").read_text().split("<!-- table2_wide -->")
    assert "CNN+LSTM" not in first
    assert "CNN+LSTM" in second
    assert "(ptr/table2_wide/chart.svg)" in second
    assert sorted(path.name for path in (pages / "ptr").iterdir()) == ["learned_wide.json", "table2_wide"]
