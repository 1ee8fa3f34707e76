"""A project goes into one file while people work in it, and comes back whole, from either database into either."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

from mereo.annotation.accounts import begin_session, people, visit
from mereo.annotation.actions import Group, Release, Undo
from mereo.annotation.backup import back_up, restore
from mereo.annotation.project import Project
from mereo.annotation.queue import next_work, verdict
from mereo.annotation.store import Store
from mereo.errors import BadInput
from works import ACROSS, WHOLE_CHAIR, annotate, do, person, project


def test_a_project_comes_back_as_it_was(tmp_path: Path, database_address: str, other_address: str) -> None:
    with project(tmp_path / "p", database_address) as made:
        store, ann, rev = Store(made), person(made, "ann"), person(made, "rev", "reviewer")
        work = annotate(store, ann, *WHOLE_CHAIR, ACROSS)
        verdict(store, work, rev, accept=True, remark="good")
        token = begin_session(made.database, ann)
        made.home.write("shapes/a b/ü.obj", b"v 0 0 0\n")
        assert back_up(made, tmp_path / "b.zip").size == (tmp_path / "b.zip").stat().st_size
        told = (store.history(work, rev), store.works_of(1), people(made.database))
    again = restore(tmp_path / "b.zip", tmp_path / "q", database=other_address)
    try:
        store = Store(again)
        assert (store.history(work, rev), store.works_of(1), people(again.database)) == told
        assert len(store.open_work(work, ann).pieces) == 7
        assert again.home.names("meshes") == made.home.names("meshes") != []
        assert again.home.read("shapes/a b/ü.obj") == b"v 0 0 0\n"
        assert visit(again.database, token) is None
        assert person(again, "new").id not in (ann.id, rev.id)
        if other_address:
            with pytest.raises(BadInput, match="holds a project already"):
                restore(tmp_path / "b.zip", tmp_path / "r", database=other_address)
            assert not (tmp_path / "r").exists()
    finally:
        again.close()


def test_what_is_backed_up_while_people_work_is_of_one_moment(tmp_path: Path, database_address: str) -> None:
    with project(tmp_path / "p", database_address) as made:
        store, ann = Store(made), person(made, "ann")
        work = next_work(made, ann)
        assert work is not None

        def act() -> None:
            for _ in range(8):
                do(store, work, ann, ACROSS, Release((6,)), Group(0, (6, 7)), Undo(), Undo(), Undo())

        worker = threading.Thread(target=act)
        worker.start()
        numbers: list[int] = []
        while worker.is_alive():
            back_up(made, tmp_path / f"{len(numbers)}.zip")
            numbers.append(store.open_work(work, ann).row.number)
        worker.join()
    again = restore(tmp_path / f"{len(numbers) // 2}.zip", tmp_path / "q")
    try:
        view = Store(again).open_work(work, ann)
        assert view.row.number == len(Store(again).history(work, ann)) <= numbers[len(numbers) // 2]
        assert {f"meshes/{piece.digits}.bin" for piece in view.pieces} <= set(again.home.names("meshes"))
    finally:
        again.close()


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of a small project."""
    with project(tmp_path / "p") as made:
        person(made, "ann")
        back_up(made, tmp_path / "b.zip")
    return tmp_path / "b.zip"


def rewritten(file: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """A backup whose entries were changed."""
    with ZipFile(file) as old:
        entries = {name: old.read(name) for name in old.namelist()}
    change(entries)
    with ZipFile(file, "w") as new:
        for name, data in entries.items():
            new.writestr(name, data)
    return file


def put(name: str, data: bytes = b"x") -> Callable[[dict[str, bytes]], None]:
    return lambda entries: entries.update({name: data})


def replaced(name: str, old: bytes, new: bytes) -> Callable[[dict[str, bytes]], None]:
    return lambda entries: entries.update({name: entries[name].replace(old, new)})


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (put("../out"), r"entry '../out': leads out of the backup"),
        (put("/etc/out"), "entry '/etc/out': leads out of the backup"),
        (put("shapes/../../out"), "leads out of the backup"),
        (put("shapes\\..\\out"), "leads out of the backup"),
        (put("project.toml"), "belongs to no project"),
        (put("annotation.db"), "belongs to no project"),
        (put(f"meshes/{'0' * 64}.bin"), "does not hold the mesh that it is named after"),
        (put("backup.json", b"{}"), "missing required field"),
        (lambda entries: entries.pop("backup.json"), "is no backup of a project"),
        (lambda entries: entries.pop("tables/works.jsonl"), "has no rows of 'works'"),
        (replaced("backup.json", b'"0004"', b'"0009"'), "was written by a newer mereo"),
        (replaced("backup.json", b'"works"', b'"sqlite_master"'), "that there is not"),
        (replaced("tables/accounts.jsonl", b'"ann"', b"null"), "table accounts: does not fit"),
        (replaced("tables/accounts.jsonl", b'"name"', b'"nome"'), "has the columns"),
        (replaced("tables/accounts.jsonl", b'"begun":"', b'"begun":"x'), "does not fit"),
        (replaced("tables/pieces.jsonl", b'"shape_id":1', b'"shape_id":7'), "does not fit"),
        (put("tables/works.jsonl", b"nonsense"), "is not JSON"),
    ],
)
def test_a_backup_that_was_tampered_with_leaves_nothing_behind(
    backup: Path, change: Callable[[dict[str, bytes]], None], sentence: str
) -> None:
    with pytest.raises(BadInput, match=sentence):
        restore(rewritten(backup, change), backup.parent / "in" / "q")
    assert not (backup.parent / "in" / "q").exists()
    assert not (backup.parent / "out").exists()


def test_a_backup_goes_into_no_folder_that_is_taken(backup: Path) -> None:
    with pytest.raises(BadInput, match="is not empty: give another folder"):
        restore(backup, backup.parent / "p")
    with pytest.raises(BadInput, match="there is no such file"):
        restore(backup.parent / "nothing", backup.parent / "q")
    (backup.parent / "text").write_text("x")
    with pytest.raises(BadInput, match="is no whole backup"):
        restore(backup.parent / "text", backup.parent / "q")


def test_a_backup_of_an_older_version_is_brought_to_this_one(backup: Path) -> None:
    rewritten(backup, replaced("backup.json", b'"0004"', b'"0001"'))
    rewritten(backup, replaced("tables/works.jsonl", b'"merged":false,', b""))
    restore(backup, f"sqlite:///{backup.parent / 'q.db'}").close()
    again = restore(backup, backup.parent / "q")
    try:
        ann = people(again.database)[0]
        assert visit(again.database, begin_session(again.database, ann)) is not None
    finally:
        again.close()
    Project.open(backup.parent / "q").close()
