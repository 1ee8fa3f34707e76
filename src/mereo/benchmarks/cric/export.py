"""Datasets as CRIC's own files: scene graphs, items of knowledge, sizes of pictures, and questions with programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mereo.benchmarks.cric.graph import SceneGraph, Thing, graph_of, kind_of_word
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.lore import Lore
from mereo.benchmarks.cric.official_files import GRAPHS, INFO, KNOWLEDGE, QUESTIONS, Size, written_id
from mereo.benchmarks.cric.official_questions import official_name
from mereo.benchmarks.cric.question import SubGraph, WrongPart
from mereo.benchmarks.cric.whole_items import items_of_lore
from mereo.datasets.columns import json_of, record_of, row_named
from mereo.datasets.export import Exporter, Progress, Source, picture_name
from mereo.errors import BadInput
from mereo.files import write_bytes
from mereo.programs import Step, parse_program

__all__ = ["EXPORTERS", "to_cric"]


def to_cric(source: Source, out: Path, progress: Progress) -> None:
    """`scene_graphs.json`, `knowledge_graph.json`, `cric_objects_info.json`, `SPLIT_questions.json`, `images/*`.

    What was imported is written as it was read. What only some people would say of a picture is left out, since these
    files have no place for it.
    """
    if source.inspector is None:
        raise BadInput("nobody knows what its scenes mean", file=source.folder)
    graphs: dict[str, dict[str, Any]] = {}
    sizes: dict[str, Size] = {}
    questions: dict[str, list[Any]] = {}
    known: Lore | None = None
    names: set[str] = set()
    for split, rows, asked in source.shards():
        own: dict[str, SceneGraph] = {}
        for row in rows:
            with row_named(row):
                graph = own[row["scene_id"]] = graph_of(record_of(row))
                if graph.image_id in graphs:
                    raise BadInput(f"there are two scenes of picture {graph.image_id}", field="graph.image_id")
            known = known or source.inspector.world(row).fact(Lore)
            names |= {thing.name for thing in graph.things}
            filename = _write_picture(row, graph, out)
            graphs[graph.image_id] = {**_graph(graph), "split": split, **filename}
            candidates = sum(thing.candidate for thing in graph.things)
            sizes[graph.image_id] = Size(graph.width, graph.height, candidates, len(sizes))
            progress(1)
        questions.setdefault(split, []).extend(_question(row, own[row["scene_id"]]) for row in asked)
    _write(out / GRAPHS, list(graphs.values()))
    _write(out / KNOWLEDGE, items_of_lore(known, names) if known is not None else [])
    _write(out / INFO, sizes)
    for split, records in questions.items():
        _write(out / f"{split}{QUESTIONS}", records)


EXPORTERS: Mapping[str, Exporter] = {"cric": to_cric}


def _write(path: Path, content: Any) -> None:
    write_bytes(path, msgspec.json.encode(content))


def _write_picture(row: Mapping[str, Any], graph: SceneGraph, out: Path) -> dict[str, str]:
    """The picture as a file, and what it is called, if there is one."""
    if not row.get("image"):
        return {"image_filename": graph.image_filename} if graph.image_filename else {}
    name = picture_name(row)
    write_bytes(out / "images" / name, row["image"]["bytes"])
    return {"image_filename": name}


def _graph(graph: SceneGraph) -> dict[str, Any]:
    """A scene graph in Visual Genome's manner."""
    return {
        "image_id": written_id(graph.image_id),
        "width": graph.width,
        "height": graph.height,
        "objects": [_object(thing) for thing in graph.things],
        "relationships": [
            {
                "relationship_id": number,
                "predicate": stated.predicate,
                "subject_id": written_id(stated.subject),
                "object_id": written_id(stated.object),
            }
            for number, stated in enumerate(graph.relations)
        ],
    }


def _object(thing: Thing) -> dict[str, Any]:
    """A thing, with what Visual Genome's objects do not tell only where it matters."""
    written: dict[str, Any] = {"object_id": written_id(thing.id), "names": [thing.name]}
    if thing.box is not None:
        written |= dict(zip("xywh", thing.box, strict=True))
    written["attributes"] = [word for words in thing.attributes.values() for word in words]
    kinds = {word: kind for kind, words in thing.attributes.items() for word in words if kind_of_word(word) != kind}
    if kinds:
        written["kinds"] = kinds
    if thing.part_of is not None:
        written["part_of"] = written_id(thing.part_of)
    return written if thing.candidate else {**written, "candidate": False}


def _question(row: Mapping[str, Any], graph: SceneGraph) -> Any:
    if row.get("official"):
        return json_of(row, "official", type=dict[str, Any])
    steps = parse_program(row["program"]).steps
    if len(steps) != len(row["referred"]):
        reason = f"tells of {len(row['referred'])} steps, the program has {len(steps)}"
        raise BadInput(reason, record=row["question_id"], field="referred")
    order = _postorder(steps, len(steps) - 1)
    told = json_of(row, "sub_graph", type=SubGraph)
    wrong = json_of(row, "wrong_part", type=WrongPart) if row["wrong_part"] else None
    if wrong is not None:
        wrong = msgspec.structs.replace(wrong, step=_place(order, wrong.step))
    return {
        "question_id": row["question_id"],
        "image_id": written_id(graph.image_id),
        "question": row["question"],
        "question_type": row["subtype"],
        "answer": row["answer"],
        "target": _ids(row["target"], graph, row["question_id"]),
        "program": [
            {
                "function": official_name(steps[number].function),
                "text_input": list(steps[number].values),
                "output": _ids(_output(steps[number], row["referred"], number), graph, row["question_id"]),
            }
            for number in order
        ],
        "sub_graph": {
            "relations": [[written_id(s.subject), s.predicate, written_id(s.object)] for s in told.relations],
            "attributes": [[written_id(one.thing), one.word] for one in told.attributes],
            "knowledge_items": [[item.head, item.relation, item.tail] for item in told.knowledge],
            "knowledge_steps": [_place(order, item.step) for item in told.knowledge],
        },
        "wrong_part": wrong,
        "definite": [_place(order, step) for step in row["definite"]],
    }


def _postorder(steps: Sequence[Step], last: int) -> list[int]:
    """The steps of a tree from its leaves to its root; one that is used twice is there twice."""
    return [*(step for source in steps[last].inputs for step in _postorder(steps, source)), last]


def _place(order: Sequence[int], step: int) -> int:
    """Where a step stands first; -1 where it stands nowhere."""
    return order.index(step) if step in order else -1


def _output(step: Step, referred: Sequence[Sequence[int]], number: int) -> Sequence[int]:
    """What a step refers to; where it gives an answer, what this is about."""
    if LANGUAGE.functions[step.function].output.form == "entities":
        return referred[number]
    return [place for source in step.inputs for place in referred[source]]


def _ids(places: Sequence[int], graph: SceneGraph, question: str) -> list[int | str]:
    """The ids of entities by their numbers."""
    for place in places:
        if not 0 <= place < len(graph.things):
            raise BadInput(f"speaks of entity {place}, the picture has {len(graph.things)}", record=question)
    return [written_id(graph.things[place].id) for place in places]
