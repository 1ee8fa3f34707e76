"""The explorer as tests see it: datasets to look into, a server, and a real browser."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import socket
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from kit import ROOT, THOROUGH
from mereo.caches import PLACE
from warm import warm_folder

SCREENSHOTS = ROOT / "build" / "screenshots"
"""Where the pictures of pages are kept, for people to look at."""

SIZES = {"wide": (1440, 900), "narrow": (390, 844)}
LOOKS = [("wide", False), ("narrow", True), *([("wide", True), ("narrow", False)] if THOROUGH else [])]
"""Windows and whether they are dark. Neither has to do with the other: each is seen once, thoroughly all four."""

FLAGS = [
    *("--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader"),
    "--enable-unsafe-swiftshader",
    "--disable-gpu-compositing",  # what WebGL draws is drawn all the same; the page around it in half the time
]


def build(out: Path, *arguments: str) -> Path:
    """A dataset, made by the command line; whoever wants the same again gets a copy of his own."""
    shutil.copytree(_built(*arguments), out)
    return out


def _built(*arguments: str) -> Path:
    """A dataset that nobody changes, made once for all processes of a run."""
    name = hashlib.sha256("\n".join(arguments).encode()).hexdigest()
    out = Path(os.environ[PLACE]) / "built" / name
    out.parent.mkdir(exist_ok=True)
    with out.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not out.exists():
            command("build", *arguments[:1], str(out), *arguments[1:], "--workers", "1")
    return out


def command(*arguments: str) -> None:
    """Run `mereo` in a process of its own, to the end."""
    subprocess.run([warm_folder() / "mereo", *arguments], check=True, capture_output=True)


@contextmanager
def running(command: Sequence[str], log: Path, *, announced: str, **environment: str) -> Iterator[str]:
    """The address of a server that runs until the block ends. announced : what it says once it listens"""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    served = [sys.executable, "-u", "-m", "mereo", *command, "--port", str(port)]
    with log.open("w") as told:
        server = subprocess.Popen(served, env={**os.environ, **environment}, stdout=told, stderr=told)
    try:
        deadline = time.monotonic() + 90
        while announced not in log.read_text():
            assert server.poll() is None, f"the server ended: {log.read_text()}"
            assert time.monotonic() < deadline, f"the server does not start: {log.read_text()}"
            time.sleep(0.05)
        yield f"http://localhost:{port}"
    finally:
        server.terminate()
        server.wait(20)
    assert "Traceback" not in log.read_text(), log.read_text()


@contextmanager
def serving(folders: Sequence[Path], cache: Path, *arguments: str) -> Iterator[str]:
    """The address of an explorer that runs until the block ends."""
    command = ["explore", *map(str, folders), "--no-open", *arguments]
    with running(command, cache / "explore.log", announced="Exploring at", XDG_CACHE_HOME=str(cache)) as address:
        yield address


@contextmanager
def chromium() -> Iterator[Any]:
    """A headless Chromium; skips where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    with playwright.sync_playwright() as play:
        browser: Any = play.chromium.launch(executable_path=program, args=FLAGS)
        browser.left = defaultdict(list)
        yield browser
        browser.close()


@contextmanager
def visiting(
    browser: Any, *, width: int = 1440, height: int = 900, dark: bool = False, touch: bool = False
) -> Iterator[Any]:
    """A page of a new visitor; whatever goes wrong in it, or is fetched from elsewhere, fails the test."""
    scheme = "dark" if dark else "light"
    size = {"width": width, "height": height}
    left = browser.left[width, height, dark, touch]
    context = left.pop() if left else browser.new_context(viewport=size, color_scheme=scheme, has_touch=touch)
    context.set_default_timeout(30_000)
    page = context.new_page()
    troubles: list[str] = []
    origins: set[str] = set()
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda said: troubles.append(said.text) if _is_trouble(said) else None)
    page.on("response", lambda came: troubles.append(f"{came.status} {came.url}") if came.status >= 400 else None)
    page.on("request", lambda request: None if _is_local(request.url) else troubles.append(f"fetched {request.url}"))
    page.on("framenavigated", lambda frame: origins.add("{0.scheme}://{0.netloc}".format(urlsplit(frame.url))))
    page.troubles = troubles
    try:
        yield page
    except Exception as error:
        error.add_note(f"{page.url} told of {troubles or 'no trouble'}, and showed: {_shown(page)}")
        context.close()
        raise
    _forget(context, origins)
    left.append(context)
    assert not troubles, troubles


def _forget(context: Any, origins: set[str]) -> None:
    """Leave nothing of a visitor to the next one but what the browser fetched, which takes long to fetch and read.

    The visitor's pages close first: what they still fetch would be refused without the cookies.
    """
    blank = context.new_page()
    for page in context.pages:
        if page is not blank:
            page.close()
    context.unroute_all()
    context.clear_cookies()
    session = context.new_cdp_session(blank)
    for origin in origins:
        session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    blank.close()


def keep_screenshot(page: Any, name: str) -> None:
    """Keep what a page looks like, with all the pictures that are in sight."""
    page.wait_for_function(
        "[...document.images].every((one) => one.complete || one.getBoundingClientRect().top > innerHeight)"
    )
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png")


def _shown(page: Any) -> str:
    """What can be read in a page at the moment, as far as it still answers."""
    from playwright.sync_api import Error

    try:
        return " ".join(page.locator("body").inner_text(timeout=5_000).split())[:2000]
    except Error as error:
        return f"nothing ({type(error).__name__})"


def _is_trouble(said: Any) -> bool:
    """Whether a page tells of an error in its console. Answers of refusal are told of there, too, but at any time
    after they came: those are taken where they come."""
    return said.type == "error" and "the server responded with a status of" not in said.text


def _is_local(address: str) -> bool:
    return address.startswith(("http://localhost:", "data:", "blob:"))
