"""`mereo build`: the same bytes whoever builds, also after a kill; whole or nothing; and all of it true."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

import naive
from kit import CommandLine, mereo_process
from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.clevr_family.language import VOCABULARY
from mereo.clevr_family.nodes import node_records
from mereo.clevr_family.records import world_from_record
from mereo.datasets.answers import plain_answer
from mereo.datasets.build import build_dataset
from mereo.datasets.footer import LAYOUT
from mereo.datasets.splits import share_out
from mereo.datasets.store import open_dataset
from mereo.datasets.workers import LocalCrew
from mereo.errors import BadInput
from mereo.programs import execute

SPLITS = "train=60,val=25,test=25"


def content(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, hidden ones too."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def rows(folder: Path, kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pyarrow.dataset.dataset(folder / kind, format="parquet").to_table().to_pylist()
    return found


def arguments(out: Path, *more: str) -> list[str | Path]:
    return ["build", "clevr", out, "--split", SPLITS, "--symbolic", "--seed", "4", *more]


def build(*given: str | Path, cwd: Path) -> str:
    """Build in a process of its own, and give what it says."""
    child = mereo_process(*given, cwd=cwd)
    out, err = child.communicate()
    assert child.returncode == 0, out + err
    return out


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished dataset that nothing disturbed, made by one worker."""
    folder = tmp_path_factory.mktemp("built")
    assert "1,100 questions about 110 scenes" in build(*arguments(folder / "clevr"), cwd=folder)
    return folder / "clevr"


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mereo: CommandLine) -> Path:
    """A build that found the disk full in its second split, in the middle of a file."""
    folder = tmp_path / "begun"
    write = pq.write_table

    def write_until_full(table: Any, where: Path, *rest: Any, **options: Any) -> None:
        write(table, where, *rest, **options)
        if table.column("split")[0].as_py() == "val":
            os.truncate(where, 100)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(where))

    with monkeypatch.context() as patch:
        patch.setattr(pq, "write_table", write_until_full)
        done = mereo(*arguments(folder), code=2)
    assert done.err.startswith("mereo: ")
    assert f"{folder / 'scenes' / 'val-00000.parquet'}: the disk is full; what is done is kept" in done.err
    assert len(done.err.splitlines()) == 1
    return folder


# What stands in the folder


def test_shards_do_not_name_the_version_of_arrow_that_happened_to_write_them(dataset: Path) -> None:
    named = {pq.read_metadata(path).created_by for path in dataset.glob("*/*.parquet")}
    assert named == {f"parquet-cpp-arrow version {LAYOUT}"}
    assert open_dataset(dataset).versions["pyarrow"] == pyarrow.__version__


def test_the_folder_explains_itself(dataset: Path) -> None:
    shards = [f"{kind}/{split}-00000.parquet" for kind in ("questions", "scenes") for split in ("test", "train", "val")]
    assert sorted(content(dataset)) == sorted(["README.md", "dataset.json", *shards])
    manifest = open_dataset(dataset)
    assert (manifest.benchmark, manifest.seed, manifest.scenes) == ("clevr", 4, {"train": 60, "val": 25, "test": 25})
    assert manifest.questions == {"train": 600, "val": 250, "test": 250}
    assert set(manifest.files) == set(shards)
    for name, file in manifest.files.items():
        data = (dataset / name).read_bytes()
        assert (file.bytes, file.sha256) == (len(data), hashlib.sha256(data).hexdigest())
        assert file.rows == pq.read_metadata(dataset / name).num_rows
    assert {"mereo", "python", "numpy", "pyarrow"} <= set(manifest.versions)
    assert "| train | 60 | 600 |" in (dataset / "README.md").read_text()


def test_the_columns_are_those_that_were_promised(dataset: Path) -> None:
    schema = pq.read_schema(dataset / "questions" / "train-00000.parquet")
    promised = "question_id scene_id split type subtype template question program answer referred"
    assert set(promised.split()) <= set(schema.names)
    assert str(schema.field("referred").type) == "list<element: list<element: int32>>"
    assert {"scene_id", "split", "scene"} <= set(pq.read_schema(dataset / "scenes" / "train-00000.parquet").names)


def test_every_question_belongs_to_a_scene_of_its_split_and_ids_are_unique(dataset: Path) -> None:
    scenes = {row["scene_id"]: row for row in rows(dataset, "scenes")}
    questions = rows(dataset, "questions")
    assert len(scenes) == 110
    assert len({row["question_id"] for row in questions}) == len(questions) == 1100
    for row in questions:
        assert row["question_id"].startswith(row["scene_id"])
        assert scenes[row["scene_id"]]["split"] == row["split"]
    for row in scenes.values():
        record = json.loads(row["scene"])
        assert (record["split"], record["image_index"], len(record["objects"])) == (
            row["split"],
            row["index"],
            row["objects"],
        )


