"""CLEVR-Ref+ done the plain way, to measure against: the plain CLEVR search with its options, ordinals and visibility.

Written from the published semantics and not from the library, of which it uses nothing. Options are drawn as the
official generator draws them: as often as there are options, first how many objects shall be left, then one of the
descriptions that leave so many. It keeps what the official generator keeps (see `naive_clevr.py`), and one thing more,
which is kinder to it: what covers what is worked out once per scene, there at every look.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from naive_clevr import ATTRIBUTES, HANDLERS, Invalid, Key, NaiveGenerator, Node, Scene, State, Template
from naive_clevr import _constraints_hold as constraints_hold
from naive_clevr import _degenerate as degenerate
from naive_clevr import _grown as grown

GIVE_UP = 10_000
"""States of a template's search after which the official generator gives up."""
PARTIAL = 0.2

Steps = list[tuple[str, list[Any]]]


def _ordinal(scene: Scene, inputs: list[Any], values: list[Any]) -> list[int]:
    number, side = values
    objects = inputs[0]
    if len(objects) == 1 or number >= len(objects):
        raise Invalid
    axis = 2 if side == "from front" else 0
    order = sorted(objects, key=lambda i: scene["objects"][i]["pixel_coords"][axis])
    return [order[-1 - number] if side == "from right" else order[number]]


def _visible(scene: Scene, inputs: list[Any], values: list[Any]) -> list[int]:
    hidden = scene.get("hidden")
    if hidden is None or not inputs[0]:
        raise Invalid
    return [i for i in inputs[0] if (i in hidden) == (values[0] == "partially visible")]


HANDLERS["filter_ordinal"] = _ordinal
HANDLERS["filter_visible"] = _visible


def look(scene: Scene) -> None:
    """Find out which objects are partially visible, unless that cannot be told."""
    if "obj_mask" not in scene:
        return
    hidden, depths = set(), [thing["pixel_coords"][2] for thing in scene["objects"]]
    masks = [_pixels(scene["obj_mask"][str(k + 1)], scene.get("width", 480)) for k in range(len(depths))]
    for far, depth in enumerate(depths):
        left, top, across, down = scene["obj_bbox"][str(far + 1)]
        for near, other in enumerate(depths):
            if other < depth:
                inside = sum(left <= x < left + across and top <= y < top + down for x, y in masks[near])
                share = inside / (across * down)
                if 0 < share < PARTIAL:
                    return
                if share:
                    hidden.add(far)
    if 0 < len(hidden) < len(depths):
        scene["hidden"] = hidden


