"""Household scenes by chance, and templates in SHOP-VRB's form that have every kind of node and constraint of its own.

SHOP-VRB's generator has 353 templates in 18 files, of which not all are at hand; these are of the same families.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mereo.benchmarks.shop.language import TEXTUAL, VISUAL, VOCABULARY
from mereo.benchmarks.shop.models import drawn_looks, instances_of, models
from mereo.benchmarks.shop.texts import properties_of

__all__ = ["LETTERS", "TEXT", "scene_file", "strewn", "templates", "write_templates"]

LETTERS = dict(zip((*VISUAL, *TEXTUAL), "ZWCMVSNPDKA", strict=True))
"""The letter of each attribute's holes."""
TEXT = "text"
_TURN = math.radians(40)
_DIRECTIONS = {
    "right": [math.cos(_TURN), math.sin(_TURN), 0.0],
    "left": [-math.cos(_TURN), -math.sin(_TURN), 0.0],
    "behind": [-math.sin(_TURN), math.cos(_TURN), 0.0],
    "front": [math.sin(_TURN), -math.cos(_TURN), 0.0],
    "above": [0.0, 0.0, 1.0],
    "below": [0.0, 0.0, -1.0],
}


def strewn(index: int, *, seed: int = 0, split: str = "train") -> dict[str, Any]:
    """The record of three to seven objects that lie about a table; nobody has looked whether they touch."""
    chance = random.Random(f"{seed} {split} {index}")
    things = [_thing(chance, split) for _ in range(chance.randint(3, 7))]
    return {
        "split": split,
        "image_index": index,
        "image_filename": f"SHOP_VRB_{split}_{index:06d}.png",
        "objects": things,
        "directions": _DIRECTIONS,
        "relationships": {
            name: [_related(things, k, name) for k in range(len(things))] for name in VOCABULARY.relations
        },
    }


def _thing(chance: random.Random, split: str) -> dict[str, Any]:
    known = models(instances_of(split))
    looks = drawn_looks(chance.choice(known[chance.choice(sorted(known))]), chance)
    read = properties_of(looks["name"], looks)
    place = [chance.uniform(-3.5, 3.5), chance.uniform(-3.5, 3.5), 0.0]
    told = {**looks, **read, "attribute": list(read["attribute"])}
    return {**told, "3d_coords": place, "rotation": chance.uniform(0, 360), "pixel_coords": [240, 160, 10.0]}


def _related(things: Sequence[Mapping[str, Any]], of: int, name: str) -> list[int]:
    x, y, _ = things[of]["3d_coords"]
    dx, dy, _ = _DIRECTIONS[name]
    places = [thing["3d_coords"] for thing in things]
    return [k for k, (u, v, _) in enumerate(places) if k != of and (u - x) * dx + (v - y) * dy > 0.2]


def scene_file(count: int, *, seed: int = 0, split: str = "train") -> dict[str, Any]:
    """The content of a file of such scenes."""
    return {"info": {"split": split}, "scenes": [strewn(index, seed=seed, split=split) for index in range(count)]}


