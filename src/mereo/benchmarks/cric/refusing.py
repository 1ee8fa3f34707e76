"""Questions for yes and no: a true one, and the same with one part changed so that it is false.

Where both can be asked, one of the two is, by the toss of a coin, so that no way to ask tells the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from mereo.benchmarks.cric.decorating import Decorator, Grown
from mereo.benchmarks.cric.description import Description, Known, Related, Word
from mereo.benchmarks.cric.drafts import Draft, Exists, Is
from mereo.benchmarks.cric.graph import OTHER
from mereo.benchmarks.cric.lore import Query
from mereo.benchmarks.cric.seen import Found, Standing
from mereo.benchmarks.cric.words import words
from mereo.world import members

__all__ = ["Change", "Pair", "some_thing", "verify_attribute", "verify_item", "verify_word"]

_THERE, _TURNED, _PLACED = 0.5, 0.3, 0.3
"""How often is asked whether there is something, a relation is turned into its opposite where it can be, and a relation
is said of what is looked for."""
_GRADED = ("size", "state", OTHER)
"""Kinds of which one thing may have several words, so that only opposites exclude each other."""


class Change(NamedTuple):
    """What was changed so that the answer is no."""

    kind: str
    asked: str
    instead: str


class Pair(NamedTuple):
    """A true draft and a false one."""

    true: Draft
    false: Draft
    change: Change


class _Something(NamedTuple):
    """What may be there: a description, what its noun and relation find, and how it stands to another thing."""

    description: Description
    noun: Found
    around: Found
    standing: Standing | None


def verify_item(decorator: Decorator) -> Pair | None:
    """VerifyKG: whether there is something that fills an item, or whether one thing does."""
    thing = some_thing(decorator)
    if thing is None:
        return None
    item = decorator.item(thing)[0]
    if decorator.chance.random() < _THERE:
        return _something_known(decorator, _something(decorator, thing, _filling(decorator, thing, item)))
    everything = Found(decorator.seen.all, decorator.seen.all)
    grown = decorator.grown(thing, decorator.noun(thing, everything), ways=("words", "related"))
    false = grown and _false_item(decorator, item.query, grown, others=True)
    if grown is None or false is None:
        return None
    return Pair(Is(grown.description, item), Is(grown.description, false), _changed(false, item))


def verify_attribute(decorator: Decorator) -> Pair | None:
    """VerifyAtt: whether there is something that fills an item and is like this, or whether the one that does is."""
    seen, thing = decorator.seen, some_thing(decorator)
    if thing is None:
        return None
    asked = [word for word in seen.attributes[thing] if word.kind != OTHER]
    if not asked:
        return None
    word = decorator.chance.choice(asked)

    def there() -> Grown:
        return _filling(decorator, thing, decorator.item(thing)[0])

    return verify_word(decorator, thing, word, there=there, tell=decorator.known)


def verify_word(
    decorator: Decorator,
    thing: int,
    word: Word,
    *,
    there: Callable[[], Grown],
    tell: Callable[..., Description | None],
) -> Pair | None:
    """Whether there is something that is like this, or whether one thing is.

    there : what there may be, and what its noun finds · tell : how one thing is described, without words of a kind
    """
    if decorator.seen.words[word.word].plain and decorator.chance.random() < _THERE:
        return _something_like(decorator, _something(decorator, thing, there()), word)
    description = tell(thing, avoid=(word.kind,))
    false = _false_word(decorator, word, 1 << thing)
    if description is None or false is None:
        return None
    return Pair(Is(description, word=word), Is(description, word=false), Change("attribute", false.word, word.word))


def some_thing(decorator: Decorator) -> int | None:
    """A thing of which something is known."""
    things = decorator.seen.known
    return decorator.chance.choice(things) if things else None


def _filling(decorator: Decorator, thing: int, item: Known) -> Grown:
    """A thing by an item, and what its noun alone finds."""
    seen = decorator.seen
    begun = decorator.noun(thing, seen.items[item.query]).description
    noun = Found(seen.all, seen.all) if begun.vague else seen.kinds[begun.noun]
    return Grown(begun._replace(known=(item,)), noun)


def _something(decorator: Decorator, thing: int, begun: Grown) -> _Something:
    """A thing as it is described, and now and then by where it is, whatever else fits."""
    seen, chance = decorator.seen, decorator.chance
    description, noun = begun
    places = [one for one in seen.standing[thing] if one.short and decorator.short(one.other)]
    if not places or chance.random() >= _PLACED:
        return _Something(description, noun, noun, None)
    standing = chance.choice(places)
    related = Related(standing.predicate, standing.subject, chance.choice(decorator.short(standing.other)))
    around = Found(noun.sure & standing.found, noun.perhaps & standing.found)
    return _Something(description._replace(related=(related,)), noun, around, standing)


def _something_known(decorator: Decorator, there: _Something) -> Pair | None:
    """Whether there is something, or something that stands in the opposite way, or fills another item."""
    true, (item,) = there.description, there.description.known
    turned = _turned(decorator, there)
    if turned:
        change = Change("relation", turned.predicate, true.related[0].predicate)
        return Pair(Exists(true), Exists(true._replace(related=(turned,))), change)
    false = _false_item(decorator, item.query, Grown(true, there.around), others=bool(true.related))
    return false and Pair(Exists(true), Exists(true._replace(known=(false,))), _changed(false, item))


def _something_like(decorator: Decorator, there: _Something, word: Word) -> Pair | None:
    """Whether there is something with a word for what it is like, or with a word that is not true of it."""
    fitting = there.around
    for item in there.description.known:
        fitting = fitting.both(decorator.seen.items[item.query])
    false = _false_word(decorator, word, fitting.perhaps)
    if false is None:
        return None
    true, wrong = (Exists(there.description._replace(words=(one,))) for one in (word, false))
    return Pair(true, wrong, Change("attribute", false.word, word.word))


def _changed(false: Known, true: Known) -> Change:
    return Change("knowledge", *(f"<{', '.join(item.query)}>" for item in (false, true)))


def _false_item(decorator: Decorator, query: Query, grown: Grown, *, others: bool) -> Known | None:
    """An item of the same relation that could be true of such a thing, and is of none that fits.

    others : whether it must be true of another thing of the picture; else it must be true of none
    """
    seen, noun = decorator.seen, grown.description.noun
    if others:
        listed = [other for other, found in seen.by_relation[query.relation] if not found & grown.found.perhaps]
    else:
        name = decorator.chance.choice(seen.sayable.names)
        listed = [
            other for other in seen.sayable.true[name] if other.relation == query.relation and other not in seen.items
        ]
    fitting = [other for other in listed if seen.sayable.spread(other, noun)]
    if not fitting:
        return None
    false = decorator.chance.choice(fitting)
    return Known(false, false)


def _false_word(decorator: Decorator, word: Word, things: int) -> Word | None:
    """A word of the same kind that another thing has, and none of these can be called."""
    seen = decorator.seen
    if word.kind in _GRADED:
        opposite = words().opposite.get(word.word)
        listed = [opposite] if opposite else []
    elif all(seen.graph.things[thing].attributes.get(word.kind) for thing in members(things)):
        listed = sorted({other.word for all in seen.attributes for other in all if other.kind == word.kind})
    else:
        return None  # nobody has said of all of them what they are
    nothing, said = Found(0, 0), set(word.word.split())
    fitting = [
        other
        for other in listed
        if not seen.words.get(other, nothing).perhaps & things and said.isdisjoint(other.split())
    ]
    return Word(word.kind, decorator.chance.choice(fitting)) if fitting else None


def _turned(decorator: Decorator, there: _Something) -> Related | None:
    """A relation turned into its opposite, where nothing of the kind stands so."""
    if there.standing is None or decorator.chance.random() >= _TURNED:
        return None
    (related,), (item,) = there.description.related, there.description.known
    opposite = words().opposite.get(related.predicate)
    things = there.noun.both(decorator.seen.items[item.query]).perhaps
    if opposite is None or any(
        one.predicate == opposite and one.subject == related.subject and one.other == there.standing.other
        for thing in members(things)
        for one in decorator.seen.standing[thing]
    ):
        return None
    return related._replace(predicate=opposite)
