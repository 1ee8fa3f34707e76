"""Where a project lives: a folder or a database, with the same files in both; and addresses that lead to none."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import create_engine, inspect, text

from kit import CommandLine
from mereo.annotation.backup import back_up, restore
from mereo.annotation.bringing import bring_in
from mereo.annotation.carrying import carry
from mereo.annotation.project import Project
from mereo.annotation.store import Store
from mereo.errors import BadInput, MereoError
from mereo.shapes.grammar import make_shape
from mereo.shapes.partnet import write_partnet
from postgres import GUARDED, SECRET, address_of
from works import WHOLE_CHAIR, annotate, obj, person, project


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database that holds nothing yet."""
    for found in address_of(request):
        yield found or f"sqlite:///{tmp_path / 'home.db'}"


@pytest.fixture(params=["folder", "sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a project can begin."""
    if request.param == "folder":
        yield str(tmp_path / "home")
    else:
        for found in address_of(request):
            yield found or f"sqlite:///{tmp_path / 'home.db'}"


def tables(address: str) -> list[str]:
    """The tables that a database has."""
    engine = create_engine(address.replace("postgresql:", "postgresql+psycopg:"))
    try:
        return inspect(engine).get_table_names()
    finally:
        engine.dispose()


def free_port() -> str:
    """One that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def test_files_are_the_same_wherever_a_project_lives(place: str) -> None:
    made = Project.create(place, category="chair", name="ours")
    try:
        home = made.home
        home.keep([("shapes/b/ü.obj", [b"one", b"two"]), ("shapes/a.obj", []), ("shapesless", [b"x"])])
        assert home.names("shapes") == ["shapes/a.obj", "shapes/b/ü.obj"]
        assert (home.read("shapes/b/ü.obj"), home.read("shapes/a.obj")) == (b"onetwo", b"")
        home.write("shapes/b/ü.obj", b"three")
        assert home.read("shapes/b/ü.obj") == b"three"
        assert (home.has("shapes/a.obj"), home.has("shapes/c.obj"), home.names("meshes")) == (True, False, [])
        with pytest.raises(BadInput, match=r"shapes/c\.obj: there is no such file"):
            home.read("shapes/c.obj")
        with home.scratch() as scratch:
            (Path(scratch) / "x").write_bytes(b"x")
        assert not Path(scratch).exists()
    finally:
        made.close()
    again = Project.open(place)
    assert (again.settings, again.home.read("shapes/b/ü.obj")) == (made.settings, b"three")
    again.close()


def test_a_file_of_a_database_is_written_whole_or_not_at_all(address: str) -> None:
    made = Project.create(address, category="chair")
    try:

        def broken() -> Iterator[bytes]:
            yield b"one"
            raise BadInput("that was all")

        with pytest.raises(BadInput, match="that was all"):
            made.home.keep([("shapes/a.obj", [b"x"]), ("shapes/b.obj", broken())])
        assert made.home.names("shapes") == []
        for name, sentence in (("x" * 1001, "has a path of 1,001 bytes"), ("\udc80", "is not UTF-8")):
            with pytest.raises(BadInput, match=sentence):
                made.home.write(name, b"x")

        def write(letter: bytes) -> None:
            made.home.keep([("shapes/a.obj", [letter] * (2 + letter[0] % 3))])

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(write, [b"a", b"b", b"c", b"d"] * 3))
        assert len(set(made.home.read("shapes/a.obj"))) == 1, "of one writer alone"
    finally:
        made.close()


def test_settings_are_shown_and_changed_without_a_file(place: str, mereo: CommandLine) -> None:
    made = Project.create(place, category="chair", name="ours")
    made.close()
    assert mereo("annotate-settings", place).out == 'name = "ours"\ncategory = "chair"\nannotators = 2\n'
    done = mereo("annotate-settings", place, "--annotators", "3", "--predictions", "said")
    assert done.out.endswith('annotators = 3\npredictions = "said"\n')
    assert "field 'name': must be at most 100" in mereo("annotate-settings", place, "--name", "x" * 101, code=2).err
    again = Project.open(place)
    again.close()
    assert again.settings == replace(made.settings, annotators=3, predictions="said")
    assert mereo("annotate-settings", place, "--predictions", "").out.endswith("annotators = 3\n")


def test_what_is_brought_in_is_kept_whole(place: str, tmp_path: Path) -> None:
    write_partnet(make_shape("chair", seed=1, family=22), tmp_path / "in" / "stool")
    (tmp_path / "own.toml").write_text('root = "chair"\n[all.chair]\nseat = 1\nleg = "0-8"\n')
    made = Project.create(place, template=tmp_path / "own.toml")
    brought = bring_in(made, [obj(tmp_path / "y.obj"), tmp_path / "in"], up="+z", front="-y")
    made.close()
    assert (len(brought.shapes), brought.refusals.refused) == (2, 0), brought.refusals.shown
    again = Project.open(place)
    kept = {name: again.home.read(name) for name in again.home.names("shapes")}
    again.close()
    given = {f"shapes/{path.relative_to(tmp_path / 'in')}": path for path in (tmp_path / "in").rglob("*.*")}
    assert kept == {name: path.read_bytes() for name, path in ({"shapes/y.obj": tmp_path / "y.obj"} | given).items()}
    assert set(again.tree.nodes) == {"chair", "chair/seat", "chair/leg"}


def test_a_project_is_carried_from_a_database_into_another(address: str, tmp_path: Path) -> None:
    with project(tmp_path / "p") as old:
        annotate(Store(old), person(old, "ann"), *WHOLE_CHAIR)
        old.home.write("shapes/x.obj", b"v 0 0 0\n")
        new = Project.create(address, category="chair")
        assert carry(old, new) == (1, 1, 1)
        third = Project.create(tmp_path / "q", category="chair")
        assert carry(new, third) == (1, 1, 1)
        for folder in ("shapes", "meshes"):
            assert new.home.names(folder) == third.home.names(folder) == old.home.names(folder) != []
        new.close()
        third.close()


def test_a_backup_that_was_cut_short_leaves_a_database_as_it_was(address: str, tmp_path: Path) -> None:
    with project(tmp_path / "p") as made:
        back_up(made, tmp_path / "b.zip")
        mesh = made.home.names("meshes")[0]
    whole = (tmp_path / "b.zip").read_bytes()
    at = whole.index(mesh.encode()) + len(mesh)
    (tmp_path / "b.zip").write_bytes(whole[:at] + bytes(30) + whole[at + 30 :])
    with pytest.raises(BadInput, match="is no whole backup"):
        restore(tmp_path / "b.zip", address)
    assert not (tmp_path / "home.db").exists()
    assert tables(address) == []
    (tmp_path / "b.zip").write_bytes(whole)
    again = restore(tmp_path / "b.zip", address)
    assert again.home.names("meshes")[0] == mesh
    again.close()


def refusal(mereo: CommandLine, *command: str | Path) -> str:
    """The one sentence that a command ends with, without a secret in it."""
    done = mereo(*command, code=2)
    assert (done.out, done.err.count("\n")) == ("", 1), done.err
    assert SECRET not in done.err
    return done.err


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        (f"mysql://u:{SECRET}@host/x", "is of mysql, not of postgresql or sqlite"),
        (f"nonsense://u:{SECRET}@host/x", "is of nonsense, not of postgresql or sqlite"),
        (f"postgresql:/u:{SECRET}@host/x", "is no address of a database, such as"),
        (f"postgresql:u:{SECRET}@host/x", "is no address of a database, such as"),
        (f"postgresql://u:{SECRET}@host:door/x", "is no address of a database, such as"),
        (f"postgresql://u:a@{SECRET}@host/x", "has more than one @: one in a password is written as %40"),
        (f"postgresql://u:a@b/{SECRET}@host/x", "has more than one @"),
        (f"postgresql://u:{SECRET}@host", "names no database"),
        ("sqlite://", "names no database"),
        ("sqlite:///:memory:", "names no database"),
        ("sqlite:///nothing.db", "sqlite:///nothing.db: there is no such file: mereo annotate-new makes a project"),
        (f"postgresql://u:{SECRET}@127.0.0.1:1/x", "postgresql://u:***@127.0.0.1:1/x: cannot be opened (connection"),
        (f"postgres://u@127.0.0.1:1/x?password={SECRET}", "postgresql://u@127.0.0.1:1/x: cannot be opened (connection"),
    ],
)
def test_an_address_that_leads_nowhere_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mereo: CommandLine, address: str, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in (("annotate-account", address, "ann"), ("annotate-backup", address, "b.zip")):
        assert sentence in refusal(mereo, *command)
    if "nothing.db" not in address:
        assert sentence in refusal(mereo, "annotate-new", address, "--category", "chair")
    assert list(tmp_path.iterdir()) == []


def test_a_database_without_a_project_is_told_and_left_as_it_is(
    address: str, tmp_path: Path, mereo: CommandLine
) -> None:
    if address.startswith("sqlite"):
        Path(address.removeprefix("sqlite:///")).touch()
    said = refusal(mereo, "annotate", address, "--port", free_port())
    assert said.endswith("holds no project: mereo annotate-new makes one\n")
    assert tables(address) == []
    mereo("annotate-new", address, "--category", "chair", "--template", tmp_path / "x", code=2)
    assert tables(address) == []
    refused = refusal(mereo, "annotate-new", address, "--category", "chair", "--database", "postgresql://host/x")
    assert "field 'database': a project at an address has its database there" in refused


def test_a_database_that_is_taken_stays_as_it_is(address: str, tmp_path: Path, mereo: CommandLine) -> None:
    mereo("annotate-new", address, "--category", "mug", "--made", "1")
    said = refusal(mereo, "annotate-new", address, "--category", "chair")
    assert said.endswith("holds a project already: give another database\n")
    mereo("annotate-backup", address, tmp_path / "b.zip")
    assert "holds a project already" in refusal(mereo, "annotate-restore", tmp_path / "b.zip", address)
    made = Project.open(address)
    assert made.settings.category == "mug"
    with made.database.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    made.close()
    assert "was written by a newer mereo (its tables have the version '9999')" in refusal(
        mereo, "annotate-account", address, "ann"
    )


def test_the_database_of_a_folder_is_no_project_without_it(
    tmp_path: Path, mereo: CommandLine, database_address: str
) -> None:
    Project.create(tmp_path / "p", category="chair", database=database_address).close()
    address = database_address or f"sqlite:///{tmp_path / 'p' / 'annotation.db'}"
    said = refusal(mereo, "annotate-account", address, "ann")
    assert said.endswith("belongs to a project that is a folder: give that folder\n")
    (tmp_path / "bad.db").write_text("nothing of a database")
    assert "bad.db: cannot be opened (file is not a database)" in refusal(
        mereo, "annotate-backup", f"sqlite:///{tmp_path / 'bad.db'}", tmp_path / "b.zip"
    )
    assert not (tmp_path / "b.zip").exists()


def test_a_wrong_password_and_a_missing_driver_are_one_sentence(
    guarded: str, monkeypatch: pytest.MonkeyPatch, mereo: CommandLine
) -> None:
    wrong = guarded.replace(SECRET, "another-word")
    said = refusal(mereo, "annotate-new", wrong, "--category", "chair")
    assert f"{GUARDED}:***@" in said
    assert f'password authentication failed for user "{GUARDED}"' in said
    assert "another-word" not in said
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MereoError, match=r"a project in PostgreSQL needs packages that are not installed: pip install"):
        Project.open(guarded)
    assert "a project in PostgreSQL needs packages" in refusal(mereo, "annotate", guarded, "--port", free_port())