def test_stored_programs_give_the_stored_answers_and_referents(dataset: Path) -> None:
    scenes = {row["scene_id"]: json.loads(row["scene"]) for row in rows(dataset, "scenes")}
    worlds = {scene_id: world_from_record(record, VOCABULARY) for scene_id, record in scenes.items()}
    types = set()
    for row in rows(dataset, "questions"):
        trace = execute(row["program"], worlds[row["scene_id"]], LANGUAGE)
        assert plain_answer(trace.answer) == row["answer"]
        assert trace.referred() == row["referred"]
        outputs = naive.run(node_records(trace), scenes[row["scene_id"]])
        assert plain_answer(outputs[-1]) == row["answer"]
        sets = [output if isinstance(output, list) else None for output in outputs]
        assert [referred for referred, output in zip(row["referred"], sets, strict=True) if output is not None] == [
            output for output in sets if output is not None
        ]
        types.add(row["type"])
    assert types == {"count", "exist", "compare_integer", "query_attribute", "compare_attribute"}


def test_splits_do_not_share_scenes(dataset: Path) -> None:
    places = [json.dumps(json.loads(row["scene"])["objects"]) for row in rows(dataset, "scenes")]
    assert len(set(places)) == len(places)


def test_cogents_conditions_hold_in_every_split(mereo: CommandLine, tmp_path: Path) -> None:
    chosen = ("--scenes", "80", "--preset", "cogent", "--symbolic", "--questions-per-scene", "1")
    mereo("build", "clevr", tmp_path / "cogent", *chosen)
    cubes = {"A": {"gray", "blue", "brown", "yellow"}, "B": {"red", "green", "purple", "cyan"}}
    splits = set()
    for row in rows(tmp_path / "cogent", "scenes"):
        condition = row["split"][-1]
        splits.add(row["split"])
        for thing in json.loads(row["scene"])["objects"]:
            if thing["shape"] != "sphere":
                assert (thing["color"] in cubes[condition]) == (thing["shape"] == "cube")
    assert splits == {"trainA", "valA", "valB", "testA", "testB"}


# The same whoever builds


def test_two_workers_give_the_same_bytes_as_one(dataset: Path, tmp_path: Path) -> None:
    build(*arguments(tmp_path / "again", "--workers", "2"), cwd=tmp_path)
    assert content(tmp_path / "again") == content(dataset)


def test_a_split_of_several_shards_is_the_same_by_one_and_by_two_workers(tmp_path: Path) -> None:
    recipe, splits = ClevrRecipe(seed=0, questions_per_scene=1), {"train": 23, "val": 3}
    for workers in (1, 2):
        build_dataset(recipe, tmp_path / str(workers), splits=splits, shard_size=10, crew=LocalCrew(workers))
    one, two = content(tmp_path / "1"), content(tmp_path / "2")
    assert one == two
    assert {"scenes/train-00000.parquet", "scenes/train-00002.parquet", "scenes/val-00000.parquet"} <= set(one)
    indices = [row["index"] for row in rows(tmp_path / "1", "scenes") if row["split"] == "train"]
    assert sorted(indices) == list(range(23))


def test_another_seed_gives_other_data(dataset: Path, mereo: CommandLine, tmp_path: Path) -> None:
    mereo("build", "clevr", tmp_path / "other", "--split", "train=5", "--symbolic", "--seed", "5")
    ours = {row["scene"] for row in rows(dataset, "scenes")}
    theirs = {row["scene"] for row in rows(tmp_path / "other", "scenes")}
    assert len(theirs) == 5
    assert ours.isdisjoint(theirs)


