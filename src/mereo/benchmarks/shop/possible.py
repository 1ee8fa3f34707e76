"""What could be: every look that a household object can have, with what is read about it and how likely it is.

A question whose words alone tell its answer needs no picture: a fork is always long and thin, and whatever is gray is a
baking tray. So descriptions are held against all that could be, not only against the scene.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from mereo.benchmarks.shop.language import TEXTUAL, VISUAL, VOCABULARY
from mereo.benchmarks.shop.models import Instances, models
from mereo.benchmarks.shop.texts import properties_of
from mereo.questions.describe import Description
from mereo.world import members

__all__ = ["Possible", "possible"]

_SURE = 0.7
"""An answer that is more likely than this is told by a description."""

_IDLE = tuple(place for place, name in enumerate(VISUAL) if name != "name")


class Possible:
    """All looks of some models. A set of looks is an integer, as sets of entities are."""

    def __init__(self, instances: Instances):
        looks = dict(_likely(instances))
        self._likely = tuple(looks.values())
        self._all = (1 << len(looks)) - 1
        self._having: dict[str, dict[Any, int]] = {name: {} for name in (*VISUAL, *TEXTUAL)}
        self._with: dict[str, dict[str, int]] = {word: {} for name in self._having for word in VOCABULARY.words(name)}
        for place, own in enumerate(looks):
            read = properties_of(own[VISUAL.index("name")], dict(zip(VISUAL, own, strict=True)))
            for name, value in (*zip(VISUAL, own, strict=True), *read.items()):
                having = self._having[name]
                having[value] = having.get(value, 0) | 1 << place
        for word in self._with:
            self._with[word] = self._parted(word)
        self._fitting: dict[Description, int] = {}
        self._told: dict[tuple[Description, str], bool] = {}
        self._idle: dict[Description, bool] = {}
        self._instead: dict[tuple[Description, int], tuple[str, ...]] = {}

    def _parted(self, word: str) -> dict[str, int]:
        """Those of which a word is true, and the others."""
        found = 0
        for having in self._having.values():
            for value, bits in having.items():
                found |= bits if word == value or (isinstance(value, tuple) and word in value) else 0
        return {"with": found, "without": self._all & ~found}

    def knows(self, what: str) -> bool:
        """Whether something is an attribute, or a word that can be true of a thing."""
        return what in self._having or what in self._with

    def fitting(self, description: Description) -> int:
        """The looks that fit a description of what is seen."""
        bits = self._fitting.get(description)
        if bits is None:
            bits = self._all
            for name, value in zip(VISUAL, description, strict=True):
                if value is not None:
                    bits &= self._having[name].get(value, 0)
            self._fitting[description] = bits
        return bits

    def tells(self, description: Description, what: str) -> bool:
        """Whether a description makes the value of an attribute, or whether a word is true, all but sure."""
        key = (description, what)
        told = self._told.get(key)
        if told is None:
            bits, parts = self.fitting(description), self._having.get(what) or self._with[what]
            shares = [self._weight(own) for part in parts.values() if (own := bits & part)]
            told = self._told[key] = bool(bits) and max(shares) > _SURE * sum(shares)
        return told

    def idle(self, description: Description) -> bool:
        """Whether something that it names besides the class follows from the rest, as metal does of a kettle."""
        idle = self._idle.get(description)
        if idle is None:
            bits = self.fitting(description)
            fewer = (description[:k] + (None,) + description[k + 1 :] for k in _IDLE if description[k] is not None)
            idle = self._idle[description] = bool(bits) and any(self.fitting(one) == bits for one in fewer)
        return idle

    def instead(self, description: Description, place: int) -> tuple[str, ...]:
        """The other words that could stand at a place of a description."""
        key = (description, place)
        words = self._instead.get(key)
        if words is None:
            changed = {
                word: description[:place] + (word,) + description[place + 1 :]
                for word in VOCABULARY.words(VISUAL[place])
                if word != description[place]
            }
            fit = [word for word, one in changed.items() if self.fitting(one) and not self.idle(one)]
            words = self._instead[key] = tuple(fit)
        return words

    def _weight(self, bits: int) -> float:
        return sum([self._likely[place] for place in members(bits)])


def _likely(instances: Instances) -> Iterator[tuple[Sequence[str], float]]:
    """Every look with how likely it is, where all classes are alike."""
    found: dict[tuple[str, ...], float] = {}
    for own in models(instances).values():
        for model in own:
            for material, colors in model.colors.items():
                share = 1 / (len(own) * len(model.colors) * len(colors) * len(model.sizes))
                for color in colors:
                    for size in model.sizes:
                        looks = model._asdict() | {"material": material, "color": color, "size": size}
                        key = tuple(looks[name] for name in VISUAL)
                        found[key] = found.get(key, 0.0) + share
    yield from found.items()


@cache
def possible(instances: Instances) -> Possible:
    """All that could be, worked out once."""
    return Possible(instances)
