"""PTR's official JSON goes in and comes out again with the same values; what is wrong in it is named and left out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kit import CommandLine, scene_file
from mereo.chance import generator
from mereo.datasets.pictures import encode_png
from mereo.datasets.store import open_dataset, read_table
from ptr_scenes import Record, sampled, scene, thing

COUNTING = [
    {"type": "scene", "inputs": [], "value_inputs": [], "_output": [0, 1, 2]},
    {"type": "count", "inputs": [0], "value_inputs": [], "_output": 3},
]


class Files:
    """A folder of scenes and a question file with two questions about each."""

    def __init__(self, folder: Path, count: int = 4):
        self.folder, self.scenes = folder, folder / "scenes"
        self.records = [
            scene(*[thing("Chair", {"seat": color}) for color in ("red", "blue", "gray")], index=index)
            for index in range(count)
        ]
        self.questions: list[Record] = []
        for record in self.records:
            for extra in ({}, {"type1": "concept", "type2": "count", "program_nsclseq": [{"op": "scene"}]}):
                self.questions.append(
                    {
                        "split": "val",
                        "image_filename": record["image_filename"],
                        "image_index": record["image_index"],
                        "image": record["image_filename"].removesuffix(".png"),
                        "question": "how many things are there?",
                        "program": json.loads(json.dumps(COUNTING)),
                        "answer": 3,
                        "template_filename": "zero_hop.json",
                        "question_family_index": 0,
                        "question_index": len(self.questions),
                        **extra,
                    }
                )

    def write(self) -> list[str | Path]:
        """Write all and give the arguments that name them."""
        self.scenes.mkdir(exist_ok=True)
        for record in self.records:
            name = str(record["image_filename"]).replace(".png", ".json")
            (self.scenes / name).write_text(json.dumps(record))
        (self.folder / "questions.json").write_text(json.dumps({"questions": self.questions}))
        return ["--scenes", self.scenes, "--questions", self.folder / "questions.json"]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def rows(dataset: Path, kind: str) -> list[dict[str, Any]]:
    return [row for path in sorted((dataset / kind).glob("*.parquet")) for row in read_table(path).to_pylist()]


def exported(folder: Path, split: str) -> tuple[dict[str, Record], list[Record]]:
    scenes = {path.name: json.loads(path.read_text()) for path in (folder / "scenes" / split).iterdir()}
    return scenes, json.loads((folder / "questions" / f"PTR_{split}_questions.json").read_text())["questions"]


def there_and_back(mereo: CommandLine, folder: Path, arguments: list[str | Path]) -> Path:
    mereo("import", "ptr", folder / "dataset", *arguments)
    mereo("export", folder / "dataset", folder / "back", "--to", "ptr")
    return folder / "back"


def test_official_files_come_back_with_the_same_values(mereo: CommandLine, tmp_path: Path, official_data: Path) -> None:
    samples = official_data / "official_samples"
    given: list[str | Path] = ["--scenes", samples / "ptr_scenes", "--questions", samples / "ptr_questions.json"]
    scenes, questions = exported(there_and_back(mereo, tmp_path, given), "val")
    assert scenes == {path.name: json.loads(path.read_text()) for path in (samples / "ptr_scenes").iterdir()}
    theirs = json.loads((samples / "ptr_questions.json").read_text())["questions"]
    by_index = {question["question_index"]: question for question in questions}
    assert len(questions) == len(by_index) == len(theirs) == 30
    assert all(by_index[question["question_index"]] == question for question in theirs)
    back = tmp_path / "back"
    files = "--scenes", back / "scenes" / "val", "--questions", back / "questions" / "PTR_val_questions.json"
    assert "30 of 30 (100%)" in mereo("verify", "--language", "ptr_official", *files).out


def test_scenes_of_chance_come_back_with_the_same_values(mereo: CommandLine, tmp_path: Path) -> None:
    files = Files(tmp_path, 0)
    for index in range(6):
        files.records.append(sampled(generator(7, "back", index), index, physics=index % 2 == 1))
    scenes, questions = exported(there_and_back(mereo, tmp_path, files.write()), "val")
    assert sorted(scenes.values(), key=lambda record: int(record["image_index"])) == files.records
    assert questions == []


def test_what_the_files_say_of_a_question_is_kept(mereo: CommandLine, files: Files, tmp_path: Path) -> None:
    _, questions = exported(there_and_back(mereo, tmp_path, files.write()), "val")
    assert questions == files.questions
    found = rows(tmp_path / "dataset", "questions")
    assert [(row["type"], row["subtype"]) for row in found[:2]] == [("count", "count"), ("concept", "count")]
    assert {row["template"] for row in found} == {"zero_hop/0"}
    assert {row["answer"] for row in found} == {"3"}
    assert open_dataset(tmp_path / "dataset").settings["language"] == "ptr_official"


def test_pictures_go_in_and_out(mereo: CommandLine, files: Files, tmp_path: Path) -> None:
    images = tmp_path / "images"
    images.mkdir()
    for record in files.records:
        (images / record["image_filename"]).write_bytes(picture(record["image_index"]))
    back = there_and_back(mereo, tmp_path, [*files.write(), "--images", images])
    assert (back / "images" / "val" / "PTR_val_000002.png").read_bytes() == picture(2)
    mereo("import", "ptr", back, tmp_path / "again")
    assert rows(tmp_path / "again", "scenes") == rows(tmp_path / "dataset", "scenes"), "a folder is imported at once"
    both = [rows(tmp_path / name, "questions") for name in ("again", "dataset")]
    assert [row["question_id"] for row in both[0]] == [row["question_id"] for row in both[1]]


def test_coco_has_the_masks_of_official_files(mereo: CommandLine, tmp_path: Path, official_data: Path) -> None:
    scene = official_data / "official_samples" / "ptr_scenes" / "PTR_new_000000.json"
    record = json.loads(scene.read_text())
    (tmp_path / record["image_filename"]).write_bytes(encode_png(np.full((600, 800, 3), 128, np.uint8)))
    mereo("import", "ptr", tmp_path / "set", "--scenes", scene, "--images", tmp_path)
    mereo("export", tmp_path / "set", tmp_path / "coco", "--to", "coco")
    content = json.loads((tmp_path / "coco" / "annotations" / "instances_val.json").read_text())
    assert [one["name"] for one in content["categories"]] == ["Chair", "Bed", "Table", "Refrigerator", "Cart"]
    assert [one["area"] for one in content["annotations"]] == [
        sum(thing["obj_mask"]["counts"][1::2]) for thing in record["objects"]
    ]


def test_what_is_no_picture_is_named(mereo: CommandLine, files: Files, tmp_path: Path) -> None:
    for record in files.records:
        (tmp_path / record["image_filename"]).write_bytes(b"a picture")
    done = mereo("import", "ptr", tmp_path / "out", *files.write(), "--images", tmp_path, code=2)
    assert re.search(r"PTR_val_\d+\.png: is no picture that can be shown", done.err)


def picture(number: int) -> bytes:
    return encode_png(np.full((4, 6, 3), number, np.uint8))


def test_a_dataset_of_another_kind_is_not_exported(mereo: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "scenes.json").write_text(json.dumps(scene_file(2)))
    mereo("import", "clevr", tmp_path / "clevr", "--scenes", tmp_path / "scenes.json")
    done = mereo("export", tmp_path / "clevr", tmp_path / "out", "--to", "ptr", code=2)
    assert "there is no export format of clevr datasets named 'ptr' (there is: clevr, coco," in done.err
    assert not (tmp_path / "out").exists()


# Bad input


def put(*path: Any, to: Any) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        *way, last = path
        place: Any = record
        for step in way:
            place = place[step]
        place[last] = to

    return change


def drop(field: str) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        del record["objects"][1][field]

    return change


OBJECT = "objects", 1
MASK = {"size": [600, 800], "counts": [1, 2, 3]}

WRONG = [
    *(
        (drop(field), f"object 1, field '{field}': is missing")
        for field in (
            *("category", "part_color_occluded", "part_count_occluded", "part_color_all", "part_color", "part_count"),
            *("obj_mask", "part_mask", "3d_coords", "rotation", "pixel_coords"),
        )
    ),
    (
        put(*OBJECT, "category", to="Chiar"),
        "object 1, field 'category': 'Chiar' is not a category (did you mean 'Chair'?)",
    ),
    (
        put(*OBJECT, "part_color_occluded", to={"saet": ["red", [1, 2, 3]]}),
        "object 1, field 'part_color_occluded': 'saet' is not a part (did you mean 'seat'?)",
    ),
    (
        put(*OBJECT, "part_color_occluded", to={"seat": ["rde", [1, 2, 3]]}),
        "object 1, field 'part_color_occluded.seat': 'rde' is not a color (did you mean 'red'?)",
    ),
    (put(*OBJECT, "part_color_all", to={"base": "red"}), "field 'part_color_all.base': must be the name of a color"),
    (
        put(*OBJECT, "part_count_occluded", to={"leg": "four"}),
        "field 'part_count_occluded.leg': 'four' is not a number",
    ),
    (put(*OBJECT, "part_count_occluded", to={"leg": -1}), "field 'part_count_occluded.leg': -1 is not a number"),
    (put(*OBJECT, "part_count", to=[4]), "field 'part_count': must be an object with one entry for each part"),
    (put(*OBJECT, "obj_mask", to=MASK), "field 'obj_mask.counts': the runs are 6 pixels long, the mask has 600 x 800"),
    (put(*OBJECT, "obj_mask", to={"counts": [1]}), "field 'obj_mask': must have a size and counts"),
    (put(*OBJECT, "part_mask", to={"leg": [MASK]}), "object 1, field 'part_mask.leg[0].counts': the runs are 6 pixels"),
    (
        put(*OBJECT, "part_mask", to={"leg": [{"size": [2, 2], "counts": [6, -2]}]}),
        "field 'part_mask.leg[0].counts': has a run of less than no pixels",
    ),
    (put(*OBJECT, "line_geo", to={"leg": [1, 2]}), "field 'line_geo.leg': must be 3 numbers, not 2"),
    (put(*OBJECT, "plane_geo", to={"lid": [1, 2, 3]}), "field 'plane_geo': 'lid' is not a part"),
    (put(*OBJECT, "stability", to="maybe"), "field 'stability': 'maybe' is not a word for stability"),
    (put(*OBJECT, "possible_change", to=[["up"], [0, 0, 0]]), "field 'possible_change': 'up' is not a direction"),
    (put(*OBJECT, "possible_change", to=[]), "field 'possible_change': must be a list of directions and a position"),
    (put(*OBJECT, "question_type", to="geometry"), "field 'question_type': must be a list"),
    (put(*OBJECT, "3d_coords", to=[1, "2", 3]), "field '3d_coords': '2' is not a finite number"),
    (put(*OBJECT, to="chair"), "object 1: must be an object with fields"),
    (put("objects", to={}), "the scene, field 'objects': must be a list"),
    (put("physics", to="yes"), "the scene, field 'physics': must be true or false"),
    (put("relationships", "left", to=[[]]), "field 'relationships.left': must have one list for each of the 3 objects"),
    (put("relationships", "left", 1, to=[7]), "object 1, field 'relationships.left': there is no object 7"),
    (put("relationships", "beside", to=[[], [], []]), "field 'relationships': 'beside' is not a relation"),
    (put("relationships", to={}), "field 'relationships.left': is missing"),
]


@pytest.mark.parametrize(("change", "sentence"), WRONG)
def test_a_wrong_scene_is_named_left_out_and_counted(
    mereo: CommandLine, files: Files, tmp_path: Path, change: Callable[[Record], None], sentence: str
) -> None:
    if "question_type" in sentence:
        put(*OBJECT, "plane_geo", to={"seat": [0, 0, 1.0]})(files.records[2])
    change(files.records[2])
    arguments = files.write()
    stopped = mereo("import", "ptr", tmp_path / "strict", *arguments, "--strict", code=2)
    place = f"{files.scenes / 'PTR_val_000002.json'}, the scene"
    assert stopped.err.startswith(f"mereo: {place}")
    assert sentence in stopped.err
    assert not (tmp_path / "strict").exists()
    done = mereo("import", "ptr", tmp_path / "out", *arguments)
    named, left_out, imported = done.out.splitlines()
    assert f"mereo: {named}" == stopped.err.strip()
    assert left_out == "1 scenes and 2 questions are left out; --strict stops at the first"
    assert imported == f"{tmp_path / 'out'}: 3 scenes and 6 questions imported"
    assert {json.loads(row["scene"])["image_index"] for row in rows(tmp_path / "out", "scenes")} == {0, 1, 3}


QUESTION = [
    (put("program", 1, "type", to="cuont"), "ptr_official has no function 'cuont' (did you mean 'count'?)"),
    (put("program", 1, "inputs", to=[4]), "field 'program': step 1 (count) takes a step that does not come before it"),
    (
        put("program", 1, to={"type": "filter_color", "inputs": [0], "value_inputs": ["red"]}),
        "program node 1, field 'value_inputs': must be one pair of values",
    ),
    (
        put("program", 1, to={"type": "filter_color", "inputs": [0], "value_inputs": [{"lid": "red"}]}),
        "'lid' is not a Part",
    ),
    (put("program", 1, to={"type": "unique", "inputs": [0]}), "expected exactly one, and 3 are referred to"),
]


@pytest.mark.parametrize(("change", "sentence"), QUESTION)
def test_a_wrong_question_is_named_left_out_and_counted(
    mereo: CommandLine, files: Files, tmp_path: Path, change: Callable[[Record], None], sentence: str
) -> None:
    change(files.questions[5])
    arguments = files.write()
    stopped = mereo("import", "ptr", tmp_path / "strict", *arguments, "--strict", code=2)
    assert stopped.err.startswith(f"mereo: {arguments[3]}, ")
    assert sentence in stopped.err
    done = mereo("import", "ptr", tmp_path / "out", *arguments)
    assert sentence in done.out.splitlines()[0]
    assert "0 scenes and 1 questions are left out" in done.out
    assert "4 scenes and 7 questions imported" in done.out


def test_a_file_that_is_no_json_is_left_out_with_its_questions(
    mereo: CommandLine, files: Files, tmp_path: Path
) -> None:
    arguments = files.write()
    broken = files.scenes / "PTR_val_000001.json"
    broken.write_text('{"objects": [')
    assert str(broken) in mereo("import", "ptr", tmp_path / "strict", *arguments, "--strict", code=2).err
    done = mereo("import", "ptr", tmp_path / "out", *arguments)
    assert done.out.startswith(f"{broken}: is not JSON")
    assert "1 scenes and 2 questions are left out" in done.out
    assert "3 scenes and 6 questions imported" in done.out


def test_files_that_do_not_belong_together_are_refused_in_any_case(
    mereo: CommandLine, files: Files, tmp_path: Path
) -> None:
    files.questions[3]["image_filename"] = "PTR_train_000001.png"
    arguments = files.write()
    refused = mereo("import", "ptr", tmp_path / "out", *arguments, code=2)
    assert "question 3: asks about PTR_train_000001.png, of which there is no scene" in refused.err
    assert not (tmp_path / "out").exists()


def test_if_nothing_is_left_nothing_is_imported(mereo: CommandLine, files: Files, tmp_path: Path) -> None:
    for record in files.records:
        drop("category")(record)
    refused = mereo("import", "ptr", tmp_path / "out", *files.write(), code=2)
    assert re.search(r"not one scene can be imported: .*PTR_val_000000.json.*field 'category': is missing", refused.err)
    assert not (tmp_path / "out").exists()


def test_many_complaints_are_counted_and_the_first_shown(mereo: CommandLine, tmp_path: Path) -> None:
    files = Files(tmp_path, 15)
    for record in files.records[:12]:
        drop("rotation")(record)
    done = mereo("import", "ptr", tmp_path / "out", *files.write())
    lines = done.out.splitlines()
    assert len(lines) == 10 + 3
    assert lines[10:12] == ["… and 2 more", "12 scenes and 24 questions are left out; --strict stops at the first"]
