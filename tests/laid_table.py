"""A dataset of CRIC with one handmade scene: what lies on a table, boxes in a small picture, and three questions."""

from __future__ import annotations

import io
import json
from pathlib import Path

import msgspec

from mereo.benchmarks.cric.graph import SceneGraph, Stated, Thing, graph_world
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.lore import Query, lore_of_base
from mereo.benchmarks.cric.question import CRIC_FIELDS, CricQuestion, Described, SubGraph, Used, WrongPart, question_row
from mereo.datasets.picture_bytes import pillow
from mereo.datasets.store import IMAGE_FIELDS, Manifest, record_file, write_manifest, write_table
from mereo.knowledge import embedded_base
from mereo.programs import execute
from mereo.world import World

PAINTS = {"knife": "#a8adb3", "bread": "#b9803f", "plate": "#f1f0ec", "mug": "#c2403a", "table": "#7c5a3c"}
GRAPH = SceneGraph(
    "1",
    480,
    320,
    things=(
        Thing("t", "table", (10, 120, 460, 190), {"material": ("wooden",), "color": ("brown",)}),
        Thing("p", "plate", (180, 170, 150, 70), {"color": ("white",)}),
        Thing("b", "bread", (205, 150, 95, 50), {"color": ("brown",)}),
        Thing("k", "knife", (90, 190, 70, 14), {"material": ("metal",)}),
        Thing("m", "mug", (360, 130, 60, 70), {"color": ("red",)}),
    ),
    relations=(
        Stated("b", "on", "p"),
        Stated("k", "left of", "p"),
        Stated("m", "next to", "p"),
        *(Stated(thing, "on", "t") for thing in "pkm"),
    ),
)
CUTTING = (
    "recognition[material](find_hypernym[utensil](find_kg[BLANK, UsedFor, cutting VISION]"
    "(relate_reverse[on](find[plate](initial())))))"
)
BESIDE = "recognition[object](relate[left of](find_kg[BLANK, UsedFor, cutting food](initial())))"
FALSE = "verify(find[white](find_kg[BLANK, UsedFor, cutting food](initial())))"
LORE = lore_of_base(embedded_base())


def world() -> World:
    """The world of the table."""
    return graph_world(GRAPH, LORE)


def questions() -> list[CricQuestion]:
    """A metal knife that cuts the bread, what is beside it, and that it is not white."""
    cutting, utensil = Used("knife", "UsedFor", "cutting food", 1), Used("knife", "IsA", "utensil", 4)
    told = [
        (
            "What is the utensil that is used for cutting the thing on the plate made of?",
            "QueryAtt",
            CUTTING,
            SubGraph(
                (Stated("b", "on", "p"),),
                (Described("p", "plate"), Described("k", "metal")),
                (Used("knife", "UsedFor", "cutting food", 3), utensil),
            ),
            "k",
        ),
        (
            "What is the object that is used for cutting food to the left of?",
            "QueryObjSG",
            BESIDE,
            SubGraph((Stated("k", "left of", "p"),), (Described("p", "plate"),), (cutting,)),
            "p",
        ),
        (
            "Is there a white object that is used for cutting food?",
            "VerifyAtt",
            FALSE,
            SubGraph((), (), (cutting,)),
            "",
        ),
    ]
    places = {thing.id: place for place, thing in enumerate(GRAPH.things)}
    return [
        CricQuestion(
            text,
            kind,
            "by hand",
            execute(program, world(), LANGUAGE),
            sum(1 << places[one] for one in target),
            (),
            sub_graph,
            (Query("BLANK", "UsedFor", "cutting food"),),
            None if target else WrongPart("attribute", "white", "metal", 2),
        )
        for text, kind, program, sub_graph, target in told
    ]


def picture() -> bytes:
    """The boxes of the graph, painted."""
    image = pillow("Image").new("RGB", (GRAPH.width, GRAPH.height), "#d8d3c8")
    pen = pillow("ImageDraw").Draw(image)
    for thing in GRAPH.things:
        assert thing.box is not None
        left, top, wide, tall = thing.box
        pen.rounded_rectangle((left, top, left + wide, top + tall), 8, fill=PAINTS[thing.name])
    buffer = io.BytesIO()
    image.save(buffer, format="PNG")
    return buffer.getvalue()


def build(folder: Path) -> Path:
    """Write the dataset."""
    scene_id = "test-000000"
    row = dict.fromkeys(IMAGE_FIELDS.names) | {"scene_id": scene_id, "split": "test", "index": 0}
    row |= {"objects": len(GRAPH.things), "scene": json.dumps({"graph": msgspec.to_builtins(GRAPH)})}
    row |= {"image": {"bytes": picture(), "path": "table.png"}}
    asked = [question_row(one, scene_id, "test", number) for number, one in enumerate(questions())]
    files = []
    for kind, rows, schema in (("scenes", [row], IMAGE_FIELDS), ("questions", asked, CRIC_FIELDS)):
        path = folder / kind / "test-00000.parquet"
        write_table(path, {name: [one[name] for one in rows] for name in schema.names}, schema)
        files.append(path)
    told = {str(path.relative_to(folder)): record_file(path) for path in files}
    manifest = Manifest(1, "cric", 0, {}, {}, {"test": 1}, {"test": len(asked)}, told)
    write_manifest(folder, manifest)
    return folder
