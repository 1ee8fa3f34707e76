"""A question about a picture and what is known, with all that CRIC notes of it, and how datasets hold it."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import pyarrow as pa

from mereo.benchmarks.cric.graph import Stated
from mereo.benchmarks.cric.lore import Query
from mereo.datasets.answers import stored_answer
from mereo.datasets.store import QUESTION_FIELDS
from mereo.programs import Trace
from mereo.world import members

__all__ = ["CRIC_FIELDS", "TYPES", "CricQuestion", "Described", "SubGraph", "Used", "WrongPart", "question_row"]

TYPES = ("QueryObjKG", "QueryObjSG", "QueryAtt", "VerifyKG", "VerifyAtt")

CRIC_FIELDS = pa.schema(
    [
        *QUESTION_FIELDS,
        ("target", pa.list_(pa.int32())),
        ("definite", pa.list_(pa.int32())),
        ("wrong_part", pa.string()),
        ("sub_graph", pa.string()),
    ]
)
"""Columns of a shard of CRIC's questions.

target: the entities that an answer must point at, none where it is "no" · definite: the steps of the program that the
question speaks of as one thing, so that each refers to just one · wrong_part: why the answer is "no", as JSON, else
nothing · sub_graph: JSON, all that the question takes from the scene graph and from what is known.
"""


class Described(msgspec.Struct, frozen=True, array_like=True):
    """A thing, by id, and a word that is true of it: its name or an attribute."""

    thing: str
    word: str


class Used(msgspec.Struct, frozen=True, array_like=True):
    """An item of knowledge that a step of the program needs, in whole: no blank is left in it."""

    head: str
    relation: str
    tail: str
    step: int


class SubGraph(msgspec.Struct, frozen=True):
    """What a question takes from the scene graph and from what is known."""

    relations: tuple[Stated, ...] = ()
    attributes: tuple[Described, ...] = ()
    knowledge: tuple[Used, ...] = ()

    @property
    def size(self) -> int:
        """How much it is in all."""
        return len(self.relations) + len(self.attributes) + len(self.knowledge)


class WrongPart(msgspec.Struct, frozen=True):
    """Why the answer is no: what the question asks for and nothing has."""

    kind: str
    """`attribute`, `knowledge`, `relation` or `category`."""
    asked: str
    """What is asked for, in words: "red", or the item with its blank."""
    instead: str = ""
    """What is there instead, where something is: "blue"."""
    step: int = -1
    """The step of the program from which on nothing is left."""


class CricQuestion(NamedTuple):
    """A question with its answer and the whole way to it."""

    text: str
    type: str
    wording: str
    """The components that it was put together from, as one name: what blind baselines may count by."""
    trace: Trace
    target: int
    """The set of entities that an answer must point at."""
    definite: tuple[int, ...]
    """The steps that the text speaks of as one thing ("the …"): each refers to just one."""
    sub_graph: SubGraph
    queries: tuple[Query, ...]
    """The queries of its knowledge, by which questions are balanced."""
    wrong_part: WrongPart | None = None

    @property
    def answer(self) -> str:
        """As datasets hold it."""
        return stored_answer(self.trace.values[-1], self.trace.executable.types[-1])


def question_row(question: CricQuestion, scene_id: str, split: str, number: int) -> dict[str, Any]:
    """A question as a row of a dataset."""
    verify = question.answer in ("yes", "no")
    return {
        "question_id": f"{scene_id}-{number:02d}",
        "scene_id": scene_id,
        "split": split,
        "type": "Verify" if verify else "Recognize",
        "subtype": question.type,
        "family": "cric",
        "template": question.wording,
        "question": question.text,
        "program": str(question.trace.executable.program),
        "answer": question.answer,
        "referred": question.trace.referred(),
        "target": members(question.target),
        "definite": list(question.definite),
        "wrong_part": msgspec.json.encode(question.wrong_part).decode() if question.wrong_part else "",
        "sub_graph": msgspec.json.encode(question.sub_graph).decode(),
    }
