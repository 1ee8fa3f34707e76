"""Own shapes in PTR's rooms: chosen by a TOML file, kept apart by split, carried by the dataset, found by readers."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

import mereo
from kit import CommandLine, complaint
from mereo import Dataset
from mereo.benchmarks.ptr.objects import drawn_own, ptr_objects, told_own
from mereo.benchmarks.ptr.record import geometry_of
from mereo.chance import generator
from mereo.datasets.store import SHAPES, own_shapes
from mereo.scenes.assemble import assemble, shape_of
from mereo.scenes.physics import stability
from mereo.scenes.scene import Placed, ShapeRef, scene_from_json, scene_to_json
from mereo.shapes import own
from mereo.shapes.grammar import leaf, make_shape, part
from mereo.shapes.mesh import Mesh
from mereo.shapes.objects import dealt
from mereo.shapes.own import keep_shape, look_in, own_shape
from mereo.shapes.part import Part, Shape
from mereo.shapes.partnet import write_partnet
from mereo.shapes.solids import box
from mereo.workbench.building import plan_build
from own_meshes import CHAIR_MAP, write_chair, write_chairs
from scenery import RED, room, stage, thing

SEED = 2
"""With which both rooms have chairs."""
SMALL: Mapping[str, Any] = {"size": "96x64", "samples": 8, "questions_per_scene": 4}
ALL = {"train": (), "val": (), "test": ()}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("objects")


@pytest.fixture(scope="module")
def objects(home: Path) -> Path:
    """Four chairs, which take the place of those that the grammar makes."""
    return write_chairs(home)


@pytest.fixture(scope="module")
def rooms(home: Path, objects: Path) -> Dataset:
    """Two rooms with own chairs, of two splits, each made by a worker that has only the folder to go by."""
    return mereo.build("ptr", home / "rooms", split="train=1,test=1", seed=SEED, workers=2, objects=objects, **SMALL)


@pytest.fixture
def stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if this process had never heard of any own shape."""
    monkeypatch.setattr(own, "_PLACES", [])
    shape_of.cache_clear()


def things(dataset: Dataset) -> list[dict[str, Any]]:
    return [thing for scene in dataset.scenes for thing in scene.record["objects"]]


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_build_uses_own_shapes_carries_them_and_is_sound(rooms: Dataset, stranger: None) -> None:
    chairs = [found for found in things(rooms) if found["category"] == "chair"]
    assert {chair["shape"]["split"] for chair in chairs} == {"train", "test"}
    assert all({part["part"] for part in chair["parts"]} <= {"seat", "back", "leg"} for chair in chairs)
    assert {chair["shape"]["own"] for chair in chairs} <= set(own_shapes(rooms.manifest))
    assert len(own_shapes(rooms.manifest)) == 4
    assert all("own" not in found["shape"] for found in things(rooms) if found["category"] != "chair")
    assert rooms.manifest.settings["objects"].startswith("4 shapes (")
    assert mereo.audit(rooms).complaints == []


def test_one_worker_makes_the_same_scene_as_two(rooms: Dataset, objects: Path) -> None:
    recipe = plan_build("ptr", split="train=1,test=1", seed=SEED, objects=objects, **SMALL).recipe
    assert recipe.scene("train", 0) == dict(rooms.scenes[0].whole_row)


def test_a_scene_of_a_dataset_is_rendered_again_by_who_has_only_the_dataset(rooms: Dataset, stranger: None) -> None:
    layout = rooms.scenes[0].layout
    assert "open the dataset that it belongs to" in (complaint(lambda: assemble(layout)) or "")
    moved = Dataset(rooms.folder, mereo.load(rooms.folder).manifest)
    picture = mereo.render(moved.scenes[0].layout, samples=8)
    assert picture.size == (96, 64)


def test_the_browser_gets_the_meshes_of_own_shapes(rooms: Dataset, stranger: None) -> None:
    pytest.importorskip("nicegui", reason="the explorer's packages are not installed")
    from mereo.explorer.catalog import Catalog
    from mereo.explorer.meshes import space_of_row

    catalog = Catalog([rooms.folder])
    row = catalog.scene_row(0, "train-000000")
    space = space_of_row(row, catalog.inspector(0))
    rendered = assemble(scene_from_json(row["layout"].encode()))
    assert sum(len(piece.faces) for piece in space.pieces) == len(rendered.faces)
    assert any(piece.label.endswith("/leg") for piece in space.pieces)


