"""CLEVR done the plain way, to measure against: objects are dictionaries, sets are lists, the search tries everything.

Written from the published semantics and not from the library, of which it uses nothing. It follows the official rules
to the letter (options, trivial relations, constraints, rejection of frequent answers, degenerate relations), and keeps
what the official generator keeps: the outputs of the nodes that states of a search share, the descriptions that fit
some object of a scene, and for each object those that are the same in an attribute. Run as a program it takes the
official generator's options, and two of its own:

    python bench/naive_clevr.py --input_scene_file … --output_questions_file … [--seed 0] [--patience 60]
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

ATTRIBUTES = ("size", "color", "material", "shape")
ANYTHING = {"Shape": "thing"}
WINDOW = 250
MOST = 10

Scene = dict[str, Any]
Node = dict[str, Any]
Key = tuple[str | None, ...]
Handler = Callable[[Scene, list[Any], list[Any]], Any]


class Invalid(Exception):
    """A program that has no value on a scene."""


def _scene(scene: Scene, inputs: list[Any], values: list[Any]) -> list[int]:
    return list(range(len(scene["objects"])))


def _unique(scene: Scene, inputs: list[Any], values: list[Any]) -> int:
    if len(inputs[0]) != 1:
        raise Invalid
    return int(inputs[0][0])


def _relate(scene: Scene, inputs: list[Any], values: list[Any]) -> list[int]:
    related: list[int] = scene["relationships"][values[0]][inputs[0]]
    return related


def _filter(attribute: str) -> Handler:
    return lambda scene, inputs, values: [i for i in inputs[0] if scene["objects"][i][attribute] == values[0]]


def _query(attribute: str) -> Handler:
    return lambda scene, inputs, values: scene["objects"][inputs[0]][attribute]


def _same(attribute: str) -> Handler:
    kept = f"_same_{attribute}"

    def same(scene: Scene, inputs: list[Any], values: list[Any]) -> list[int]:
        if kept not in scene:
            own = [thing[attribute] for thing in scene["objects"]]
            scene[kept] = [[j for j, other in enumerate(own) if other == one and j != i] for i, one in enumerate(own)]
        found: list[int] = scene[kept][inputs[0]]
        return found

    return same


def _equal(scene: Scene, inputs: list[Any], values: list[Any]) -> bool:
    return bool(inputs[0] == inputs[1])


HANDLERS: dict[str, Handler] = {
    "scene": _scene,
    "unique": _unique,
    "relate": _relate,
    "union": lambda scene, inputs, values: sorted(set(inputs[0]) | set(inputs[1])),
    "intersect": lambda scene, inputs, values: sorted(set(inputs[0]) & set(inputs[1])),
    "count": lambda scene, inputs, values: len(inputs[0]),
    "exist": lambda scene, inputs, values: len(inputs[0]) > 0,
    "equal_integer": _equal,
    "equal_object": _equal,
    "less_than": lambda scene, inputs, values: inputs[0] < inputs[1],
    "greater_than": lambda scene, inputs, values: inputs[0] > inputs[1],
    **{f"filter_{attribute}": _filter(attribute) for attribute in ATTRIBUTES},
    **{f"query_{attribute}": _query(attribute) for attribute in ATTRIBUTES},
    **{f"same_{attribute}": _same(attribute) for attribute in ATTRIBUTES},
    **{f"equal_{attribute}": _equal for attribute in ATTRIBUTES},
}


def execute(nodes: Sequence[Node], scene: Scene) -> list[Any]:
    """The output of every node of an official program."""
    outputs: list[Any] = []
    for node in nodes:
        inputs = [outputs[i] for i in node["inputs"]]
        outputs.append(HANDLERS[node["type"]](scene, inputs, node["value_inputs"]))
    return outputs


@dataclass
class Template:
    """One template of a file, with its answers so far."""

    record: dict[str, Any]
    source: str
    index: int
    domain: list[Any]
    counts: dict[Any, int] = field(default_factory=dict)
    uses: int = 0
    seconds: float = 0.0
    """CPU time that its search has taken."""
    vain: float = 0.0
    """… and that of it which led to no question."""

    def clear(self) -> None:
        """Start counting anew."""
        self.uses, self.counts = 0, dict.fromkeys(self.domain, 0)


@dataclass
class State:
    """A program as far as it is filled in."""

    nodes: list[Node]
    outputs: list[Any]
    place: list[int]
    """The node of the program that each node of the template became."""
    words: dict[str, str]


class NaiveGenerator:
    """Fills CLEVR-family templates by depth-first search over shuffled options."""

    def __init__(
        self,
        templates: Sequence[tuple[str, int, dict[str, Any]]],
        types: dict[str, Any],
        synonyms: dict[str, list[str]],
        *,
        seed: int,
        trivial_share: float = 0.1,
        deadline: float = math.inf,
    ):
        """deadline : `time.process_time()` after which no search is begun any more"""
        self.types, self.synonyms, self.chance, self.trivial_share = types, synonyms, random.Random(seed), trivial_share
        self.templates = [Template(record, source, index, self._domain(record)) for source, index, record in templates]
        self.scenes = 0
        self.deadline = deadline

    @staticmethod
    def load(folder: Path, metadata: Path, synonyms: Path, *, seed: int) -> NaiveGenerator:
        """A generator for the templates of a folder."""
        templates = [
            (file.name, index, record)
            for file in sorted(folder.glob("*.json"))
            for index, record in enumerate(json.loads(file.read_text()))
        ]
        types: dict[str, Any] = json.loads(metadata.read_text())["types"]
        return NaiveGenerator(templates, types, json.loads(synonyms.read_text()), seed=seed)

    def ask(self, scene: Scene, count: int) -> list[dict[str, Any]]:
        """Up to `count` questions about a scene as official records."""
        if time.process_time() > self.deadline:
            return []
        if self.scenes % WINDOW == 0:
            for template in self.templates:
                template.clear()
        self.scenes += 1
        options = _all_descriptions(scene)
        found: list[dict[str, Any]] = []
        for template in sorted(self.templates, key=lambda template: template.uses):
            if len(found) == count:
                break
            started = time.process_time()
            state = self._instance(template, scene, options)
            taken = time.process_time() - started
            template.seconds += taken
            if state is None:
                template.vain += taken
                continue
            answer = state.outputs[-1]
            template.uses += 1
            template.counts[answer] += 1
            program = [{**node, "_output": output} for node, output in zip(state.nodes, state.outputs, strict=True)]
            found.append(
                {
                    "question": self._said(template.record, state.words),
                    "program": program,
                    "answer": answer,
                    "template_filename": template.source,
                    "question_family_index": template.index,
                }
            )
        return found

    def _domain(self, record: dict[str, Any]) -> list[Any]:
        last = record["nodes"][-1]["type"]
        if last.startswith("query_"):
            return list(self.types[last.removeprefix("query_").capitalize()])
        return list(range(MOST + 1)) if last.endswith("count") else [True, False]

    def _instance(self, template: Template, scene: Scene, options: dict[Key, set[int]]) -> State | None:
        record = template.record
        types = {param["name"]: param["type"] for param in record["params"]}
        stack: list[Callable[[], State | None]] = [lambda: State([], [], [], {})]
        while stack:
            state = stack.pop()()
            if state is None or not _constraints_hold(record, state, types):
                continue
            if len(state.place) == len(record["nodes"]):
                if self._acceptable(template, state, scene):
                    return state
                continue
            node = record["nodes"][len(state.place)]
            followers = list(self._followers(node, state, scene, options, types))
            self.chance.shuffle(followers)
            stack += [partial(_grown, state, node, steps, words, scene) for steps, words in followers]
        return None

    def _followers(
        self, node: Node, state: State, scene: Scene, options: dict[Key, set[int]], types: dict[str, str]
    ) -> Iterator[tuple[list[tuple[str, list[Any]]], dict[str, str]]]:
        """Every way to fill one template node: the functions it becomes, and the words of its holes."""
        kind, holes = node["type"], node.get("side_inputs") or []
        if kind.startswith("relate_filter"):
            for relation, key in self._related_keys(
                kind, state.outputs[state.place[node["inputs"][0]]], scene, options
            ):
                steps, words = _described(kind.removeprefix("relate_"), holes[1:], key, types)
                yield [("relate", [relation]), *steps], {holes[0]: relation, **words}
        elif kind in ("filter", "filter_unique", "filter_count", "filter_exist"):
            for key in self._keys(kind, state.outputs[state.place[node["inputs"][0]]], options):
                yield _described(kind, holes, key, types)
        elif holes and holes[0] in types:
            for word in self.types[types[holes[0]]]:
                yield [(kind, [word])], {holes[0]: word}
        else:
            yield [(kind, list(holes))], {}

    def _keys(self, kind: str, objects: list[int], options: dict[Key, set[int]]) -> list[Key]:
        within = set(objects)
        matches = {key: sorted(within & fitting) for key, fitting in options.items()}
        if kind == "filter":
            matches.pop((None,) * len(ATTRIBUTES), None)
        singles = [key for key, found in matches.items() if len(found) == 1]
        if kind == "filter_unique":
            return singles
        empty = len(matches) if kind == "filter_exist" else len(singles)
        return [*matches, *(self._thin_air() for _ in range(empty))]

    def _thin_air(self) -> Key:
        return tuple(self.chance.choice([*self.types[name.capitalize()], None]) for name in ATTRIBUTES)

    def _related_keys(self, kind: str, thing: int, scene: Scene, options: dict[Key, set[int]]) -> list[tuple[str, Key]]:
        telling: list[tuple[str, Key]] = []
        trivial: list[tuple[str, Key]] = []
        for relation, table in scene["relationships"].items():
            related = set(table[thing])
            for key, fitting in options.items():
                found = sorted(related & fitting)
                if kind.endswith("unique") and len(found) != 1:
                    continue
                if kind == "relate_filter" and not found:
                    continue
                (trivial if len(found) == len(fitting) else telling).append((relation, key))
        self.chance.shuffle(trivial)
        return telling + trivial[: round(len(telling) * self.trivial_share / (1 - self.trivial_share))]

    def _acceptable(self, template: Template, state: State, scene: Scene) -> bool:
        answer = state.outputs[-1]
        counts = sorted(template.counts.values())
        count = template.counts[answer]
        if count > 1.1 * counts[-2] or count > 5.0 * max(counts[len(counts) // 2], 5):
            return False
        if any(node["type"] == "relate" for node in template.record["nodes"]):
            return not _degenerate(state.nodes, answer, scene)
        return True

    def _said(self, record: dict[str, Any], words: dict[str, str]) -> str:
        text = str(self.chance.choice(record["text"]))
        for hole, word in words.items():
            text = text.replace(hole, self.chance.choice(self.synonyms.get(word, [word])))
        text = re.sub(r"\[([^\]]*)\]", lambda found: found[1] if self.chance.random() < 0.5 else "", text)
        text = re.sub(r" ([?;,.])", r"\1", " ".join(text.split()))
        return text[:1].upper() + text[1:]


def _all_descriptions(scene: Scene) -> dict[Key, set[int]]:
    """Every description that fits some object, with the objects it fits."""
    options: dict[Key, set[int]] = {}
    for i, thing in enumerate(scene["objects"]):
        for key in itertools.product(*((thing[attribute], None) for attribute in ATTRIBUTES)):
            options.setdefault(key, set()).add(i)
    return options


def _described(
    kind: str, holes: list[str], key: Key, types: dict[str, str]
) -> tuple[list[tuple[str, list[Any]]], dict[str, str]]:
    steps: list[tuple[str, list[Any]]] = []
    words = {}
    for hole, attribute, value in zip(holes, ATTRIBUTES, key, strict=True):
        if value is not None:
            steps.append((f"filter_{attribute}", [value]))
        words[hole] = value or ANYTHING.get(types[hole], "")
    goal = kind.removeprefix("filter").removeprefix("_")
    return [*steps, *([(goal, [])] if goal else [])], words


def _grown(
    state: State, node: Node, steps: list[tuple[str, list[Any]]], words: dict[str, str], scene: Scene
) -> State | None:
    """The state with one more template node, or None where it has no value."""
    nodes, outputs = list(state.nodes), list(state.outputs)
    inputs = [state.place[i] for i in node["inputs"]]
    try:
        for function, values in steps:
            outputs.append(HANDLERS[function](scene, [outputs[i] for i in inputs], values))
            nodes.append({"type": function, "inputs": inputs, "value_inputs": values})
            inputs = [len(nodes) - 1]
    except Invalid:
        return None
    # A description that names nothing adds no node: what follows then takes its input.
    return State(nodes, outputs, [*state.place, inputs[0] if not steps else len(nodes) - 1], {**state.words, **words})


def _constraints_hold(record: dict[str, Any], state: State, types: dict[str, str]) -> bool:
    for constraint in record["constraints"]:
        params = constraint["params"]
        if constraint["type"] == "NULL":
            word = state.words.get(params[0])
            if word and word != ANYTHING.get(types[params[0]]):
                return False
        elif constraint["type"] == "NEQ":
            one, other = (state.words.get(param) for param in params)
            if one is not None and one == other:
                return False
        elif constraint["type"] == "OUT_NEQ" and max(params) < len(state.place):
            one, other = (state.outputs[state.place[param]] for param in params)
            if one == other:
                return False
    return True


def _degenerate(nodes: list[Node], answer: Any, scene: Scene) -> bool:
    """Whether some relation can be replaced by the whole scene without a change of the answer."""
    for position, node in enumerate(nodes):
        if node["type"] != "relate":
            continue
        changed = [dict(other) for other in nodes]
        changed[position] = {"type": "scene", "inputs": [], "value_inputs": []}
        try:
            if execute(_pruned(changed), scene)[-1] == answer:
                return True
        except Invalid:
            continue
    return False


def _pruned(nodes: list[Node]) -> list[Node]:
    """The nodes that the last one needs."""
    needed, queue = set(), [len(nodes) - 1]
    while queue:
        position = queue.pop()
        needed.add(position)
        queue += nodes[position]["inputs"]
    place = {old: new for new, old in enumerate(sorted(needed))}
    return [{**nodes[old], "inputs": [place[i] for i in nodes[old]["inputs"]]} for old in place]


def main() -> None:
    """Write a file of questions, as the official generator does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("input_scene_file", "output_questions_file", "template_dir", "synonyms_json", "metadata_file"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--templates_per_image", type=int, default=10)
    parser.add_argument("--instances_per_template", type=int, choices=[1], default=1)
    parser.add_argument("--scene_start_idx", type=int, default=0)
    parser.add_argument("--num_scenes", type=int, default=0, help="0 for all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--patience", type=float, default=math.inf, help="CPU seconds after which it begins no more")
    given = parser.parse_args()
    scenes = json.loads(given.input_scene_file.read_text())["scenes"][given.scene_start_idx :]
    naive = NaiveGenerator.load(given.template_dir, given.metadata_file, given.synonyms_json, seed=given.seed)
    naive.deadline = given.patience
    asked = []
    for scene in scenes[: given.num_scenes or None]:
        about = {"image_filename": scene["image_filename"], "image_index": scene["image_index"]}
        asked += [{**about, **question} for question in naive.ask(scene, given.templates_per_image)]
    times = [[f"{one.source}[{one.index}]", one.seconds, one.vain] for one in naive.templates]
    info = {"split": "new", "scenes": naive.scenes, "seconds": times}
    given.output_questions_file.write_text(json.dumps({"info": info, "questions": asked}))


if __name__ == "__main__":
    main()
