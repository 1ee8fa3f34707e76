"""What an instance of a template says: its program, and what stands in the holes of its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mereo.programs import Program, Step
from mereo.questions.options import Pick
from mereo.questions.search import Instance
from mereo.questions.template import Again, Apply, Choose, Describe, Template

__all__ = ["described", "filled", "fillings", "literals_of", "program_of"]


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
        steps.append(Step(node.function, inputs, literals_of(node, pick, picks)))
        place.append(len(steps) - 1)
    return Program(tuple(steps))


def _write_out(steps: list[Step], node: Describe, inputs: tuple[int, ...], pick: Pick) -> int:
    """Write a description as steps; gives the last of them, or its input where it says nothing."""
    for function, values in described(node, pick):
        steps.append(Step(function, inputs, values))
        inputs = (len(steps) - 1,)
    return inputs[0]


def described(node: Describe, pick: Pick) -> list[tuple[str, tuple[Any, ...]]]:
    """The functions that a description stands for, with their literals, each of which takes from the one before."""
    (relation, description), describer = pick, node.describer
    related = [] if relation is None else [(describer.relate, (relation,))]
    used = [] if node.goal == "set" else [(describer.goal(node.goal), ())]
    return [*related, *describer.steps(description), *used]


def literals_of(node: Apply | Again | Choose, pick: Any, picks: Sequence[Any]) -> tuple[Any, ...]:
    """The literals of a node that is no description. pick : what fills it; picks : what fills every node"""
    return node.values if isinstance(node, Apply) else (picks[node.of] if isinstance(node, Again) else pick,)


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
