"""A template's text as something to read by: fixed words, gaps for what is named, and ways around what is optional."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mereo.questions.hearing import words_of
from mereo.questions.phrase import VISIBLE, Optional, Piece, Visible
from mereo.questions.template import Template
from mereo.questions.toml_text import Agreeing, Hole

__all__ = ["Fixed", "Gap", "Pattern", "Way", "patterns_of"]

_SHOWN = re.compile(r"[^\s;,:.?!]+[;,:.?!]*|[;,:.?!]+")


class Fixed(NamedTuple):
    """A word of the text, or a mark, which has no word."""

    word: str
    shown: str


class Gap(NamedTuple):
    """Where a hole is said."""

    hole: str
    form: str
    """`plural`, `number` for either, or nothing for one."""


class Way(NamedTuple):
    """From one place of a text to a later one: by a word, a gap, or nothing at all."""

    by: Fixed | Gap | None
    to: int


class Pattern(NamedTuple):
    """One text of a template. Places are numbered so that every way goes to a later one; the last is the end."""

    template: Template
    ways: tuple[tuple[Way, ...], ...]
    """The ways that lead on from each place."""

    @property
    def fixed(self) -> Iterator[str]:
        """All its fixed words."""
        return (way.by.word for ways in self.ways for way in ways if isinstance(way.by, Fixed) and way.by.word)


def patterns_of(template: Template) -> Iterator[Pattern]:
    """The texts of a template; a text that is not of our own kind cannot be read by."""
    for text in (*template.texts, *template.heard):
        ways: list[list[Way]] = [[]]
        if _extend(ways, text.pieces):
            yield Pattern(template, tuple(map(tuple, ways)))


def _extend(ways: list[list[Way]], pieces: Sequence[Piece]) -> bool:
    """Lead on from the last place by some pieces."""
    for piece in pieces:
        if isinstance(piece, str):
            for shown in _SHOWN.findall(piece):
                _step(ways, Fixed("".join(words_of(shown)), shown))
        elif isinstance(piece, Hole):
            _say(ways, piece)
        elif isinstance(piece, Agreeing):
            _either(ways, piece.one, piece.more)
        elif isinstance(piece, Visible):
            _either(ways, VISIBLE, "")
        elif isinstance(piece, Optional):
            before = len(ways) - 1
            if not _extend(ways, piece.pieces):
                return False
            ways[before].append(Way(None, len(ways) - 1))
        else:
            return False
    return True


def _step(ways: list[list[Way]], by: Fixed | Gap) -> None:
    ways[-1].append(Way(by, len(ways)))
    ways.append([])


def _say(ways: list[list[Way]], hole: Hole) -> None:
    if hole.other == "another":
        _either(ways, "another", "a")
    elif hole.other:
        _either(ways, "other", "")
    elif hole.with_article:
        _step(ways, Fixed("a", "a"))
    _step(ways, Gap(hole.name, hole.form))


def _either(ways: list[list[Way]], one: str, other: str) -> None:
    """Two stretches of words side by side, which come together again."""
    before, ends = len(ways) - 1, []
    for words in (one, other):
        last = before
        for shown in words.split():
            ways[last].append(Way(Fixed("".join(words_of(shown)), shown), len(ways)))
            ways.append([])
            last = len(ways) - 1
        ends.append(last)
    for end in dict.fromkeys(ends):
        ways[end].append(Way(None, len(ways)))
    ways.append([])
