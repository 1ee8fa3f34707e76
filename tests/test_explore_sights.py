"""What a run saw and where it looked: kept in a file, held against the truth, and seen in a real browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("nicegui", reason="the explorer's packages are not installed")

import mereo
from browsing import chromium, keep_screenshot, serving, visiting
from mereo.benchmarks.ptr.inspect import PtrInspector
from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.datasets.predictions import find_prediction
from mereo.datasets.reading import RowReader
from mereo.datasets.sights import SeenScene
from mereo.evaluation.runs import SIGHTS, run_folder
from mereo.evaluation.understood import marks_of, same_things, understood
from mereo.world import World
from sighted import misread, seen_scene, write_run

RUN = "faulty"


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One room, and a run that sees it with faults and misreads every other question about it."""
    out = tmp_path_factory.mktemp("sights") / "rooms"
    mereo.build("ptr", out, split="test=1", size="120x80", samples=8, questions_per_scene=12, seed=3, workers=1)
    write_run(out, RUN)
    return out


@pytest.fixture(scope="module")
def row(rooms: Path) -> dict[str, Any]:
    return dict(RowReader(rooms, "scenes").whole(0))


@pytest.fixture(scope="module")
def questions(rooms: Path) -> list[dict[str, Any]]:
    reader = RowReader(rooms, "questions")
    return [reader.row(place) for place in range(len(reader))]


@pytest.fixture(scope="module")
def world(row: dict[str, Any]) -> World:
    return PtrInspector().world(row)


@pytest.fixture(scope="module")
def seen(row: dict[str, Any]) -> SeenScene:
    return seen_scene(row)


@pytest.fixture(scope="module")
def same(seen: SeenScene, row: dict[str, Any], world: World) -> dict[int, int]:
    return same_things(seen, world, PtrInspector().masks(row, world))


def _lost(world: World, same: dict[int, int]) -> list[int]:
    return [k for k in range(len(world)) if k not in same.values()]


def test_what_was_seen_is_known_again_by_its_pixels(seen: SeenScene, world: World, same: dict[int, int]) -> None:
    assert len(set(same.values())) == len(same) == len(seen.world)
    (lost,) = _lost(world, same)
    assert world.whole[lost] == 0
    for mine, other in same.items():
        assert seen.world.entities[mine].kind == world.entities[other].kind
        assert seen.world.entities[mine].attributes.get("part") == world.entities[other].attributes.get("part")


def test_only_what_differs_is_marked(seen: SeenScene, world: World, same: dict[int, int]) -> None:
    marks = marks_of(seen.world, world, same, there="there")
    wrong = {k for k, mark in marks.items() if mark.unlike == {"color"}}
    assert wrong
    assert set(marks) == wrong
    for k in wrong:
        assert seen.world.entities[k].attributes["color"] != world.entities[same[k]].attributes["color"]
    back = {there: here for here, there in same.items()}
    alone = {k for k, mark in marks_of(world, seen.world, back, there="there").items() if mark.state == "alone"}
    assert alone == set(_lost(world, same))


def test_the_first_wrong_step_is_the_one_that_was_misread(questions: list[dict[str, Any]], world: World) -> None:
    changed = 0
    for question in questions:
        line = misread(question["program"])
        found = understood(line, question["program"], world, LANGUAGE, seen=None, same={})
        if line == question["program"]:
            assert (found.strange, found.lacking) == (None, None)
            continue
        changed += 1
        steps = zip(found.told.program.steps, found.true.program.steps, strict=False)
        assert found.strange == next(k for k, (one, other) in enumerate(steps) if one != other)
        assert found.lacking is not None
    assert changed > 2


def test_a_step_is_held_against_what_is_there(
    questions: list[dict[str, Any]], seen: SeenScene, world: World, same: dict[int, int]
) -> None:
    """The first object's part that was not seen is missing as soon as a step refers to it, and not before."""
    (lost,) = _lost(world, same)
    for question in questions:
        found = understood(question["program"], question["program"], world, LANGUAGE, seen=seen.world, same=same)
        assert (found.strange, found.lacking) == (None, None)
        referred = [k for k, step in enumerate(found.told.steps) if lost in step.referred]
        assert found.unlike is None or not referred or found.unlike <= referred[0]
    line = "total(count_part(expand_parts(scene())))"
    counted = understood(line, line, world, LANGUAGE, seen=seen.world, same=same)
    assert counted.unlike == 1


def test_a_program_that_ends_early_is_wrong_there(world: World) -> None:
    true, told = "count_object(scene())", "query_object_category(unique(scene()))"
    found = understood(told, true, world, LANGUAGE, seen=None, same={})
    assert found.strange == 1
    assert found.told.failure is not None
    assert [step.step.function for step in found.told.steps] == ["scene"]


