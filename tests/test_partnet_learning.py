"""PartNet's tasks learned from shapes: examples are what is true, and rows and studies come to their tables."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mereo as workbench
from kit import ROOT, CommandLine, complaint, run_script
from mereo.benchmarks.partnet.clouds import cloud_of
from mereo.benchmarks.partnet.labels import categories, read_labels
from mereo.benchmarks.partnet.learning import LEARNING
from mereo.benchmarks.partnet.learning.hierarchical_rows import HIERARCHICAL_ROWS, ballot
from mereo.benchmarks.partnet.learning.instance_rows import INSTANCE_ROWS
from mereo.benchmarks.partnet.names import HIERARCHICAL, INSTANCE, SEMANTIC, AskedSet
from mereo.datasets.reading import split_rows
from mereo.datasets.store import open_dataset
from mereo.training.row import Desk
from mereo.workbench.judging import evaluate
from mereo.workbench.learning import train
from mereo.workbench.reproduced import Reproduced
from mereo.workbench.reproducing import reproduce
from mereo.workbench.sizes import sample_desk
from mereo.workbench.studies import cost_of, plan_reproduction

torch = pytest.importorskip("torch")

from mereo.benchmarks.partnet.inspect import PartNetInspector  # noqa: E402
from mereo.benchmarks.partnet.learning.every_set import EverySetSource  # noqa: E402
from mereo.benchmarks.partnet.learning.set_source import (  # noqa: E402
    SetSource,
    deepest,
    part_instances,
    point_labels,
    shapes_of,
)
from mereo.benchmarks.partnet.learning.sets import chosen_sets, labels_for  # noqa: E402
from mereo.models.points.backbones import PointNet2  # noqa: E402
from mereo.models.points.hierarchy import Tree, voted  # noqa: E402
from mereo.training.corpus import Corpus  # noqa: E402
from mereo.training.run import Run  # noqa: E402

SMALL: dict[str, Any] = {"width": 4, "batch": 4, "passes": 2.0}
SIZES: dict[str, dict[str, float]] = {
    "part_masks": {"masks": 8},
    "mask_queries": {"queries": 8, "layers": 1, "passes": 30.0},
}


@pytest.fixture(scope="module")
def shapes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("parts") / "set"
    chosen: dict[str, Any] = {"split": "train=9,test=4", "categories": "mug,bottle", "points": 128}
    return workbench.build("partnet", place, **chosen).folder


def desk_of(shapes: Path, **choices: Any) -> Desk:
    manifest = open_dataset(shapes)
    corpus = Corpus(shapes, PartNetInspector(manifest), torch.device("cpu"))
    return Desk(corpus, corpus.lexicon(), torch.device("cpu"), choices=choices)


def desk_of_nothing() -> Desk:
    """A desk without data, on which all was chosen."""
    own = sample_desk("partnet")
    return Desk(own.corpus, own.lexicon, own.device, choices={"category": "all"})


# Examples


def test_sets_are_all_levels_of_all_categories_that_are_chosen(shapes: Path) -> None:
    def names(task: str, **choices: Any) -> list[str]:
        return [own.name for own in chosen_sets(desk_of(shapes, **choices), task)]

    assert names(SEMANTIC) == ["semantic chair-1", "semantic chair-2", "semantic chair-3"]
    assert names(INSTANCE, category="mug,bottle") == ["instance mug-1", "instance bottle-1", "instance bottle-3"]
    assert names(INSTANCE, category="bottle", level=3) == ["instance bottle-3"]
    assert len(names(SEMANTIC, category="all")) == 50
    assert names(HIERARCHICAL, category="bottle,mug") == ["hierarchical bottle", "hierarchical mug"]
    assert len(names(HIERARCHICAL, category="all")) == 17


def test_examples_are_the_shapes_and_what_is_true_of_them(shapes: Path) -> None:
    desk = desk_of(shapes, category="bottle,mug")
    manifest = open_dataset(shapes)
    labels = read_labels(manifest)
    clouds = {
        row["scene_id"]: cloud_of(row, labels) for row in split_rows(shapes, manifest, ["train"], heavy=("leaf",))
    }

    def examples(task: str, truth: Any) -> SetSource:
        return shapes_of(desk, "train", chosen_sets(desk, task), truth)

    flat, tree, parts = (
        examples(SEMANTIC, point_labels),
        examples(HIERARCHICAL, deepest),
        examples(INSTANCE, part_instances),
    )
    assert (flat.kinds, tree.kinds, len(parts)) == ([4, 4, 5], [4, 5], 13)
    for source in (flat, tree, parts):
        for number, own in enumerate(source.sets):
            places = source.places(number)
            batch = source.batch(places)
            assert int(batch["set"]) == number
            for row, place in enumerate(places.tolist()):
                cloud = clouds[source.name(place)]
                assert cloud.record.category == own.category
                told = {name: value[row].numpy() for name, value in batch.items() if name != "set"}
                _check(own, cloud, told)


def _check(own: AskedSet, cloud: Any, told: dict[str, Any]) -> None:
    """That what is told of a shape in a batch is what its record says."""
    if own.task == SEMANTIC:
        assert (told["label"] == cloud.semantic(own.level)).all()
    elif own.task == HIERARCHICAL:
        ways = Tree(labels_for(own.category).parents).ways.numpy()
        assert (ways[told["node"]] == cloud.hierarchy()).all()
    else:
        truth, other = cloud.true(own.level)
        assert ((told["instance"] == 0) == other).all()
        masks = told["instance"] == np.arange(1, len(told["part"]) + 1)[:, None]
        assert (masks[: len(truth.mask)] == truth.mask).all()
        assert told["part"].tolist() == [*truth.label, *[-1] * (len(masks) - len(truth.mask))]


def test_shapes_of_all_sets_stand_in_a_batch_together(shapes: Path) -> None:
    desk = desk_of(shapes, category="bottle,mug")
    sets = chosen_sets(desk, INSTANCE)
    own = shapes_of(desk, "train", sets, part_instances)
    with torch.device("meta"):
        looking = PointNet2(8)
    numbers = {one: 7 - number for number, one in enumerate(sets)}
    every = EverySetSource(desk.corpus, "train", numbers, part_instances, looking)
    places = torch.tensor([12, 0, 5, 9, 4])
    batch = every.batch(places)
    for row, place in enumerate(places.tolist()):
        alone = own.batch(torch.tensor([place]))
        assert every.name(place) == own.name(place)
        assert int(batch["category"][row]) == 7 - int(alone["set"])
        for name in alone.keys() - {"set", "part"}:
            assert torch.equal(batch[name][row], alone[name][0]), name
        count = alone["part"].shape[1]
        assert batch["part"][row].tolist() == [*alone["part"][0].tolist(), *[-1] * (batch["part"].shape[1] - count)]


def test_clouds_of_all_sets_of_a_category_are_kept_once(shapes: Path) -> None:
    desk = desk_of(shapes, category="bottle")
    source = shapes_of(desk, "train", chosen_sets(desk, SEMANTIC), point_labels)
    first, second = (source.batch(source.places(number)) for number in range(2))
    assert torch.equal(first["cloud"], second["cloud"])
    assert not torch.equal(first["label"], second["label"])
    assert first["floor_0_centers"].shape == (4, 128)


def test_networks_that_are_right_at_every_level_elect_the_right_ways(tmp_path: Path) -> None:
    names = [own.category for own in chosen_sets(desk_of_nothing(), HIERARCHICAL)]
    chosen: dict[str, Any] = {"split": "test=34", "categories": ",".join(names), "points": 200}
    folder = workbench.build("partnet", tmp_path / "set", **chosen).folder
    manifest = open_dataset(folder)
    labels, told = read_labels(manifest), 0
    for row in split_rows(folder, manifest, ["test"], heavy=("leaf",)):
        cloud = cloud_of(row, labels)
        levels = [AskedSet(SEMANTIC, cloud.record.category, level) for level in cloud.labels.levels]
        said = [torch.from_numpy(cloud.semantic(own.level or 0)).long() for own in levels]
        scores = [_sure_of(one, len(cloud.labels.at(own.level or 0))) for one, own in zip(said, levels, strict=True)]
        tree = Tree(cloud.labels.parents)
        best = voted([score[None] for score in scores], [torch.tensor(ballot(own)) for own in levels])[0]
        found, true = tree.ways[tree.leaves][best].numpy(), cloud.hierarchy()
        ends = true[:, tree.leaves].any(1) & (torch.stack(said) > 0).any(0).numpy()
        assert (found == true)[ends].all(), cloud.record.category
        told += int(ends.sum())
    assert told > 0.9 * 34 * 200


def _sure_of(label: Any, parts: int) -> Any:
    """(n, parts): almost 1 for the true part, and the same for all at unlabeled points. label : (n,), from 1"""
    wrong = torch.full((len(label), parts + 1), 1e-3)
    wrong[torch.arange(len(label)), label] = 1
    return wrong[:, 1:] / wrong[:, 1:].sum(1, keepdim=True)


# Rows


@pytest.mark.parametrize(
    ("row", "task", "chosen", "expected"),
    [
        (
            "pointnet2",
            SEMANTIC,
            "bottle,mug",
            ["bottle: all levels", "bottle: level 1", "bottle: level 3", "mug: level 1"],
        ),
        *((row.name, HIERARCHICAL, "bottle", ["bottle: all levels"]) for row in HIERARCHICAL_ROWS),
        *((row.name, INSTANCE, "mug", ["mug: level 1"]) for row in INSTANCE_ROWS),
    ],
)
def test_rows_go_from_a_dataset_to_its_tables(
    row: str, task: str, chosen: str, expected: list[str], shapes: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    sizes = {"category": chosen, **SMALL, **SIZES.get(row, {})}
    settings = [word for name, value in sizes.items() for word in ("--set", f"{name}={value}")]
    mereo("train", row, shapes, "--out", tmp_path / row, *settings, "--device", "cpu")
    mereo("predict", tmp_path / row, shapes, "--device", "cpu", "--tables", "0")
    said = tmp_path / row / "predictions" / f"{row}.jsonl"
    shown = mereo("evaluate", shapes, said, "--tables", "6", "--name", f"{row}-again").out
    assert f"{task} segmentation" in shown
    judged = evaluate(shapes, [said], name=row, replace=True)[0]
    table = next(one for one in judged.result.tables if one.name == f"{task} segmentation")
    rows = [f"{line.group}: {line.name}" for line in table.rows if line.group]
    assert rows == expected
    assert all(0 <= line.scores["part"].value <= 1 for line in table.rows)
    others = [one.name for one in judged.result.tables if one.name.endswith("segmentation")]
    assert others == [f"{task} segmentation"]
    if row in ("sgpn", "mask_queries"):  # groups are others on every shape, and queries are the same
        parts = [part for line in said.read_text().splitlines()[1:] for part in json.loads(line)["answer"].split(", ")]
        assert {"@" in part for part in parts} == {row == "mask_queries"}


def test_one_row_finds_the_parts_of_all_categories_at_all_levels(shapes: Path, tmp_path: Path) -> None:
    workbench.train("queries_all", shapes, tmp_path / "run", device="cpu", queries=8, layers=1, **SMALL)
    judged = workbench.predict(tmp_path / "run", shapes, device="cpu")
    table = next(one for one in judged.result.tables if one.name == "instance segmentation")
    rows = [f"{line.group}: {line.name}" for line in table.rows if line.group]
    assert rows == ["bottle: all levels", "bottle: level 1", "bottle: level 3", "mug: level 1"]
    assert all(0 <= line.scores["part"].value <= 1 for line in table.rows)
    asked = [one is not None for one in judged.predictions.given]
    assert sum(asked) == 6  # two mugs at one level, two bottles at two


def test_what_one_row_has_learned_of_points_is_lent_to_another(shapes: Path, tmp_path: Path) -> None:
    chosen = {"category": "bottle", **SMALL}
    train("parts_ensemble", shapes, tmp_path / "votes", device="cpu", choices=chosen)
    train("sgpn", shapes, tmp_path / "groups", device="cpu", choices=chosen, lenders=[tmp_path / "votes"])
    assert Run.open(tmp_path / "groups").lent == {"labels": "votes"}


def test_other_backbones_plug_in_by_name(shapes: Path, tmp_path: Path) -> None:
    chosen = {"category": "mug", "backbone": "pointnet", **SMALL}
    workbench.train("parts_top_down", shapes, tmp_path / "run", device="cpu", **chosen)
    kept = torch.load(tmp_path / "run" / "nodes" / "weights.pt", weights_only=True)["network"]
    assert any("turn_features" in name for name in kept)


@pytest.mark.parametrize(
    ("row", "choices", "reason"),
    [
        ("part_masks", {"masks": 0}, "field 'masks': must be at least 1, not 0"),
        ("mask_queries", {"queries": 0}, "field 'queries': must be at least 1, not 0"),
        ("mask_queries", {"layers": -1}, "field 'layers': must be at least 1, not -1"),
        ("parts_top_down", {"width": 0}, "field 'width': must be at least 1, not 0"),
        ("parts_bottom_up", {"backbone": "pointnet3"}, "there is no backbone 'pointnet3' (did you mean 'pointnet'?)"),
        ("sgpn", {"category": "muck"}, "there is no category with a grammar 'muck'"),
        ("sgpn", {"category": "mug", "level": 2}, "there is no level of segmentation '2'"),
        ("part_masks", {"category": "mug,chair"}, "there is no category in this dataset named 'chair'"),
    ],
)
def test_choices_that_cannot_be_are_one_sentence(
    row: str, choices: dict[str, Any], reason: str, shapes: Path, tmp_path: Path
) -> None:
    chosen = {"category": "mug", **choices}
    said = complaint(lambda: train(row, shapes, tmp_path / "run", device="cpu", choices=chosen))
    assert reason in str(said)


# Studies


@pytest.mark.parametrize("study", LEARNING.studies, ids=lambda study: study.name)
def test_every_study_can_be_planned_at_every_scale(tmp_path: Path, study: Any) -> None:
    columns = {column.name for column in study.columns}
    assert all(set(own) <= columns for own in study.published.values())
    by_category = [row.name for row in LEARNING.rows if row.name in study.rows and "category" in row.choices]
    for scale, size in study.scales.items():
        plan = plan_reproduction(f"partnet/{study.name}", tmp_path / scale, scale=scale)
        assert cost_of(plan)
        assert all(size.choices[row]["category"] != "chair" for row in by_category)


@pytest.mark.parametrize("measure", ["part", "shape"])
@pytest.mark.parametrize("name", ["table3", "table5"])
def test_the_published_averages_are_those_of_their_categories(name: str, measure: str) -> None:
    study = next(study for study in LEARNING.studies if study.name == name)
    own = {column.kind: column.name for column in study.columns if column.measure == measure}
    kinds = [column for kind, column in own.items() if ":" in kind]
    assert len(kinds) == 24
    for scores in study.published.values():
        assert set(own.values()) <= set(scores)
        assert scores[own["average"]] == pytest.approx(np.mean([scores[kind] for kind in kinds]), abs=0.1)


def test_every_column_of_a_study_is_a_row_of_the_judges_tables(mereo: CommandLine, tmp_path: Path) -> None:
    mereo("build", "partnet", tmp_path / "set", "--split", "train=24,test=24", "--points", "64")
    mereo("label-parts", tmp_path / "set", tmp_path / "said.jsonl", "--as", "frequent")
    result = evaluate(tmp_path / "set", [tmp_path / "said.jsonl"])[0].result
    tables = {
        table.name: {f"{row.group}: {row.name}" if row.group else row.name: row.scores for row in table.rows}
        for table in result.tables
    }
    for study in LEARNING.studies:
        rows = tables[study.table]
        assert all(column.measure in rows[column.kind] for column in study.columns)
        known = {column.kind.partition(":")[0].replace(" ", "_") for column in study.columns if ":" in column.kind}
        assert known == {name for name in categories() if study.name != "table4" or len(labels_for(name).levels) > 1}
        for category in known & {"chair", "vase"}:
            levels = labels_for(category).levels if study.name != "table4" else ()
            each = [rows[f"{category}: level {level}"]["part"].value for level in levels]
            assert not each or rows[f"{category}: all levels"]["part"].value == pytest.approx(np.mean(each))


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Reproduced:
    out = tmp_path_factory.mktemp("study") / "out"
    return reproduce(plan_reproduction("partnet/table4", out, rows=["parts_top_down"], minutes=0.02, device="cpu"))


def test_a_study_is_made_again_in_one_call(study: Reproduced) -> None:
    assert study.names == ["Top-down"]
    own = study.score("Top-down")
    assert own is not None
    assert 0 < own.value < 1
    assert study.published("Top-down") == 50.8
    assert study.score("Top-down", "Bott") is not None
    assert study.score("Top-down", "Chair") is None
    assert (study.folder / "table.md").exists()


PAGE = """Before.
<!-- table3 -->
<!-- end -->
<!-- table4 -->
stale
<!-- end -->
<!-- levels: Bottles in colors -->
<!-- end -->
<!-- not run: it takes long -->
<!-- masks: Chairs in colors -->
![Chairs in colors](partnet/masks.jpg)
<!-- end -->
<!-- learned -->
<!-- end -->
"""


def test_a_page_of_results_has_what_was_measured_and_drawn(
    study: Reproduced, tmp_path: Path, mereo: CommandLine
) -> None:
    page, kept, out = tmp_path / "partnet.md", tmp_path / "partnet", study.folder.parent
    page.write_text(PAGE)
    kept.mkdir()
    run = ["--runs", "table4-parts_top_down", "--task", "hierarchical"]
    mereo("draw-parts", out / "data" / "main", kept / "levels.jpg", "--by", "level", *run)
    for _ in range(2):
        run_script(ROOT / "docs" / "results.py", out, "--pages", tmp_path)
        three, four, levels, masks, learned, after = page.read_text().removeprefix("Before.\n").split("<!-- end -->\n")
        assert after == ""
        assert three == "<!-- table3 -->\n"
        assert re.search(r"\n\| Top-down \| M \| [\d.]+ \[[\d.]+, [\d.]+\] \| 50\.8 \| ", four)
        assert re.search(r"\n\| Bed \| – \(41\.1\) \|\n\| Bott \| [\d.]+ \[[\d.]+, [\d.]+\] \(56\.2\) \|\n", four)
        assert "stale" not in four
        assert levels == "<!-- levels: Bottles in colors -->\n![Bottles in colors](partnet/levels.jpg)\n"
        assert masks == "<!-- not run: it takes long -->\n<!-- masks: Chairs in colors -->\n"
        assert "\n| parts_top_down | nodes |" in learned
