"""What is damaged in a dataset is told in one sentence that names file, row and field, whoever reads it."""

from __future__ import annotations

import ast
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import mereo
from fuzz_datasets import REFUSED, explore
from kit import ROOT, complaint
from mereo.benchmarks.clevr.official import DIALECT
from mereo.benchmarks.refer.visibility import recorded_masks
from mereo.clevr_family.templates import load_family
from mereo.datasets.asked import load_questions
from mereo.datasets.columns import entities_of, key_of, record_of
from mereo.datasets.pictures import amodal_faults
from mereo.datasets.samples import sample_questions
from mereo.datasets.shards import open_shard, read_shard
from mereo.datasets.store import open_dataset, record_file, write_manifest
from mereo.errors import BadInput
from mereo.evaluation.curves import load_curves
from mereo.explorer.catalog import Catalog
from mereo.explorer.space import pack, space_of_scene
from mereo.files import read_json, read_toml
from mereo.scenes.scene import Placed, ShapeRef, scene_from_json, scene_to_json
from mereo.shapes.mesh_file import read_groups
from mereo.shapes.partnet_h5 import read_h5
from scenery import stage, thing
from test_bad_input import METADATA, template

READERS: dict[str, Callable[[Path, Path], object]] = {
    "audit": lambda folder, out: mereo.audit(folder).complaints[-1],
    "export": lambda folder, out: mereo.export(folder, out / "new", to="clevr"),
    "subset": lambda folder, out: mereo.subset(folder, out / "new", share=0.5),
    "oracle": lambda folder, out: mereo.oracle(folder, split="train"),
    "baseline": lambda folder, out: mereo.baseline(folder),
    "evaluate": lambda folder, out: mereo.evaluate(folder, {"train-000000-00": "yes"}),
    "report": lambda folder, out: mereo.report(folder, out=out),
    "show": lambda folder, out: sample_questions(folder, 3),
    "look": lambda folder, out: repr(mereo.load(folder).questions[0].run()),
    "examples": lambda folder, out: mereo.load(folder).examples(fields=("id", "boxes"))[0],
    "explore": lambda folder, out: Catalog([folder]).dataset(0).damaged[0],
}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mereo.build("clevr", tmp_path_factory.mktemp("good") / "set", split="train=2", symbolic=True).folder


def changed(good: Path, out: Path, file: str, change: Callable[[pa.Table], pa.Table]) -> Path:
    """A copy of a dataset with another shard, of which the manifest knows."""
    folder = Path(shutil.copytree(good, out / "set"))
    path = folder / file
    pq.write_table(change(pq.read_table(path)), path)
    manifest = open_dataset(folder)
    write_manifest(folder, msgspec.structs.replace(manifest, files={**manifest.files, file: record_file(path)}))
    return folder


def replaced(name: str, make: Callable[[list[Any]], pa.Array]) -> Callable[[pa.Table], pa.Table]:
    def change(table: pa.Table) -> pa.Table:
        return table.set_column(table.column_names.index(name), name, make(table.column(name).to_pylist()))

    return change


SCENES, QUESTIONS = "scenes/train-00000.parquet", "questions/train-00000.parquet"
LISTS = pa.list_(pa.list_(pa.int32()))
NONSENSE = '{"objects": 3}'
DAMAGES = [
    (QUESTIONS, lambda table: table.drop_columns("program"), "field 'program': is missing"),
    (SCENES, lambda table: table.drop_columns("scene"), "field 'scene': is missing"),
    (
        QUESTIONS,
        replaced("answer", lambda column: pa.array(range(len(column)))),
        "field 'answer': holds int64, not string",
    ),
    (
        QUESTIONS,
        replaced("program", lambda column: pa.array([None, *column[1:]])),
        "row 0, field 'program': has no value",
    ),
    (
        QUESTIONS,
        replaced("referred", lambda column: pa.array([*column[:3], [[None]], *column[4:]], LISTS)),
        "row 3, field 'referred': has no value",
    ),
    (
        SCENES,
        replaced("scene", lambda column: pa.array([b"x"] * len(column))),
        "field 'scene': holds binary, not string",
    ),
]


