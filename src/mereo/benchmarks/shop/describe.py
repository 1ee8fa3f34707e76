"""How household objects are described: by what is seen of them, in few words, and without telling what is asked."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from mereo.benchmarks.shop.language import VISUAL, VOCABULARY
from mereo.benchmarks.shop.models import Instances
from mereo.benchmarks.shop.possible import Possible, possible
from mereo.questions.describe import Describer, Description, Descriptions
from mereo.world import World

__all__ = ["ShopDescriber", "shop_describer"]

_NAME, _MOVABILITY = VISUAL.index("name"), VISUAL.index("movability")
_NAMED, _PLAIN = 4, 2
"""How many times as often a description is said that names the class, or else not how a thing is moved: people say what
a thing is where they can, and that it is portable where nothing else will do."""


@dataclass(frozen=True)
class ShopDescriber(Describer):
    """Describes objects by what is seen. What a description must not name it must not tell in other ways either."""

    instances: Instances = "known"
    """The models that are shown, among which a description must leave open what is asked."""

    @cached_property
    def possible(self) -> Possible:
        """All that could be."""
        return possible(self.instances)

    def can_tell(self, what: str) -> bool:
        """What a thing is like can tell what can be read about it, too, and whether one word can."""
        return self.possible.knows(what)

    def leaves_open(self, description: Description, unnamed: frozenset[str]) -> bool:
        """Whether objects that fit may well differ in what must be left open: a look-up where it was asked before."""
        return self._opened(unnamed)[description]

    def goes_with(self, description: Description, words: Iterable[str], world: World) -> bool:
        """Whether it is open if what is described is as the words say."""
        return self.leaves_open(description, frozenset(words))

    def fitting(self, words: Iterable[str], world: World) -> Callable[[Description], bool]:
        """The same as a function of the description."""
        return self._opened(frozenset(words)).__getitem__

    def _opened(self, unnamed: frozenset[str]) -> _Opened:
        """Of every description whether it leaves these open, worked out when it is looked up."""
        kept = self._kept.get(unnamed)
        if kept is None:
            kept = self._kept[unnamed] = _Opened(self, unnamed)
        return kept

    @cached_property
    def _kept(self) -> dict[frozenset[str], _Opened]:
        return {}

    def descriptions(self, world: World) -> Descriptions:
        """The descriptions of a world, worked out on first use and kept with it."""
        key = (ShopDescriber, self.limit, self.instances)
        kept: _ShopDescriptions | None = world.memory.get(key)
        if kept is None:
            kept = world.memory[key] = _ShopDescriptions(self, world)
        return kept

    def fancied(self, chance: random.Random, world: World, unnamed: frozenset[str]) -> Description | None:
        """What fits something here, with one word exchanged for another that could be: it is as long as what fits."""
        known = self.descriptions(world)
        assert isinstance(known, _ShopDescriptions)
        saying = known.saying(unnamed)
        if not saying:
            return None
        description = saying[int(chance.random() * len(saying))]
        places = [k for k, value in enumerate(description) if value is not None]
        place = places[int(chance.random() * len(places))]
        words = self.possible.instead(description, place)
        if words:
            word = words[int(chance.random() * len(words))]
            description = description[:place] + (word,) + description[place + 1 :]
        return description if self.leaves_open(description, unnamed) else None


class _Opened(dict[Description, bool]):
    def __init__(self, describer: ShopDescriber, unnamed: frozenset[str]):
        super().__init__()
        self._possible, self._unnamed = describer.possible, unnamed
        self._places = [place for place, attribute in enumerate(describer.attributes) if attribute in unnamed]

    def __missing__(self, description: Description) -> bool:
        names = any(description[place] is not None for place in self._places)
        found = not names and not any(self._possible.tells(description, what) for what in self._unnamed)
        self[description] = found
        return found


class _ShopDescriptions(Descriptions):
    """Every description of some object that says nothing twice."""

    fancied_open = True

    def __init__(self, describer: ShopDescriber, world: World):
        super().__init__(describer, world)
        self.describer: ShopDescriber = describer
        self._nothing: Description = (None,) * len(describer.attributes)
        self._open: dict[frozenset[str], list[tuple[int, tuple[Description, ...]]]] = {}
        self._saying: dict[frozenset[str], list[Description]] = {}

    def grouped(self, unnamed: frozenset[str]) -> list[tuple[int, tuple[Description, ...]]]:
        """Each set that can be denoted without telling these, with all descriptions of it: what people rather say
        several times."""
        known = self._open.get(unnamed)
        if known is None:
            fits, every = self.describer.fitting(unnamed, self.world), self._telling
            left = [(bits, tuple([one for one, often in found if fits(one) for _ in often])) for bits, found in every]
            known = self._open[unnamed] = [(bits, found) for bits, found in left if found]
        return known

    @cached_property
    def _telling(self) -> list[tuple[int, list[tuple[Description, range]]]]:
        """All that say nothing twice, each with as many as it is worth."""
        idle, every = self.describer.possible.idle, super().grouped(frozenset())
        groups = [(bits, [(one, _often(one)) for one in found if not idle(one)]) for bits, found in every]
        return [(bits, found) for bits, found in groups if found]

    def saying(self, unnamed: frozenset[str]) -> list[Description]:
        """All that says something without telling these."""
        known = self._saying.get(unnamed)
        if known is None:
            known = [one for _, found in self.grouped(unnamed) for one in found if one != self._nothing]
            self._saying[unnamed] = known
        return known


def _often(description: Description) -> range:
    """As many as a description is worth."""
    if description[_NAME] is not None:
        return range(_NAMED)
    return range(_PLAIN if description[_MOVABILITY] is None and any(description) else 1)


def shop_describer(*, most: int, instances: Instances) -> ShopDescriber:
    """Who describes household objects. most : how many attributes at most"""
    return ShopDescriber(VISUAL, VOCABULARY, most=most, instances=instances)
