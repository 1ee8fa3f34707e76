"""Table tops: things stand on them in the picture, under lamps whose jitter is known, before a wall without end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mereo.chance import generator
from mereo.scenes.observe import projected
from mereo.scenes.render import Set
from mereo.scenes.scene import Scene, Surface, TableTop, scene_from_json, scene_to_json
from mereo.scenes.setting import panels
from mereo.scenes.table_top import TABLE_LOOKS, WALL_LOOKS, table_scene
from mereo.scenes.textures import all_looks
from scenery import GRAY, ROOM, thing


def table(seed: int, look: str = "oak_veneer", *, width: int = 480, height: int = 320) -> Scene:
    ball = thing("sphere", 0.0, 0.0, scale=0.06, paint=GRAY)
    rng = generator(seed, "table")
    return table_scene([ball], top=Surface(look), wall=Surface("white_plaster"), rng=rng, width=width, height=height)


@given(seed=st.integers(0, 10_000))
def test_the_middle_of_the_top_is_in_the_picture_and_behind_it_is_wall(seed: int) -> None:
    scene = table(seed)
    corners = [(x, y, 0.0) for x in (-0.3, 0.3) for y in (-0.2, 0.2)]
    for column, row, depth in projected(scene, corners).tolist():
        assert 0 < column < 480
        assert 0 < row < 320
        assert depth > 0
    assert scene_from_json(scene_to_json(scene)) == scene
    assert scene == table(seed)


def test_jitter_says_by_how_much_camera_and_lamps_were_moved() -> None:
    scenes = [table(seed) for seed in range(4)]
    assert len({scene.camera.position for scene in scenes}) == 4
    for name in ("window", "fill", "ceiling", "camera"):
        moved = [
            (scene.camera if name == "camera" else scene.lights[["window", "fill", "ceiling"].index(name)]).position
            for scene in scenes
        ]
        still = [np.subtract(place, scene.jitter[name]) for place, scene in zip(moved, scenes, strict=True)]
        assert np.allclose(still, still[0])


def test_every_ray_ends_at_the_table_the_wall_or_a_thing() -> None:
    for seed in range(6):
        scene = table(seed, width=48, height=32)
        frame = Set(scene).frame()
        assert np.isfinite(frame.depth).all()
        top = (frame.normal[..., 2] > 0.99) & (frame.object == -1)
        wall = (frame.normal[..., 1] < -0.99) & (frame.object == -1)
        assert top.mean() > 0.3
        assert wall.mean() > 0.1


@pytest.mark.parametrize("setting", [TableTop(1.0, 0.6, Surface("oak_veneer"), Surface("rose_plaster")), ROOM])
def test_a_panel_faces_where_its_edges_say(setting: TableTop) -> None:
    for panel in panels(setting).values():
        corners = panel.corners()
        normal = np.cross(corners[1] - corners[0], corners[3] - corners[0])
        assert np.allclose(np.cross(panel.across, panel.up), normal)
        assert np.isclose(np.linalg.norm(normal), np.linalg.norm(panel.across) * np.linalg.norm(panel.up))


def test_there_are_tops_of_wood_stone_and_laminate_and_plain_walls() -> None:
    looks = all_looks()
    assert set(TABLE_LOOKS) | set(WALL_LOOKS) <= set(looks)
    patterns = {looks[name]["pattern"] for name in TABLE_LOOKS}
    assert {"staves", "veneer", "marble", "granite", "plain"} == patterns
    assert {looks[name]["pattern"] for name in WALL_LOOKS} == {"plaster"}


def test_two_tops_look_different() -> None:
    pictures = [
        Set(table(1, look, width=48, height=32)).picture(samples=8).mean((0, 1))
        for look in ("walnut_worktop", "white_marble")
    ]
    assert pictures[1].min() > 1.2 * pictures[0].max()