def test_referring_expressions_and_subsets_carry_on_what_their_scenes_need(
    rooms: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pointing = mereo.build("refer", tmp_path / "pointing", scenes_from=rooms.folder, questions_per_scene=3)
    fewer = mereo.subset(rooms, tmp_path / "fewer", share=1.0)
    for made in (pointing, fewer):
        monkeypatch.setattr(own, "_PLACES", [])
        shape_of.cache_clear()
        assert own_shapes(made.manifest) == own_shapes(rooms.manifest)
        assert mereo.audit(made).complaints == []
        assert len(assemble(mereo.load(made.folder).scenes[0].layout).faces) > 100


def test_official_files_name_own_shapes(rooms: Dataset, tmp_path: Path) -> None:
    mereo.export(rooms, tmp_path / "out", to="ptr")
    names = set()
    for path in (tmp_path / "out" / "scenes").rglob("*.json"):
        names |= {found["partnet_id"] for found in msgspec.json.decode(path.read_bytes())["objects"]}
    assert names >= {found["shape"]["own"] for found in things(rooms) if "own" in found["shape"]}
    assert any(name.startswith(("bed-t", "table-t", "cart-t", "refrigerator-t")) for name in names)


def test_a_build_is_not_gone_on_with_by_other_meshes(rooms: Dataset, home: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(rooms.folder, tmp_path / "rooms"))
    order: Mapping[str, Any] = {"split": "train=1,test=1", "seed": SEED, "resume": True, **SMALL}
    other = write_chairs(tmp_path / "other", 4)
    write_chair(tmp_path / "other" / "meshes" / "chair_2.obj", width=70)
    for objects in (other, write_chairs(tmp_path / "half", share=0.5), None):
        said = complaint(lambda objects=objects: mereo.build("ptr", folder, objects=objects, **order))  # type: ignore[misc]
        assert "was begun with objects: " in (said or "")
    damaged = folder / SHAPES / own_shapes(rooms.manifest)[0] / "mereo.json"
    damaged.write_text("{}")
    assert "the content is not what dataset.json says" in mereo.audit(folder).complaints[0]
    mereo.build("ptr", folder, objects=home / "objects.toml", **order)
    assert files(folder / SHAPES) == files(rooms.folder / SHAPES)
    assert mereo.audit(folder).complaints == []


def test_an_audit_finds_an_own_shape_in_two_splits(rooms: Dataset) -> None:
    row = next(scene.row for scene in rooms.scenes if "own" in scene.row["scene"])
    (crossing,) = {
        found for found in rooms.inspector.families(row) if isinstance(found[1], str) and found[0] == "chair"
    }
    assert crossing[1] in own_shapes(rooms.manifest)


# What is as it was


def test_without_own_shapes_every_byte_is_as_it_was() -> None:
    reference = ShapeRef("chair", 3, "val", 4, 5)
    told = b'{"category":"chair","seed":3,"split":"val","family":4,"instance":5}'
    assert msgspec.json.encode(reference) == told
    assert msgspec.json.decode(told, type=ShapeRef) == reference
    assert scene_to_json(stage(thing("cube", 0, 0))).endswith(b'"scene":2}')
    rng = generator(0, "any")
    assert drawn_own((), "chair", "train", rng) is None
    assert rng.random() == generator(0, "any").random()


def test_a_scene_with_own_shapes_is_refused_by_readers_that_do_not_know_them() -> None:
    named = Placed(ShapeRef("chair", own="chair-0123456789abcdef"), paints={"": RED})
    told = scene_to_json(room(named))
    assert told.endswith(b'"scene":3}')
    assert scene_from_json(told).objects == (named,)


# Own shapes


def test_an_own_shape_is_found_by_its_name_to_the_last_bit(stranger: None) -> None:
    chair = make_shape("chair", seed=0, family=3)
    name = keep_shape(chair, "my chair (2)")
    assert name.startswith("my_chair__2_-")
    assert keep_shape(chair, "my chair (2)") == name
    again = own_shape(name)
    assert [part.label for part in again.parts()] == [part.label for part in chair.parts()]
    assert keep_shape(again, "other").rpartition("-")[2] == name.rpartition("-")[2]
    assert shape_of(ShapeRef("chair", own=name)).mesh().volume() == chair.mesh().volume()


@pytest.mark.parametrize("name", ["", "../up-0123456789abcdef", "/etc-0123456789abcdef", ".a-0123456789abcdef", "a/b"])
def test_a_name_is_never_a_path(name: str) -> None:
    assert "field 'own': " in (complaint(lambda: own_shape(name)) or "")


def test_a_shape_that_is_not_what_its_name_says_is_refused(tmp_path: Path, stranger: None) -> None:
    write_partnet(make_shape("chair", seed=0), tmp_path / "a-0123456789abcdef")
    look_in(tmp_path)
    assert "does not hold the shape that it is named after" in (
        complaint(lambda: own_shape("a-0123456789abcdef")) or ""
    )


def test_an_own_chair_stands_and_a_slanted_one_falls(objects: Path) -> None:
    (group,) = ptr_objects(objects, ALL)
    chair = Placed(ShapeRef("chair", own=group.shapes["train"][0]), paints={"": RED})
    aslant = msgspec.structs.replace(thing("chair", 2, 0, 0.4), shape=chair.shape)
    aslant = msgspec.structs.replace(aslant, pose=msgspec.structs.replace(aslant.pose, rotation=(0.87, 0.0, 0.5, 0.0)))
    assert [motion.stable for motion in stability(room(chair, aslant))] == [True, False]


def test_parts_that_are_open_do_as_well(tmp_path: Path) -> None:
    seat = box((0.4, 0.44, 0.04), (0, 0, 0.45))
    opened = Part("seat_single_surface", mesh=Mesh.of(seat.mesh().vertices, seat.mesh().faces[:-2]), pieces=seat.pieces)
    legs = [leaf("leg", box((0.04, 0.04, 0.43), (x, y, 0.215))) for x in (-0.17, 0.17) for y in (-0.19, 0.19)]
    root = part(
        "chair", part("chair_seat", part("seat_surface", opened)), part("chair_base", part("regular_leg_base", legs))
    )
    write_partnet(Shape.of("chair", root), tmp_path / "lib" / "stool")
    (tmp_path / "objects.toml").write_text('[objects.open]\ncategory = "chair"\nshapes = "lib"\n')
    (group,) = ptr_objects(tmp_path / "objects.toml", {"train": ()})
    reference = ShapeRef("chair", own=group.shapes["train"][0])
    assert not shape_of(reference).leaves()[0].mesh.is_watertight()  # type: ignore[union-attr]
    assert {name: len(found) for name, found in geometry_of(reference).items()} == {"seat": 1, "leg": 4}
    assert stability(room(Placed(reference, paints={"": RED})))[0].stable


# The file


def test_every_split_gets_some_and_none_gets_another_ones() -> None:
    weights = {"train": 14, "val": 2, "test": 3}
    names = [f"chair-{generator(0, k).integers(1 << 62):016x}" for k in range(190)]
    for count, expected in ((1, (1, 0, 0)), (2, (1, 0, 1)), (3, (1, 1, 1)), (19, (14, 2, 3)), (190, (140, 20, 30))):
        found = dealt(names[:count], weights)
        assert tuple(map(len, found.values())) == expected
        assert sorted(name for own in found.values() for name in own) == sorted(names[:count])
        assert dealt(names[:count][::-1], weights) == found


def test_a_file_may_say_which_shapes_a_split_has(tmp_path: Path) -> None:
    splits = '[objects.mine.splits]\ntest = ["chair_1*"]\nval = ["meshes/chair_0.obj", "chair_3"]\n'
    (group,) = ptr_objects(write_chairs(tmp_path, more=splits), ALL)
    named = {split: {name.partition("-")[0] for name in names} for split, names in group.shapes.items()}
    assert named == {"train": {"chair_2"}, "val": {"chair_0", "chair_3"}, "test": {"chair_1"}}


def test_a_split_needs_no_shape_of_a_category_that_it_does_not_show(tmp_path: Path) -> None:
    path = write_chairs(tmp_path, 1)
    assert ptr_objects(path, {"train": (), "val": ("table", "cart")})
    assert "no chair is left for val" in (complaint(lambda: ptr_objects(path, {"val": ("chair",)})) or "")


def test_a_map_beside_a_mesh_comes_before_that_of_all(tmp_path: Path) -> None:
    path = write_chairs(tmp_path, 1)
    (tmp_path / "meshes" / "chair_0.toml").write_text(CHAIR_MAP)
    (tmp_path / "chair.toml").write_text("category = 'table'\n[parts]\n'*' = 'table'")
    assert ptr_objects(path, {})


def test_shapes_of_a_library_are_taken_as_they_are(tmp_path: Path) -> None:
    for family in range(3):
        write_partnet(make_shape("table", seed=0, family=family), tmp_path / "lib" / f"table {family}")
    write_partnet(make_shape("chair", seed=0), tmp_path / "lib" / "chair")
    path = tmp_path / "objects.toml"
    path.write_text('[objects.tables]\ncategory = "table"\nshapes = "lib"\n')
    (group,) = ptr_objects(path, ALL)
    assert sorted(name.rpartition("-")[0] for own in group.shapes.values() for name in own) == [
        "table_0",
        "table_1",
        "table_2",
    ]


def test_what_is_there_twice_counts_once_and_shares_are_kept(tmp_path: Path) -> None:
    path = write_chairs(tmp_path, 3, share=0.25)
    shutil.copy(tmp_path / "meshes" / "chair_0.obj", tmp_path / "meshes" / "copy.obj")
    groups = ptr_objects(path, ALL)
    assert [len(names) for names in groups[0].shapes.values()] == [1, 1, 1]
    rng = generator(1, "shares")
    drawn = [drawn_own(groups, "chair", "val", rng) for _ in range(400)]
    assert 60 < sum(name is not None for name in drawn) < 140
    assert {name for name in drawn if name} == set(groups[0].shapes["val"])
    assert told_own(groups).startswith("3 shapes (")


FAULTS = {
    "no table": ("", "must hold tables [objects.NAME] and nothing else"),
    "other table": ("x = 1\n{good}", "must hold tables [objects.NAME] and nothing else"),
    "category": (
        '[objects.a]\ncategory = "lamp"\nmeshes = "*"',
        "field 'objects.a.category': 'lamp' cannot be used here",
    ),
    "share": ("{good}share = 1.5", "field 'objects.mine.share': must be more than 0 and at most 1, not 1.5"),
    "word": ('{good}share = "much"', "field 'objects.mine.share': expected `float`, got `str`"),
    "unknown": ("{good}color = 1", "field 'objects.mine': object contains unknown field `color`"),
    "nothing": ('[objects.a]\ncategory = "chair"', "field 'objects.a': must name either shapes or meshes"),
    "both": ('{good}shapes = "x"', "field 'objects.mine': must name either shapes or meshes"),
    "no mesh": (
        '[objects.a]\ncategory = "chair"\nmeshes = "none*"',
        "'objects.a.meshes': no mesh file is called 'none*'",
    ),
    "no map": ('[objects.a]\ncategory = "chair"\nmeshes = "meshes/*"', "meshes/chair_0.toml: there is no such file"),
    "no format": (
        '[objects.a]\ncategory = "chair"\nmeshes = "*.txt"\nmap = "chair.toml"',
        "notes.txt: '.txt' is no mesh format that can be read",
    ),
    "no folder": ('[objects.a]\ncategory = "chair"\nshapes = "none"', "none: there is no such folder"),
    "split": ("{good}[objects.mine.splits]\ntrial = []", "field 'objects.mine.splits': there is no split 'trial'"),
    "two splits": (
        '{good}[objects.mine.splits]\ntrain = ["*"]\ntest = ["chair_1"]',
        "is in test and in train",
    ),
    "no split": (
        '{good}[objects.mine.splits]\ntrain = ["chair_1"]\nval = ["chair_2"]\ntest = ["chair_3"]',
        "field 'objects.mine.splits': chair_0-",
    ),
    "none left": (
        '{good}[objects.mine.splits]\ntrain = ["*"]',
        "field 'objects.mine.splits': no chair is left for val: give more, or say which belong to it",
    ),
    "too many": ("{good}share = 0.6\n{again}share = 0.6", "the shares of chair are 1.2 together, more than 1"),
    "crossing": (
        '{good}[objects.mine.splits]\ntrain = ["*"]\n{again}[objects.two.splits]\ntest = ["*"]',
        "field 'objects.two.splits': chair_0-",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_file_is_one_sentence(fault: str, tmp_path: Path) -> None:
    path = write_chairs(tmp_path)
    (tmp_path / "notes.txt").write_text("ask for better chairs")
    good = '[objects.mine]\ncategory = "chair"\nmeshes = "meshes/*.obj"\nmap = "chair.toml"\n'
    text, sentence = FAULTS[fault]
    path.write_text(text.format(good=good, again=good.replace("mine", "two")))
    said = complaint(lambda: ptr_objects(path, ALL)) or ""
    assert sentence in said
    assert str(tmp_path) in said
    assert "\n" not in said


MAPS = {
    "table": (CHAIR_MAP.replace('"chair"', '"table"').replace("chair/chair_", "x/"), "there is no part of table"),
    "label": (CHAIR_MAP.replace("regular_leg_base/leg", "legs"), "there is no part of chair 'chair/chair_base/legs'"),
    "few": (
        CHAIR_MAP.replace("[parts]", "ignore = ['leg*', 'back']\n[parts]").partition('"back"')[0],
        "chair_0.obj: has seat of the parts that PTR asks about, and must have 2 kinds of them",
    ),
}


@pytest.mark.parametrize("fault", MAPS)
def test_a_shape_that_ptr_cannot_ask_about_is_named(fault: str, tmp_path: Path) -> None:
    path = write_chairs(tmp_path)
    text, sentence = MAPS[fault]
    (tmp_path / "chair.toml").write_text(text)
    assert sentence in (complaint(lambda: ptr_objects(path, ALL)) or "")


def test_nothing_is_written_where_the_file_is_wrong(tmp_path: Path, mereo: CommandLine) -> None:
    done = mereo("build", "ptr", tmp_path / "rooms", "--objects", tmp_path / "none.toml", code=2)
    assert done.err == f"mereo: {tmp_path}/none.toml: there is no such file\n"
    assert not (tmp_path / "rooms").exists()
    assert "--objects" in mereo("build", "ptr", "--help").out
    assert "--objects" not in mereo("build", "clevr", "--help").out
