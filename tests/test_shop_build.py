"""SHOP-VRB as a whole: built, audited, damaged, judged, exported and brought back, and shown by the explorer."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from nicegui import Client, core, ui

import mereo as workbench
from fuzz_corpus import Half
from kit import CommandLine
from mereo.benchmarks.benchmark import inspector_of, listener_of
from mereo.benchmarks.shop import choice, stocking
from mereo.benchmarks.shop.kinds import kind_of
from mereo.benchmarks.shop.table import all_surfaces
from mereo.benchmarks.shop.texts import pages_of
from mereo.datasets.audit import audit_dataset
from mereo.datasets.build import build_dataset
from mereo.datasets.gates import Gate
from mereo.datasets.overlaps import Overlaps
from mereo.datasets.store import open_dataset, read_table, record_file, write_manifest, write_table
from mereo.explorer.catalog import Catalog
from mereo.explorer.pages import ask, reasoning, scene
from mereo.sheets import Sheet
from mereo.workbench import building

SPLITS = {"train": 1, "validation": 1, "test": 1, "benchmark": 1}
TINY: dict[str, Any] = {"split": ",".join(f"{name}={count}" for name, count in SPLITS.items()), "seed": 11}
SMALL: dict[str, Any] = {"split": "train=1,test=1", "size": "96x64", "samples": 8, "seed": 11}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four scenes without pictures."""
    return workbench.build("shop", tmp_path_factory.mktemp("shop") / "set", symbolic=True, **TINY).folder


@pytest.fixture(scope="module")
def pictured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two scenes with small pictures."""
    return workbench.build("shop", tmp_path_factory.mktemp("shop") / "pictured", **SMALL).folder


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def rows(folder: Path, kind: str) -> list[dict[str, Any]]:
    paths = sorted((folder / kind).iterdir())
    return [row for path in paths for row in read_table(path).to_pylist()]


def complaints(folder: Path) -> list[str]:
    return audit_dataset(folder, inspector_of(open_dataset(folder))).complaints


# Building


def test_all_splits_have_their_scenes_and_all_kinds_of_questions(dataset: Path) -> None:
    manifest = open_dataset(dataset)
    assert dict(manifest.scenes) == SPLITS
    assert (manifest.benchmark, manifest.settings["preset"]) == ("shop", "tiny")
    scenes = {row["scene_id"]: row for row in rows(dataset, "scenes")}
    assert set(scenes) == {f"{split}-{index:06d}" for split, count in SPLITS.items() for index in range(count)}
    for scene_id, row in scenes.items():
        record = json.loads(row["scene"])
        assert f"{row['split']}-{row['index']:06d}" == scene_id
        assert (record["split"], record["image_index"]) == (row["split"], row["index"])
        assert record["image_filename"] == f"SHOP_VRB_{row['split']}_{row['index']:06d}.png"
        assert 3 <= row["objects"] == len(record["objects"]) <= 7
        for thing in record["objects"]:
            assert thing["description"] in pages_of(thing["name"], thing, split=row["split"])
            assert "grasp" in thing
    asked = rows(dataset, "questions")
    for scene_id, row in scenes.items():
        own = [one for one in asked if one["scene_id"] == scene_id]
        assert [one["question_id"] for one in own] == [f"{scene_id}-{number:02d}" for number in range(len(own))]
        assert Counter(map(kind_of, own)) == {"visual": 20, "textual": 10, "grasp": 2}
        assert {one["split"] for one in own} == {row["split"]}
    types = {"count", "exist", "compare_integer", "compare_attribute", "query_attribute"}
    assert {row["type"] for row in asked} == types


def test_two_workers_make_the_same_bytes_as_one(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    given = ("--split", TINY["split"], "--seed", "11", "--symbolic", "--workers", "2")
    done = mereo("build", "shop", tmp_path / "two", *given)
    assert "128 questions about 4 scenes (train 1, validation 1, test 1, benchmark 1)" in done.out
    assert content(tmp_path / "two") == content(dataset)


def test_a_build_that_was_stopped_goes_on_and_ends_in_the_same_bytes(
    dataset: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    planned = building.plan_build("shop", symbolic=True, **TINY)
    with pytest.raises(InterruptedError):
        build_dataset(
            planned.recipe, tmp_path / "set", splits=planned.splits, shard_size=planned.shard_size, crew=Half()
        )
    assert not (tmp_path / "set" / "dataset.json").exists()
    mereo("build", "shop", tmp_path / "set", "--split", TINY["split"], "--seed", "11", "--symbolic", "--resume")
    assert content(tmp_path / "set") == content(dataset)


# Auditing


def test_an_audit_finds_nothing_wrong(dataset: Path, pictured: Path, mereo: CommandLine) -> None:
    assert "4 scenes and 128 questions: nothing is wrong" in mereo("audit", dataset).out
    assert "2 scenes and 64 questions: nothing is wrong" in mereo("audit", pictured).out


def damaged(source: Path, folder: Path, shard: str, change: Callable[[dict[str, Any]], None]) -> Path:
    """A copy in which one row is changed behind a right checksum. shard : as `scenes/test`, of which it is the first"""
    shutil.copytree(source, folder)
    path = folder / f"{shard}-00000.parquet"
    table = read_table(path)
    found = table.to_pylist()
    change(found[0])
    write_table(path, {name: [row[name] for row in found] for name in table.column_names}, table.schema)
    manifest, name = open_dataset(folder), path.relative_to(folder).as_posix()
    files = {**manifest.files, name: record_file(path)}
    write_manifest(folder, msgspec.structs.replace(manifest, files=files))
    return folder


def with_record(change: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
    """A change to a scene's record as one to its row."""

    def changed(row: dict[str, Any]) -> None:
        record = json.loads(row["scene"])
        change(record)
        row["scene"] = json.dumps(record)

    return changed


