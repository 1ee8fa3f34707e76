"""How the predicates of scene graphs are said."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from mereo.benchmarks.cric.inflection import gerund_phrase
from mereo.benchmarks.cric.words import words

__all__ = ["manner", "said_as", "turned"]


def manner(predicate: str) -> str:
    """Which component says a predicate."""
    if predicate == "part of":
        return "part"
    return "action" if said_as(predicate)[0].partition(" ")[0].endswith("ing") else "place"


@lru_cache(4096)
def said_as(predicate: str) -> Sequence[str]:
    """The ways to say a predicate: those that are listed, else as it is, a verb as what somebody is doing."""
    listed = words().said.get(predicate)
    if listed:
        return listed
    verb, space, rest = predicate.partition(" ")
    doing = verb.endswith("s") and not verb.endswith("ss") and verb not in words().before_things
    return (f"{gerund_phrase(verb[:-1])}{space}{rest}" if doing else predicate,)


def turned(predicate: str) -> bool:
    """Whether a predicate is also said of what it leads to: "the plate that the bread is on"."""
    return predicate in words().turned or manner(predicate) == "action"
