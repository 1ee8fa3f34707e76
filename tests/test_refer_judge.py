"""The judge of referring expressions: against pixels counted one by one, and with everything a person can get wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pyarrow as pa
import pytest

import referred
from kit import OFFICIAL_DATA, CommandLine, complaint
from mereo.benchmarks.refer.figures import Figure, figures_of
from mereo.benchmarks.refer.judge import FEW, judge_referring, overlaps_of
from mereo.benchmarks.refer.oracles import point_at_nothing, point_beside, point_rightly
from mereo.benchmarks.refer.plots import draw_figure
from mereo.datasets.asked import Asked, load_questions
from mereo.datasets.predictions import Mask, Prediction, Predictions, read_predictions, write_predictions
from mereo.datasets.store import read_table
from mereo.masks import decode
from mereo.programs import parse_program

# A dataset to judge on


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Expressions over scenes with masks that were imported; nothing is rendered."""
    from mereo.benchmarks.benchmark import find_format
    from mereo.benchmarks.refer.recipe import ReferRecipe
    from mereo.datasets.build import build_dataset
    from mereo.datasets.format import OfficialSplit
    from mereo.datasets.importing import read_official

    folder = tmp_path_factory.mktemp("judged")
    scenes = folder / "scenes.json"
    scenes.write_text(json.dumps(referred.scene_file(30, seed=7)))
    known = find_format("clevr_ref")
    files = read_official([OfficialSplit(scenes)], known)
    recipe = known.recipe(files, benchmark="refer", images=None)
    build_dataset(recipe, folder / "scenes", splits={"new": 30}, shard_size=1000)
    for name in ("refer", "false_premise"):
        recipe = ReferRecipe(seed=1, preset=name, scenes_from=str(folder / "scenes"))
        build_dataset(recipe, folder / name, splits={"new": 30}, shard_size=1000)
    return folder / "refer"


@pytest.fixture(scope="module")
def asked(dataset: Path) -> Asked:
    return load_questions(dataset)


@pytest.fixture(scope="module")
def false_premises(dataset: Path) -> Asked:
    return load_questions(dataset.parent / "false_premise")


def truth(asked: Asked) -> list[dict[str, Any]]:
    return [row for path in sorted((asked.folder / "questions").iterdir()) for row in read_table(path).to_pylist()]


def decoded(size: list[int], counts: str) -> Any:
    return decode({"size": size, "counts": counts})


def test_the_oracle_is_right_everywhere(asked: Asked) -> None:
    marks = judge_referring(asked, point_rightly(asked))
    assert {name: np.nanmin(score) for name, score in marks.scores.items()} == {"iou": 1.0, "box": 1.0, "choice": 1.0}
    single = [row["number"] == 1 for row in truth(asked)]
    assert (~np.isnan(marks.scores["box"])).tolist() == single
    for figure in figures_of(asked, point_rightly(asked)):
        assert all(bar.mean.value == 1.0 for bar in figure.bars)
        assert all(bar.cumulative in (None, 1.0) for bar in figure.bars)


def test_nothing_is_right_nowhere(asked: Asked) -> None:
    marks = judge_referring(asked, point_at_nothing(asked))
    assert all(np.nanmax(score) == 0.0 for score in marks.scores.values())
    assert marks.answered.all()


def test_the_oracle_moved_aside_scores_what_counting_pixels_says(asked: Asked) -> None:
    found = overlaps_of(asked, point_beside(asked, by=3))
    rows = truth(asked)
    for place, row in enumerate(rows):
        mask = decoded(row["size"], row["masks"][-1])
        moved = np.zeros_like(mask)
        moved[:, 3:] = mask[:, :-3]
        assert found.shared[place] == (mask & moved).sum()
        assert found.joined[place] == (mask | moved).sum()
        assert found.iou[place] == pytest.approx((mask & moved).sum() / (mask | moved).sum())
        if row["number"] == 1:
            left, top, width, height = row["boxes"][-1][0]
            said = [left + 3, top, min(width, 96 - left - 3), height]
            assert found.box[place] == (naive_overlap(said, [left, top, width, height]) > 0.5)


def naive_overlap(one: list[int], other: list[int]) -> float:
    a, b = (
        {(x, y) for x in range(left, left + width) for y in range(top, top + height)}
        for left, top, width, height in (one, other)
    )
    return len(a & b) / len(a | b) if a | b else 0.0


def predictions(asked: Asked, given: list[Prediction | None]) -> Predictions:
    return Predictions(point_at_nothing(asked).header, given)


