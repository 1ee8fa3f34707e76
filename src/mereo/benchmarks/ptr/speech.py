"""PTR's English: "the chair with two red arms", "a bed with a blue back"."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from mereo.benchmarks.ptr.describe import DESCRIBER, denoted
from mereo.benchmarks.ptr.world import WORDS
from mereo.questions.phrase import VISIBLE, Said, Speech, article, plural
from mereo.world import World, members

__all__ = ["PartSpeech", "ptr_speech"]

_SINGLE = frozenset(WORDS["speech"]["single"])
_ANYTHING: tuple[str, ...] = tuple(WORDS["speech"]["anything"])
_NUMBERS: tuple[str, ...] = tuple(WORDS["speech"]["numbers"])
_TO_PARTS = frozenset({"PartCategory", "Color"})
"""The types of words that lead to parts, which may be one or several."""


class PartSpeech(Speech):
    """Speaks of objects by their parts."""

    def described(self, hole: str, said: Said, chance: random.Random, *, several: bool) -> str:
        """A description as a noun phrase; parts are in the plural where the object that is meant has several."""
        names = said.fillings[hole]
        category = names.get("category")
        noun = self.word(category, chance) if category else chance.choice(_ANYTHING)
        noun = plural(noun) if several else noun
        if "part" not in names:
            return noun
        return f"{noun} with {self._parts(names, said.referents.get(hole), said, chance)}"

    def _parts(self, names: Mapping[str, Any], referent: int | None, said: Said, chance: random.Random) -> str:
        """The parts of a description; "visible" where whoever knows the hidden ones would take it for another."""
        part, color, count = names["part"], names.get("color"), names.get("count")
        noun = self.word(part, chance)
        visible = _told_apart(names, said) or (count is not None and chance.random() < self.visibly)
        words = [*([VISIBLE] if visible else []), *([self.word(color, chance)] if color else [])]
        if count is not None:
            return " ".join([_NUMBERS[count], *words, noun if count == 1 else plural(noun)])
        known = said.world if visible else said.whole or said.world
        if part in _SINGLE or (referent is not None and _number(known, referent, part) == 1):
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

    def several(self, hole: str, said: Said) -> bool:
        """By how many there are, or can be seen where that is what the words speak of; of a back there is one."""
        if said.kinds.get(hole) not in _TO_PARTS:
            return super().several(hole, said)
        parts = said.meant[hole]
        if not said.visible and said.whole is not None:
            parts = _kin(said.whole, parts)
        names = Counter((said.whole or said.world).value["part"][part] for part in members(parts))
        return sum(1 if name in _SINGLE else count for name, count in names.items()) > 1

    def fits(self, names: Mapping[str, Any], referent: int, world: World) -> bool:
        """Whether an object would fit what a description names."""
        return bool(denoted(world, _description(names)) >> referent & 1)


def ptr_speech() -> PartSpeech:
    """PTR's words, in sentences of a bearable length."""
    return PartSpeech(WORDS["words"], longest=WORDS["speech"]["longest"], visibly=WORDS["speech"]["visibly"])


def _description(names: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(names.get(attribute) for attribute in DESCRIBER.attributes)


def _told_apart(names: Mapping[str, Any], said: Said) -> bool:
    """Whether other objects would fit a description if hidden parts counted."""
    if said.whole is None:
        return False
    description = _description(names)
    return denoted(said.world, description) != denoted(said.whole, description)


def _kin(world: World, parts: int) -> int:
    """The parts, and all others of the same name of the same object."""
    found = 0
    for part in members(parts):
        whole, name = world.whole[part], world.value["part"][part]
        found |= world.parts[whole] & world.having["part"][name] if whole is not None else 1 << part
    return found


def _number(world: World, thing: int, part: str) -> int:
    return (world.parts[thing] & world.having["part"][part]).bit_count()
