"""The benches run, their results are what the tables are written from, and the README says what the results say.

Nothing here asserts a speed.
"""

from __future__ import annotations

import gc
import importlib
import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import naive_clevr
import scenes
import tables
from kit import OFFICIAL_DATA, scene
from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.datasets.build import build_dataset
from mereo.models.points.backbones import BACKBONES
from mereo.scenes.render import _BOUNCES as DEPTH
from mereo.scenes.renderer import THREADS
from tables import Result, Row

Bench = Callable[..., Result]

RESULTS = sorted(tables.RESULTS.glob("*.json"))

KINDS = ("Size", "Color", "Material", "Shape")
DESCRIPTION = ["<Z>", "<C>", "<M>", "<S>"]
PARAMS = [{"type": kind, "name": hole} for kind, hole in zip(KINDS, DESCRIPTION, strict=True)]
AGAIN = [{"type": one["type"], "name": one["name"].replace(">", "2>")} for one in PARAMS]
COUNT: dict[str, Any] = {
    "text": ["Of <Z> <C> <M> <S>s there are how many?"],
    "nodes": [
        {"type": "scene", "inputs": []},
        {"type": "filter_count", "inputs": [0], "side_inputs": DESCRIPTION},
    ],
    "params": PARAMS,
    "constraints": [],
}
DEAD_END: dict[str, Any] = {
    "text": ["Are <Z> <C> <M> <S>s as many as <Z2> <C2> <M2> <S2>s?"],
    "nodes": [
        *COUNT["nodes"],
        {"type": "scene", "inputs": []},
        {"type": "filter_count", "inputs": [2], "side_inputs": [one["name"] for one in AGAIN]},
        {"type": "equal_integer", "inputs": [1, 3]},
    ],
    "params": PARAMS + AGAIN,
    # So it can only be answered with no, which is refused from the second time on.
    "constraints": [{"type": "OUT_NEQ", "params": [1, 3]}],
}
TYPES = {
    "Size": ["small", "large"],
    "Color": ["gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow"],
    "Material": ["rubber", "metal"],
    "Shape": ["cube", "sphere", "cylinder"],
    "Relation": ["left", "right", "behind", "front"],
}

STAND_IN = """
import argparse, json
parser = argparse.ArgumentParser()
for name in ("input_scene_file", "output_questions_file", "template_dir", "synonyms_json", "metadata_file"):
    parser.add_argument("--" + name)
for name in ("templates_per_image", "instances_per_template", "scene_start_idx", "num_scenes"):
    parser.add_argument("--" + name, type=int)
given = parser.parse_args()
scenes = json.load(open(given.input_scene_file))
chosen = scenes["scenes"][given.scene_start_idx:][:given.num_scenes]
asked = [{"image": scene["image_filename"]} for scene in chosen for _ in range(given.templates_per_image)]
json.dump({"info": scenes["info"], "questions": asked}, open(given.output_questions_file, "w"))
"""

BLENDER = """#!{python}
import sys
compile(open(sys.argv[-1]).read(), "stage.py", "exec")
print("VERSION 0.0")
print("SECONDS 2.5")
print("SECONDS 2.0")
"""


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Runs a bench quickly in this process, and reads what it left."""
    monkeypatch.setenv(THREADS, "1")
    gc.freeze()  # they collect garbage before every round, and need not look through what other tests left

    def run(name: str, *words: str | Path) -> Result:
        out = tmp_path / "out"
        monkeypatch.setattr(sys, "argv", [f"bench/{name}.py", "--quick", "--out", str(out), *map(str, words)])
        importlib.import_module(name).main()
        (path,) = out.glob("*.json")
        return tables.read(path)

    return run


@pytest.fixture
def templates(tmp_path: Path) -> list[str | Path]:
    """Two templates in CLEVR's form, as options of a bench."""
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "numbers.json").write_text(json.dumps([COUNT, DEAD_END]))
    (tmp_path / "metadata.json").write_text(json.dumps({"dataset": "CLEVR-v1.0", "types": TYPES, "functions": []}))
    (tmp_path / "synonyms.json").write_text("{}")
    files = ("--metadata", tmp_path / "metadata.json", "--synonyms", tmp_path / "synonyms.json")
    return ["--templates", folder, *files]


