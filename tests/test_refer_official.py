"""CLEVR-Ref+'s own files: verified step by step, its templates asked unchanged, expressions read and written."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import naive
import referred
from kit import OFFICIAL_DATA, CommandLine

TEMPLATES = OFFICIAL_DATA / "templates" / "clevr_ref"
SCENES = OFFICIAL_DATA / "official_samples" / "clevr_ref_expressions_scenes.json"
EXPRESSIONS = OFFICIAL_DATA / "official_samples" / "clevr_ref_expressions.json"
KEYS = {
    "split",
    "image_filename",
    "image_index",
    "image",
    "refexp",
    "program",
    "template_filename",
    "refexp_family_index",
    "refexp_index",
}
ATTRIBUTES = ("filter_size", "filter_color", "filter_material", "filter_shape")
ORDER = (*ATTRIBUTES, "filter_ordinal", "filter_visible")

needs_data = pytest.mark.skipif(not TEMPLATES.is_dir(), reason=f"there is no {TEMPLATES}")


def ask(mereo: CommandLine, scenes: Path, out: Path, *more: str) -> list[dict[str, Any]]:
    files = ("--metadata", TEMPLATES / "metadata.json", "--synonyms", TEMPLATES / "synonyms.json")
    mereo("questions", "--scenes", scenes, "--templates", TEMPLATES / "templates", "--out", out, *files, *more)
    found: list[dict[str, Any]] = json.loads(out.read_text())["refexps"]
    return found


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    """Forty scenes, some of them with visibility that can be told."""
    path = tmp_path / "scenes.json"
    path.write_text(json.dumps(referred.scene_file(40, seed=5)))
    return path


@needs_data
def test_every_step_of_the_official_sample_is_verified(mereo: CommandLine) -> None:
    done = mereo("verify", "--language", "clevr_ref", "--scenes", SCENES, "--questions", EXPRESSIONS)
    assert "steps: 313 of 313 (100%)" in done.out


@needs_data
def test_a_wrong_step_is_found(mereo: CommandLine, tmp_path: Path) -> None:
    content = json.loads(EXPRESSIONS.read_text())
    content["refexps"][7]["program"][-1]["_output"] = [0, 1]
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(content))
    done = mereo("verify", "--language", "clevr_ref", "--scenes", SCENES, "--questions", path, code=1)
    assert "steps: 312 of 313" in done.out
    assert "question 7, step " in done.out


@needs_data
def test_our_plain_executor_agrees_with_the_official_sample() -> None:
    scenes = {scene["image_index"]: scene for scene in json.loads(SCENES.read_text())["scenes"]}
    for expression in json.loads(EXPRESSIONS.read_text())["refexps"]:
        nodes = [node for node in expression["program"] if node["type"] != "filter_visible"]
        if len(nodes) == len(expression["program"]):  # the pictures are larger than the plain executor's own
            outputs = referred.run(nodes, scenes[expression["image_index"]])
            assert outputs == [node["_output"] for node in expression["program"]]


@needs_data
def test_official_templates_give_expressions_in_the_official_form(
    mereo: CommandLine, scenes: Path, tmp_path: Path
) -> None:
    expressions = ask(mereo, scenes, tmp_path / "out.json")
    by_index = {scene["image_index"]: scene for scene in json.loads(scenes.read_text())["scenes"]}
    assert len(expressions) == 400
    functions: Counter[str] = Counter()
    for number, expression in enumerate(expressions):
        assert set(expression) == KEYS
        assert expression["refexp_index"] == number
        nodes = expression["program"]
        outputs = referred.run(nodes, by_index[expression["image_index"]])
        assert outputs == [node["_output"] for node in nodes]
        assert outputs[-1], "an expression refers to nothing"
        assert nodes[-1]["type"] not in ("count", "unique")
        functions.update(node["type"] for node in nodes)
    assert functions["filter_ordinal"] > 100
    assert functions["filter_visible"] > 0
    done = mereo("verify", "--language", "clevr_ref", "--scenes", scenes, "--questions", tmp_path / "out.json")
    assert "(100%)" in done.out


def descriptions(nodes: list[dict[str, Any]]) -> list[list[str]]:
    """The runs of filters, each one description."""
    found: list[list[str]] = []
    for place, node in enumerate(nodes):
        if node["type"] in ORDER:
            follows = place and nodes[place - 1]["type"] in ORDER and node["inputs"] == [place - 1]
            found[-1].append(node["type"]) if follows else found.append([node["type"]])
    return found


@needs_data
def test_official_templates_follow_the_official_rules(mereo: CommandLine, scenes: Path, tmp_path: Path) -> None:
    by_index = {scene["image_index"]: scene for scene in json.loads(scenes.read_text())["scenes"]}
    for expression in ask(mereo, scenes, tmp_path / "out.json"):
        nodes, family = expression["program"], expression["template_filename"].removesuffix(".json")
        for description in descriptions(nodes):
            assert description == sorted(description, key=ORDER.index)
            assert not {"filter_ordinal", "filter_visible"} <= set(description) or family == "single_or"
        scene = by_index[expression["image_index"]]
        middle = [
            place
            for place, node in enumerate(nodes)
            if node["type"] == "filter_ordinal" and place + 1 < len(nodes) and nodes[place + 1]["type"] == "unique"
        ]
        for place in middle:
            assert not any(nodes[k]["type"] == "relate" for k in range(place)) or family in ("single_or", "single_and")
        if family == "same_relate":
            same = next(place for place, node in enumerate(nodes) if node["type"].startswith("same_"))
            assert all(node["type"] != "filter_ordinal" for node in nodes[same:])
        _no_relation_is_idle(nodes, scene)
        assert expression["refexp"].startswith(("The ", "Find ", "Look at ", "Any other "))
        assert "the the" not in expression["refexp"].lower()
        assert "<" not in expression["refexp"]


def _no_relation_is_idle(nodes: list[dict[str, Any]], scene: dict[str, Any]) -> None:
    """Attributes after a relation must fit something that the relation leaves out."""
    outputs = [node["_output"] for node in nodes]
    for place, node in enumerate(nodes):
        if node["type"] != "relate":
            continue
        whole, at = list(range(len(scene["objects"]))), place
        while at + 1 < len(nodes) and nodes[at + 1]["type"] in ATTRIBUTES and nodes[at + 1]["inputs"] == [at]:
            at += 1
            whole = naive.run_step(nodes[at]["type"], [whole], nodes[at]["value_inputs"], scene)
        follows = nodes[at + 1]["type"] if at + 1 < len(nodes) else ""
        if follows not in ("intersect", "filter_ordinal", "filter_visible"):
            assert whole != outputs[at], "the relation could be left out"


@needs_data
def test_real_clevr_scenes_are_referred_to_without_visibility(
    mereo: CommandLine, official_data: Path, tmp_path: Path
) -> None:
    scenes = official_data / "clevr" / "val_scenes_first_100.json"
    expressions = ask(mereo, scenes, tmp_path / "out.json", "--per-scene", "3")
    assert len(expressions) == 300
    assert all(node["type"] != "filter_visible" for one in expressions for node in one["program"])
    done = mereo("verify", "--language", "clevr_ref", "--scenes", scenes, "--questions", tmp_path / "out.json")
    assert "(100%)" in done.out


@needs_data
def test_official_files_go_in_and_come_out_as_they_were(mereo: CommandLine, tmp_path: Path) -> None:
    mereo("import", "clevr_ref", tmp_path / "in", "--scenes", SCENES, "--questions", EXPRESSIONS)
    assert "4 scenes and 40 questions: nothing is wrong" in mereo("audit", tmp_path / "in").out
    mereo("export", tmp_path / "in", tmp_path / "out", "--to", "clevr_ref")
    for ours, theirs, name in (("scenes", SCENES, "scenes"), ("refexps", EXPRESSIONS, "refexps")):
        content = json.loads((tmp_path / "out" / ours / f"clevr_ref+_new_{name}.json").read_text())
        assert content[name] == json.loads(theirs.read_text())[name]
    done = mereo("import", "clevr_ref", tmp_path / "out", tmp_path / "again")
    assert done.out == f"{tmp_path / 'again'}: 4 scenes and 40 questions imported\n"


def test_expressions_of_files_are_imported_with_masks_of_every_step(
    mereo: CommandLine, scenes: Path, tmp_path: Path
) -> None:
    import pyarrow.parquet as pq

    from mereo.masks import decode

    nodes: list[dict[str, Any]] = [
        {"type": "scene", "inputs": [], "value_inputs": []},
        {"type": "scene", "inputs": [], "value_inputs": []},
        {"type": "filter_ordinal", "inputs": [0], "value_inputs": ["the second one of the", "from left"]},
        {"type": "filter_ordinal", "inputs": [1], "value_inputs": ["the first one of the", "from front"]},
        {"type": "union", "inputs": [2, 3], "value_inputs": []},
    ]
    expression = {"program": nodes, "refexp": "Two things", "image_index": 3, "template_filename": "single_or.json"}
    questions = tmp_path / "refexps.json"
    questions.write_text(json.dumps({"refexps": [{**expression, "refexp_family_index": 0}]}))
    mereo("import", "clevr_ref", tmp_path / "in", "--scenes", scenes, "--questions", questions)
    (row,) = pq.read_table(tmp_path / "in" / "questions" / "new-00000.parquet").to_pylist()
    scene = json.loads(scenes.read_text())["scenes"][3]
    meant = referred.run(nodes, scene)[-1]
    assert (row["type"], row["template"], row["question"]) == ("OR", "single_or/0", "Two things")
    assert row["referred"][-1] == meant
    assert (row["answer"], row["number"], row["topology"]) == (str(len(meant)), len(meant), "tree")
    mask = decode({"size": row["size"], "counts": row["masks"][-1]})
    pixels = set().union(*(referred.pixels(scene["obj_mask"][str(k + 1)], referred.WIDTH) for k in meant))
    assert {(x, y) for y, x in zip(*mask.nonzero(), strict=True)} == pixels
