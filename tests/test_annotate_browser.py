"""Annotating in a real browser: two people annotate the same chair, a reviewer compares, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("argon2", reason="the extra annotate is not installed")

from annotating import PLACE, SEAT, SMALL, begin, done, log_in, new_project, number, ready, serving, steer, stool
from browsing import chromium, keep_screenshot, visiting
from mereo.annotation.accounts import people
from mereo.annotation.geometry.blobs import read_mesh
from mereo.annotation.outgoing.annotated import annotated
from mereo.annotation.outgoing.partnet import write_folder
from mereo.annotation.project import Project
from mereo.annotation.store import Store
from mereo.shapes.partnet import read_partnet

BASE = "chair/chair_base/regular_leg_base"
PARTS = {
    "chair/chair_base": 1,
    "chair/chair_seat": 1,
    "chair/chair_seat/seat_surface": 1,
    "chair/chair_seat/seat_surface/seat_single_surface": 2,
}
ANNOTATOR1 = {**PARTS, f"{BASE}/leg": 3}
ANNOTATOR2 = {**PARTS, f"{BASE}/leg": 2, f"{BASE}/foot": 1}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for all."""
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of two stools."""
    return new_project(tmp_path_factory.mktemp("annotate") / "project", shapes=[stool(), stool()])


@pytest.fixture(scope="module")
def address(project: Path) -> Iterator[str]:
    """Its server."""
    with serving(project) as served:
        yield served


def answer_all(page: Any, counts: Mapping[str, int]) -> None:
    """Answer every question by keys, and give each part a piece that has none yet."""
    page.locator("#canvas").focus()
    while (asked := page.evaluate("bench.view.question"))["kind"] != "done":
        before = number(page)
        if asked["kind"] == "choose":
            place = [choice["path"] for choice in asked["choices"]].index(BASE)
            page.keyboard.press(str(place + 1))
        elif asked["kind"] == "have":
            count = counts.get(asked["path"], 0)
            page.keyboard.press(str(count) if asked["many"] else "y" if count else "n")
        else:
            give(page, asked["path"])
        done(page, before)


def give(page: Any, path: str) -> None:
    """Go to the first fitting piece by Tab, select it by Space, and give it by Enter."""
    seat = "seat" in path
    free = "bench.state.pieces.filter((one) => one.owner === null).map((one) => one.id)"
    wanted = next(piece for piece in page.evaluate(free) if (piece > SEAT) == seat)
    page.evaluate("bench.viewer.hovered = null")
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("bench.viewer.hovered") == wanted:
            break
    page.keyboard.press("Space")
    page.keyboard.press("Enter")


def cut_by_mouse(page: Any) -> None:
    """Draw a line over the seat."""
    page.keyboard.press("c")
    page.mouse.move(*page.evaluate(PLACE, [SEAT, 0.12, 0.5]))
    page.mouse.down()
    for share in (0.3, 0.5, 0.7, 0.88):
        page.mouse.move(*page.evaluate(PLACE, [SEAT, share, 0.5]), steps=2)
    page.mouse.up()
    assert page.evaluate("bench.hand.knife.path.length") > 4


def cut_by_keys(page: Any) -> None:
    """Steer the cross to two points of the seat."""
    page.keyboard.press("c")
    for share in (0.2, 0.8):
        steer(page, page.evaluate(PLACE, [SEAT, share, 0.5]))
        page.keyboard.press("Space")
    assert page.evaluate("bench.hand.knife.path.length") == 2


def test_two_annotate_the_same_chair_a_reviewer_compares_and_merges_and_the_owner_accepts(
    browser: Any, address: str, project: Path, tmp_path: Path
) -> None:
    for name, counts, cut in (("annotator1", ANNOTATOR1, cut_by_mouse), ("annotator2", ANNOTATOR2, cut_by_keys)):
        with visiting(browser, **SMALL) as page:
            begin(page, address, name)
            before = number(page)
            cut(page)
            page.keyboard.press("Enter")
            done(page, before)
            page.keyboard.press("Control+z")
            done(page, before + 1)
            assert len(page.evaluate("bench.viewer.pieces")) == 4
            page.keyboard.press("Control+y")
            done(page, before + 2)
            assert page.evaluate("bench.viewer.pieces.map((one) => one.id)") == [0, 1, 2, 4, 5]
            answer_all(page, counts)
            assert page.locator("#count").inner_text() == "5 of 5 pieces given"
            keep_screenshot(page, f"annotate-{name}")
            before = number(page)
            page.get_by_role("button", name="Finish").click()
            done(page, before)
    with visiting(browser, **SMALL) as page:
        page.context.set_default_timeout(90_000)
        log_in(page, address, "reviewer1")
        page.get_by_role("link", name="annotator1 beside annotator2").click()
        page.wait_for_selector("#pair[data-ready]")
        assert "% of the surface the same" in page.locator("#told").inner_text()
        assert page.locator("tr.differs").count() >= 1, "a leg of the one is a foot of the other"
        keep_screenshot(page, "annotate-compare")
        merge(page, "annotator1")
        page.goto(f"{address}/agreement")
        assert "foot" in page.locator("table.heat").inner_text()
        keep_screenshot(page, "annotate-agreement")
        check_matrix_of_one(page)
        judge(page, address, "annotator2", accept=False)
    with visiting(browser, **SMALL) as page:
        page.context.set_default_timeout(90_000)
        log_in(page, address, "owner1")
        judge(page, address, "reviewer1", accept=True)
    with visiting(browser, **SMALL) as page:
        log_in(page, address, "annotator2")
        assert page.locator(".tile q").inner_text() == "A leg is <b>no</b> foot."
    check_export(project, tmp_path)


def merge(page: Any, annotator: str) -> None:
    """Take every part as one annotator has it into a work of one's own, and finish that."""
    for button in page.locator("#differences").get_by_role("button", name=annotator).all():
        with page.expect_response("**/merge") as told:
            button.click()
        assert told.value.ok
    page.get_by_role("link", name="Go on in your work").click()
    ready(page)
    assert page.locator("#count").inner_text() == "5 of 5 pieces given"
    before = number(page)
    page.get_by_role("button", name="Finish").click()
    done(page, before)


