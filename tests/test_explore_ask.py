"""Asking, turning, comparing runs and looking at shapes in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import numpy as np
import pyarrow.parquet as pq
import pytest

pytest.importorskip("nicegui", reason="the explorer's packages are not installed")

from browsing import LOOKS, SIZES, build, chromium, command, keep_screenshot, serving, visiting
from mereo import load
from mereo.benchmarks.ptr.inspect import PtrInspector
from mereo.benchmarks.ptr.masks import instances_of
from mereo.benchmarks.ptr.world import ptr_world
from mereo.clevr_family.language import VOCABULARY as SOLID
from mereo.datasets.seen import masks_of
from mereo.explorer.meshes import space_of_row
from mereo.explorer.space import space_of_shape
from mereo.shapes.articulation import joints, posed
from mereo.shapes.grammar import all_grammars, make_shape
from mereo.shapes.sizes import grouped

LESS: dict[str, Any] = {"width": 1000, "height": 640}
"""A window for what is drawn in space, by a processor and many times."""
ROOMS, SOLIDS = 0, 1
COLORS = SOLID.words("color")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Rooms, the third of which is a physical one, and solids without pictures but with two runs."""
    root = tmp_path_factory.mktemp("asked")
    size = ("--size", "192x128", "--samples", "8")
    rooms = build(root / "rooms", "ptr", "--split", "train=3", *size, "--seed", "1")
    solids = build(root / "solids", "clevr", "--scenes", "40", "--symbolic", "--seed", "3")
    for name in ("random-by-type", "frequent-by-template"):
        command("baseline", str(solids), "--which", name)
    return [rooms, solids]


