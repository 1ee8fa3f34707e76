"""Telling a thing from the others: what is added to a description until it fits just one, and what is added on top."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from mereo.benchmarks.cric.description import Description, Known, Related
from mereo.benchmarks.cric.lore import Query
from mereo.benchmarks.cric.seen import Found, Seen, Standing

__all__ = ["Decorator", "Grown"]

_ANY = "object"
"""What anything is called."""
_CATEGORY, _MORE, _TELLTALE = 0.6, 0.1, 0.15
"""How often a category is said, something is added that is not needed, and a description that only one name fits is
kept where that name is the answer."""
_WEIGHTS = {"words": 4.0, "related": 0.8, "known": 0.3}
_MOST = 2
"""What is added to a description at most."""


class Grown(NamedTuple):
    """A description, and what it finds."""

    description: Description
    found: Found


class Decorator:
    """Describes the things of one picture, by chance."""

    def __init__(self, seen: Seen, chance: random.Random):
        self.seen, self.chance = seen, chance
        self._short: dict[int, Sequence[Description]] = {}

    def item(self, thing: int) -> tuple[Known, Found]:
        """An item that a thing fills; of two by chance the one that fewer things fill."""
        items = self.seen.items
        one, other = self.chance.choices(self.seen.fills[thing], k=2)
        query = one if items[one].sure.bit_count() <= items[other].sure.bit_count() else other
        return Known(query, query), items[query]

    def beside(self) -> tuple[int, Known, Found] | None:
        """A thing and an item that it fills, in which another thing of the picture is described."""
        if not self.seen.visible:
            return None
        thing, query, pattern, other = self.chance.choice(self.seen.visible)
        names = self.seen.sayable.beside(pattern, self.seen.names[other])
        sure, perhaps = (self.seen.named(filling) & ~(1 << other) for filling in names)
        described = self.described(other, without=(thing,))
        if sure != perhaps or described is None:
            return None
        return thing, Known(pattern, query, described), Found(sure, sure)

    def noun(self, thing: int, start: Found) -> Grown:
        """A category of a thing, or a word for anything."""
        kinds = self.seen.kinds
        if self.chance.random() < _CATEGORY:
            listed = [
                kind
                for kind in self.seen.sayable.kinds.get(self.seen.names[thing], ())
                if start.both(kinds[kind]).plain
            ]
            if listed:
                kind = self.chance.choice(listed)
                return Grown(Description(kind), start.both(kinds[kind]))
        return self.anything(start)

    def grown(
        self,
        thing: int,
        start: Grown,
        *,
        avoid: Collection[str] = (),
        without: Collection[int] = (),
        ways: Collection[str] = ("words", "related", "known"),
        most: int = _MOST,
    ) -> Grown | None:
        """A description with as much added as tells a thing from all others, and now and then more.

        avoid : kinds of attributes that must not be said
        without : things that must not be spoken of
        """
        description, found = start
        for added in range(most + 1):
            unique = found.perhaps == 1 << thing
            if unique and (added == most or self.chance.random() >= _MORE):
                return Grown(description, found)
            if added == most:
                return None
            options = self._options(thing, description, found, avoid=avoid, without=without, ways=ways)
            chosen = self._chosen(options, 1 << thing)
            if chosen is None:
                return Grown(description, found) if unique else None
            way, what, found = chosen
            description = self._added(description, way, what, thing)
        raise AssertionError("the last round returns")

    def _options(
        self,
        thing: int,
        description: Description,
        found: Found,
        *,
        avoid: Collection[str],
        without: Collection[int],
        ways: Collection[str],
    ) -> dict[str, list[tuple[Any, Found]]]:
        """By way all that could be added: what narrows, or anything where one thing is left."""
        seen, one = self.seen, found.perhaps == 1 << thing
        options: dict[str, list[tuple[Any, Found]]] = {}
        if "words" in ways and not description.words:
            options["words"] = [
                (word, left)
                for word in seen.attributes[thing]
                if word.kind not in avoid
                and (left := found.both(seen.words[word.word])).plain
                and (one or left != found)
            ]
        if "related" in ways and not description.related:
            options["related"] = [
                (standing, left)
                for standing in seen.standing[thing]
                if standing.short
                and standing.other not in without
                and self.short(standing.other)
                and ((left := Found(found.sure & standing.found, found.perhaps & standing.found)) != found or one)
            ]
        if "known" in ways and len(description.known) < 2 and not one:
            options["known"] = [
                (query, left) for query in seen.fills[thing] if (left := found.both(seen.items[query])) != found
            ]
        return {way: listed for way, listed in options.items() if listed}

    def _chosen(self, options: dict[str, list[tuple[Any, Found]]], bit: int) -> tuple[str, Any, Found] | None:
        """One of the options, of those that leave one thing if there are any."""
        enough = {
            way: best for way, listed in options.items() if (best := [one for one in listed if one[1].perhaps == bit])
        }
        among = enough or options
        if not among:
            return None
        way = self.chance.choices(list(among), [_WEIGHTS[way] for way in among])[0]
        what, found = self.chance.choice(among[way])
        return way, what, found

    def _added(self, description: Description, way: str, what: Any, thing: int) -> Description:
        if way == "words":
            return description._replace(words=(*description.words, what))
        if way == "known":
            return description._replace(known=(*description.known, Known(what, what)))
        other = self.chance.choice(self.short(what.other))
        return description._replace(related=(*description.related, Related(what.predicate, what.subject, other)))

    def described(self, thing: int, *, without: Collection[int]) -> Description | None:
        """A thing by its name or category, and where it is or what it is like."""
        begun = self.noun(thing, self._everything) if self.chance.random() < 0.5 else self.called(thing)
        return self._told_apart(thing, begun, without=without)

    def sighted(self, thing: int, *, avoid: Collection[str] = (), without: Collection[int] = ()) -> Description | None:
        """A thing by nothing but what is seen: its name or none, and where it is or what it is like."""
        begun = self.anything(self._everything) if self.chance.random() < 0.5 else self.called(thing)
        return self._told_apart(thing, begun, avoid=avoid, without=without)

    def _told_apart(
        self, thing: int, begun: Grown, *, without: Collection[int], avoid: Collection[str] = ()
    ) -> Description | None:
        """A description that is grown by what is seen."""
        ways = ("words", "related")
        grown = begun.found.plain and self.grown(thing, begun, avoid=avoid, without=without, ways=ways)
        return grown.description if grown else None

    def called(self, thing: int) -> Grown:
        """A thing by its name."""
        name = self.seen.names[thing]
        return Grown(Description(name, named=True), self.seen.words[name])

    def anything(self, start: Found) -> Grown:
        """A thing by a word for anything."""
        return Grown(Description(_ANY), start)

    @property
    def _everything(self) -> Found:
        return Found(self.seen.all, self.seen.all)

    def standing(
        self, thing: int, one: Standing, begun: Grown, tell: Callable[..., Description | None]
    ) -> Description | None:
        """A thing by how it stands to another. tell : how that one is described, without speaking of the first"""
        grown = self.grown(thing, begun, ways=("words",), most=1)
        other = grown and tell(one.other, without=(thing,))
        if grown is None or other is None:
            return None
        return grown.description._replace(related=(Related(one.predicate, one.subject, other),))

    def short(self, thing: int) -> Sequence[Description]:
        """All descriptions of a thing by its name, and perhaps a word for what it is like."""
        if thing not in self._short:
            name = self.seen.names[thing]
            named, bit = self.seen.words[name], 1 << thing
            found = [Description(name, named=True)] if named == (bit, bit) else []
            if named.plain:
                found += [
                    Description(name, named=True, words=(word,))
                    for word in self.seen.attributes[thing]
                    if word.word not in name and named.both(self.seen.words[word.word]) == (bit, bit)
                ]
            self._short[thing] = found
        return self._short[thing]

    def known(self, thing: int, *, avoid: Collection[str] = (), without: Collection[int] = ()) -> Description | None:
        """A thing by what is known of it, and whatever else it takes."""
        if not self.seen.fills[thing]:
            return None
        return self.known_by(thing, *self.item(thing), avoid=avoid, without=without)

    def known_by(
        self,
        thing: int,
        item: Known,
        found: Found,
        *,
        avoid: Collection[str] = (),
        without: Collection[int] = (),
    ) -> Description | None:
        """A thing by an item, and whatever else it takes."""
        begun = self.noun(thing, found)
        begun = Grown(begun.description._replace(known=(item,)), begun.found)
        grown = self.grown(thing, begun, avoid=avoid, without=without)
        return grown.description if grown else None

    def telltale(self, query: Query, noun: str) -> bool:
        """Whether an item and a noun fit only one name, so that whoever knows it need not look; some are let pass."""
        return self.seen.sayable.spread(query, noun) < 2 and self.chance.random() >= _TELLTALE
