"""PTR's English: "the chair with two red arms", "a bed with a blue back"."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from mereo.benchmarks.ptr.describe import DESCRIBER
from mereo.benchmarks.ptr.world import WORDS
from mereo.questions.phrase import Said, Speech, article, plural
from mereo.world import World

__all__ = ["PartSpeech"]

_SINGLE = frozenset(WORDS["speech"]["single"])
_ANYTHING: tuple[str, ...] = tuple(WORDS["speech"]["anything"])
_NUMBERS: tuple[str, ...] = tuple(WORDS["speech"]["numbers"])
_VISIBLE = 0.2
"""How often a number of parts is said to be one of visible parts, which it always is."""


class PartSpeech(Speech):
    """Speaks of objects by their parts."""

    def described(self, hole: str, said: Said, chance: random.Random, *, several: bool) -> str:
        """A description as a noun phrase; parts are in the plural where the object that is meant has several."""
        names, referent = said.fillings[hole], said.referents.get(hole)
        category = names.get("category")
        noun = self.word(category, chance) if category else chance.choice(_ANYTHING)
        noun = plural(noun) if several else noun
        if "part" not in names:
            return noun
        return f"{noun} with {self._parts(names, referent, said.world, chance)}"

    def _parts(self, names: Mapping[str, Any], referent: int | None, world: World, chance: random.Random) -> str:
        part, color, count = names["part"], names.get("color"), names.get("count")
        noun = self.word(part, chance)
        words = [self.word(color, chance)] if color else []
        if count is not None:
            visible = ["visible"] if chance.random() < _VISIBLE else []
            return " ".join([_NUMBERS[count], *visible, *words, noun if count == 1 else plural(noun)])
        if part in _SINGLE or (referent is not None and _number(world, referent, part) == 1):
            phrase = " ".join([*words, noun])
            return f"{article(phrase)} {phrase}"
        return " ".join([*words, plural(noun)])

    def spoken(self, hole: str, said: Said, chance: random.Random, *, several: bool) -> str:
        """A chosen word; relations of lines and planes, and moves, are said in their own ways."""
        value, kind = said.fillings[hole], said.kinds.get(hole)
        if kind == "GeometricRelation":
            return f"{value.partition(' ')[2]} to"
        if kind == "PossibleChange":
            return str(chance.choice(WORDS["moves"][value]))
        return super().spoken(hole, said, chance, several=several)

    def fits(self, names: Mapping[str, Any], referent: int, world: World) -> bool:
        """Whether an object would fit what a description names."""
        description = tuple(names.get(attribute) for attribute in DESCRIBER.attributes)
        return bool(DESCRIBER.descriptions(world).denoted(description) >> referent & 1)


def _number(world: World, thing: int, part: str) -> int:
    return (world.parts[thing] & world.having["part"][part]).bit_count()