def table(result: Result, name: str) -> dict[str, Row]:
    """The rows of a table."""
    return {row.what: row for row in result.rows if row.table == name}


@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")  # pycocotools, of numpy
@pytest.mark.parametrize(
    "name",
    [
        "execution",
        "build",
        "points",
        "judge",
        "free",
        "masks",
        "memory",
        "physics",
        "ptr",
        "denoise",
        "shapes",
        "shop",
        "shop_questions",
        "cric_questions",
        "grasps",
        "annotate_cut",
        "annotate_load",
        "annotate_proposals",
    ],
)
def test_a_quick_run_leaves_a_result_for_the_tables(name: str, bench: Bench) -> None:
    check(bench(name))


def test_networks_for_points_are_measured_with_their_pyramids(bench: Bench) -> None:
    result = bench("points", "--networks", "--device", "cpu")
    check(result)
    pyramids, steps = (table(result, name) for name in dict.fromkeys(row.table for row in result.rows))
    assert [*pyramids] == ["pointnet2", "spidercnn", "pointcnn", "tokens"], "the others look at none"
    assert [*steps] == [*BACKBONES]


def test_knowledge_is_read_looked_up_and_parsed(bench: Bench) -> None:
    pytest.importorskip("textblob", reason="textblob is not installed")
    check(bench("knowledge"))


def test_the_explorer_is_measured_in_a_browser(bench: Bench, tmp_path: Path) -> None:
    if not shutil.which("chromium"):
        pytest.skip("there is no chromium")
    build_dataset(ClevrRecipe(seed=0), tmp_path / "set", splits={"train": 6, "val": 6}, shard_size=6)
    check(bench("explore", "--dataset", tmp_path / "set"))


def test_annotating_is_measured_in_a_browser(bench: Bench) -> None:
    if not shutil.which("chromium"):
        pytest.skip("there is no chromium")
    check(bench("annotate_frames"))


def check(result: Result) -> None:
    """What holds for every quick result."""
    assert result.quick
    assert result.rows
    assert all(row.against and row.value >= 0 for row in result.rows)
    heads = [line for line in tables.blocks(result).splitlines() if line.startswith("| --- |")]
    assert len(heads) == len({row.table for row in result.rows})


def test_questions_are_measured_with_and_without_dead_ends_against_the_official_generator(
    bench: Bench, templates: list[str | Path], tmp_path: Path
) -> None:
    folder = tmp_path / "question_generation"
    folder.mkdir()
    (folder / "generate_questions.py").write_text(STAND_IN)
    result = bench("questions", *templates, "--official", folder)
    lost = table(result, "where the plain search spends its time, 3 scenes")["numbers.json[1]"]
    assert lost.more["of it in vain"]
    assert any("numbers.json[1]" in note for note in result.notes), "the dead end is found by measuring"
    for rows in (table(result, "2 templates"), table(result, "1 templates")):
        assert [row.what for row in rows.values()] == [
            "3 scenes: CLEVR's generator",
            "3 scenes: plain search",
            "3 scenes: mereo",
            "3 scenes: mereo, warm",
        ]
        theirs, _, ours, _ = rows.values()
        assert {row.against for row in rows.values()} == {theirs.what}
        assert theirs.more["questions"] == 30
        assert ours.more["of it start"]


def test_expressions_are_measured_against_a_plain_search(bench: Bench) -> None:
    if not (OFFICIAL_DATA / "templates" / "clevr_ref").is_dir():
        pytest.skip("CLEVR-Ref+'s templates are not here")
    result = bench("refer")
    assert [row.against for row in result.rows] == ["2 scenes: plain search"] * 3


