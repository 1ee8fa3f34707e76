"""SHOP-VRB's programs and constraints the slow and obvious way, over the records of its files.

Written from the description of the official generator, and apart from mereo's code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import naive

__all__ = ["filled", "keeps", "run"]

SLOTS = (
    *("size", "weight", "color", "material", "movability", "shape", "name"),
    *("powering", "disassembly", "picking", "attribute"),
)
GOALS = ("unique", "count", "exist")


def run(nodes: Sequence[dict[str, Any]], scene: dict[str, Any]) -> list[Any]:
    """The output of every step, as SHOP-VRB writes it."""
    outputs: list[Any] = []
    for node in nodes:
        inputs, values = [outputs[i] for i in node["inputs"]], node["value_inputs"]
        verb, _, attribute = node["function"].partition("_")
        if attribute in SLOTS:
            outputs.append(_about(verb, attribute, inputs, values, scene["objects"]))
        else:
            outputs.append(naive.run_step(node["function"], inputs, values, scene))
    return outputs


def _about(verb: str, attribute: str, inputs: list[Any], values: list[Any], things: list[dict[str, Any]]) -> Any:
    if verb == "filter" and attribute == "attribute":
        return [i for i in inputs[0] if values[0] in things[i]["attribute"]]
    if verb == "filter":
        return [i for i in inputs[0] if things[i][attribute] == values[0]]
    if verb == "query":
        value = things[inputs[0]][attribute]
        return value[0] if isinstance(value, list) and len(value) == 1 else value
    if verb == "same":
        own = things[inputs[0]][attribute]
        return [i for i, thing in enumerate(things) if i != inputs[0] and thing[attribute] == own]
    return inputs[0] == inputs[1]


def filled(
    template: dict[str, Any], program: Sequence[dict[str, Any]]
) -> tuple[dict[str, str | None], list[dict[str, Any]]]:
    """What stands in every hole of a template whose program this is, and the step that each of its nodes ends in."""
    holes: dict[str, str | None] = {}
    ends: list[int] = []
    at = 0
    for node in template["nodes"]:
        source, values = [ends[i] for i in node["inputs"]], list(node.get("value_inputs") or ())
        relates, _, goal = node["function"].partition("filter")
        if node["function"] not in ("filter", "relate_filter") and goal.lstrip("_") not in GOALS:
            step = program[at]
            assert (step["function"], step["inputs"]) == (node["function"], source)
            holes |= dict(zip(values, step["value_inputs"], strict=True))
            ends.append(at)
            at += 1
            continue
        (end,) = source
        if relates:
            assert (program[at]["function"], program[at]["inputs"]) == ("relate", [end])
            holes[values.pop(0)], end = program[at]["value_inputs"][0], at
            at += 1
        for slot, hole in zip(SLOTS, values, strict=False):
            holes[hole] = None
            if at < len(program) and (program[at]["function"], program[at]["inputs"]) == (f"filter_{slot}", [end]):
                holes[hole], end = program[at]["value_inputs"][0], at
                at += 1
        if goal:
            assert (program[at]["function"], program[at]["inputs"]) == (goal.lstrip("_"), [end])
            end = at
            at += 1
        ends.append(end)
    assert at == len(program), "there are steps that no node of the template stands for"
    return holes, [program[end] for end in ends]


def keeps(template: dict[str, Any], program: Sequence[dict[str, Any]]) -> None:
    """Fail where a program does not keep the constraints of its template."""
    holes, nodes = filled(template, program)
    for constraint in template["constraints"]:
        kind, params = constraint["type"], constraint["params"]
        if kind == "OUT_NEQ":
            assert nodes[params[0]]["_output"] != nodes[params[1]]["_output"], constraint
            continue
        named = [hole for hole in params if holes[hole] is not None]
        fewest, most = {"NULL": (0, 0), "NONE_OF": (0, 0), "ONE_OF": (0, 1), "ONE_OF_FORCE": (1, 1)}[kind]
        assert fewest <= len(named) <= most, f"{constraint} is filled with {named}"
