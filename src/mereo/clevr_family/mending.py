"""What template sets have replaced in their texts: plurals that an "s" does not make, phrases that empty holes leave.

A file of them is an object, `{"knifes": "knives"}`, or holds two: `text`, of what is replaced as it stands, and
`regex`, of patterns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mereo.errors import BadInput
from mereo.files import read_json

__all__ = ["mending"]


def mending(files: Sequence[Path]) -> Callable[[str], str]:
    """What makes the replacements of those files that are there, one after the other."""
    changes = [change for file in files if file.is_file() for change in _changes(file)]

    def mended(text: str) -> str:
        for pattern, words in changes:
            text = pattern.sub(words, text)
        return text

    return mended


def _changes(file: Path) -> Iterator[tuple[re.Pattern[str], str]]:
    for name, value in read_json(file, type=dict[str, str | dict[str, str]]).items():
        if isinstance(value, str):
            yield _literal(name, value)
        elif name == "text":
            yield from (_literal(old, new) for old, new in value.items())
        elif name == "regex":
            yield from (_pattern(old, new, file) for old, new in value.items())
        else:
            raise BadInput("is neither words to replace, nor 'text', nor 'regex'", file=file, field=name)


def _literal(old: str, new: str) -> tuple[re.Pattern[str], str]:
    return re.compile(re.escape(old)), new.replace("\\", r"\\")


def _pattern(old: str, new: str, file: Path) -> tuple[re.Pattern[str], str]:
    try:
        pattern = re.compile(old)
        re.sub(f"(?:{old})|$", new, "")
    except re.error as error:
        raise BadInput(f"{old!r} is no pattern for {new!r}: {error}", file=file, field="regex") from None
    return pattern, new
