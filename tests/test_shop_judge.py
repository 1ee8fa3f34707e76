"""Parses of household scenes and answers about them are judged: as plain loops judge them, and bad files by line."""

from __future__ import annotations

import csv
import json
import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import household
import kit
from kit import CommandLine, complaint
from mereo.benchmarks.shop.judge import JUDGING
from mereo.benchmarks.shop.language import SHOP_VRB, TEXTUAL, VISUAL, VOCABULARY, shop_world
from mereo.benchmarks.shop.parsed import ParseResult, judge_parses, scored_by_measure
from mereo.benchmarks.shop.parsers import PARSERS, parse_scenes
from mereo.benchmarks.shop.parses import Parse, ParseHeader, Parses, Seen
from mereo.benchmarks.shop.recognition import Recognized, looked_at, recognized
from mereo.benchmarks.shop.shown import Shown, ShownThing, shown_scenes
from mereo.chance import generator
from mereo.datasets.asked import Asked, load_questions
from mereo.datasets.columns import record_of
from mereo.datasets.inspector import Inspector
from mereo.datasets.predictions import Header, Prediction, Predictions, write_predictions
from mereo.datasets.store import Manifest, open_dataset
from mereo.evaluation.boxes import Detections, average_precision, overlaps, paired, right_ones
from mereo.evaluation.intervals import Mean
from mereo.evaluation.labels import macro_f1, micro_f1
from mereo.evaluation.oracle import answer_by_oracle
from mereo.evaluation.result import Result, judge_run
from mereo.masks import box_of, decode, encode
from mereo.world import World


class Eye(Inspector):
    language = SHOP_VRB

    def world(self, row: Mapping[str, Any]) -> World:
        return shop_world(record_of(row))


def eye(manifest: Manifest) -> Inspector:
    return Eye()


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return household.build(tmp_path_factory.mktemp("shop") / "set")


@pytest.fixture(scope="module")
def asked(dataset: Path) -> Asked:
    return load_questions(dataset)


def parse_file(dataset: Path, path: Path, how: str, **chosen: Any) -> Path:
    header, parses = parse_scenes(dataset, open_dataset(dataset), Eye(), how, **chosen)
    write_predictions(path, header, parses)
    return path


def score(result: ParseResult, row: str, column: str) -> Mean:
    (found,) = [one.scores[column] for table in result.tables for one in table.rows if one.name == row]
    return found


def truth(dataset: Path, *splits: str) -> list[Shown]:
    return list(shown_scenes(dataset, open_dataset(dataset), Eye(), splits))


# Boxes and labels against loops


