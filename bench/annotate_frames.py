"""Turning a shape on the page on which it is annotated, and how soon that page shows it, in a headless browser.

    python bench/annotate_frames.py [--triangles 200000] [--seconds 4] [--rounds 5]

Starts `mereo annotate` on a chair of our grammar as it is, and on one whose pieces are divided into many triangles, and
opens both in Chromium, which draws by software (SwiftShader), on the same machine:

- turning: the large chair is dragged by the mouse for some seconds, as people do it, once more with all triangles and
  pixels in every frame, which is the reference, and once with frames in which nothing is drawn: what the browser itself
  takes to show a canvas of that size;
- first picture: from asking for the page to the shape being painted, for visitors who have nothing of it yet, in a
  browser that runs and in one that was started for it; the reference is the page of progress, which shows no shape.
"""

from __future__ import annotations

import argparse
import math
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import trimesh
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from annotate_load import PASSWORD, Server
from explore import FLAGS
from measure import options, save, spread
from mereo.annotation.accounts import keep_account, people
from mereo.annotation.geometry.blobs import keep_mesh
from mereo.annotation.geometry.intake import grammar_intake
from mereo.annotation.library import add_shape
from mereo.annotation.project import Project
from mereo.annotation.queue import start_work
from mereo.shapes.grammar import make_shape
from mereo.shapes.mesh import Mesh
from tables import Row

Look = Callable[[Browser], float]
SOFTWARE = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
SIZE, SMALL = {"width": 1440, "height": 900}, {"width": 480, "height": 320}
NAME = "annotator-0"
WHOLE = "() => Object.defineProperty(bench.viewer, 'haste', { get: () => 0, set() {} })"
EMPTY = """() => { bench.viewer.painter.paint = function (camera, theme, how) {
  this.corners = 0;
  this.allot(how.scale);
  this.fit();
  this.gl.bindFramebuffer(this.gl.FRAMEBUFFER, null);
  this.gl.clear(this.gl.COLOR_BUFFER_BIT);
}; }"""
WATCH = """(() => {
  const look = () => {
    const viewer = globalThis.bench?.viewer;
    if (!viewer?.pieces.length || !viewer.resting) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => { globalThis.shown = performance.now(); }));
  };
  requestAnimationFrame(look);
})()"""
"""Run before a page begins: the moment at which a shape was first painted."""
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
COUNTED = """(({ drawn, painter }) => [drawn, painter.width * painter.height, painter.corners / 3])(bench.viewer)"""


class Turned(NamedTuple):
    """One drag of some seconds."""

    frames: float
    """In a second of wall time."""
    cost: float
    """CPU milliseconds of all processes of the browser for one frame."""
    pixels: int
    triangles: int


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--triangles", type=int, default=200_000)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each drag")
    parser.add_argument("--rounds", type=int, default=5)
    given = options(parser)
    if given.quick:
        given.triangles, given.seconds, given.rounds = 4_000, 0.3, 1
    given.unseen = 0 if given.quick else 1
    with tempfile.TemporaryDirectory() as scratch:
        counts = _new_project(Path(scratch) / "project", given.triangles)
        server = Server(Path(scratch) / "project")
        try:
            rows = _measure(server.address, counts, given)
        finally:
            server.stop()
    save("annotate-frames", given, rows)


def _measure(address: str, counts: Sequence[int], given: argparse.Namespace) -> list[Row]:
    """counts : triangles of the shapes, whose works have the numbers 1 and 2"""
    with sync_playwright() as play:
        browser = _started(play)
        visitor = {"viewport": SMALL if given.quick else SIZE, "storage_state": _logged_in(browser, address)}

        def several(act: Callable[[], Any]) -> list[Any]:
            return [act() for _ in range(given.unseen + given.rounds)][given.unseen :]

        def turned(change: str) -> list[Turned]:
            page = _opened(browser, visitor, f"{address}/work/2")
            page.evaluate(change)
            found = several(lambda: _turned(browser, page, given.seconds))
            page.context.close()
            return found

        drags = [turned(change) for change in (WHOLE, "() => {}", EMPTY)]
        looks: list[Look] = [partial(_painted, visitor=visitor, address=f"{address}/progress")]
        looks += [partial(_shown, visitor=visitor, address=f"{address}/work/{work}") for work in (1, 2)]
        first = [several(partial(look, browser)) for look in looks]
        browser.close()
        fresh = [[_fresh(play, look) for look in looks[:2]] for _ in range(given.rounds)]
    return _turning(drags, counts[1]) + _first(first, list(zip(*fresh, strict=True)), counts)


def _turning(drags: Sequence[Sequence[Turned]], count: int) -> list[Row]:
    """drags : all of every frame drawn, as it is, nothing drawn"""
    reference, table = "all triangles and pixels", f"a chair of {count:,} triangles, dragged by the mouse"
    named = zip((reference, "as it is", "nothing drawn"), drags, strict=True)
    return [_row(what, found, reference, table) for what, found in named]