@with_record
def recolor(record: dict[str, Any]) -> None:
    thing = record["objects"][1]
    thing["color"] = "transparent" if thing["color"] != "transparent" else "gray"


@with_record
def power(record: dict[str, Any]) -> None:
    thing = record["objects"][1]
    thing["powering"] = "non-powered" if thing["powering"] == "socket-powered" else "socket-powered"


@with_record
def relabel(record: dict[str, Any]) -> None:
    record["objects"][1]["attribute"].pop()


@with_record
def reshape(record: dict[str, Any]) -> None:
    record["objects"][1]["model"]["split"] = "train"


@with_record
def strip(record: dict[str, Any]) -> None:
    del record["objects"][1]["description"]


@with_record
def borrow(record: dict[str, Any]) -> None:
    thing = record["objects"][1]
    thing["description"] = pages_of(thing["name"], thing, split="train")[0]


@with_record
def shapeless(record: dict[str, Any]) -> None:
    del record["objects"][1]["model"]


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        (recolor, "color", "no new model of a "),
        (power, "powering", "like this is "),
        (relabel, "attribute", "like this is "),
        (reshape, "model", "is no shape that a "),
        (shapeless, "model", "is no shape that a "),
        (strip, "description", "is no page of benchmark about a "),
        (borrow, "description", "is no page of benchmark about a "),
    ],
)
def test_what_cannot_be_is_found_with_scene_object_and_field(
    dataset: Path, tmp_path: Path, change: Callable[[dict[str, Any]], None], field: str, reason: str
) -> None:
    found = complaints(damaged(dataset, tmp_path / "set", "scenes/benchmark", change))
    assert found
    assert found[0].startswith("benchmark-000000: object 1, ") or "'benchmark-000000'" in found[0], found
    assert f"object 1, field '{field}': " in found[0]
    assert reason in found[0]


