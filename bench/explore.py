"""The explorer with 10,000 scenes and 100,000 questions, in a headless browser.

    python bench/explore.py [--dataset FOLDER] [--scenes 10000] [--visitors 20]

Builds the set (symbolic CLEVR, ten questions a scene) unless a folder is given, starts `mereo explore` on it, and
measures in Chromium, on the same machine:

- first paint: from asking for the page to the first content, and to the last of the first row of cards, for visitors
  whose browser knows nothing yet;
- a filter: from the click to the new counts and cards being in the page and painted;
- visitors at once, each of whom browses, filters, opens a scene and walks through a program.

The reference is working out the counts of one filter by reading the shards with Arrow, without a browser.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.compute as pc
import pyarrow.parquet as pq
from playwright.async_api import Browser, Page, async_playwright

from measure import machine, save

FLAGS = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]

FILTERS = (("split", "val"), ("has.color", "red"), ("type", "count"), ("has.shape", "cube"), ("has.size", "small"))

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


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", type=Path)
    parser.add_argument("--scenes", type=int, default=10_000)
    parser.add_argument("--visitors", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.dataset or _built(Path(scratch) / "set", options.scenes)
        with _served(folder, Path(scratch)) as (address, started):
            result = asyncio.run(_measure(address, folder, options.visitors))
    result["seconds to start"] = started
    print(f"{machine()}\n")
    for name, value in result.items():
        print(f"{name:<52} {value:>10,.2f}" if isinstance(value, float) else f"{name:<52} {value:>10,}")
    save("explore", result)
    sys.exit(1 if result["errors"] else 0)


async def _measure(address: str, folder: Path, visitors: int) -> dict[str, Any]:
    result: dict[str, Any] = {}
    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        await _first_paint(browser, address)
        paints = [await _first_paint(browser, address) for _ in range(7)]
        for place, name in enumerate(("first content", "first row of cards")):
            result[f"ms to {name}, median of 7"] = statistics.median(paint[place] for paint in paints)
            result[f"ms to {name}, worst"] = max(paint[place] for paint in paints)
        changes = await _changes(browser, address)
        result["ms for a filter, median"] = statistics.median(changes)
        result["ms for a filter, worst"] = max(changes)
        result["filters measured"] = len(changes)
        reading = statistics.median(_timed(lambda: _by_reading(folder)) for _ in range(3))
        result["ms for one filter by reading the shards"] = reading
        result["ratio to the median filter in the browser"] = reading / statistics.median(changes)
        began = time.perf_counter()
        troubles = await asyncio.gather(*(_visit(browser, address) for _ in range(visitors)))
        result["visitors at once"] = visitors
        result["seconds for all of them"] = time.perf_counter() - began
        result["errors"] = sum(map(len, troubles))
        for trouble in [one for own in troubles for one in own][:10]:
            print(trouble, file=sys.stderr)
        await browser.close()
    return result


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


async def _changes(browser: Browser, address: str) -> list[float]:
    """Each filter is set, then one more on top of the first, and all are taken away again."""
    context = await browser.new_context(viewport={"width": 1440, "height": 900})
    page = await context.new_page()
    await page.goto(address)
    await page.wait_for_timeout(1500)
    taken = []
    for _ in range(3):
        for facet, value in FILTERS:
            taken.append(float(await page.evaluate(CHANGE, [facet, value])))
            await page.wait_for_timeout(400)
        for facet, value in FILTERS:
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
    command = [sys.executable, "-m", "mereo", "build", "clevr", str(out), "--symbolic", "--scenes", str(scenes)]
    subprocess.run([*command, "--seed", "0", "--workers", "2"], check=True, stdout=subprocess.DEVNULL)
    return out


@contextmanager
def _served(folder: Path, scratch: Path) -> Iterator[tuple[str, float]]:
    """The address of an explorer with an empty cache, and the seconds that it took to start."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "mereo", "explore", str(folder), "--no-open", "--port", str(port)]
    environment = {**os.environ, "XDG_CACHE_HOME": str(scratch / "cache")}
    began = time.perf_counter()
    server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    if not server.stdout.readline().startswith("Exploring"):
        raise SystemExit("the explorer does not start")
    try:
        yield f"http://localhost:{port}", time.perf_counter() - began
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
