"""The annotation service over HTTP: who may do what, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

pytest.importorskip("argon2", reason="the extra annotate is not installed")

from annotating import PASSWORD, Caller, new_project, serving, stool
from mereo.annotation.web.security import Pace, TooMany
from postgres import address_of

NOTE = {"type": "note", "part": None, "text": "<script>alert(1)</script>"}


@pytest.fixture(scope="module", params=["sqlite", "postgresql", "in a database"])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of two stools, whose name would be a script if it were not escaped."""
    folder = tmp_path_factory.mktemp("web") / "project"
    for database in address_of(request):
        given: dict[str, Any] = {"shapes": [stool(), stool()], "name": "<script>alert(2)</script>"}
        if request.param == "in a database":
            made: str | Path = new_project(database, **given)
        else:
            made = new_project(folder, **given, database=database)
        with serving(made, folder.with_suffix(".log")) as served:
            yield served


@pytest.fixture(scope="module")
def people(address: str) -> dict[str, Caller]:
    """Everybody, logged in."""
    return {name: Caller(address, name) for name in ("annotator1", "annotator2", "reviewer1", "owner1")}


def key() -> str:
    return str(uuid4())


def test_an_action_is_answered_once_and_the_same_key_writes_nothing(people: dict[str, Caller]) -> None:
    annotator1 = people["annotator1"]
    work = annotator1.begin()
    before = annotator1.client.get(f"/api/work/{work}").json()
    one = key()
    first = annotator1.act(work, one, before["number"], **NOTE)
    again = annotator1.act(work, one, before["number"], **NOTE)
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert first.json()["number"] == before["number"] + 1
    late = annotator1.act(work, key(), before["number"], **NOTE)
    assert late.status_code == 409
    assert late.json()["view"]["number"] == before["number"] + 1
    assert late.json()["error"].endswith("now.")


def test_who_is_not_logged_in_sees_nothing(address: str) -> None:
    stranger = Caller(address, "annotator1", "wrong password")
    assert stranger.login.status_code == 401
    for path in ("/", "/work/1", "/review/1", "/progress", "/agreement", "/accounts", "/compare/1/2", "/shape/1.png"):
        answer = stranger.client.get(path)
        assert (answer.status_code, answer.headers["location"]) == (303, "/login"), path
    for path in ("/api/work/1", f"/mesh/x/{'0' * 64}.bin", "/api/compare/1/2"):
        assert stranger.client.get(path).status_code == 401, path
    (name,) = Caller(address, "annotator1").client.cookies
    stranger.client.cookies.set(name, "made-up")
    assert stranger.client.get("/api/work/1").json() == {"error": "You are not logged in."}


def test_a_change_without_the_token_of_its_session_is_refused(people: dict[str, Caller]) -> None:
    annotator1, annotator2 = people["annotator1"], people["annotator2"]
    work = annotator1.begin()
    number = annotator1.client.get(f"/api/work/{work}").json()["number"]
    body = {"key": key(), "after": number, "action": NOTE}
    for token in ("", "made-up", annotator2.csrf):
        answer = annotator1.post(f"/api/work/{work}/actions", body, **{"X-CSRF-Token": token})
        assert (answer.status_code, list(answer.json())) == (403, ["error"])
    other_site = annotator1.post(f"/api/work/{work}/actions", body, Origin="https://elsewhere.example")
    assert other_site.status_code == 403
    assert annotator1.client.post("/next").status_code == 403
    assert annotator1.client.post("/login", data={}, headers={"Origin": "https://elsewhere.example"}).status_code == 403
    assert annotator1.client.get(f"/api/work/{work}").json()["number"] == number


def test_what_belongs_to_others_is_not_there(people: dict[str, Caller]) -> None:
    annotator1, annotator2, reviewer1 = people["annotator1"], people["annotator2"], people["reviewer1"]
    work = annotator1.begin()
    shown = annotator1.client.get(f"/api/work/{work}").json()
    for path in (f"/api/work/{work}", f"/work/{work}", f"/history/{work}", "/api/work/999", "/work/999"):
        assert annotator2.client.get(path).status_code == 404, path
    assert annotator2.act(work, key(), shown["number"], **NOTE).status_code == 404
    assert annotator2.post(f"/api/work/{work}/verdict", {"accept": True}).status_code == 404
    assert reviewer1.client.get(f"/api/work/{work}").status_code == 200, "who reviews sees the works of others"
    assert reviewer1.act(work, key(), shown["number"], **NOTE).status_code == 404, "but changes none"
    for path in (
        "/agreement",
        "/accounts",
        f"/compare/{work}/{work}",
        f"/api/compare/{work}/{work}",
        f"/review/{work}",
    ):
        assert annotator1.client.get(path).status_code == 404, path
    assert reviewer1.client.get("/accounts").status_code == 404
    mesh = shown["pieces"][0]["digits"]
    assert annotator1.client.get(f"/mesh/{shown['project']}/{mesh}.bin").status_code == 200
    assert annotator1.client.get(f"/mesh/another/{mesh}.bin").status_code == 404
    assert annotator1.client.get(f"/mesh/{shown['project']}/{'0' * 64}.bin").status_code == 404
    assert annotator1.client.get(f"/mesh/{shown['project']}/..%2Fannotation.db.bin").status_code == 404


