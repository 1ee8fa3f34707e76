"""Questions for yes and no: a true one, and the same with one part changed so that it is false.

Both are drafted, and one of the two is asked by the toss of a coin, so that no way to ask tells the answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from mereo.benchmarks.cric.decorating import Decorator, Grown
from mereo.benchmarks.cric.description import Description, Known, Related, Word
from mereo.benchmarks.cric.drafts import Draft, Exists, Is
from mereo.benchmarks.cric.graph import OTHER
from mereo.benchmarks.cric.lore import Query
from mereo.benchmarks.cric.seen import Found
from mereo.benchmarks.cric.words import words

__all__ = ["Change", "some_thing", "verify_attribute", "verify_item"]

_THERE, _TURNED, _PLACED = 0.5, 0.3, 0.4
"""How often is asked whether there is something, a relation is turned into its opposite where it can be, and a relation
is said of what is looked for."""
_GRADED = ("size", "state", OTHER)
"""Kinds of which one thing may have several words, so that only opposites exclude each other."""


class Change(NamedTuple):
    """What was changed so that the answer is no."""

    kind: str
    asked: str
    instead: str


Drafted = tuple[Draft, Change | None]


def verify_item(decorator: Decorator) -> Drafted | None:
    """VerifyKG: whether there is something that fills an item, or whether one thing does."""
    thing = some_thing(decorator)
    if thing is None:
        return None
    query = decorator.chance.choice(decorator.seen.fills[thing])
    if decorator.chance.random() < _THERE:
        return _something(decorator, thing, query, word=None)
    everything = Found(decorator.seen.all, decorator.seen.all)
    grown = decorator.grown(thing, decorator.noun(thing, everything), ways=("words", "related"))
    if grown is None:
        return None
    false = _false_item(decorator, query, grown, others=True)
    if false is None:
        return None
    return _tossed(
        decorator,
        Is(grown.description, Known(query, query)),
        Is(grown.description, Known(false, false)),
        Change("knowledge", _shown(false), _shown(query)),
    )


def verify_attribute(decorator: Decorator) -> Drafted | None:
    """VerifyAtt: whether there is something that fills an item and is like this, or whether the one that does is."""
    thing = some_thing(decorator)
    if thing is None:
        return None
    asked = [word for word in decorator.seen.attributes[thing] if word.kind != OTHER]
    if not asked:
        return None
    word = decorator.chance.choice(asked)
    if decorator.chance.random() < _THERE:
        return _something(decorator, thing, decorator.chance.choice(decorator.seen.fills[thing]), word=word)
    description = decorator.known(thing, avoid=(word.kind,))
    false = description and _false_word(decorator, word, 1 << thing)
    if description is None or false is None or not decorator.seen.words[word.word].plain:
        return None
    return _tossed(
        decorator,
        Is(description, word=word),
        Is(description, word=false),
        Change("attribute", false.word, word.word),
    )


def _something(decorator: Decorator, thing: int, query: Query, *, word: Word | None) -> Drafted | None:
    """Whether there is something that fills an item, with a word for what it is like or without."""
    seen, chance = decorator.seen, decorator.chance
    found = seen.items[query]
    begun = decorator.noun(thing, found)
    noun = seen.kinds[begun.description.noun] if not begun.description.vague else Found(seen.all, seen.all)
    places = [one for one in seen.standing[thing] if decorator.short(one.other)]
    related: tuple[Related, ...] = ()
    around = noun
    if places and chance.random() < _PLACED:
        standing = chance.choice(places)
        related = (Related(standing.predicate, standing.subject, chance.choice(decorator.short(standing.other))),)
        around = Found(noun.sure & standing.found, noun.perhaps & standing.found)
    known = (Known(query, query),)
    true = Description(begun.description.noun, words=(word,) if word else (), known=known, related=related)
    fitting = around.both(found)
    if word is not None:
        false_word = _false_word(decorator, word, fitting.perhaps)
        if false_word is None or not fitting.both(seen.words[word.word]).plain:
            return None
        false = replace(true, words=(false_word,))
        change = Change("attribute", false_word.word, word.word)
        return _tossed(decorator, Exists(true), Exists(false), change)
    turned = related and _turned(decorator, related[0], standing.other, noun.both(found))
    if turned:
        change = Change("relation", turned.predicate, related[0].predicate)
        return _tossed(decorator, Exists(true), Exists(replace(true, related=(turned,))), change)
    false_query = _false_item(decorator, query, Grown(true, around), others=bool(related))
    if false_query is None:
        return None
    false = replace(true, known=(Known(false_query, false_query),))
    return _tossed(
        decorator, Exists(true), Exists(false), Change("knowledge", _shown(false_query), _shown(query))
    )


def _tossed(decorator: Decorator, true: Draft, false: Draft, change: Change) -> Drafted:
    return (true, None) if decorator.chance.random() < 0.5 else (false, change)


def _shown(query: Query) -> str:
    return f"<{', '.join(query)}>"


def _false_item(decorator: Decorator, query: Query, grown: Grown, *, others: bool) -> Query | None:
    """An item of the same relation that could be true of such a thing, and is of none that fits.

    others : whether it must be true of another thing of the picture; else it must be true of none
    """
    seen, noun = decorator.seen, grown.description.noun
    if others:
        listed: Iterable[Query] = (
            other
            for other, found in seen.items.items()
            if found.sure and found.plain and not found.perhaps & grown.found.perhaps
        )
    else:
        name = decorator.chance.choice(seen.sayable.names)
        listed = (other for other in seen.sayable.true[name] if other not in seen.items)
    fitting = [
        other for other in listed if other.relation == query.relation and seen.sayable.spread(other, noun)
    ]
    return decorator.chance.choice(fitting) if fitting else None


def _false_word(decorator: Decorator, word: Word, things: int) -> Word | None:
    """A word of the same kind that another thing has, and none of these can be called."""
    seen = decorator.seen
    if word.kind in _GRADED:
        opposite = words().opposite.get(word.word)
        listed = [opposite] if opposite else []
    else:
        for place in range(len(seen.names)):
            if things >> place & 1 and not seen.graph.things[place].attributes.get(word.kind):
                return None
        listed = sorted({other.word for all in seen.attributes for other in all if other.kind == word.kind})
    nothing = Found(0, 0)
    fitting = [
        other
        for other in listed
        if not seen.words.get(other, nothing).perhaps & things and not set(other.split()) & set(word.word.split())
    ]
    return Word(word.kind, decorator.chance.choice(fitting)) if fitting else None


def _turned(decorator: Decorator, related: Related, other: int, things: Found) -> Related | None:
    """A relation turned into its opposite, where nothing stands so."""
    opposite = words().opposite.get(related.predicate)
    if opposite is None or decorator.chance.random() >= _TURNED:
        return None
    for place, standings in enumerate(decorator.seen.standing):
        if things.perhaps >> place & 1 and any(
            (one.predicate, one.subject, one.other) == (opposite, related.subject, other) for one in standings
        ):
            return None
    return related._replace(predicate=opposite)


def some_thing(decorator: Decorator) -> int | None:
    """A thing of which something is known."""
    things = [thing for thing in decorator.seen.candidates if decorator.seen.fills[thing]]
    return decorator.chance.choice(things) if things else None
