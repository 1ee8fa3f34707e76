"""The commands of annotation, as people type them."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from kit import CommandLine
from mereo.annotation.accounts import log_in, people
from mereo.annotation.actions import Custom, Group
from mereo.annotation.library import shape_views
from mereo.annotation.project import Project
from mereo.annotation.queue import verdict
from mereo.annotation.store import Store
from mereo.shapes.partnet import read_partnet
from works import annotate, obj


def test_a_project_from_the_beginning_to_what_leaves_it(tmp_path: Path, mereo: CommandLine) -> None:
    folder, password = tmp_path / "p", tmp_path / "password"
    obj(tmp_path / "in" / "a" / "x.obj")
    obj(tmp_path / "in" / "b" / "x.obj")
    with ZipFile(tmp_path / "more.zip", "w") as archive:
        archive.write(obj(tmp_path / "y.obj"), "y.obj")
    (tmp_path / "bad.obj").write_text("v nan 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n")
    given = [f"--shapes={tmp_path / name}" for name in ("in", "more.zip", "bad.obj")]
    axes = ("--up", "+z", "--front", "-y")
    done = mereo("annotate-new", folder, "--category", "chair", "--annotators", "1", *axes, *given)
    assert "3 shapes brought in" in done.out
    assert "left out: " in done.err
    assert "bad.obj" in done.err
    password.write_text("correct horse\n")
    for name, role in (("ann", "annotator"), ("rev", "owner")):
        mereo("annotate-account", folder, name, "--role", role, "--password-file", password)
    done = mereo("annotate-add", folder, "--shapes", tmp_path / "y.obj", code=2)
    assert "there is a shape 'y' already" in done.err

    opened = Project.open(folder)
    assert [shape.name for shape in shape_views(opened)] == ["a-x", "b-x", "y"]
    assert (folder / "shapes" / "a-x.obj").read_text() == (tmp_path / "in" / "a" / "x.obj").read_text()
    store, (ann, rev) = Store(opened), people(opened.database)
    assert log_in(opened.database, "ann", "correct horse") == ann
    done = mereo("annotate-export", folder, tmp_path / "out", code=2)
    assert "has no accepted annotation yet" in done.err
    work = annotate(store, ann, Group(0, (0,)), Custom(0, "cup holder"), Group(1, (1,)))
    verdict(store, work, rev, accept=True, remark="")
    opened.close()

    for form in ("partnet", "coco", "gltf"):
        done = mereo("annotate-export", folder, tmp_path / form, "--format", form)
        assert done.out == f"{tmp_path / form}: 1 annotated shapes\n"
    shape = read_partnet(tmp_path / "partnet" / "chair" / "a-x", raw=True)
    assert "chair/cup holder" in {part.label for part in shape.parts()}

    mereo("annotate-backup", folder, tmp_path / "b.zip")
    done = mereo("annotate-restore", tmp_path / "b.zip", tmp_path / "q")
    assert done.out == f"{tmp_path / 'q'}: 3 shapes, 1 works\n"


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("annotate-new p", "a project has either one of our categories or a template of its own"),
        ("annotate-new p --category chair --shapes nothing.obj", "nothing.obj: there is no such file or folder"),
        ("annotate-new p --template nothing.toml", "nothing.toml: there is no such file"),
        ("annotate-account nothing ann", "nothing: there is no such folder"),
        ("annotate nothing", "nothing: there is no such folder"),
        ("annotate-export nothing out", "nothing: there is no such folder"),
        ("annotate-restore nothing q", "nothing: there is no such file"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mereo: CommandLine, command: str, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = mereo(*command.split(), code=2)
    assert (done.out, done.err.startswith(f"mereo: {sentence}")) == ("", True), done.err
    assert list(tmp_path.iterdir()) == []


def test_shapes_of_our_grammars_can_be_annotated(tmp_path: Path, mereo: CommandLine) -> None:
    mereo("annotate-new", tmp_path / "p", "--category", "mug", "--made", "2")
    opened = Project.open(tmp_path / "p")
    assert [shape.name for shape in shape_views(opened)] == ["mug-0-0", "mug-0-1"]
    opened.close()
    done = mereo("annotate-account", tmp_path / "p", "ann", "--password-file", tmp_path / "nothing", code=2)
    assert "nothing: there is no such file" in done.err
