"""Every way in which the grammar allows some tokens, found from left to right as Earley does.

Rules of one symbol that begin alike are followed together, and only such are begun as the next token can begin: a long
sentence has many readings, and a general parser spends most of its time on rules that come to nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from mereo.questions.free.tokens import Cut

__all__ = ["Found", "Reached", "Rule", "Taken", "parsed"]

_START = "start"
_SHORT = "_"
"""What the names of symbols begin with that stand for what is written in many rules."""


class Rule(NamedTuple):
    """A way to make a symbol."""

    order: int
    """Its place among the ways to make the same."""
    meant_by: str | None
    """The name of what it means; None where it hands on its one child."""
    hands_on: bool = False
    """Whether it is but a way to write others shorter, and hands on all its children."""


@dataclass(eq=False)
class _Place:
    """How far rules of one symbol have come that are alike until there."""

    origin: str
    tokens: dict[str, _Place] = field(default_factory=dict)
    """Where the next token leads, by its name, …"""
    symbols: dict[str, _Place] = field(default_factory=dict)
    """… and where the next symbol leads."""
    ends: list[Rule] = field(default_factory=list)
    """The rules that end here."""


class Taken(NamedTuple):
    """A stretch taken as a token: all that it may mean."""

    values: tuple[Any, ...]


@dataclass(eq=False)
class Reached:
    """A place that was reached from the start of its symbol, and how."""

    place: _Place
    start: int
    end: int
    ways: list[tuple[Reached, Found | Taken]] = field(default_factory=list)
    """From where, and what was read last; none where the symbol begins."""


@dataclass(eq=False)
class Found:
    """A symbol that stands somewhere, with all ways in which it was found."""

    ends: list[Reached] = field(default_factory=list)


@cache
def _grammar() -> dict[str, _Place]:
    """Where each symbol begins."""
    from lark import Lark  # it takes a while, and most commands hear nothing

    text = Path(__file__).with_name("english.lark").read_text()
    begins: dict[str, _Place] = {}
    for rule in Lark(text, parser=None, lexer="basic", keep_all_tokens=True).rules:
        origin = str(rule.origin.name)
        place = begins.setdefault(origin, _Place(origin))
        for symbol in rule.expansion:
            onward = place.tokens if symbol.is_term else place.symbols
            place = onward.setdefault(str(symbol.name), _Place(origin))
        place.ends.append(Rule(rule.order, rule.alias, origin.startswith(_SHORT)))
    return begins


@cache
def _first() -> dict[str, frozenset[str]]:
    """The tokens that each symbol may begin with."""
    first = {origin: frozenset(place.tokens) for origin, place in _grammar().items()}
    while True:
        more = {
            origin: first[origin].union(*(first[other] for other in place.symbols))
            for origin, place in _grammar().items()
        }
        if more == first:
            return first
        first = more


@lru_cache(4096)
def _beginning(tokens: frozenset[str]) -> frozenset[str]:
    """The symbols that one of some tokens may begin."""
    return frozenset(origin for origin, first in _first().items() if not first.isdisjoint(tokens))


def parsed(cut: Cut) -> Found | None:
    """All ways to read some tokens as a sentence; None where there is none."""
    return _Chart(cut).sentence()


class _Chart:
    """What was reached after each token."""

    def __init__(self, cut: Cut):
        self.cut = cut
        self.reached: list[dict[tuple[int, int], Reached]] = [{} for _ in range(len(cut) + 1)]
        """By the place and where its symbol starts."""
        self.new: list[list[Reached]] = [[] for _ in range(len(cut) + 1)]
        self.waiting: list[dict[str, list[Reached]]] = [{} for _ in range(len(cut) + 1)]
        """Who can go on by a symbol that starts here."""

    def sentence(self) -> Found | None:
        self._reach(_grammar()[_START], 0, 0)
        found: dict[tuple[str, int], Found] = {}
        for at in range(len(self.cut) + 1):
            found = self._after(at)
        return found.get((_START, 0))

    def _after(self, at: int) -> dict[tuple[str, int], Found]:
        """Go on from all that was reached after so many tokens, and give the symbols that end there."""
        tokens = self.cut[at].tokens if at < len(self.cut) else {}
        beginning = _beginning(frozenset(tokens)) if tokens else ()
        found: dict[tuple[str, int], Found] = {}
        new = self.new[at]
        while new:
            here = new.pop()
            if here.place.ends:
                self._complete(here, at, found)
            for name, place in here.place.tokens.items():
                if name in tokens:
                    self._reach(place, here.start, at + 1).ways.append((here, Taken(tokens[name])))
            self._wait(here, at, beginning)
        return found

    def _complete(self, here: Reached, at: int, found: dict[tuple[str, int], Found]) -> None:
        """Tell all who wait for a symbol that it stands there."""
        key = here.place.origin, here.start
        known = found.get(key)
        if known is not None:
            known.ends.append(here)
            return
        whole = found[key] = Found([here])
        for before in self.waiting[here.start].get(key[0], ()):
            place = before.place.symbols[key[0]]
            self._reach(place, before.start, at).ways.append((before, whole))

    def _wait(self, here: Reached, at: int, beginning: Collection[str]) -> None:
        for name in here.place.symbols:
            if name in beginning:
                self.waiting[at].setdefault(name, []).append(here)
                self._reach(_grammar()[name], at, at)

    def _reach(self, place: _Place, start: int, at: int) -> Reached:
        key = id(place), start
        known = self.reached[at].get(key)
        if known is None:
            known = self.reached[at][key] = Reached(place, start, at)
            self.new[at].append(known)
        return known
