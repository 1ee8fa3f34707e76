"""`mereo build` with pictures: all columns, the same bytes whoever builds, and an audit that finds every fault."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kit import CommandLine, mereo_process
from mereo.datasets.build import Rows, build_dataset
from mereo.datasets.pictures import decode_png, encode_png
from mereo.datasets.rows import append, new_columns
from mereo.datasets.splits import parse_size
from mereo.datasets.store import PICTURE_FIELDS, QUESTION_FIELDS, SCENE_FIELDS, Shard, open_dataset, read_table
from mereo.datasets.workers import Done, LocalCrew, Task
from mereo.errors import BadInput, MereoError, NoScene
from mereo.scenes.render import render
from mereo.scenes.renderer import obstacle
from mereo.scenes.scene import scene_from_json

SMALL = ("--scenes", "4", "--size", "96x64", "--samples", "8", "--seed", "3")


def content(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, hidden ones too."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def build(out: Path, *more: str) -> None:
    child = mereo_process("build", "clevr", out, *SMALL, *more, cwd=out.parent)
    said = "".join(child.communicate())
    assert child.returncode == 0, said


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset with pictures, made by two workers."""
    folder = tmp_path_factory.mktemp("pictures") / "clevr"
    build(folder, "--workers", "2")
    return folder


def scene_rows(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted((folder / "scenes").iterdir()):
        yield from read_table(path).to_pylist()


# What is built


def test_the_columns_are_those_that_were_promised(dataset: Path) -> None:
    shards = sorted((dataset / "scenes").iterdir())
    assert sum(open_dataset(dataset).scenes.values()) == 4
    for path in shards:
        schema = pq.read_schema(path)
        assert schema.names == PICTURE_FIELDS.names
        assert schema.types == PICTURE_FIELDS.types
    assert {"README.md", "dataset.json", "sheet.png"} <= set(content(dataset))


def test_pictures_depth_and_ids_are_those_of_the_stored_scene(dataset: Path) -> None:
    for row in scene_rows(dataset):
        image, depth, ids = (decode_png(row[name]["bytes"]) for name in ("image", "depth", "instances"))
        assert (image.shape, depth.shape, ids.shape) == ((64, 96, 3), (64, 96), (64, 96))
        assert [str(array.dtype) for array in (image, depth, ids)] == ["uint8", "uint16", "uint16"]
        _, frame = render(scene_from_json(row["layout"].encode()), samples=8)
        key = json.loads(row["instance_key"])
        owners = np.array([-1, *(owner for owner, _, _ in key)])
        parts = np.array([-1, *(part for _, part, _ in key)])
        assert np.array_equal(owners[ids], frame.object)
        assert np.array_equal(parts[ids], frame.part)
        finite = np.isfinite(frame.depth)
        assert np.abs(depth[finite] - 1000 * frame.depth[finite]).max() <= 0.5 + 1e-2
        assert (depth[~finite] == 0).all()
        record = json.loads(row["scene"])
        assert len(record["objects"]) == row["objects"] == frame.object.max() + 1
        assert [label for _, _, label in key] == [thing["shape"] for thing in record["objects"]]


def test_one_worker_gives_the_same_bytes_as_two(dataset: Path, tmp_path: Path) -> None:
    build(tmp_path / "one", "--workers", "1")
    assert content(tmp_path / "one") == content(dataset)


def test_a_killed_build_goes_on_and_ends_in_the_same_bytes(dataset: Path, tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    child = mereo_process("build", "clevr", folder, *SMALL, "--workers", "2", cwd=tmp_path)
    end = time.monotonic() + 120
    while not list(folder.glob(".scenes/[!.]*.msgpack")):
        assert time.monotonic() < end, "no scene ever came"
        assert child.poll() is None
        time.sleep(0.005)
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()
    assert child.returncode == -signal.SIGKILL
    assert not (folder / "dataset.json").exists()
    build(folder, "--workers", "1", "--resume")
    assert content(folder) == content(dataset)


def test_resuming_makes_no_scene_again_that_is_there(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    folder = tmp_path / "begun"
    child = mereo_process("build", "clevr", folder, *SMALL, cwd=tmp_path)
    end = time.monotonic() + 120
    while not (folder / "build.json").exists():
        assert time.monotonic() < end, "the build never began"
        time.sleep(0.005)
    child.kill()
    child.communicate()
    for path in folder.rglob("*.parquet"):
        path.unlink()
    # All four scenes are there, one of them with a mark that making it again would wipe out.
    for row in scene_rows(dataset):
        marked = {**row, "layout": "marked"} if row["scene_id"] == "train-000001" else row
        path = folder / ".scenes" / f"{row['scene_id']}.msgpack"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(msgspec.msgpack.encode(marked))
    mereo("build", "clevr", folder, *SMALL, "--resume")
    marks = [row["scene_id"] for row in scene_rows(folder) if row["layout"] == "marked"]
    assert marks == ["train-000001"]
    assert not (folder / ".scenes").exists()


# What an audit finds


def test_a_dataset_as_it_was_built_passes_its_audit(dataset: Path, mereo: CommandLine) -> None:
    assert "4 scenes and 40 questions: nothing is wrong" in mereo("audit", dataset).out


def with_shard(folder: Path, kind: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the first row of a shard, and the manifest so that the file's checksum is right again."""
    path = folder / kind / "train-00000.parquet"
    table = read_table(path)
    rows = table.to_pylist()
    change(rows[0])
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path, compression="zstd")
    data, manifest = path.read_bytes(), json.loads((folder / "dataset.json").read_bytes())
    manifest["files"][f"{kind}/train-00000.parquet"] |= {
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    (folder / "dataset.json").write_text(json.dumps(manifest))


def other_answer(row: dict[str, Any]) -> None:
    row["answer"] = {"yes": "no", "no": "yes", "0": "1"}.get(row["answer"], "0")


def other_referents(row: dict[str, Any]) -> None:
    row["referred"] = [[0] for _ in row["referred"]]


def hidden_object(row: dict[str, Any]) -> None:
    ids = decode_png(row["instances"]["bytes"])
    row["instances"]["bytes"] = encode_png(np.where(ids == 1, 0, ids).astype(np.uint16))


def id_beyond_the_key(row: dict[str, Any]) -> None:
    ids = decode_png(row["instances"]["bytes"]).copy()
    ids[0, 0] = 99
    row["instances"]["bytes"] = encode_png(ids)


def other_size(row: dict[str, Any]) -> None:
    row["depth"]["bytes"] = encode_png(decode_png(row["depth"]["bytes"])[:-1])


def swapped_objects(row: dict[str, Any]) -> None:
    record = json.loads(row["scene"])
    first, second, *_ = record["objects"]
    first["pixel_coords"], second["pixel_coords"] = second["pixel_coords"], first["pixel_coords"]
    row["scene"] = json.dumps(record)


FAULTS: dict[str, tuple[str, Callable[[dict[str, Any]], None], str]] = {
    "an answer": ("questions", other_answer, "train-000000-00: the program gives "),
    "referents": ("questions", other_referents, "train-000000-00: a step refers to other entities"),
    "a mask": ("scenes", hidden_object, "train-000000: object 0 shows 0 pixels"),
    "an id": ("scenes", id_beyond_the_key, "train-000000: instances go up to 99"),
    "a size": ("scenes", other_size, "train-000000: picture, depth and instances differ in size"),
    "positions": ("scenes", swapped_objects, "train-000000: object 0 is not where pixel_coords says"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_audit_finds_what_was_changed_behind_a_right_checksum(
    dataset: Path, tmp_path: Path, mereo: CommandLine, fault: str
) -> None:
    folder = tmp_path / "changed"
    shutil.copytree(dataset, folder)
    kind, change, sentence = FAULTS[fault]
    with_shard(folder, kind, change)
    done = mereo("audit", folder, code=1)
    assert sentence in " ".join(done.out.split())
    assert "the content is not what dataset.json says" not in done.out


@pytest.mark.parametrize("kind", ["scenes", "questions"])
def test_an_audit_finds_a_flipped_byte_by_its_checksum(
    dataset: Path, tmp_path: Path, mereo: CommandLine, kind: str
) -> None:
    folder = tmp_path / "flipped"
    shutil.copytree(dataset, folder)
    path = folder / kind / "val-00000.parquet"
    data = bytearray(path.read_bytes())
    data[-1] ^= 0xFF  # the last letter of the word that every Parquet file ends with
    path.write_bytes(bytes(data))
    said = " ".join(mereo("audit", folder, code=1).out.split())
    assert f"{kind}/val-00000.parquet: the content is not what dataset.json says" in said
    assert f"{kind}/val-00000.parquet: is not a whole Parquet file" in said


@pytest.mark.parametrize("column", ["image", "depth", "instances", "scene", "layout", "instance_key"])
def test_an_audit_names_the_scene_whose_content_cannot_be_decoded(
    dataset: Path, tmp_path: Path, mereo: CommandLine, column: str
) -> None:
    def damage(row: dict[str, Any]) -> None:
        row[column] = row[column][: len(row[column]) // 2] if isinstance(row[column], str) else {"bytes": b"no picture"}

    folder = tmp_path / "damaged"
    shutil.copytree(dataset, folder)
    with_shard(folder, "scenes", damage)
    assert "train-000000: " in mereo("audit", folder, code=1).out


def test_an_audit_finds_files_that_are_missing_or_do_not_belong(
    dataset: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    folder = tmp_path / "moved"
    shutil.copytree(dataset, folder)
    (folder / "scenes" / "train-00000.parquet").rename(folder / "scenes" / "train-00007.parquet")
    said = " ".join(mereo("audit", folder, code=1).out.split())
    assert "scenes/train-00000.parquet: the file is missing" in said
    assert "scenes/train-00007.parquet: dataset.json does not know this file" in said


def test_an_audit_finds_a_flipped_byte_of_the_questions(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    folder = tmp_path / "flipped"
    shutil.copytree(dataset, folder)
    path = folder / "questions" / "val-00000.parquet"
    data = bytearray(path.read_bytes())
    data[-1] ^= 0xFF  # the last letter of the word that every Parquet file ends with
    path.write_bytes(bytes(data))
    said = " ".join(mereo("audit", folder, code=1).out.split())
    assert "questions/val-00000.parquet: the content is not what dataset.json says" in said
    assert "questions/val-00000.parquet: is not a whole Parquet file" in said


# What goes wrong while building


@dataclass(frozen=True)
class Fragile:
    """A recipe of empty scenes, of which one cannot be made, in one way or another."""

    fault: str
    bad: int
    seed: int = 0
    benchmark: str = "clevr"
    piecemeal: bool = True
    scene_fields: pa.Schema = SCENE_FIELDS
    question_fields: pa.Schema = QUESTION_FIELDS

    def settings(self) -> dict[str, Any]:
        return {}

    def scene(self, split: str, index: int) -> dict[str, Any]:
        if index == self.bad and self.fault == "refuses":
            raise NoScene("the shape is broken")
        return {"scene_id": f"{split}-{index}", "split": split, "index": index, "objects": 0, "scene": "{}"}

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        rows = Rows(new_columns(SCENE_FIELDS), new_columns(QUESTION_FIELDS))
        for row in scenes:
            append(rows.scenes, row)
        return rows


@pytest.mark.parametrize("workers", [1, 2])
def test_a_scene_that_cannot_be_made_is_named_and_the_rest_goes_on(tmp_path: Path, workers: int) -> None:
    said: list[str] = []
    done: list[int] = []
    manifest = build_dataset(
        Fragile("refuses", 3),
        tmp_path / "out",
        splits={"train": 7},
        shard_size=4,
        crew=LocalCrew(workers),
        complain=said.append,
        progress=done.append,
    )
    assert said == ["train scene 3 is left out: the shape is broken"]
    assert manifest.scenes == {"train": 6}
    assert sum(done) == 7
    assert [row["index"] for row in scene_rows(tmp_path / "out")] == [0, 1, 2, 4, 5, 6]


def test_a_shard_is_made_as_soon_as_its_scenes_are_there(tmp_path: Path) -> None:
    """So that workers ask about one while others make the scenes of the next."""
    order: list[str] = []

    class Told(LocalCrew):
        def run(self, tasks: Iterable[Task]) -> Generator[Done, None, None]:
            for done in super().run(tasks):
                order.append(done.task.name)
                yield done

    build_dataset(Fragile("never", -1), tmp_path / "out", splits={"train": 3}, shard_size=2, crew=Told())
    assert order == ["train scene 0", "train scene 1", "train shard 0", "train scene 2", "train shard 1"]


def test_a_build_without_a_single_scene_is_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(MereoError, match="not one scene could be made"):
        build_dataset(Fragile("refuses", 0), tmp_path / "out", splits={"train": 1}, shard_size=4)
    assert not (tmp_path / "out" / "dataset.json").exists()


def die_when(flag: Path) -> None:
    while not flag.exists():
        time.sleep(0.01)
    os._exit(9)


def test_no_task_is_lost_when_a_worker_dies_while_results_are_looked_at(tmp_path: Path) -> None:
    tasks = [Task("dying", die_when, (tmp_path / "now",)), *(Task(f"quick {k}", abs, (k,)) for k in range(7))]
    names = []
    for done in LocalCrew(2).run(tasks):
        names.append(done.task.name)
        if len(names) == 1:
            (tmp_path / "now").touch()
            time.sleep(2.0)  # meanwhile the worker dies
    assert sorted(names) == sorted(task.name for task in tasks)


def test_a_corrupt_shard_is_made_again_by_resuming(tmp_path: Path, mereo: CommandLine) -> None:
    given = ("build", "clevr", tmp_path / "out", "--scenes", "9", "--symbolic")
    mereo(*given)
    before = content(tmp_path / "out")
    path = tmp_path / "out" / "scenes" / "val-00000.parquet"
    path.write_bytes(path.read_bytes()[:-9])
    mereo(*given, "--resume")
    assert content(tmp_path / "out") == before


# What is refused


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--size", "480"), "mereo: field '--size': '480' is not a size such as 480x320\n"),
        (("--size", "axb"), "mereo: field '--size': 'axb' is not a size such as 480x320\n"),
        (("--size", "0x10"), "mereo: field '--size': '0x10' is not a size such as 480x320\n"),
        (("--size", "-96x64"), "mereo: field '--size': '-96x64' is not a size such as 480x320\n"),
        (("--size", "99999x99999"), "mereo: field '--size': '99999x99999' is not a size such as 480x320\n"),
        (("--renderer", "lvm"), "mereo: there is no renderer 'lvm' (did you mean 'llvm'?)\n"),
    ],
)
def test_pictures_that_cannot_be_are_refused_before_anything_is_made(
    mereo: CommandLine, tmp_path: Path, more: tuple[str, ...], sentence: str
) -> None:
    assert mereo("build", "clevr", tmp_path / "out", *more, code=2).err == sentence
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("size", ["9999999x64", "64x9999999"])
def test_a_picture_too_large_for_any_machine_is_refused(size: str) -> None:
    with pytest.raises(BadInput, match="is not a size such as 480x320"):
        parse_size(size)


def test_a_gpu_that_is_not_there_is_said(mereo: CommandLine, tmp_path: Path) -> None:
    if obstacle("cuda") is None:
        pytest.skip("this machine has a GPU")
    done = mereo("build", "clevr", tmp_path / "out", "--renderer", "cuda", code=2)
    assert done.err == f"mereo: the renderer cuda does not work here: {obstacle('cuda')}\n"
    assert "there is no NVIDIA" in done.err
    assert not (tmp_path / "out").exists()
