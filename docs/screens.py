"""Takes the pictures of the explorer: `python docs/screens.py DATASET`, one of PTR with pictures or of PartNet.

Last comes a run beside the truth; it is written into the dataset as `tests/sighted.py` and `tests/misjudged.py` make
it, with faults by hand.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

from mereo.datasets.store import open_dataset

TESTS = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(TESTS))

import misjudged  # noqa: E402
import sighted  # noqa: E402

PICTURES = Path(__file__).with_name("pictures")
PORT = 8471
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
Scheme = Literal["light", "dark"]
PAGES: dict[str, tuple[Scheme, str]] = {
    "explore-browse": ("light", "/?type=physics&type=relation"),
    "explore-reasoning": ("dark", "/reasoning/0/val-000001?question=val-000001-09&step=11"),
    "explore-space": ("light", "/space/0/train-000005"),
    "explore-ask": (
        "light",
        "/ask/0/train-000001?question=What%20color%20are%20the%20legs%20of%20the%20bed%20with%20leg%20bars%3F",
    ),
    "explore-knowledge": ("light", "/knowledge?of=mereo&name=knife"),
}
"""Of `mereo build ptr OUT --scenes 12 --seed 4`."""
RUN = "faulty"
BESIDE = f"/reasoning/0/val-000000?question=val-000000-08&run={RUN}&layer=parts"
POINTS = f"/space/0/test-000000?task=instance&level=2&run={RUN}"
"""Of `mereo build partnet OUT --split test=1 --categories chair --points 4000 --seed 2`."""


def main() -> None:
    """Serve the dataset and take one picture of each page."""
    folder = Path(sys.argv[1])
    command = [sys.executable, "-m", "mereo", "explore", str(folder), "--no-open", "--port", str(PORT)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    server.stdout.readline()
    try:
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            BENCHMARKS[open_dataset(folder).benchmark](browser, folder)
            browser.close()
    finally:
        server.terminate()
        server.wait()


def take_rooms(browser: Browser, folder: Path) -> None:
    """The pictures of docs/explore.md."""
    for name, (scheme, address) in PAGES.items():
        take(browser, name, address, scheme=scheme)
    sighted.write_run(folder, RUN, looking=False)
    take(browser, "explore-run", BESIDE, height=1640)


def take_clouds(browser: Browser, folder: Path) -> None:
    """The picture of docs/partnet.md."""
    misjudged.write_run(folder, RUN)
    take(browser, "explore-points", POINTS)


BENCHMARKS = {"ptr": take_rooms, "partnet": take_clouds}
"""Who takes the pictures of which benchmark."""


def take(
    browser: Browser, name: str, address: str, *, scheme: Literal["light", "dark"] = "light", height: int = 800
) -> None:
    """One picture."""
    page = browser.new_page(viewport={"width": 1280, "height": height}, color_scheme=scheme)
    page.goto(f"http://localhost:{PORT}{address}")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(3000)
    page.screenshot(path=PICTURES / f"{name}.jpg", type="jpeg", quality=78)


if __name__ == "__main__":
    main()
