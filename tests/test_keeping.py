"""Nothing is lost silently: not by two writers, Ctrl-C, power cuts or a full disk, nor by data that was changed."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kit import CommandLine, complaint, mereo_process, scene_file
from mereo.benchmarks.benchmark import inspector_of
from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.clevr_family.stage import StageScenes
from mereo.datasets.audit import audit_dataset
from mereo.datasets.build import build_dataset
from mereo.datasets.store import LeftOut, Manifest, open_dataset, read_table
from mereo.datasets.subset import take_subset
from mereo.datasets.workers import LocalCrew
from mereo.errors import BadInput, Defect, MereoError, NoScene, differing
from mereo.files import write_bytes
from mereo.folders import alone_in, new_folder

SMALL = ("--split", "train=9,val=3", "--symbolic", "--seed", "4", "--questions-per-scene", "2")
SPLITS = {"train": 5, "val": 2}


def content(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, hidden ones too."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@dataclass(frozen=True)
class Frail(ClevrRecipe):
    """CLEVR whose scene 3 of train goes wrong in some way; scenes are kept one by one if asked."""

    fault: str = ""
    pieces: bool = True

    @property
    def piecemeal(self) -> bool:
        return self.pieces

    def scene(self, split: str, index: int) -> dict[str, Any]:
        if (split, index) == ("train", 3):
            match self.fault:
                case "cannot be":
                    raise NoScene("there is no place for a third cube")
                case "defect":
                    raise ValueError("that was our mistake")
                case "memory":
                    raise MemoryError
                case "disk":
                    raise OSError(5, os.strerror(5), "/dev/broken")
                case "person":
                    raise BadInput("is no mesh", file="chair.obj")
                case "interrupt":
                    raise KeyboardInterrupt
                case "death":
                    os._exit(9)
        return super().scene(split, index)


def build(folder: Path, fault: str = "", *, pieces: bool = True, **more: Any) -> Manifest:
    return build_dataset(Frail(3, 2, fault=fault, pieces=pieces), folder, splits=SPLITS, shard_size=3, **more)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What comes of it when nothing goes wrong."""
    folder = tmp_path_factory.mktemp("whole") / "out"
    build(folder)
    return folder


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small dataset, made by the command."""
    folder = tmp_path_factory.mktemp("small") / "out"
    child = mereo_process("build", "clevr", folder, *SMALL, cwd=folder.parent)
    assert child.wait() == 0, child.communicate()
    child.communicate()
    return folder


# What may leave a scene out, and what ends a build


@pytest.mark.parametrize(
    ("fault", "kind", "sentence"),
    [
        ("defect", Defect, "train scene 3: ValueError: that was our mistake; "),
        ("memory", MereoError, "train scene 3: there is not enough memory; "),
        ("disk", MereoError, "train scene 3: /dev/broken: Input/output error; "),
        ("person", MereoError, "train scene 3: chair.obj: is no mesh; "),
        ("interrupt", KeyboardInterrupt, ""),
    ],
)
def test_what_could_go_well_another_time_ends_the_build_and_keeps_what_is_done(
    whole: Path, tmp_path: Path, fault: str, kind: type[BaseException], sentence: str
) -> None:
    with pytest.raises(kind) as caught:
        build(tmp_path / "out", fault)
    assert str(caught.value) == (f"{sentence}what is done is kept, --resume goes on" if sentence else "")
    if kind is Defect:
        assert "raise ValueError" in "".join(caught.value.__notes__), "the traceback goes with it"
    assert not (tmp_path / "out" / "dataset.json").exists()
    kept = sorted(path.stem for path in (tmp_path / "out" / ".scenes").iterdir())
    assert kept == ["train-000000", "train-000001", "train-000002"]
    build(tmp_path / "out", resume=True)
    assert content(tmp_path / "out") == content(whole)


def test_a_worker_that_dies_again_and_again_ends_the_build_by_the_name_of_its_scene(
    whole: Path, tmp_path: Path
) -> None:
    with pytest.raises(MereoError, match="train scene 3: the worker process died 3 times, perhaps for want of memory;"):
        build(tmp_path / "out", "death", crew=LocalCrew(2))
    assert not (tmp_path / "out" / "dataset.json").exists()
    build(tmp_path / "out", resume=True)
    assert content(tmp_path / "out") == content(whole)


def test_a_script_in_which_no_worker_can_begin_is_told_what_it_lacks(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text('import mereo\nmereo.build("clevr", "out", scenes=2, symbolic=True, workers=2)\n')
    told = subprocess.run([sys.executable, script.name], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert told.stderr.splitlines()[-1].endswith('several only below a line `if __name__ == "__main__":`')
    assert not (tmp_path / "out" / "dataset.json").exists()


def test_a_ctrl_c_in_the_middle_of_a_picture_is_a_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    from mitsuba.python import util

    from mereo.scenes.render import Set
    from scenery import stage, thing

    render: Any = util._RenderOp.eval

    def interrupted(*given: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return render(*given)

    monkeypatch.setattr(util._RenderOp, "eval", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            Set(stage(thing("cube", 0.0, 0.0))).picture(samples=8)
    finally:
        signal.signal(signal.SIGINT, before)


WORKING = """
import signal, time
from mereo.datasets.workers import LocalCrew, Task

