"""Meshes of others are looked into, given a first map, and brought in one by one or by the folder."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest
import trimesh
from PIL import Image

from kit import CommandLine, complaint
from mereo.shapes.importer import import_shape, read_part_map
from mereo.shapes.inspection import first_map, inspect_mesh
from mereo.shapes.intake import import_folder
from mereo.shapes.library import LibraryOrder, make_library, open_library
from mereo.shapes.partnet import read_partnet
from own_meshes import write_groups
from test_importer import LEG, SEAT, stool, write_glb
from test_mending import four_legs, together

STOOL = f"""
category = "chair"
units = "cm"
up = "+y"
front = "+z"
[parts]
seat = "{SEAT}"
"leg*" = "{LEG}"
"""


def test_inspecting_lists_the_groups_and_leaves_a_picture_and_a_map(mereo: CommandLine, tmp_path: Path) -> None:
    path = write_groups(tmp_path / "a.obj", {"seat": stool()["seat"], **four_legs()})
    path.write_text(path.read_text().replace("g seat", "g seat\nusemtl oak"))
    picture, map_file = tmp_path / "a.png", tmp_path / "a.toml"
    done = mereo("shapes", "inspect", path, "--category", "chair", "--picture", picture, "--map", map_file)
    rows = {line.split()[1]: line.split() for line in done.out.splitlines()[1:4]}
    assert rows["seat"][-3:] == ["0", "yes", "oak"]
    assert rows["legs"][-6:] == ["128", "4", "equal", "0", "yes", "oak"]
    assert np.asarray(Image.open(picture)).shape == (480, 740, 3)
    content = tomllib.loads(map_file.read_text())
    assert content["parts"] == {"legs": f"{LEG}#*"}
    assert (content["category"], content["units"], content["up"], content["front"]) == ("chair", "cm", "+y", "+z")
    assert f"#   {SEAT}" in map_file.read_text()
    said = str(complaint(lambda: import_shape(path, read_part_map(map_file))))
    assert "'seat' and 'shoes' are neither mapped to a part nor ignored" in said
    refused = mereo("shapes", "inspect", path, "--map", map_file, code=2)
    assert "is there already, and you may have edited it" in refused.err


@pytest.mark.parametrize(
    ("names", "category", "labels"),
    [
        (["any"], "cube", ["cube"]),
        (["one", "two"], "cube", ["cube"]),
        (["left [1] *", 'a "quoted" name', "Ä/ö\x7f"], "thing", ["thing/left_1", "thing/a_quoted_name", "thing/part"]),
    ],
)
def test_a_first_map_that_needs_no_editing_is_read_at_once(
    tmp_path: Path, names: list[str], category: str, labels: list[str]
) -> None:
    box = trimesh.creation.box()
    path = write_glb(
        {name: box.copy().apply_translation((3.0 * k, 0, 0)) for k, name in enumerate(names)}, tmp_path / "a.glb"
    )
    (tmp_path / "map.toml").write_text(first_map(inspect_mesh(path, category=category)))
    shape = import_shape(path, read_part_map(tmp_path / "map.toml"))
    assert sorted(leaf.label for leaf in shape.leaves()) == sorted(labels)


@pytest.mark.parametrize(("scale", "units"), [(1, "m"), (100, "cm"), (1000, "mm")])
def test_units_are_guessed_from_the_size_of_such_things(tmp_path: Path, scale: float, units: str) -> None:
    path = write_groups(tmp_path / "a.obj", {"a": trimesh.creation.box((0.5 * scale, 0.9 * scale, 0.5 * scale))})
    assert inspect_mesh(path, category="chair").units == units


def a_folder(tmp_path: Path) -> Path:
    """Two stools, one with a map of its own, and what is no mesh although it is called so."""
    folder = tmp_path / "meshes"
    (folder / "more").mkdir(parents=True)
    write_groups(folder / "a.obj", stool())
    write_groups(folder / "more" / "a.obj", {"box": trimesh.creation.box((9, 9, 9))})
    (folder / "more" / "a.toml").write_text('category = "block"\nunits = "cm"\n[parts]\n"*" = "block"\n')
    (folder / "z.stl").write_bytes(b"solid nothing")
    (tmp_path / "map.toml").write_text(STOOL)
    return folder


def test_a_folder_of_meshes_becomes_a_library(mereo: CommandLine, tmp_path: Path) -> None:
    folder, out = a_folder(tmp_path), tmp_path / "out"
    done = mereo("shapes", "import", folder, out, "--map", tmp_path / "map.toml")
    assert done.out.splitlines()[-1] == f"{out}: 2 of 3 meshes came in"
    assert done.err.startswith(f"mereo: {folder / 'z.stl'}: ")
    assert done.err.count("\n") == 1
    library = open_library(out)
    assert [(shape.name, shape.category, len(shape.leaves())) for shape in library] == [
        ("a", "chair", 5),
        ("more-a", "block", 1),
    ]
    assert library.order is None
    refused = mereo("shapes", "import", folder, out, "--map", tmp_path / "map.toml", code=2)
    assert "is not empty: add --resume" in refused.err


def test_names_that_no_folder_may_have_are_made_plain_and_told_apart(tmp_path: Path) -> None:
    names = ["-a b.obj", "a b.obj", "a_b.obj", "a_b-2.obj", "Ä (1).obj"]
    for name in names:
        trimesh.creation.box((0.5, 0.5, 0.5)).export(tmp_path / name)
    (tmp_path / "map.toml").write_text('category = "thing"\n[parts]\n"*" = "thing"\n')
    import_folder(tmp_path, tmp_path / "out", shared=tmp_path / "map.toml")
    assert sorted(shape.name for shape in open_library(tmp_path / "out")) == ["_a_b", "a_b", "a_b-2", "a_b-3", "Ä_1_"]


def test_going_on_keeps_what_is_the_same_and_makes_anew_what_has_changed(tmp_path: Path) -> None:
    folder, out = a_folder(tmp_path), tmp_path / "out"
    import_folder(folder, out, shared=tmp_path / "map.toml")
    kept, changed = out / "chair" / "a" / "mereo.json", out / "block" / "more-a" / "mereo.json"
    before = [path.stat().st_mtime_ns for path in (kept, changed)]
    write_groups(folder / "more" / "a.obj", {"box": trimesh.creation.box((8, 8, 8))})
    (out / "shapes.json").rename(out / "unfinished.json")
    assert "go on with --resume" in str(complaint(lambda: open_library(out)))
    assert len(import_folder(folder, out, shared=tmp_path / "map.toml", resume=True)) == 2
    after = [path.stat().st_mtime_ns for path in (kept, changed)]
    assert [a == b for a, b in zip(before, after, strict=True)] == [True, False]
    assert np.isclose(read_partnet(changed.parent).bounds()[1][2], 0.08)


def test_where_none_comes_in_nothing_is_left(tmp_path: Path) -> None:
    folder, out = a_folder(tmp_path), tmp_path / "out"
    (folder / "more" / "a.toml").unlink()
    told: list[str] = []
    said = complaint(lambda: import_folder(folder, out, told=lambda mesh, outcome: told.append(str(outcome))))
    assert said == f"{folder}: none of its 3 meshes came in"
    assert told[0] == f"{folder / 'a.obj'}: has no map: there is neither a.toml beside it nor --map"
    assert not out.exists()
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "holds no mesh" in str(complaint(lambda: import_folder(empty, out)))


def test_a_library_that_was_made_is_not_gone_on_with_by_importing(tmp_path: Path) -> None:
    folder, out = a_folder(tmp_path), tmp_path / "out"
    make_library(out, LibraryOrder(("cube",), 1, 0, "train"))
    said = str(complaint(lambda: import_folder(folder, out, shared=tmp_path / "map.toml", resume=True)))
    assert "was made and not imported" in said


@pytest.mark.parametrize("category", ["", "../x", "a/b", ".hidden"])
def test_a_category_is_a_word_because_it_becomes_a_folder(tmp_path: Path, category: str) -> None:
    (tmp_path / "map.toml").write_text(f'category = "{category}"\n[parts]\n"*" = "x"\n')
    assert "cannot become the name of a file" in str(complaint(lambda: read_part_map(tmp_path / "map.toml")))


def test_a_map_with_several_unknown_labels_names_them_all(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text(
        STOOL.replace("seat_single_surface", "seat_singel_surface").replace("/leg", "/lag")
    )
    said = str(complaint(lambda: read_part_map(tmp_path / "map.toml")))
    assert "seat_singel_surface' (did you mean" in said
    assert "/lag' (did you mean" in said


def test_touching_legs_are_told_from_their_neighbors(tmp_path: Path) -> None:
    """What inspecting proposes to split, importing splits into as many."""
    path = write_groups(tmp_path / "a.obj", {"legs": together([*four_legs().values()])})
    (tmp_path / "map.toml").write_text(first_map(inspect_mesh(path, category="chair")))
    assert len(import_shape(path, read_part_map(tmp_path / "map.toml")).leaves()) == 4
