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
SMALL: dict[str, Any] = {"width": 760, "height": 500}
SEAT = 3
"""The piece of the stool that is its seat."""
PLACE = """([id, across, deep]) => {
  const piece = bench.viewer.pieces.find((one) => one.id === id);
  const { low, high } = piece.mesh;
  const at = (axis, share) => low[axis] + share * (high[axis] - low[axis]);
  const spot = bench.viewer.camera.project([at(0, across), at(1, deep), high[2]]);
  const canvas = bench.viewer.canvas.getBoundingClientRect();
  return [spot.x + canvas.left, spot.y + canvas.top];
}"""
"""Where in the window a place on the top of a piece is seen."""
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


def begin(page: Any, address: str, name: str) -> None:
    """Log in and go on with the next shape."""
    page.context.set_default_timeout(90_000)
    log_in(page, address, name)
    page.get_by_role("button", name="Annotate the next").click()
    ready(page)


def ready(page: Any) -> None:
    """Wait until a work is shown, and go to the shape."""
    page.wait_for_selector("#bench[data-ready]")
    page.locator("#canvas").focus()


def number(page: Any) -> int:
    """How many actions the page has seen answered."""
    return int(page.evaluate("document.body.dataset.number"))


def done(page: Any, before: int) -> None:
    """Wait until the server has answered one more action, and the page shows it."""
    page.wait_for_function("(wanted) => Number(document.body.dataset.number) === wanted", arg=before + 1)


def steer(page: Any, spot: Sequence[float]) -> None:
    """Move the cross of a tool to a place of the window by the arrows."""
    canvas = page.evaluate("[bench.viewer.canvas.getBoundingClientRect()].map((one) => [one.left, one.top])[0]")
    steps = {"x": ("ArrowLeft", "ArrowRight"), "y": ("ArrowUp", "ArrowDown")}
    for (axis, keys), aim, origin in zip(steps.items(), spot, canvas, strict=True):
        at = page.evaluate(f"bench.hand.cross.{axis}") + origin
        for _ in range(round(abs(aim - at) / 12)):
            page.keyboard.press(keys[aim > at])
