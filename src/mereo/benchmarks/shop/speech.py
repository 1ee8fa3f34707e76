"""How household objects are spoken of: "the small red mug", "a pair of metal scissors", "the glass made of glass"."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from mereo.benchmarks.shop.language import VOCABULARY
from mereo.files import read_toml
from mereo.questions.phrase import NounPhrases, Said, Speech, plural

__all__ = ["NAMES", "ShopSpeech", "shop_speech"]

NAMES: dict[str, Any] = read_toml(Path(__file__).with_name("names.toml"))
"""How classes and values are said."""


@dataclass(frozen=True)
class ShopSpeech(Speech):
    """Speaks of household objects: a word is said otherwise before its noun than where it stands alone."""

    before: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    """For each attribute the adjectives of its values, and for the name nouns."""
    alone: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    """For each type what completes "it is ..."; for relations and names the words themselves."""
    pairs: frozenset[str] = frozenset()
    """The names of which there is a pair."""

    def noun_phrase(self, names: Mapping[str, str], chance: random.Random, *, several: bool) -> str:
        """What a description names; a glass is "made of glass" after its noun, since "glass glass" reads badly."""
        phrases, draw = self.phrases, chance.random
        name = names.get(phrases.noun)
        nouns = self.before[phrases.noun][name] if name else phrases.anything
        noun = nouns[int(draw() * len(nouns))]
        words, after = [], ""
        for attribute in phrases.adjectives:
            value = names.get(attribute)
            if value is not None and value == names.get("material") and noun.endswith(value):
                after = f" made of {value}"
            elif value is not None:
                adjectives = self.before[attribute][value]
                words.append(adjectives[int(draw() * len(adjectives))])
        return " ".join([*words, plural(noun) if several else noun]) + after

    def spoken(self, hole: str, said: Said, chance: random.Random, *, several: bool) -> str:
        """A chosen word as it stands alone, or several of a name."""
        ways = self.alone[said.kinds.get(hole, "Relation")][said.fillings[hole]]
        way = ways[int(chance.random() * len(ways))]
        return plural(way) if several else way

    def several(self, hole: str, said: Said) -> bool:
        """Whether verbs take the plural: only with scissors, of which even one are several."""
        filling = said.fillings[hole]
        return isinstance(filling, Mapping) and filling.get("name") in self.pairs

    def single(self, filling: Any, words: str) -> str:
        """A pair of scissors."""
        name = filling.get("name") if isinstance(filling, Mapping) else filling
        return f"pair of {words}" if name in self.pairs else words


@cache
def shop_speech() -> ShopSpeech:
    """Our words for household objects."""
    alone = {attribute.capitalize(): ways for attribute, ways in NAMES["is"].items()}
    return ShopSpeech(
        phrases=NounPhrases(tuple(NAMES["adjectives"]), "name", tuple(NAMES["anything"])),
        measures=tuple(NAMES["measures"]),
        longest=NAMES["longest"],
        before={**NAMES["before"], "name": NAMES["class"]},
        alone={**alone, "Name": NAMES["class"], "Relation": NAMES["relation"], "Grip": NAMES["grip"]},
        pairs=frozenset(NAMES["pairs"]) & frozenset(VOCABULARY.words("name")),
    )
