"""A benchmark in a package of its own, found by its entry point: every command knows its language, nothing changes.

`sample_plugin` holds the package as pip would have installed it; a command sees it when it is on the path.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PLUGIN = Path(__file__).with_name("sample_plugin")


def mereo(*arguments: str | Path, cwd: Path, plugged: bool = True) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NO_COLOR": "1"}
    if plugged:
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(PLUGIN), os.environ.get("PYTHONPATH")]))
    return subprocess.run(
        [sys.executable, "-m", "mereo", *map(str, arguments)],
        check=False,
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environment,
    )


def plants(*named: str) -> list[dict[str, str]]:
    return [dict(zip(("bloom", "plant"), name.split(), strict=True)) for name in named]


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    """Scenes, a template set and a world of the plug-in's own kind."""
    beds = [
        plants("white rose", "pink rose", "white fern", "pink lily"),
        plants("pink fern", "pink fern", "white lily"),
        plants("white lily", "white rose"),
    ]
    scenes = [
        {"image_index": i, "objects": bed, "relationships": {"shaded_by": [[] for _ in bed]}}
        for i, bed in enumerate(beds)
    ]
    write(tmp_path / "scenes.json", {"scenes": scenes})
    write(
        tmp_path / "metadata.json", {"dataset": "Garden", "types": {"Plant": list(PLANTS), "Bloom": ["white", "pink"]}}
    )
    (tmp_path / "templates").mkdir()
    write(tmp_path / "templates" / "petals.json", [TEMPLATE])
    entities = [{"id": name.partition(" ")[2], "attributes": thing} for name, thing in WORLD.items()]
    attributes = {"plant": {"values": list(PLANTS)}, "bloom": {"values": ["white", "pink"]}}
    relations = {"shaded_by": {"rose": ["fern"]}}
    write(tmp_path / "world.json", {"world": 1, "attributes": attributes, "entities": entities, "relations": relations})
    return tmp_path


PLANTS = ("rose", "lily", "fern")
WORLD = {"pink rose": {"bloom": "pink", "plant": "rose"}, "white fern": {"bloom": "white", "plant": "fern"}}
TEMPLATE = {
    "text": ["How many petals do the <B> <P>s have?"],
    "nodes": [
        {"type": "scene", "inputs": []},
        {"type": "filter_petals", "inputs": [0], "side_inputs": ["<B>", "<P>"]},
        {"type": "count_petals", "inputs": [1]},
    ],
    "params": [{"type": "Bloom", "name": "<B>"}, {"type": "Plant", "name": "<P>"}],
}


def write(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content))


def test_its_language_is_listed_and_printed(garden: Path) -> None:
    listed = mereo("functions", cwd=garden)
    assert {"clevr", "garden"} <= {line.split()[0] for line in listed.stdout.splitlines()}
    printed = mereo("functions", "garden", cwd=garden)
    assert printed.returncode == 0, printed.stderr
    lines = {tuple(line.split()[:2]) for line in printed.stdout.splitlines()}
    assert {
        ("count_petals(ObjectSet)", "Integer"),
        ("filter_bloom[Bloom](ObjectSet)", "ObjectSet"),
        ("relate[Shade](Object)", "ObjectSet"),
    } <= lines
    assert "how many petals the plants have together" in printed.stdout
    assert "Plant: rose, lily, fern" in printed.stdout


def test_without_the_package_there_is_no_such_language(garden: Path) -> None:
    done = mereo("functions", "garden", cwd=garden, plugged=False)
    assert done.returncode == 2
    assert done.stderr.startswith("mereo: there is no language 'garden' (there is: clevr")


def test_its_programs_are_checked_and_run(garden: Path) -> None:
    run = ("run", "--world", "world.json", "--language", "garden")
    done = mereo(*run, "--trace", "count_petals(filter_bloom[pink](scene()))", cwd=garden)
    assert done.returncode == 0, done.stderr
    assert [line.split()[-1] for line in done.stdout.splitlines()[2:]] == ["rose", "5", "5"]
    shaded = mereo(*run, "relate[shaded_by](unique(filter_plant[rose](scene())))", cwd=garden)
    assert shaded.stdout == "fern\n"
    wrong = mereo(*run, "count_petals(unique(scene()))", cwd=garden)
    assert (wrong.returncode, wrong.stderr) == (
        2,
        "mereo: program, step 2 (count_petals): input 1 must be ObjectSet, but unique gives Object\n",
    )


def test_templates_with_its_functions_are_asked_and_verified(garden: Path) -> None:
    asked = mereo(
        *("questions", "--scenes", "scenes.json", "--templates", "templates", "--metadata", "metadata.json"),
        *("--out", "questions.json"),
        cwd=garden,
    )
    assert asked.returncode == 0, asked.stderr
    questions = json.loads((garden / "questions.json").read_text())["questions"]
    assert {question["program"][-1]["type"] for question in questions} == {"count_petals"}
    verified = mereo(
        "verify", "--scenes", "scenes.json", "--questions", "questions.json", "--language", "garden", cwd=garden
    )
    assert f"answers: {len(questions)} of {len(questions)} (100%)" in verified.stdout
    assert len(questions) >= 2


def test_what_it_does_not_bring_is_said_in_a_sentence(garden: Path) -> None:
    done = mereo("build", "garden", "out", "--symbolic", cwd=garden)
    assert (done.returncode, done.stderr) == (2, "mereo: benchmark garden makes no data of its own\n")
    assert not (garden / "out").exists()
