"""SHOP-VRB's own files: verified step by step, its templates asked unchanged, questions read and written."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import naive_shop
import shop_templates
from kit import OFFICIAL_DATA, CommandLine
from mereo.benchmarks.shop.language import SHOP_VRB, TEXTUAL, VISUAL, shop_world
from mereo.benchmarks.shop.official import DIALECT
from mereo.clevr_family.templates import load_family
from mereo.datasets.answers import stored_answer
from mereo.datasets.build import Rows, build_dataset
from mereo.datasets.pictures import encode_png
from mereo.datasets.rows import append, new_columns
from mereo.datasets.store import PICTURE_FIELDS, QUESTION_FIELDS, Shard
from mereo.masks import decode
from mereo.programs import compile_program
from mereo.questions.plan import make_plan
from mereo.questions.search import find_instance
from naive_shop_search import NaiveShopGenerator

OFFICIAL = OFFICIAL_DATA / "templates" / "shop_vrb"
SAMPLE = OFFICIAL_DATA / "official_samples" / "shop_vrb_visual_questions.json"
SCENES = SAMPLE.with_name("shop_vrb_visual_questions_scenes.json")
KEYS = {
    *("split", "image_filename", "image_index", "image", "question", "program", "answer", "template_filename"),
    *("question_in_family_index", "question_family_index", "question_index"),
}

needs_data = pytest.mark.skipif(not OFFICIAL.is_dir(), reason=f"there is no {OFFICIAL}")


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    """Forty scenes."""
    path = tmp_path / "scenes.json"
    path.write_text(json.dumps(shop_templates.scene_file(40)))
    return path


def verified(mereo: CommandLine, scenes: Path, questions: Path) -> str:
    return mereo("verify", "--language", "shop_vrb", "--scenes", scenes, "--questions", questions).out


def ask(mereo: CommandLine, scenes: Path, templates: Path, metadata: Path, *more: str | Path) -> list[dict[str, Any]]:
    """Questions that official or other templates give."""
    out = scenes.with_name("questions.json")
    files = ("--templates", templates, "--metadata", metadata)
    mereo("questions", "--scenes", scenes, *files, "--out", out, *more)
    assert verified(mereo, scenes, out).count("(100%)") == 2
    found: list[dict[str, Any]] = json.loads(out.read_text())["questions"]
    return found


def written(tmp_path: Path, *templates: dict[str, Any], kind: str = "") -> tuple[Path, Path]:
    """A folder with only these templates, and its metadata."""
    shop_templates.write_templates(tmp_path / "given" / "all", kind)
    folder = tmp_path / "given" / "some"
    folder.mkdir()
    (folder / "own.json").write_text(json.dumps(templates))
    return folder, tmp_path / "given" / f"metadata_{kind or 'visual'}.json"


def check(asked: list[dict[str, Any]], scenes: Path, files: Mapping[str, list[dict[str, Any]]]) -> None:
    """What holds for every question: its form, each step and the answer, and the constraints of its template."""
    records = {scene["image_filename"]: scene for scene in json.loads(scenes.read_text())["scenes"]}
    order = [(f"{name}.json", index) for name in sorted(files) for index in range(len(files[name]))]
    counts: dict[Any, Counter[Any]] = defaultdict(Counter)
    for number, question in enumerate(asked):
        assert set(question) == KEYS
        assert question["question_index"] == number
        own = question["template_filename"], question["question_in_family_index"]
        assert order.index(own) == question["question_family_index"]
        nodes = question["program"]
        assert {key for node in nodes for key in node} == {"function", "inputs", "value_inputs", "_output"}
        outputs = naive_shop.run(nodes, records[question["image_filename"]])
        assert outputs == [node["_output"] for node in nodes]
        assert outputs[-1] == question["answer"]
        naive_shop.keeps(files[own[0].removesuffix(".json")][own[1]], nodes)
        assert "<" not in question["question"]
        counts[own][str(question["answer"])] += 1
    for answers in counts.values():  # in one window an answer may be given once more than any other, and a tenth
        first, second = (*(count for _, count in answers.most_common(2)), 0)[:2]
        assert first <= 1.1 * second + 1


@needs_data
def test_every_step_of_the_official_sample_is_verified(mereo: CommandLine) -> None:
    told = verified(mereo, SCENES, SAMPLE)
    assert "answers: 30 of 30 (100%)" in told
    assert "steps: 377 of 377 (100%)" in told


@needs_data
def test_a_wrong_step_is_found(mereo: CommandLine, tmp_path: Path) -> None:
    content = json.loads(SAMPLE.read_text())
    content["questions"][7]["program"][-1]["_output"] = 2
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(content))
    done = mereo("verify", "--language", "shop_vrb", "--scenes", SCENES, "--questions", path, code=1)
    assert "steps: 376 of 377" in done.out
    assert "question 7, step " in done.out


@needs_data
@pytest.mark.parametrize(("folder", "kind"), [("templates", ""), ("templates_text", "_text")])
def test_official_templates_give_what_the_official_rules_demand(
    mereo: CommandLine, scenes: Path, folder: str, kind: str
) -> None:
    more = ("--synonyms", OFFICIAL / "synonyms.json")
    asked = ask(mereo, scenes, OFFICIAL / folder, OFFICIAL / f"metadata_shop_vrb{kind}.json", *more)
    files = {file.stem: json.loads(file.read_text()) for file in (OFFICIAL / folder).glob("*.json")}
    check(asked, scenes, files)
    assert len(asked) > 300
    assert {question["question_family_index"] for question in asked} == set(range(sum(map(len, files.values()))))
    for question in asked:
        assert not {"boxs", "glasss", "scissorss", "thermoss", "knifes"} & set(question["question"].rstrip("?").split())


@pytest.mark.parametrize("kind", ["", shop_templates.TEXT])
def test_templates_of_every_form_give_what_the_official_rules_demand(
    mereo: CommandLine, scenes: Path, tmp_path: Path, kind: str
) -> None:
    shop_templates.write_templates(tmp_path / "templates", kind)
    metadata = tmp_path / f"metadata_{kind or 'visual'}.json"
    asked = ask(mereo, scenes, tmp_path / "templates", metadata, "--per-scene", "12")
    files = shop_templates.templates(kind)
    check(asked, scenes, files)
    assert {question["question_family_index"] for question in asked} == set(range(sum(map(len, files.values()))))
    functions = {node["function"] for question in asked for node in question["program"]}
    about = TEXTUAL if kind else VISUAL
    assert {f"{verb}_{name}" for verb in ("filter", "query", "same", "equal") for name in about} <= functions
    assert {"union", "intersect", "less_than", "greater_than", "equal_integer", "relate", "exist"} <= functions
    if kind:
        lists = [question["answer"] for question in asked if question["program"][-1]["function"] == "query_attribute"]
        assert len(lists) > len({tuple(one) for one in lists}) > 5, "a list may be the answer again, and others too"


def test_whatever_a_plain_search_finds_can_be_asked(tmp_path: Path) -> None:
    shop_templates.write_templates(tmp_path / "templates")
    folder, metadata = tmp_path / "templates", tmp_path / "metadata_visual.json"
    family = load_family(folder, metadata=metadata, synonyms=None, dialect=DIALECT)
    known = {(template.source, template.index): template for template in family.templates}
    scene = shop_templates.strewn(1)
    found = NaiveShopGenerator(folder, metadata, seed=0, patience=0.05).ask(scene, len(known))
    assert len(found) > len(known) / 3
    for source, index, answer in found:
        template, world = known[source, index], shop_world(scene)
        draws = product(*(range(len(choice.holes)) for choice in template.one_of))
        plans = (make_plan(template.settled(draw), SHOP_VRB, DIALECT.rules) for draw in draws)
        chance = random.Random(0)
        assert any(find_instance(plan, world, welcome={answer}, chance=chance) for plan in plans), (source, index)


def count(constraints: list[dict[str, Any]], *, kind: str = "") -> dict[str, Any]:
    """The template that counts what one description fits, with constraints of its own."""
    template = deepcopy(shop_templates.templates(kind)[f"zero_hop{'_text' if kind else ''}"][0])
    return {**template, "constraints": constraints}


def hole(template: Mapping[str, Any], type: str) -> str:
    return next(str(param["name"]) for param in template["params"] if param["type"] == type)


def settled(
    mereo: CommandLine, scenes: Path, tmp_path: Path, *templates: dict[str, Any]
) -> list[dict[str, str | None]]:
    """What fills the holes of the questions that some templates give."""
    asked = ask(mereo, scenes, *written(tmp_path, *templates, kind=shop_templates.TEXT))
    check(asked, scenes, {"own": list(templates)})
    return [naive_shop.filled(templates[one["question_in_family_index"]], one["program"])[0] for one in asked]


def test_of_holes_that_exclude_each_other_each_is_filled_at_times(
    mereo: CommandLine, scenes: Path, tmp_path: Path
) -> None:
    free = count([], kind=shop_templates.TEXT)
    names = [hole(free, name) for name in ("Name", "Shape", "Color")]
    others = [param["name"] for param in free["params"] if param["name"] not in names]
    some = [{"type": kind, "params": params} for kind, params in (("ONE_OF", names), ("NONE_OF", others))]
    found = settled(mereo, scenes, tmp_path, {**free, "constraints": some})
    used = Counter(name for fillings in found for name in names if fillings[name])
    assert set(used) == set(names)
    assert used.total() < len(found), "at times none of them is"


def test_one_must_be_filled_where_that_is_forced(mereo: CommandLine, scenes: Path, tmp_path: Path) -> None:
    free = count([], kind=shop_templates.TEXT)
    names = [hole(free, name) for name in ("Picking", "Color", "Attribute")]
    rest = [hole(free, name) for name in ("Weight", "Material", "Movability", "Shape")]
    some = [{"type": kind, "params": params} for kind, params in (("ONE_OF_FORCE", names), ("NONE_OF", rest))]
    found = settled(mereo, scenes, tmp_path, {**free, "constraints": some})
    assert {tuple(name for name in names if fillings[name]) for fillings in found} == {(name,) for name in names}
    assert any(fillings[hole(free, "Size")] for fillings in found), "other holes are free"


def test_holes_of_several_nodes_may_exclude_each_other(mereo: CommandLine, scenes: Path, tmp_path: Path) -> None:
    template = deepcopy(shop_templates.templates()["comparison"][VISUAL.index("size")])
    names = [param["name"] for param in template["params"] if param["type"] in ("Color", "Material")]
    template["constraints"] = [{"type": "ONE_OF", "params": names}]
    found = settled(mereo, scenes, tmp_path, template)
    assert len(names) == 4
    assert {name for fillings in found for name in names if fillings[name]} == set(names)


def test_a_hole_that_is_always_filled_excludes_the_others(mereo: CommandLine, scenes: Path, tmp_path: Path) -> None:
    template = deepcopy(shop_templates.templates()["single_or"][1])
    always = template["params"][-1]["name"]
    other = hole(template, "Color")
    template["constraints"].append({"type": "ONE_OF", "params": [other, always]})
    found = settled(mereo, scenes, tmp_path, template)
    assert found
    assert not any(fillings[other] for fillings in found)


def test_nothing_above_seven_is_counted(mereo: CommandLine, tmp_path: Path) -> None:
    content = shop_templates.scene_file(30)
    for scene in content["scenes"]:
        things = scene["objects"] * 3
        scene["objects"], scene["relationships"] = (
            things[:10],
            {name: [[]] * len(things[:10]) for name in scene["relationships"]},
        )
    path = tmp_path / "scenes.json"
    path.write_text(json.dumps(content))
    answers = {one["answer"] for one in ask(mereo, path, *written(tmp_path, count([])))}
    assert 0 in answers
    assert max(answers) <= 7


@pytest.mark.parametrize(
    ("constraint", "reason"),
    [
        ({"type": "ONE_OF", "params": ["<Y>"]}, "no node takes the hole <Y>"),
        ({"type": "NONE_OF", "params": ["<R0>"]}, "the hole <R0> cannot stay empty"),
        ({"type": "ONE_OFF", "params": []}, "there is no constraint 'ONE_OFF'"),
        ({"type": "ONE_OF", "params": ["<R0>", "<R8>"]}, "the holes <R0> and <R8> are both filled always"),
    ],
)
def test_constraints_that_cannot_be_kept_are_refused(
    mereo: CommandLine, scenes: Path, tmp_path: Path, constraint: dict[str, Any], reason: str
) -> None:
    template = deepcopy(shop_templates.templates()["two_hop"][0])
    relations = [param for param in template["params"] if param["type"] == "Relation"]
    named = json.dumps(template).replace(relations[0]["name"], "<R0>").replace(relations[1]["name"], "<R8>")
    template = json.loads(named)
    template["constraints"] = [constraint]
    folder, metadata = written(tmp_path, template)
    files = ("--templates", folder, "--metadata", metadata)
    done = mereo("questions", "--scenes", scenes, *files, "--out", tmp_path / "out.json", code=2)
    assert done.err.count("\n") == 1
    assert f"own.json, template 0, field 'constraints': {reason}" in done.err
    assert not (tmp_path / "out.json").exists()


def test_what_stands_beside_the_metadata_mends_the_texts(mereo: CommandLine, scenes: Path, tmp_path: Path) -> None:
    folder, metadata = written(tmp_path, {**count([]), "text": ["How many things or ?"]})
    assert ask(mereo, scenes, folder, metadata)[0]["question"] == "How many things or?"
    (tmp_path / "given" / "phrasings.json").write_text(
        json.dumps({"text": {" or ?": "?"}, "regex": {r"(how) (many)": r"\2 \1", "things(?=[?])": "knifes"}})
    )
    (tmp_path / "given" / "plurals.json").write_text(json.dumps({"knifes": "knives"}))
    assert ask(mereo, scenes, folder, metadata)[0]["question"] == "How many knives?"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ({"regex": {"(": ""}}, "field 'regex': '(' is no pattern"),
        ({"regex": {"a": r"\1"}}, "field 'regex': 'a' is no pattern for '\\\\1'"),
        ({"words": {"a": "b"}}, "field 'words': is neither words to replace"),
        ({"text": {"a": 3}}, "expected `str`, got `int`"),
    ],
)
def test_replacements_that_make_no_sense_are_refused(
    mereo: CommandLine, scenes: Path, tmp_path: Path, content: dict[str, Any], reason: str
) -> None:
    folder, metadata = written(tmp_path, count([]))
    (tmp_path / "given" / "phrasings.json").write_text(json.dumps(content))
    files = ("--templates", folder, "--metadata", metadata)
    done = mereo("questions", "--scenes", scenes, *files, "--out", tmp_path / "out.json", code=2)
    assert "phrasings.json" in done.err
    assert reason in done.err


def test_one_value_is_written_as_itself_and_several_as_a_list(mereo: CommandLine, scenes: Path, tmp_path: Path) -> None:
    content = json.loads(scenes.read_text())
    for scene in content["scenes"]:
        for thing in scene["objects"]:
            thing["attribute"] = thing["attribute"][: len(thing["name"]) % 2 + 1]
    scenes.write_text(json.dumps(content))
    template = shop_templates.templates(shop_templates.TEXT)["zero_hop_text"][-1]
    asked = ask(mereo, scenes, *written(tmp_path, template, kind=shop_templates.TEXT))
    check(asked, scenes, {"own": [template]})
    assert {type(question["answer"]) for question in asked} == {str, list}


@needs_data
def test_official_files_go_in_and_come_out_as_they_were(mereo: CommandLine, tmp_path: Path) -> None:
    more = ("--synonyms", OFFICIAL / "synonyms.json", "--per-scene", "5")
    scenes = tmp_path / "scenes.json"
    scenes.write_bytes(SCENES.read_bytes())
    asked = ask(mereo, scenes, OFFICIAL / "templates_text", OFFICIAL / "metadata_shop_vrb_text.json", *more)
    mereo("import", "shop_vrb", tmp_path / "in", "--scenes", SCENES, "--questions", SAMPLE)
    mereo("export", tmp_path / "in", tmp_path / "out", "--to", "shop_vrb")
    text = tmp_path / "out" / "questions" / "SHOP_VRB_train_text_questions.json"
    text.write_text(json.dumps({"questions": asked}))
    done = mereo("import", "shop_vrb", tmp_path / "out", tmp_path / "again")
    assert done.out == f"{tmp_path / 'again'}: 3 scenes and 45 questions imported\n"
    mereo("export", tmp_path / "again", tmp_path / "last", "--to", "shop_vrb")
    theirs = {
        "scenes": json.loads(SCENES.read_text())["scenes"],
        "questions": json.loads(SAMPLE.read_text())["questions"],
    }
    for kind, records in theirs.items():
        content = json.loads((tmp_path / "last" / kind / f"SHOP_VRB_train_{kind}.json").read_text())
        assert content[kind] == records
    written = json.loads((tmp_path / "last" / "questions" / text.name).read_text())["questions"]
    assert sorted(written, key=lambda one: int(one["question_index"])) == asked


PROGRAMS = {
    "counts/0": "count(scene())",
    "counts/1": "exist(filter_size[small](scene()))",
    "text_counts/0": "count(filter_powering[non-powered](scene()))",
}
LIFTED = "count(lifted(scene()))"


@dataclass(frozen=True)
class Shown:
    """Scenes whose pictures are stripes, one for each object, with questions of ours."""

    benchmark: str = "shop"
    seed: int = 0
    piecemeal: bool = False
    scene_fields: pa.Schema = PICTURE_FIELDS
    question_fields: pa.Schema = QUESTION_FIELDS
    answer: str | None = None

    def settings(self) -> dict[str, Any]:
        return {"pictures": True}

    def scene(self, split: str, index: int) -> dict[str, Any]:
        record = shop_templates.strewn(index, split=split)
        things = len(record["objects"])
        ids = np.zeros((10, 6), np.uint16)
        ids[: things + 1] = np.arange(things + 1)[:, None]
        stripes = {"bytes": encode_png(ids), "path": "stripes.png"}
        return {
            "scene_id": f"{split}-{index:06d}",
            "split": split,
            "index": index,
            "objects": things,
            "scene": json.dumps(record),
            "image": {"bytes": encode_png(np.zeros((10, 6, 3), np.uint8)), "path": "picture.png"},
            "depth": stripes,
            "instances": stripes,
            "layout": "{}",
            "instance_key": json.dumps([[k, 0, "whole"] for k in range(things)]),
        }

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        rows = Rows(new_columns(self.scene_fields), new_columns(self.question_fields))
        for row in scenes:
            append(rows.scenes, row)
            asked = {**PROGRAMS, "grasp/0": LIFTED}
            for number, (title, line) in enumerate(asked.items()):
                append(rows.questions, self.question(row, number, title, line))
        return rows

    def question(self, row: Mapping[str, Any], number: int, title: str, line: str) -> dict[str, Any]:
        answer = "3"
        if line != LIFTED:
            trace = compile_program(line, SHOP_VRB)(shop_world(json.loads(row["scene"])))
            answer = self.answer or stored_answer(trace.values[-1])
        return {
            "question_id": f"{row['scene_id']}-{number}",
            "scene_id": row["scene_id"],
            "split": row["split"],
            "question": f"{title}?",
            "program": line,
            "answer": answer,
            "referred": [],
            "family": title.partition("/")[0],
            "template": title,
            "type": "count",
            "subtype": "count",
        }


def test_our_datasets_become_official_folders(mereo: CommandLine, tmp_path: Path) -> None:
    splits = {"train": 3, "benchmark": 2}
    build_dataset(Shown(), tmp_path / "set", splits=splits, shard_size=2)
    mereo("export", tmp_path / "set", tmp_path / "out", "--to", "shop_vrb")
    folder = tmp_path / "out" / "questions"
    for split, count in splits.items():
        scenes = tmp_path / "out" / "scenes" / f"SHOP_VRB_{split}_scenes.json"
        records = json.loads(scenes.read_text())["scenes"]
        assert len(list((tmp_path / "out" / "images" / split).glob("SHOP_VRB_*.png"))) == len(records) == count
        for record in records:
            things = record["objects"]
            for k, thing in enumerate(things):
                mask = decode(thing.pop("mask"))
                assert mask.shape == (10, 6)
                assert mask.sum() == mask[k + 1].sum() == 6
            assert record == shop_templates.strewn(record["image_index"], split=split)
        for kind, families in (("", ("counts.json", "counts.json")), ("text_", ("text_counts.json",))):
            path = folder / f"SHOP_VRB_{split}_{kind}questions.json"
            assert verified(mereo, scenes, path).count("(100%)") == 2
            asked = json.loads(path.read_text())["questions"]
            assert [one["template_filename"] for one in asked] == list(families) * count
            assert [one["question_index"] for one in asked] == list(range(len(asked)))
            assert all(set(one) == KEYS for one in asked)
        left = json.loads((folder / f"SHOP_VRB_{split}_more.json").read_text())["questions"]
        assert [(one["program"], one["answer"]) for one in left] == [(None, "3")] * count
    done = mereo("import", "shop_vrb", tmp_path / "out", tmp_path / "again")
    assert done.out == f"{tmp_path / 'again'}: 5 scenes and 15 questions imported\n"


def test_an_answer_that_its_program_does_not_give_is_not_written(mereo: CommandLine, tmp_path: Path) -> None:
    build_dataset(Shown(answer="6000"), tmp_path / "set", splits={"train": 1}, shard_size=1)
    done = mereo("export", tmp_path / "set", tmp_path / "out", "--to", "shop_vrb", code=2)
    assert "train-000000-0, field 'answer': is '6000', the program says '" in done.err
    assert not (tmp_path / "out").exists()
