"""The words that may stand in a hole for a part or a color, and how a whole question is said."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mereo.benchmarks.ptr.official.geometry import is_flat
from mereo.benchmarks.ptr.official.options import GENERATOR
from mereo.benchmarks.ptr.official.scene import Thing
from mereo.questions.template import Choose

__all__ = ["THING", "Wording", "choices", "say"]

THING = "thing"
"""What an object is called whose category is not named."""


class Wording(NamedTuple):
    """A way to fill the hole of a function that asks about a part of an object."""

    values: tuple[Any, ...]
    """The literals of the step."""
    word: str
    """What is said."""
    part: str | None = None
    color: str | None = None
    """The part that is spoken of, and its color if the question would give it away or away from it."""

    def repeats(self, used: frozenset[str]) -> bool:
        """Whether the question has named the part, or its color, before."""
        return self.part in used or self.color in used


def choices(node: Choose, thing: Thing) -> Iterator[Wording]:
    """What a hole may be filled with, by what the object shows."""
    name = node.function
    if name.endswith("part-color"):
        yield from (Wording((part,), part, part, paint[0]) for part, paint in thing.paints.items())
    elif name.endswith("part-count"):
        not_counted = GENERATOR["questions"]["not_counted"]
        yield from (Wording((part,), part, part) for part in thing.counts if part not in not_counted)
    elif name.endswith("part-category"):
        yield from (Wording((paint[0],), paint[0], part, paint[0]) for part, paint in thing.paints.items())
    elif name.endswith("part-geometry"):
        for part, (color, rgb) in thing.paints.items() if thing.geometric else ():
            kinds = [directions[part] for directions in (thing.lines, thing.planes) if part in directions]
            if kinds and is_flat(kinds[0]):
                yield Wording((color, rgb), color, part, color)
    else:
        yield from (Wording((word,), word) for word in node.type.values or ())


def say(
    text: str, words: Mapping[str, Any], synonyms: Mapping[str, Sequence[str]], *, unstable: bool, chance: random.Random
) -> str:
    """A text with its holes filled, in small letters.

    words : for each hole its word, a number, or nothing
    unstable : whether what is called a thing is known to be unstable, and is told apart by that
    """
    for hole, filling in words.items():
        word = str(filling)
        if hole.startswith("<S"):
            if words.get(hole.replace("S", "P")) == "":
                text = text.replace(f"{hole} with", hole).replace(f"{hole}s with", f"{hole}s")
            if unstable and word == THING and not words.get(hole.replace("S", "P")):
                word = "unstable object"
        if word in synonyms:
            word = synonyms[word][int(chance.random() * len(synonyms[word]))]
        if hole.startswith("<P") and word and _several(hole, word, words, text):
            word += "s"
        text = text.replace(hole, word)
    sentence = " ".join(text.split()).lower().replace("shelfs", "shelves")
    return sentence.replace(" ?", "?").replace(" ,", ",").replace(" .", ".")


def _several(hole: str, part: str, words: Mapping[str, Any], text: str) -> bool:
    """Whether a part is said in the plural: by the number that is named, or because there are mostly several."""
    number = words.get(hole.replace("P", "CT"))
    if number:
        return int(number) > 1
    return f"{hole}s" not in text and part in GENERATOR["plural"]["parts"]