def check_matrix_of_one(page: Any) -> None:
    """What annotator1 calls a leg another calls a foot; a foot he has none."""
    page.get_by_role("link", name="annotator1").click()
    page.get_by_role("heading", name="What annotator1 says, and what others say there, percent").wait_for()
    leg, foot = (
        page.locator("table.heat tbody tr", has=page.get_by_title(f"{BASE}/{name}", exact=True))
        for name in ("leg", "foot")
    )
    assert leg.locator(f"td[title*='called {BASE}/foot by others']").inner_text() not in ("", "100")
    assert set(foot.locator("td").all_inner_texts()) == {""}


def judge(page: Any, address: str, annotator: str, *, accept: bool) -> None:
    page.goto(address)
    page.locator(".tile .row", has_text=annotator).first.click()
    page.wait_for_selector("#bench[data-ready]")
    page.locator("summary").click()
    history = page.locator(".history").inner_text()
    assert f"{annotator} cut piece 3 in two" in history
    assert f"{annotator} gave 1 piece to the leg" in history
    if not accept:
        page.get_by_label("Remark").fill("A leg is <b>no</b> foot.")
    with page.expect_navigation():
        page.get_by_role("button", name="Accept" if accept else "Give back").click()


def check_export(folder: Path, out: Path) -> None:
    """What was accepted reads back as the tree that was annotated."""
    project = Project.open(folder)
    (reviewer1,) = (person for person in people(project.database) if person.name == "reviewer1")
    store = Store(project)
    (work,) = (row for row in store.works_of(1) if row.status == "accepted")
    assert work.annotator == "reviewer1"
    state = store.open_work(work.id, reviewer1).state
    write_folder(annotated(state, name="stool", read=lambda digits: read_mesh(project.home, digits)), out / "stool")
    project.close()
    labels = [part.label for part in read_partnet(out / "stool").parts()]
    wanted = [part.label for part in stool().parts()]
    assert sorted(labels) == sorted([*wanted, wanted[-1]]), "as the grammar made it, but for the seat that was cut"


def test_a_window_that_is_closed_in_the_middle_loses_nothing(browser: Any, address: str) -> None:
    with visiting(browser, **SMALL) as page:
        page.context.route("**/actions", lambda route: route.abort())
        begin(page, address, "owner1")
        before = number(page)
        page.keyboard.press("n")
        page.get_by_text("1 step not saved yet").wait_for()
        page.keyboard.press("Shift+N")
        page.get_by_label("Note").fill("<img src=x onerror=document.title='hit'>")
        page.get_by_role("button", name="Keep").click()
        page.get_by_text("2 steps not saved yet").wait_for()
        there = page.url
        page.close()
        page.context.unroute("**/actions")
        page.troubles[:] = [told for told in page.troubles if "ERR_FAILED" not in told]
        again = page.context.new_page()
        again.goto(there)
        ready(again)
        done(again, before + 1)
        assert again.get_by_text("<img src=x onerror=").is_visible(), "what looks like markup stays a text"
        assert "hit" not in again.title()
        assert again.evaluate("Object.keys(localStorage).length") == 0


