"""PTR's functions once more, slowly and from the description of its generator, on the JSON as it lies in the files."""

from __future__ import annotations

from typing import Any

import numpy as np

Node = dict[str, Any]
Scene = dict[str, Any]


class Invalid(Exception):
    """What the generator throws away."""


def run(nodes: list[Node], scene: Scene) -> list[Any]:
    """The output of every node."""
    outputs: list[Any] = []
    for node in nodes:
        inputs = [given if isinstance(given, str) else outputs[given] for given in node["inputs"]]
        literals: list[Any] = node.get("value_inputs") or node.get("side_inputs") or []
        outputs.append(step(node["type"], inputs, literals, scene))
    return outputs


def step(name: str, inputs: list[Any], literals: list[Any], scene: Scene) -> Any:
    """The output of one node."""
    objects = scene["objects"]
    first: Any = inputs[0] if inputs else None
    literal: Any = literals[0] if literals else None
    kind = name.partition("_")[0]
    if name == "scene":
        return [i for i, _ in enumerate(objects)]
    if kind == "filter":
        return _filter(name, first, literal, objects)
    if name == "unique":
        return _one(first)
    if name == "relate":
        return scene["relationships"][literal][first]
    if name in ("union", "intersect"):
        one, other = map(set, inputs)
        return sorted(one | other if name == "union" else one & other)
    if name == "count":
        return _small(len(first))
    if name == "exist":
        return first != []
    if kind == "equal":
        return inputs[0] == inputs[1]
    if name in ("less_than", "greater_than"):
        return inputs[0] < inputs[1] if name == "less_than" else inputs[0] > inputs[1]
    if name == "sum":
        return _small(sum(inputs))
    if name in ("minus_more", "minus_less"):
        difference = inputs[0] - inputs[1] if name == "minus_more" else inputs[1] - inputs[0]
        return _checked(difference, difference >= 0)
    if kind == "same":
        return _same(name, first, literal, objects)
    if name in ("perpendicular", "parallel"):
        return first[2] == name
    if "positional" in name:
        return _positional(name, inputs, scene)
    if "geometric-relation" in name:
        return _geometric_relation(*inputs)
    if "geometric-analogy" in name:
        (one, other, how), referent, target = inputs[0], _geometry(inputs[1]), objects[inputs[2]]
        _checked(None, referent[0] == one and _geometric(target))
        parts = _lying(target, other, how, referent)
        seen = [part for part in parts if part in target["part_color_occluded"]]
        return _number(target, parts) if name.endswith("count") else _color(target, seen)
    if "_line" in name or "_plane" in name:
        return _geometry_of(name, inputs, objects)
    return _query(name, objects[first], literal, first)


def _checked(value: Any, valid: Any) -> Any:
    if not valid:
        raise Invalid
    return value


def _one(values: list[Any]) -> Any:
    return _checked(values, len(values) == 1)[0]


def _small(number: int) -> int:
    return int(_checked(number, number < 10))


def _filter(name: str, given: list[int], literal: Any, objects: list[Any]) -> list[int]:
    def fits(thing: Any) -> bool:
        colors, counts = thing["part_color_occluded"], thing["part_count_occluded"]
        if name == "filter_object-category":
            return bool(thing["category"] == literal)
        if name == "filter_part-category":
            return literal in colors
        if name in ("filter_stability", "filter_unstability"):
            return bool(thing["stability"] == {"filter_stability": "yes", "filter_unstability": "no"}[name])
        ((part, value),) = literal.items()
        if part not in colors:
            return False
        return bool(counts.get(part, 1) == value if name == "filter_part-count" else colors[part][0] == value)

    found = [i for i in given if fits(objects[i])]
    return list(_checked(found, name != "filter_object-category" or found != given))


def _same(name: str, first: int, part: Any, objects: list[Any]) -> list[int]:
    others = [j for j in range(len(objects)) if j != first]
    if name == "same_object-category":
        return [j for j in others if objects[j]["category"] == objects[first]["category"]]
    field = name.replace("same_", "").replace("-", "_") + "_occluded"
    others = [j for j in others if part in objects[j][field]]
    _checked(None, not others or part in objects[first][field])
    return [j for j in others if objects[j][field][part] == objects[first][field][part]]