def naive_overlap(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    a, b = (
        {(x, y) for x in range(left, left + width) for y in range(top, top + height)}
        for left, top, width, height in (one, other)
    )
    return len(a & b) / len(a | b) if a | b else 0.0


def naive_precision(found: list[tuple[float, bool]], true: int) -> float:
    """The area under the best precision that is still reached at every recall, one true thing after the other."""
    ranked = sorted(found, key=lambda one: -one[0])
    area, right = 0.0, 0
    points = []
    for rank, (_, good) in enumerate(ranked, 1):
        right += good
        points.append((right, right / rank))
    for wanted in range(1, true + 1):
        area += max((precision for reached, precision in points if reached >= wanted), default=0.0) / true
    return area


def random_box(chance: random.Random) -> tuple[int, int, int, int]:
    return chance.randint(0, 9), chance.randint(0, 9), chance.randint(0, 9), chance.randint(0, 9)


def test_boxes_overlap_by_as_many_pixels_as_counting_says() -> None:
    chance = random.Random(1)
    ones, others = ([random_box(chance) for _ in range(20)] for _ in range(2))
    expected = [[naive_overlap(one, other) for other in others] for one in ones]
    assert np.allclose(overlaps(ones, others), expected)
    assert overlaps([], others).shape == (0, 20)
    assert overlaps(ones, []).shape == (20, 0)


@pytest.mark.parametrize(
    ("found", "true", "expected"),
    [
        ([(0.9, True), (0.8, False), (0.7, True)], 2, 1 / 2 + 1 / 2 * 2 / 3),
        ([(0.9, False), (0.8, True)], 1, 1 / 2),
        ([(0.9, True)], 4, 1 / 4),
        ([(0.9, True), (0.1, False)], 1, 1.0),
        ([], 3, 0.0),
    ],
)
def test_average_precision_of_cases_worked_out_by_hand(
    found: list[tuple[float, bool]], true: int, expected: float
) -> None:
    own = Detections([sure for sure, _ in found], [good for _, good in found], [0] * len(found), np.array([true]))
    assert average_precision(own, np.ones((1, 1)))[0] == pytest.approx(expected)
    assert naive_precision(found, true) == pytest.approx(expected)


def test_average_precision_is_that_of_plain_loops_also_where_scenes_count_several_times() -> None:
    for seed in range(40):
        chance = random.Random(seed)
        scenes, true = 5, [chance.randint(0, 3) for _ in range(5)]
        found: list[tuple[Any, ...]] = []
        for scene in range(scenes):
            flags = [True] * chance.randint(0, true[scene]) + [False] * chance.randint(0, 3)
            found += [(chance.random(), flag, scene) for flag in flags]
        sure, good, where = ([one[place] for one in found] for place in range(3))
        own = Detections(sure, good, where, np.array(true))
        weights = np.array([[1] * scenes, [chance.randint(0, 3) for _ in range(scenes)]], float)
        for value, counts in zip(average_precision(own, weights), weights, strict=True):
            copies = [(sure, flag) for sure, flag, scene in found for _ in range(int(counts[scene]))]
            total = int((counts * true).sum())
            assert math.isnan(value) if not total else value == pytest.approx(naive_precision(copies, total))


def test_a_thing_that_is_found_twice_is_right_once() -> None:
    overlap = np.array([[0.9, 0.0], [0.8, 0.6], [0.5, 0.4]])
    assert right_ones(overlap, [0.5, 0.9, 0.7]).tolist() == [False, True, False]


def test_the_surest_chooses_first_and_each_thing_is_taken_once() -> None:
    overlap = np.array([[0.9, 0.0], [0.8, 0.6], [0.75, 0.71]])
    assert paired(overlap, [0.5, 0.9, 0.7], least=0.5) == {0: 1, 1: 2}
    assert paired(overlap, [0.9, 0.7, 0.5], least=0.7) == {0: 0, 1: 2}
    assert paired(overlap, [0.9, 0.7, 0.5], least=0.9) == {}


def test_f1_is_that_of_plain_sets() -> None:
    rng = np.random.default_rng(3)
    true, said = rng.random((30, 6)) < 0.4, rng.random((30, 6)) < 0.4
    true[:, 5] = said[:, 5] = False
    true[:, 4] = False
    values, sums = [], [0, 0, 0]
    for label in range(6):
        a, b = ({k for k in range(30) if flags[k, label]} for flags in (true, said))
        for place, members in enumerate((a & b, b - a, a - b)):
            sums[place] += len(members)
        if a | b:
            values.append(2 * len(a & b) / (len(a) + len(b)))
    assert values[4] == 0.0
    assert len(values) == 5
    scenes = np.arange(30) // 3
    macro, micro = macro_f1(true, said, scenes), micro_f1(true, said, scenes)
    assert macro.value == pytest.approx(sum(values) / 5)
    assert micro.value == pytest.approx(2 * sums[0] / (2 * sums[0] + sums[1] + sums[2]))
    assert macro.low < macro.value < macro.high
    assert micro.count == 30


# Parses that need no model


def test_the_oracle_is_right_about_everything(dataset: Path, tmp_path: Path) -> None:
    result = judge_parses(parse_file(dataset, tmp_path / "oracle.jsonl", "oracle"), dataset, eye)
    assert result.scenes == {"test": 7, "benchmark": 5}
    assert result.missing == {"test": 0, "benchmark": 0}
    things = sum(len(shown.things) for shown in truth(dataset, "test"))
    for table in result.tables:
        assert table.rows
        for row in table.rows:
            for mean in row.scores.values():
                assert mean.value == (0.0 if row.name == "mean distance error" else 1.0), row.name
                assert mean.low <= mean.value <= mean.high
    rows = {row.name for table in result.tables for row in table.rows}
    assert {*VISUAL, "objects found", "overall", "disassembly", "picking", "powering", "mAP"} <= rows
    assert score(result, "overall", "test 0.7").count == things
    assert score(result, "mAP", "test").count == things


def test_a_split_has_a_score_for_every_threshold(dataset: Path, tmp_path: Path) -> None:
    """Of every scene two objects are told: one as it is, and one of another color whose box lacks two fifths."""
    parses, things = [], 0
    for shown in truth(dataset, "test"):
        whole, narrow, *_ = shown.things
        left, top, across, down = narrow.box
        own, other = (str(thing.entity.attributes["color"]) for thing in (whole, narrow))
        wrong = next(word for word in VOCABULARY.words("color") if word != other)
        seen = [Seen(whole.box, color=own), Seen((left, top, 0.6 * across, down), color=wrong)]
        parses.append(Parse(shown.scene, seen))
        things += len(shown.things)
    path = tmp_path / "two.jsonl"
    write_predictions(path, ParseHeader(), parses)
    (table,) = scored_by_measure(judge_parses(path, dataset, eye))
    assert table.name == "what is seen"
    scores = {row.name: {name: mean.value for name, mean in row.scores.items()} for row in table.rows}
    assert scores["objects found"] == pytest.approx({"above 0.7": 7 / things, "above 0.5": 14 / things})
    assert scores["color"] == pytest.approx({"above 0.7": 7 / things, "above 0.5": 7 / things})
    assert {row.questions for row in table.rows} == {things}
    write_predictions(path, ParseHeader(given="masks"), parses)
    (given,) = scored_by_measure(judge_parses(path, dataset, eye))
    assert all(row.scores.keys() == {"above 0.7"} for row in given.rows)


def test_boxes_and_labels_are_measured_beside_what_is_seen(dataset: Path, tmp_path: Path) -> None:
    path = parse_file(dataset, tmp_path / "oracle.jsonl", "oracle")
    found = scored_by_measure(judge_parses(path, dataset, eye, splits=("benchmark",)))
    measures = {table.name: {name for row in table.rows for name in row.scores} for table in found}
    both = {"above 0.7", "above 0.5"}
    assert measures == {"what is seen": both, "what is read": both, "average precision of boxes": {"precision"}}
    with pytest.raises(ValueError, match="too many values"):
        scored_by_measure(judge_parses(path, dataset, eye))


def shelf(count: int) -> Iterator[Shown]:
    """Scenes with one object each, far from the border."""
    for index in range(count):
        world = shop_world(household.record("train", index))
        mask = np.zeros((household.HEIGHT, household.WIDTH), bool)
        mask[20:40, 30:60] = True
        box = box_of(mask)
        assert box is not None
        yield Shown(f"train-{index}", "train", mask.shape, (ShownThing(world.entities[0], box, encode(mask)),))


def judged(shown: list[Shown], how: str, *, rate: float, least: float) -> Recognized:
    parse = PARSERS[how].parse
    own = {one.scene: Parse(one.scene, parse(one, None, rate, generator(5, one.scene))) for one in shown}
    parses = Parses(ParseHeader(), own, dict.fromkeys(own, 1), Path("parses.jsonl"))
    return recognized([looked_at(one, parses) for one in shown], least=least)


def test_noise_is_as_wrong_as_its_rate_says() -> None:
    rate, shown = 0.2, list(shelf(700))
    near = 4 * math.sqrt(0.25 / len(shown))
    half = judged(shown, "noise", rate=rate, least=0.5)
    assert half.found.mean() == pytest.approx(1 - rate, abs=near)
    for name in (*VISUAL, *(name for name in TEXTUAL if name != "attribute")):
        assert half.right[name].mean() == pytest.approx((1 - rate) ** 2, abs=near), name
    assert np.nanmean(half.distance) == pytest.approx(rate * math.sqrt(math.pi / 2), rel=0.1)
    recall = (half.true & half.said)[half.found].sum() / half.true[half.found].sum()
    assert recall == pytest.approx(1 - rate, abs=0.05)
    across, down = np.meshgrid(*[np.linspace(0, rate, 400)] * 2)
    both = (1 - across) * (1 - down)
    strict = judged(shown, "noise", rate=rate, least=0.7)
    assert strict.found.mean() == pytest.approx((1 - rate) * (both / (2 - both) > 0.7).mean(), abs=near)


def test_noise_of_no_rate_is_the_truth_without_masks(dataset: Path, tmp_path: Path) -> None:
    path = parse_file(dataset, tmp_path / "none.jsonl", "noise", rate=0.0, splits=["test"])
    lines = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    assert not any("mask" in one for line in lines for one in line["objects"])
    result = judge_parses(path, dataset, eye)
    assert score(result, "overall", "test 0.7").value == 1.0
    one, other = (parse_file(dataset, tmp_path / f"{k}.jsonl", "noise", rate=0.3, seed=k) for k in (1, 2))
    again = parse_file(dataset, tmp_path / "again.jsonl", "noise", rate=0.3, seed=1)
    assert one.read_bytes() == again.read_bytes()
    assert one.read_bytes() != other.read_bytes()


def test_the_blind_one_says_what_is_usual_in_training(dataset: Path, tmp_path: Path) -> None:
    path = parse_file(dataset, tmp_path / "blind.jsonl", "blind", splits=["test"])
    train = truth(dataset, "train")
    names = [str(thing.entity.attributes["name"]) for shown in train for thing in shown.things]
    boxes = {tuple(thing.box) for shown in train for thing in shown.things}
    lines = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    assert len(lines) == 7
    for line in lines:
        for one in line["objects"]:
            assert names.count(one["name"]) == max(map(names.count, names))
            assert tuple(one["box"]) in boxes
    result = judge_parses(path, dataset, eye)
    assert score(result, "overall", "test 0.7").value < 0.5


# What is judged


def lines_of(dataset: Path, split: str) -> list[dict[str, Any]]:
    """The truth, as somebody might write it."""
    _, parses = parse_scenes(dataset, open_dataset(dataset), Eye(), "oracle", splits=[split])
    return [{"scene": parse.scene, "objects": [_plain(one) for one in parse.objects]} for parse in parses]


def _plain(seen: Seen) -> dict[str, Any]:
    mask = seen.mask
    assert mask is not None
    own = {name: list(value) if isinstance(value, tuple) else value for name, value in seen.told()}
    return {
        "box": list(seen.box),
        "mask": {"size": list(mask.size), "counts": mask.counts},
        "place": list(seen.place or ()),
        **own,
    }


def write(path: Path, lines: list[Any], header: dict[str, Any] | None = None) -> Path:
    records = [{"predictions": 1, **header}] if header is not None else []
    path.write_text("".join(json.dumps(record) + "\n" for record in [*records, *lines]))
    return path


def test_every_score_is_a_share_of_all_objects(dataset: Path, tmp_path: Path) -> None:
    lines = lines_of(dataset, "test")
    things = sum(len(line["objects"]) for line in lines)
    dropped = lines[0]["objects"].pop()
    wrong = lines[1]["objects"][0]
    wrong["color"] = next(color for color in VOCABULARY.words("color") if color != wrong["color"])
    wrong["attribute"] = []
    wrong["place"][0] += 0.5
    result = judge_parses(write(tmp_path / "parses.jsonl", lines[:-1]), dataset, eye)
    unparsed = len(lines[-1]["objects"])
    assert result.missing == {"test": 1}
    found = things - 1 - unparsed
    assert score(result, "objects found", "test 0.7").value == pytest.approx(found / things)
    assert score(result, "material", "test 0.7").value == pytest.approx(found / things)
    assert score(result, "color", "test 0.7").value == pytest.approx((found - 1) / things)
    assert score(result, "overall", "test 0.7").value == pytest.approx((7 * found - 1) / (7 * things))
    distance = score(result, "mean distance error", "test 0.5")
    assert distance.count == found
    assert distance.value == pytest.approx(0.5 / found)
    assert score(result, dropped["name"], "test").value < 1.0
    assert score(result, "F1 of labels, together", "test 0.7").value < 1.0


def test_masks_count_before_boxes_and_thresholds_bound_both(dataset: Path, tmp_path: Path) -> None:
    lines = lines_of(dataset, "benchmark")
    total = sum(len(line["objects"]) for line in lines)
    for line in lines:
        for one in line["objects"]:
            mask = decode(one.pop("mask"))
            left, top, width, height = one["box"]
            one["box"] = [left, top, width, round(0.62 * height, 3)]
            cut = mask.copy()
            cut[top + round(0.62 * height) :] = False
            one["cut"] = {**encode(cut)}
    result = judge_parses(write(tmp_path / "boxes.jsonl", lines), dataset, eye)
    assert score(result, "objects found", "benchmark 0.5").value == 1.0
    assert score(result, "objects found", "benchmark 0.7").value == 0.0
    assert score(result, "mAP", "benchmark").value == 1.0
    for line in lines:
        for one in line["objects"]:
            one["mask"] = one.pop("cut")
            one["box"] = [0, 0, 1, 1]
    result = judge_parses(write(tmp_path / "masks.jsonl", lines), dataset, eye)
    assert score(result, "objects found", "benchmark 0.5").value == pytest.approx(1.0)
    assert score(result, "objects found", "benchmark 0.5").count == total
    assert score(result, "mAP", "benchmark").value == 0.0


def test_what_nobody_tells_is_not_judged(dataset: Path, tmp_path: Path) -> None:
    lines = [
        {"scene": line["scene"], "objects": [{"box": one["box"], "color": one["color"]} for one in line["objects"]]}
        for line in lines_of(dataset, "test")
    ]
    result = judge_parses(write(tmp_path / "parses.jsonl", lines), dataset, eye)
    assert {row.name for table in result.tables for row in table.rows} == {"objects found", "color"}


@pytest.mark.parametrize("given", ["masks", "attributes"])
def test_what_was_given_names_the_column_and_the_papers_figures_stand_beside_their_own(
    dataset: Path, tmp_path: Path, given: str
) -> None:
    path = write(tmp_path / "parses.jsonl", lines_of(dataset, "benchmark"), {"given": given})
    column = f"benchmark, {given} given"
    tables = {table.name: table for table in judge_parses(path, dataset, eye).tables}
    assert tables["what is seen"].columns == tables["what is read"].columns == [column]
    papers = {row.name: row.paper for name in ("what is seen", "what is read") for row in tables[name].rows}
    assert papers["material"] == ({column: 0.716} if given == "masks" else {})
    assert papers["picking"] == ({column: 0.577} if given == "attributes" else {})
    assert tables["average precision of boxes"].rows[0].paper == {"benchmark": 0.4498}


def test_a_dataset_that_shows_nothing_cannot_be_judged(dataset: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "parses.jsonl", lines_of(dataset, "test"))
    bare = household.build(tmp_path / "bare", imported=True)
    told = complaint(lambda: judge_parses(path, bare, eye))
    assert told == f"{bare}, scene 'test-000000': has no masks to judge by"


def test_other_scenes_than_those_of_household_objects_are_refused(dataset: Path, tmp_path: Path) -> None:
    class Blocks(Eye):
        def world(self, row: Mapping[str, Any]) -> World:
            return kit.world(0)

    told = complaint(lambda: list(shown_scenes(dataset, open_dataset(dataset), Blocks(), ["test"])))
    assert told == f"{dataset}: shows no household objects"


# The commands, and what bad input gets


@pytest.fixture
def shop(mereo: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.setattr("mereo.benchmarks.benchmark.inspector_of", eye)
    return mereo


def test_parses_are_written_and_judged_by_commands(dataset: Path, tmp_path: Path, shop: CommandLine) -> None:
    path = tmp_path / "noisy.jsonl"
    done = shop("parse", dataset, path, "--as", "noise", "--rate", "0.2", "--split", "test,benchmark")
    assert "parses of 12 scenes" in done.out
    header = json.loads(path.read_text().splitlines()[0])
    assert (header["kind"], header["settings"]["rate"]) == ("oracle", 0.2)
    done = shop("parsed", dataset, path, "--out", tmp_path / "tables.json")
    for word in ("mAP", "objects found", "mean distance error", "F1 of labels", "paper: benchmark 0.5"):
        assert word in done.out.replace("\n", " "), done.out
    result = json.loads((tmp_path / "tables.json").read_text())
    rows = {row["name"]: row for row in result["tables"][1]["rows"]}
    assert set(rows["overall"]["scores"]) == {"test 0.7", "test 0.5", "benchmark 0.7", "benchmark 0.5"}
    assert rows["overall"]["paper"]["test 0.7"] == 0.887
    shop("parsed", dataset, path, "--out", tmp_path / "tables.md", "--split", "test")
    assert "| objects found |" in (tmp_path / "tables.md").read_text()
    shop("parsed", dataset, path, "--out", tmp_path / "tables.csv", "--split", "test")
    lines = list(csv.DictReader((tmp_path / "tables.csv").read_text().splitlines()))
    assert {line["column"] for line in lines} == {"test", "test 0.7", "test 0.5"}
    assert shop("parsed", dataset, path, "--out", tmp_path / "tables.pdf", code=2).err.count("\n") == 1


def first(line: dict[str, Any], **values: Any) -> dict[str, Any]:
    return {**line, "objects": [{**line["objects"][0], **values}, *line["objects"][1:]]}


Damage = Callable[[list[dict[str, Any]]], list[Any]]


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda lines: [{**lines[0], "scene": "test-999999"}], "line 1, field 'scene': {} has no scene 'test-999999'"),
        (lambda lines: [*lines, lines[2]], "line 8, field 'scene': 'test-000002' is parsed in line 3 already"),
        (
            lambda lines: [lines[0], first(lines[1], box=[90, 3, 10, 4])],
            "line 2, field 'objects[0].box': [90, 3, 10, 4] is not within the picture of 96x64",
        ),
        (
            lambda lines: [first(lines[0], box=[-1, 3, 10, 4])],
            "line 1, field 'objects[0].box': [-1, 3, 10, 4] is not within the picture of 96x64",
        ),
        (
            lambda lines: [first(lines[0], color="redd")],
            "line 1, field 'objects[0].color': 'redd' is no color (did you mean 'red'?)",
        ),
        (
            lambda lines: [first(lines[0], attribute=["oven safe", "oven save"])],
            "line 1, field 'objects[0].attribute': 'oven save' is no attribute (did you mean 'oven safe'?)",
        ),
        (
            lambda lines: [first(lines[0], place=[0, 1e300])],
            "line 1, field 'objects[0].place': [0, 1e+300] is on no table",
        ),
        (
            lambda lines: [first(lines[0], mask={"size": [32, 48], "counts": [32 * 48]})],
            "line 1, field 'objects[0].mask.size': is of 48x32 pixels, the picture of 96x64",
        ),
        (
            lambda lines: [first(lines[0], mask={"size": [64, 96], "counts": [12]})],
            "line 1, field 'objects[0].mask.counts': are run lengths of 12 pixels, not of 6,144",
        ),
        (lambda lines: [{"scene": "test-000000"}], "line 1: object missing required field `objects`"),
        (lambda lines: [first(lines[0], box=[1, 2, 3])], "line 1, field 'objects[0].box': "),
        (
            lambda lines: [first(lines[0], score="high")],
            "line 1, field 'objects[0].score': expected `float`, got `str`",
        ),
        (lambda lines: [], ": holds no parses"),
        (
            lambda lines: [{"predictions": 1, "given": "everything"}, *lines],
            "line 1, field 'given': invalid enum value 'everything'",
        ),
        (
            lambda lines: [{"predictions": 1, "dataset": "0123456789abcdef"}, *lines],
            "line 1, field 'dataset': are predictions for another dataset (0123456789ab…)",
        ),
    ],
)
def test_a_bad_file_of_parses_is_named_by_line_and_nothing_is_written(
    dataset: Path, tmp_path: Path, shop: CommandLine, damage: Damage, told: str
) -> None:
    path, out = write(tmp_path / "parses.jsonl", damage(lines_of(dataset, "test"))), tmp_path / "tables.json"
    done = shop("parsed", dataset, path, "--out", out, code=2)
    assert told.format(dataset) in " ".join(done.err.split())
    assert not out.exists()


