"""Takes the pictures of docs/explore.md: `python docs/screens.py DATASET`, a PTR dataset with pictures, in Chromium.

Last comes a run beside the truth; it is written into the dataset as `tests/sighted.py` makes it, with faults by hand.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

TESTS = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(TESTS))

from sighted import write_run  # noqa: E402

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


def main() -> None:
    """Serve the dataset and take one picture of each page."""
    command = [sys.executable, "-m", "mereo", "explore", sys.argv[1], "--no-open", "--port", str(PORT)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    server.stdout.readline()
    try:
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            for name, (scheme, address) in PAGES.items():
                take(browser, name, address, scheme=scheme)
            write_run(Path(sys.argv[1]), RUN, looking=False)
            take(browser, "explore-run", BESIDE, height=1640)
            browser.close()
    finally:
        server.terminate()
        server.wait()


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
