"""What an annotator does without a mouse: selecting, looking, parts of other names, and shapes that are none."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

pytest.importorskip("argon2", reason="the extra annotate is not installed")

from annotating import PLACE, SEAT, SMALL, begin, done, new_project, number, ready, serving, steer, stool
from browsing import chromium, keep_screenshot, visiting

CHOSEN = "[...bench.viewer.chosen].sort()"
AROUND = """() => {
  const { left, top, right, bottom } = bench.viewer.canvas.getBoundingClientRect();
  return [left, top, right, bottom];
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for all."""
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of one stool."""
    with serving(new_project(tmp_path_factory.mktemp("keys") / "project", shapes=[stool()])) as served:
        yield served


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def tell(page: Any, key: str, text: str) -> None:
    """Open a field by a key, write into it, and keep it, by keys alone."""
    page.keyboard.press(key)
    page.keyboard.type(text)
    page.keyboard.press("Control+Enter")


def picture(page: Any) -> NDArray[np.int64]:
    """What is seen of the shape, without the tools and words around it."""
    left, top, right, bottom = page.evaluate(AROUND)
    part = {"x": left + 80, "y": top + 70, "width": right - left - 100, "height": bottom - top - 140}
    page.wait_for_function("() => bench.viewer.resting")
    return np.asarray(Image.open(BytesIO(page.screenshot(clip=part))).convert("RGB"), np.int64)


def differ(one: NDArray[np.int64], other: NDArray[np.int64]) -> bool:
    """Whether more than one pixel in a hundred is another, and not by a trifle."""
    return bool((np.abs(one - other).max(2) > 20).mean() > 0.01)


def test_box_and_lasso_are_drawn_by_keys(browser: Any, address: str) -> None:
    with visiting(browser, **SMALL) as page:
        begin(page, address, "annotator1")
        press(page, "b")
        for corner in ((0.3, 0.6), (0.7, 0.4)):
            steer(page, page.evaluate(PLACE, [SEAT, *corner]))
            press(page, "Space")
        assert page.evaluate(CHOSEN) == [SEAT]
        press(page, "Escape", "Escape")
        assert page.evaluate(CHOSEN) == []
        press(page, "l")
        for spot in ((0.3, 0.3), (0.7, 0.3), (0.5, 0.7)):
            steer(page, page.evaluate(PLACE, [SEAT, *spot]))
            press(page, "Space")
        press(page, "Enter")
        assert page.evaluate(CHOSEN) == [SEAT]
        assert number(page) == 0, "nothing was given to a part"


def test_the_shape_is_looked_into_by_keys(browser: Any, address: str) -> None:
    with visiting(browser, **SMALL) as page:
        begin(page, address, "annotator1")
        press(page, "Tab", "Space")
        whole = picture(page)
        assert not differ(whole, picture(page))
        for there, back in (("i", "a"), ("x", "x"), ("e", "Shift+E")):
            press(page, there)
            assert differ(whole, picture(page)), there
            press(page, back)
        sections = [whole]
        for keys in ("s", "s", "s", "." * 10):
            press(page, *keys)
            sections.append(picture(page))
            assert differ(*sections[-2:]), "another axis, or another place"
        press(page, "s")
        assert not differ(whole, picture(page)), "all is as it was"


def test_a_part_of_another_name_and_a_shape_that_cannot_be_annotated(browser: Any, address: str) -> None:
    with visiting(browser, **SMALL) as page:
        begin(page, address, "annotator1")
        tell(page, "o", "<b>cushion</b>")
        page.get_by_text("A name is letters").wait_for()
        page.troubles[:] = [told for told in page.troubles if not told.startswith("400 ")]
        before = number(page)
        page.locator("#canvas").focus()
        tell(page, "o", "cushion")
        done(page, before)
        page.get_by_role("treeitem", name="cushion").wait_for()
        before = number(page)
        page.locator("#canvas").focus()
        tell(page, "Shift+U", "Half of it is <i>missing</i>.")
        done(page, before)
        page.get_by_text("Cannot be annotated: Half of it is <i>missing</i>.").wait_for()
        page.locator("#canvas").focus()
        press(page, "Control+Enter")
        done(page, before + 1)
        page.goto(address)
        assert "cannot be annotated" in page.locator(".tile").inner_text()
        page.goto(f"{address}/progress")
        assert page.locator(".card", has_text="cannot be annotated").locator("b").inner_text() == "1"


def test_choices_have_pictures_and_every_version_can_be_seen(browser: Any, address: str) -> None:
    with visiting(browser, **SMALL) as page:
        begin(page, address, "annotator2")
        while (asked := page.evaluate("bench.view.question"))["kind"] != "choose":
            before = number(page)
            press(page, "0" if asked["many"] else "y" if asked["child"] == "chair_base" else "n")
            done(page, before)
        shown = "[...document.querySelectorAll('.choice img')].map((one) => one.complete ? one.naturalWidth : 0)"
        page.wait_for_function(f"() => {shown}.every((width) => width === 320)")
        assert len(page.evaluate(shown)) == len(asked["choices"]) > 1
        keep_screenshot(page, "annotate-choices")
        steps = number(page)
        page.get_by_role("link", name="Who did what, and when").click()
        page.wait_for_selector("#bench[data-ready]")
        assert page.locator(".history li").count() == steps
        page.get_by_role("link", name="As it stood after step 1", exact=True).click()
        ready(page)
        assert "As it stood after step 1 of" in page.locator(".side").inner_text()
        assert page.evaluate("bench.state.parts.length") == 1
        press(page, "y", "Shift+U")
        assert not page.evaluate("document.getElementById('ask').open"), "what was cannot be changed"
        keep_screenshot(page, "annotate-version")
        page.get_by_role("link", name="As it stands now").click()
        ready(page)
        assert number(page) == steps
