"""A project that is nothing but a database: begun, served twice, annotated, and taken elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import pytest

pytest.importorskip("argon2", reason="the extra annotate is not installed")

from annotating import PASSWORD, Caller, serving
from kit import CommandLine
from mereo.annotation.accounts import people
from mereo.annotation.home import KEPT
from mereo.annotation.project import Project
from mereo.annotation.store import Store
from mereo.shapes.partnet import read_partnet
from postgres import SECRET, new_database
from works import obj

ACTIONS: list[dict[str, Any]] = [
    {"type": "have", "part": 0, "child": "chair_seat", "count": 1},
    {"type": "cut", "piece": 0, "path": [[0.0, -1.5, 1.1], [0.0, 1.5, 1.1]], "direction": [0.0, 0.0, -1.0]},
    {"type": "group", "part": 1, "pieces": [2, 3]},
    {"type": "custom", "part": 0, "name": "stick"},
    {"type": "group", "part": 2, "pieces": [1]},
]


def annotated(one: str, two: str) -> int:
    """A work that was done at two servers in turn, and accepted at the second; its number."""
    here, there = Caller(one, "ann"), Caller(two, "nobody")
    there.client.cookies.update(here.client.cookies)
    there.csrf = here.csrf
    work = here.begin()
    for number, action in enumerate([*ACTIONS, {"type": "finish"}]):
        turn, other = (here, there) if number % 2 else (there, here)
        key = str(uuid4())
        done = turn.act(work, key, number, **action)
        assert done.status_code == 200, done.text
        assert other.act(work, key, number, **action).json() == done.json(), "sent again to the other server"
        assert other.act(work, str(uuid4()), number, **action).status_code == 409
    shown = [caller.client.get(f"/api/work/{work}").json() for caller in (here, there)]
    assert shown[0] == shown[1]
    for piece in shown[0]["pieces"]:
        path = f"/mesh/{shown[0]['project']}/{piece['digits']}.bin"
        meshes = [caller.client.get(path) for caller in (here, there)]
        assert meshes[0].content == meshes[1].content
        assert "immutable" in meshes[0].headers["cache-control"]
    owner = Caller(two, "own")
    assert owner.post(f"/api/work/{work}/verdict", {"accept": True}).status_code == 200
    for path in ("/", "/progress", "/accounts", "/agreement", f"/review/{work}", "/shape/1.png", "/work/999"):
        assert SECRET.encode() not in owner.client.get(path).content
    return work


def test_a_project_is_a_database_from_the_beginning_to_what_leaves_it(
    tmp_path: Path, mereo: CommandLine, guarded: str, postgres_server: str
) -> None:
    password, told = tmp_path / "password", ""
    password.write_text(f"{PASSWORD}\n")

    def said(*command: str | Path) -> str:
        nonlocal told
        done = mereo(*command)
        told += done.out + done.err
        return done.out

    axes = ("--up", "+z", "--front", "-y")
    begun = ("--category", "chair", "--annotators", "1", *axes)
    assert "1 shapes brought in" in said("annotate-new", guarded, *begun, "--shapes", obj(tmp_path / "x.obj"))
    assert "1 shapes brought in" in said("annotate-add", guarded, "--shapes", obj(tmp_path / "y.obj"), *axes)
    for name, role in (("ann", "annotator"), ("own", "owner")):
        said("annotate-account", guarded, name, "--role", role, "--password-file", password)
    logs = [tmp_path / "one.log", tmp_path / "two.log"]
    with serving(guarded, logs[0]) as one, serving(guarded, logs[1]) as two:
        work = annotated(one, two)
    assert said("annotate-export", guarded, tmp_path / "out") == f"{tmp_path / 'out'}: 1 annotated shapes\n"
    assert {"chair/chair_seat", "chair/stick"} <= {
        part.label for part in read_partnet(tmp_path / "out" / "chair" / "x", raw=True).parts()
    }
    said("annotate-backup", guarded, tmp_path / "b.zip")
    with ZipFile(tmp_path / "b.zip") as archive:
        assert not any(SECRET.encode() in archive.read(name) for name in archive.namelist())
    before = content(guarded, work)
    with new_database(postgres_server) as other:
        for place in (other, f"sqlite:///{tmp_path / 'other.db'}", tmp_path / "folder"):
            assert said("annotate-restore", tmp_path / "b.zip", place).endswith(": 2 shapes, 1 works\n")
            assert content(place, work) == before
    assert len(before[-1]) == 2 + 4, "what was brought in, two boxes, and the halves of one"
    assert SECRET not in told + "".join(log.read_text() for log in logs)


def content(place: str | Path, work: int) -> tuple[Any, ...]:
    """What a project is, as far as it does not depend on where it lives."""
    opened = Project.open(place)
    store, names = Store(opened), [name for folder in KEPT for name in opened.home.names(folder)]
    (ann, _) = people(opened.database)
    told = (
        opened.settings,
        store.works_of(1),
        store.history(work, ann),
        {name: opened.home.read(name) for name in names},
    )
    opened.close()
    return told
