"""How many questions of each kind were drawn for a scene, so that what balancing changed can be told afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from mereo.benchmarks.cric.balancing import WHETHER, asked_for, queries_of
from mereo.benchmarks.cric.names import DRAWN_COLUMN
from mereo.benchmarks.cric.question import CricQuestion
from mereo.datasets.columns import json_of
from mereo.programs import Program

__all__ = ["Counts", "drawn_note"]


class _Note(msgspec.Struct):
    answers: dict[str, dict[str, int]]
    items: dict[str, int]


class Counts:
    """How often each answer is given, by what is asked for, and how often each item of knowledge is asked by."""

    def __init__(self) -> None:
        self.answers: dict[str, Counter[str]] = {}
        self.items: Counter[str] = Counter()

    def add(self, subtype: str, program: Program, answer: str) -> None:
        """One question more."""
        kind = asked_for(program)
        sort = subtype if kind == WHETHER else f"{subtype} {kind}"
        self.answers.setdefault(sort, Counter())[answer] += 1
        self.items.update(" ".join(query) for query in queries_of(program))

    def take(self, row: Mapping[str, Any]) -> None:
        """All that a scene row says was drawn; nothing where it does not say."""
        if row.get(DRAWN_COLUMN):
            note = json_of(row, DRAWN_COLUMN, type=_Note)
            for sort, counts in note.answers.items():
                self.answers.setdefault(sort, Counter()).update(counts)
            self.items.update(note.items)


def drawn_note(questions: Iterable[CricQuestion]) -> str:
    """What was drawn for a scene, as its column holds it."""
    counts = Counts()
    for question in questions:
        counts.add(question.type, question.trace.executable.program, question.answer)
    return msgspec.json.encode(_Note({**counts.answers}, counts.items), order="sorted").decode()