def test_a_work_is_shown_as_it_stood_to_whom_it_concerns(people: dict[str, Caller]) -> None:
    annotator1, annotator2, reviewer1 = people["annotator1"], people["annotator2"], people["reviewer1"]
    work = annotator1.begin()
    number = annotator1.client.get(f"/api/work/{work}").json()["number"]
    annotator1.act(work, key(), number, type="note", part=None, text="the last <b>step</b>")
    then, now = (annotator1.client.get(f"/api/work/{work}?at={at}").json()["state"] for at in (number, number + 1))
    assert [note["text"] for note in now["notes"]] == [
        *(note["text"] for note in then["notes"]),
        "the last <b>step</b>",
    ]
    for who in (annotator1, reviewer1):
        shown = who.client.get(f"/history/{work}?at={number}").text
        assert "annotator1</b> noted of the chair: the last &lt;b&gt;step" in shown
        assert f"As it stood after step {number} of {number + 1}." in shown
    assert annotator2.client.get(f"/history/{work}?at=0").status_code == 404
    for at in (number + 2, -1, "x", "9" * 20, "²"):
        assert annotator1.client.get(f"/api/work/{work}?at={at}").status_code == 400, at
        assert annotator1.client.get(f"/history/{work}?at={at}").status_code == 400, at


@pytest.mark.parametrize(
    ("action", "complaint"),
    [
        ({"type": "custom", "part": 0, "name": "<script>alert(3)</script>"}, "A name is letters"),
        ({"type": "group", "part": 99, "pieces": [0]}, "There is no part 99"),
        ({"type": "group", "part": 0, "pieces": [99]}, "There is no piece 99"),
        ({"type": "have", "part": 0, "child": "chair_arm", "count": 65}, "65 is not within 0 to 64"),
        ({"type": "reopen", "remark": "mine"}, "Only a reviewer"),
        ({"type": "nonsense"}, "nonsense"),
        ({"type": "note", "part": None, "text": "x", "more": 1}, "more"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    people: dict[str, Caller], action: dict[str, Any], complaint: str
) -> None:
    annotator1 = people["annotator1"]
    work = annotator1.begin()
    number = annotator1.client.get(f"/api/work/{work}").json()["number"]
    answer = annotator1.act(work, key(), number, **action)
    assert answer.status_code == 400
    said = answer.json()["error"]
    assert complaint.lower() in said.lower()
    assert said.endswith(".")
    assert "\n" not in said


def test_bodies_are_bounded_and_must_be_json(people: dict[str, Caller]) -> None:
    annotator1 = people["annotator1"]
    path = f"/api/work/{annotator1.begin()}/actions"
    assert annotator1.post(path, "x" * (1 << 20)).status_code == 413

    def pieces() -> Iterator[bytes]:
        yield from (b"x" * 65536 for _ in range(20))

    assert annotator1.client.post(path, content=pieces(), headers={"X-CSRF-Token": annotator1.csrf}).status_code == 413
    answer = annotator1.client.post(path, content=b"{", headers={"X-CSRF-Token": annotator1.csrf})
    assert (answer.status_code, list(answer.json())) == (400, ["error"])


def test_browsers_are_told_what_to_refuse(people: dict[str, Caller]) -> None:
    annotator1 = people["annotator1"]
    answer = annotator1.client.get("/")
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    cookie = annotator1.login.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;alert(2)" in answer.text


def test_a_session_ends_with_logging_out_and_with_a_new_password(address: str, people: dict[str, Caller]) -> None:
    annotator2 = Caller(address, "annotator2")
    ((name, kept),) = annotator2.client.cookies.items()
    annotator2.client.post("/logout", data={"csrf": annotator2.csrf})
    annotator2.client.cookies.set(name, kept)
    assert annotator2.client.get("/progress").status_code == 303
    owner1 = people["owner1"]
    fields = {"csrf": owner1.csrf, "new": "yes", "name": "cyril", "role": "annotator", "password": PASSWORD}
    assert owner1.client.post("/accounts", data=fields).status_code == 303
    cyril = Caller(address, "cyril")
    assert cyril.client.get("/progress").status_code == 200
    owner1.client.post("/accounts", data={"csrf": owner1.csrf, "name": "cyril", "active": "no"})
    assert cyril.client.get("/progress").status_code == 303
    assert Caller(address, "cyril").login.status_code == 401
    refused = owner1.client.post("/accounts", data={"csrf": owner1.csrf, "name": "owner1", "active": "no"})
    assert refused.status_code == 400
    assert "only owner" in refused.text


def test_a_new_account_does_not_change_the_one_that_has_its_name(address: str, people: dict[str, Caller]) -> None:
    owner1 = people["owner1"]
    fields = {"csrf": owner1.csrf, "name": "Reviewer1", "role": "annotator", "password": "another password"}
    assert owner1.client.get("/accounts").text.count('name="new" value="yes"') == 1, "of all forms, that for a new one"
    refused = owner1.client.post("/accounts", data={**fields, "new": "yes"})
    assert (refused.status_code, "account reviewer1: is there already" in refused.text) == (400, True)
    assert Caller(address, "reviewer1").login.status_code == 303, "the password is what it was"
    unknown = owner1.client.post("/accounts", data={**fields, "name": "reviewer3"})
    assert (unknown.status_code, "there is no account" in unknown.text) == (400, True)


def test_guessing_a_password_becomes_slow(address: str) -> None:
    answers = [Caller(address, "nobody", f"guess number {number}").login.status_code for number in range(7)]
    assert answers == [401] * 6 + [429]
    assert Caller(address, "annotator1").login.status_code == 303, "others may still come in"


def test_tries_are_counted_by_name_within_a_time() -> None:
    at = 0.0
    pace = Pace(2, 60, clock=lambda: at, names=2)
    for _ in range(2):
        pace.check("annotator1")
        pace.count("annotator1")
    with pytest.raises(TooMany, match="wait 60 seconds"):
        pace.check("annotator1")
    pace.check("annotator2")
    at = 61.0
    pace.check("annotator1")
    for name in ("one", "two", "three"):
        pace.count(name)
    assert len(pace._tries) == 2
