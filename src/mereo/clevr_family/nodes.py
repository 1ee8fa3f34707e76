"""Questions and their programs in the JSON that CLEVR's generator writes and its descendants share.

Questions: `{"questions": [...]}`, or referring expressions: `{"refexps": [...]}`, whose programs are lists of nodes. A
node names its function `type` or `function`, its literals `value_inputs` or `side_inputs`, and may carry its own result
as `_output`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import msgspec

from mereo.datasets.format import plain_output
from mereo.errors import BadInput
from mereo.files import read_json, write_bytes
from mereo.programs import Program, Step, Trace

__all__ = [
    "PLAIN",
    "Node",
    "OfficialQuestion",
    "Spelling",
    "node_records",
    "question_files",
    "question_records",
    "read_questions",
    "steps_of",
    "write_nodes",
    "write_questions",
]


class Node(msgspec.Struct, rename={"output": "_output"}):
    """One step of an official program."""

    inputs: list[int | str]
    type: str | None = None
    function: str | None = None
    value_inputs: list[Any] | None = None
    side_inputs: list[Any] | None = None
    output: Any = msgspec.UNSET


class Spelling(NamedTuple):
    """How a member of the family writes programs where it departs from CLEVR."""

    pairs: Mapping[str, Literal["object", "list"]] = MappingProxyType({})
    """Functions whose two literals are one value of a node: `{"leg": 4}` or `["red", [173, 35, 35]]`."""
    word: str | None = None
    """The function that a word among a node's inputs stands for, such as "ground"."""
    names: Literal["type", "function"] = "type"
    """What a node calls its function."""
    alone: bool = False
    """Whether a list of one value is written as that value."""
    throughout: bool = False
    """Whether templates are numbered through all their files, and beside that within each."""

    def output(self, value: Any, form: str) -> Any:
        """A value as files write it. form : of its type"""
        written = plain_output(value, form)
        return written[0] if self.alone and form == "values" and len(written) == 1 else written


PLAIN = Spelling()
"""CLEVR's own."""


class OfficialQuestion(msgspec.Struct):
    """What a question file holds of a question; other fields are let be."""

    program: list[Node]
    question: str = ""
    refexp: str = ""
    answer: Any = msgspec.UNSET
    image_index: int | None = None
    image_filename: str | None = None
    template_filename: str = ""
    refexp_family_index: int | None = None


class _QuestionFile(msgspec.Struct):
    questions: list[OfficialQuestion] | None = None
    refexps: list[OfficialQuestion] | None = None


def question_files(path: str | Path) -> list[Path]:
    """A question file, or those of a folder with one file for each scene."""
    path = Path(path)
    return sorted(path.glob("*.json")) or [path]


def read_questions(path: str | Path) -> list[OfficialQuestion]:
    """The questions of a file, or its referring expressions."""
    content = read_json(path, type=_QuestionFile)
    found = content.questions if content.questions is not None else content.refexps
    if found is None:
        raise BadInput("object missing required field `questions`", file=path)
    return found


class _RawFile(msgspec.Struct):
    questions: list[msgspec.Raw] | None = None
    refexps: list[msgspec.Raw] | None = None


def question_records(path: str | Path) -> list[str]:
    """The same questions, each as the JSON that it is."""
    content = read_json(path, type=_RawFile)
    found = content.questions if content.questions is not None else content.refexps
    return [bytes(record).decode() for record in found or ()]


def steps_of(nodes: Sequence[Node], spelling: Spelling = PLAIN) -> list[tuple[Step, Any]]:
    """The steps that nodes stand for, each with the output that the file gives; a word among inputs is a step too."""
    steps: list[tuple[Step, Any]] = []
    place: list[int] = []
    for position, node in enumerate(nodes):
        record = f"program node {position}"
        function = node.type or node.function
        if function is None:
            raise BadInput("names no function (neither 'type' nor 'function')", record=record)
        inputs = []
        for given in node.inputs:
            if isinstance(given, str):
                if spelling.word is None:
                    raise BadInput(f"takes {given!r}, which is no step", record=record, field="inputs")
                steps.append((Step(spelling.word, (), (given,)), msgspec.UNSET))
                inputs.append(len(steps) - 1)
            else:
                inputs.append(place[given] if 0 <= given < position else len(steps))  # refused by the program
        values = node.value_inputs if node.value_inputs is not None else node.side_inputs or []
        if function in spelling.pairs:
            values = _split(values, record)
        place.append(len(steps))
        steps.append((Step(function, tuple(inputs), tuple(values)), node.output))
    return steps


def _split(values: Sequence[Any], record: str) -> list[Any]:
    """The two literals of a pair."""
    if len(values) == 1:
        if isinstance(values[0], dict) and len(values[0]) == 1:
            return list(*values[0].items())
        if isinstance(values[0], list) and len(values[0]) == 2:
            return list(values[0])
    raise BadInput("must be one pair of values", record=record, field="value_inputs")


def node_records(trace: Trace, spelling: Spelling = PLAIN) -> list[dict[str, Any]]:
    """A run as official program nodes with their outputs."""
    executable = trace.executable
    outputs = [spelling.output(value, type.form) for value, type in zip(trace.values, executable.types, strict=True)]
    return write_nodes(executable.program, spelling, outputs)


def write_nodes(program: Program, spelling: Spelling, outputs: Sequence[Any] | None = None) -> list[dict[str, Any]]:
    """A program as official nodes, with the outputs of all its steps where these are given."""
    nodes: list[dict[str, Any]] = []
    written: list[int | str] = []
    for position, step in enumerate(program.steps):
        if step.function == spelling.word:
            written.append(step.values[0])
            continue
        written.append(len(nodes))
        node: dict[str, Any] = {
            spelling.names: step.function,
            "inputs": [written[i] for i in step.inputs],
            "value_inputs": _joined(step, spelling),
        }
        if outputs is not None:
            node["_output"] = outputs[position]
        nodes.append(node)
    return nodes


def _joined(step: Step, spelling: Spelling) -> list[Any]:
    form = spelling.pairs.get(step.function)
    if form is None:
        return list(step.values)
    first, second = step.values
    return [{first: second} if form == "object" else [first, second]]


def write_questions(
    path: str | Path,
    questions: Iterable[Mapping[str, Any] | msgspec.Raw],
    *,
    info: Mapping[str, Any],
    under: str = "questions",
) -> None:
    """Write a whole question file. under : what the file calls its list"""
    write_bytes(path, msgspec.json.encode({"info": info, under: list(questions)}))
