"""One step of a program, and how it is written."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

__all__ = ["JSON_WORDS", "PLAIN_WORD", "Step", "format_step"]

PLAIN_WORD = re.compile(r"(?:[^\W\d]|<)[^,\[\]{}()\"\n;$]*(?<!\s)")
"""What may stand in brackets without quotes …"""
JSON_WORDS = {"true", "false", "null", "NaN", "Infinity"}
"""… unless it means something in JSON."""


class Step(NamedTuple):
    """One function, applied to earlier steps and to literal values."""

    function: str
    inputs: tuple[int, ...] = ()
    values: tuple[Any, ...] = ()


def format_step(step: Step) -> str:
    """One step without its inputs, as messages name it: `filter_color[red]`."""
    return step.function + (f"[{', '.join(map(_format_value, step.values))}]" if step.values else "")


def _format_value(value: Any) -> str:
    if isinstance(value, str) and PLAIN_WORD.fullmatch(value) and value not in JSON_WORDS and _is_one_line(value):
        return value
    text = json.dumps(value, ensure_ascii=False)
    return text if _is_one_line(text) else json.dumps(value)


def _is_one_line(text: str) -> bool:
    return len(text.splitlines()) == 1