@pytest.mark.parametrize(("file", "change", "sentence"), DAMAGES, ids=[sentence for _, _, sentence in DAMAGES])
def test_a_column_that_is_not_what_it_must_be_is_named_by_whoever_opens_the_shard(
    good: Path, tmp_path: Path, file: str, change: Callable[[pa.Table], pa.Table], sentence: str
) -> None:
    folder = changed(good, tmp_path, file, change)
    with pytest.raises(BadInput) as told:
        read_shard(folder / file)
    assert str(told.value) == f"{folder / file}, {sentence}"


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("file", [SCENES, QUESTIONS])
def test_everybody_reads_shards_through_the_same_check(good: Path, tmp_path: Path, reader: str, file: str) -> None:
    if file == SCENES and reader in ("baseline", "evaluate", "show"):
        return  # do not look at scenes
    folder = changed(good, tmp_path, file, replaced("split", lambda column: pa.array([0.5] * len(column))))
    told: list[Any] = []
    said = complaint(lambda: told.append(READERS[reader](folder, tmp_path))) or told[0]
    assert said == f"{folder / file}, field 'split': holds double, not string"


def test_other_sizes_of_the_same_sort_are_read_as_ours(good: Path, tmp_path: Path) -> None:
    """As other programs write them: large strings, words by number, longer integers."""
    wide = replaced("answer", lambda column: pa.array(column, pa.large_string()))
    folder = changed(good, tmp_path / "wide", QUESTIONS, wide)
    folder = changed(folder, tmp_path, QUESTIONS, replaced("type", lambda column: pa.array(column).dictionary_encode()))
    folder = changed(folder, tmp_path / "long", SCENES, replaced("index", lambda column: pa.array(column, pa.int64())))
    for file in (SCENES, QUESTIONS):
        assert read_shard(folder / file).equals(read_shard(good / file))
    assert not [complaint for complaint in mereo.audit(folder).complaints if "content" not in complaint]


def test_a_page_that_cannot_be_unpacked_is_told_where_it_is_met(good: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(good, tmp_path / "set"))
    data = bytearray((folder / SCENES).read_bytes())
    with pq.ParquetFile(folder / SCENES) as file:
        chunk = file.metadata.row_group(0).column(4)
        begin = chunk.dictionary_page_offset
    data[begin : begin + 16] = b"\xff" * 16
    (folder / SCENES).write_bytes(data)
    with open_shard(folder / SCENES) as shard:
        shard.read(["scene_id"])
        with pytest.raises(BadInput, match="is not a whole Parquet file"):
            shard.read(["scene"])


def test_fewer_rows_than_the_manifest_says_and_ids_that_come_twice_are_told(good: Path, tmp_path: Path) -> None:
    cut = Path(shutil.copytree(good, tmp_path / "cut"))
    pq.write_table(pq.read_table(cut / SCENES).slice(0, 1), cut / SCENES)
    with pytest.raises(BadInput, match=r"has 1 rows, dataset\.json says 2"):
        mereo.load(cut).scenes[1].world  # noqa: B018  the row is read here
    twice = changed(good, tmp_path, SCENES, lambda table: table.take(pa.array([0, 0])))
    with pytest.raises(BadInput, match="field 'scene_id': 'train-000000' is there twice"):
        mereo.load(twice).scenes["train-000001"]


@pytest.mark.parametrize(
    ("take", "row", "sentence"),
    [
        (record_of, {"scene": '{"a": [1'}, "field 'scene': is not JSON: "),
        (record_of, {"scene": "[]"}, "field 'scene': expected `object`, got `array`"),
        (record_of, {"scene": '{"a": ' + "[" * 9999}, "field 'scene': is not JSON we can read: nested too deeply"),
        (key_of, {"instance_key": '[[0, "x", "leg"]]'}, "field 'instance_key[0][1]': expected `int`, got `str`"),
        (key_of, {}, "field 'instance_key': must be text, as JSON"),
        (entities_of, {"entities": '[{"box": [1, 2], "mask": {}}]'}, "field 'entities[0].box': expected `array` of"),
    ],
)
def test_a_column_of_json_is_checked_where_it_is_taken_out(
    take: Callable[[Any], object], row: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadInput) as told:
        take({"scene_id": "train-000007", **row})
    assert str(told.value).startswith(f"scene 'train-000007', {sentence}")