def test_a_class_without_a_family_in_a_split_is_found(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = json.loads(rows(dataset, "scenes")[0]["scene"])["objects"][0]["name"]
    families = choice._families()
    fewer = {**families, "test": {key: own for key, own in families["test"].items() if key != name}}
    monkeypatch.setattr(choice, "_families", lambda: fewer)
    (found,) = complaints(dataset)
    assert "benchmark-000000" in found
    assert f"object 0, field 'name': there is no family of a {name} in benchmark" in found


def test_a_changed_answer_is_found_with_its_question(dataset: Path, tmp_path: Path) -> None:
    def wrong(row: dict[str, Any]) -> None:
        row["answer"] = "no" if row["answer"] == "yes" else "yes"

    found = complaints(damaged(dataset, tmp_path / "set", "questions/test", wrong))
    assert any(one.startswith("test-000000-00: ") for one in found)


def test_a_picture_that_disagrees_with_its_record_is_found(pictured: Path, tmp_path: Path) -> None:
    @with_record
    def moved(record: dict[str, Any]) -> None:
        record["objects"][2]["pixel_coords"][0] += 3

    found = complaints(damaged(pictured, tmp_path / "moved", "scenes/test", moved))
    assert found == ["test-000000: object 2 is not where pixel_coords says"]

    def unseen(row: dict[str, Any]) -> None:
        key = json.loads(row["instance_key"])
        row["instance_key"] = json.dumps([[1 if own[0] == 2 else own[0], *own[1:]] for own in key])

    found = complaints(damaged(pictured, tmp_path / "unseen", "scenes/test", unseen))
    assert any(one.startswith("test-000000: object 2 shows 0 pixels") for one in found)


# What splits share


def shared(watch: Overlaps, texts: dict[str, list[str]]) -> tuple[dict[str, Gate], Sheet]:
    for split, asked in texts.items():
        questions = [{"split": split, "question": text, "program": "count(scene())"} for text in asked]
        for start in range(0, len(questions), 100):
            watch.look({"split": split}, questions[start : start + 100])
    (sheet,) = watch.sheets()
    return {gate.name: gate for gate in watch.gates()}, sheet


def test_overlaps_are_those_of_plain_sets() -> None:
    texts = {
        "train": [f"{n % 1500}?" for n in range(3000)],
        "test": [f"{n}?" for n in range(1490, 2090)],
        "benchmark": [f"{n}?" for n in range(2000, 2600)],
        "validation": [f"{n}?" for n in range(40)],
    }
    gates, sheet = shared(Overlaps(kind_of, against=("train", "benchmark"), most=0.015), texts)
    plain = {split: set(asked) for split, asked in texts.items()}
    table = {row[0]: dict(zip(sheet.headings[1:], row[1:], strict=True)) for row in sheet.rows}
    for split, asked in texts.items():
        assert table["visual questions"][split] == f"{len(asked):,}"
        assert table["unique visual questions"][split] == f"{len(plain[split]):,}"
        assert table["scenes"][split] == str(-(-len(asked) // 100))
        for other in ("train", "benchmark"):
            said = "" if split == other else f"{len(plain[split] & plain[other])}"
            assert table[f"visual overlap with {other}"][split] == said
    found = {name: (gate.found, gate.met) for name, gate in gates.items()}
    assert found == {
        "visual texts of test that stand in train": (pytest.approx(10 / 600), False),
        "visual texts of benchmark that stand in train": (0.0, True),
        "visual texts of validation that stand in train": (None, None),
        "visual texts of test that stand in benchmark": (pytest.approx(90 / 600), False),
        "visual texts of validation that stand in benchmark": (None, None),
    }


def test_the_sheet_of_an_audit_is_told_as_json_and_in_notebooks(dataset: Path, mereo: CommandLine) -> None:
    (sheet,) = json.loads(mereo("audit", dataset, "--json").out)["sheets"]
    assert set(sheet["headings"][1:]) == set(SPLITS)
    table = {row[0]: dict(zip(sheet["headings"][1:], row[1:], strict=True)) for row in sheet["rows"]}
    asked = rows(dataset, "questions")
    for kind, each in (("visual", 20), ("textual", 10), ("grasp", 2)):
        texts = {
            split: {row["question"] for row in asked if (row["split"], kind_of(row)) == (split, kind)}
            for split in SPLITS
        }
        for split, count in SPLITS.items():
            assert table["scenes"][split] == str(count)
            assert table[f"{kind} questions"][split] == str(count * each)
            assert table[f"unique {kind} questions"][split] == str(len(texts[split]))
    page = workbench.audit(dataset)._repr_html_()
    assert "textual overlap with benchmark" in page


# Judging


def accuracy(folder: Path, run: str) -> float:
    result = json.loads((folder / "runs" / run / "result.json").read_text())
    value: float = result["overall"]["scores"]["accuracy"]["value"]
    return value


def test_the_oracle_is_right_noise_makes_it_worse_and_the_blind_are_below(
    dataset: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    folder = shutil.copytree(dataset, tmp_path / "set")
    said = mereo("oracle", folder).out
    for row in ("visual: overall", "textual: overall", "all: overall", "grasp"):
        assert row in said
    mereo("oracle", folder, "--noise", "attributes=0.02")
    mereo("baseline", folder)
    blind = max(accuracy(folder, run) for run in ("frequent-by-type", "frequent-by-template", "nearest-question"))
    assert accuracy(folder, "oracle") == 1.0 > accuracy(folder, "oracle-attributes=0.02") > blind
    assert "oracle" in mereo("evaluate", folder, "oracle", "frequent-by-type").out


def test_exported_pictures_are_verified_and_judged_by_parses_after_they_are_imported(
    pictured: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    out = tmp_path / "out"
    mereo("export", pictured, out, "--to", "shop_vrb")
    for split in ("train", "test"):
        for kind in ("questions", "text_questions"):
            files = ("--scenes", out / "scenes" / f"SHOP_VRB_{split}_scenes.json")
            questions = ("--questions", out / "questions" / f"SHOP_VRB_{split}_{kind}.json")
            assert mereo("verify", "--language", "shop_vrb", *files, *questions).out.count("(100%)") == 2
    mereo("import", "shop_vrb", out, tmp_path / "again")
    assert "2 scenes and 60 questions: nothing is wrong" in mereo("audit", tmp_path / "again").out
    for folder in (pictured, tmp_path / "again"):
        mereo("parse", folder, tmp_path / "parses.jsonl", "--split", "test")
        mereo("parsed", folder, tmp_path / "parses.jsonl", "--out", tmp_path / "tables.json")
        tables = json.loads((tmp_path / "tables.json").read_text())["tables"]
        scores = {row["name"]: row["scores"] for table in tables for row in table["rows"]}
        for name in ("mAP", "objects found", "overall", "powering", "F1 of labels, averaged"):
            assert {score["value"] for score in scores[name].values()} == {1.0}
        assert {score["value"] for score in scores["mean distance error"].values()} == {0.0}


# The explorer


def shown(make: Callable[..., None], *given: object) -> str:
    """All that a page says, as a visit builds it."""

    async def visit() -> str:
        core.loop = asyncio.get_running_loop()
        with Client(ui.page("")) as client:
            make(*given)
        said = [str(value) for element in client.elements.values() for value in told(element)]
        client.delete()
        return "\n".join(said)

    return asyncio.run(visit())


def told(element: ui.element) -> Sequence[object]:
    return element.props.get("innerHTML", ""), getattr(element, "text", "") or ""


def test_the_page_of_a_scene_shows_what_is_written_about_each_object(dataset: Path) -> None:
    row = rows(dataset, "scenes")[0]
    page = shown(scene.page, Catalog([dataset]), 0, row["scene_id"], {})
    for number, thing in enumerate(json.loads(row["scene"])["objects"]):
        assert f'data-written="{number}"' in page
        assert thing["description"].replace("'", "&#x27;") in page.replace("&quot;", '"').replace("&amp;", "&")


def test_reasoning_shows_what_is_written_about_what_a_textual_question_refers_to(dataset: Path) -> None:
    asked = next(
        row for row in rows(dataset, "questions") if row["program"].startswith("query_") and kind_of(row) == "textual"
    )
    record = next(json.loads(row["scene"]) for row in rows(dataset, "scenes") if row["scene_id"] == asked["scene_id"])
    page = shown(reasoning.page, Catalog([dataset]), 0, asked["scene_id"], {"question": asked["question_id"]})
    assert "What is written" in page
    (meant,) = asked["referred"][-2]
    assert record["objects"][meant]["description"][:30].replace("'", "&#x27;") in page


def test_plain_questions_are_understood_where_they_are_asked(dataset: Path) -> None:
    catalog = Catalog([dataset])
    row = rows(dataset, "scenes")[0]
    assert "In plain words" in shown(ask.page, catalog, 0, row["scene_id"], {})
    language = catalog.dataset(0).language
    assert language is not None
    listener = listener_of(language.name)
    assert listener is not None
    world = catalog.world(0, catalog.scene_row(0, row["scene_id"]))
    for question, program in (
        ("Is there a kettle?", "exist(filter_name[kettle](scene()))"),
        ("How many knives are there?", "count(filter_name[knife](scene()))"),
        ("How heavy is the pan?", "query_weight(unique(filter_name[pan](scene())))"),
    ):
        understood = listener.understand(question, world).program
        assert str(understood) == program


# Commands


def test_shapes_and_textures_are_stocked_ahead(mereo: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    (shape, *_), (surface, *_) = list(choice.all_shapes()), list(all_surfaces())
    monkeypatch.setattr(stocking, "all_shapes", lambda: [shape])
    monkeypatch.setattr(stocking, "all_surfaces", lambda: [surface])
    made: list[object] = []
    monkeypatch.setattr(stocking, "texture_bytes", made.append)
    monkeypatch.setattr(stocking, "hull_of", made.append)
    assert " files" in mereo("stock", "shop").out
    assert made == [surface, shape]


def test_both_languages_are_listed_and_run(mereo: CommandLine, tmp_path: Path, dataset: Path) -> None:
    listed = {line.split()[0] for line in mereo("functions").out.splitlines() if line.strip()}
    assert {"shop", "shop_vrb"} <= listed
    row = rows(dataset, "scenes")[0]
    (tmp_path / "scene.json").write_text(row["scene"])
    for language in ("shop", "shop_vrb"):
        assert "query_disassembly" in mereo("functions", language).out
        done = mereo("run", "count(scene())", "--language", language, "--world", tmp_path / "scene.json")
        assert str(row["objects"]) in done.out
