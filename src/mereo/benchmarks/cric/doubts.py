"""What an incomplete scene graph leaves open: nobody who described a picture said all, so what is unsaid may be so.

A question must not depend on it: whatever could be true stands under `unclear`, within these bounds.

- A thing of which no color (material, pattern, shape) is said may have any that is said of a thing of the picture.
- Of words that go together, as sizes and states do, any that is said of one thing may be true of all others, but for
  those of which an opposite is said.
- Somebody less exact may say a wider word: of a tan thing that it is brown.
- What is said of one thing and an object may hold of any other of its name that is as near to that object, and of any
  other object of that name.
- What is said to be on or in something may go for all that has its place within that box.

Left and right are not left open: they follow from boxes. Where a graph says of anything that it is left of an object,
all that lies wholly on that side is so, too, and what lies partly there is unclear.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec.structs import replace

from mereo.benchmarks.cric.cleaning import inverse_of, listed
from mereo.benchmarks.cric.cleaning_rules import denied_by, rules
from mereo.benchmarks.cric.graph import OTHER, SceneGraph, Stated, Thing, kind_of_word
from mereo.masks import Box

__all__ = ["doubts"]

_SIDES = {"left of": -1, "right of": 1}
_INSIDE = 0.9
"""The share of a thing's width that lies above what it may be on."""


def doubts(graph: SceneGraph) -> SceneGraph:
    """A cleaned graph with all that it leaves open under `unclear`."""
    said: dict[str, set[str]] = defaultdict(set)
    for thing in graph.things:
        for kind, words in thing.attributes.items():
            said[kind].update(words)
        for kind, words in thing.unclear.items():
            if kind != OTHER:  # where other names stand, too
                said[kind].update(words)
    sides = set(_on_sides(graph))
    sure = {*graph.relations, *(stated for stated, wholly in sides if wholly)}
    open_ones = {*graph.unclear, *(stated for stated, _ in sides), *_as_near(graph), *_with_place_within(graph)}
    open_ones |= {turned for stated in open_ones if (turned := inverse_of(stated))}
    return replace(
        graph,
        things=tuple(_opened(thing, said) for thing in graph.things),
        relations=tuple(sorted(sure)),
        unclear=tuple(sorted(open_ones - sure)),
    )


def _opened(thing: Thing, said: Mapping[str, Collection[str]]) -> Thing:
    unclear = {kind: set(words) for kind, words in thing.unclear.items()}
    for kind, words in said.items():
        own = thing.attributes.get(kind, ())
        if kind not in rules().exclusive:
            denied = frozenset[str]().union(*(denied_by(word) for word in own))
            unclear.setdefault(kind, set()).update(set(words) - denied - set(own))
        elif not own and kind not in thing.unclear:
            unclear[kind] = set(words)
    for words in thing.attributes.values():
        for wider in (rules().wider[word] for word in words if word in rules().wider):
            if wider not in words:
                unclear.setdefault(kind_of_word(wider), set()).add(wider)
    return replace(thing, unclear=listed(unclear))


def _on_sides(graph: SceneGraph) -> Iterator[tuple[Stated, bool]]:
    """All that is left or right of an object of which somebody said so of anything, and whether it is wholly."""
    boxes = _boxes(graph)
    for predicate, thing in {(stated.predicate, stated.object) for stated in graph.relations}:
        side = _SIDES.get(predicate)
        if side and thing in boxes:
            for other, box in boxes.items():
                near, far = _edges(box, boxes[thing], side)
                if other != thing and far > 0:
                    yield Stated(other, predicate, thing), near >= 0


def _edges(box: Box, of: Box, side: int) -> tuple[float, float]:
    """How far a box begins beyond another on a side, and how far its middle lies beyond the middle of that."""
    apart = box[0] + box[2] / 2 - (of[0] + of[2] / 2)
    gap = box[0] - (of[0] + of[2]) if side > 0 else of[0] - (box[0] + box[2])
    return gap, side * apart


def _as_near(graph: SceneGraph) -> Iterator[Stated]:
    """What is stated, of other things by the same name that are as near."""
    boxes, by_name = _boxes(graph), defaultdict[str, list[str]](list)
    names = {thing.id: thing.name for thing in graph.things}
    for name in boxes:
        by_name[names[name]].append(name)
    for stated in graph.relations:
        if stated.predicate in _SIDES or stated.subject not in boxes or stated.object not in boxes:
            continue
        allowed = _gap(boxes[stated.subject], boxes[stated.object])
        for one in by_name[names[stated.subject]]:
            if one not in (stated.subject, stated.object) and _gap(boxes[one], boxes[stated.object]) <= allowed:
                yield Stated(one, stated.predicate, stated.object)
        for one in by_name[names[stated.object]]:
            if one not in (stated.subject, stated.object) and _gap(boxes[stated.subject], boxes[one]) <= allowed:
                yield Stated(stated.subject, stated.predicate, one)


def _with_place_within(graph: SceneGraph) -> Iterator[Stated]:
    """All whose lower edge lies in the box of something that anything is said to be on or in."""
    boxes = _boxes(graph)
    for predicate, thing in {(stated.predicate, stated.object) for stated in graph.relations}:
        if predicate in rules().within and thing in boxes:
            left, top, width, height = boxes[thing]
            for other, (x, y, across, down) in boxes.items():
                shared = min(x + across, left + width) - max(x, left)
                if other != thing and shared >= _INSIDE * across and top < y + down <= top + height:
                    yield Stated(other, predicate, thing)


def _gap(one: Box, other: Box) -> float:
    """The pixels between two boxes, across or down, whichever is more; none where they touch."""
    return max(0.0, *(_between(one, other, axis) for axis in (0, 1)))


def _between(one: Sequence[float], other: Sequence[float], axis: int) -> float:
    return max(one[axis] - other[axis] - other[axis + 2], other[axis] - one[axis] - one[axis + 2])


def _boxes(graph: SceneGraph) -> dict[str, Box]:
    return {thing.id: thing.box for thing in graph.things if thing.box}