def test_a_box_chooses_the_candidate_that_it_overlaps_most(asked: Asked) -> None:
    rows = truth(asked)
    scenes = {
        row["scene_id"]: row for path in (asked.folder / "scenes").iterdir() for row in read_table(path).to_pylist()
    }
    given: list[Prediction | None] = []
    right = []
    for place, row in enumerate(rows):
        candidates = [entity["box"] for entity in json.loads(scenes[row["scene_id"]]["entities"])]
        chosen = place % len(candidates)
        left, top, width, height = candidates[chosen]
        given.append(Prediction(row["question_id"], boxes=[(left, top, width, height)]))
        best = max(range(len(candidates)), key=lambda k: naive_overlap(candidates[k], candidates[chosen]))
        right.append(float([best] == row["referred"][-1]) if row["number"] == 1 else None)
    marks = judge_referring(asked, predictions(asked, given))
    assert list(marks.scores) == ["box", "choice"]
    for score, expected in zip(marks.scores["choice"], right, strict=True):
        assert (None if np.isnan(score) else score) == expected
    assert 0 < np.nanmean(marks.scores["choice"]) < 1


def test_the_number_of_a_candidate_is_a_choice_too(asked: Asked) -> None:
    given = [Prediction(row["question_id"], answer=row["referred"][-1][0]) for row in truth(asked)]
    marks = judge_referring(asked, predictions(asked, list(given)))
    assert np.nanmin(marks.scores["choice"]) == 1.0
    assert list(marks.scores) == ["choice"]


def test_several_masks_are_taken_together(asked: Asked) -> None:
    rows = truth(asked)
    place = next(k for k, row in enumerate(rows) if row["number"] > 1)
    scene = next(
        row
        for path in (asked.folder / "scenes").iterdir()
        for row in read_table(path).to_pylist()
        if row["scene_id"] == rows[place]["scene_id"]
    )
    entities = json.loads(scene["entities"])
    parts = [
        Mask(tuple(entities[k]["mask"]["size"]), entities[k]["mask"]["counts"]) for k in rows[place]["referred"][-1]
    ]
    one = asked.take([place])
    marks = judge_referring(one, predictions(one, [Prediction(one.ids[0], masks=parts)]))
    assert marks.scores["iou"].tolist() == [1.0]


def test_what_is_missing_is_wrong_and_counted(asked: Asked, tmp_path: Path, mereo: CommandLine) -> None:
    oracle = point_rightly(asked, steps=False)
    half = [one for place, one in enumerate(oracle.given) if place % 2 and one is not None]
    path = tmp_path / "half.jsonl"
    write_predictions(path, oracle.header, half)
    marks = judge_referring(asked, read_predictions(path, asked))
    assert marks.answered.sum() == len(half)
    assert np.mean(marks.scores["iou"]) == pytest.approx(len(half) / len(asked))
    assert np.nansum(marks.scores["box"][::2]) == 0
    done = mereo("figures", asked.folder, path, tmp_path / "figures")
    assert f"{len(asked) - len(half)} of {len(asked)} expressions have no prediction" in done.out


# False premises


def test_where_nothing_is_meant_pixels_are_counted(false_premises: Asked) -> None:
    height, width = 64, 96
    given: list[Prediction | None] = []
    for place, name in enumerate(false_premises.ids):
        pixels = (0, FEW, FEW + 1, 500)[place % 4]
        given.append(Prediction(name, masks=[Mask((height, width), [0, pixels, height * width - pixels])]))
    given[-1] = None
    marks = judge_referring(false_premises, predictions(false_premises, given))
    quarter = len(given) / 4
    assert marks.scores["no pixels"].sum() == quarter
    assert marks.scores["iou"].sum() == quarter
    assert marks.scores[f"at most {FEW} pixels"].sum() == 2 * quarter
    (shares,) = (f for f in figures_of(false_premises, predictions(false_premises, given)) if f.measure == "share")
    assert [bar.mean.value for bar in shares.bars] == [0.25, 0.5]


def test_an_expression_that_means_something_is_no_false_premise(asked: Asked) -> None:
    assert "no pixels" not in judge_referring(asked, point_at_nothing(asked)).scores


# Breakdowns


def by_name(figures: list[Figure], name: str, measure: str = "iou") -> dict[tuple[str, str], float]:
    (figure,) = (figure for figure in figures if (figure.name, figure.measure) == (name, measure))
    return {(bar.name, bar.group): bar.mean.value for bar in figure.bars}


