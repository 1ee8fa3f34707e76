"""The language of CRIC: ten functions over what is seen and what is known."""

from __future__ import annotations

from mereo.benchmarks.cric.graph import ATTRIBUTES, KINDS
from mereo.benchmarks.cric.lore import ANYTHING, BLANK, VISION, Lore, Query
from mereo.programs import (
    BOOLEAN,
    OBJECT_SET,
    Function,
    Language,
    NothingReferred,
    NoValue,
    SeveralReferred,
    value_type,
)
from mereo.world import Vocabulary, World, members

__all__ = ["LANGUAGE", "VOCABULARY", "recognized"]

VOCABULARY = Vocabulary.of(ATTRIBUTES)
"""Any word may be a name, an attribute or a predicate: pictures of others have thousands of them."""

_WORD, _PREDICATE, _CATEGORY = value_type("Word"), value_type("Predicate"), value_type("Category")
_KIND, _PHRASE, _RELATION = value_type("Kind"), value_type("Phrase"), value_type("Relation")
_ANSWER = value_type("Answer")


def _initial(world: World) -> int:
    return world.objects


def _find(world: World, among: int, word: str) -> int:
    found: int | None = world.memory.get(("find", word))
    if found is None:
        found = world.having["name"][word]
        for kind in KINDS:
            found |= world.having[kind][word]
        world.memory["find", word] = found
    return among & found


def _relate(world: World, subjects: int, predicate: str) -> int:
    """The objects of a relation by its subjects."""
    if predicate not in world.related:
        return 0
    return sum(1 << place for place, row in enumerate(world.related[predicate]) if row & subjects)


def _relate_reverse(world: World, objects: int, predicate: str) -> int:
    """The subjects of a relation by its objects."""
    found = 0
    if predicate in world.related:
        table = world.related[predicate]
        for place in members(objects):
            found |= table[place]
    return found


def _named(world: World, names: frozenset[str]) -> int:
    having, found = world.having["name"], 0
    for name in names & having.keys():
        found |= having[name]
    return found


def _find_kg(world: World, beside: int, head: str, relation: str, tail: str) -> int:
    """What fills the blank; where VISION stands in the query, beside one of these objects, and not that one itself."""
    query, lore = Query(head, relation, tail), world.fact(Lore)
    if not query.compared:
        filling: int | None = world.memory.get(query)
        if filling is None:
            filling = world.memory[query] = _named(world, lore.filling(query))
        return filling
    found = 0
    for place in members(beside):
        name = world.value["name"][place]
        found |= _named(world, lore.filling_beside(query, name)) & ~(1 << place)
    return found


def _find_hypernym(world: World, among: int, category: str) -> int:
    if category in ANYTHING:
        return among
    return among & _named(world, world.fact(Lore).of_category(category))


def recognized(world: World, thing: int, kind: str) -> str:
    """What a thing is, in the words that are asked for: of a kind of attribute, or else its name."""
    if kind not in KINDS:
        return str(world.value["name"][thing])
    words: tuple[str, ...] = world.value[kind][thing] or ()
    if len(words) != 1:
        raise NoValue(f"it has no one {kind}")
    return str(words[0])


def _recognition(world: World, things: int, kind: str) -> str:
    if not things:
        raise NothingReferred("there is nothing to recognize")
    if things & (things - 1):
        raise SeveralReferred("there are several to recognize")
    return recognized(world, things.bit_length() - 1, kind)


def _and(world: World, one: int, other: int) -> int:
    return one & other


def _verify(world: World, things: int) -> bool:
    return bool(things)


_S = (OBJECT_SET,)
_KG = (_PHRASE, _RELATION, _PHRASE)

LANGUAGE = Language.of(
    "cric",
    VOCABULARY,
    [
        Function("initial", (), (), OBJECT_SET, _initial, "all things of the picture"),
        Function("find", _S, (_WORD,), OBJECT_SET, _find, "those with this name or attribute"),
        Function("relate", _S, (_PREDICATE,), OBJECT_SET, _relate, "what these stand in the relation to"),
        Function("relate_reverse", _S, (_PREDICATE,), OBJECT_SET, _relate_reverse, "what stands so to one of these"),
        Function("find_kg", _S, _KG, OBJECT_SET, _find_kg, f"what fills {BLANK} in the head, these being {VISION}"),
        Function("find_kg_reverse", _S, _KG, OBJECT_SET, _find_kg, f"what fills {BLANK} in the tail"),
        Function("find_hypernym", _S, (_CATEGORY,), OBJECT_SET, _find_hypernym, "those that are of a category"),
        Function("and", (OBJECT_SET, OBJECT_SET), (), OBJECT_SET, _and, "what is in both"),
        Function("recognition", _S, (_KIND,), _ANSWER, _recognition, "what the one thing is: a name, or of a kind"),
        Function("verify", _S, (), BOOLEAN, _verify, "whether there is any"),
    ],
    about="CRIC: what is seen joined with what is known",
)