signal.signal(signal.SIGINT, signal.default_int_handler)  # shells in the background ignore it
tasks = [Task("quick", abs, (1,)), Task("long", time.sleep, (600,)), Task("longer", time.sleep, (900,))]
try:
    for done in LocalCrew(2).run(tasks):
        print(done.task.name, flush=True)
except KeyboardInterrupt:
    print("stopped")
"""


def test_a_ctrl_c_ends_several_workers_at_once_and_silently() -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", WORKING], process_group=0, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "quick\n"
    os.killpg(child.pid, signal.SIGINT)  # as a terminal does
    assert child.communicate(timeout=300) == ("stopped\n", "")


# Scenes that are left out


@pytest.mark.parametrize("pieces", [True, False])
def test_a_scene_that_cannot_be_made_stands_in_the_manifest_and_the_card_and_is_tried_again(
    whole: Path, tmp_path: Path, pieces: bool
) -> None:
    said: list[str] = []
    manifest = build(tmp_path / "out", "cannot be", pieces=pieces, complain=said.append)
    assert said == ["train scene 3 is left out: there is no place for a third cube"]
    assert manifest.left_out == [LeftOut("train-000003", "train", 3, "there is no place for a third cube")]
    assert (manifest.asked, manifest.scenes) == (SPLITS, {"train": 4, "val": 2})
    assert manifest == open_dataset(tmp_path / "out")
    card = (tmp_path / "out" / "README.md").read_text()
    assert "1 scene that was asked for could not be made and is left out:" in card
    assert "- train-000003: there is no place for a third cube" in card
    before = content(tmp_path / "out")
    build(tmp_path / "out", "cannot be", pieces=pieces, resume=True)
    assert content(tmp_path / "out") == before, "it still cannot be made"
    build(tmp_path / "out", pieces=pieces, resume=True)
    assert content(tmp_path / "out") == content(whole)


def test_an_unfinished_build_remembers_what_was_left_out(tmp_path: Path) -> None:
    class Stopped(Exception):
        pass

    def stop(scenes: int) -> None:
        if (tmp_path / "out" / "scenes" / "train-00001.parquet").exists():
            raise Stopped

    with pytest.raises(Stopped):
        build(tmp_path / "out", "cannot be", pieces=False, progress=stop)
    manifest = build(tmp_path / "out", "cannot be", pieces=False, resume=True)
    assert [one.scene for one in manifest.left_out] == ["train-000003"]


def test_the_audit_counts_scenes_that_are_there_and_left_out(tmp_path: Path, whole: Path) -> None:
    manifest = build(tmp_path / "out", "cannot be")
    inspector = inspector_of(manifest)
    assert audit_dataset(tmp_path / "out", inspector).complaints == []
    assert audit_dataset(whole, inspector).complaints == []
    path = tmp_path / "out" / "dataset.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "left_out": []}))
    complaints = audit_dataset(tmp_path / "out", inspector).complaints
    assert complaints == ["train: 5 scenes were asked for, but 4 are there and 0 left out"]
    build(tmp_path / "again", "cannot be")
    take_subset(tmp_path / "again", tmp_path / "part", share=0.5)
    assert audit_dataset(tmp_path / "part", inspector).complaints == []


def test_the_command_ends_with_what_is_left_out_and_why(
    mereo: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = StageScenes.scene

    def refuse(stage: StageScenes, split: str, index: int) -> dict[str, Any]:
        if (split, index) == ("train", 3):
            raise NoScene("there is no place for a third cube")
        return make(stage, split, index)

    monkeypatch.setattr(StageScenes, "scene", refuse)
    said = mereo("build", "clevr", tmp_path / "out", *SMALL).err.splitlines()
    assert said[-2:] == [
        "mereo: 1 scene that was asked for could not be made and is left out; --resume tries again",
        "mereo: 1 because there is no place for a third cube",
    ]


# Two at once


def test_of_two_builds_at_once_one_makes_its_dataset_and_the_other_is_refused(tmp_path: Path) -> None:
    few = ("--split", "train=300", "--symbolic", "--questions-per-scene", "1")
    both = [mereo_process("build", "clevr", "out", *few, "--seed", seed, cwd=tmp_path) for seed in ("1", "2")]
    said = [child.communicate()[1] for child in both]
    codes = [child.returncode for child in both]
    assert sorted(codes) == [0, 2], said
    assert "another mereo is writing here" in said[codes.index(2)] or "is not empty" in said[codes.index(2)]
    assert open_dataset(tmp_path / "out").seed == codes.index(0) + 1
    assert complaint(lambda: open_dataset(tmp_path / "out")) is None
    assert not [name for name in content(tmp_path / "out") if name.startswith(".")]


def test_of_two_exports_at_once_one_is_whole_and_the_other_is_refused(dataset: Path, tmp_path: Path) -> None:
    both = [mereo_process("export", dataset, "out", "--to", "clevr", cwd=tmp_path) for _ in range(2)]
    said = [child.communicate()[1] for child in both]
    assert sorted(child.returncode for child in both) == [0, 2], said
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert set(content(tmp_path / "out")) == {
        f"{kind}/CLEVR_{split}_{kind}.json" for kind in ("scenes", "questions") for split in ("train", "val")
    }


HOLD = """
import sys, time
from mereo.folders import alone_in, new_folder
with {"alone_in": alone_in, "new_folder": new_folder}[sys.argv[1]](sys.argv[2]):
    print("mine", flush=True)
    time.sleep(600)
