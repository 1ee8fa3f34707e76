"""Small good inputs of every kind that mereo reads, made anew: datasets, official files, runs, shapes and layouts."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import h5py
import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import trimesh

import grounded
import mereo
from mereo.benchmarks.benchmark import inspector_of
from mereo.benchmarks.shop import texts
from mereo.benchmarks.shop.language import TEXTUAL, VISUAL, VOCABULARY
from mereo.benchmarks.shop.parsers import parse_scenes
from mereo.datasets.asked import load_questions
from mereo.datasets.build import build_dataset
from mereo.datasets.predictions import Header, Mask, Prediction, write_predictions
from mereo.datasets.store import open_dataset
from mereo.datasets.workers import Done, LocalCrew, Task
from mereo.knowledge import store_knowledge
from mereo.masks import encode
from mereo.scenes.scene import save_scene
from mereo.shapes.library import LibraryOrder, make_library, open_library
from mereo.shapes.partnet_h5 import write_h5
from mereo.shapes.tasks import write_task
from mereo.workbench import building, judging
from mereo.world import save_world
from scenery import stage, thing
from sighted import write_run
from test_bad_input import METADATA, template
from test_cric_graphs import apart, gqa, whole, written

__all__ = ["Half", "make_corpus", "make_knowledge", "make_scene_graphs"]

SMALL: dict[str, Any] = {"size": "16x16", "samples": 8}
SEED = 6
"""Of which the first household scene has few objects."""
OPTIONS = """attributes=0.1,masks=3
train=80,val=20
480x320
http://localhost:8000/v1
The answer is {"answer": "red cube", "boxes": [[1, 2, 3, 4]]}, I think.
"""
PROGRAM = 'count(union(filter_color["red"](scene()), filter_shape["cube"](scene())))'
OBJECTS = """[objects.mine]
category = "chair"
shapes = "shapes/chair"
share = 0.5

[objects.mine.splits]
train = ["*"]
"""
MAP = """category = "chair"
units = "cm"
up = "+y"
front = "+z"
ignore = ["floor*"]

[parts]
"seat*" = "chair/chair_seat/seat_surface/seat_single_surface"
"*" = { label = "chair/chair_base/regular_leg_base/leg", material = "metal" }

[joints]
"chair/chair_base" = { kind = "spin", axis = [0, 1, 0] }
"chair/chair_seat" = { kind = "hinge", axis = [0, 1, 0], origin = [0, 0, 5], low = -90, high = 90 }
"""


def make_corpus(root: Path) -> None:
    """Fill a folder, with one folder for each sort of input."""
    clevr = mereo.build("clevr", root / "clevr", split="train=1,val=1", amodal=True, **SMALL)
    ptr = mereo.build("ptr", root / "ptr", split="test=1", amodal=True, size="32x24", samples=8)
    refer = mereo.build("refer", root / "refer", split="val=2", **SMALL)
    mereo.build("refer", root / "refer-ptr", scenes_from=str(root / "ptr"))
    mereo.build("shop", root / "shop", split="test=1", size="96x64", samples=8, visual=6, textual=6, seed=SEED)
    _official(root)
    _shop(root)
    mereo.import_files(
        "clevr_ref",
        root / "imported",
        scenes=root / "refer-files" / "scenes.json",
        questions=root / "refer-files" / "questions.json",
        images=root / "refer-files" / "images",
    )
    official = root / "ptr-files"
    mereo.import_files("ptr", root / "imported-ptr", scenes=official / "scenes", questions=official / "questions.json")
    _runs(clevr.folder, refer.folder)
    write_run(ptr.folder, "run")
    _templates(root)
    _begun(root)
    (root / "world").mkdir()
    save_world(clevr.scenes[0].world, root / "world" / "world.json")
    (root / "world" / "program.txt").write_text(PROGRAM)
    (root / "world" / "options.txt").write_text(OPTIONS)
    save_scene(ptr.scenes[0].layout, root / "layout" / "room.json")
    save_scene(stage(thing("chair", 0, 0)), root / "layout" / "stage.json")
    fridge = thing("refrigerator", 0, 0)
    wide = msgspec.structs.replace(fridge, shape=fridge.shape.opened({3: 60.0}))
    save_scene(stage(wide), root / "layout" / "opened.json")
    _shapes(root)
    _cric(root)
    make_knowledge(root / "knowledge")
    make_scene_graphs(root / "scene-graphs")


def _cric(root: Path) -> None:
    """Questions about what is seen and known, with answers that point, and the same as CRIC's own files."""
    folder = grounded.build(root / "cric")
    mereo.export(folder, root / "cric-files", to="cric")
    mereo.oracle(folder, split=",".join(grounded.SPLITS))
    (folder / "runs" / "oracle").rename(folder / "runs" / "run")


