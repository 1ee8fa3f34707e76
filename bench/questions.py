"""Questions per second, against a plain search over lists of dictionaries in the same run.

    python bench/questions.py [--templates DIR --metadata FILE --synonyms FILE] [--scenes FILE]

Templates in CLEVR's own format are asked by the call behind `mereo questions`: from scene records to a written file of
official question records with the output of every step. Our own templates are asked as `mereo build` asks them. The
plain search gets both sets too. Of our own it need not say the words, it is let off the rules that are stricter than
CLEVR's, and it is stopped after a minute, because some dead ends would keep it for hours.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

from measure import Rate, machine, rate, save, table
from mereo.benchmarks.benchmark import official
from mereo.benchmarks.clevr.language import LANGUAGE, VOCABULARY
from mereo.benchmarks.clevr.questions import RULES, load_questions
from mereo.chance import fast, generator
from mereo.clevr_family.asking import ask_officially
from mereo.clevr_family.records import SceneRecord, read_scenes, world_from_record
from mereo.clevr_family.strewing import sample_scene
from mereo.datasets.verify import plain_answer
from mereo.questions.generate import Asker
from mereo.questions.template import Apply, Choose, Describe, Node, Template
from naive_clevr import NaiveGenerator

OFFICIAL = Path("../shared/data/templates/clevr")
PER_SCENE = 10
SEED = 0


def main() -> None:
    """Measure and print."""
    options = _options()
    scenes = read_scenes(options.scenes) if options.scenes else _sampled(options.count)
    few = scenes[: options.naive]
    print(f"{machine()}, {len(scenes)} scenes for mereo, {len(few)} for the plain search, {options.rounds} rounds")
    result: dict[str, Any] = {"scenes": len(scenes), "naive_scenes": len(few)}
    if options.templates.is_dir():
        rates = _official(scenes, few, options)
        table("CLEVR's templates, official rules", rates, against="plain search", unit="questions/s")
        result["official"] = {name: measured._asdict() for name, measured in rates.items()}
    else:
        print(f"{options.templates}: no such folder, so CLEVR's own templates are left out")
    rates = _own(scenes, few, options)
    table("mereo's CLEVR templates", rates, against="plain search", unit="questions/s")
    result["own"] = {name: measured._asdict() for name, measured in rates.items()}
    save("questions", result)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--templates", type=Path, default=OFFICIAL / "templates")
    parser.add_argument("--metadata", type=Path, default=OFFICIAL / "metadata.json")
    parser.add_argument("--synonyms", type=Path, default=OFFICIAL / "synonyms.json")
    parser.add_argument("--scenes", type=Path, help="a CLEVR scene file instead of sampled scenes")
    parser.add_argument("--count", type=int, default=500, help="how many scenes to sample")
    parser.add_argument("--naive", type=int, default=60, help="how many of them the plain search gets")
    parser.add_argument("--patience", type=float, default=60, help="seconds it gets on our own templates")
    parser.add_argument("--rounds", type=int, default=5)
    return parser.parse_args()


def _sampled(count: int) -> list[SceneRecord]:
    return [
        SceneRecord({"image_index": i, **sample_scene(generator(SEED, "bench", i))}, Path("sampled"), f"scene {i}")
        for i in range(count)
    ]


def _official(scenes: list[SceneRecord], few: list[SceneRecord], options: argparse.Namespace) -> dict[str, Rate]:
    known = official("clevr")

    def ours(about: list[SceneRecord]) -> int:
        with tempfile.TemporaryDirectory() as folder:
            return ask_officially(
                about,
                options.templates,
                metadata=options.metadata,
                synonyms=options.synonyms,
                dialect=known.dialect,
                world_of=known.world_of,
                per_scene=PER_SCENE,
                seed=SEED,
                out=Path(folder) / "questions.json",
            )

    def plain() -> int:
        naive = NaiveGenerator.load(options.templates, options.metadata, options.synonyms, seed=SEED)
        return sum(len(naive.ask(dict(scene.data), PER_SCENE)) for scene in few)

    return {
        "plain search": rate(plain, rounds=1, warm_up=False),
        "mereo, the same scenes": rate(lambda: ours(few), rounds=options.rounds),
        "mereo, all scenes": rate(lambda: ours(scenes), rounds=options.rounds),
    }


def _own(scenes: list[SceneRecord], few: list[SceneRecord], options: argparse.Namespace) -> dict[str, Rate]:
    templates = load_questions()

    def ours(about: list[SceneRecord]) -> int:
        asker = Asker(templates, LANGUAGE, RULES)
        rows = []
        for number, scene in enumerate(about):
            world = world_from_record(scene.data, VOCABULARY)
            for question in asker.ask(world, PER_SCENE, chance=fast(generator(SEED, "bench", number, "questions"))):
                answer = plain_answer(question.answer)
                rows.append((question.text, str(question.program), answer, question.trace.referred()))
        return len(rows)

    records = [(template.source, template.index, _record(template)) for template in templates.templates]
    types = {name.capitalize(): list(attribute.values) for name, attribute in VOCABULARY.attributes.items()}
    types["Relation"] = list(VOCABULARY.relations)

    def plain() -> int:
        deadline = time.process_time() + options.patience
        naive = NaiveGenerator(records, types, {}, seed=SEED, trivial_share=RULES.trivial_share, deadline=deadline)
        return sum(len(naive.ask(dict(scene.data), PER_SCENE)) for scene in few)

    return {
        "plain search": rate(plain, rounds=1, warm_up=False),
        "mereo, the same scenes": rate(lambda: ours(few), rounds=options.rounds),
        "mereo, all scenes": rate(lambda: ours(scenes), rounds=options.rounds),
    }


def _record(template: Template) -> dict[str, Any]:
    """One of our templates in the form of CLEVR's files, with a text that says only its name."""
    params: list[dict[str, str]] = []
    constraints: list[dict[str, Any]] = []
    nodes = [_node(node, params, constraints) for node in template.nodes]
    for differ in template.differ:
        if differ.of == "value":
            constraints.append({"type": "OUT_NEQ", "params": [differ.one, differ.other]})
        elif differ.of == "word":
            pair = template.nodes[differ.one], template.nodes[differ.other]
            words = [node.hole for node in pair if isinstance(node, Choose)]
            constraints.append({"type": "NEQ", "params": words})
    return {"text": [template.title], "nodes": nodes, "params": params, "constraints": constraints}


def _node(node: Node, params: list[dict[str, str]], constraints: list[dict[str, Any]]) -> dict[str, Any]:
    if isinstance(node, Apply):
        return {"type": node.function, "inputs": list(node.inputs), "side_inputs": list(node.values)}
    if isinstance(node, Choose):
        params.append({"name": node.hole, "type": node.type.name})
        return {"type": node.function, "inputs": list(node.inputs), "side_inputs": [node.hole]}
    assert isinstance(node, Describe)
    holes = []
    if node.relation is not None:
        holes.append(node.relation)
        params.append({"name": node.relation, "type": "Relation"})
    for attribute in node.describer.attributes:
        hole = f"{node.hole}.{attribute}"
        holes.append(hole)
        params.append({"name": hole, "type": attribute.capitalize()})
        if attribute in node.unnamed:
            constraints.append({"type": "NULL", "params": [hole]})
    kind = ("relate_" if node.relation else "") + "filter" + ("" if node.goal == "set" else f"_{node.goal}")
    return {"type": kind, "inputs": list(node.inputs), "side_inputs": holes}


if __name__ == "__main__":
    main()
