"""What the words of a phrase may be, as one letter each, the likelier reading first.

Taggers that go by single words are often wrong in phrases of two or three. So a phrase is read twice, with its first
word as it is tagged and, where it can be one, as a verb; and neighbors settle what the rest is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from mereo.files import converted, read_toml
from mereo.knowledge.tagging import Word

__all__ = ["Pattern", "PatternFile", "pattern_file", "readings"]


class Pattern(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pattern as it stands in the file."""

    name: str
    form: str
    graph: tuple[str, ...]
    subject: bool = False


class PatternFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `patterns.toml` holds; it says itself what each part means."""

    letters: dict[str, tuple[str, ...]]
    words: dict[str, tuple[str, ...]]
    followed: dict[str, tuple[str, ...]]
    pieces: dict[str, str]
    patterns: tuple[Pattern, ...]


class _Around(NamedTuple):
    """What stands around a word: letters, or nothing at the ends of the phrase."""

    two_before: str
    before: str
    after: str
    opening: str
    doer: bool
    """Whether the phrase begins with a verb like `see`, after which a thing may do something."""
    chained: bool
    """Whether the word before is a verb like `go`, after which another may follow."""


def readings(words: Sequence[Word], opening: str) -> Iterator[str]:
    """The letters of a phrase that begins with a verb, a noun, or who knows what."""
    plain = [_letter(word) for word in words]
    start = next((place for place, letter in enumerate(plain) if letter not in "ROM"), 0)
    if opening == "noun" and plain[:1] in (["V"], ["G"], ["E"]):
        alone = plain[1:2] in ([], ["P"])  # tap, set of keys; but: live entity
        yield _settled(words, ["N" if alone else plain[0].replace("V", "E"), *plain[1:]], opening)
    if opening != "noun" and plain[start : start + 1] in (["G"], ["E"]):
        plain[start] = "V"
    verbal = list(plain)
    if start < len(words) and plain[start] in "NJRP":
        acted_on = opening == "verb" and plain[start] != "P" and plain[start + 1 : start + 2] in (["D"], ["O"])
        counted = [word.text for word in words[start + 1 : start + 2]] == ["of"]  # end of life
        verbal[start] = "V" if acted_on or (words[start].verb and not counted) else plain[start]
    found = [_settled(words, plain, opening), _settled(words, verbal, opening)]
    if opening == "verb" or (opening == "" and len(words) > 1 and plain[0] == "N"):
        found.reverse()
    yield from dict.fromkeys(found)


def _settled(words: Sequence[Word], letters: Sequence[str], opening: str) -> str:
    """Letters that neighbors settle, from left to right."""
    followed = pattern_file().followed
    doer = bool(words) and words[0].verb in followed["by_doer"]
    found = [*letters, ""]
    for place, word in enumerate(words):
        two_before, before = ["", "", *found[:place]][-2:]
        chained = place > 0 and words[place - 1].verb in followed["by_verb"]
        found[place] = _settle(
            word, found[place], _Around(two_before, before, found[place + 1], opening, doer, chained)
        )
    return "".join(found)


def _settle(word: Word, here: str, around: _Around) -> str:
    """The letter of a word among others: after `can` what may be a verb is one, after `the` it is not."""
    two_before, before, after, opening, doer, chained = around
    ends = after in ("", "P", "C", "T", "W")
    if here in ("W", "O", "M", "R"):
        return _settle_small(word, here, around)
    if here in ("N", "J") and word.verb:
        led = before in ("M", "W") or (before in ("T", "O") and (here == "J" or after))
        if led or (before == "C" and two_before in ("V", "G")):
            return "V"
    if here == "V" and (before in ("D", "J", "Q") or (before == "P" and after in ("", "N", "P", "C"))):
        return "N"
    if here == "V" and not after and ((before == "N" and not doer) or (before == "V" and not chained)):
        return "N"
    if here in ("G", "E") and before in ("D", "J", "Q", "P") and ends:
        return "N"
    if here == "J" and ends and (before in ("D", "P", "T") or (opening == "noun" and after in ("", "C"))):
        return "N"
    if here == "N" and before == "C" and two_before == "J" and not after and opening != "noun":
        return "J"
    return here


def _settle_small(word: Word, here: str, around: _Around) -> str:
    """The same for small words: `that pawn`, `trash can`, `it nature`, `fast food`."""
    before, after = around.before, around.after
    if here == "W" and word.text in ("that", "which", "what", "whose") and after in ("N", "J", "Q") and before != "N":
        return "D"
    if here == "M" and after in ("", "N", "P", "C", "T", "M"):
        return "N"
    if here == "O" and word.text in pattern_file().followed["by_thing"] and after in ("N", "J", "Q", "O"):
        return "D" if before or around.opening != "verb" else here
    if here == "R" and after == "N" and before not in ("V", "O"):
        return "J"
    return here


def _letter(word: Word) -> str:
    by_word, by_tag = _letters()
    if word.text[:1].isdigit():
        return "Q"
    return by_word.get(word.text) or by_tag.get(word.tag, "X")


@cache
def pattern_file() -> PatternFile:
    """The patterns, read once."""
    path = Path(__file__).with_name("patterns.toml")
    return converted(read_toml(path), file=path, type=PatternFile)


@cache
def _letters() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """The letter of some words, and of all tags."""

    def turned(table: Mapping[str, Sequence[str]]) -> dict[str, str]:
        return {name: letter for letter, names in table.items() for name in names}

    return turned(pattern_file().words), turned(pattern_file().letters)
