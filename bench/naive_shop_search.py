"""SHOP-VRB done the plain way, to measure against: the plain CLEVR search with its attributes and its constraints.

Written from the published semantics and not from the library, of which it uses nothing. Options are all descriptions by
the seven or eleven attributes of the metadata; a node with fewer holes leaves out what it has no hole for, and what it
then fits is found when it is run. Which of several holes may be filled is drawn once for a search. A search is given up
after some seconds: the official generator waits sixty, so that less is kinder to it.
"""

from __future__ import annotations

import itertools
import json
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from naive_clevr import HANDLERS, WINDOW, Key, Node, Scene, State, Template
from naive_clevr import _degenerate as degenerate
from naive_clevr import _equal as equal
from naive_clevr import _filter as filtered
from naive_clevr import _grown as grown
from naive_clevr import _query as queried
from naive_clevr import _same as same

__all__ = ["HANDLERS", "NaiveShopGenerator"]

SLOTS = (
    *("size", "weight", "color", "material", "movability", "shape", "name"),
    *("powering", "disassembly", "picking", "attribute"),
)
TRIVIAL = 0.1
MOST = 7

for attribute in SLOTS:
    HANDLERS[f"filter_{attribute}"] = filtered(attribute)
    HANDLERS[f"query_{attribute}"] = queried(attribute)
    HANDLERS[f"same_{attribute}"] = same(attribute)
    HANDLERS[f"equal_{attribute}"] = equal
HANDLERS["filter_attribute"] = lambda scene, inputs, values: [
    i for i in inputs[0] if values[0] in scene["objects"][i]["attribute"]
]

Drawn = dict[int, str]
"""The hole that may be filled of each constraint that leaves a choice, by its place."""


