"""Pictures of what is told of PartNet's shapes: which shapes stand there, in which colors, and what cannot be drawn."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import mereo as workbench
from kit import CommandLine, complaint
from mereo.benchmarks.partnet.clouds import Cloud
from mereo.benchmarks.partnet.names import INSTANCE, AskedSet
from mereo.benchmarks.partnet.predictors import header_of, label_rightly, labeled_by, truth_of
from mereo.benchmarks.partnet.said import said_by, saying
from mereo.benchmarks.partnet.specimens import choose_specimens, read_shapes
from mereo.benchmarks.partnet.views import slots_telling
from mereo.datasets.asked import Asked, load_questions
from mereo.datasets.predictions import Prediction, Predictions, read_predictions, write_predictions
from mereo.workbench.judging import evaluate
from misjudged import write_run

RUN = "faulty"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("figures") / "clouds"
    workbench.build("partnet", out, split="test=10", categories="chair,bottle", points=300, seed=3, workers=1)
    write_run(out, RUN)
    asked = load_questions(out)
    for name, given in {"right": label_rightly(asked), "slots": slotted(asked)}.items():
        write_predictions(out.with_name(f"{name}.jsonl"), header_of(asked, name), given)
    return out


def slotted(asked: Asked) -> list[Prediction]:
    """The truth; instances say a mask, whose number follows from their part."""

    def labeled(own: AskedSet, cloud: Cloud) -> Any:
        names, masks, sure = truth_of(own, cloud)
        if own.task != INSTANCE:
            return names, masks, sure
        known = cloud.labels.told(own.level)
        return names, masks, sure, [99 - known.index(name) for name in names]

    return list(labeled_by(asked, labeled))


def drawn(path: Path) -> Any:
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB")).astype(int)


def reddish(picture: Any) -> int:
    """Pixels of the color of errors, which no part has."""
    red, green, blue = np.moveaxis(picture, -1, 0)
    return int(((red > 90) & (red > 3 * green) & (red > 3 * blue)).sum())


def questions_of(dataset: Path, task: str) -> tuple[Asked, list[int]]:
    asked = load_questions(dataset)
    return asked, [place for place, kind in enumerate(asked.words("type")) if kind == task]


# Which shapes


def test_the_shape_in_the_middle_stands_for_its_category(dataset: Path) -> None:
    asked, places = questions_of(dataset, "semantic")
    file = dataset / "runs" / RUN / "predictions.jsonl"
    some, given = asked.take(places), read_predictions(file, asked).take(places)
    chosen = choose_specimens(some, {RUN: given})
    assert [one.own.name for one in chosen] == ["semantic bottle-3", "semantic chair-3"]
    judged = evaluate(dataset, [file], name="again")[0].result
    table = next(one for one in judged.tables if one.name == "semantic segmentation")
    for one in chosen:
        scores = [choose_specimens(some.take([place]), {RUN: given.take([place])})[0] for place in one.answered]
        here = [each.scores[0].here for each in scores]
        assert one.scores[0].here == sorted(here)[len(here) // 2]
        row = next(row for row in table.rows if (row.group, row.name) == (one.title, one.level))
        assert one.scores[0].everywhere == pytest.approx(row.scores["part"].value)


def test_only_what_all_runs_answered_is_shown(dataset: Path) -> None:
    asked, places = questions_of(dataset, "semantic")
    some, whole = asked.take(places), read_predictions(dataset.with_name("right.jsonl"), asked).take(places)
    chairs = [one if "chair" in name else None for one, name in zip(whole.given, some.words("subtype"), strict=True)]
    part = Predictions(whole.header, chairs)
    assert [one.title for one in choose_specimens(some, {"a": whole, "b": part})] == ["chair"]
    assert [one.title for one in choose_specimens(some, {})] == ["bottle", "chair"]
    assert [one.own.level for one in choose_specimens(some, {}, level=2)] == [2]
    nothing = part.take(range(0))
    assert "asks nothing of the kind" in str(complaint(lambda: choose_specimens(some.take([]), {"a": nothing})))


def test_shapes_of_which_a_run_says_nothing_do_not_count_against_it(tmp_path: Path, mereo: CommandLine) -> None:
    clouds = tmp_path / "clouds"
    workbench.build("partnet", clouds, split="val=3,test=3", categories="mug", points=200, seed=3, workers=1)
    asked = load_questions(clouds)
    given = [one for one in label_rightly(asked) if one.question_id.startswith("test")]
    write_predictions(tmp_path / "right.jsonl", header_of(asked, "right"), given)
    for name, more in {"usual": [], "test": ["--split", "test"], "both": ["--split", "val,test"]}.items():
        mereo("draw-parts", clouds, tmp_path / f"{name}.png", "--runs", tmp_path / "right.jsonl", *more)
    usual, test, both = ((tmp_path / f"{name}.png").read_bytes() for name in ("usual", "test", "both"))
    assert usual == test
    assert usual != both, "there it says nothing of half of the shapes"


# What is said of masks


def test_a_prediction_may_say_which_masks_of_a_network_it_comes_from() -> None:
    masks = np.array([[True, False, True], [False, True, False]])
    given = saying("q", ["a", "b"], masks, [0.5, 0.25], [17, 0])
    assert given.answer == "a=0.5@17, b=0.25@0"
    said = said_by(given, ["a", "b"], 3)
    assert said.slots.tolist() == [17, 0]
    assert said.confidence.tolist() == [0.5, 0.25]
    assert said_by(saying("q", ["a", "b"], masks), ["a", "b"], 3).slots.tolist() == [-1, -1]
    for wrong in ("a=0.5@x, b=1@1", "a=0.5@-1, b=1", "a@, b"):
        told = complaint(partial(said_by, Prediction("q", wrong, masks=given.masks), ["a", "b"], 3))
        assert "does not say which mask" in str(told)


def test_points_are_told_by_the_mask_that_is_surest_of_them(dataset: Path) -> None:
    asked, places = questions_of(dataset, INSTANCE)
    some = asked.take(places)
    one = choose_specimens(some, {})[1]
    shape = read_shapes(some, [one.place])[one.place]
    truth = shape.finest(one.own)
    masks = np.zeros((2, len(truth.numbers)), bool)
    masks[0, :200], masks[1, 100:250] = True, True
    name = truth.names[0]
    told = slots_telling(shape.cloud, truth, saying("", [name, name], masks, [0.9, 0.4], [4, 2]))
    assert told.numbers.tolist() == [5] * 200 + [3] * 50 + [0] * 50
    assert told.names[4] == "mask 4"


# Pictures


def test_errors_are_red_and_who_tells_the_truth_has_none(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    said = mereo("draw-parts", dataset, tmp_path / "right.png", "--runs", dataset.with_name("right.jsonl")).out
    assert "right.png: 1" in said.replace("\n", "")
    mereo("draw-parts", dataset, tmp_path / "faulty.png", "--runs", RUN)
    right, faulty = drawn(tmp_path / "right.png"), drawn(tmp_path / "faulty.png")
    assert reddish(right) == 0
    assert reddish(faulty) > 500
    assert right.shape == faulty.shape


def test_several_runs_stand_beside_the_truth(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    runs = f"{RUN},{dataset.with_name('right.jsonl')}"
    mereo("draw-parts", dataset, tmp_path / "both.png", "--runs", runs, "--task", "instance", "--categories", "chair")
    both = drawn(tmp_path / "both.png")
    assert reddish(both) == 0
    side = (both.shape[1] - 72 + 4) // 3
    truth, _, right = (both[60:300, 36 + k * side : 36 + (k + 1) * side - 4] for k in range(3))
    assert (truth == right).all()


@pytest.mark.parametrize(("task", "categories"), [("semantic", 2), ("hierarchical", 2), ("instance", 1)])
def test_levels_go_from_coarse_to_fine(
    dataset: Path, tmp_path: Path, mereo: CommandLine, task: str, categories: int
) -> None:
    names = ["--categories", "chair"] if categories == 1 else []
    mereo("draw-parts", dataset, tmp_path / "truth.png", "--by", "level", "--task", task, *names)
    names += ["--runs", str(dataset.with_name("right.jsonl"))]
    mereo("draw-parts", dataset, tmp_path / "levels.png", "--by", "level", "--task", task, *names)
    truth, levels = drawn(tmp_path / "truth.png"), drawn(tmp_path / "levels.png")
    assert len(levels) > 1.8 * len(truth)
    assert reddish(levels) == 0


def test_one_mask_has_one_color_on_all_shapes(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    asked, places = questions_of(dataset, INSTANCE)
    file = tmp_path / "same.jsonl"
    for slots in ([0] * 9, [*range(9)]):
        given = read_predictions(dataset.with_name("slots.jsonl"), asked).take(places).given
        whole = [_whole(one, slot) for one, slot in zip(filter(None, given), slots * len(places), strict=False)]
        write_predictions(file, header_of(asked, "same"), whole)
        mereo("draw-parts", dataset, tmp_path / "masks.png", "--by", "mask", "--runs", file, "--categories", "chair")
        picture = drawn(tmp_path / "masks.png")
        red, green, blue = np.moveaxis(picture, -1, 0)
        colors = (int(((blue > 1.3 * green) & (blue > 1.3 * red)).sum()), int((green > 1.3 * blue).sum()))
        assert colors[0] > 500
        assert (colors[1] > 500) == (len(set(slots)) > 1)


def _whole(one: Prediction, slot: int) -> Prediction:
    """All of a shape in one mask."""
    assert one.masks is not None
    points = one.masks[0].size[1]
    name = str(one.answer).partition("=")[0]
    return saying(one.question_id, [name], np.ones((1, points), bool), [1.0], [slot])


def test_who_says_no_masks_cannot_be_compared_by_them(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    out = tmp_path / "masks.jpg"
    mereo("draw-parts", dataset, out, "--by", "mask", "--runs", dataset.with_name("slots.jsonl"))
    assert out.exists()
    done = mereo("draw-parts", dataset, out, "--by", "mask", "--runs", dataset.with_name("right.jsonl"), code=2)
    assert "prediction for 'test-" in done.err.replace("\n", " ")
    assert "does not say which mask of a network each part is" in done.err.replace("\n", " ")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["parts.svg"], "parts.svg: must end in .png, .jpg, .jpeg"),
        (["p.png", "--by", "shape"], "there is no way to draw parts 'shape'"),
        (["p.png", "--task", "semantics"], "there is no task of PartNet named 'semantics'"),
        (["p.png", "--by", "mask"], "masks are what runs tell instances by"),
        (["p.png", "--by", "mask", "--runs", RUN, "--task", "semantic"], "masks are what runs tell instances by"),
        (["p.png", "--by", "level", "--level", "2"], "is for one level; here all are shown"),
        (["p.png", "--categories", "chairs"], "there is no category in the dataset named 'chairs' (did you mean"),
        (["p.png", "--split", "tests"], "there is no split 'tests'"),
        (["p.png", "--runs", "fauly"], "there is no prediction file or run 'fauly' (did you mean 'faulty'?)"),
        (["p.png", "--runs", RUN, "--task", "hierarchical"], "asks nothing of the kind that faulty answered"),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(
    dataset: Path, tmp_path: Path, mereo: CommandLine, arguments: list[str], reason: str
) -> None:
    done = mereo("draw-parts", dataset, tmp_path / arguments[0], *arguments[1:], code=2)
    assert reason in " ".join(done.err.split())
    assert not (tmp_path / arguments[0]).exists()
