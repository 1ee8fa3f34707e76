"""Corners that once were wrong: odd files, odd words, killed builds, and rules that something later could undo."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

import test_bad_input as bad
from kit import CommandLine, complaint, mereo_process, scene_file, world
from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.benchmarks.clevr.official import DESCRIBER
from mereo.errors import BadInput
from mereo.programs import INTEGER, OBJECT_SET, Function, Program, Step, compile_program, parse_program
from mereo.questions.toml_templates import load_templates
from mereo.world import Entity, Vocabulary, make_world, world_from_json, world_to_json
from test_bad_input import TEMPLATES, refused, template, write

folder = bad.folder


@pytest.mark.parametrize("program", ["count(filter_color[red](scene()))", "count(relate[left](unique(scene())))"])
def test_a_world_that_lacks_the_languages_words_is_bad_input(mereo: CommandLine, folder: Path, program: str) -> None:
    write(folder, "other.json", {"world": 1, "attributes": {"hue": {"values": ["red"]}}, "entities": [{"id": "a"}]})
    refused(mereo, folder, f"run --world other.json {program}")


SCENE: dict[str, Any] = {"type": "scene", "inputs": []}


@pytest.mark.parametrize(
    "changes",
    [
        {"nodes": []},
        {"nodes": [SCENE, {"type": "query_color", "inputs": [0]}]},
        {
            "nodes": [
                SCENE,
                {"type": "filter_color", "inputs": [0], "side_inputs": ["<S>"]},
                {"type": "count", "inputs": [1]},
            ]
        },
        {
            "nodes": [
                SCENE,
                {"type": "filter_color", "inputs": [0], "side_inputs": ["purpl"]},
                {"type": "count", "inputs": [1]},
            ]
        },
        {"nodes": [SCENE, {"type": "filter_unique", "inputs": [0], "side_inputs": ["<C>", "<S>"]}]},
        {
            "nodes": [
                SCENE,
                {"type": "filter_unique", "inputs": [0], "side_inputs": ["<C>", "<S>"]},
                {"type": "relate_filter_count", "inputs": [1], "side_inputs": []},
            ]
        },
        {"constraints": [{"type": "OUT_NEQ", "params": [0]}]},
        {"constraints": [{"type": "NEQ", "params": ["<C>"]}]},
    ],
)
def test_an_ill_formed_template_is_bad_input(mereo: CommandLine, folder: Path, changes: dict[str, Any]) -> None:
    write(folder, "wrong/bad.json", [template(**changes)])
    assert refused(mereo, folder, TEMPLATES.format("wrong")).startswith("wrong/bad.json, template 0, field '")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("relationships", "left", 0), 0),
        (("image_filename",), []),
        (("image_index",), {}),
        (("objects", 0, "rotation"), 10**400),
    ],
)
def test_a_wrong_value_in_a_scene_is_bad_input(
    mereo: CommandLine, folder: Path, path: tuple[Any, ...], value: Any
) -> None:
    content = scene_file(2)
    bad.changed("scenes", 0, *path, to=value)(content)
    write(folder, "wrong.json", content)
    assert refused(mereo, folder, bad.VERIFY.format("wrong.json")).startswith("wrong.json, scene 0")


def test_a_number_of_many_digits_is_a_slip_and_no_crash() -> None:
    with pytest.raises(BadInput):
        parse_program("f[" + "1" * 5000 + "]()")


def test_a_huge_number_in_a_world_is_bad_input() -> None:
    entity = {"id": "a", "numbers": {"mass": 10**400}}
    said = complaint(lambda: world_from_json(json.dumps({"world": 1, "attributes": {}, "entities": [entity]}).encode()))
    assert said is not None


def test_an_entity_called_along_survives_a_file() -> None:
    vocabulary = Vocabulary.of([], relations=["left"])
    one = make_world([Entity("along"), Entity("b")], vocabulary, related={"left": [0b10, 0]})
    assert world_from_json(world_to_json(one)).related == one.related


def test_the_place_of_what_is_not_utf8_is_the_place_in_the_file() -> None:
    text = b'{"world": 1,\n "attributes": {},\n "entities": [{"id": "caf\xe9"}]}'
    with pytest.raises(BadInput, match="line 3, column 26"):
        world_from_json(text, file="w.json")


def doubled(function: Any) -> Any:
    @wraps(function)
    def wrapper(*arguments: Any) -> Any:
        return 2 * function(*arguments)

    return wrapper


@doubled
def _count_twice(world: Any, objects: int) -> int:
    return objects.bit_count()


def test_a_decorated_function_gives_the_same_from_the_first_run_to_the_last() -> None:
    rows = [Function("count_twice", (OBJECT_SET,), (), INTEGER, _count_twice, "twice")]
    executable = compile_program("count_twice(scene())", LANGUAGE.extended("more", rows))
    assert len({executable(world(1)).answer for _ in range(60)}) == 1


@pytest.mark.parametrize("word", ["a\rb", "a\x0bb", "a\x85b", "a\u2028b"])
def test_the_notation_is_one_line_whatever_the_words(word: str) -> None:
    assert len(str(Program((Step("f", (), (word,)),))).splitlines()) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"text": "[]"},
        {"program": "count()", "text": '["How many?"]'},
        {"program": "count(unique(filter[{A}](scene())))"},
        {"program": "exist(count(filter[{A}](scene())))"},
        {"program": "count(filter[{A}](count(scene())))"},
        {"program": "filter[{A}](scene())"},
        {"more": "also = [{}]"},
    ],
)
def test_an_ill_formed_template_of_ours_is_named(tmp_path: Path, changes: dict[str, str]) -> None:
    from test_templates import toml

    with pytest.raises(BadInput) as caught:
        toml(tmp_path, **changes)
    assert str(caught.value).startswith(f"{tmp_path / 'own.toml'}, template 0 ('mine'), ")


def test_two_templates_of_one_name_are_refused(tmp_path: Path) -> None:
    one = (
        '[[template]]\nname = "n"\ntype = "count"\ntext = ["How many {A}?"]\nprogram = "count(filter[{A}](scene()))"\n'
    )
    (tmp_path / "t.toml").write_text(one + one)
    with pytest.raises(BadInput):
        load_templates(tmp_path, language=LANGUAGE, describer=DESCRIBER)


def test_workers_end_with_a_build_that_is_killed(tmp_path: Path) -> None:
    child = mereo_process("build", "clevr", tmp_path / "out", "--split", "train=1500,val=1500", "--symbolic",
                          "--workers", "2", cwd=tmp_path)  # fmt: skip
    workers: list[int] = []
    while len(workers) < 3:
        time.sleep(0.2)
        listed = subprocess.run(["pgrep", "-P", str(child.pid)], check=False, capture_output=True, text=True).stdout
        workers = [int(pid) for pid in listed.split()]
    time.sleep(3)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    for stream in (child.stdout, child.stderr):
        assert stream is not None
        stream.close()
    left, patience = workers, time.monotonic() + 60
    while left and time.monotonic() < patience:
        time.sleep(0.2)
        left = [pid for pid in workers if Path(f"/proc/{pid}").exists()]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert left == []


def test_scratch_files_of_a_killed_build_are_gone_when_it_is_resumed(mereo: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "out"
    child = mereo_process("build", "clevr", out, "--split", "train=200", "--symbolic", cwd=tmp_path)
    while not (out / "build.json").exists():
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()
    (out / "scenes").mkdir(exist_ok=True)
    (out / "scenes" / ".train-00000.parquet.abc123.part").write_bytes(b"PAR1")  # what a kill during a write leaves
    mereo("build", "clevr", out, "--split", "train=200", "--symbolic", "--resume")
    assert list(out.rglob(".*")) == []
