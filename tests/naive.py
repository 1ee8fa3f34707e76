"""CLEVR programs run the slow and obvious way: lists of object numbers over the records of a CLEVR scene file.

Written from the description of the official generator alone, so that mereo's executor is judged by something that
shares none of its code: no bit sets, no function table, no types.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["NoValue", "Node", "Scene", "Undefined", "run", "run_step", "values_of"]

Scene = dict[str, Any]
"""A scene of a CLEVR file: `objects` and `relationships` are what is used."""
Node = dict[str, Any]
"""A step of an official program: `type`, `inputs`, `value_inputs`."""

ATTRIBUTES = ("size", "color", "material", "shape")


class Undefined(Exception):
    """Where the official executor says `__INVALID__`: which step has no value, and why."""

    def __init__(self, step: int, reason: str):
        super().__init__(f"step {step}: {reason}")
        self.step, self.reason = step, reason


class NoValue(Exception):
    """A single step that has no value."""


def run(nodes: Sequence[Node], scene: Scene) -> list[Any]:
    """The output of every step as official files write it: sorted lists of numbers, numbers, words, booleans."""
    outputs: list[Any] = []
    for step, node in enumerate(nodes):
        inputs = [outputs[i] for i in node["inputs"]]
        try:
            outputs.append(run_step(node["type"], inputs, list(node["value_inputs"]), scene))
        except NoValue as failure:
            raise Undefined(step, str(failure)) from None
    return outputs


def run_step(function: str, inputs: list[Any], values: list[Any], scene: Scene) -> Any:
    """One function by name."""
    objects = scene["objects"]
    verb, _, attribute = function.partition("_")
    if attribute in ATTRIBUTES:
        return _about_attribute(verb, attribute, inputs, values, objects)
    if function == "scene":
        return list(range(len(objects)))
    if function == "unique":
        (candidates,) = inputs
        if len(candidates) != 1:
            raise NoValue("several" if candidates else "nothing")
        return candidates[0]
    if function == "relate":
        return sorted(scene["relationships"][values[0]][inputs[0]])
    if function == "union":
        return sorted(set(inputs[0]) | set(inputs[1]))
    if function == "intersect":
        return sorted(set(inputs[0]) & set(inputs[1]))
    if function == "count":
        return len(inputs[0])
    if function == "exist":
        return len(inputs[0]) > 0
    if function in ("equal_integer", "equal_object"):
        return inputs[0] == inputs[1]
    if function == "less_than":
        return inputs[0] < inputs[1]
    if function == "greater_than":
        return inputs[0] > inputs[1]
    raise KeyError(function)


def _about_attribute(
    verb: str, attribute: str, inputs: list[Any], values: list[Any], objects: list[dict[str, Any]]
) -> Any:
    if verb == "filter":
        return [i for i in inputs[0] if values[0] in values_of(objects[i], attribute)]
    if verb == "query":
        own = values_of(objects[inputs[0]], attribute)
        if len(own) != 1:
            raise NoValue(f"no single {attribute}")
        return own[0]
    if verb == "same":
        asked = inputs[0]
        own = values_of(objects[asked], attribute)
        return [i for i, other in enumerate(objects) if i != asked and own and values_of(other, attribute) == own]
    if verb == "equal":
        return inputs[0] == inputs[1]
    raise KeyError(f"{verb}_{attribute}")


def values_of(thing: dict[str, Any], attribute: str) -> list[str]:
    """What an object is like in one respect: in official scenes a single word, elsewhere perhaps none or several."""
    value = thing.get(attribute, [])
    return value if isinstance(value, list) else [value]