@pytest.fixture(scope="module")
def address(folders: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(folders, tmp_path_factory.mktemp("cache")) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


def _rows(folder: Path, kind: str) -> list[dict[str, Any]]:
    return [row for file in sorted((folder / kind).glob("*.parquet")) for row in pq.read_table(file).to_pylist()]


def _answer(page: Any) -> str:
    page.locator(".a-answer").wait_for()
    return str(page.locator(".a-answer").inner_text())


def test_questions_of_the_dataset_are_understood_and_answered(address: str, browser: Any, folders: list[Path]) -> None:
    asked = [row for row in _rows(folders[SOLIDS], "questions") if row["scene_id"] == "train-000000"]
    with visiting(browser) as page:
        page.goto(f"{address}/ask/{SOLIDS}/train-000000")
        for question in asked[:4]:
            page.get_by_label("A question").fill(question["question"])
            page.keyboard.press("Enter")
            page.wait_for_function(f"document.querySelector('.e-area').value === {json.dumps(question['program'])}")
            page.wait_for_function(
                f"document.querySelector('.a-answer')?.innerText === {json.dumps(question['answer'])}"
            )
        page.wait_for_url(lambda url: quote(asked[3]["question"][:20]) in url)
        there = page.url
        with visiting(browser) as other:
            other.goto(there)
            assert _answer(other) == asked[3]["answer"]
            assert other.get_by_label("A question").input_value() == asked[3]["question"]


def test_a_slip_is_put_right_and_what_means_nothing_here_is_named(address: str, browser: Any) -> None:
    with visiting(browser) as page:
        page.goto(f"{address}/ask/{SOLIDS}/train-000000")
        page.get_by_label("A question").fill("how many cubs are there")
        page.get_by_role("button", name="Ask").click()
        page.get_by_text("“cubs” is read as “cubes”").wait_for()
        assert _answer(page).isdecimal()
        page.get_by_label("A question").fill("colorless green ideas sleep furiously tonight")
        page.get_by_role("button", name="Ask").click()
        page.get_by_text("Nothing here is known about").wait_for()
        assert not page.locator(".a-answer").is_visible()


FREELY = (
    "How many chairs are red?",
    "how many things r in this room",
    "Is there anything with wheels?",
    "Does anything have drawers?",
    "could you count the legs please",
    "How many purple legs can you see?",
    "Are there more chairs than tables?",
    "how many chairs and tables are there altogether",
    "is anything green",
    "show me all the legs",
)


def test_ten_questions_in_ones_own_words(address: str, browser: Any, folders: list[Path]) -> None:
    scene = load(folders[ROOMS]).scenes["train-000000"]
    with visiting(browser) as page:
        page.goto(f"{address}/ask/{ROOMS}/train-000000")
        for question in FREELY:
            answered = scene.ask(question)
            page.get_by_label("A question").fill(question)
            page.keyboard.press("Enter")
            program = json.dumps(str(answered.trace.executable.program))
            page.wait_for_function(f"document.querySelector('.e-area').value === {program}")
            page.get_by_text("Understood as").wait_for()
            if not isinstance(answered.answer, list):
                told = "(said) => document.querySelector('.a-answer')?.innerText === said"
                page.wait_for_function(told, arg=str(answered))
        keep_screenshot(page, "ask-freely")


def test_a_program_that_was_understood_is_not_found_fault_with(address: str, browser: Any) -> None:
    """Places in an order are nothing that templates ask for."""
    with visiting(browser) as page:
        page.goto(f"{address}/ask/{SOLIDS}/train-000000")
        page.get_by_label("A question").fill("What color is the thing on the far right?")
        page.keyboard.press("Enter")
        page.wait_for_function("document.querySelector('.e-area').value.includes('filter_rank')")
        assert _answer(page)
        page.get_by_text("filter_rank[first, right]").first.wait_for()
        page.locator(".e-area").press("End")  # so that it is looked at
        page.get_by_role("button", name="Run").click()
        assert _answer(page)
        assert page.get_by_text("has no function").count() == 0


def test_what_is_typed_is_read_as_far_as_it_goes(address: str, browser: Any) -> None:
    with visiting(browser) as page:
        page.goto(f"{address}/ask/{SOLIDS}/train-000000")
        page.get_by_label("A question").press_sequentially("how many of the red things", delay=20)
        page.get_by_text("So far: the number of red things").wait_for()
        assert page.locator(".a-answer").count() == 0


def test_where_several_fit_one_is_chosen_by_a_click(address: str, browser: Any, folders: list[Path]) -> None:
    scenes = load(folders[SOLIDS]).scenes
    scene = next(s for s in scenes if 2 <= len(s.ask("which cubes are there at all?").answer) <= 3)
    with visiting(browser) as page:
        page.goto(f"{address}/ask/{SOLIDS}/{scene.id}")
        page.get_by_label("A question").fill("tell me what colour that cube has")
        page.keyboard.press("Enter")
        page.get_by_text("Which is meant?").wait_for()
        keep_screenshot(page, "ask-which-is-meant")
        page.locator('[data-action="reading"]').first.click()
        assert _answer(page) in COLORS


def test_a_typed_program_is_completed_run_and_shown_step_by_step(
    address: str, browser: Any, folders: list[Path]
) -> None:
    record = json.loads(_rows(folders[SOLIDS], "scenes")[-1]["scene"])
    scene = _rows(folders[SOLIDS], "scenes")[-1]["scene_id"]
    reds = sum(thing["color"] == "red" for thing in record["objects"])
    with visiting(browser) as page:
        page.goto(f"{address}/ask/{SOLIDS}/{scene}")
        area = page.locator(".e-area")
        area.click()
        area.press_sequentially("count(filter_c")
        # A single offer is there after the first letter, too: that of what is typed now is waited for.
        page.wait_for_function("[...document.querySelectorAll('.e-chip')].map(c => c.dataset.offer) == 'filter_color'")
        page.keyboard.press("Tab")
        page.wait_for_function("document.querySelector('.e-area').value === 'count(filter_color['")
        area.press_sequentially("re")
        page.wait_for_function("document.querySelector('.e-chip').dataset.offer === 'red'")
        page.keyboard.press("Tab")
        page.wait_for_function("document.querySelector('.e-area').value === 'count(filter_color[red]('")
        area.press_sequentially("scene()))")
        page.get_by_text("Apply to the result").wait_for()
        page.keyboard.press("Control+Enter")
        assert _answer(page) == str(reds)
        assert page.locator(".t-line").count() == 3
        page.locator('.t-line[data-step="1"]').click()
        page.wait_for_function("document.querySelector('[data-info=place]').innerText === 'step 2 of 3'")
        assert page.locator(".s-shapes g.lit").count() == reds
        keep_screenshot(page, "ask-program")


def test_a_program_is_put_together_by_clicking_alone(address: str, browser: Any, folders: list[Path]) -> None:
    record = json.loads(_rows(folders[SOLIDS], "scenes")[0]["scene"])
    scene = _rows(folders[SOLIDS], "scenes")[0]["scene_id"]
    small = sum(thing["size"] == "small" for thing in record["objects"])
    with visiting(browser) as page:
        page.goto(f"{address}/ask/{SOLIDS}/{scene}")
        for offer in ("scene", "filter_size", "small", "count"):
            page.locator(f'[data-offer="{offer}"]').click()
        page.wait_for_function("document.querySelector('.e-area').value === 'count(filter_size[small](scene()))'")
        page.locator('[data-action="run"]').click()
        assert _answer(page) == str(small)
        page.locator('[data-action="clear"]').click()
        page.wait_for_function("document.querySelector('.e-area').value === ''")


def test_a_wrong_program_says_where_and_why(address: str, browser: Any) -> None:
    with visiting(browser) as page:
        page.goto(f"{address}/ask/{SOLIDS}/train-000000")
        area = page.locator(".e-area")
        area.fill("count(unique(filter_color[rde](scene())))")
        page.get_by_text("column 1").wait_for()
        assert page.locator(".e-mirror u").inner_text() == "count"
        area.fill("count(filter_color[rde](scene()))")
        page.get_by_text("did you mean 'red'").wait_for()
        assert page.locator(".e-reason b").inner_text() == "column 7"
        assert page.locator(".e-mirror u").inner_text() == "filter_color"
        keep_screenshot(page, "ask-wrong")
        page.locator('[data-action="run"]').click()
        page.locator("[role=alert]").get_by_text("'rde' is not a Color").wait_for()
        assert page.locator(".a-answer").count() == 0
        area.fill("query_color(unique(scene()))")
        page.get_by_text("Apply to the result").wait_for()
        page.locator('[data-action="run"]').click()
        page.locator("[role=alert]").get_by_text("expected exactly one").wait_for()
        keep_screenshot(page, "ask-no-answer")


def test_what_is_typed_stays_text(address: str, browser: Any) -> None:
    nasty = "<img src=x onerror=\"document.title='taken'\">"
    with visiting(browser) as page:
        page.goto(f"{address}/ask/{SOLIDS}/train-000000?program={quote(nasty)}")
        page.locator("[role=alert]").wait_for()
        page.wait_for_function(f"document.querySelector('.e-area').value === {json.dumps(nasty)}")
        page.locator(".e-area").fill(f"count({nasty}(scene()))")
        page.locator(".e-mirror u").wait_for()
        page.goto(f"{address}/ask/{SOLIDS}/train-000000?question={quote(nasty)}")
        page.wait_for_function(f"document.querySelector('.a-input').value === {json.dumps(nasty)}")
        assert page.locator("main img").count() == 0
        assert page.title() != "taken"


_LOOKS_FROM = """([position, target]) => {
  const { elements } = getElement(Number(document.querySelector('.v-space').id.slice(1))).camera.matrixWorld;
  const back = position.map((at, k) => at - target[k]);
  const wanted = [...back.map((one) => one / Math.hypot(...back)), 0, ...position];
  return wanted.every((one, k) => Math.abs(one - elements[8 + k]) < 1e-3);
}"""
"""Whether a frame was drawn from there: what a click picks is looked up as it was drawn last."""


def _pieces(page: Any, script: str) -> Any:
    """What a script makes of the component that holds the pieces, once it is there."""
    found = f"""() => {{
      const view = document.querySelector('.v-space');
      const objects = view && getElement(Number(view.id.slice(1)))?.objects;
      const held = objects && [...objects.values()].find((one) => one.component?.pieces);
      return held ? (({script})(held.component)) : null;
    }}"""
    return page.wait_for_function(found).json_value()


def test_a_click_in_space_picks_what_the_picture_shows_there(address: str, browser: Any, folders: list[Path]) -> None:
    """The view begins where the picture was taken from, so what a pixel shows is what a click there must pick."""
    row = _rows(folders[ROOMS], "scenes")[0]
    world, masks = ptr_world(msgspec.json.decode(row["scene"])), masks_of(row, instances_of(row))
    assert masks is not None
    parts = [k for k in range(len(world)) if world.whole[k] is not None]
    alone = {k: masks[k] & ~np.any([masks[j] for j in parts if j != k], axis=0) for k in parts}
    part = max(parts, key=lambda k: int(alone[k].sum()))
    rows, columns = np.nonzero(alone[part])
    inside = int(np.argmin((rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2))
    height, width = masks[part].shape
    with visiting(browser, **LESS) as page:
        page.goto(f"{address}/space/{ROOMS}/{row['scene_id']}")
        space = space_of_row(row, PtrInspector())
        assert space.camera is not None
        assert _pieces(page, "(held) => held.pieces.size") == len(space.pieces)
        page.wait_for_function(_LOOKS_FROM, arg=[list(space.camera.position), list(space.camera.target)])
        box = page.locator(".v-space canvas").first.bounding_box()
        scale = box["height"] / height
        x = box["x"] + box["width"] / 2 + (columns[inside] + 0.5 - width / 2) * scale
        page.mouse.click(x, box["y"] + (rows[inside] + 0.5) * scale)
        page.locator(f'.c-line.marked[data-entity="{part}"]').wait_for()
        told = page.locator(".v-picked").inner_text()
        assert str(world.entities[part].attributes["part"]) in told.lower()
        assert world.entities[part].id in told
        lit = "(held) => [...held.pieces].filter(([, mesh]) => mesh.userData.lit).length"
        assert _pieces(page, lit) > 0
        keep_screenshot(page, "space-picked")
        page.locator('.c-line[data-entity="0"]').click()
        page.locator('.c-line.marked[data-entity="0"]').wait_for()
        assert world.entities[0].id in page.locator(".v-picked").inner_text()


def test_what_falls_is_seen_falling(address: str, browser: Any, folders: list[Path]) -> None:
    row = _rows(folders[ROOMS], "scenes")[2]
    space = space_of_row(row, PtrInspector())
    body = next(k for k, own in enumerate(space.bodies) if own.motion)
    last = space.bodies[body].motion[-1]
    at = f"(held) => held.bodies[{body}].group.position.toArray()"
    with visiting(browser, **LESS) as page:
        page.goto(f"{address}/space/{ROOMS}/{row['scene_id']}")
        assert _pieces(page, at) == pytest.approx(space.bodies[body].pose.position, abs=1e-4)
        page.wait_for_function("() => document.querySelector('.v-motion button').onclick !== null")
        page.locator('[data-action="play"]').click()
        page.get_by_role("button", name="Pause").wait_for()
        page.get_by_role("button", name="Play").wait_for()
        assert _pieces(page, at) == pytest.approx(last[1:4], abs=1e-3)
        keep_screenshot(page, "space-fallen")
        page.get_by_label("Time").evaluate("(slider) => { slider.value = 0; slider.oninput(); }")
        assert _pieces(page, at) == pytest.approx(space.bodies[body].motion[0][1:4], abs=1e-3)


def test_a_scene_without_meshes_says_so(address: str, browser: Any) -> None:
    with visiting(browser) as page:
        page.goto(f"{address}/space/{SOLIDS}/train-000000")
        page.get_by_text("No 3D view of this scene").wait_for()


def test_a_score_leads_to_the_questions_behind_it(address: str, browser: Any, folders: list[Path]) -> None:
    result = json.loads((folders[SOLIDS] / "runs" / "random-by-type" / "result.json").read_text())
    row = next(row for table in result["tables"] if table["name"] == "functions" for row in table["rows"])
    wrong = round(row["questions"] * (1 - row["scores"]["accuracy"]["value"]))
    with visiting(browser) as page:
        page.goto(f"{address}/runs")
        assert page.locator(".u-run").all_inner_texts() == ["frequent-by-template", "random-by-type"]
        keep_screenshot(page, "runs")
        page.locator("summary", has_text="functions").click()
        line = page.locator("details", has=page.locator("summary", has_text="functions")).locator("tbody tr").first
        assert line.locator("td").first.inner_text() == row["name"]
        line.locator("td a").last.click()
        page.locator(".b-counts").wait_for()
        assert page.locator(".b-counts").inner_text().endswith(f" {wrong} questions")
        page.goto(f"{address}/runs")
        page.locator(".u-run").first.click()
        page.locator(".u-run.off").wait_for()
        heads = page.locator(".u-board").first.locator("th").all_inner_texts()
        assert heads[1:] == ["questions", "accuracy"]


def test_the_gallery_shows_every_category_and_a_shape_can_be_taken_apart(address: str, browser: Any) -> None:
    shape = make_shape("lamp", seed=0, family=1)
    leaf = max(space_of_shape(shape).pieces, key=lambda piece: np.abs(piece.away).max())
    with visiting(browser, **LESS) as page:
        page.goto(f"{address}/shapes?category=lamp")
        assert page.locator(".g-choice a").count() == len(all_grammars())
        assert page.locator(".g-group h2").all_inner_texts() == list(grouped(all_grammars()))
        page.wait_for_function("document.querySelector('.g-tile img').naturalWidth > 0")
        page.locator(".g-tile").nth(1).click()
        assert _pieces(page, "(held) => held.pieces.size") == len(shape.leaves())
        assert page.locator(".c-line").count() == sum(1 for _ in shape.parts())
        slider = page.get_by_label("How far apart")
        slider.evaluate("(e) => { e.value = 0.5; e.dispatchEvent(new Event('input', {bubbles: true})); }")
        moved = _pieces(page, f"(held) => held.pieces.get('{leaf.key}').position.toArray()")
        assert moved == pytest.approx([0.5 * value for value in leaf.away], abs=1e-5)
        page.locator(f'.c-line[data-part="{leaf.leaf}"]').click()
        page.locator(f'.c-line.marked[data-part="{leaf.leaf}"]').wait_for()
        assert leaf.label in page.locator(".v-picked").inner_text()
        assert slider.input_value() == "0.5"
        keep_screenshot(page, "shape-apart")


def test_a_slider_moves_a_part_with_all_that_hangs_on_it(address: str, browser: Any) -> None:
    """Every part that moves has one; at its end a drawer's front and handle are where the moved shape has them."""
    shape = make_shape("storage_furniture", seed=0, family=9)
    number, joint = next(iter(joints(shape).items()))
    moved = posed(shape, {number: joint.high})
    with visiting(browser, **LESS) as page:
        page.goto(f"{address}/shapes?category=storage_furniture&family=9")
        assert _pieces(page, "(held) => held.movable.length") == len(joints(shape))
        sliders = page.locator("[data-joint]")
        assert [each.get_attribute("data-joint") for each in sliders.all()] == [str(each) for each in joints(shape)]
        there = f"(e) => {{ e.value = {joint.high}; e.dispatchEvent(new Event('input', {{bubbles: true}})); }}"
        page.locator(f'[data-joint="{number}"]').evaluate(there)
        for leaf, wanted in zip(shape.leaves(), moved.leaves(), strict=True):
            assert leaf.mesh is not None
            assert wanted.mesh is not None
            place = _pieces(page, f"(held) => held.pieces.get('0/{leaf.id}').position.toArray()")
            assert place == pytest.approx(wanted.mesh.vertices[0] - leaf.mesh.vertices[0], abs=1e-3)
        assert f"{joint.high:.2f} m" in page.locator(".v-joints").inner_text()
        keep_screenshot(page, "shape-moved")


@pytest.mark.parametrize("path", ["/shapes?category=unicorn", "/shapes?split=nowhere"])
def test_a_shape_that_nobody_makes_is_told(address: str, browser: Any, path: str) -> None:
    with visiting(browser) as page:
        page.goto(address + path)
        page.locator("[role=alert]").get_by_text("there is no").wait_for()


@pytest.mark.parametrize(("size", "dark"), LOOKS)
def test_pages_fit_their_window(address: str, browser: Any, size: str, dark: bool) -> None:
    pages = {
        "ask": f"/ask/{ROOMS}/train-000002?question={quote('How many objects are there?')}",
        "space": f"/space/{ROOMS}/train-000002",
        "runs": "/runs",
        "shapes": "/shapes?category=lamp",
        "shape": "/shapes?category=lamp&family=3",
    }
    width, height = SIZES[size]
    with visiting(browser, width=width, height=height, dark=dark) as page:
        for name, path in pages.items():
            page.goto(address + path)
            page.locator(".m-main").wait_for()
            if name in ("space", "shape"):
                _pieces(page, "(held) => held.pieces.size")
                page.wait_for_timeout(250)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            keep_screenshot(page, f"{name}-{size}-{'dark' if dark else 'light'}")
