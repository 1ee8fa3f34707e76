"""The annotation service as tests see it: a project, a server in a process of its own, and people who log in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx2

from browsing import running
from mereo.annotation.accounts import keep_account
from mereo.annotation.geometry.blobs import keep_mesh
from mereo.annotation.geometry.intake import grammar_intake
from mereo.annotation.library import add_shape
from mereo.annotation.project import Project
from mereo.shapes.grammar import make_shape
from mereo.shapes.part import Shape

Place = TypeVar("Place", str, Path)
PASSWORD = "correct horse"
_CLIENTS: list[httpx2.Client] = []
"""Closed with the server that they speak to."""
PEOPLE = {"annotator1": "annotator", "annotator2": "annotator", "reviewer1": "reviewer", "owner1": "owner"}


def stool() -> Shape:
    """A chair of our grammar with three legs and a seat."""
    return make_shape("chair", seed=1, family=22)


def new_project(place: Place, *, shapes: Sequence[Shape], name: str = "", database: str = "") -> Place:
    """A project of chairs, with accounts for everybody."""
    project = Project.create(place, category="chair", name=name, database=database)
    for number, shape in enumerate(shapes):
        taken = grammar_intake(shape)
        pieces = [(piece.name, keep_mesh(piece.mesh, project.home)) for piece in taken.pieces]
        add_shape(project, f"chair-{number}", pieces, frame=taken.frame.text())
    for person, role in PEOPLE.items():
        keep_account(project.database, person, role, PASSWORD)
    project.close()
    return place


@contextmanager
def serving(project: str | Path, log: Path | None = None) -> Iterator[str]:
    """The address of a server that runs until the block ends. log : where it speaks; else beside the folder"""
    spoken = log or Path(project).with_suffix(".log")
    with running(["annotate", str(project)], spoken, announced="Annotating at") as address:
        try:
            yield address
        finally:
            while _CLIENTS:
                _CLIENTS.pop().close()


class Caller:
    """Somebody who asks without a browser, and is logged in."""

    def __init__(self, address: str, name: str, password: str = PASSWORD):
        self.client = httpx2.Client(base_url=address, timeout=60)
        _CLIENTS.append(self.client)
        self.login = self.client.post("/login", data={"name": name, "password": password})
        page = self.client.get("/progress").text
        self.csrf = page.partition('name="csrf" content="')[2].partition('"')[0]

    def post(self, path: str, body: Any, **headers: str) -> Any:
        """Send JSON with the token of the session."""
        return self.client.post(path, json=body, headers={"X-CSRF-Token": self.csrf, **headers})

    def begin(self) -> int:
        """The number of the next work."""
        answer = self.client.post("/next", data={"csrf": self.csrf})
        return int(answer.headers["location"].rpartition("/")[2])

    def act(self, work: int, key: str, after: int, **action: Any) -> Any:
        """One action."""
        return self.post(f"/api/work/{work}/actions", {"key": key, "after": after, "action": action})


def log_in(page: Any, address: str, name: str) -> None:
    """Log in in a browser."""
    page.goto(f"{address}/login")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{address}/")
