"""A small dataset of CRIC's kind, made by hand: four pictures of tables, and questions about what is seen and known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa

from mereo.benchmarks.cric.graph import SceneGraph, Stated, Thing, graph_of, graph_world
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.lore import BLANK, VISION, Lore, Query, lore_of_base
from mereo.benchmarks.cric.lore_file import encoded_lore
from mereo.benchmarks.cric.names import LORE_FILE
from mereo.benchmarks.cric.question import (
    CRIC_FIELDS,
    CricQuestion,
    Described,
    SubGraph,
    Used,
    WrongPart,
    question_row,
)
from mereo.datasets.build import Rows, build_dataset
from mereo.datasets.columns import record_of
from mereo.datasets.inspector import Inspector
from mereo.datasets.rows import append, new_columns
from mereo.datasets.store import SCENE_FIELDS, Shard
from mereo.knowledge import embedded_base
from mereo.programs import execute, parse_program
from mereo.world import World, bits_of

SPLITS = {"train": 3, "test": 4}


@cache
def lore() -> Lore:
    """What the embedded base knows."""
    return lore_of_base(embedded_base())


def graph(split: str, index: int) -> SceneGraph:
    """A table with bread on a plate, a knife, and two cups, of which the colors go round."""
    colors = ("red", "blue", "green", "yellow")
    return SceneGraph(
        f"{split}-{index}",
        480,
        320,
        things=(
            Thing("k", "knife", (10.0 + len(split), 200.0, 60.0, 20.0), {"material": ("metal",)}),
            Thing("b", "bread", (120.0, 150.0, 80.0, 50.0), {"color": ("brown",)}, unclear={"shape": ("round",)}),
            Thing("p", "plate", (100.0, 170.0, 130.0, 60.0), {"color": ("white",), "other": ("shiny",)}),
            Thing("m", "mug", (300.0, 140.0, 50.0, 60.0), {"color": (colors[index % 4],), "state": ("full",)}),
            Thing("n", "mug", (380.0, 140.0, 50.0, 60.0), {"color": (colors[(index + 1) % 4],)}),
            Thing("7", "handle", (345.0, 150.0, 12.0, 30.0), {"color": ("gray",)}, part_of="m", candidate=False),
        ),
        relations=(Stated("b", "on", "p"), Stated("p", "under", "b"), Stated("k", "left of", "p")),
        unclear=(Stated("m", "right of", "p"),),
    )


class Asked(NamedTuple):
    """A question before it is answered."""

    text: str
    type: str
    program: str
    sub_graph: SubGraph
    definite: tuple[int, ...] = ()
    wrong_part: WrongPart | None = None


def questions(index: int) -> list[Asked]:
    """One of each type and a few more, with the answers yes and no."""
    color, never = ("red", "blue", "green", "yellow")[index % 4], "purple"
    cutting = f"find_kg[{BLANK}, UsedFor, cutting {VISION}](find[bread](initial()))"
    known = Used("knife", "UsedFor", "cutting food", 2)
    slicing = f"find_kg_reverse[slicing a loaf, HasPrerequisite, {BLANK}](initial())"
    food = Used("bread", "IsA", "food", 1)
    mug = f"and(find[{color}](initial()), find[mug](initial()))"
    return [
        Asked(
            "What is the metal object that is used for cutting the bread?",
            "QueryObjKG",
            f"recognition[object](find[metal]({cutting}))",
            SubGraph((), (Described("b", "bread"), Described("k", "metal")), (known,)),
            (3,),
        ),
        Asked(
            "What is the food on?",
            "QueryObjSG",
            "recognition[object](relate[on](find_hypernym[food](initial())))",
            SubGraph((Stated("b", "on", "p"),), (), (food,)),
            (1, 2),
        ),
        Asked(
            "What color is the mug that is full?",
            "QueryAtt",
            "recognition[color](find[mug](find[full](initial())))",
            SubGraph((), (Described("m", "full"), Described("m", color))),
            (2,),
        ),
        Asked(
            "Is there an object that slicing a loaf requires?",
            "VerifyKG",
            f"verify({slicing})",
            SubGraph((), (), (Used("slicing a loaf", "HasPrerequisite", "knife", 1),)),
        ),
        Asked(
            f"Is there a {color} mug?",
            "VerifyAtt",
            f"verify({mug})",
            SubGraph((), (Described("m", color), Described("m", "mug"))),
        ),
        Asked(
            f"Is there a {never} mug here, or is there none?",
            "VerifyAtt",
            f"verify(find[{never}](find[mug](initial())))",
            SubGraph((), (Described("m", "mug"),)),
            (),
            WrongPart("attribute", never, color, 2),
        ),
        Asked(
            "Is anything under the food white?",
            "VerifyAtt",
            "verify(find[white](relate_reverse[under](find_hypernym[food](initial()))))",
            SubGraph((Stated("p", "under", "b"),), (Described("p", "white"),), (food,)),
            (1,),
        ),
    ]


def answered(one: Asked, world: World) -> CricQuestion:
    """A question with its answer and the way to it."""
    trace = execute(parse_program(one.program), world, LANGUAGE)
    referred = trace.referred()
    steps = trace.executable.program.steps
    queries = tuple(Query(*map(str, step.values)) for step in steps if step.function.startswith("find_kg"))
    target = bits_of(referred[steps[-1].inputs[0]])
    return CricQuestion(
        one.text, one.type, one.type, trace, target, one.definite, one.sub_graph, queries, one.wrong_part
    )


@dataclass(frozen=True)
class Handmade:
    """A build of the pictures above."""

    benchmark: str = "cric"
    seed: int = 1
    piecemeal: bool = False
    scene_fields: pa.Schema = SCENE_FIELDS
    question_fields: pa.Schema = CRIC_FIELDS

    def settings(self) -> dict[str, Any]:
        """That nobody made them but a hand."""
        return {"handmade": True}

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """A scene row."""
        own = graph(split, index)
        record = msgspec.json.encode({"graph": own}).decode()
        name = f"{split}-{index:06d}"
        return {"scene_id": name, "split": split, "index": index, "objects": len(own.things), "scene": record}

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        """Scenes with all their questions."""
        rows = Rows(new_columns(self.scene_fields), new_columns(self.question_fields))
        for row in scenes:
            append(rows.scenes, row)
            world = graph_world(graph(shard.split, row["index"]), lore())
            for number, one in enumerate(questions(row["index"])):
                asked = question_row(answered(one, world), row["scene_id"], shard.split, number)
                append(rows.questions, {name: asked[name] for name in rows.questions})
        return rows


def build(folder: Path) -> Path:
    """Make the dataset, with what is known beside it."""
    names = {thing.name for thing in graph("test", 0).things}
    build_dataset(Handmade(), folder, splits=SPLITS, shard_size=2, further={LORE_FILE: encoded_lore(lore(), names)})
    return folder


class Eye(Inspector):
    """Knows the pictures above."""

    language = LANGUAGE

    def world(self, row: Mapping[str, Any]) -> World:
        """The world of a scene row."""
        return graph_world(graph_of(record_of(row)), lore())
