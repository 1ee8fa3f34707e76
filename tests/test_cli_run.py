"""`mereo run` answers a program and shows its steps; `mereo functions` prints a language from its table."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kit import CommandLine, scene_file, world
from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.programs import execute
from mereo.world import save_world

PROGRAM = "count(filter_material[metal](scene()))"


@pytest.fixture
def world_file(tmp_path: Path) -> Path:
    save_world(world(3), tmp_path / "world.json")
    return tmp_path / "world.json"


@pytest.mark.parametrize(
    "program",
    [
        PROGRAM,
        "exist(filter_color[red](scene()))",
        "filter_material[rubber](scene())",
        "filter_color[red](filter_color[blue](scene()))",
    ],
)
def test_the_answer_is_printed_as_people_read_it(mereo: CommandLine, world_file: Path, program: str) -> None:
    answer = execute(program, world(3), LANGUAGE).answer
    if isinstance(answer, bool):
        expected = "yes" if answer else "no"
    elif isinstance(answer, list):
        expected = ", ".join(answer) or "nothing"
    else:
        expected = str(answer)
    assert mereo("run", "--world", world_file, program).out == f"{expected}\n"


def test_the_trace_has_a_line_for_every_step(mereo: CommandLine, world_file: Path) -> None:
    shown = mereo("run", "--world", world_file, "--trace", PROGRAM).out.splitlines()
    metal = [entity.id for entity in world(3).entities if entity.attributes["material"] == "metal"]
    everything = [entity.id for entity in world(3).entities]
    assert [re.split(r" {2,}", line.strip()) for line in shown] == [
        ["step", "from", "function", "type", "value"],
        ["0", "scene", "ObjectSet", ", ".join(everything)],
        ["1", "0", "filter_material[metal]", "ObjectSet", ", ".join(metal)],
        ["2", "1", "count", "Integer", str(len(metal))],
        [str(len(metal))],
    ]


def test_a_scene_file_is_read_too_and_any_of_its_scenes_asked(mereo: CommandLine, tmp_path: Path) -> None:
    content = scene_file(3)
    (tmp_path / "scenes.json").write_text(json.dumps(content))
    for number, scene in enumerate(content["scenes"]):
        done = mereo("run", "--world", tmp_path / "scenes.json", "--scene", str(number), "count(scene())")
        assert done.out == f"{len(scene['objects'])}\n"
    (tmp_path / "one.json").write_text(json.dumps(content["scenes"][1]))
    assert mereo("run", "--world", tmp_path / "one.json", "count(scene())").out == (
        f"{len(content['scenes'][1]['objects'])}\n"
    )


def test_the_reference_of_a_language_has_every_function_and_every_value(mereo: CommandLine) -> None:
    out = mereo("functions", "clevr").out
    for function in LANGUAGE.functions.values():
        written, _, gives = function.signature.partition(" -> ")
        assert any(line.startswith(f"{written} ") and f" {gives} " in line for line in out.splitlines()), function.name
        assert function.about in out
    assert "Color: gray, red, blue, green, brown, purple, cyan, yellow" in out
    assert "Relation: left, right, behind, front" in out
    assert mereo("functions").out.startswith("clevr  ")
