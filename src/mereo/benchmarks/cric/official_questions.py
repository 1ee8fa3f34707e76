"""Questions as CRIC publishes them, with programs, targets and what they take from the two graphs.

A program is a flat list of functions that says nothing about inputs: each function takes as many of the latest results
as it has inputs, so the list is the tree from its leaves to its root.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from mereo.benchmarks.cric.graph import Stated
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.official_files import Id
from mereo.benchmarks.cric.question import Described, SubGraph, Used, WrongPart
from mereo.errors import BadInput, nearest
from mereo.files import converted
from mereo.programs import Step

__all__ = ["OfficialQuestion", "official_name", "steps_of", "sub_graph_of", "wrong_part_of"]

T = TypeVar("T")


class Node(msgspec.Struct):
    """One function of a program, which takes what the functions before it have left."""

    function: str
    text_input: list[str] = []
    output: Any = msgspec.UNSET


class OfficialQuestion(msgspec.Struct):
    """What a question file holds of a question; other fields are let be."""

    image_id: Id
    question: str
    program: list[Node]
    answer: Any = msgspec.UNSET
    question_type: str = ""
    target: list[Id] = []
    sub_graph: Any = None
    wrong_part: Any = None
    definite: list[int] = []
    """Our own: the steps that the question speaks of as one thing."""


def official_name(function: str) -> str:
    """What CRIC calls a function of ours: Find_KG_Reverse."""
    return "_".join("KG" if word == "kg" else word.capitalize() for word in function.split("_"))


_NAMES: Mapping[str, str] = {official_name(function): function for function in LANGUAGE.functions}
"""Our functions by what CRIC calls them."""


def steps_of(asked: OfficialQuestion) -> list[tuple[Step, Any]]:
    """The functions of a program with what they take, and the ids that the file gives for each.

    Of functions that give an answer the file lists what this is about, which is what they take.
    """
    steps: list[tuple[Step, Any]] = []
    left: list[int] = []
    for number, node in enumerate(asked.program):
        field = f"program[{number}]"
        function = LANGUAGE.functions[_function(node, field)]
        count = len(function.inputs)
        if count > len(left):
            raise BadInput(f"{node.function} takes {count}, of which {len(left)} are left", field=field)
        inputs = tuple(left[len(left) - count :])
        del left[len(left) - count :]
        output = _listed(node, field) if function.output.form == "entities" else msgspec.UNSET
        steps.append((Step(function.name, inputs, tuple(node.text_input)), output))
        left.append(number)
    if len(left) != 1:
        raise BadInput(f"leaves {len(left)} results, not one", field="program")
    return steps


def _function(node: Node, field: str) -> str:
    if node.function not in _NAMES:
        reason = f"there is no function '{node.function}'{nearest(node.function, _NAMES)}"
        raise BadInput(reason, field=f"{field}.function")
    return _NAMES[node.function]


def _listed(node: Node, field: str) -> Any:
    """The ids that a node gives, in the order in which we give them."""
    if node.output is msgspec.UNSET:
        return msgspec.UNSET
    return sorted(map(str, _read(node.output, list[Id], f"{field}.output")))


def _read(told: Any, type: type[T], field: str) -> T:
    """What a field holds, as a type."""
    try:
        return converted(told, file=None, type=type)
    except BadInput as error:
        raise BadInput(error.reason, field=f"{field}.{error.field}" if error.field else field) from None


class _SubGraph(msgspec.Struct):
    relations: list[tuple[Id, str, Id]] = []
    attributes: list[tuple[Id, str]] = []
    knowledge_items: list[tuple[str, str, str]] = []
    knowledge_steps: list[int] = []
    """Our own: for every item the step that needs it."""


def sub_graph_of(told: Any) -> SubGraph:
    """What a question takes from the two graphs."""
    own = _read(told or {}, _SubGraph, "sub_graph")
    steps = [*own.knowledge_steps, *[-1] * len(own.knowledge_items)]
    return SubGraph(
        tuple(Stated(str(one), predicate, str(other)) for one, predicate, other in own.relations),
        tuple(Described(str(thing), word) for thing, word in own.attributes),
        tuple(Used(*item, step) for item, step in zip(own.knowledge_items, steps, strict=False)),
    )


def wrong_part_of(told: Any) -> str:
    """Why the answer is no: as we write it, or in whatever words somebody else has for it."""
    if not told:
        return ""
    ours = isinstance(told, dict) and {"kind", "asked"} <= told.keys()
    said = told if isinstance(told, str) else msgspec.json.encode(told).decode()
    part = _read(told, WrongPart, "wrong_part") if ours else WrongPart("", said)
    return msgspec.json.encode(part).decode()
