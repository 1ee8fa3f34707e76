"""Answers as datasets hold them: one text for every way to write the same."""

from __future__ import annotations

from typing import Any

from mereo.programs import Type

__all__ = ["plain_answer", "stored_answer"]


def plain_answer(answer: Any) -> Any:
    """An answer as all spellings of it agree on: "yes" and True, "3" and 3 are the same."""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, int):
        return str(answer)
    if isinstance(answer, str):
        word = answer.strip().lower()
        return {"true": "yes", "false": "no"}.get(word, word)
    if isinstance(answer, list | tuple):
        return [plain_answer(one) for one in answer]
    return answer


def stored_answer(value: Any, type: Type | None = None) -> str:
    """An answer as datasets store it: several words with commas between them, of a set of entities their number.

    type : of a program's value; none where the answer is somebody else's
    """
    entities = type is not None and type.form == "entities"
    answer = plain_answer(value.bit_count() if entities else value)
    return ", ".join(map(str, answer)) if isinstance(answer, list) else str(answer)