def test_parses_without_sense_are_refused_before_they_are_written(
    dataset: Path, tmp_path: Path, shop: CommandLine
) -> None:
    out = tmp_path / "parses.jsonl"
    assert "there is no parser 'psychic'" in shop("parse", dataset, out, "--as", "psychic", code=2).err
    assert "between 0 and 1" in shop("parse", dataset, out, "--as", "noise", "--rate", "1.5", code=2).err
    assert "there is no split 'tset'" in shop("parse", dataset, out, "--split", "tset", code=2).err
    assert not out.exists()


# Answers


def result_of(asked: Asked, given: list[Prediction | None]) -> Result:
    return judge_run(asked, Predictions(Header(), given), run="run", judging=JUDGING).result


def table_five(result: Result) -> dict[tuple[str, str], tuple[int, float]]:
    rows = next(table.rows for table in result.tables if table.name == "question types")
    return {(row.group, row.name): (row.questions, row.scores["accuracy"].value) for row in rows}


def test_table_five_has_the_five_types_of_both_kinds(asked: Asked) -> None:
    programs, answers = asked.words("program"), asked.words("answer")
    textual = [any(f"_{name}[" in text or f"_{name}(" in text for name in TEXTUAL) for text in programs]
    given: list[Prediction | None] = [
        Prediction(name, answer if read else "nonsense")
        for name, answer, read in zip(asked.ids, answers, textual, strict=True)
    ]
    found = table_five(result_of(asked, given))
    assert found["visual", "overall"] == (len(asked) - sum(textual), 0.0)
    assert found["textual", "overall"] == (sum(textual), 1.0)
    assert found["all", "overall"][0] == len(asked)
    for kind, first, last in (("visual", "count(filter_material", 0.0), ("textual", "count(filter_powering", 1.0)):
        assert found[kind, "count"] == (sum(text.startswith(first) for text in programs), last)
    for type in ("count", "exist", "query attribute"):
        assert found["all", type][0] == found["visual", type][0] + found["textual", type][0]
    assert ("visual", "compare attribute") not in found
    assert found["visual", "compare number"][0] == len({*asked.words("scene_id")})