def test_meshes_of_others_are_counted_with_what_was_mended_and_why_some_did_not_come_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    corners = "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\n"
    (tmp_path / "chair 1.obj").write_text(f"{corners}f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
    (tmp_path / "x.obj").write_text(f"{corners}f 1 3 2\n")
    (tmp_path / "chair 2.obj").write_text("f 1 2 3\n")
    (tmp_path / "table.obj").write_text("")
    (tmp_path / "PluginFurnitureCatalog.properties").write_text("name#1=A chair\nmodel#1=/x.obj\n")
    monkeypatch.setattr(sys, "argv", ["bench/meshes.py", str(tmp_path), "--named", "chair"])
    importlib.import_module("meshes").main()
    printed = [re.split(r"\s{2,}", line) for line in capsys.readouterr().out.splitlines()]
    assert printed[:-1] == [
        ["tried", "3"],
        ["came in", "2"],
        ["as they were", "1"],
        ["every leaf closed", "1"],
        ["with open", "1"],
        ["refused: a face names vertex 3 of 0", "1"],
    ]


def test_blender_gets_our_resolution_samples_and_bounces(bench: Bench, tmp_path: Path) -> None:
    script = scenes.blender_script(64, 480, 320, tmp_path / "out.png")
    assert "cycles.samples = 64" in script
    assert f"glossy_bounces = {DEPTH - 2}" in script
    assert "resolution_x, scene.render.resolution_y = 480, 320" in script
    assert "use_adaptive_sampling = False" in script
    program = tmp_path / "blender"
    program.write_text(BLENDER.format(python=sys.executable))
    program.chmod(0o755)
    theirs, ours = table(bench("scenes", "--blender", program), "one picture").values()
    assert theirs.value == 2.0
    assert "Blender 0.0" in theirs.what
    for row in (theirs, ours):
        assert row.what.endswith("480x320, 8 samples, 3 bounces")


def test_the_plain_search_keeps_what_is_the_same_and_is_right() -> None:
    record = scene(0)
    things = record["objects"]
    for _ in range(2):
        for one, thing in enumerate(things):
            said = naive_clevr.HANDLERS["same_color"](record, [one], [])
            assert said == [i for i, other in enumerate(things) if other["color"] == thing["color"] and i != one]
    assert "_same_color" in record


def test_the_readme_says_what_the_results_say() -> None:
    stands = tables.README.read_text()
    assert tables.written(stands, tables.RESULTS) == stands, "run python bench/tables.py"
    shown = [found[2] for found in tables.MARKED.finditer(stands)]
    assert sorted(shown) == sorted(path.stem for path in RESULTS)
    assert not re.search(r"^\|", tables.MARKED.sub("", stands), re.MULTILINE), "a table that no result stands behind"


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_every_result_says_where_it_comes_from_and_what_it_is_measured_against(path: Path) -> None:
    result = tables.read(path)
    assert not result.quick
    assert result.command.startswith("python bench/")
    assert result.machine.processor
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", result.date)
    for row in result.rows:
        assert row.against
        assert row.unit


def test_ratios_are_of_rows_of_one_table_and_unit() -> None:
    rows = [
        Row(what="plain", value=4, unit="s", against="plain", table="t"),
        Row(what="ours", value=0.5, unit="s", against="plain", low=0.25, high=1, table="t"),
        Row(what="alone", value=1234, unit="s", against="nothing like it", table="t"),
    ]
    machine = tables.Machine(processor="a processor", python="3.11", cores=2, load=7)
    result = Result(command="python bench/x.py", date="2026-01-01", commit="abc", machine=machine, rows=rows)
    assert tables.blocks(result).splitlines() == [
        "| t | s | lowest to highest | measured against | ratio |",
        "| --- | ---: | ---: | --- | ---: |",
        "| plain | 4 |  | reference | 1 × |",
        "| ours | 0.5 | 0.25 to 1 | plain | 0.125 × |",
        "| alone | 1,234 |  | nothing like it |  |",
        "",
        "`python bench/x.py`, 2026-01-01, commit abc; a processor, 2 cores, Python 3.11, **busy** (load 7).",
    ]