def test_breakdowns_are_means_over_the_expressions_they_name(asked: Asked) -> None:
    given = point_beside(asked, by=4)
    figures, iou, rows = figures_of(asked, given), overlaps_of(asked, given).iou, truth(asked)

    def mean(keep: Any) -> Any:
        return pytest.approx(np.mean([score for score, row in zip(iou, rows, strict=True) if keep(row)]))

    families = by_name(figures, "families")
    assert families["all", ""] == mean(lambda row: True)
    for family in ("0-relate", "1-relate", "2-relate", "3-relate", "AND", "OR", "same"):
        assert families[family, ""] == mean(lambda row, family=family: row["type"] == family)
    words = by_name(figures, "modules")
    for word in ("color", "ordinal"):
        uses = f"filter_{word}["
        inside = mean(lambda row, uses=uses: row["type"] == "0-relate" and uses in row["program"])
        assert words[word, "include"] == inside
        outside = mean(lambda row, uses=uses: row["type"] == "0-relate" and uses not in row["program"])
        assert words[word, "exclude"] == outside
    assert by_name(figures, "relations")["3", ""] == families["3-relate", ""]
    assert by_name(figures, "topology") == {("chain", ""): families["2-relate", ""], ("tree", ""): families["AND", ""]}
    assert by_name(figures, "kinds") == {("spatial", ""): families["2-relate", ""], ("same", ""): families["same", ""]}
    objects = by_name(figures, "objects")
    assert objects["7", ""] == mean(lambda row: len(row["referred"][0]) == 7)
    (figure,) = (figure for figure in figures if (figure.name, figure.measure) == ("families", "iou"))
    shared, joined = overlaps_of(asked, given).shared, overlaps_of(asked, given).joined
    assert figure.bars[0].cumulative == pytest.approx(shared.sum() / joined.sum())


def test_overlaps_into_and_out_of_each_module_follow_the_steps(asked: Asked) -> None:
    oracle = point_rightly(asked)
    rows = truth(asked)
    size = tuple(rows[0]["size"])
    nothing = Mask((size[0], size[1]), [size[0] * size[1]])
    given: list[Prediction | None] = []
    for one, row in zip(oracle.given, rows, strict=True):
        assert one is not None
        assert one.steps is not None
        # Whoever loses everything at `unique` finds it again one step later.
        steps = parse_program(row["program"]).steps
        lost = [nothing if step.function == "unique" else mask for step, mask in zip(steps, one.steps, strict=True)]
        given.append(Prediction(one.question_id, masks=one.masks, steps=lost))
    values = by_name(figures_of(asked, predictions(asked, given)), "steps")
    assert values["unique", "into"] == 1.0
    assert values["unique", "out of"] == 0.0
    assert values["relate", "into"] == 0.0
    assert values["relate", "out of"] == 1.0
    assert ("scene", "into") not in values


def test_figures_are_drawn_and_say_their_numbers(asked: Asked, tmp_path: Path, mereo: CommandLine) -> None:
    given = point_beside(asked, by=4)
    write_predictions(tmp_path / "p.jsonl", given.header, [one for one in given.given if one is not None])
    mereo("figures", asked.folder, tmp_path / "p.jsonl", tmp_path / "figures")
    for figure in figures_of(asked, given):
        path = tmp_path / "figures" / f"{figure.name}-{figure.measure}.svg"
        drawn = ET.fromstring(path.read_text())
        words = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
        assert figure.title in words
        for bar in figure.bars:
            assert bar.name in words
            assert f"{bar.mean.value:.2f}".removeprefix("0") in words
        assert path.read_text() == draw_figure(figure)


# What a person can get wrong


