"""Joints and materials of one's own meshes: said in the map, kept in the folder, and moved like any others."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from kit import CommandLine, complaint
from mereo.scenes.assemble import shape_of
from mereo.scenes.scene import ShapeRef
from mereo.shapes.articulation import joints, posed
from mereo.shapes.grammar import make_shape
from mereo.shapes.importer import import_shape, read_part_map
from mereo.shapes.own import keep_shape
from mereo.shapes.part import Part, Shape
from mereo.shapes.partnet import read_partnet, write_partnet
from mereo.shapes.physical import material_of
from mereo.shapes.solids import box
from own_meshes import write_groups

MAP = """
category = "refrigerator"
units = "cm"
up = "+y"
front = "+z"

[parts]
"case" = "refrigerator/body/frame"
"panel" = "refrigerator/body/door#main/door_frame"
"grip" = { label = "refrigerator/body/door#main/handle", material = "wood" }
"foot_*" = { label = "refrigerator/base/foot_base/foot", joint = { kind = "spin", axis = [0, 2, 0] } }

[joints]
"refrigerator/body/door#main" = { kind = "hinge", axis = [0, -5, 0], origin = [70, 0, 30], low = -10, high = 90 }
"""


@pytest.fixture
def refrigerator(tmp_path: Path) -> Path:
    """A case with a door before it, 60 cm wide, in centimeters, y up, front towards +z, its middle at x = 100."""
    solids = {
        "case": box((60, 160, 60), (100, 90, 0)),
        "panel": box((60, 160, 6), (100, 90, 33)),
        "grip": box((2, 40, 4), (125, 90, 37)),
        "foot_1": box((10, 10, 10), (80, 5, 0)),
        "foot_2": box((10, 10, 10), (120, 5, 0)),
    }
    (tmp_path / "fridge.toml").write_text(MAP)
    return write_groups(tmp_path / "fridge.obj", {name: solid.mesh() for name, solid in solids.items()})


def brought_in(mesh: Path) -> Shape:
    return import_shape(mesh, read_part_map(mesh.with_suffix(".toml")))


def named(shape: Shape, name: str) -> Part:
    return next(part for part in shape.parts() if part.name == name)


def test_a_joint_of_a_map_is_in_the_files_own_units_and_axes(refrigerator: Path) -> None:
    """Its origin, 30 cm to the left of the middle and on the front of the case, is there in meters."""
    shape = brought_in(refrigerator)
    joint = joints(shape)[named(shape, "door").id]
    middle = (0.30 + 0.39) / 2 - 0.30  # its box reaches from 30 cm behind to 39 cm before the case's middle
    assert joint.axis == (0.0, 0.0, -1.0)
    assert joint.origin[:2] == pytest.approx((-0.3, -0.3 + middle))
    assert (joint.low, joint.high, joint.at) == (-10.0, 90.0, 0.0)


def test_a_door_of_ones_own_opens_with_its_handle(refrigerator: Path) -> None:
    shape = brought_in(refrigerator)
    opened = posed(shape, {named(shape, "door").id: 90.0})
    panel, grip = named(opened, "door_frame").mesh, named(opened, "handle").mesh
    assert panel is not None
    assert grip is not None
    front = joints(shape)[named(shape, "door").id].origin[1]
    low, high = panel.bounds()
    assert low == pytest.approx((-0.36, front - 0.6, 0.1))
    assert high == pytest.approx((-0.3, front, 1.7))
    assert grip.bounds()[0, 1] == pytest.approx(front - 0.56)


def test_a_part_that_several_groups_make_spins_in_each(refrigerator: Path) -> None:
    shape = brought_in(refrigerator)
    feet = [part for part in shape.parts() if part.name == "foot"]
    assert [foot.joint.kind for foot in feet if foot.joint] == ["spin", "spin"]


def test_a_material_of_a_map_counts(refrigerator: Path) -> None:
    shape = brought_in(refrigerator)
    assert material_of(named(shape, "handle")).name == "wood"
    assert named(shape, "door_frame").material == ""


def test_what_slides_does_so_in_meters(refrigerator: Path) -> None:
    slides = '"refrigerator/body/door#main" = { kind = "slide", axis = [0, 0, 1], high = 40 }'
    refrigerator.with_suffix(".toml").write_text(f"{MAP.partition('[joints]')[0]}[joints]\n{slides}\n")
    shape = brought_in(refrigerator)
    joint = joints(shape)[named(shape, "door").id]
    assert (joint.kind, joint.axis, joint.low) == ("slide", (0.0, -1.0, 0.0), 0.0)
    assert joint.high == pytest.approx(0.4)


def same(one: Shape, other: Shape) -> bool:
    facts = [[(part.label, part.id, part.material, part.joint) for part in shape.parts()] for shape in (one, other)]
    return facts[0] == facts[1]


def test_folders_keep_joints_and_materials(refrigerator: Path, tmp_path: Path) -> None:
    shape = brought_in(refrigerator)
    write_partnet(shape, tmp_path / "kept")
    assert same(read_partnet(tmp_path / "kept"), shape)
    assert joints(read_partnet(tmp_path / "kept", meshes=False)) == joints(shape)


@pytest.mark.parametrize("category", ["cart", "chair", "lamp", "refrigerator", "storage_furniture", "table"])
def test_libraries_keep_the_joints_of_our_own_shapes(category: str, tmp_path: Path) -> None:
    made = (make_shape(category, seed=3, family=family) for family in range(100))
    moving = (shape for shape in made if joints(shape))
    for shape in islice(moving, 3):
        write_partnet(shape, tmp_path / shape.name)
        assert same(read_partnet(tmp_path / shape.name), shape)


def test_a_shape_with_a_joint_is_not_the_one_without(refrigerator: Path) -> None:
    with_joints = keep_shape(brought_in(refrigerator), "fridge")
    text = MAP.partition("[joints]")[0]
    refrigerator.with_suffix(".toml").write_text(text)
    without = keep_shape(brought_in(refrigerator), "fridge")
    assert with_joints != without
    wide = ShapeRef("refrigerator", own=with_joints)
    number = named(shape_of(wide), "door").id
    assert shape_of(wide.opened({number: 90.0})).bounds()[0, 1] < shape_of(wide).bounds()[0, 1] - 0.4


def test_what_was_brought_in_is_exported(refrigerator: Path, tmp_path: Path, mereo: CommandLine) -> None:
    mereo("shapes", "import", refrigerator, tmp_path / "kept")
    mereo("shapes", "export", tmp_path / "kept", tmp_path / "model", "--to", "mjcf")
    told = (tmp_path / "model" / "fridge" / "semantics.txt").read_text()
    assert [line.split()[1:] for line in told.splitlines()] == [
        ["static", "refrigerator"],
        ["hinge", "door"],
        ["hinge", "foot"],
        ["hinge", "foot"],
    ]


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ('material = "wood"', 'material = "wod"', "field 'parts.grip.material': there is no material 'wod' (did you"),
        ("axis = [0, -5, 0]", "axis = [0, 0, 0]", "field 'joints.refrigerator/body/door#main.axis': has no direction"),
        ("axis = [0, -5, 0]", "axis = [0, nan, 0]", "axis': has no direction"),
        ("origin = [70, 0, 30]", "origin = [inf, 0, 0]", "origin': is no point"),
        ("low = -10", "low = 10", "cannot go from 10 to 90: the mesh shows it at 0"),
        ("high = 90", "high = -10", "cannot go from -10 to -10"),
        ("high = 90", "high = inf", "cannot go from -10 to inf"),
        (", low = -10, high = 90", "", "high': must say how far it goes"),
        ('kind = "hinge"', 'kind = "spin"', "spins without end: leave low and high out, or call it a hinge"),
        ('kind = "hinge"', 'kind = "hing"', "invalid enum value 'hing'"),
        ('door#main" = {', 'door" = {', "'refrigerator/body/door' is no part above a group"),
        ("high = 90", "hihg = 90", "unknown field `hihg`"),
    ],
)
def test_what_a_map_cannot_say_is_refused_in_one_sentence(
    refrigerator: Path, before: str, after: str, sentence: str
) -> None:
    assert before in MAP
    refrigerator.with_suffix(".toml").write_text(MAP.replace(before, after))
    said = complaint(lambda: brought_in(refrigerator)) or ""
    assert sentence in said
    assert "fridge.toml" in said
    assert "\n" not in said


def test_the_whole_has_nothing_to_move_against(tmp_path: Path) -> None:
    mesh = write_groups(tmp_path / "top.obj", {"all": box((1, 1, 1)).mesh()})
    said = '"all" = { label = "top", joint = { kind = "spin", axis = [0, 0, 1] } }'
    mesh.with_suffix(".toml").write_text(f'category = "top"\n[parts]\n{said}\n')
    assert "is the whole, which has nothing to move against" in (complaint(lambda: brought_in(mesh)) or "")


def test_groups_that_make_one_part_must_agree(tmp_path: Path) -> None:
    solids = {"one": box((1, 1, 1)).mesh(), "two": box((1, 1, 1), (3, 0, 0)).mesh()}
    mesh = write_groups(tmp_path / "both.obj", solids)
    said = [
        f'"{name}" = {{ label = "top/body#a", material = "{kind}" }}'
        for name, kind in (("one", "wood"), ("two", "metal"))
    ]
    mesh.with_suffix(".toml").write_text("\n".join(['category = "top"', "[parts]", *said]))
    assert "its groups say different things of it" in (complaint(lambda: brought_in(mesh)) or "")


@pytest.mark.parametrize(
    ("before", "after"), [(b'"axis":[0', b'"axis":[7'), (b'"high":90.0', b'"high":-90.0'), (b'"wood"', b'"wod"')]
)
def test_a_damaged_joint_is_said_in_one_sentence(
    refrigerator: Path, tmp_path: Path, before: bytes, after: bytes
) -> None:
    write_partnet(brought_in(refrigerator), tmp_path / "kept")
    file = tmp_path / "kept" / "mereo.json"
    assert before in file.read_bytes()
    file.write_bytes(file.read_bytes().replace(before, after))
    assert str(file) in (complaint(lambda: read_partnet(tmp_path / "kept")) or "")