def wait_for(path: Path, *, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < end, f"{path} never came"
        time.sleep(0.002)


@pytest.mark.parametrize("moment", ["build.json", "scenes/train-00000.parquet", "questions/val-00000.parquet"])
def test_a_killed_build_goes_on_where_it_stopped_and_ends_in_the_same_bytes(
    dataset: Path, tmp_path: Path, moment: str, mereo: CommandLine
) -> None:
    folder = tmp_path / "killed"
    child = mereo_process(*arguments(folder), cwd=tmp_path)
    wait_for(folder / moment)
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()
    assert child.returncode == -signal.SIGKILL
    assert (folder / "build.json").exists()
    assert not (folder / "dataset.json").exists()
    whole = {path: path.stat().st_mtime_ns for path in folder.rglob("[!.]*.parquet")}
    for path in whole:
        pq.read_table(path)
    mereo(*arguments(folder), code=2)
    mereo(*arguments(folder, "--resume"))
    assert content(folder) == content(dataset)
    done_before = {path.name for path in whole if path.parent.name == "questions"}
    for path, written in whole.items():
        if path.name in done_before:
            assert path.stat().st_mtime_ns == written, "a finished shard was made again"


def test_after_a_failure_only_whole_shards_and_the_plan_are_there(
    dataset: Path, begun: Path, mereo: CommandLine
) -> None:
    assert sorted(content(begun)) == ["build.json", "questions/train-00000.parquet", "scenes/train-00000.parquet"]
    mereo(*arguments(begun, "--resume"))
    assert content(begun) == content(dataset)


def test_a_damaged_shard_is_made_again_by_resuming(dataset: Path, begun: Path, mereo: CommandLine) -> None:
    shard = begun / "questions" / "train-00000.parquet"
    shard.write_bytes(shard.read_bytes()[:-20])
    mereo(*arguments(begun, "--resume"))
    assert content(begun) == content(dataset)


# What is refused


def test_a_folder_that_is_not_empty_is_left_as_it_is(mereo: CommandLine, dataset: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    done = mereo(*arguments(tmp_path / "mine"), code=2)
    advice = "give another folder, or --resume to go on with an unfinished build"
    assert done.err == f"mereo: {tmp_path / 'mine'}: is not empty: {advice}\n"
    mereo(*arguments(tmp_path / "mine", "--resume"), code=2)
    assert content(tmp_path / "mine") == {"notes.txt": b"mine"}
    before = content(dataset)
    assert "is not empty" in mereo(*arguments(dataset), code=2).err
    assert "was begun with seed: 4, not 5" in mereo(*arguments(dataset, "--resume", "--seed", "5"), code=2).err
    assert content(dataset) == before
    mereo(*arguments(dataset, "--resume"))
    assert content(dataset) == before


@pytest.mark.parametrize(
    ("more", "differ"),
    [
        (("--seed", "5"), "seed: 4, not 5"),
        (("--questions-per-scene", "3"), "questions_per_scene: 10, not 3"),
        (("--split", "train=61,val=25,test=25"), "splits.train: 60, not 61"),
        (
            ("--seed", "5", "--split", "train=61,val=25"),
            "seed: 4, not 5; splits.train: 60, not 61; splits.test: 25, not nothing",
        ),
    ],
)
def test_resuming_with_other_settings_is_refused(
    mereo: CommandLine, begun: Path, more: tuple[str, ...], differ: str
) -> None:
    before = content(begun)
    done = mereo(*arguments(begun, "--resume"), *more, code=2)
    assert done.err == f"mereo: {begun / 'build.json'}: was begun with {differ}\n"
    assert content(begun) == before


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--split", "train"), "mereo: field '--split': 'train' is not of the form train=80\n"),
        (("--split", "train=0"), "mereo: field '--split': 'train=0' is not of the form train=80\n"),
        (("--split", "train=1,train=2"), "mereo: field '--split': names train twice\n"),
        (("--split", "trian=5"), "mereo: there is no split 'trian' (did you mean 'train'?)\n"),
        (("--preset", "cogen"), "mereo: there is no preset of clevr named 'cogen' (did you mean 'cogent'?)\n"),
    ],
)
def test_choices_that_do_not_exist_are_refused_before_anything_is_made(
    mereo: CommandLine, tmp_path: Path, more: tuple[str, ...], sentence: str
) -> None:
    assert mereo("build", "clevr", tmp_path / "out", "--symbolic", *more, code=2).err == sentence
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_place_of_the_folder_is_left_alone(mereo: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    assert mereo(*arguments(tmp_path / "out"), code=2).err.endswith("out: is a file, not a folder\n")
    assert (tmp_path / "out").read_text() == "a file"


# Sharing out, and looking in


@pytest.mark.parametrize("scenes", [1, 2, 3, 10, 99, 100, 101])
def test_all_scenes_are_shared_out_in_proportion(scenes: int) -> None:
    counts = share_out(scenes, {"train": 0.7, "val": 0.15, "test": 0.15})
    assert sum(counts.values()) == scenes
    assert all(count > 0 for count in counts.values())
    assert abs(counts["train"] - 0.7 * scenes) < 1


def test_show_prints_questions_of_different_types_with_their_answers(mereo: CommandLine, dataset: Path) -> None:
    done = mereo("show", dataset, "--count", "4")
    questions = {row["question"]: row for row in rows(dataset, "questions")}
    shown = list(lines_of_questions(done.out, questions))
    assert len(shown) == 4
    assert len({questions[text]["subtype"] for text in shown}) == 4


def lines_of_questions(out: str, questions: dict[str, dict[str, Any]]) -> Iterator[str]:
    for line, program in zip(out.splitlines()[::2], out.splitlines()[1::2], strict=True):
        text, _, answer = line.rpartition("  ")
        assert answer == questions[text]["answer"]
        assert questions[text]["program"] in program
        yield text


def test_a_dataset_of_a_newer_version_is_refused(dataset: Path, tmp_path: Path) -> None:
    newer = msgspec.json.decode((dataset / "dataset.json").read_bytes())
    (tmp_path / "dataset.json").write_bytes(msgspec.json.encode({**newer, "dataset": 2}))
    with pytest.raises(BadInput, match=r"dataset\.json, field 'dataset': is of version 2; this mereo reads up to 1$"):
        open_dataset(tmp_path)
