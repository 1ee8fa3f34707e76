"""Questions about what is seen alone, as GQA asks them: without items of knowledge, and without categories."""

from __future__ import annotations

from mereo.benchmarks.cric.decorating import Decorator
from mereo.benchmarks.cric.drafts import Draft, Has, Stands
from mereo.benchmarks.cric.graph import OTHER
from mereo.benchmarks.cric.refusing import Pair, verify_word
from mereo.benchmarks.cric.seen import Found
from mereo.world import members

__all__ = ["stands_in_sight", "verify_in_sight", "what_it_looks_like"]


def stands_in_sight(decorator: Decorator) -> Draft | None:
    """QueryObjSG: a thing by how it stands to another."""
    seen = decorator.seen
    if not seen.beside:
        return None
    thing, standing = decorator.chance.choice(seen.beside)
    begun = decorator.anything(Found(standing.found, standing.found))
    description = decorator.standing(thing, standing, begun, decorator.sighted)
    return Stands(description) if description else None


def what_it_looks_like(decorator: Decorator) -> Draft | None:
    """QueryAtt: an attribute of a thing."""
    chosen = _thing_and_kind(decorator)
    if chosen is None:
        return None
    thing, kind = chosen
    description = decorator.sighted(thing, avoid=(kind,))
    return Has(description, kind) if description else None


def verify_in_sight(decorator: Decorator) -> Pair | None:
    """VerifyAtt: whether there is something of a name that is like this, or whether one thing is."""
    chosen = _thing_and_kind(decorator)
    if chosen is None:
        return None
    thing, kind = chosen
    word = decorator.chance.choice([word for word in decorator.seen.attributes[thing] if word.kind == kind])
    called = decorator.called(thing)
    return verify_word(decorator, thing, word, there=lambda: called, tell=decorator.sighted)


def _thing_and_kind(decorator: Decorator) -> tuple[int, str] | None:
    """A thing that may be pointed at, and a kind of attribute that everybody would say what it is of it."""
    seen = decorator.seen
    kinds = {
        thing: found
        for thing in members(seen.candidates)
        if (found := sorted({word.kind for word in seen.attributes[thing]} - {OTHER}))
    }
    if not kinds:
        return None
    thing = decorator.chance.choice(list(kinds))
    return thing, decorator.chance.choice(kinds[thing])