def _query(name: str, thing: Any, literal: Any, first: int) -> Any:
    colors = thing["part_color_occluded"]
    if name == "query_object-category":
        return thing["category"]
    if name == "query_part-color":
        return _checked(colors.get(literal), literal in colors)[0]
    if name == "query_part-count":
        counts = thing["part_count_occluded"]
        return _small(_checked(counts.get(literal), literal in counts))
    if name == "query_part-category":
        everything = [paint for paint in thing["part_color_all"].values() if paint[0] == literal]
        return _checked(_one([part for part in colors if colors[part][0] == literal]), len(everything) < 2)
    if name == "query_part-geometry":
        part = _one([part for part in colors if colors[part] == literal])
        for kind in ("line", "plane"):
            if part in thing.get(f"{kind}_geo", {}):
                return [kind, thing[f"{kind}_geo"][part], first]
        raise Invalid
    if name == "query_stability":
        return thing["stability"] == "yes"
    if name == "query_unstability":
        return thing["stability"] == "no"
    changes = thing.get("possible_change", [[]])[0]
    if name == "query_change":
        return literal in changes
    assert name == "query_direction"
    return _one(changes)


def _positional(name: str, inputs: list[Any], scene: Scene) -> Any:
    related, objects = scene["relationships"], scene["objects"]
    if name == "query_positional-relation":
        return [how for how in related if inputs[1] in related[how][inputs[0]]]
    names, first = inputs
    found = [j for j in range(len(objects)) if j != first and all(j in related[how][first] for how in names)]
    if name.endswith("category"):
        return objects[_one(found)]["category"]
    return len(found) if name.endswith("count") else found != []


def _geometry(given: Any) -> tuple[str, Any, int | None]:
    room = {"ground": [0, 0, 1], "left wall": [1, 0, 0], "back wall": [0, 1, 0]}
    if isinstance(given, str):
        return "plane", np.array(room[given], float), None
    return given[0], np.array(given[1], float).reshape(3), given[2]


def _geometric(thing: Any) -> bool:
    lines, planes = thing.get("line_geo"), thing.get("plane_geo")
    return lines is not None and planes is not None and bool(lines or planes) and "geometry" in thing["question_type"]


def _across(one: Any, other: Any) -> bool:
    return bool(abs(one @ other) < 0.2)


def _alike(one: Any, other: Any) -> bool:
    return bool(np.linalg.norm(one - other) < 0.2)


def _geometric_relation(one: Any, other: Any) -> list[str]:
    (kind, u, _), (other_kind, v, _) = _geometry(one), _geometry(_checked(other, not isinstance(other, str)))
    words = ["perpendicular", "parallel"] if kind == other_kind else ["parallel", "perpendicular"]
    found = ""
    if _across(u, v) and v.max() == 0 and u.max() < 10000:
        found = words[0]
    if _alike(u, v) and v.max() < 10000 and u.max() < 10000:
        found = words[1]
    return [kind, other_kind, _checked(found, found)]


def _lying(thing: Any, kind: str, how: str, referent: tuple[str, Any, int | None]) -> list[str]:
    test = {
        (True, "perpendicular"): _across,
        (True, "parallel"): _alike,
        (False, "perpendicular"): _alike,
        (False, "parallel"): _across,
    }[kind == referent[0], how]
    found = []
    for part, direction in thing[f"{kind}_geo"].items():
        vector = np.array(direction, float).reshape(3)
        if vector.max() < 10000 and vector.min() > -10000 and test(referent[1], vector):
            found.append(part)
    return found


def _number(thing: Any, parts: list[str]) -> int:
    counts, colors = thing["part_count_occluded"], thing["part_color_occluded"]
    return _small(sum(counts.get(part, int(part in colors)) for part in parts))


def _color(thing: Any, parts: list[str]) -> str:
    part = _one(parts)
    return str(_checked(thing["part_color_occluded"].get(part), part in thing["part_color_occluded"])[0])


def _geometry_of(name: str, inputs: list[Any], objects: list[Any]) -> Any:
    wanted, how, kind = name.removesuffix("_color").split("_")
    target, referent = objects[inputs[0]], _geometry(inputs[1])
    _checked(None, target["category"] != "Cart" and (kind, target["category"]) != ("line", "Refrigerator"))
    _checked(None, _geometric(target) and referent[2] != inputs[0])
    _checked(None, referent[2] is None or _geometric(objects[referent[2]]))
    parts = _lying(target, kind, how, referent)
    if wanted == "query":
        return _color(target, parts)
    if wanted == "count":
        return _number(target, parts)
    counts, colors = target["part_count_occluded"], target["part_color_occluded"]
    return any(counts.get(part, part in colors) for part in parts)
