"""Browsing, scenes and reasoning in a real browser."""

from __future__ import annotations

import http.client
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from browsing import LOOKS, SIZES, build, chromium, command, keep_screenshot, serving, visiting
from mereo.benchmarks.ptr.masks import instances_of
from mereo.benchmarks.ptr.world import ptr_world
from mereo.datasets.seen import masks_of

TOKEN = "open sesame 1001"


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Rooms with pictures, solids without, expressions, and three folders that are broken."""
    root = tmp_path_factory.mktemp("explored")
    size = ("--size", "192x128", "--samples", "8")
    rooms = build(root / "rooms", "ptr", "--scenes", "3", *size, "--seed", "1")
    solids = build(root / "solids", "clevr", "--scenes", "60", "--symbolic", "--seed", "3")
    _taint(build(root / "pointing", "refer", "--scenes-from", str(rooms)))
    command("baseline", str(solids), "--which", "random-by-type")
    shutil.copytree(solids, root / "torn")
    shutil.copytree(solids, root / "newer")
    for shard in (root / "torn" / "scenes").glob("*.parquet"):
        shard.write_bytes(shard.read_bytes()[:-100])
    manifest = json.loads((root / "newer" / "dataset.json").read_text())
    (root / "newer" / "dataset.json").write_text(json.dumps({**manifest, "dataset": 99}))
    (root / "bare").mkdir()
    return {name: root / name for name in ("rooms", "solids", "pointing", "torn", "newer", "bare")}


HOSTILE = '<img src=x onerror="window.stolen = 1">'


def _taint(folder: Path) -> None:
    """Questions of the validation split that would run if a page took them for markup."""
    path = folder / "questions" / "val-00000.parquet"
    table = pq.read_table(path)
    for name in ("question", "template"):
        words = pa.array([f"{name} {HOSTILE}"] * table.num_rows)
        table = table.set_column(table.schema.get_field_index(name), name, words)
    pq.write_table(table, path)


@pytest.fixture(scope="module")
def address(folders: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(list(folders.values()), tmp_path_factory.mktemp("cache")) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


def _scenes(folder: Path) -> list[dict[str, Any]]:
    files = [name for name in json.loads((folder / "dataset.json").read_text())["files"] if name.startswith("scenes")]
    return [row for name in files for row in pq.read_table(folder / name).to_pylist()]


def _counts(page: Any) -> str:
    return str(page.locator(".b-counts").inner_text())


def test_broken_folders_say_why_and_the_others_can_be_browsed(
    address: str, browser: Any, folders: dict[str, Path]
) -> None:
    whole = [json.loads((folders[name] / "dataset.json").read_text()) for name in ("rooms", "solids", "pointing")]
    questions = sum(sum(manifest["questions"].values()) for manifest in whole)
    with visiting(browser) as page:
        page.goto(address)
        told = page.locator("[role=alert]").all_inner_texts()
        assert len(told) == 3
        for reason in ("not a whole Parquet file", "version 99", "is not a dataset"):
            assert any(reason in text for text in told), told
        assert _counts(page) == f"66 scenes · {questions} questions"
        assert page.locator(".b-card").count() == 48
        for scene in ("3", "4", "5"):
            answer = page.goto(f"{address}/scene/{scene}/train-000000")
            assert answer.status == 404
        page.troubles.clear()  # the browser complains of the three answers that were wanted


def test_a_filter_narrows_the_grid_and_its_address_shows_the_same_again(
    address: str, browser: Any, folders: dict[str, Path]
) -> None:
    reds = [row for row in _scenes(folders["solids"]) if '"color":"red"' in row["scene"] and row["split"] == "val"]
    with visiting(browser) as page:
        page.goto(address)
        for facet, value in (("dataset", "1"), ("split", "val"), ("has.color", "red")):
            page.locator(f'.b-facet [data-facet="{facet}"][data-value="{value}"]').click()
            page.locator(f'.b-summary [data-facet="{facet}"]').wait_for()
        wanted = f"{len(reds):,} scenes · {10 * len(reds):,} questions"
        assert _counts(page) == wanted
        assert [text.split(" / ")[1] for text in page.locator(".b-id").all_inner_texts()] == [
            r["scene_id"] for r in reds
        ]
        page.wait_for_url("**has.color=red**")
        there = page.url
        with visiting(browser) as other:
            other.goto(there)
            assert _counts(other) == wanted
        page.go_back()
        page.wait_for_function("document.querySelectorAll('.b-summary [data-facet=\"has.color\"]').length === 0")
        page.goto(there)
        page.locator('.b-summary [data-facet="clear"]').click()
        page.wait_for_function("document.querySelectorAll('.b-chip').length === 0")
        page.wait_for_url(lambda url: urlsplit(url).query == "")


def test_searching_finds_questions_and_finding_none_says_so(address: str, browser: Any) -> None:
    with visiting(browser) as page:
        page.goto(address)
        page.get_by_label("Search in questions").fill("cylinder")
        page.wait_for_function("document.querySelector('.b-question')")
        assert all("cylinder" in text.lower() for text in page.locator(".b-question").all_inner_texts())
        page.get_by_label("Search in questions").fill("unicorn")
        page.get_by_text("No scene is like that").wait_for()
        assert _counts(page) == "0 scenes · 0 questions"
        keep_screenshot(page, "browse-empty")


def test_questions_that_a_run_got_wrong_can_be_picked_out(address: str, browser: Any) -> None:
    with visiting(browser) as page:
        page.goto(f"{address}/?dataset=1")
        page.locator('.b-facet [data-facet="run.random-by-type"][data-value="wrong"]').click()
        page.locator('.b-summary [data-facet="run.random-by-type"]').wait_for()
        page.locator(".b-card").first.click()
        page.locator(".r-run.wrong").wait_for()
        assert page.locator(".r-run b").inner_text() != page.locator(".r-answer").inner_text()


def test_pages_of_the_grid_hold_all_scenes_once(address: str, browser: Any) -> None:
    with visiting(browser) as page:
        seen: list[str] = []
        for number in (1, 2):
            page.goto(f"{address}/?page={number}")
            seen += page.locator(".b-id").all_inner_texts()
        assert len(seen) == len(set(seen)) == 66
        page.locator('.b-pages [data-value="1"]').click()
        page.wait_for_function("document.querySelectorAll('.b-card').length === 48")


def test_pointing_at_the_picture_names_the_part_and_lights_the_tree(
    address: str, browser: Any, folders: dict[str, Path]
) -> None:
    row = _scenes(folders["rooms"])[0]
    world = ptr_world(msgspec.json.decode(row["scene"]))
    masks = masks_of(row, instances_of(row))
    assert masks is not None
    parts = [k for k in range(len(world)) if world.whole[k] is not None]
    # A pixel that shows this part and no other, of the largest such part.
    alone = {k: masks[k] & ~np.any([masks[j] for j in parts if j != k], axis=0) for k in parts}
    part = max(parts, key=lambda k: int(alone[k].sum()))
    rows, columns = np.nonzero(alone[part])
    y, x = rows[len(rows) // 2], columns[len(rows) // 2]
    height, width = masks[part].shape
    with visiting(browser) as page:
        page.goto(f"{address}/scene/0/{row['scene_id']}")
        stage = page.locator(".s-stage[data-ready]")
        box = stage.bounding_box()
        page.mouse.move(box["x"] + box["width"] * (x + 0.5) / width, box["y"] + box["height"] * (y + 0.5) / height)
        tip = page.locator(".s-tip")
        tip.wait_for()
        said = tip.inner_text()
        assert str(world.entities[part].attributes["part"]) in said
        assert str(world.entities[part].attributes["color"]) in said
        assert page.locator(".c-line.lit").get_attribute("data-entity") == str(part)
        keep_screenshot(page, "scene-hover")
        page.mouse.move(2, 2)
        tip.wait_for(state="detached")
        clear = _painted(page)
        page.locator(f'.c-line[data-entity="{part}"]').hover()
        page.wait_for_function("document.querySelector('.c-line.lit')")
        assert _painted(page) - clear == pytest.approx(int(masks[part].sum()), abs=2)


def _painted(page: Any) -> int:
    """How many pixels of the marks are not clear."""
    count = """() => { const c = document.querySelector('.s-marks');
      const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
      let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n; }"""
    return int(page.evaluate(count))


def test_every_layer_is_a_picture_and_has_an_address(address: str, browser: Any, folders: dict[str, Path]) -> None:
    scene = _scenes(folders["rooms"])[0]["scene_id"]
    loaded = "(() => { const i = document.querySelector('.s-layer'); return i && i.complete && i.naturalWidth > 0; })()"
    with visiting(browser) as page:
        page.goto(f"{address}/scene/0/{scene}")
        for layer in ("objects", "parts", "boxes", "depth", "normals"):
            page.locator(f'[data-layer="{layer}"]').click()
            page.wait_for_function(f"document.querySelector('.s-layer')?.src.includes('/{layer}/') && {loaded}")
            page.wait_for_url(f"**layer={layer}")
        keep_screenshot(page, "scene-normals")
        page.reload()
        page.wait_for_function(f"document.querySelector('.s-layer')?.src.includes('/normals/') && {loaded}")
        page.locator('[data-layer="plain"]').click()
        page.wait_for_function("!document.querySelector('.s-layer')")


def test_the_record_is_shown_as_it_is(address: str, browser: Any, folders: dict[str, Path]) -> None:
    row = _scenes(folders["rooms"])[0]
    with visiting(browser) as page:
        page.goto(f"{address}/scene/0/{row['scene_id']}")
        page.locator(".c-record summary").click()
        assert json.loads(page.locator(".c-record pre").inner_text()) == json.loads(row["scene"])
        page.locator('[data-action="copy"]').click()
        page.get_by_text("Copied").wait_for()


def test_a_program_is_walked_forward_and_back(address: str, browser: Any, folders: dict[str, Path]) -> None:
    scene = _scenes(folders["rooms"])[0]["scene_id"]
    with visiting(browser) as page:
        page.goto(f"{address}/reasoning/0/{scene}?step=1")
        place, words = page.locator('[data-info="place"]'), page.locator('[data-info="value"]')
        steps = int(place.inner_text().split()[-1])
        assert place.inner_text() == f"step 1 of {steps}"
        assert words.inner_text().startswith("scene: ")
        assert page.locator(".t-line").count() >= steps
        seen = [_painted(page)]
        for number in range(2, steps + 1):
            page.locator('[data-action="forward"]').click()
            page.wait_for_function(
                f"document.querySelector('[data-info=place]').innerText === 'step {number} of {steps}'"
            )
        assert page.locator('[data-action="forward"]').is_disabled()
        page.wait_for_url(f"**step={steps}")
        page.keyboard.press("ArrowLeft")
        page.wait_for_function(f"document.querySelector('[data-info=place]').innerText.startsWith('step {steps - 1} ')")
        page.locator('.t-line[data-step="0"]').first.click()
        page.wait_for_function("document.querySelector('[data-info=place]').innerText.startsWith('step 1 ')")
        assert page.locator('[data-action="back"]').is_disabled()
        assert _painted(page) == seen[0]
        keep_screenshot(page, "reasoning")


def test_a_step_marks_the_pixels_of_what_it_refers_to(address: str, browser: Any, folders: dict[str, Path]) -> None:
    row = _scenes(folders["rooms"])[0]
    masks = masks_of(row, instances_of(row))
    assert masks is not None
    shard = folders["pointing"] / "questions" / f"{row['split']}-00000.parquet"
    asked = [one for one in pq.read_table(shard).to_pylist() if one["scene_id"] == row["scene_id"]]
    expression = next(one for one in asked if one["referred"][-1])
    union = np.any([masks[k] for k in expression["referred"][-1]], axis=0)
    with visiting(browser) as page:
        page.goto(f"{address}/reasoning/2/{row['scene_id']}?question={expression['question_id']}")
        page.locator(".s-stage[data-ready]").wait_for()
        marked = """() => { const c = document.querySelector('.s-marks');
          const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
          let n = 0; for (let i = 0; i < d.length; i += 4) n += d[i] > 200 && d[i + 3] > 0; return n; }"""
        assert page.evaluate(marked) == int(union.sum())
        keep_screenshot(page, "reasoning-expression")


def test_words_of_a_dataset_are_never_taken_for_markup(address: str, browser: Any) -> None:
    with visiting(browser) as page:
        for path in ("/?dataset=2&words=onerror", "/reasoning/2/val-000000", f"/?split={quote(HOSTILE)}"):
            page.goto(address + path)
            page.get_by_text("onerror").first.wait_for()
            assert page.locator("img[src=x]").count() == 0
            assert page.evaluate("window.stolen") is None


@pytest.mark.parametrize(("size", "dark"), LOOKS)
def test_pages_fit_their_window(address: str, browser: Any, folders: dict[str, Path], size: str, dark: bool) -> None:
    scene = _scenes(folders["rooms"])[0]["scene_id"]
    pages = {
        "browse": "/",
        "scene": f"/scene/0/{scene}",
        "reasoning": f"/reasoning/0/{scene}",
        "map": "/scene/1/train-000000",
        "nothing": "/no/such/page",
    }
    width, height = SIZES[size]
    with visiting(browser, width=width, height=height, dark=dark) as page:
        for name, path in pages.items():
            page.goto(address + path)
            page.locator(".m-main").wait_for()
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate("document.body.classList.contains('body--dark')") == dark
            keep_screenshot(page, f"{name}-{size}-{'dark' if dark else 'light'}")
        page.troubles.clear()  # of the page that is not there


def test_on_a_narrow_screen_filters_unfold_on_request(address: str, browser: Any) -> None:
    with visiting(browser, width=390, height=844) as page:
        page.goto(address)
        value = page.locator('.b-facet [data-facet="split"][data-value="val"]')
        assert not value.is_visible()
        page.get_by_role("button", name="Filters").click()
        value.click()
        page.locator('.b-summary [data-facet="split"]').wait_for()


def test_dark_or_light_is_remembered(address: str, browser: Any) -> None:
    with visiting(browser) as page:
        page.goto(address)
        page.get_by_label("Dark or light").click()
        page.wait_for_function("document.body.classList.contains('body--dark')")
        page.goto(f"{address}/scene/1/train-000000")
        page.wait_for_function("document.body.classList.contains('body--dark')")


PATHS = [
    "/picture/0/plain/..%2f..%2f..%2fdataset.json",
    "/picture/0/plain/../../../../etc/passwd",
    "/thumbnail/0/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "/thumbnail/0//etc/passwd",
    "/thumbnail/-1/train-000000",
    "/scene/0/..%2f..%2f..%2f..%2fetc%2fpasswd",
    "/picture/0/..%2f..%2fplain/train-000000",
    "/_nicegui/3.18.0/static/..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd",
    "/_nicegui/3.18.0/static/../../../../../../../../etc/passwd",
    "/dataset.json",
    "/scenes/train-00000.parquet",
]


@pytest.mark.parametrize("path", PATHS)
def test_no_address_leads_to_a_file(address: str, path: str) -> None:
    """Sent as they are: a browser, and most libraries, would tidy the dots away."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    assert answer.status in (404, 422)
    assert b"root:" not in body
    assert b'"benchmark"' not in body
    connection.close()


def test_a_token_is_wanted_and_then_remembered(
    browser: Any, folders: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with (
        serving([folders["solids"]], tmp_path_factory.mktemp("cache"), "--token", TOKEN) as guarded,
        visiting(browser) as page,
    ):
        assert page.goto(guarded).status == 401
        assert page.goto(f"{guarded}/thumbnail/0/train-000000").status == 401
        assert page.goto(f"{guarded}/?token=wrong").status == 401
        assert "wants a token" in page.locator("body").inner_text()
        keep_screenshot(page, "token-wanted")
        page.troubles.clear()  # of the answers that were wanted
        page.goto(f"{guarded}/?split=val&token={TOKEN.replace(' ', '+')}")
        assert urlsplit(page.url).query == "split=val"
        page.locator('.b-facet [data-facet="split"][data-value="val"]').click()
        page.wait_for_function("document.querySelectorAll('.b-chip').length === 0")
        assert page.goto(f"{guarded}/scene/0/train-000000").status == 200
