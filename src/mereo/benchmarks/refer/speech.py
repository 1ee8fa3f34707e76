"""Saying ordinals: "the second from the left of the red cubes", "the frontmost thing"."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mereo.benchmarks.refer.describe import NUMBER, SIDE
from mereo.questions.phrase import Speech

__all__ = ["OrdinalSpeech"]


@dataclass(frozen=True)
class OrdinalSpeech(Speech):
    """Speech whose noun phrases may be wrapped in an ordinal."""

    ordinals: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    """For each side the ways to say `first` and `later`, around `{one}` or `{many}` and with `{nth}`."""

    def noun_phrase(self, names: Mapping[str, Any], chance: random.Random, *, several: bool) -> str:
        """What a description names; after "the" whatever it names."""
        if NUMBER not in names:
            return super().noun_phrase(names, chance, several=several)
        number, side = names[NUMBER], names[SIDE]
        ways = self.ordinals[side]["first" if number == "first" else "later"]
        way = ways[int(chance.random() * len(ways))]
        rest = {name: value for name, value in names.items() if name not in (NUMBER, SIDE)}
        noun = super().noun_phrase(rest, chance, several="{many}" in way)
        return way.format(one=noun, many=noun, nth=number)