@pytest.fixture(scope="module")
def address(rooms: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving([rooms], tmp_path_factory.mktemp("cache")) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


def _misread(rooms: Path, questions: list[dict[str, Any]]) -> dict[str, Any]:
    """A question that the run understood wrongly."""
    path = run_folder(rooms, RUN) / "predictions.jsonl"
    for question in questions:
        given = find_prediction(path, question["question_id"])
        if given is not None and given.program != question["program"]:
            return question
    raise AssertionError("all were understood")


def test_a_run_is_seen_beside_the_truth(
    address: str, browser: Any, rooms: Path, questions: list[dict[str, Any]], seen: SeenScene, world: World
) -> None:
    question = _misread(rooms, questions)
    found = understood(misread(question["program"]), question["program"], world, LANGUAGE, seen=None, same={})
    with visiting(browser) as page:
        page.goto(f"{address}/reasoning/0/{question['scene_id']}?question={question['question_id']}")
        page.locator(".r-run").click()
        page.wait_for_url(f"**run={RUN}**")
        trees = page.locator(".t-tree")
        assert trees.count() == 2
        assert trees.nth(1).locator(".t-line.wrong").filter(has_text="✗").get_attribute("data-step") == str(
            found.strange
        )
        assert trees.nth(0).locator(".t-line.wrong").get_attribute("data-step") == str(found.lacking)
        page.get_by_text(f"Step {(found.strange or 0) + 1} is wrong").wait_for()
        scenes = page.locator(".r-scene")
        assert scenes.nth(0).locator(".c-line").count() == len(world)
        assert scenes.nth(1).locator(".c-line").count() == len(seen.world)
        assert scenes.nth(0).locator(".c-line.alone").count() == 1
        assert scenes.nth(1).locator(".c-line mark").count() > 0
        keep_screenshot(page, "run-beside-truth")


PAINTED = """() => [...document.querySelectorAll('.s-marks')].map((one) => {
  const drawn = one.getContext('2d').getImageData(0, 0, one.width, one.height).data;
  let count = 0;
  for (let i = 0; i < drawn.length; i += 4) count += drawn[i + 2] === 191 || drawn[i + 2] === 255;
  return count;
})"""
"""How many pixels of each picture are painted as pointed at."""

SHADE = """async () => {
  const picture = document.querySelector('.s-layer');
  await picture.decode();
  const scratch = new OffscreenCanvas(6, 4).getContext('2d');
  scratch.drawImage(picture, 0, 0);
  return [...scratch.getImageData(0, 0, 6, 4).data].filter((_, k) => k % 4 === 3);
}"""
"""How much each place is covered by what lies over the picture."""


def test_what_was_seen_and_where_was_looked_lies_over_the_picture(
    address: str, browser: Any, questions: list[dict[str, Any]], seen: SeenScene
) -> None:
    name = questions[0]["question_id"]
    with visiting(browser) as page:
        page.goto(f"{address}/reasoning/0/{seen.scene_id}?question={name}&run={RUN}")
        steps = page.locator(".l-strip button")
        assert [step.inner_text().split() for step in steps.all()] == [["1", "red"], ["2", "what"]]
        assert page.locator(".s-layer").get_attribute("src") == f"/look/0/{RUN}/1/{name}"
        steps.first.click()
        page.wait_for_url("**look=1**")
        page.wait_for_function("document.querySelector('.s-layer').src.includes('/faulty/0/')")
        shade = page.evaluate(SHADE)
        assert shade.index(min(shade)) == 0
        assert len(set(shade[1:])) == 1
        keep_screenshot(page, "run-looks")
        page.locator('[data-layer="parts"]').click()
        page.wait_for_url("**layer=parts**")
        laid = [one.get_attribute("src") for one in page.locator(".s-layer").all()]
        assert laid == [f"/picture/0/parts/{seen.scene_id}", f"/sight/0/{RUN}/parts/{seen.scene_id}"]
        page.wait_for_function("document.querySelectorAll('.s-stage[data-ready]').length === 2")
        entity = next(k for k, one in enumerate(seen.world.entities) if one.kind == "part" and seen.instances[k])
        page.locator(f'.r-scene[data-of="seen"] [data-entity="{entity}"]').hover()
        assert page.evaluate(PAINTED) == [0, int(np.isin(seen.ids, seen.instances[entity]).sum())]


def test_a_small_window_will_do_and_what_was_not_kept_is_told(
    address: str, browser: Any, rooms: Path, questions: list[dict[str, Any]]
) -> None:
    where = f"{address}/reasoning/0/{questions[0]['scene_id']}?question={questions[0]['question_id']}"
    with visiting(browser, width=390, height=844, dark=True) as page:
        page.goto(f"{where}&run={RUN}")
        page.locator(".r-scene").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        keep_screenshot(page, "run-narrow")
        shutil.copytree(run_folder(rooms, RUN), run_folder(rooms, "torn"))
        (run_folder(rooms, "torn") / SIGHTS).write_bytes(b"PAR1")
        page.goto(f"{where}&run=torn")
        page.locator("[role=alert]").get_by_text("is not a whole Parquet file").wait_for()
        assert page.locator(".t-tree").count() == 2
        shutil.rmtree(run_folder(rooms, "torn"))
        page.goto(f"{where}&run=nobody")
        page.locator("[role=alert]").get_by_text("there is no run 'nobody'").wait_for()
        assert page.goto(f"{address}/look/0/{RUN}/7/{questions[0]['question_id']}").status == 404
        assert page.goto(f"{address}/sight/0/{RUN}/parts/nowhere").status == 404
        page.troubles.clear()
