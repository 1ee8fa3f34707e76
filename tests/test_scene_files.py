"""Scenes as files: complete, versioned, and good for the same picture again."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mereo.errors import BadInput
from mereo.scenes.render import render
from mereo.scenes.scene import VERSION, Camera, Scene, load_scene, save_scene, scene_from_json, scene_to_json
from scenery import RED, STEEL, room, stage, thing

COORDINATES = st.floats(-1e6, 1e6)


@pytest.fixture
def scene() -> Scene:
    """A room with two objects, one of them turned and painted part by part."""
    lamp = thing("lamp", 0.7, 0.3, turn=25.0, paint=STEEL)
    return room(thing("cube", -0.6, 0.2, scale=0.4, turn=10.0, paint=RED), lamp)


def test_a_scene_is_what_it_was_after_being_stored(scene: Scene, tmp_path: Path) -> None:
    save_scene(scene, tmp_path / "scene.json")
    assert load_scene(tmp_path / "scene.json") == scene
    assert scene_from_json(scene_to_json(scene)) == scene


@given(x=COORDINATES, y=COORDINATES, turn=st.floats(-360, 360), scale=st.floats(1e-3, 1e3), field=st.floats(1, 170))
def test_no_number_loses_a_digit_in_a_file(x: float, y: float, turn: float, scale: float, field: float) -> None:
    scene = stage(thing("cube", x, y, scale=scale, turn=turn), camera=Camera((x, y, 3.0), (0.0, y, x), field))
    assert scene_from_json(scene_to_json(scene)) == scene


def test_a_scene_of_a_newer_version_is_refused_by_its_version(scene: Scene, tmp_path: Path) -> None:
    content = json.loads(scene_to_json(scene))
    # A newer format may have changed anything: the version must be what is complained of, not the rest.
    newer = {"scene": VERSION + 1, "objects": "elsewhere", "setting": content["setting"]}
    path = tmp_path / "newer.json"
    path.write_text(json.dumps(newer))
    with pytest.raises(BadInput) as refused:
        load_scene(path)
    assert str(refused.value) == f"{path}, field 'scene': is of version {VERSION + 1}; this mereo reads up to {VERSION}"


def test_a_scene_of_the_first_version_is_read_as_it_was(scene: Scene) -> None:
    content = json.loads(scene_to_json(scene))
    older = scene_from_json(json.dumps({**content, "scene": 1}).encode())
    assert older == msgspec.structs.replace(scene, scene=1)
    del content["scene"]
    assert scene_from_json(json.dumps(content).encode()) == scene


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (("camera", "width"), "wide", "camera.width"),
        (("objects", 0, "pose", "rotation"), [1.0, 0.0, 0.0], "objects[0].pose.rotation"),
        (("objects", 1, "shape", "category"), 7, "objects[1].shape.category"),
        (("lights", 0, "side"), None, "lights[0].side"),
        (("setting", "type"), "cellar", "setting.type"),
        (("scene",), "new", "scene"),
    ],
)
def test_a_wrong_field_is_named_with_its_file(
    scene: Scene, tmp_path: Path, path: tuple[str | int, ...], value: Any, field: str
) -> None:
    content: Any = json.loads(scene_to_json(scene))
    place = content
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    file = tmp_path / "wrong.json"
    file.write_text(json.dumps(content))
    with pytest.raises(BadInput) as refused:
        load_scene(file)
    assert str(refused.value).startswith(f"{file}, field '{field}': ")


def test_a_file_that_is_not_there_or_no_json_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"missing\.json: there is no such file$"):
        load_scene(tmp_path / "missing.json")
    (tmp_path / "broken.json").write_text('{"scene": 1,')
    with pytest.raises(BadInput, match=r"broken\.json: is not JSON: "):
        load_scene(tmp_path / "broken.json")


RENDER_AGAIN = """
import hashlib, sys
from mereo.scenes.render import render
from mereo.scenes.scene import load_scene
picture, frame = render(load_scene(sys.argv[1]), samples=8, seed=5)
print(*(hashlib.sha256(array.tobytes()).hexdigest() for array in (picture, frame.depth, frame.object, frame.part)))
"""


def test_a_stored_scene_gives_the_same_pixels_here_and_in_another_process(scene: Scene, tmp_path: Path) -> None:
    save_scene(scene, tmp_path / "scene.json")
    again = subprocess.Popen(
        [sys.executable, "-c", RENDER_AGAIN, str(tmp_path / "scene.json")], stdout=subprocess.PIPE, text=True
    )

    def digests(of: Scene) -> list[str]:
        picture, frame = render(of, samples=8, seed=5)
        arrays = (picture, frame.depth, frame.object, frame.part)
        return [hashlib.sha256(array.tobytes()).hexdigest() for array in arrays]

    first = digests(scene)
    assert digests(load_scene(tmp_path / "scene.json")) == first
    out, _ = again.communicate()
    assert again.returncode == 0
    assert out.split() == first
