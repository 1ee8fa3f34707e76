"""Shapes that move, as URDF and MJCF: MuJoCo loads both, finds everything where it should be, and moves it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import mujoco
import numpy as np
import pytest

from kit import CommandLine, complaint
from mereo.chance import generator
from mereo.shapes.articulation import joints, posed
from mereo.shapes.grammar import leaf, make_shape, part
from mereo.shapes.links import links_of
from mereo.shapes.mobility import FORMATS, write_mobility
from mereo.shapes.part import Shape
from mereo.shapes.physical import mass_of
from mereo.shapes.solids import box

FAMILIES = {"refrigerator": 0, "storage_furniture": 2, "cart": 1, "chair": 3, "lamp": 7, "table": 14}
"""A family of each category that moves in several ways: doors, drawers, casters, a star, a head."""
SECONDS = 2.0
both = pytest.mark.parametrize("to", sorted(FORMATS))
every = pytest.mark.parametrize("category", sorted(FAMILIES))


@cache
def made(category: str) -> Shape:
    """The first shape from this family on that moves."""
    shapes = (make_shape(category, seed=20, family=FAMILIES[category] + k) for k in range(100))
    return next(shape for shape in shapes if joints(shape))


def loaded(category: str, folder: Path, to: str) -> Any:
    (path,) = write_mobility([made(category)], folder / "out", to=to)
    return mujoco.MjModel.from_xml_path(str(path))


def joint_named(model: Any, shape: Shape, number: int) -> Any:
    name = next(part.name for part in shape.parts() if part.id == number)
    return model.joint(f"{name}_{number}_joint")


@both
@every
def test_weight_lies_where_it_does_in_the_shape(category: str, to: str, tmp_path: Path) -> None:
    """At rest, and with every joint somewhere in its range."""
    shape, model, rng = made(category), loaded(category, tmp_path, to), generator(4, category)
    data, known = mujoco.MjData(model), joints(made(category))
    for share in (0.0, 1.0):
        values = {
            number: share * rng.uniform(max(joint.low, -170), min(joint.high, 170)) for number, joint in known.items()
        }
        for number, value in values.items():
            turns = known[number].kind != "slide"
            data.qpos[joint_named(model, shape, number).qposadr] = np.radians(value) if turns else value
        mujoco.mj_forward(model, data)
        mass, center, _ = mass_of(posed(shape, values))
        assert model.body_mass.sum() == pytest.approx(mass, rel=1e-6)
        assert data.subtree_com[0] == pytest.approx(center, abs=1e-6)


@both
@every
def test_what_is_let_go_stays_in_its_range(category: str, to: str, tmp_path: Path) -> None:
    """All joints are moved to one end of their range and then to the other; what spins is given a push."""
    model = loaded(category, tmp_path, to)
    limited, span = model.jnt_limited.astype(bool), model.jnt_range
    assert model.njnt == len(joints(made(category)))
    for end in (0, 1):
        data = mujoco.MjData(model)
        data.qpos[limited], data.qvel[~limited] = span[limited, end], 1.0
        while data.time < SECONDS:
            mujoco.mj_step(model, data)
            assert np.abs(data.qvel).max() < 20.0
        out = np.maximum(span[:, 0] - data.qpos, data.qpos - span[:, 1])[limited]
        assert out.max(initial=0.0) < 0.02


@every
def test_a_range_is_the_same_in_radians_and_meters(category: str, tmp_path: Path) -> None:
    shape, model = made(category), loaded(category, tmp_path, "urdf")
    for number, joint in joints(shape).items():
        found = joint_named(model, shape, number)
        if joint.kind == "spin":
            assert not model.jnt_limited[found.id]
        else:
            wanted = np.array([joint.low, joint.high])
            assert found.range == pytest.approx(wanted if joint.kind == "slide" else np.radians(wanted), abs=1e-6)


def test_the_key_of_a_model_is_how_the_shape_was_left(tmp_path: Path) -> None:
    shape, model = made("refrigerator"), loaded("refrigerator", tmp_path, "mjcf")
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    assert data.qpos.max() > 0.1
    assert data.subtree_com[0] == pytest.approx(mass_of(shape).center, abs=1e-6)


def test_what_lies_between_two_joints_is_one_link() -> None:
    shape = made("cart")
    links = links_of(shape)
    leaves = [each.id for link in links for each in link.leaves]
    assert sorted(leaves) == [each.id for each in shape.leaves()]
    wheel = next(link for link in links if link.part.name == "wheel")
    assert wheel.above is not None
    assert wheel.above.part.name == "caster"
    assert wheel.above.above is links[0]
    assert sum(link.mass().mass for link in links) == pytest.approx(mass_of(shape).mass)


def test_a_model_can_be_touched_from_outside(tmp_path: Path) -> None:
    """A ball that falls on a cart stays on it: its convex pieces collide, only not with each other."""
    (path,) = write_mobility([made("cart")], tmp_path / "out", to="mjcf")
    spec = mujoco.MjSpec.from_file(str(path))
    low, high = made("cart").bounds()
    ball = spec.worldbody.add_body(name="ball", pos=[0, 0, high[2] + 0.2])
    ball.add_freejoint()
    ball.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.1, 0, 0], density=100)
    for key in list(spec.keys):
        spec.delete(key)
    model = spec.compile()
    data, touched = mujoco.MjData(model), False
    while data.time < 1.0 and not touched:
        mujoco.mj_step(model, data)
        touched = data.ncon > 0
    assert touched
    assert data.body("ball").xpos[2] > low[2] + 0.1


def test_links_are_named_by_what_they_are(tmp_path: Path) -> None:
    (path,) = write_mobility([made("refrigerator")], tmp_path / "out", to="urdf")
    told = [line.split() for line in (path.parent / "semantics.txt").read_text().splitlines()]
    assert told[0] == ["base", "static", "refrigerator"]
    assert {line[2] for line in told[1:]} == {"door"}
    assert [line[0] for line in told] == [link.get("name") for link in ET.parse(path).getroot().iter("link")]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["bed"], "has no joints: nothing in it moves"),
        (["cart", "cart"], "is there twice"),
        (["chiar"], "no category or folder of a shape 'chiar' (did you mean 'chair'?)"),
    ],
)
def test_what_cannot_be_exported_is_said_in_one_sentence(
    arguments: list[str], sentence: str, tmp_path: Path, mereo: CommandLine
) -> None:
    out = tmp_path / "out"
    assert sentence in mereo("shapes", "export", *arguments, out, "--to", "urdf", code=2).err
    assert not out.exists()


def test_nothing_is_written_if_one_of_several_does_not_move(tmp_path: Path) -> None:
    still = Shape.of("block", part("block", leaf("body", box((1, 1, 1)))), name="block-1")
    assert "block-1" in (complaint(lambda: write_mobility([made("cart"), still], tmp_path / "out", to="mjcf")) or "")
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_a_folder_for_each_shape(tmp_path: Path, mereo: CommandLine) -> None:
    mereo("shapes", "export", "cart", "refrigerator", tmp_path / "out", "--to", "mjcf")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["cart-00000-0", "refrigerator-00000-0"]
