"""Taking the answer out of what a model said; which rule did it is kept with every answer."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any, NamedTuple

import msgspec

from mereo.errors import BadInput
from mereo.evaluation.normalize import normalize
from mereo.files import converted, decoder

__all__ = ["Extracted", "extract"]

_LABEL = re.compile(r"\banswer\b\s*(?:is\b)?\s*[:=*]*\s*(?P<answer>[^\n]+)", re.IGNORECASE)
_THINK, _THOUGHT = "<think>", "</think>"
_WORD = re.compile(r"[\w'-]+")
_START = re.compile(r'\{(?=\s*")')
_DECODER = json.JSONDecoder()
_FAR, _READ, _TRY = 1 << 15, 1 << 17, 512
"""How far from its end a text is searched for an object, and how many characters are read for that, of which each try
costs some: whoever opens thousands of braces must not hold up the other questions."""


class Extracted(NamedTuple):
    """An answer, the boxes that came with it, and the rule that found it."""

    answer: str | None
    rule: str
    boxes: list[tuple[float, float, float, float]] | None = None


def extract(text: str, known: Collection[str]) -> Extracted:
    """The first rule that fits. known : all answers of the dataset, normalized

    json: an object with a field `answer` · labeled: what follows the last `answer:` or `answer is` · whole: the whole
    text is a known answer · leading: its first word is one · only: just one is mentioned · last: the last one of
    several · first line: none is mentioned · empty: nothing was said. What a model thinks aloud between `<think>` marks
    is not looked at.
    """
    said = _aloud(text).strip()
    if not said:
        return Extracted(None, "empty")
    found = _object(said)
    if found is not None:
        return found
    labels = _LABEL.findall(said)
    if labels and normalize(labels[-1]) in known:
        return Extracted(labels[-1].strip(), "labeled")
    if normalize(said) in known:
        return Extracted(said, "whole")
    if labels:
        mentioned = _mentioned(labels[-1], known)
        return Extracted(mentioned[-1] if mentioned else labels[-1].strip(), "labeled")
    mentioned = _mentioned(said, known)
    first = _WORD.search(said)
    if first is not None and normalize(first[0]) in known:
        return Extracted(first[0], "leading")
    if mentioned:
        return Extracted(mentioned[-1], "only" if len(set(mentioned)) == 1 else "last")
    return Extracted(said.splitlines()[0].strip(), "first line")


def _mentioned(text: str, known: Collection[str]) -> list[str]:
    """Known answers of one to three words, in the order in which the text has them."""
    words = _WORD.findall(text)
    found = []
    for start in range(len(words)):
        for length in (3, 2, 1):
            phrase = normalize(" ".join(words[start : start + length]))
            if len(words) - start >= length and phrase in known:
                found.append(phrase)
                break
    return found


def _aloud(text: str) -> str:
    """A text without what stands between marks of thinking."""
    parts, done = [], 0
    while (start := text.find(_THINK, done)) >= 0 and (end := text.find(_THOUGHT, start)) >= 0:
        parts.append(text[done:start])
        done = end + len(_THOUGHT)
    return "".join([*parts, text[done:]])


def _object(text: str) -> Extracted | None:
    """The last JSON object with an answer in it."""
    text = text[-_FAR:]
    starts = [match.start() for match in _START.finditer(text, 0, text.rfind('"answer"') + 1)]
    left = _READ
    while starts and left > 0:
        start = starts.pop()
        end, whole = _end(text, start)
        left -= _TRY + end - start
        record = _record(text[start:end]) if whole else None
        if record is not None and isinstance(record.get("answer"), str | int | bool | float):
            return Extracted(_plain(record["answer"]), "json", _boxes(record.get("boxes", record.get("box"))))
    return None


def _end(text: str, start: int) -> tuple[int, bool]:
    """Where an object ends, or where it turns out to be none."""
    try:
        return _DECODER.raw_decode(text, start)[1], True
    except json.JSONDecodeError as error:
        return error.pos, False
    except (ValueError, RecursionError):  # a number of thousands of digits; thousands of braces
        return len(text), False


def _record(text: str) -> dict[str, Any] | None:
    """An object whose words can be stored: half a character, which JSON can write, cannot."""
    try:
        return decoder(dict[str, Any]).decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None


def _plain(answer: str | int | bool | float) -> str:
    if isinstance(answer, float) and answer.is_integer():
        answer = int(answer)
    return normalize(answer) if isinstance(answer, bool) else str(answer)


def _boxes(value: Any) -> list[tuple[float, float, float, float]] | None:
    """Boxes from a list of four numbers, or a list of such; what is neither is left out."""
    if isinstance(value, list) and value and not isinstance(value[0], list):
        value = [value]
    try:
        return converted(value, file=None, type=list[tuple[float, float, float, float]])
    except BadInput:
        return None