def make_knowledge(folder: Path) -> None:
    """A dump, triples and a store."""
    folder.mkdir()
    rows = [
        f'/a/\t/r/{relation}\t/c/en/{head}/n\t/c/en/{tail}\t{{"weight": 2.5, "dataset": "/d/x"}}\n'
        for relation, head, tail in (("HasA", "cat", "tail"), ("PartOf", "tail", "dog"), ("Synonym", "a", "b"))
    ]
    (folder / "dump.txt").write_text("".join(rows))
    (folder / "packed.gz").write_bytes(gzip.compress("".join(rows).encode()))
    (folder / "triples.txt").write_text("IsA\tkitten\tcat\t2\nUsedFor\tfork\tlift food\n")
    store_knowledge(folder / "dump.txt", folder / "store.parquet")


def make_scene_graphs(folder: Path) -> None:
    """Visual Genome's files, all in one and apart, GQA's, and a list of synonyms."""
    folder.mkdir()
    for name, files in (("apart", apart()), ("whole", whole()), ("gqa", gqa())):
        written(folder / name, **files)
    (folder / "lists").mkdir()
    (folder / "lists" / "aliases.txt").write_text("cup,cups,a cup\ntable,desk\n")


def _official(root: Path) -> None:
    """Scenes and questions as their own systems have them."""
    for name, form in (("clevr", "clevr"), ("ptr", "ptr"), ("refer", "clevr_ref"), ("shop", "shop_vrb")):
        folder, made = root / f"{name}-files", root / f"{name}-made"
        mereo.export(root / name, made, to=form)
        asked = sorted((made / ("refexps" if form == "clevr_ref" else "questions")).glob("*s.json"))
        questions = asked[-1 if form == "shop_vrb" else 0]  # the last of SHOP-VRB's are about what is read
        scenes = sorted(path for path in (made / "scenes").rglob("*.json"))
        kept = [path for path in scenes if form == "ptr" or path == scenes[0]]
        (folder / "scenes").mkdir(parents=True)
        for path in kept:
            shutil.copy(path, folder / "scenes" / path.name if form == "ptr" else folder / "scenes.json")
        shutil.copy(questions, folder / "questions.json")
        (folder / "images").mkdir()
        for path in (made / "images").rglob("*.png"):
            shutil.copy(path, folder / "images")
        shutil.rmtree(made)


def _templates(root: Path) -> None:
    folder = root / "clevr-files"
    (folder / "templates").mkdir()
    synonyms = {"thing": ["thing", "object"], "cube": ["cube", "block"]}
    for name, content in (("templates/one", [template()]), ("metadata", METADATA), ("synonyms", synonyms)):
        (folder / f"{name}.json").write_text(json.dumps(content))
    for benchmark, target in (("clevr", "templates"), ("ptr", "ptr-templates")):
        source = Path(building.__file__).parents[1] / "benchmarks" / benchmark / "templates"
        (root / target).mkdir()
        for path in sorted(source.glob("*.toml"))[:2]:
            shutil.copy(path, root / target)


def _shop(root: Path) -> None:
    """Parses of household scenes, templates with constraints of SHOP-VRB's own, and what is written about objects."""
    folder = root / "shop"
    manifest = open_dataset(folder)
    header, parses = parse_scenes(folder, manifest, inspector_of(manifest), "oracle")
    anywhere = msgspec.structs.replace(header, dataset=None)  # else every changed shard would be another dataset
    write_predictions(folder / "parses.jsonl", anywhere, parses)
    (root / "shop-files" / "templates").mkdir()
    types = {name.capitalize(): VOCABULARY.words(name) for name in (*VISUAL, *TEXTUAL)}
    metadata = {"dataset": "SHOP-VRB-text", "types": {**types, "Relation": VOCABULARY.relations}}
    words = {
        "metadata": metadata,
        "synonyms": {"thing": ["thing", "item"]},
        "plurals": {"knifes": "knives"},
        "phrasings": {"text": {" or ?": "?"}, "regex": {"(two) (forks)": r"\2 \1"}},
    }
    for name, content in (*words.items(), ("templates/one", [_household_template()])):
        (root / "shop-files" / f"{name}.json").write_text(json.dumps(content))
    own = Path(texts.__file__).parent
    (root / "shop-texts" / "pages").mkdir(parents=True)
    shutil.copy(own / "text_properties.toml", root / "shop-texts")
    for name in ("kettle", "wine_glass"):
        shutil.copy(own / "descriptions" / f"{name}.toml", root / "shop-texts" / "pages")