"""


@contextmanager
def held(how: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that writes into a folder, and is killed at the end."""
    child = subprocess.Popen([sys.executable, "-c", HOLD, how, str(folder)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "mine\n"
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


@pytest.mark.parametrize(
    ("how", "place", "command"),
    [
        ("alone_in", "out", "build clevr out --scenes 3 --symbolic"),
        ("alone_in", "out", "build clevr out --scenes 3 --symbolic --resume"),
        ("alone_in", "out", "import clevr out --scenes scenes.json"),
        ("alone_in", "out", "shapes make out --category cube --count 1"),
        ("new_folder", "out", "export {dataset} out --to clevr"),
        ("new_folder", "out", "subset {dataset} out --share 0.5"),
        ("alone_in", "{dataset}/runs/oracle", "oracle {dataset}"),
        ("alone_in", "{dataset}/runs/random-by-type", "baseline {dataset} --which random-by-type"),
        ("alone_in", "{dataset}/runs/mine", "evaluate {dataset} mine.jsonl"),
    ],
)
def test_where_another_process_writes_nobody_else_does_until_it_is_gone(
    mereo: CommandLine,
    dataset: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    how: str,
    place: str,
    command: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    dataset = Path(shutil.copytree(dataset, tmp_path / "set"))
    (tmp_path / "scenes.json").write_text(json.dumps(scene_file(3)))
    (tmp_path / "mine.jsonl").write_text('{"question_id": "val-000000-00", "answer": "yes"}\n')
    folder = Path(place.format(dataset=dataset))
    with held(how, folder):
        before = content(tmp_path)
        said = mereo(*command.format(dataset=dataset).split(), code=2).err
        assert said == f"mereo: {folder}: another mereo is writing here\n"
        assert content(tmp_path) == before
    # What a killed process leaves behind is in nobody's way.
    mereo(*command.format(dataset=dataset).split())
    assert not list(tmp_path.rglob("*.lock"))
    assert not list(tmp_path.rglob("*.part"))


def test_a_lock_that_was_taken_away_is_not_mistaken_for_the_one_that_is_there(tmp_path: Path) -> None:
    with alone_in(tmp_path / "a"):
        assert (
            complaint(lambda: alone_in(tmp_path / "a").__enter__())
            == f"{tmp_path / 'a'}: another mereo is writing here"
        )
    assert not (tmp_path / "a").exists(), "it was made for nothing"
    with alone_in(tmp_path / "a"):
        (tmp_path / "a" / "file").touch()
    assert list((tmp_path / "a").iterdir()) == [tmp_path / "a" / "file"]


def test_a_folder_that_somebody_filled_meanwhile_is_left_as_it_is(tmp_path: Path) -> None:
    def fill() -> None:
        with new_folder(tmp_path / "out") as scratch:
            (scratch / "ours").touch()
            (tmp_path / "out").mkdir()
            (tmp_path / "out" / "theirs").touch()

    assert complaint(fill) == f"{tmp_path / 'out'}: is not empty: give another folder"
    assert list(content(tmp_path)) == ["out/theirs"]


# Resuming with something else


def test_settings_that_differ_are_named_one_by_one_with_both_values() -> None:
    before = {"samples": 16, "size": {"width": 2, "height": 3}, "seed": 1, "old": True}
    now = {"samples": 32, "size": {"width": 2, "height": 4}, "seed": 1, "new": [1]}
    assert differing(before, now) == (
        "samples: 16, not 32; size.height: 3, not 4; old: True, not nothing; new: nothing, not [1]"
    )
    assert differing(now, now) == ""


def test_an_import_goes_on_only_with_the_same_files(mereo: CommandLine, tmp_path: Path) -> None:
    for seed in (1, 2):
        (tmp_path / f"{seed}").mkdir()
        (tmp_path / f"{seed}" / "scenes.json").write_text(json.dumps(scene_file(3, seed=seed)))
    out = tmp_path / "out"
    mereo("import", "clevr", out, "--scenes", tmp_path / "1" / "scenes.json")
    before = content(out)
    other = mereo("import", "clevr", out, "--scenes", tmp_path / "2" / "scenes.json", "--resume", code=2).err
    assert other.startswith(f"mereo: {out / 'dataset.json'}: was begun with files.scenes.bytes: ")
    assert "; files.scenes.sha256: " in other
    assert "name" not in other
    assert content(out) == before
    mereo("import", "clevr", out, "--scenes", tmp_path / "1" / "scenes.json", "--resume")
    assert content(out) == before


# What a power cut or a broken disk leaves


@pytest.mark.parametrize("cut", ["empty", "truncated", "zeros"])
@pytest.mark.parametrize("name", ["build.json", ".scenes/train-000001.msgpack", "scenes/train-00000.parquet"])
def test_a_damaged_file_of_an_unfinished_build_is_told_and_made_again(
    whole: Path, tmp_path: Path, name: str, cut: str
) -> None:
    with pytest.raises(KeyboardInterrupt):
        build(tmp_path / "out", "interrupt")
    path = tmp_path / "out" / name
    if name.startswith(".scenes"):
        (tmp_path / "out" / "scenes" / "train-00000.parquet").unlink()  # with it the scene would not be looked at
    damage(path, cut)
    said: list[str] = []
    build(tmp_path / "out", resume=True, complain=said.append)
    assert len(said) == 1
    assert said[0].startswith(f"{path}: is not ")
    assert content(tmp_path / "out") == content(whole)


def damage(path: Path, cut: str) -> None:
    data = path.read_bytes()
    path.write_bytes({"empty": b"", "truncated": data[: len(data) // 2], "zeros": bytes(len(data))}[cut])


@pytest.mark.parametrize("cut", ["empty", "truncated", "zeros"])
def test_a_damaged_manifest_is_told_and_made_again_from_what_is_there(
    dataset: Path, tmp_path: Path, mereo: CommandLine, cut: str
) -> None:
    out = tmp_path / "out"
    mereo("build", "clevr", out, *SMALL)
    written = {path: path.stat().st_mtime_ns for path in out.rglob("*.parquet")}
    damage(out / "dataset.json", cut)
    assert mereo("show", out, code=2).err.startswith(f"mereo: {out / 'dataset.json'}: is not JSON")
    said = mereo("build", "clevr", out, *SMALL, "--resume").err
    assert said.startswith(f"mereo: {out / 'dataset.json'}: is not JSON")
    assert "what is there is kept as far as it is what this build makes" in said
    assert content(out) == content(dataset)
    assert {path: path.stat().st_mtime_ns for path in written} == written


def test_without_a_plan_what_another_build_has_made_is_not_mixed_in(
    dataset: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    out = tmp_path / "out"
    mereo("build", "clevr", out, *SMALL, "--seed", "5")
    (out / "dataset.json").write_bytes(b"")
    mereo("build", "clevr", out, *SMALL, "--resume")
    assert content(out) == content(dataset)


def test_pieces_of_another_build_are_not_mixed_in_without_a_plan(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        build_dataset(Frail(8, 2, fault="interrupt"), tmp_path / "out", splits=SPLITS, shard_size=3)
    (tmp_path / "out" / "build.json").write_bytes(b"")
    build(tmp_path / "out", resume=True)
    assert content(tmp_path / "out") == content(whole)


def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    happened: list[tuple[str, str]] = []
    real_sync, real_replace = os.fsync, os.replace

    def sync(file: int) -> None:
        happened.append(("sync", str(Path(f"/proc/self/fd/{file}").readlink())))
        real_sync(file)

    def replace(source: str, target: str) -> None:
        happened.append(("name", str(target)))
        real_replace(source, target)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", replace)
    write_bytes(tmp_path / "one", b"content")
    scratch = happened[0][1]
    assert scratch.startswith(f"{tmp_path}/.one.")
    assert happened == [("sync", scratch), ("name", str(tmp_path / "one")), ("sync", str(tmp_path))]
    happened.clear()
    with new_folder(tmp_path / "many") as folder:
        write_bytes(folder / "a" / "b", b"content")
        assert [what for what, _ in happened] == ["name"], "not one by one"
    synced = {Path(path).name for what, path in happened if what == "sync"}
    assert {"b", "a", folder.name, tmp_path.name} <= synced


# Full disks


def limited(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """`mereo` in a process whose files cannot grow beyond some bytes."""
    return subprocess.run(
        [sys.executable, "-m", "mereo", *map(str, arguments)],
        cwd=cwd,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000)),
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_file_that_cannot_grow_is_named_and_the_build_goes_on_when_it_can(
    dataset: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    done = limited("build", "clevr", "out", *SMALL, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    wanted = "out/scenes/train-00000.parquet: would be larger than a file may be here"
    assert done.stderr == f"mereo: train shard 0: {wanted}; what is done is kept, --resume goes on\n"
    assert not list((tmp_path / "out").rglob("*.part"))
    mereo("build", "clevr", tmp_path / "out", *SMALL, "--resume")
    assert content(tmp_path / "out") == content(dataset)


def test_a_full_disk_is_told_with_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    assert complaint(lambda: write_bytes(tmp_path / "one", b"content")) == f"{tmp_path / 'one'}: the disk is full"
    assert list(tmp_path.iterdir()) == []


# Data and what is said of it


@pytest.mark.parametrize(
    "command", ["evaluate {} mine.jsonl", "report {}", "oracle {}", "baseline {}", "subset {} out --share 0.5"]
)
def test_answers_that_were_changed_behind_the_manifest_are_noticed(
    mereo: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    mereo("build", "clevr", "set", *SMALL)
    path = Path("set/questions/val-00000.parquet")
    table = read_table(path)
    bananas = table.set_column(table.column_names.index("answer"), "answer", pa.array(["banana"] * len(table)))
    pq.write_table(bananas, path)
    rows = [{"question_id": name, "answer": "banana"} for name in table["question_id"].to_pylist()]
    Path("mine.jsonl").write_text("\n".join(map(json.dumps, rows)))
    said = mereo(*command.format("set").split(), code=2).err
    assert said == f"mereo: {path}: is not what dataset.json says: it was changed after the dataset was made\n"


# Folders that are not there


@pytest.mark.parametrize(
    "command",
    [
        "show nowhere",
        "audit nowhere",
        "evaluate nowhere mine.jsonl",
        "report nowhere",
        "oracle nowhere",
        "baseline nowhere",
        "ask nowhere --endpoint http://localhost:1/v1 --model m",
        "export nowhere out --to coco",
        "subset nowhere out --share 0.5",
        "explore nowhere --no-open",
        "figures nowhere mine.jsonl out",
        "point nowhere out.jsonl",
        "build refer out --scenes-from nowhere --symbolic",
        "shapes statistics nowhere",
    ],
)
def test_a_folder_that_is_not_there_is_just_that(
    mereo: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert mereo(*command.split(), code=2).err == "mereo: nowhere: there is no such folder\n"
    assert list(tmp_path.iterdir()) == []