@pytest.mark.parametrize("lost", ["objects", "directions", "surfaces", "parts", "box", "leaves"])
def test_a_furnished_record_that_lacks_something_is_told_with_its_place(lost: str) -> None:
    from furnished import furnished
    from mereo.benchmarks.ptr.inspect import PtrInspector

    record = furnished(3)
    for place in (record, record["objects"][0], record["objects"][0]["parts"][0]):
        place.pop(lost, None)
    with pytest.raises(BadInput, match=f"scene 'x'[,:].* object missing required field `{lost}`"):
        PtrInspector().world({"scene_id": "x", "scene": json.dumps(record)})


def test_the_explorer_tells_of_damage_on_the_page(good: Path, tmp_path: Path) -> None:
    """A record that is nonsense: every page is built and every picture answered, without an error of the server."""
    folder = changed(good, tmp_path, SCENES, replaced("scene", lambda column: pa.array([NONSENSE] * len(column))))
    (tmp_path / "out").mkdir()
    REFUSED.clear()
    explore(folder, tmp_path / "out")
    assert any("scene 'train-000000'" in sentence for sentence in REFUSED)


def test_questions_of_a_split_without_scenes_are_told(good: Path, tmp_path: Path) -> None:
    manifest = open_dataset(good)
    write_manifest(tmp_path, msgspec.structs.replace(manifest, scenes={"val": 2}))
    with pytest.raises(BadInput, match=r"dataset\.json, field 'questions': are of splits without scenes"):
        open_dataset(tmp_path)


def test_a_curve_of_a_noise_that_does_not_exist_is_told(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "curves.json").write_text('[{"noise": "fog", "dataset": "x", "points": []}]')
    with pytest.raises(BadInput, match=r"curves\.json, curve 0, field 'noise': there is no noise 'fog'"):
        load_curves(tmp_path)


def test_a_broken_stl_is_refused_without_a_traceback_of_its_reader(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.stl").write_bytes(b"solid a\nfacet normal x y z\nouter loop\nvertex 1 2\n" * 9)
    with pytest.raises(BadInput, match=r"a\.stl: "):
        read_groups(tmp_path / "a.stl")
    assert capsys.readouterr().err == ""


def test_triangles_with_corners_that_are_not_there_are_refused(tmp_path: Path) -> None:
    head = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
    body = "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n"
    (tmp_path / "a.ply").write_text(head + body)
    with pytest.raises(BadInput, match="a corner that is not there"):
        read_groups(tmp_path / "a.ply")


def test_an_hdf5_file_that_is_damaged_or_says_more_than_it_holds_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("data", (1 << 20, 1 << 20, 3), "f4", chunks=(1, 1024, 3))
        file.create_dataset("label_seg", (1 << 20, 1 << 20), "u1", chunks=(1, 1024))
    with pytest.raises(BadInput, match="field 'data': has more numbers than the file holds"):
        read_h5(path, "semantic")
    with h5py.File(path, "w") as file:
        file.create_dataset("data", data=np.ones((2, 500, 3), "f4"), compression="gzip")
        offset = file["data"].id.get_chunk_info(0).byte_offset
        file.create_dataset("label_seg", data=np.ones((2, 500), "u1"))
    data = bytearray(path.read_bytes())
    data[offset : offset + 8] = b"\xff" * 8
    path.write_bytes(data)
    with pytest.raises(BadInput, match="is not a whole HDF5 file"):
        read_h5(path, "semantic")


def test_a_complaint_is_one_line_whatever_is_complained_of() -> None:
    assert str(BadInput("there is no\nsuch 'a\r\nb'", file="x\ny")) == "x y: there is no such 'a b'"


def test_an_object_without_a_paint_for_the_rest_is_told() -> None:
    with pytest.raises(BadInput, match="chair, field 'paints': has no paint for all that is not listed"):
        Placed(ShapeRef("chair")).paint("chair/seat")


def test_a_scene_that_says_it_has_billions_of_objects_is_told_without_counting_them() -> None:
    row = {"scene_id": "x", "objects": 2**31 - 1, "amodal": '{"objects": [], "instances": []}'}
    told = list(amodal_faults(row, np.zeros((4, 4), np.uint16), []))
    assert told == ["there are amodal masks of 0 objects, not of 2147483647"]


@pytest.mark.parametrize("field", ["family", "instance", "seed"])
def test_a_shape_of_a_negative_number_is_told(field: str) -> None:
    layout = json.loads(scene_to_json(stage(thing("chair", 0, 0))))
    layout["objects"][0]["shape"][field] = -1
    with pytest.raises(BadInput, match=rf"field 'objects\[0\]\.shape\.{field}': expected `int` >= 0"):
        scene_from_json(json.dumps(layout).encode())


def test_a_scene_without_objects_is_an_empty_space() -> None:
    assert b'"pieces":[]' in pack(space_of_scene(stage()))


def test_a_word_without_synonyms_is_told(tmp_path: Path) -> None:
    (tmp_path / "synonyms.json").write_text('{"sphere": ["ball"], "cube": []}')
    (tmp_path / "metadata.json").write_text(json.dumps(METADATA))
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "one.json").write_text(json.dumps([template()]))
    with pytest.raises(BadInput, match=r"synonyms\.json, field 'cube': is a word with no way to say it"):
        load_family(
            tmp_path / "templates",
            metadata=tmp_path / "metadata.json",
            synonyms=tmp_path / "synonyms.json",
            dialect=DIALECT,
        )


