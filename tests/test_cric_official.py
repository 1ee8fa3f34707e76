"""CRIC's own files: written and read again the same in every step, verified, and damaged ones named."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import grounded
from fuzzing import mutate_file
from kit import CommandLine, complaint
from mereo.benchmarks.cric.export import EXPORTERS
from mereo.benchmarks.cric.graph import SceneGraph, Stated, Thing, graph_of
from mereo.benchmarks.cric.official import FORMAT
from mereo.benchmarks.cric.question import SubGraph
from mereo.benchmarks.cric.whole_items import items_of_lore, lore_of_whole_items
from mereo.datasets.build import build_dataset
from mereo.datasets.columns import record_of
from mereo.datasets.export import export_dataset
from mereo.datasets.importing import OfficialFiles, read_official
from mereo.datasets.store import read_table
from mereo.datasets.verify import Agreement, verify_files

FILES = ("scene_graphs.json", "knowledge_graph.json", "cric_objects_info.json")
TEN = {
    *("Initial", "Find", "Relate", "Relate_Reverse", "Recognition", "And", "Verify"),
    *("Find_KG", "Find_KG_Reverse", "Find_Hypernym"),
}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return grounded.build(tmp_path_factory.mktemp("cric") / "set")


@pytest.fixture(scope="module")
def exported(dataset: Path) -> Path:
    return export(dataset, dataset.parent / "official")


@pytest.fixture
def official(exported: Path, tmp_path: Path) -> Path:
    """A copy of the official files, to be changed."""
    return Path(shutil.copytree(exported, tmp_path / "official"))


def export(dataset: Path, out: Path) -> Path:
    export_dataset(dataset, out, to="cric", own=EXPORTERS, inspector=grounded.Eye())
    return out


def read(folder: Path, *, strict: bool = True) -> OfficialFiles:
    return read_official(FORMAT.layout(folder).splits, FORMAT, strict=strict)


def bring_in(folder: Path, out: Path) -> Path:
    files = read(folder)
    splits = {split: len(records) for split, records in files.scenes.items()}
    build_dataset(FORMAT.recipe(files, benchmark="cric", images=None), out, splits=splits, shard_size=2)
    return out


def verified(folder: Path, split: str = "test") -> Agreement:
    return verify_files(folder / "scene_graphs.json", folder / f"{split}_questions.json", FORMAT)


def rows(dataset: Path, kind: str) -> list[dict[str, Any]]:
    return [row for path in sorted((dataset / kind).iterdir()) for row in read_table(path).to_pylist()]


def changed(path: Path, change: Callable[[Any], None]) -> None:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def sure(graph: SceneGraph) -> SceneGraph:
    """A graph without what only some would say."""
    things = tuple(msgspec.structs.replace(thing, unclear={}) for thing in graph.things)
    return msgspec.structs.replace(graph, things=things, unclear=())


def test_a_dataset_comes_back_the_same_in_every_step(dataset: Path, exported: Path, tmp_path: Path) -> None:
    back = bring_in(exported, tmp_path / "back")
    for mine, theirs in zip(rows(dataset, "questions"), rows(back, "questions"), strict=True):
        assert theirs.pop("official")
        assert theirs == mine
    for mine, theirs in zip(rows(dataset, "scenes"), rows(back, "scenes"), strict=True):
        assert graph_of(record_of(theirs)) == sure(graph_of(record_of(mine)))
    again = tmp_path / "again"
    export_dataset(back, again, to="cric", own=EXPORTERS, inspector=grounded.Eye())
    assert {path.name for path in again.iterdir()} == {*FILES, "train_questions.json", "test_questions.json"}
    for path in again.iterdir():
        assert json.loads(path.read_text()) == json.loads((exported / path.name).read_text())


def test_files_hold_what_crics_hold(dataset: Path, exported: Path) -> None:
    for split, scenes in grounded.SPLITS.items():
        questions = json.loads((exported / f"{split}_questions.json").read_text())
        assert {question["image_id"] for question in questions} == {f"{split}-{k}" for k in range(scenes)}
        keys = {"sub_graph", "image_id", "question", "question_id", "question_type", "answer", "target", "program"}
        assert all({*keys, "wrong_part"} <= question.keys() for question in questions)
        assert all((question["answer"] == "no") == bool(question["wrong_part"]) for question in questions)
        nodes = [node for question in questions for node in question["program"]]
        assert {node["function"] for node in nodes} == TEN
        assert all(node.keys() == {"function", "text_input", "output"} for node in nodes)
        for question in questions:
            assert question["program"][-1]["output"] == question["target"]
    graph = json.loads((exported / "scene_graphs.json").read_text())[0]
    assert [one["object_id"] for one in graph["objects"]] == ["k", "b", "p", "m", "n", 7]
    info = json.loads((exported / "cric_objects_info.json").read_text())
    assert info["train-1"] == {"width": 480, "height": 320, "objectsNum": 5, "index": info["train-1"]["index"]}
    assert sorted(one["index"] for one in info.values()) == list(range(7))
    items = json.loads((exported / "knowledge_graph.json").read_text())
    assert ["knife", "UsedFor", "cutting food"] in items
    assert ["slicing a loaf", "HasPrerequisite", "knife"] in items
    assert not any("BLANK" in part or "VISION" in part for item in items for part in item)


def test_every_step_is_verified_and_a_wrong_one_found(official: Path) -> None:
    for split in grounded.SPLITS:
        agreement = verified(official, split)
        assert agreement.perfect
        assert agreement.steps == sum(len(row["program"]) - 1 for row in questions_of(official, split))
    changed(official / "test_questions.json", lambda asked: asked[0]["program"][1]["output"].append("k"))
    changed(official / "test_questions.json", lambda asked: asked[2].update(answer="purple"))
    wrong = verified(official)
    assert (wrong.answers - wrong.answers_right, wrong.steps - wrong.steps_right) == (1, 1)
    assert "question 0, step 1" in wrong.disagreements[0]
    assert 'the file answers "purple"' in wrong.disagreements[1]


def questions_of(folder: Path, split: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / f"{split}_questions.json").read_text())
    return found


def test_knowledge_that_is_changed_changes_what_steps_find(official: Path) -> None:
    def forget(items: list[list[str]]) -> None:
        items[:] = [item for item in items if item[0] != "knife" and item[2] != "knife"]

    changed(official / "knowledge_graph.json", forget)
    wrong = verified(official)
    assert 0 < wrong.answers_right < wrong.answers


def test_what_is_known_of_all_names_comes_back_query_by_query() -> None:
    lore = grounded.lore()
    names = frozenset(name for held in (*lore.facts.values(), *lore.categories.values()) for name in held.true)
    for some in (names, frozenset(sorted(names)[::3])):
        back = lore_of_whole_items(items_of_lore(lore, some), some)
        for query in lore.facts:
            assert back.filling(query) & some == lore.filling(query) & some
        for category in lore.categories:
            assert back.of_category(category) & some == lore.of_category(category) & some
        for query in lore.patterns:
            for name in sorted(some):
                assert back.filling_beside(query, name) & some == lore.filling_beside(query, name) & some


def test_a_step_that_is_used_twice_is_written_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = "$1 = find[mug](initial()); verify(and(find[red]($1), find[full]($1)))"
    one = grounded.Asked("Is a red mug full?", "VerifyAtt", program, SubGraph(), (3,))
    monkeypatch.setattr(grounded, "questions", lambda index: [one])
    official = export(grounded.build(tmp_path / "set"), tmp_path / "official")
    (question, *_) = questions_of(official, "train")
    functions = [node["function"] for node in question["program"]]
    assert functions == ["Initial", "Find", "Find", "Initial", "Find", "Find", "And", "Verify"]
    assert question["definite"] == [5]
    assert all(verified(official, split).perfect for split in grounded.SPLITS)
    back = bring_in(official, tmp_path / "back")
    pairs = zip(rows(back, "questions"), rows(tmp_path / "set", "questions"), strict=True)
    assert all(theirs[name] == mine[name] for theirs, mine in pairs for name in ("answer", "target", "scene_id"))


def test_words_keep_their_kind_and_things_without_boxes_have_none(tmp_path: Path, monkeypatch: Any) -> None:
    things = (
        Thing("9", "lamp", attributes={"color": ("rosy", "red"), "material": ("paper",), "other": ("plain",)}),
        Thing("08", "shade", part_of="9", attributes={"shape": ("round",)}),
    )
    graph = SceneGraph("", 30, 20, things, (Stated("08", "part of", "9"),))
    known = {f"{split}-{k}": k for split, count in grounded.SPLITS.items() for k in range(count)}
    monkeypatch.setattr(
        grounded, "graph", lambda split, index: msgspec.structs.replace(graph, image_id=f"{split}-{index}")
    )
    monkeypatch.setattr(grounded, "questions", lambda index: [])
    official = export(grounded.build(tmp_path / "set"), tmp_path / "official")
    files = read(official)
    records = [record for own in files.scenes.values() for record in own]
    assert {record.called[0] for record in records} == set(known)
    for record in records:
        assert FORMAT.graph(record) == msgspec.structs.replace(graph, image_id=record.called[0])


def test_files_of_others_are_read_without_what_only_ours_have(official: Path) -> None:
    """Names in lists, ends of relations as objects, numbers as ids, no sizes, no splits: as Visual Genome writes."""

    def theirs(graphs: list[Any]) -> None:
        for graph in graphs:
            for key in ("split", "width", "height"):
                del graph[key]
            for thing in graph["objects"]:
                thing["name"] = thing.pop("names")[0]
                thing["synsets"] = []
            for relation in graph["relationships"]:
                for end in ("subject", "object"):
                    relation[end] = {"object_id": relation.pop(f"{end}_id"), "names": ["?"]}

    changed(official / "scene_graphs.json", theirs)
    (official / "cric_objects_info.json").unlink()

    def less(asked: list[Any]) -> None:
        for one in asked:
            one.update(wrong_part="nothing is so", sub_graph={})
            del one["definite"]

    for split in grounded.SPLITS:
        changed(official / f"{split}_questions.json", less)
        assert verified(official, split).perfect
    files = read(official)
    assert {split: len(own) for split, own in files.scenes.items()} == {"test": 4, "train": 3}
    graph = FORMAT.graph(files.scenes["test"][0])
    assert (graph.width, graph.height) == (430, 230)


FAULTS: dict[str, tuple[str, Callable[[Any], Any], list[str]]] = {
    "no list": ("test_questions.json", lambda asked: asked.clear() or asked.append(3), ["question 0", "object"]),
    "no program": ("test_questions.json", lambda asked: asked[4].pop("program"), ["question 4", "`program`"]),
    "no picture": ("test_questions.json", lambda asked: asked[4].update(image_id="?"), ["question 4", "asks about ?"]),
    "unknown function": (
        "test_questions.json",
        lambda asked: asked[1]["program"][1].update(function="Find_KB"),
        ["question 1", "'program[1].function'", "'Find_KG'"],
    ),
    "too little left": (
        "test_questions.json",
        lambda asked: asked[1]["program"].pop(0),
        ["question 1", "'program[0]'", "Find_Hypernym takes 1, of which 0 are left"],
    ),
    "too much left": (
        "test_questions.json",
        lambda asked: asked[1]["program"].insert(0, {"function": "Initial"}),
        ["question 1", "leaves 2 results"],
    ),
    "no such query": (
        "test_questions.json",
        lambda asked: asked[0]["program"][2]["text_input"].pop(),
        ["question 0", "find_kg", "3"],
    ),
    "no such target": (
        "test_questions.json",
        lambda asked: asked[0]["target"].append("zebra"),
        ["question 0", "'target[1]'", "no object zebra"],
    ),
    "no such step": ("test_questions.json", lambda asked: asked[0]["definite"].append(9), ["no step 9"]),
    "half a relation": (
        "test_questions.json",
        lambda asked: asked[1]["sub_graph"]["relations"][0].pop(),
        ["question 1", "sub_graph.relations"],
    ),
    "no such object": (
        "scene_graphs.json",
        lambda graphs: graphs[5]["relationships"][1].update(object_id=99),
        ["scene graph 5", "'relationships[1].object_id'", "no object 99"],
    ),
    "no name": (
        "scene_graphs.json",
        lambda graphs: graphs[5]["objects"][2]["names"].clear(),
        ["scene graph 5", "'objects[2].names'", "has no name"],
    ),
    "one id twice": (
        "scene_graphs.json",
        lambda graphs: graphs[5]["objects"][2].update(object_id="k"),
        ["scene graph 5", "the same id"],
    ),
    "part of nothing": (
        "scene_graphs.json",
        lambda graphs: graphs[5]["objects"][5].update(part_of="?"),
        ["scene graph 5", "'objects[5].part_of'"],
    ),
    "one picture twice": (
        "scene_graphs.json",
        lambda graphs: graphs[5].update(image_id=graphs[4]["image_id"]),
        ["scene graph 5", "two of picture"],
    ),
    "unknown relation": (
        "knowledge_graph.json",
        lambda items: items[3].__setitem__(1, "UsedBy"),
        ["item 3", "'UsedFor'"],
    ),
    "half an item": ("knowledge_graph.json", lambda items: items[3].pop(), ["[3]"]),
    "no width": ("cric_objects_info.json", lambda sizes: sizes["test-0"].pop("width"), ["`width`"]),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_damage_is_named_by_file_record_and_field(official: Path, fault: str) -> None:
    name, damage, expected = FAULTS[fault]
    changed(official / name, damage)
    told = complaint(lambda: read(official))
    assert told is not None
    assert str(official / name) in told
    assert all(part in told for part in expected), told


def test_what_is_wrong_is_left_out_with_its_questions_and_counted(official: Path) -> None:
    changed(official / "scene_graphs.json", lambda graphs: graphs[-1]["relationships"][1].update(object_id=99))
    changed(official / "train_questions.json", lambda asked: asked[0]["program"].pop(0))
    files = read(official, strict=False)
    asked = sum(len(own) for own in files.questions.values())
    every = sum(grounded.SPLITS.values()) * len(grounded.questions(0))
    assert (files.scenes_left_out, files.questions_left_out) == (1, 8)
    assert asked == every - 8
    assert len(files.complaints) == 2


def test_without_knowledge_nothing_can_be_run(official: Path) -> None:
    (official / "knowledge_graph.json").unlink()
    told = complaint(lambda: verified(official))
    assert told is not None
    assert told.endswith("knowledge_graph.json: there is no such file")


def test_a_folder_without_scene_graphs_is_none_of_crics(tmp_path: Path) -> None:
    told = complaint(lambda: FORMAT.layout(tmp_path))
    assert told is not None
    assert "has no scene_graphs.json" in told


def test_changed_files_are_read_or_refused_in_a_sentence(exported: Path, tmp_path: Path) -> None:
    refused = 0
    for seed in range(60):
        chance, folder = random.Random(seed), tmp_path / str(seed)
        shutil.copytree(exported, folder)
        mutate_file(chance.choice(sorted(folder.iterdir())), chance)
        refused += complaint(lambda folder=folder: verified(folder)) is not None  # type: ignore[misc]
        refused += complaint(lambda folder=folder: read(folder, strict=False)) is not None  # type: ignore[misc]
    assert 0 < refused < 120


def test_commands_export_verify_and_import(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    out, back = tmp_path / "out", tmp_path / "back"
    mereo("export", dataset, out, "--to", "cric")
    files = ("--scenes", out / "scene_graphs.json", "--questions", out / "test_questions.json")
    assert mereo("verify", "--language", "cric", *files).out.count("(100%)") == 2
    mereo("import", "cric", out, back)
    assert "nothing is wrong" in mereo("audit", back).out
    mereo("oracle", back)
    mereo("export", back, tmp_path / "again", "--to", "cric")
    for path in out.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()
    changed(out / "test_questions.json", lambda asked: asked[3]["program"].pop(0))
    told = mereo("verify", "--language", "cric", *files, code=2).err
    assert "test_questions.json, question 3, field 'program[0]': Find_KG_Reverse takes 1" in told
