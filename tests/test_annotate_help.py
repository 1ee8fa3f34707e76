"""Help over HTTP: parts that are proposed, and parts of two annotations that a reviewer merges."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

pytest.importorskip("argon2", reason="the extra annotate is not installed")

from annotating import PASSWORD, Caller, new_project, serving, stool


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of one stool."""
    project = new_project(tmp_path_factory.mktemp("help") / "project", shapes=[stool()])
    with serving(project) as served:
        yield served


def owners(caller: Caller, work: int) -> dict[int, str]:
    """By piece the path of the part that it is given to."""
    state = caller.client.get(f"/api/work/{work}").json()["state"]
    paths = {part["number"]: part["path"] for part in state["parts"]}
    return {piece["id"]: paths[piece["owner"]] for piece in state["pieces"] if piece["owner"] is not None}


def do(caller: Caller, work: int, *actions: dict[str, Any]) -> None:
    """Actions one after the other."""
    number = caller.client.get(f"/api/work/{work}").json()["number"]
    for place, action in enumerate(actions):
        answer = caller.act(work, str(uuid4()), number + place, **action)
        assert answer.status_code == 200, answer.text


def test_what_the_grammar_proposes_is_taken_over_part_by_part(address: str) -> None:
    annotator1, annotator2 = Caller(address, "annotator1"), Caller(address, "annotator2")
    work = annotator1.begin()
    assert annotator2.client.get(f"/api/work/{work}/proposals").status_code == 404
    offered = annotator1.client.get(f"/api/work/{work}/proposals").json()
    assert offered["number"] == 0
    assert sorted(piece for part in offered["parts"] for piece in part["pieces"]) == [0, 1, 2, 3]
    assert all(0 < part["confidence"] <= 1 for part in offered["parts"])
    wanted = {piece: part["label"] for part in offered["parts"] for piece in part["pieces"]}
    taken = 0
    while parts := annotator1.client.get(f"/api/work/{work}/proposals").json()["parts"]:
        do(annotator1, work, *parts[0]["actions"])
        taken += 1
    assert taken == len(offered["parts"])
    assert owners(annotator1, work) == wanted
    do(annotator1, work, {"type": "undo"})
    (left,) = annotator1.client.get(f"/api/work/{work}/proposals").json()["parts"]
    assert left["label"] == offered["parts"][-1]["label"], "what is undone is proposed again"


def test_two_projects_at_one_host_know_nothing_of_each_other(address: str, tmp_path: Path) -> None:
    with serving(new_project(tmp_path / "other", shapes=[stool()])) as other:
        both = Caller(address, "annotator2")
        (own,) = both.client.cookies.values()
        assert both.client.post(f"{other}/login", data={"name": "annotator1", "password": PASSWORD}).status_code == 303
        for place in (address, other):
            assert both.client.get(f"{place}/progress").status_code == 200, "in a browser cookies have no port"
        (theirs,) = both.client.cookies.keys() - Caller(address, "annotator2").client.cookies.keys()
        both.client.cookies.set(theirs, own, domain="localhost.local")
        assert both.client.get(f"{other}/api/work/1").status_code == 401, "a session of another project"
        work = both.begin()
        mesh = both.client.get(f"/api/work/{work}").json()
        path = f"/mesh/{mesh['project']}/{mesh['pieces'][0]['digits']}.bin"
        assert both.client.get(path).status_code == 200
        assert Caller(other, "annotator2").client.get(path).status_code == 404, "an id of another project"


LEG = "chair/chair_base/regular_leg_base/leg"
BASE = [
    {"type": "have", "part": 0, "child": "chair_base", "count": 1},
    {"type": "choose", "part": 1, "child": "regular_leg_base"},
    {"type": "have", "part": 2, "child": "leg", "count": 3},
    *({"type": "group", "part": 3 + leg, "pieces": [leg]} for leg in range(3)),
]
"""The legs of the stool."""
SEAT = 3
HALVES = ({"type": "custom", "part": 0, "name": "left half"}, {"type": "custom", "part": 0, "name": "right half"})


def halved(caller: Caller, work: int) -> dict[str, Any]:
    """The cut that divides the seat."""
    view = caller.client.get(f"/api/work/{work}").json()
    seat = next(piece for piece in view["pieces"] if piece["id"] == SEAT)
    (x, y, z), deep = seat["center"], seat["size"][1]
    line = [[x, y - deep, z], [x, y + deep, z]]
    return {"type": "cut", "piece": SEAT, "path": line, "direction": [0, 0, -1]}


def test_a_reviewer_merges_two_annotations_and_another_accepts_it(tmp_path: Path) -> None:
    with serving(new_project(tmp_path / "project", shapes=[stool()])) as address:
        annotator1, annotator2, reviewer1, owner1 = (
            Caller(address, name) for name in ("annotator1", "annotator2", "reviewer1", "owner1")
        )
        one, other = annotator1.begin(), annotator2.begin()
        do(annotator1, one, *BASE, {"type": "finish"})
        cut = halved(annotator2, other)
        do(annotator2, other, cut, {"type": "undo"}, {"type": "redo"}, *HALVES)
        do(annotator2, other, {"type": "group", "part": 1, "pieces": [4]}, {"type": "group", "part": 2, "pieces": [5]})
        do(annotator2, other, {"type": "finish"})
        assert annotator1.post(f"/api/work/{other}/merge", {"path": LEG}).status_code == 404
        assert "no pieces of" in reviewer1.post(f"/api/work/{other}/merge", {"path": LEG}).json()["error"]
        assert reviewer1.client.get("/api/work/3").status_code == 404, "what is refused begins no work"
        assert reviewer1.post(f"/api/work/{one}/merge", {"path": LEG}, **{"X-CSRF-Token": "no"}).status_code == 403

        work = reviewer1.post(f"/api/work/{one}/merge", {"path": LEG}).json()["work"]
        for half in ("chair/left half", "chair/right half", "chair/left half"):
            assert reviewer1.post(f"/api/work/{other}/merge", {"path": half}).json()["work"] == work
        assert owners(reviewer1, work) == {0: LEG, 1: LEG, 2: LEG, 4: "chair/left half", 5: "chair/right half"}
        theirs, own = (reviewer1.client.get(f"/api/work/{number}").json()["pieces"] for number in (other, work))
        assert own == theirs, "the same cut gives the same pieces"
        assert "is your own" in reviewer1.post(f"/api/work/{work}/merge", {"path": LEG}).json()["error"]
        assert "foot" not in reviewer1.client.get("/agreement").text

        do(reviewer1, work, {"type": "finish"})
        assert reviewer1.post(f"/api/work/{work}/verdict", {"accept": True}).status_code == 400, "nobody judges his own"
        assert owner1.post(f"/api/work/{work}/verdict", {"accept": True}).status_code == 200
        again = reviewer1.post(f"/api/work/{one}/merge", {"path": LEG})
        assert (again.status_code, "is finished" in again.json()["error"]) == (400, True)
        assert "compare" in owner1.client.get("/").text