def _household_template() -> dict[str, Any]:
    """Whether one thing that is seen is read about as another is."""
    holes = [{name: f"<{name}{which}>" for name in (*VISUAL, *TEXTUAL)} for which in (1, 2)]
    nodes: list[dict[str, Any]] = [{"function": "scene", "inputs": []}]
    for own in holes:
        nodes.append({"function": "filter_unique", "inputs": [0], "value_inputs": [*own.values()]})
    nodes += [{"function": "query_picking", "inputs": [1]}, {"function": "query_picking", "inputs": [2]}]
    nodes.append({"function": "equal_picking", "inputs": [3, 4]})
    constraints = [{"type": "OUT_NEQ", "params": [1, 2]}]
    for own in holes:
        constraints.append({"type": "ONE_OF_FORCE", "params": [own["name"], own["shape"]]})
        constraints.append({"type": "NONE_OF", "params": [own[name] for name in TEXTUAL]})
    return {
        "text": ["Is the <color1> <name1> <shape1> picked up as the <color2> <name2> <shape2>?"],
        "nodes": nodes,
        "params": [{"type": name.capitalize(), "name": hole} for own in holes for name, hole in own.items()],
        "constraints": constraints,
    }


class Half(LocalCrew):
    """Makes scenes, and stops before they become shards."""

    def run(self, tasks: Iterable[Task]) -> Generator[Done, None, None]:
        def reached() -> bool:
            return any("shard" in task.name for task in tasks)

        if reached():
            raise InterruptedError
        for done in super().run(tasks):
            yield done
            if reached():
                raise InterruptedError


def _begun(root: Path) -> None:
    """Builds that were stopped."""
    for name, choices in (("begun", SMALL), ("begun-symbolic", {"symbolic": True})):
        planned = building.plan_build("clevr", split="train=2", **choices)
        try:
            build_dataset(
                planned.recipe, root / name, splits=planned.splits, shard_size=planned.shard_size, crew=Half()
            )
        except InterruptedError:
            continue


def _runs(words: Path, masks: Path) -> None:
    """Answers to questions, and masks, boxes and numbers for expressions."""
    asked = load_questions(words)
    header = Header(dataset=asked.checksum, benchmark="clevr", model="m", settings={"temperature": 0})
    given = [Prediction(name, "yes", score=0.5, raw="Yes.", tokens=(3, 4)) for name in asked.ids]
    source = words / "predictions.jsonl"
    write_predictions(source, header, given)
    judging.evaluate(words, [source], name="run")
    table = pa.table({"question_id": asked.ids, "answer": ["no"] * len(asked), "score": [0.5] * len(asked)})
    pq.write_table(table, words / "predictions.parquet")
    judging.evaluate(words, [words / "predictions.parquet"], name="table")
    judging.curves(words, ["attributes"], split="val", limit=4)
    for path in words.glob("predictions.*"):
        path.unlink()
    asked = load_questions(masks)
    half = np.zeros((16, 16), bool)
    half[:8] = True
    packed = encode(half)
    mask = Mask((16, 16), packed["counts"])
    pointed = [Prediction(name, 0, [(1.0, 2.0, 3.0, 4.0)], [mask, Mask((16, 16), [100, 156])]) for name in asked.ids]
    write_predictions(masks / "marks.jsonl", Header(model="m"), pointed)
    judging.evaluate(masks, [masks / "marks.jsonl"], name="marks")
    (masks / "marks.jsonl").unlink()


def _shapes(root: Path) -> None:
    make_library(root / "library", LibraryOrder(("chair", "refrigerator", "table"), 1, 0, "train", points=64))
    shutil.copytree(root / "library", root / "own" / "shapes")
    (root / "own" / "objects.toml").write_text(OBJECTS)
    (root / "hdf5").mkdir()
    chairs = open_library(root / "library")
    for kind in ("semantic", "instance", "hierarchical", "detection", "truth"):
        written = write_task(chairs, root / "tasks" / kind, kind=kind, points=64)
        for path in (written.files[0], written.files[0].with_suffix(".json")):
            if path.exists():
                shutil.copy(path, root / "hdf5" / f"{kind}{path.suffix}")
    shutil.rmtree(root / "tasks")
    with h5py.File(root / "hdf5" / "truth.h5") as truth:
        mask, valid = truth["gt_mask"][()], truth["gt_mask_valid"][()]
    count = len(valid[0])
    row = {"mask": mask[0], "label": np.zeros(count, np.uint8), "valid": valid[0], "conf": np.ones(count)}
    write_h5(root / "hdf5" / "predictions.h5", "predictions", [row])
    _meshes(root / "meshes")


def _meshes(folder: Path) -> None:
    folder.mkdir()
    seat, leg = trimesh.creation.box((40, 4, 50)), trimesh.creation.cylinder(2, 45, sections=6)
    both = trimesh.Scene({"seat": seat, "leg": leg})
    for name, solid in (("obj", both), ("glb", both), ("stl", seat), ("ply", seat)):
        (folder / f"stool.{name}").write_bytes(_bytes(solid.export(file_type=name)))
    (folder / "words.ply").write_bytes(_bytes(seat.export(file_type="ply", encoding="ascii")))
    (folder / "words.stl").write_bytes(_bytes(seat.export(file_type="stl_ascii")))
    (folder / "map.toml").write_text(MAP)


def _bytes(exported: str | bytes) -> bytes:
    return exported.encode() if isinstance(exported, str) else exported