def _pixels(text: str, width: int) -> list[tuple[int, int]]:
    found, at = [], 0
    for number, length in enumerate(map(int, text.split(","))):
        if number % 2:
            found += [(place % width, place // width) for place in range(at, at + length)]
        at += length
    return found


class NaiveReferGenerator(NaiveGenerator):
    """Fills CLEVR-Ref+'s templates by depth-first search over drawn options."""

    @staticmethod
    def load(folder: Path, metadata: Path, synonyms: Path, *, seed: int) -> NaiveReferGenerator:
        """A generator for the templates of a folder."""
        read = NaiveGenerator.load(folder, metadata, synonyms, seed=seed)
        templates = [(template.source, template.index, template.record) for template in read.templates]
        return NaiveReferGenerator(templates, read.types, read.synonyms, seed=seed, trivial_share=0.0)

    def ask(self, scene: Scene, count: int) -> list[dict[str, Any]]:
        """Up to `count` expressions about a scene."""
        look(scene)
        return super().ask(scene, count)

    def _domain(self, record: dict[str, Any]) -> list[Any]:
        return list(range(11))

    def _instance(self, template: Template, scene: Scene, options: dict[Key, set[int]]) -> State | None:
        record = template.record
        types = {param["name"]: param["type"] for param in record["params"]}
        stack: list[Callable[[], State | None]] = [lambda: State([], [], [], {})]
        popped = 0
        while stack and popped < GIVE_UP:
            state = stack.pop()()
            popped += 1
            if state is None or not constraints_hold(record, state, types):
                continue
            if len(state.place) == len(record["nodes"]):
                if self._acceptable(template, state, scene):
                    return state
                continue
            node = record["nodes"][len(state.place)]
            followers = list(self._followers(node, state, scene, options, types))
            stack += [partial(grown, state, node, steps, words, scene) for steps, words in followers]
        return None

    def _acceptable(self, template: Template, state: State, scene: Scene) -> bool:
        answer = state.outputs[-1]
        if not answer:
            return False
        counts, count = sorted(template.counts.values()), template.counts[answer]
        if count > 1.1 * counts[-2] or count > 5.0 * max(counts[len(counts) // 2], 5):
            return False
        relates = any(node["type"] == "relate" for node in template.record["nodes"])
        referred = state.nodes[:-1]
        return not relates or not degenerate(referred, state.outputs[-2], scene)

    def _followers(
        self, node: Node, state: State, scene: Scene, options: dict[Key, set[int]], types: dict[str, str]
    ) -> Iterator[tuple[Steps, dict[str, str]]]:
        kind, holes = node["type"], node.get("side_inputs") or []
        if "filter" not in kind or kind in HANDLERS:
            yield from super()._followers(node, state, scene, options, types)
            return
        given = state.outputs[state.place[node["inputs"][0]]]
        related = kind.startswith("relate")
        scopes = (
            {name: set(table[given]) for name, table in scene["relationships"].items()} if related else {"": set(given)}
        )
        names = holes[1:] if related else holes
        goal = kind.rpartition("filter")[2].removeprefix("_")
        by_number: dict[int, list[tuple[Steps, dict[str, str]]]] = {}
        total = 0
        for relation, scope in scopes.items():
            before: Steps = [("relate", [relation])] if related else []
            for steps, words, left in self._ways(scope, names, scene, options, related=related):
                said = {**words, **({holes[0]: relation} if related else {})}
                filled = ([*before, *steps, *([(goal, [])] if goal else [])], said)
                by_number.setdefault(left, []).append(filled)
                total += 1
        numbers = sorted(by_number)
        for _ in range(total):
            yield _choice(self.chance, by_number[_choice(self.chance, numbers)])

    def _ways(
        self, scope: set[int], holes: list[str], scene: Scene, options: dict[Key, set[int]], *, related: bool
    ) -> Iterator[tuple[Steps, dict[str, str], int]]:
        """Every description of some of a scope, with its words and how many it leaves."""
        ordinals = self.types["Ordinal_number"] if holes[4].startswith("<r") else []
        for key, fitting in options.items():
            steps: Steps = [(f"filter_{a}", [value]) for a, value in zip(ATTRIBUTES, key, strict=True) if value]
            words = {hole: value or "" for hole, value in zip(holes, key, strict=False)}
            words[holes[3]] = words[holes[3]] or "thing"
            left = sorted(scope & fitting)
            if left and (steps or related) and not (related and len(left) == len(fitting)):
                yield steps, words, len(left)
            if len(left) > 1:
                for number, word in enumerate(ordinals[: len(left)]):
                    for side in self.types["Ordinal_direction"]:
                        said = {**words, holes[4]: word, holes[5]: side}
                        yield [*steps, ("filter_ordinal", [number, side])], said, 1
            for word in self.types["Visible"] if left and "hidden" in scene else ():
                whole = _visible(scene, [sorted(fitting)], [word])
                seen = [i for i in left if i in whole]
                if seen and not (related and len(seen) == len(whole)):
                    yield [*steps, ("filter_visible", [word])], {**words, holes[6]: word}, len(seen)


def _choice(chance: random.Random, options: Any) -> Any:
    return options[int(chance.random() * len(options))]