class NaiveShopGenerator:
    """Fills SHOP-VRB's templates by depth-first search over shuffled options."""

    def __init__(self, folder: Path, metadata: Path, *, seed: int, patience: float):
        """patience : CPU seconds after which the search of one template in one scene is given up"""
        self.types = json.loads(metadata.read_text())["types"]
        self.attributes = [name for name in SLOTS if name.capitalize() in self.types]
        self.templates = [
            Template(record, file.name, index, self._domain(record))
            for file in sorted(folder.glob("*.json"))
            for index, record in enumerate(json.loads(file.read_text()))
        ]
        self.chance, self.patience, self.scenes = random.Random(seed), patience, 0

    def _domain(self, record: dict[str, Any]) -> list[Any]:
        last = record["nodes"][-1]["function"]
        if last.startswith("query_"):
            return list(self.types[last.removeprefix("query_").capitalize()])
        return list(range(MOST + 1)) if last.endswith("count") else [True, False]

    def ask(self, scene: Scene, count: int) -> list[tuple[str, int, Any]]:
        """Up to `count` questions about a scene: the template's file, its place there, and the answer."""
        if self.scenes % WINDOW == 0:
            for template in self.templates:
                template.clear()
        self.scenes += 1
        options = self._descriptions(scene)
        found: list[tuple[str, int, Any]] = []
        self.chance.shuffle(self.templates)
        for template in sorted(self.templates, key=lambda template: template.uses):
            if len(found) == count:
                break
            state = self._instance(template, scene, options)
            if state is not None:
                template.uses += 1
                template.counts[_hashed(state)] = template.counts.get(_hashed(state), 0) + 1
                found.append((template.source, template.index, state.outputs[-1]))
        return found

    def _descriptions(self, scene: Scene) -> dict[Key, set[int]]:
        options: dict[Key, set[int]] = {}
        for i, thing in enumerate(scene["objects"]):
            own = [thing[name] if isinstance(thing[name], list) else [thing[name]] for name in self.attributes]
            for key in itertools.product(*([*values, None] for values in own)):
                options.setdefault(key, set()).add(i)
        return options

    def _instance(self, template: Template, scene: Scene, options: dict[Key, set[int]]) -> State | None:
        record, ends = template.record, time.process_time() + self.patience
        types = {param["name"]: param["type"] for param in record["params"]}
        rules = enumerate(record["constraints"])
        drawn = {k: self.chance.choice(rule["params"]) for k, rule in rules if rule["type"].startswith("ONE_OF")}
        stack: list[Callable[[], State | None]] = [lambda: State([], [], [], {})]
        while stack and time.process_time() < ends:
            state = stack.pop()()
            if state is None or not _constraints_hold(record, state, drawn):
                continue
            if len(state.place) == len(record["nodes"]):
                if self._acceptable(template, state, scene):
                    return state
                continue
            node = record["nodes"][len(state.place)]
            followers = list(self._followers(node, state, scene, options, types))
            self.chance.shuffle(followers)
            stack += [partial(grown, state, node, steps, words, scene) for steps, words in followers]
        return None

    def _followers(
        self, node: Node, state: State, scene: Scene, options: dict[Key, set[int]], types: dict[str, str]
    ) -> Iterator[tuple[list[tuple[str, list[Any]]], dict[str, str]]]:
        kind, holes = node["function"], node.get("value_inputs") or []
        if kind.startswith("relate_filter"):
            thing = state.outputs[state.place[node["inputs"][0]]]
            for relation, key in self._related_keys(kind, thing, scene, options):
                steps, words = self._described(kind.removeprefix("relate_"), holes[1:], key)
                yield [("relate", [relation]), *steps], {holes[0]: relation, **words}
        elif kind in ("filter", "filter_unique", "filter_count", "filter_exist"):
            for key in self._keys(kind, set(state.outputs[state.place[node["inputs"][0]]]), options):
                yield self._described(kind, holes, key)
        elif holes and holes[0] in types:
            for word in self.types[types[holes[0]]]:
                yield [(kind, [word])], {holes[0]: word}
        else:
            yield [(kind, list(holes))], {}

    def _described(self, kind: str, holes: list[str], key: Key) -> tuple[list[tuple[str, list[Any]]], dict[str, str]]:
        named = list(zip(holes, self.attributes, key, strict=False))
        steps: list[tuple[str, list[Any]]] = [(f"filter_{name}", [value]) for _, name, value in named if value]
        goal = kind.removeprefix("filter").removeprefix("_")
        return [*steps, *([(goal, [])] if goal else [])], {hole: value or "" for hole, _, value in named}

    def _keys(self, kind: str, within: set[int], options: dict[Key, set[int]]) -> list[Key]:
        singles = [key for key, fitting in options.items() if len(within & fitting) == 1]
        if kind == "filter_unique":
            return singles
        empty = len(options) if kind == "filter_exist" else len(singles)
        return [*options, *(self._thin_air() for _ in range(empty))]

    def _thin_air(self) -> Key:
        return tuple(self.chance.choice([*self.types[name.capitalize()], None]) for name in self.attributes)

    def _related_keys(self, kind: str, thing: int, scene: Scene, options: dict[Key, set[int]]) -> list[tuple[str, Key]]:
        telling: list[tuple[str, Key]] = []
        trivial: list[tuple[str, Key]] = []
        for relation, table in scene["relationships"].items():
            related = set(table[thing])
            for key, fitting in options.items():
                found = related & fitting
                if kind.endswith("unique") and len(found) != 1:
                    continue
                if kind == "relate_filter" and not found:
                    continue
                (trivial if len(found) == len(fitting) else telling).append((relation, key))
        self.chance.shuffle(trivial)
        return telling + trivial[: round(len(telling) * TRIVIAL / (1 - TRIVIAL))]

    def _acceptable(self, template: Template, state: State, scene: Scene) -> bool:
        answer = _hashed(state)
        template.counts.setdefault(answer, 0)
        counts = sorted(template.counts.values())
        count = template.counts[answer]
        if count > 1.1 * counts[-2] or count > 5.0 * max(counts[len(counts) // 2], 5):
            return False
        if any(node["function"] == "relate" for node in template.record["nodes"]):
            return not degenerate(state.nodes, state.outputs[-1], scene)
        return True


def _hashed(state: State) -> Any:
    answer = state.outputs[-1]
    return tuple(answer) if isinstance(answer, list) else answer


def _constraints_hold(record: dict[str, Any], state: State, drawn: Drawn) -> bool:
    for place, constraint in enumerate(record["constraints"]):
        kind, params = constraint["type"], constraint["params"]
        if kind == "OUT_NEQ":
            if max(params) < len(state.place):
                one, other = (state.outputs[state.place[param]] for param in params)
                if one == other:
                    return False
            continue
        open_to = drawn.get(place)
        if any(state.words.get(hole) for hole in params if hole != open_to):
            return False
        if kind == "ONE_OF_FORCE" and state.words.get(open_to or "") == "":
            return False
    return True