def test_a_mask_larger_than_any_picture_is_refused_before_it_takes_memory() -> None:
    record = {"objects": [{}], "obj_mask": {"1": "240000000000"}}
    with pytest.raises(BadInput, match=r"field 'obj_mask': is of 600000x400000 pixels, more than the 67,108,864"):
        recorded_masks(record)


def test_bad_utf_8_is_told_even_where_nobody_looks_and_deep_toml_is_refused(tmp_path: Path) -> None:
    class Small(msgspec.Struct):
        one: int

    (tmp_path / "a.json").write_bytes(b'{"one": 1, "other": "\xff"}')
    with pytest.raises(BadInput, match="not UTF-8 at line 1, column 22"):
        read_json(tmp_path / "a.json", type=Small)
    (tmp_path / "a.toml").write_text("a = " + "[" * 9999)
    with pytest.raises(BadInput, match="nested too deeply"):
        read_toml(tmp_path / "a.toml")


def test_questions_about_scenes_that_are_not_there_are_not_exported(good: Path, tmp_path: Path) -> None:
    folder = changed(good, tmp_path, QUESTIONS, replaced("scene_id", lambda column: pa.array(["x"] * len(column))))
    with pytest.raises(BadInput, match="there is no scene 'x' in this shard"):
        mereo.export(folder, tmp_path / "out", to="clevr")
    assert load_questions(folder).words("scene_id")[0] == "x"


def test_types_are_handed_to_msgspec_in_one_place() -> None:
    """Msgspec works a type out when it first meets it, which is not safe in threads: `files.decoder` has a lock.

    Whoever decodes or converts without a type, or from text that mereo has just written, does no harm.
    """
    typed = {"convert", "Decoder"}
    for path in sorted((ROOT / "src").rglob("*.py")):
        if path.relative_to(ROOT / "src").as_posix() == "mereo/files.py":
            continue
        text = path.read_text()
        for node in ast.walk(ast.parse(text)) if "msgspec." in text else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                called = ast.unparse(node.func)
                named = any(keyword.arg == "type" for keyword in node.keywords)
                if called.startswith("msgspec."):
                    assert node.func.attr not in typed, f"{path}:{node.lineno}: use mereo.files"
                    assert not (called == "msgspec.json.decode" and named), f"{path}:{node.lineno}: use mereo.files"


@pytest.mark.parametrize("host", ["é" * 80, "a..b"], ids=["long", "dots"])
def test_a_host_that_cannot_be_one_is_told(host: str, good: Path) -> None:
    from mereo.cli.explore import explore as command

    with pytest.raises(BadInput, match=r"is no address|cannot listen on"):
        command([good], host=host, port=8080, token="long enough", no_open=True)
