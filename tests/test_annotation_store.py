"""Works in a real database, SQLite and PostgreSQL alike: nothing is lost, doubled, overwritten or shown to others."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from mereo.annotation.accounts import (
    Person,
    begin_session,
    end_session,
    keep_account,
    log_in,
    people,
    set_active,
    visit,
)
from mereo.annotation.actions import Cut, Finish, Group, Have, Reopen, Undo, Unfit
from mereo.annotation.database import open_database
from mereo.annotation.geometry.blobs import read_mesh
from mereo.annotation.library import add_shape, has_mesh, shape_views
from mereo.annotation.migrations import latest, version_of
from mereo.annotation.project import Project
from mereo.annotation.queue import (
    acceptances,
    my_works,
    next_review,
    next_work,
    progress,
    start_work,
    verdict,
    waiting,
)
from mereo.annotation.store import Conflict, NotFound, Store
from mereo.annotation.tables import Account, Base, Work, now
from mereo.annotation.workflow import question
from mereo.errors import BadInput, MereoError, UnknownName
from works import ACROSS, WHOLE_CHAIR, annotate, do, person, project


class Team(NamedTuple):
    """A project with a shape, and people in it."""

    store: Store
    ann: Person
    bob: Person
    rev: Person

    @property
    def project(self) -> Project:
        return self.store.project


@pytest.fixture
def team(tmp_path: Path, database_address: str) -> Iterator[Team]:
    with project(tmp_path / "chairs", database_address) as made:
        ann, bob, rev = person(made, "ann"), person(made, "bob"), person(made, "rev", "reviewer")
        yield Team(Store(made), ann, bob, rev)


def test_what_is_done_is_there_for_another_store(team: Team) -> None:
    work = next_work(team.project, team.ann)
    assert work is not None
    state = do(team.store, work, team.ann, *WHOLE_CHAIR)
    assert len(state.owner) == 6
    again = Store(team.project)
    assert again.open_work(work, team.ann).state == state
    assert again.version(work, team.ann, 3).owner == {}
    assert again.open_work(work, team.rev, at=3).question == question(again.version(work, team.rev, 3))
    assert [deed.action for deed in again.history(work, team.ann)] == list(WHOLE_CHAIR)
    with pytest.raises(BadInput, match="99 is not within 0 to 11"):
        again.version(work, team.ann, 99)


def test_a_key_that_comes_again_gets_the_same_answer_and_writes_nothing(team: Team) -> None:
    work = next_work(team.project, team.ann)
    assert work is not None
    key = str(uuid4())
    first = team.store.act(work, team.ann, key, 0, Have(0, "chair_seat", 1))
    do(team.store, work, team.ann, Group(1, (0,)))
    for store in (team.store, Store(team.project)):
        assert store.act(work, team.ann, key, 0, Have(0, "chair_seat", 1)) == first
    assert len(team.store.history(work, team.ann)) == 2
    with pytest.raises(BadInput, match="field 'key': is no UUID"):
        team.store.act(work, team.ann, "key", 2, Undo())


def test_two_windows_do_not_overwrite_each_other(team: Team) -> None:
    work = next_work(team.project, team.ann)
    assert work is not None
    do(team.store, work, team.ann, Have(0, "chair_seat", 1))
    with pytest.raises(Conflict, match="the work went on elsewhere: it has 1 actions now") as caught:
        team.store.act(work, team.ann, str(uuid4()), 0, Undo())
    assert caught.value.view.row.number == 1
    assert len(caught.value.view.state.parts) == 2


def test_many_at_once_write_one_after_the_other(team: Team) -> None:
    work = next_work(team.project, team.ann)
    assert work is not None

    def write(number: int) -> bool:
        try:
            Store(team.project).act(work, team.ann, str(uuid4()), 0, Group(0, (number,)))
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(write, range(6))) == 1
    assert team.store.open_work(work, team.ann).row.number == 1


def test_a_cut_keeps_both_halves_as_files_before_it_is_answered(team: Team) -> None:
    work = next_work(team.project, team.ann)
    assert work is not None
    key = str(uuid4())
    acted = team.store.act(work, team.ann, key, 0, ACROSS)
    assert [piece.id for piece in acted.pieces] == [6, 7]
    assert all(piece.closed and piece.size == pytest.approx((0.5, 1, 0.1)) for piece in acted.pieces)
    volumes = [read_mesh(team.project.home, piece.digits).volume() for piece in acted.pieces]
    assert volumes == pytest.approx([0.05, 0.05])
    assert all(has_mesh(team.project, piece.digits) for piece in acted.pieces)
    assert team.store.act(work, team.ann, key, 0, ACROSS) == acted
    assert do(team.store, work, team.ann, Undo()).pieces.keys() == set(range(6))
    with pytest.raises(BadInput, match="does not divide the piece"):
        team.store.act(work, team.ann, str(uuid4()), 2, Cut(5, ACROSS.path, ACROSS.direction))


def test_what_is_refused_is_not_written(team: Team) -> None:
    work = next_work(team.project, team.ann)
    assert work is not None
    with pytest.raises(BadInput, match=rf"work {work}, field 'part': there is no part 7"):
        do(team.store, work, team.ann, Group(7, (0,)))
    with pytest.raises(BadInput, match="only a reviewer can open a work again"):
        do(team.store, work, team.ann, Reopen("x"))
    assert team.store.open_work(work, team.ann).row.number == 0


def test_works_are_hidden_from_whom_they_do_not_concern(team: Team) -> None:
    work = next_work(team.project, team.ann)
    assert work is not None
    for number, who in [(work, team.bob), (work + 99, team.ann), (work + 99, team.rev)]:
        with pytest.raises(NotFound, match=f"there is no work {number}"):
            team.store.open_work(number, who)
        with pytest.raises(NotFound):
            team.store.history(number, who)
    for who in (team.bob, team.rev):
        with pytest.raises(NotFound):
            team.store.act(work, who, str(uuid4()), 0, Undo())
    assert not team.store.open_work(work, team.rev).mine


def test_what_no_database_could_hold_is_not_found_rather_than_broken(team: Team) -> None:
    for number in (-1, 0, 2**31, 10**30):
        with pytest.raises(NotFound):
            team.store.open_work(number, team.ann)
        with pytest.raises(NotFound):
            verdict(team.store, number, team.rev, accept=True, remark="")
        assert team.store.works_of(number) == []
        assert start_work(team.project, team.ann, number) is None
    for digits in ("", "\0", "../x", "0" * 64):
        assert not has_mesh(team.project, digits)
    assert log_in(team.project.database, "a\0", "long enough") is None
    with pytest.raises(BadInput, match="has a character that no database keeps"):
        verdict(team.store, 1, team.rev, accept=False, remark="a\0")


def test_a_rejected_work_is_opened_with_the_remark_and_judged_again(team: Team) -> None:
    work = annotate(team.store, team.ann, *WHOLE_CHAIR)
    assert (next_review(team.project, team.rev), next_review(team.project, team.bob)) == (work, None)
    with pytest.raises(BadInput, match="say what is to be mended"):
        verdict(team.store, work, team.rev, accept=False, remark=" ")
    verdict(team.store, work, team.rev, accept=False, remark="the legs are wrong")
    view = team.store.open_work(work, team.ann)
    assert (view.row.status, view.row.remark, view.state.finished) == ("open", "the legs are wrong", False)
    assert next_work(team.project, team.ann) == work
    with pytest.raises(BadInput, match="is open: there is nothing to judge"):
        verdict(team.store, work, team.rev, accept=True, remark="")
    do(team.store, work, team.ann, Undo(), Finish())
    verdict(team.store, work, team.rev, accept=True, remark="good")
    assert [row.status for row in team.store.works_of(1)] == ["accepted"]
    (told,) = acceptances(team.store, work, team.ann)
    assert (told.who, told.remark, told.number) == ("rev", "good", team.store.open_work(work, team.ann).row.number)
    with pytest.raises(NotFound):
        acceptances(team.store, work, team.bob)
    assert [deed.who for deed in team.store.history(work, team.rev)][-3:] == ["rev", "ann", "ann"]
    with pytest.raises(BadInput, match="is finished"):
        do(team.store, work, team.ann, Undo())


def test_nobody_judges_alone(team: Team) -> None:
    own = annotate(team.store, team.rev, *WHOLE_CHAIR)
    with pytest.raises(BadInput, match="is your own"):
        verdict(team.store, own, team.rev, accept=True, remark="")
    with pytest.raises(NotFound):
        verdict(team.store, own, team.bob, accept=True, remark="")
    assert waiting(team.project, team.rev) == []


def test_no_shape_has_an_annotator_twice_or_more_than_are_wanted(tmp_path: Path, database_address: str) -> None:
    with project(tmp_path / "p", database_address, shapes=2, annotators=2) as made:
        store = Store(made)
        crowd = [person(made, f"a{number}") for number in range(5)]
        with ThreadPoolExecutor(5) as pool:
            first = list(pool.map(lambda who: next_work(made, who), crowd))
        assert sorted(work for work in first if work is not None) == [1, 2, 3, 4]
        assert start_work(made, crowd[0], 1) is None
        for who in crowd:
            for work in my_works(made, who):
                do(store, work.id, who, Unfit("torn"), Finish())
            assert next_work(made, who) is None
        rows = [row for shape in shape_views(made) for row in store.works_of(shape.id)]
        assert len({(row.shape.id, row.annotator) for row in rows}) == 4
        assert progress(made).unfit == 4
        assert store.finished() == []


def test_progress_counts_works_and_the_time_that_they_took(team: Team) -> None:
    work = annotate(team.store, team.ann, *WHOLE_CHAIR)
    assert next_work(team.project, team.bob) is not None
    verdict(team.store, work, team.rev, accept=False, remark="no")
    do(team.store, work, team.ann, Finish())
    verdict(team.store, work, team.rev, accept=True, remark="")
    told = progress(team.project)
    assert (told.shapes, told.wanted, told.open, told.finished, told.accepted) == (1, 2, 1, 0, 1)
    shares = {share.annotator: share for share in told.by_annotator}
    assert (shares["ann"].accepted, shares["ann"].rejections, shares["bob"].open) == (1, 1, 1)
    assert shares["ann"].seconds == told.median_seconds > 0


def test_who_pauses_is_not_at_work(team: Team) -> None:
    work = next_work(team.project, team.ann)
    assert work is not None
    with team.project.database.writing() as session:
        session.get_one(Work, work).touched = now() - timedelta(hours=1)
    do(team.store, work, team.ann, Have(0, "chair_seat", 1))
    assert team.store.open_work(work, team.ann).row.seconds == 120


def test_passwords_are_kept_as_hashes_and_asked_for(team: Team) -> None:
    database = team.project.database
    assert keep_account(database, "Eve", "owner", "correct horse")
    eve = log_in(database, "EVE", "correct horse")
    assert eve is not None
    assert (eve.name, eve.owns, eve.reviews) == ("eve", True, True)
    assert log_in(database, "eve", "wrong horse") is None
    assert log_in(database, "nobody", "correct horse") is None
    assert log_in(database, "ann", "") is None
    token = begin_session(database, eve)
    seen = visit(database, token)
    assert seen is not None
    assert (seen.person, len(seen.csrf) > 30) == (eve, True)
    with database.reading() as session:
        rows = [*session.execute(text("SELECT * FROM accounts")), *session.execute(text("SELECT * FROM sessions"))]
    assert not any(secret in str(rows) for secret in ("correct horse", token))
    end_session(database, token)
    assert visit(database, token) is visit(database, "x") is None


def test_of_two_who_make_the_same_account_at_once_the_second_is_told(team: Team) -> None:
    database = team.project.database
    with ThreadPoolExecutor(1) as pool:
        with database.writing() as session:
            session.add(Account(name="eve", role="owner", hashed="", active=True, begun=now()))
            session.flush()
            second = pool.submit(keep_account, database, "eve", "annotator", "correct horse")
            with pytest.raises(TimeoutError):
                second.result(2)  # it waits for the first
        with pytest.raises(BadInput, match="account eve: is there already"):
            second.result()
    assert {one.name: one.role for one in people(database)}["eve"] == "owner"


def test_who_is_locked_out_or_changed_has_no_session_left(team: Team) -> None:
    database = team.project.database
    assert keep_account(database, "eve", "owner", "correct horse")
    tokens = [begin_session(database, who) for who in (team.ann, team.bob)]
    set_active(database, "ann", active=False)
    assert not keep_account(database, "bob", "reviewer", None)
    assert [visit(database, token) for token in tokens] == [None, None]
    assert [(one.name, one.role, one.active) for one in people(database)][:2] == [
        ("ann", "annotator", False),
        ("bob", "reviewer", True),
    ]
    for change in (
        lambda: keep_account(database, "eve", "annotator", None),
        lambda: set_active(database, "eve", active=False),
    ):
        with pytest.raises(BadInput, match="account eve: is the only owner"):
            change()


@pytest.mark.parametrize(
    ("name", "role", "password", "sentence"),
    [
        ("a b", "owner", "long enough", "must be 1 to 40 of a-z"),
        ("<b>", "owner", "long enough", "must be 1 to 40 of a-z"),
        ("ann", "king", "long enough", "there is no role 'king'"),
        ("new", "owner", "short", "has 5 characters, not 8 to 256"),
        ("new", "owner", None, "is new, so it needs a password"),
    ],
)
def test_accounts_that_cannot_be_are_refused(
    tmp_path: Path, name: str, role: str, password: str | None, sentence: str
) -> None:
    with project(tmp_path / "p") as made, pytest.raises(MereoError, match=sentence):
        keep_account(made.database, name, role, password)


def test_the_tables_are_those_that_the_migrations_make(team: Team) -> None:
    with team.project.database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
        assert version_of(connection) == latest()


def test_an_older_database_is_migrated_and_keeps_what_it_had(tmp_path: Path, database_address: str) -> None:
    address = database_address or tmp_path / "old.db"
    old = open_database(address, version="0001")
    with old.writing() as session:
        session.execute(text("INSERT INTO mark (project, begun) VALUES ('ours', '2026-01-01 00:00:00')"))
    old.close()
    new = open_database(address)
    try:
        with new.reading() as session:
            assert session.scalar(text("SELECT project FROM mark")) == "ours"
            assert version_of(session.connection()) == latest() != "0001"
            assert session.scalar(text("SELECT count(*) FROM sessions")) == 0
    finally:
        new.close()


def test_a_newer_database_is_refused_in_a_sentence(team: Team) -> None:
    with team.project.database.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(BadInput, match=r"was written by a newer mereo .its tables have the version '9999'"):
        Project.open(str(team.project.home))


def test_a_project_opens_as_it_was_and_no_other_takes_its_database(tmp_path: Path, database_address: str) -> None:
    with project(tmp_path / "p", database_address) as made:
        folder = tmp_path / "p"
        again = Project.open(folder)
        again.close()
        assert again.settings == made.settings
        assert folder.stat().st_mode & 0o077 == 0
        if database_address:
            with pytest.raises(BadInput, match="holds a project already"):
                Project.create(tmp_path / "q", category="mug", database=database_address)
            assert not (tmp_path / "q").exists()
        file = folder / "project.toml"
        file.write_text(file.read_text().replace(made.settings.id, "0" * 32))
        with pytest.raises(BadInput, match=r"project.toml, field 'database': is that of another project"):
            Project.open(folder)


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({}, "either one of our categories or a template of its own"),
        ({"category": "chiar"}, "there is no category 'chiar' .did you mean 'chair'"),
        ({"category": "chair", "annotators": 0}, "0 is not within 1 to 100"),
        ({"category": "chair", "name": "a\nb"}, "characters that can be printed"),
        ({"category": "chair", "database": "mysql://x/y"}, "is of mysql, not of postgresql"),
        ({"category": "chair", "database": "x"}, "is no address of a database"),
        ({"category": "chair", "database": "postgresql://u:secret@127.0.0.1:1/x"}, r"u:\*\*\*@.*cannot be opened"),
    ],
)
def test_a_project_that_cannot_be_made_leaves_nothing_behind(
    tmp_path: Path, choices: dict[str, str], sentence: str
) -> None:
    with pytest.raises(MereoError, match=sentence) as caught:
        Project.create(tmp_path / "p", **choices)  # type: ignore[arg-type]  # on purpose
    assert "secret" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_shapes_have_names_of_their_own(team: Team) -> None:
    with pytest.raises(BadInput, match="shape x: has no pieces"):
        add_shape(team.project, "x", [])
    with pytest.raises(BadInput, match="cannot become the name of a file"):
        add_shape(team.project, "../x", [])
    with pytest.raises(UnknownName):
        set_active(team.project.database, "nobody", active=True)
    assert [shape.name for shape in shape_views(team.project)] == ["chair-0"]


def test_what_is_no_project_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no such folder"):
        Project.open(tmp_path / "nothing")
    with pytest.raises(BadInput, match=r"is no project, since it has no project\.toml"):
        Project.open(tmp_path)
    (tmp_path / "project.toml").write_text('id = "x"\nname = "y"\ncategory = "chair"\n')
    with pytest.raises(BadInput, match=r"has no annotation\.db"):
        Project.open(tmp_path)