def test_two_windows_do_not_overwrite_each_other(browser: Any, address: str) -> None:
    with visiting(browser, **SMALL) as page:
        begin(page, address, "reviewer1")
        other = page.context.new_page()
        other.goto(page.url)
        ready(other)
        before = number(page)
        page.keyboard.press("n")
        done(page, before)
        other.keyboard.press("y")
        other.get_by_text("Another window went on").wait_for()
        assert number(other) == before + 1
        assert other.evaluate("bench.state") == page.evaluate("bench.state")


def test_pieces_are_selected_by_click_box_and_lasso_and_hidden(browser: Any, address: str) -> None:
    chosen = "[...bench.viewer.chosen].sort()"
    with visiting(browser, **SMALL) as page:
        begin(page, address, "owner1")
        left, top, right, bottom = page.evaluate(
            "[bench.viewer.canvas.getBoundingClientRect()].map((one) => [one.left, one.top, one.right, one.bottom])[0]"
        )
        page.mouse.click(*page.evaluate(PLACE, [SEAT, 0.5, 0.5]))
        assert page.evaluate(chosen) == [SEAT]
        page.keyboard.press("Escape")
        page.keyboard.press("l")
        drag(page, [page.evaluate(PLACE, [SEAT, *spot]) for spot in ((0.4, 0.4), (0.6, 0.4), (0.5, 0.6))])
        assert page.evaluate(chosen) == [SEAT]
        page.keyboard.press("b")
        everything = [(left + 120, top + 40), (right - 20, bottom - 60)]
        drag(page, everything)
        assert page.evaluate(chosen) == [0, 1, 2, 3]
        page.keyboard.press("Shift+V")
        page.keyboard.down("Alt")
        drag(page, everything)
        page.keyboard.up("Alt")
        assert page.evaluate(chosen) == [0, 1, 2, 3], "also what the seat hides"
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        page.mouse.click(*page.evaluate(PLACE, [SEAT, 0.5, 0.5]))
        page.keyboard.press("h")
        assert page.evaluate("[...bench.viewer.hidden]") == [SEAT]
        spot = page.evaluate(PLACE, [SEAT, 0.5, 0.5])
        assert page.evaluate("([x, y]) => bench.viewer.pick(x, y)", [spot[0] - left, spot[1] - top]) is None
        page.keyboard.press("a")
        assert page.evaluate("[...bench.viewer.hidden]") == []


def test_one_finger_turns_two_move_and_go_nearer_and_a_tap_selects(browser: Any, address: str) -> None:
    with visiting(browser, **SMALL, touch=True) as page:
        begin(page, address, "owner1")
        touches = page.context.new_cdp_session(page)

        def camera() -> list[float]:
            found: list[float] = page.evaluate("(({ azimuth, distance }) => [azimuth, distance])(bench.viewer.camera)")
            return found

        def fingers(*ways: Callable[[int], tuple[float, float]]) -> None:
            for step in range(6):
                spots = [dict(zip("xy", way(step), strict=True)) for way in ways]
                for kind, some in (
                    [("touchStart", spots[:1]), ("touchStart", spots)] if not step else [("touchMove", spots)]
                ):
                    touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": some})
            touches.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

        x, y = page.evaluate(PLACE, [SEAT, 0.5, 0.5])
        page.touchscreen.tap(x, y)
        assert page.evaluate("[...bench.viewer.chosen]") == [SEAT]
        turn, far = camera()
        fingers(lambda step: (x + 9 * step, y))
        turned = camera()
        assert turned == [pytest.approx(turn - 45 * 0.008), far]
        page.keyboard.press("b")
        fingers(lambda step: (x - 40 - 8 * step, y), lambda step: (x + 40 + 8 * step, y))
        assert camera() == [turned[0], pytest.approx(far / 2)]
        assert page.evaluate("[...bench.viewer.chosen]") == [SEAT], "two fingers draw no box"


def drag(page: Any, spots: list[Any]) -> None:
    page.mouse.move(*spots[0])
    page.mouse.down()
    for spot in spots[1:]:
        page.mouse.move(*spot, steps=3)
    page.mouse.up()
