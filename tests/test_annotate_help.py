"""Help over HTTP: parts that are proposed, taken over by the actions that come with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

pytest.importorskip("argon2", reason="the extra annotate is not installed")

from annotating import Caller, new_project, serving, stool


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
    anna, bela = Caller(address, "anna"), Caller(address, "bela")
    work = anna.begin()
    assert bela.client.get(f"/api/work/{work}/proposals").status_code == 404
    offered = anna.client.get(f"/api/work/{work}/proposals").json()
    assert offered["number"] == 0
    assert sorted(piece for part in offered["parts"] for piece in part["pieces"]) == [0, 1, 2, 3]
    assert all(0 < part["confidence"] <= 1 for part in offered["parts"])
    wanted = {piece: part["label"] for part in offered["parts"] for piece in part["pieces"]}
    taken = 0
    while parts := anna.client.get(f"/api/work/{work}/proposals").json()["parts"]:
        do(anna, work, *parts[0]["actions"])
        taken += 1
    assert taken == len(offered["parts"])
    assert owners(anna, work) == wanted
    do(anna, work, {"type": "undo"})
    assert len(anna.client.get(f"/api/work/{work}/proposals").json()["parts"]) == 1, "what is undone is proposed again"
