"""What an instance of a template says: its program, and what stands in the holes of its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mereo.programs import Program, Step
from mereo.questions.search import Instance
from mereo.questions.template import Again, Apply, Choose, Describe, Template

__all__ = ["filled", "fillings", "program_of"]


def program_of(instance: Instance) -> Program:
    """The program that an instance stands for."""
    return filled(instance.plan.template, instance.picks)


def filled(template: Template, picks: Sequence[Any]) -> Program:
    """A template's program with its holes filled, descriptions written out as filters. picks : as an `Instance` has"""
    steps: list[Step] = []
    place: list[int] = []
    for node, pick in zip(template.nodes, picks, strict=True):
        inputs = tuple(map(place.__getitem__, node.inputs))
        if isinstance(node, Describe):
            place.append(_write_out(steps, node, inputs, pick))
            continue
        values = node.values if isinstance(node, Apply) else (picks[node.of] if isinstance(node, Again) else pick,)
        steps.append(Step(node.function, inputs, values))
        place.append(len(steps) - 1)
    return Program(tuple(steps))


def _write_out(steps: list[Step], node: Describe, inputs: tuple[int, ...], pick: Any) -> int:
    """Write a description as steps; gives the last of them, or its input where it says nothing."""
    relation, description = pick
    describer = node.describer
    if relation is not None:
        steps.append(Step(describer.relate, inputs, (relation,)))
        inputs = (len(steps) - 1,)
    for function, values in describer.steps(description):
        steps.append(Step(function, inputs, values))
        inputs = (len(steps) - 1,)
    if node.goal != "set":
        steps.append(Step(describer.goal(node.goal), inputs))
        inputs = (len(steps) - 1,)
    return inputs[0]


def fillings(instance: Instance) -> dict[str, Any]:
    """What each hole of the text was filled with: words for single holes, the description for whole ones."""
    filled: dict[str, Any] = {}
    for node, pick in zip(instance.plan.template.nodes, instance.picks, strict=True):
        if isinstance(node, Choose):
            filled[node.hole] = pick
        elif isinstance(node, Describe):
            relation, description = pick
            if node.relation is not None:
                filled[node.relation] = relation
            filled[node.hole] = names = node.describer.names(description)
            for attribute, hole in node.slots.items():
                filled[hole] = names.get(attribute, "")
    return filled
