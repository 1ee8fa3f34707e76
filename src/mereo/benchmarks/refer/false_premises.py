"""False premises: descriptions that nothing fits, so that an expression refers to nothing at the end."""

from __future__ import annotations

import math
import random
from typing import Any

from mereo.benchmarks.refer.describe import ReferringDescriptions
from mereo.benchmarks.refer.options import ReferringOptions, scopes_of
from mereo.questions.describe import Description
from mereo.questions.options import Pick
from mereo.questions.template import Describe

__all__ = ["FalseOptions", "referring_options"]

_MISSES = 60
"""Near misses tried before a false description is drawn out of thin air."""
_DRAWS = 200
"""How often that is tried before there seems to be none."""


class FalseOptions:
    """Descriptions of a hole that nothing fits here: of what is elsewhere in the scene, or of what is nowhere."""

    fancied = 0
    nothing = object()

    def __init__(
        self, node: Describe, kept: Any, known: ReferringDescriptions, *, fine: bool, trivial_share: float
    ) -> None:
        self.known, self.fine, self.unnamed = known, fine, node.unnamed
        self.scopes = scopes_of(node, kept, known.world)
        self.groups = [
            (bits, [description for description in found if any(description) or not node.named])
            for bits, found in known.grouped(node.unnamed)
        ]
        elsewhere = [bits for bits, found in self.groups for _, scope in self.scopes if found and not bits & scope]
        self.weights: dict[Any, float] = {self.key(0): 1.0} if self._has_room() else {}
        for bits in elsewhere:
            key = self.key(bits)
            self.weights[key] = self.weights.get(key, 0.0) + 1 / len(elsewhere)
        self.total = sum(self.weights.values())

    def _has_room(self) -> bool:
        """Whether there are descriptions that nothing in the scene fits."""
        plain = self.known.plain.describer
        named = [k for k, name in enumerate(plain.attributes) if name not in self.unnamed]
        if self.known.describer.base is not None:
            return True
        space = math.prod(len(plain.sayable(plain.attributes[k], self.known.world)) for k in named)
        every = (found for _, descriptions in self.groups for found in descriptions)
        return sum(all(found[k] is not None for k in named) for found in every) < space

    def key(self, denoted: int) -> Any:
        """What a search needs to know of an option: that it leaves nothing."""
        return (0, denoted) if self.fine else 0

    def fancied_key(self, description: Description) -> Any:
        """None is ever drawn out of thin air by the search itself."""
        raise AssertionError("a referring expression was fancied")

    def draw(self, key: Any, chance: random.Random) -> Pick | None:
        """The words of one option with this key; none where everything that can be said is true of something."""
        found = [
            (relation, description)
            for relation, scope in self.scopes
            for bits, descriptions in self.groups
            if not bits & scope and self.key(bits) == key
            for description in descriptions
        ]
        if found and (key != self.key(0) or not self._has_room() or chance.random() < 0.5):
            relation, description = found[int(chance.random() * len(found))]
        else:
            relation, _ = self.scopes[int(chance.random() * len(self.scopes))]
            missed = self._missed(chance)
            if missed is None:
                return None
            description = missed
        return relation, (*description, None, None, None)

    def _missed(self, chance: random.Random) -> Description | None:
        """A description that fits nothing in the scene, but would if one of its words were another."""
        plain, vocabulary = self.known.plain.describer, self.known.describer.vocabulary
        true = [description for _, found in self.groups for description in found if any(description)]
        for _ in range(_MISSES):
            words = list(true[int(chance.random() * len(true))])
            place = chance.choice([k for k, word in enumerate(words) if word is not None])
            name, other = plain.attributes[place], true[int(chance.random() * len(true))][place]
            listed = name in vocabulary.attributes
            words[place] = chance.choice(plain.sayable(name, self.known.world)) if listed else other or words[place]
            if not self.known.plain.denoted(tuple(words)):
                return tuple(words)
        for _ in range(_DRAWS):
            drawn = plain.drawn(chance, self.known.world)
            pairs = zip(plain.attributes, drawn, strict=True)
            words = [None if name in self.unnamed else word for name, word in pairs]
            if any(words) and not self.known.plain.denoted(tuple(words)):
                return tuple(words)
        return None


def referring_options(node: Describe, kept: Any, known: ReferringDescriptions, **settings: Any) -> Any:
    """The options of a hole: true ones, or where a premise is to be false, those of an empty set."""
    false = known.describer.false_premise and node.goal == "set"
    return (FalseOptions if false else ReferringOptions)(node, kept, known, **settings)
