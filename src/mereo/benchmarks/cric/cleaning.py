"""Scene graphs of others made fit to be asked about: one choice of words, and one thing where boxes are of one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

import msgspec

from mereo.benchmarks.cric.cleaning_rules import denied_by, rules
from mereo.benchmarks.cric.graph import OTHER, SceneGraph, Stated, Thing, kind_of_word
from mereo.benchmarks.cric.graph_checks import by_number
from mereo.benchmarks.cric.word_choice import WordChoice
from mereo.masks import box_overlap

__all__ = ["SAME", "cleaned", "inverse_of", "listed"]

SAME = 0.7
"""Boxes of one name that overlap by more are of one thing (intersection over union)."""


def cleaned(graph: SceneGraph, words: WordChoice) -> SceneGraph:
    """A graph in the words that are kept, with one thing where several boxes of a name are of one."""
    named = [_named(thing, words) for thing in graph.things if thing.name in words.names]
    owners = _owners(named)
    groups: dict[str, list[Thing]] = defaultdict(list)
    for thing in named:
        groups[owners[thing.id]].append(thing)
    relations = {
        Stated(owners[stated.subject], words.predicates[stated.predicate], owners[stated.object])
        for stated in graph.relations
        if stated.predicate in words.predicates and stated.subject in owners and stated.object in owners
    }
    relations = {stated for stated in relations if stated.subject != stated.object}
    relations |= {turned for stated in relations if (turned := inverse_of(stated))}
    denied = {stated for stated in relations if _denial(stated) in relations}
    return msgspec.structs.replace(
        graph,
        things=tuple(_joined(owner, groups[owner]) for owner in sorted(groups, key=by_number)),
        relations=tuple(sorted(relations - denied)),
        unclear=tuple(sorted(denied)),
    )


def inverse_of(stated: Stated) -> Stated | None:
    """What a relation says the other way round, where that is another relation."""
    turned = rules().inverse.get(stated.predicate)
    return Stated(stated.object, turned, stated.subject) if turned else None


def _denial(stated: Stated) -> Stated | None:
    """The relation that cannot hold beside one: left of, beside right of."""
    turned = rules().inverse.get(stated.predicate, stated.predicate)
    return Stated(stated.subject, turned, stated.object) if turned != stated.predicate else None


def _named(thing: Thing, words: WordChoice) -> Thing:
    said = [words.attributes[word] for word in thing.attributes.get(OTHER, ()) if word in words.attributes]
    others = [words.names[word] for word in thing.unclear.get(OTHER, ()) if word in words.names]
    return msgspec.structs.replace(
        thing, name=words.names[thing.name], attributes={OTHER: tuple(said)}, unclear={OTHER: tuple(others)}
    )


def _owners(things: Sequence[Thing]) -> dict[str, str]:
    """By thing the one that stands for it: of all boxes of one thing the largest, since the others show it in part."""
    same = {thing.id: {thing.id} for thing in things}
    by_name: dict[str, list[Thing]] = defaultdict(list)
    for thing in things:
        by_name[thing.name].append(thing)
    for group in by_name.values():
        for place, one in enumerate(group):
            for other in group[:place]:
                apart = same[one.id] is not same[other.id]
                if apart and one.box and other.box and box_overlap(one.box, other.box) > SAME:
                    same[one.id] |= same[other.id]
                    for name in same[other.id]:
                        same[name] = same[one.id]
    size = {thing.id: thing.box[2] * thing.box[3] if thing.box else 0.0 for thing in things}
    return {name: max(sorted(group), key=lambda one: size[one]) for name, group in same.items()}


def _joined(owner: str, group: Sequence[Thing]) -> Thing:
    """One thing with all that is said of it, by kinds; of words that contradict each other none is sure."""
    own = next(thing for thing in group if thing.id == owner)
    kinds: dict[str, set[str]] = defaultdict(set)
    for thing in group:
        for word in thing.attributes[OTHER]:
            kinds[kind_of_word(word)].add(word)
    sure = {kind: words - _contradicted(kind, words) for kind, words in kinds.items()}
    unclear = {kind: words - sure[kind] for kind, words in kinds.items()}
    unclear[OTHER] = unclear.get(OTHER, set()) | {word for thing in group for word in thing.unclear[OTHER]} - {own.name}
    return msgspec.structs.replace(own, attributes=listed(sure), unclear=listed(unclear))


def _contradicted(kind: str, words: Collection[str]) -> set[str]:
    if kind in rules().exclusive:
        return set(words) if len(words) > 1 else set()
    return {word for word in words if denied_by(word).intersection(words)}


def listed(kinds: Mapping[str, Collection[str]]) -> dict[str, tuple[str, ...]]:
    """Words by kind as a thing has them, whatever the order in which they were found."""
    return {kind: tuple(sorted(words)) for kind, words in sorted(kinds.items()) if words}
