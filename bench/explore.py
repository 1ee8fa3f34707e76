"""The explorer with 10,000 scenes and 100,000 questions, in a headless browser.

    python bench/explore.py [--dataset FOLDER] [--scenes 10000] [--visitors 20]

Builds the set (symbolic CLEVR, ten questions a scene) unless a folder is given, starts `mereo explore` on it, and
measures in Chromium, on the same machine:

- first paint: from asking for the page to the first content, and to the last of the first row of cards, for visitors
  whose browser knows nothing yet;
- a filter: from the click to the new counts and cards being in the page and painted;
- visitors at once, each of whom browses, filters, opens a scene and walks through a program.

The references are an empty page of Python's own web server in the same browser, and working out the counts of one
filter by reading the shards with Arrow, without a browser.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pyarrow.compute as pc
import pyarrow.parquet as pq
from playwright.async_api import Browser, Page, async_playwright

from measure import mereo, options, save, spread
from tables import Row

FLAGS = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]

Filters = tuple[tuple[str, str], ...]

FILTERS: Filters = (
    ("split", "val"),
    ("has.color", "red"),
    ("type", "count"),
    ("has.shape", "cube"),
    ("has.size", "small"),
)

QUESTION_FACETS = ("type", "subtype", "template", "answer")

CHANGE = """([facet, value]) => new Promise((done) => {
  const began = performance.now();
  const told = document.querySelector('.b-summary');
  const before = told.innerText;
  const look = () => {
    if (told.innerText === before) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
  };
  document.querySelector(`.b-facet [data-facet="${facet}"][data-value="${value}"]`).click();
  look();
})"""


class Seen(NamedTuple):
    """What was measured in the browser, milliseconds unless it says otherwise."""

    empty: list[float]
    content: list[float]
    cards: list[float]
    changes: list[float]
    reading: list[float]
    visits: float
    """Seconds until the last of the visitors at once was done."""
    troubles: list[str]


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", type=Path)
    parser.add_argument("--scenes", type=int, default=10_000)
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=7, help="first paints")
    given = options(parser)
    if given.quick:
        given.scenes, given.visitors, given.rounds = 50, 1, 1
    given.filters = FILTERS[:1] if given.quick else 3 * FILTERS
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.dataset or _built(Path(scratch) / "set", given.scenes)
        with _served(folder, Path(scratch)) as (address, started), _empty(Path(scratch)) as empty:
            seen = asyncio.run(_measure(address, empty, folder, given))
    for trouble in seen.troubles[:10]:
        print(trouble, file=sys.stderr)
    notes = [
        f"{given.visitors} visitors at once, each browsing, filtering, opening a scene and walking through a program: "
        f"{seen.visits:.0f} s, {len(seen.troubles) or 'no'} errors. "
        f"From the command to the first page: {started:.1f} s."
    ]
    save("explore", given, rows(seen), notes=notes)
    if seen.troubles:
        sys.exit("there were errors")


def rows(seen: Seen) -> list[Row]:
    """Figures of the browser beside their references."""
    empty, reading = "an empty page, first content", "the counts of one filter by reading the shards"
    found = (
        ("first paint", empty, empty, seen.empty),
        ("first paint", "first content", empty, seen.content),
        ("first paint", "first row of cards with their pictures", empty, seen.cards),
        ("filters", reading, reading, seen.reading),
        ("filters", "a filter, from the click to what is painted", reading, seen.changes),
    )
    return [spread(what, values, unit="ms", against=against, table=table) for table, what, against, values in found]


async def _measure(address: str, empty: str, folder: Path, given: argparse.Namespace) -> Seen:
    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        nothing = [await _empty_paint(browser, empty) for _ in range(1 + given.rounds)][1:]
        paints = [await _first_paint(browser, address) for _ in range(1 + given.rounds)][1:]
        changes = await _changes(browser, address, given.filters)
        reading = [_timed(lambda: _by_reading(folder)) for _ in range(3)]
        began = time.perf_counter()
        troubles = await asyncio.gather(*(_visit(browser, address) for _ in range(given.visitors)))
        visits = time.perf_counter() - began
        await browser.close()
    content, cards = ([paint[place] for paint in paints] for place in (0, 1))
    return Seen(nothing, content, cards, changes, reading, visits, [one for own in troubles for one in own])


async def _empty_paint(browser: Browser, address: str) -> float:
    context = await browser.new_context(viewport={"width": 1440, "height": 900})
    page = await context.new_page()
    await page.goto(address)
    painted = "performance.getEntriesByName('first-contentful-paint').length"
    await page.wait_for_function(painted)
    content: float = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    await context.close()
    return content


async def _first_paint(browser: Browser, address: str) -> tuple[float, float]:
    """Milliseconds to the first content and to the first row of cards, by the browser's own clock."""
    context = await browser.new_context(viewport={"width": 1440, "height": 900})
    page = await context.new_page()
    await page.goto(address)
    await page.wait_for_function("document.querySelectorAll('.b-card').length >= 5")
    seen = "[...document.querySelectorAll('.b-card img')].slice(0, 5).every((one) => one.complete && one.naturalWidth)"
    look = f"() => {seen} ? done(performance.now()) : requestAnimationFrame(look)"
    cards = await page.evaluate(f"new Promise((done) => {{ const look = {look}; look(); }})")
    content = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    await context.close()
    return content, cards


