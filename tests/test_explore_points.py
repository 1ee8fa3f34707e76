"""Clouds of points in the explorer: what tasks tell of them, in truth and by a run, and the page in a real browser."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import numpy as np
import pytest

pytest.importorskip("nicegui", reason="the explorer's packages are not installed")

import mereo
from browsing import chromium, keep_screenshot, serving, visiting
from kit import complaint
from mereo.benchmarks.clevr.inspect import ClevrInspector
from mereo.benchmarks.partnet.clouds import Cloud, array_of, cloud_of
from mereo.benchmarks.partnet.inspect import PartNetInspector
from mereo.benchmarks.partnet.predictors import label_rightly
from mereo.benchmarks.partnet.said import saying
from mereo.datasets.asked import load_questions
from mereo.datasets.point_views import PointView
from mereo.datasets.predictions import Prediction, find_prediction
from mereo.datasets.reading import RowReader
from mereo.datasets.store import open_dataset
from mereo.evaluation.drawing import draw_map
from mereo.evaluation.point_colors import found_names, painted
from mereo.evaluation.runs import predictions_of, run_folder
from mereo.explorer.legend import legend_html
from mereo.explorer.thumbnails import map_of
from misjudged import largest_leaf, write_run

POINTS = 400
RUN = "faulty"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chair, which has three levels, and a bottle, which has the first and the last."""
    out = tmp_path_factory.mktemp("points") / "clouds"
    mereo.build("partnet", out, split="test=2", categories="chair,bottle", points=POINTS, seed=3, workers=1)
    write_run(out, RUN)
    return out


@pytest.fixture(scope="module")
def eye(dataset: Path) -> PartNetInspector:
    return PartNetInspector(open_dataset(dataset))


@pytest.fixture(scope="module")
def rows(dataset: Path) -> list[dict[str, Any]]:
    reader = RowReader(dataset, "scenes")
    return [dict(reader.whole(place)) for place in range(len(reader))]


def cloud(row: dict[str, Any], eye: PartNetInspector) -> tuple[Cloud, PointView]:
    view = eye.cloud(row)
    assert view is not None
    return cloud_of(row, eye.labels), view


def said_by_run(dataset: Path) -> dict[str, Prediction]:
    """By question what the run said of it."""
    path = predictions_of(run_folder(dataset, RUN))
    assert path is not None
    found = {one: find_prediction(path, one) for one in load_questions(dataset).ids}
    return {one: given for one, given in found.items() if given is not None}


def test_a_cloud_stands_upright_with_all_its_levels(rows: list[dict[str, Any]], eye: PartNetInspector) -> None:
    levels = []
    for row in rows:
        own, view = cloud(row, eye)
        there = array_of(row, "points", POINTS)
        assert (view.points[:, 2] == there[:, 1]).all()
        assert (view.points[:, 1] == -there[:, 2]).all()
        levels.append({kind: [one.level for one in some] for kind, some in view.kinds.items()})
        for mask, part in zip(view.entities, own.record.parts, strict=True):
            assert mask.tolist() == [leaf in part.leaves for leaf in own.leaf.tolist()]
    assert levels[0]["semantic"] == levels[0]["instance"] == [1, 2, 3]
    assert levels[1]["semantic"] == levels[1]["instance"] == [1, 3]
    assert levels[0]["hierarchical"][0] == 1


def test_points_are_told_by_the_lowest_node_down_to_a_level(rows: list[dict[str, Any]], eye: PartNetInspector) -> None:
    own, view = cloud(rows[0], eye)
    nodes, names = own.hierarchy(), own.labels.nodes
    for telling in view.kinds["hierarchical"]:
        for place, number in enumerate(telling.numbers.tolist()):
            above = [names[k] for k in np.flatnonzero(nodes[place])]
            held = [one for one in above if sum(one.startswith(f"{other}/") for other in above) <= telling.level]
            assert (telling.names[number - 1] if number else "") == max(held, key=len, default="")


def test_whoever_says_the_truth_is_right_everywhere(
    dataset: Path, rows: list[dict[str, Any]], eye: PartNetInspector
) -> None:
    asked = load_questions(dataset)
    given = {one.question_id: one for one in label_rightly(asked)}
    questions = dict(zip(zip(asked.words("scene_id"), asked.words("subtype"), strict=True), asked.ids, strict=True))
    for row in rows:
        for telling in cloud(row, eye)[1].tellings:
            said = eye.told(row, telling, given[questions[row["scene_id"], telling.asked]])
            assert said.numbers.tolist() == telling.numbers.tolist()
            assert not telling.wrong(said).any()


def test_faults_of_a_run_are_found_where_they_are(
    dataset: Path, rows: list[dict[str, Any]], eye: PartNetInspector
) -> None:
    asked, given = load_questions(dataset), said_by_run(dataset)
    own, view = cloud(rows[0], eye)
    told = dict(zip(asked.words("subtype"), asked.ids, strict=True))
    semantic = view.kinds["semantic"][0]
    wrong = semantic.wrong(eye.told(rows[0], semantic, given[told[semantic.asked]]))
    assert (wrong == (largest_leaf(own) & (semantic.numbers > 0))).all()
    instance = view.kinds["instance"][2]
    said = eye.told(rows[0], instance, given[told[instance.asked]])
    assert (instance.wrong(said) == (instance.numbers == 1)).all()
    lines = {one.number: one for one in found_names(instance, said)}
    assert (lines[1].said, lines[1].overlap) == (0, 0.0)
    assert all(one.overlap == 1.0 for number, one in lines.items() if number > 1)
    assert "missed" in legend_html(instance, said, side="run", lit=None)