class _Draft:
    """A template that is put together node by node."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.params: list[dict[str, str]] = []
        self.constraints: list[dict[str, Any]] = []
        self.descriptions = 0

    def add(self, function: str, *inputs: int, values: Iterable[str] = ()) -> int:
        """One more node; gives its place."""
        self.nodes.append({"function": function, "inputs": list(inputs), "value_inputs": list(values)})
        return len(self.nodes) - 1

    def hole(self, type: str, letter: str) -> str:
        name = f"<{letter}{len(self.params)}>"
        self.params.append({"type": type.capitalize(), "name": name})
        return name

    def keep(self, type: str, *params: Any) -> None:
        self.constraints.append({"type": type, "params": list(params)})

    def describe(self, function: str, source: int | None = None, *, read: bool = False) -> tuple[int, str, list[str]]:
        """A description by what is seen, or else by one thing that is read: its node, its text, its holes."""
        at = self.add("scene") if source is None else source
        relation = [self.hole("relation", "R")] if function.startswith("relate") else []
        holes = {name: self.hole(name, LETTERS[name]) for name in (*VISUAL, *(TEXTUAL if read else ()))}
        if read:
            self.keep("NONE_OF", *(holes[name] for name in VISUAL))
            self.keep("ONE_OF_FORCE", *(holes[name] for name in TEXTUAL))
            text = f"{''.join(holes[name] for name in TEXTUAL)} thing"
        else:
            self.keep("ONE_OF", holes["name"], holes["shape"])
            text = " ".join(holes.values())
        place = self.add(function, at, values=[*relation, *holes.values()])
        return place, f"{text} {relation[0] if relation else ''}", list(holes.values())

    def done(self, text: str) -> dict[str, Any]:
        said = " ".join(text.split())
        return {"text": [said], "nodes": self.nodes, "params": self.params, "constraints": self.constraints}


def _hops(count: int, ending: str, *, read: bool) -> dict[str, Any]:
    """Whatever is beside what is beside … something; the ending counts it, tells of it, or asks for an attribute."""
    draft, said = _Draft(), ""
    verb, _, attribute = ending.partition("_")
    at: int | None = None
    for hop in range(count + 1):
        last = hop == count
        goal = verb if last and not attribute else "unique"
        prefix = "relate_filter" if hop else "filter"
        at, text, holes = draft.describe(f"{prefix}_{goal}", at, read=read and last and not attribute)
        said = f"{text} {said}"
    if attribute:
        if attribute in VISUAL:
            draft.keep("NULL", holes[VISUAL.index(attribute)])
        draft.add(ending, at or 0)
    return draft.done(f"{verb} {attribute}: {said}?")


def _same(attribute: str, ending: str, *, read: bool) -> dict[str, Any]:
    draft = _Draft()
    one, first, _ = draft.describe("filter_unique")
    others, second, _ = draft.describe(f"filter_{ending}", draft.add(f"same_{attribute}", one), read=read)
    if ending == "unique":
        draft.add("query_color", others)
    return draft.done(f"{ending} of other {second}s with the same {attribute} as the {first}?")


def _both(*, read: bool) -> dict[str, Any]:
    draft = _Draft()
    sides, said = [], []
    for _ in range(2):
        one, text, _ = draft.describe("filter_unique")
        relation = draft.hole("relation", "R")
        sides.append(draft.add("relate", one, values=[relation]))
        said.append(f"{relation} the {text}")
    _, text, _ = draft.describe("filter_count", draft.add("intersect", *sides), read=read)
    return draft.done(f"How many {text}s are both {said[0]} and {said[1]}?")


def _either(*, read: bool, of: str | None = None) -> dict[str, Any]:
    draft = _Draft()
    (one, first, _), (two, second, _) = (draft.describe("filter", read=read) for _ in range(2))
    draft.keep("OUT_NEQ", one, two)
    at, kind = draft.add("union", one, two), ""
    if of:
        kind = draft.hole(of, LETTERS[of])
        at = draft.add(f"filter_{of}", at, values=[kind])
    draft.add("count", at)
    return draft.done(f"How many {kind} things are [either] {first} or {second}?")


def _compared(function: str, *, read: bool, related: bool = False) -> dict[str, Any]:
    draft = _Draft()
    sides, said = [], []
    for _ in range(2):
        beside, where = None, ""
        if related:
            beside, where, _ = draft.describe("filter_unique")
        side, text, _ = draft.describe("relate_filter_count" if related else "filter_count", beside, read=read)
        sides.append(side)
        said.append(f"{text} {where}")
    draft.keep("OUT_NEQ", *sides)
    draft.add(function, *sides)
    return draft.done(f"{function}: the number of {said[0]}s and of {said[1]}s?")


def _equal(attribute: str) -> dict[str, Any]:
    draft = _Draft()
    sides, values, said = [], [], []
    for _ in range(2):
        one, text, holes = draft.describe("filter_unique")
        if attribute in VISUAL:
            draft.keep("NULL", holes[VISUAL.index(attribute)])
        sides.append(one)
        values.append(draft.add(f"query_{attribute}", one))
        said.append(text)
    draft.keep("OUT_NEQ", *sides)
    draft.add(f"equal_{attribute}", *values)
    return draft.done(f"Are the {said[0]} and the {said[1]} of the same {attribute}?")


def templates(kind: str = "") -> dict[str, list[dict[str, Any]]]:
    """Templates by the name of their file. kind : "text" for those about what is read"""
    read = kind == TEXT
    asked = TEXTUAL if read else VISUAL
    end = f"_{kind}" if kind else ""
    endings = ["count", "exist", *(f"query_{attribute}" for attribute in asked)]
    hops = {name: [_hops(n, ending, read=read) for ending in endings] for n, name in enumerate(_HOPS)}
    found = {
        **hops,
        "same_relate": [_same(name, ending, read=read) for name in asked for ending in ("count", "exist", "unique")],
        "single_and": [_both(read=read)],
        "single_or": [_either(read=read), *(_either(read=read, of=name) for name in VISUAL)],
        "compare_integer": [
            _compared(function, read=read, related=related)
            for function in ("equal_integer", "less_than", "greater_than")
            for related in (False, True)
        ],
        "comparison": [_equal(attribute) for attribute in asked],
    }
    return {f"{name}{end}": found[name] for name in sorted(found)}


_HOPS = ("zero_hop", "one_hop", "two_hop", "three_hop")


def write_templates(folder: Path, kind: str = "") -> None:
    """Those templates as files, with metadata beside their folder."""
    folder.mkdir(parents=True)
    for name, some in templates(kind).items():
        (folder / f"{name}.json").write_text(json.dumps(some))
    names = (*VISUAL, *(TEXTUAL if kind == TEXT else ()))
    types = {name.capitalize(): list(VOCABULARY.words(name)) for name in names}
    content = {"dataset": "-".join(["SHOP-VRB", *filter(None, [kind])]), "types": types}
    types["Relation"] = list(VOCABULARY.relations)
    (folder.parent / f"metadata_{kind or 'visual'}.json").write_text(json.dumps(content))