def _first(first: Sequence[Sequence[float]], fresh: Sequence[Sequence[float]], counts: Sequence[int]) -> list[Row]:
    """first, fresh : the page of progress, then chairs, in a browser that runs and in one that was started for it"""
    bare, chairs = "the page of progress, first content", [f"a chair of {count:,} triangles" for count in counts]
    named = [*zip((bare, *chairs), first, strict=True)]
    named += zip((f"{what}, the browser just started" for what in (bare, chairs[0])), fresh, strict=True)
    return [spread(what, taken, unit="ms", against=bare, table="first picture") for what, taken in named]


def _row(what: str, found: Sequence[Turned], against: str, table: str) -> Row:
    more: dict[str, float | None] = {
        "CPU ms for one": statistics.median(one.cost for one in found),
        "triangles drawn": found[-1].triangles,
        "pixels drawn": found[-1].pixels,
    }
    return spread(what, [one.frames for one in found], unit="frames per s", against=against, table=table, more=more)


def _started(play: Playwright) -> Browser:
    return play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS + SOFTWARE)


def _fresh(play: Playwright, look: Look) -> float:
    """The same in a browser that was started for it."""
    browser = _started(play)
    try:
        return look(browser)
    finally:
        browser.close()


def _logged_in(browser: Browser, address: str) -> Any:
    """A session for all pages to come."""
    page = browser.new_page()
    page.goto(f"{address}/login")
    page.get_by_label("Name").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{address}/")
    session = page.context.storage_state()
    page.context.close()
    return session


def _opened(browser: Browser, visitor: Any, address: str) -> Page:
    """A page of a browser that has nothing but the session, once the shape is painted."""
    context = browser.new_context(**visitor)
    context.set_default_timeout(120_000)
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(address)
    page.wait_for_function("() => globalThis.shown")
    return page


def _shown(browser: Browser, visitor: Any, address: str) -> float:
    page = _opened(browser, visitor, address)
    shown: float = page.evaluate("shown")
    page.context.close()
    return shown


def _painted(browser: Browser, visitor: Any, address: str) -> float:
    context = browser.new_context(**visitor)
    page = context.new_page()
    page.goto(address)
    page.wait_for_function(PAINTED)
    content: float = page.evaluate(PAINTED)
    context.close()
    return content


def _turned(browser: Browser, page: Page, seconds: float) -> Turned:
    """Drag to and fro, with as many movements as the browser takes."""
    page.wait_for_timeout(1000)
    box = page.locator("#canvas").bounding_box()
    assert box is not None
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*middle)
    page.mouse.down()
    drawn, spent = page.evaluate("bench.viewer.drawn"), _used(browser)
    began = time.perf_counter()
    while (gone := time.perf_counter() - began) < seconds:
        page.mouse.move(middle[0] + 250 * math.sin(3 * gone), middle[1] + 60 * math.sin(2 * gone), steps=4)
    last, pixels, triangles = page.evaluate(COUNTED)
    gone, spent = time.perf_counter() - began, _used(browser) - spent
    page.mouse.up()
    frames = last - drawn
    return Turned(frames / gone, 1000 * spent / max(1, frames), pixels, triangles)


def _used(browser: Browser) -> float:
    """CPU seconds of all processes of the browser so far."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    return sum(float(process["cpuTime"]) for process in told["processInfo"])


def _new_project(folder: Path, triangles: int) -> list[int]:
    """A chair as it is and one of many triangles, of each of which a work is begun; how many they have."""
    project = Project.create(folder, category="chair")
    keep_account(project.database, NAME, "annotator", PASSWORD)
    (person,) = people(project.database)
    taken = grammar_intake(make_shape("chair", seed=3, family=5))
    meshes = [piece.mesh for piece in taken.pieces]
    counts = []
    for number, some in enumerate((meshes, divided(meshes, triangles)), 1):
        pieces = [(piece.name, keep_mesh(mesh, project.home)) for piece, mesh in zip(taken.pieces, some, strict=True)]
        add_shape(project, f"chair-{number}", pieces, frame=taken.frame.text())
        start_work(project, person, number)
        counts.append(sum(len(mesh.faces) for mesh in some))
    project.close()
    return counts


def divided(meshes: Sequence[Mesh], wanted: int) -> list[Mesh]:
    """The same pieces with waves on them, divided into about so many triangles: the coarsest piece first."""
    halved: Any = trimesh.remesh.subdivide  # has no types
    made = [(mesh.vertices.astype(float), mesh.faces) for mesh in meshes]
    while True:
        total = sum(len(faces) for _, faces in made)
        fitting = [place for place, (_, faces) in enumerate(made) if total + 3 * len(faces) <= wanted]
        if not fitting:
            break
        coarsest = max(fitting, key=lambda place: meshes[place].face_areas().sum() / len(made[place][1]))
        made[coarsest] = halved(*made[coarsest])[:2]
    return [Mesh.of((at + 0.003 * np.sin(40 * at[:, [1, 2, 0]])).astype(np.float32), faces) for at, faces in made]


if __name__ == "__main__":
    main()
