"""What is asked twice: within a scene, and in splits that are judged as well as in those that are learned from."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

import numpy as np

from mereo.chance import mark
from mereo.datasets.asked import is_training
from mereo.datasets.gates import Gate, Row, Tell, Watch

__all__ = ["Repeats"]

_ENOUGH = 500
"""Questions on either side from which on it can be told how many of one stand in the other."""


class Repeats(Watch):
    """Counts programs and texts that occur again; of each it keeps eight bytes.

    within : how many may repeat within a scene; None where that is only told
    across : by column, which share of what is judged may stand in what is learned from
    """

    def __init__(self, *, within: int | None = None, across: dict[str, float] | None = None):
        self._across = across or {}
        self._within = {
            "program": Tell("programs repeated within a scene", most=within),
            "question": Tell("texts repeated within a scene", most=within),
        }
        self._marks = {(column, learned): array("Q") for column in self._within for learned in (True, False)}

    def look(self, scene: Row, questions: Sequence[Row]) -> None:
        """Note what is asked."""
        for column, tell in self._within.items():
            seen: set[str] = set()
            for question in questions:
                text = question[column]
                tell.add(text in seen, question["question_id"])
                seen.add(text)
                self._marks[column, is_training(question["split"])].append(mark(text))

    def gates(self) -> Iterator[Gate]:
        """What was asked again."""
        for tell in self._within.values():
            yield tell.gate()
        for column, name in (("program", "programs"), ("question", "texts")):
            learned, judged = (np.frombuffer(self._marks[column, side], np.uint64) for side in (True, False))
            if not len(learned) or not len(judged):
                continue
            found = None
            if min(len(learned), len(judged)) >= _ENOUGH:
                found = float(np.isin(judged, learned).mean())
            title = f"judged {name} that stand in training"
            yield Gate(name=title, found=found, most=self._across.get(column), of=len(judged), unit="share")