def test_questions_about_grasps_stand_apart(asked: Asked) -> None:
    programs = asked.words("program")
    grasps = ["graspable(unique(filter_powering[non-powered](scene())))", "count(filter_reach[free](scene()))"]
    column = pa.chunked_array([pa.array([*grasps, *programs[2:]])])
    table = asked.table.set_column(asked.table.column_names.index("program"), "program", column)
    found = table_five(result_of(replace(asked, table=table), [None] * len(asked)))
    assert found["grasp", "grasp"] == (2, 0.0)
    assert found["all", "overall"] == (len(asked) - 2, 0.0)
    assert found["visual", "overall"][0] + found["textual", "overall"][0] == len(asked) - 2


def test_labels_may_be_listed_in_any_order_but_none_left_out(asked: Asked) -> None:
    listed = [place for place, text in enumerate(asked.words("program")) if text.startswith("query_attribute")]
    some = asked.take(listed)
    labels = [answer.split(", ") for answer in some.words("answer")]
    assert all(len(own) > 1 for own in labels)

    def said(form: Callable[[list[str]], str]) -> float:
        given: list[Prediction | None] = [
            Prediction(name, form(own)) for name, own in zip(some.ids, labels, strict=True)
        ]
        return result_of(some, given).overall.scores["accuracy"].value

    assert said(", ".join) == 1.0
    assert said(lambda own: ", ".join(reversed(own))) == 1.0
    assert said(lambda own: ", ".join(own[1:]) + f" and {own[0].upper()}.") == 1.0
    assert said(lambda own: ", ".join(own[1:])) == 0.0
    assert said(lambda own: ", ".join([*own, "sharp and rotating"])) == 0.0
    assert said(lambda own: "") == 0.0


def test_the_oracle_answers_everything_and_noise_makes_it_worse(asked: Asked) -> None:
    right = judge_run(asked, answer_by_oracle(asked, Eye()), run="oracle", judging=JUDGING)
    assert right.score.value == 1.0
    scores = []
    for amounts in ({"attributes": 0.1}, {"attributes": 0.5}, {"objects": 0.4}, {"masks": 3.0}, {"masks": 30.0}):
        noisy = answer_by_oracle(asked, Eye(), amounts=amounts, seed=4)
        assert noisy == answer_by_oracle(asked, Eye(), amounts=amounts, seed=4)
        scores.append(judge_run(asked, noisy, run="noise", judging=JUDGING).score.value)
    assert 1.0 > scores[0] > scores[1] > 0.0
    assert scores[2] < 1.0
    assert scores[3] == 1.0
    assert scores[4] < 0.7