def write(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (
            {"masks": [{"size": [64, 64], "counts": [4096]}]},
            "field 'masks[0].size': is of 64x64 pixels, the picture of 96x64",
        ),
        (
            {"masks": [{"size": [64, 96], "counts": [5]}]},
            "field 'masks[0].counts': are run lengths of 5 pixels, not of 6,144",
        ),
        ({"masks": [{"size": [64, 96], "counts": "é"}]}, "field 'masks[0].counts': are not COCO's run lengths"),
        (
            {"masks": [{"size": [64, 96], "counts": [6144]}, {"size": [64, 96], "counts": [-1, 6145]}]},
            "field 'masks[1].counts': are not COCO's run lengths",
        ),
        (
            {"masks": [{"size": [64, 96], "counts": [10**18, 10**19]}]},
            "field 'masks[0].counts': are run lengths of 11,000,000,000,000,000,000 pixels, not of 6,144",
        ),
        ({"boxes": [[90, 2, 10, 4]]}, "field 'boxes[0]': [90, 2, 10, 4] is not within the picture of 96x64"),
        ({"boxes": [[1, 1, 2, 2], [-1, 2, 3, 4]]}, "field 'boxes[1]': [-1, 2, 3, 4] is not within"),
    ],
)
def test_a_wrong_prediction_is_named_with_file_record_and_field(
    said: dict[str, Any], sentence: str, asked: Asked, tmp_path: Path, mereo: CommandLine
) -> None:
    path = write(tmp_path / "wrong.jsonl", {"question_id": asked.ids[3], **said})
    for command in (("evaluate", asked.folder, path), ("figures", asked.folder, path, tmp_path / "figures")):
        error = mereo(*command, code=2).err
        assert f"wrong.jsonl, prediction for '{asked.ids[3]}', {sentence}" in error
    assert not (tmp_path / "figures").exists()


def test_a_damaged_mask_of_the_dataset_is_not_blamed_on_the_prediction(asked: Asked) -> None:
    letters = pa.array([[*row["masks"][:-1], "P"] for row in truth(asked)])
    whole = asked.with_columns("referred", "masks", "boxes", "size")
    place = whole.table.column_names.index("masks")
    damaged = replace(whole, table=whole.table.set_column(place, "masks", letters))
    said = complaint(lambda: judge_referring(damaged, point_at_nothing(asked)))
    assert said == f"{asked.folder}, expression '{asked.ids[0]}', field 'masks': are not COCO's run lengths"


def test_a_candidate_that_is_not_there_is_named(asked: Asked, tmp_path: Path, mereo: CommandLine) -> None:
    name = next(row["question_id"] for row in truth(asked) if row["number"] == 1)
    path = write(tmp_path / "wrong.jsonl", {"question_id": name, "answer": 77})
    error = mereo("evaluate", asked.folder, path, code=2).err
    assert f"wrong.jsonl, prediction for '{name}', field 'answer': 77 is none of the " in error


def test_an_unknown_expression_and_two_predictions_for_one_are_named(
    asked: Asked, tmp_path: Path, mereo: CommandLine
) -> None:
    unknown = write(tmp_path / "unknown.jsonl", {"question_id": "nowhere-1", "boxes": []})
    assert "unknown.jsonl, line 1, field 'question_id'" in mereo("evaluate", asked.folder, unknown, code=2).err
    twice = write(tmp_path / "twice.jsonl", *[{"question_id": asked.ids[0], "boxes": []}] * 2)
    assert f"twice.jsonl, line 2, field 'question_id': '{asked.ids[0]}'" in " ".join(
        mereo("evaluate", asked.folder, twice, code=2).err.split()
    )


def test_a_dataset_without_pictures_cannot_be_judged(tmp_path: Path, mereo: CommandLine) -> None:
    mereo("build", "refer", tmp_path / "symbolic", "--symbolic", "--scenes", "4")
    error = mereo("point", tmp_path / "symbolic", tmp_path / "p.jsonl", code=2).err
    assert "symbolic: has no masks to judge by: it was built without pictures" in error


@pytest.mark.parametrize("how", ["oracle", "shifted", "empty"])
def test_predictors_write_files_that_are_judged(how: str, asked: Asked, tmp_path: Path, mereo: CommandLine) -> None:
    path = tmp_path / f"{how}.jsonl"
    mereo("point", asked.folder, path, "--as", how)
    out = mereo("evaluate", asked.folder, path, "--replace").out
    assert {"oracle": "100.0", "shifted": "all", "empty": "0.0"}[how] in out
    assert "types" in out
    assert "0-relate" in out


@pytest.mark.skipif(not OFFICIAL_DATA.is_dir(), reason=f"there is no {OFFICIAL_DATA}")
def test_official_expressions_are_judged_as_ours_are(tmp_path: Path, mereo: CommandLine) -> None:
    samples = OFFICIAL_DATA / "official_samples"
    scenes, questions = samples / "clevr_ref_expressions_scenes.json", samples / "clevr_ref_expressions.json"
    mereo("import", "clevr_ref", tmp_path / "in", "--scenes", scenes, "--questions", questions)
    asked = load_questions(tmp_path / "in")
    marks = judge_referring(asked, point_rightly(asked))
    assert np.nanmin(marks.scores["iou"]) == 1.0
    assert set(asked.words("type")) == {"0-relate", "1-relate", "2-relate", "3-relate", "AND", "OR", "same"}