def test_what_was_found_twice_is_not_there_the_second_time(rows: list[dict[str, Any]], eye: PartNetInspector) -> None:
    """The surest instance lies above, has the number of the true one, and all others have numbers of their own."""
    truth = cloud(rows[0], eye)[1].kinds["instance"][0]
    mask = truth.numbers == 1
    half = mask & (np.cumsum(mask) % 4 == 0)
    prediction = saying("", [truth.names[0]] * 2, [mask, half], [0.4, 0.9])
    said = eye.told(rows[0], truth, prediction)
    assert said.names == [*truth.names, truth.names[0]]
    assert (said.numbers[half] == len(said.names)).all()
    assert (said.numbers[mask & ~half] == 1).all()
    assert "not there" in legend_html(truth, said, side="run", lit=None)


def test_colors_belong_to_names_and_errors_to_points(rows: list[dict[str, Any]], eye: PartNetInspector) -> None:
    truth = cloud(rows[0], eye)[1].kinds["semantic"][2]
    numbers, palette = painted(truth, None, side="truth")
    assert numbers == truth.numbers.tolist()
    there = Counter(numbers)
    colors = [palette[number] for number in there if number]
    assert len(set(colors)) == len(colors)
    assert all(color in legend_html(truth, None, side="truth", lit=None) for color in colors)
    said = truth._replace(numbers=np.where(np.arange(POINTS) < 7, 0, truth.numbers))
    numbers, palette = painted(truth, said, side="errors")
    assert Counter(numbers)[2] == int((truth.numbers[:7] > 0).sum())
    assert len(palette) == 3


def test_a_cloud_is_drawn_in_place_of_a_map(rows: list[dict[str, Any]], eye: PartNetInspector) -> None:
    world = eye.world(rows[0])
    drawing = draw_map(rows[0], world, eye)
    assert drawing.picture.count("h0") == POINTS
    seen = [int(mask.sum()) for mask in cloud(rows[0], eye)[1].entities]
    assert {k: drawn.count("h0") for k, drawn in drawing.outlines.items()} == {k: n for k, n in enumerate(seen) if n}
    assert all(left >= 0 and left + wide <= drawing.width for left, _, wide, _ in drawing.reach.values())
    lacking = {name: value for name, value in rows[0].items() if name != "points"}
    assert draw_map(lacking, world, eye).picture.count("h0") == 0


def test_a_row_without_points_has_no_view_and_other_benchmarks_say_nothing_of_points(
    rows: list[dict[str, Any]], eye: PartNetInspector
) -> None:
    assert eye.cloud({**rows[0], "points": None}) is None
    assert ClevrInspector().cloud(rows[0]) is None
    telling = cloud(rows[0], eye)[1].tellings[0]
    said = complaint(lambda: ClevrInspector().told(rows[0], telling, Prediction("")))
    assert said == "scene 'test-000000': predictions here are not about points"
    torn = {**rows[0], "points": rows[0]["points"][:-4]}
    assert "field 'points': holds 4,796 bytes, not 4,800 bytes" in str(complaint(lambda: eye.cloud(torn)))
    world = eye.world(torn)
    assert b"h0" not in map_of(torn, world, eye)  # one that is damaged leaves the others of a page alone
    assert b"h0" in map_of(rows[0], world, eye)


def _colors(page: Any) -> Counter[str]:
    """How many pixels of the view are reddish, greenish or bluish."""
    from PIL import Image

    shown = Image.open(io.BytesIO(page.locator(".v-space").screenshot())).convert("RGB")
    pixels = np.asarray(shown).reshape(-1, 3).astype(int)
    strong = pixels[pixels.max(1) - pixels.min(1) > 60]
    return Counter(("red", "green", "blue")[k] for k in strong.argmax(1).tolist())


def test_the_page_shows_truth_prediction_and_errors(dataset: Path, tmp_path: Path) -> None:
    with serving([dataset], tmp_path) as address, chromium() as browser, visiting(browser) as page:
        assert len(urlopen(f"{address}/mesh/points/0/test-000000").read()) == 12 * POINTS
        page.goto(f"{address}/space/0/test-000000")
        page.wait_for_function("document.querySelectorAll('[data-number]').length > 2")
        page.wait_for_timeout(600)
        before = _colors(page)
        assert min(before["red"], before["blue"]) > 20  # parts of several colors
        coarse = page.locator("[data-number]").count()
        page.get_by_label("Level").press("ArrowRight")
        page.get_by_text("level 2 of 3").wait_for()
        page.wait_for_url("**level=2**")
        assert page.locator("[data-number]").count() > coarse
        page.locator("[data-value=instance]").click()
        page.locator(f"[data-value={RUN}]").click()
        page.get_by_text("missed").wait_for()
        keep_screenshot(page, "points-run")
        page.locator("[data-value=semantic]").click()
        page.locator("[data-value=errors]").click()
        page.get_by_text("points are right").wait_for()
        page.wait_for_timeout(300)
        wrong = _colors(page)
        assert wrong["red"] > 50
        assert wrong["blue"] == 0
        keep_screenshot(page, "points-errors")
        page.locator("[data-value=hierarchical]").click()
        page.get_by_text("said nothing of it").wait_for()
        page.locator("[data-number]").first.click()
        page.locator("[data-number].marked").wait_for()
        page.goto(f"{address}/scene/0/test-000001")
        page.locator(".s-stage[data-ready]").wait_for()
        keep_screenshot(page, "points-scene")
