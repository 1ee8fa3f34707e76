"""How an item of knowledge is said: all texts of its component that fit, with the item's words in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from mereo.benchmarks.cric.components import components, sayable
from mereo.benchmarks.cric.inflection import base_phrase, gerund_phrase, participle_phrase
from mereo.benchmarks.cric.lore import BLANK, VISION, Query
from mereo.benchmarks.cric.words import number_of, one_of_type, placed, preposition, some, stuff, words
from mereo.knowledge import entities, parsed

__all__ = ["NUMBERS", "THE", "Saying", "describable", "forms", "said"]

THE = "{the}"
NUMBERS: tuple[Mapping[str, str], Mapping[str, str]] = (
    {"{is}": "is", "{has}": "has", "{does}": "does", "{s}": "s", "{it}": "it"},
    {"{is}": "are", "{has}": "have", "{does}": "do", "{s}": "", "{it}": "them"},
)
"""What agrees with the number of a noun: of one, of several."""

Texts = Sequence[str]


class Saying(NamedTuple):
    """An item in words, for a noun in the singular or in the plural."""

    does: Texts
    done: Texts
    asked: Texts
    verify: Texts
    """With {the} for what it is asked about."""


@lru_cache(1 << 16)
def said(query: Query, plain: Query, *, several: bool = False) -> Saying | None:
    """How a query is said; None where there are no words for it.

    plain : the same with a word for VISION
    """
    component = components().items.get(query.relation)
    if component is None:
        return None
    places = {**NUMBERS[several], **{f"{{{place}}}": words for place, words in forms(query, plain).items()}}
    saying = Saying(
        sayable(component.does, places),
        sayable(component.done, places),
        sayable(component.asked, places),
        sayable(component.verify, places, later=frozenset([THE])),
    )
    return saying if (saying.does or saying.done) and (saying.does or saying.asked) and saying.verify else None


def forms(query: Query, plain: Query) -> Mapping[str, str]:
    """By place of a text what an item says there."""
    tail = query.tail
    match query.relation:
        case "UsedFor" | "CapableOf":
            return _doing(tail)
        case "AtLocation":
            return {"place": f"{preposition(plain.tail)} {tail}" if query.compared else placed(tail)}
        case "HasA":
            return {"part" if number_of(tail) == "count" else "stuff": some(tail)}
        case "MadeFrom":
            return {"stuff": stuff(tail)}
        case "ReceivesAction":
            return {"participle": participle_phrase(tail.removeprefix("be "))}
        case "HasProperty":
            return {"property": tail}
        case "IsATaxonomy":
            return {"type": one_of_type(tail)}
        case _:
            event = gerund_phrase(query.head)
            return {"event": event, "event_base": base_phrase(query.head), **(_act(tail) or {"event_alone": event})}


def _doing(phrase: str) -> dict[str, str]:
    """What is done, as a gerund and in its base form; where it is no verb, only as what something is for."""
    base, gerund = base_phrase(phrase), gerund_phrase(phrase)
    if base == phrase:
        graph = parsed(phrase.replace(VISION, "thing"), opening="verb")
        if graph is None or not graph.edges:
            return {"gerund": phrase}
    return {"base": base, "gerund": gerund}


def _act(tail: str) -> dict[str, str]:
    """What is done with the thing when something happens: "switch on", "switch on the …"."""
    before, _, after = tail.partition(BLANK)
    kept = before.split()
    if kept and kept[-1] in words().determiners:
        kept.pop()
    if not kept:
        return {}
    doing = base_phrase(" ".join(kept))
    return {"act": f"{doing}{after}", "act_it": f"{doing} {THE}{after}"}


def describable(pattern: Query, plain: Query) -> bool:
    """Whether a thing can be described where VISION stands: "cutting the food that …", but not "a hot the pan"."""
    if pattern.relation not in words().visible:
        return False
    phrase, whole = (pattern.head, plain.head) if pattern.reverse else (pattern.tail, plain.tail)
    before, _, after = phrase.partition(VISION)
    first, last = before.split(), after.split()
    if last and last[0] in words().after_things:
        return False
    if first and (len(first) > 1 or pattern.relation == "AtLocation") and first[-1] not in words().before_things:
        return False
    named = whole.removeprefix(before).removesuffix(after)
    known = entities().get(named)
    return pattern.relation == "AtLocation" or known is None or known.number != "count"