async def _changes(browser: Browser, address: str, filters: Filters) -> list[float]:
    """Each filter is set on top of those before it, and then all are taken away again, in rounds of five."""
    context = await browser.new_context(viewport={"width": 1440, "height": 900})
    page = await context.new_page()
    await page.goto(address)
    await page.wait_for_timeout(1500)
    taken = []
    for first in range(0, len(filters), len(FILTERS)):
        together = filters[first : first + len(FILTERS)]
        for facet, value in together + together:
            await page.locator(f'.b-facet [data-facet="{facet}"][data-value="{value}"]').first.wait_for()
            taken.append(float(await page.evaluate(CHANGE, [facet, value])))
            await page.wait_for_timeout(400)
    await context.close()
    return taken


async def _visit(browser: Browser, address: str) -> list[str]:
    """One visitor; what went wrong, if anything."""
    context = await browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(120_000)
    page = await context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    page.on(
        "response", lambda answer: troubles.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None
    )
    try:
        await _walk(page, address)
    except Exception as error:  # noqa: BLE001  whatever it is, it counts as a visit that failed
        troubles.append(f"{type(error).__name__}: {str(error).splitlines()[0]}")
    await context.close()
    return troubles


async def _walk(page: Page, address: str) -> None:
    await page.goto(address)
    await page.locator('.b-facet [data-facet="split"][data-value="val"]').click()
    await page.locator('.b-summary [data-facet="split"]').wait_for()
    await page.locator(".b-card").first.click()
    await page.locator(".s-stage[data-ready]").wait_for()
    await page.get_by_role("link", name="Reasoning").click()
    await page.locator('[data-action="back"]').click()
    await page.wait_for_function("!document.querySelector('[data-action=forward]').disabled")


def _by_reading(folder: Path) -> list[Any]:
    """The same counts for one filter as the page shows: what it would take without an index."""
    scenes = pq.read_table(folder / "scenes", columns=["scene_id", "split", "scene"])
    questions = pq.read_table(folder / "questions", columns=["scene_id", *QUESTION_FACETS, "question"])
    scenes = scenes.filter(pc.equal(scenes["split"], "val"))
    questions = questions.filter(pc.is_in(questions["scene_id"], value_set=scenes["scene_id"].combine_chunks()))
    facts: Counter[tuple[str, str]] = Counter()
    for record in scenes["scene"].to_pylist():
        objects = msgspec.json.decode(record)["objects"]
        facts.update({(name, one[name]) for one in objects for name in ("size", "color", "material", "shape")})
    return [scenes.num_rows, questions.num_rows, facts, *(pc.value_counts(questions[name]) for name in QUESTION_FACETS)]


def _timed(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return 1000 * (time.perf_counter() - began)


def _built(out: Path, scenes: int) -> Path:
    command = mereo("build", "clevr", out, "--symbolic", "--scenes", str(scenes), "--seed", "0", "--workers", "2")
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return out


@contextmanager
def _served(folder: Path, scratch: Path) -> Iterator[tuple[str, float]]:
    """The address of an explorer with an empty cache, and the seconds that it took to start."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    began = time.perf_counter()
    command = mereo("explore", folder, "--no-open", "--port", str(port))
    with _running(command, XDG_CACHE_HOME=str(scratch / "cache")) as said:
        if not said.startswith("Exploring"):
            raise SystemExit("the explorer does not start")
        yield f"http://localhost:{port}", time.perf_counter() - began


@contextmanager
def _empty(scratch: Path) -> Iterator[str]:
    """The address of a page with one word on it."""
    folder = scratch / "empty"
    folder.mkdir()
    (folder / "index.html").write_text("<!doctype html><title>empty</title>empty")
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder)]
    with _running(command) as said:
        port = re.search(r"port (\d+)", said)
        if port is None:
            raise SystemExit("Python's web server does not start")
        yield f"http://127.0.0.1:{port[1]}"


@contextmanager
def _running(command: list[str], **environment: str) -> Iterator[str]:
    """The first line that a server says; it is ended afterwards."""
    quiet = subprocess.DEVNULL
    more = {**os.environ, **environment}
    with subprocess.Popen(command, env=more, stdout=subprocess.PIPE, stderr=quiet, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline()
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
