"""The scene graph of an own scene: things and parts that are plainly seen, and what a person would say of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mereo.benchmarks.cric.graph import SceneGraph, Stated, Thing
from mereo.benchmarks.cric.scenes.describing import (
    Words,
    looks_of,
    loose,
    name_of_kind,
    name_of_part,
    sizes_of,
    state_of_part,
    state_of_whole,
)
from mereo.benchmarks.cric.scenes.kinds import traits_of
from mereo.benchmarks.cric.scenes.relations import relations_of
from mereo.benchmarks.cric.scenes.things import Standing
from mereo.masks import Box
from mereo.scenes.assemble import shape_of
from mereo.scenes.observe import Observation, Seen
from mereo.scenes.scene import Scene
from mereo.shapes.part import Part

__all__ = ["PLAIN", "scene_graph"]

PLAIN = 60 / (480 * 320)
"""The least share of the picture that a part covers which is plainly seen."""
_NEARLY_ALL = 0.8
"""A part that covers more of its thing is the thing itself to whoever looks."""
_MANY = 6
"""More parts of one name nobody tells apart."""
_HOLDER = {"in": None, "on": "under"}
"""What the holder is to what it holds."""


class _Group(NamedTuple):
    """The things of one whole, itself first, and how they stand to each other."""

    things: list[Thing]
    relations: list[Stated]


def scene_graph(
    image_id: str, things: Sequence[Standing], scene: Scene, seen: Observation, *, image_filename: str
) -> SceneGraph:
    """What a person would state of a scene."""
    sizes = _sizes(things)
    groups = [_group(number, thing, scene, seen, sizes.get(number)) for number, thing in enumerate(things)]
    found = relations_of(things, scene, seen)
    stated = {
        sure: [Stated(str(a), word, str(b)) for a, word, b, its in found if its == sure] for sure in (True, False)
    }
    parts = [relation for group in groups for relation in group.relations]
    return SceneGraph(
        image_id,
        scene.camera.width,
        scene.camera.height,
        things=tuple(thing for group in groups for thing in group.things),
        relations=tuple(dict.fromkeys((*stated[True], *parts))),
        unclear=tuple(dict.fromkeys(stated[False])),
        image_filename=image_filename,
    )


def _sizes(things: Sequence[Standing]) -> dict[int, Words]:
    """What is said of the sizes of things that have their name in common."""
    named: dict[str, dict[int, float]] = defaultdict(dict)
    for number, thing in enumerate(things):
        length = thing.placed.scale * max(traits_of(thing.placed.shape).sides)
        named[name_of_kind(thing.kind)][number] = length
    return {number: words for lengths in named.values() for number, words in sizes_of(lengths).items()}


def _group(number: int, thing: Standing, scene: Scene, seen: Observation, size: Words | None) -> _Group:
    """A thing and its parts."""
    placed, name = thing.placed, name_of_kind(thing.kind)
    shape, leaves = shape_of(placed.shape), seen.parts[number]
    labels = {leaf.id: leaf.label for leaf in shape.leaves()}
    looks = looks_of(placed, ((labels[leaf], its.pixels) for leaf, its in leaves.items()))
    words = [looks, state_of_whole(shape, name), *([size] if size else [])]
    group = _Group([_thing(str(number), name, seen.objects[number].box, words)], [])
    for part, above in _plain_parts(shape.root, name, leaves, scene):
        own = name_of_part(part.label)
        assert own is not None
        visible = [(labels[leaf.id], leaves[leaf.id].pixels) for leaf in part.leaves() if leaf.id in leaves]
        part_words = [looks_of(placed, visible), state_of_part(part, own)]
        ident = f"{number}.{part.id}"
        how = loose().get(own)
        holder = f"{number}.{above}" if above else str(number)
        box = _box(leaves[leaf.id] for leaf in part.leaves() if leaf.id in leaves)
        group.things.append(_thing(ident, own, box, part_words, part_of=None if how else holder))
        group.relations.extend(_to_whole(ident, how or "part of", dict.fromkeys((holder, str(number)))))
    return group


def _to_whole(ident: str, how: str, wholes: Mapping[str, None]) -> list[Stated]:
    """A part stands so to all that it belongs to."""
    back = _HOLDER.get(how)
    found = [Stated(ident, how, whole) for whole in wholes]
    return found + [Stated(whole, back, ident) for whole in wholes if back]


def _plain_parts(root: Part, whole: str, leaves: Mapping[int, Seen], scene: Scene) -> list[tuple[Part, int]]:
    """The parts that are plainly seen and have a name, each with the id of the part above it that is one, too, or 0.

    Where one of several alike is plain and others are not, it would be taken for the only one: then none is told.
    """
    size = scene.camera.width * scene.camera.height
    named: list[tuple[Part, str, int, list[int]]] = []

    def look(part: Part, path: list[int], taken: frozenset[str]) -> None:
        name = name_of_part(part.label) if part is not root else None
        if name is not None and name not in taken:
            pixels = sum(leaves[leaf.id].pixels for leaf in part.leaves() if leaf.id in leaves)
            named.append((part, name, pixels, path))
            path, taken = [*path, part.id], taken | {name}
        for child in part.children:
            look(child, path, taken)

    look(root, [], frozenset({whole}))
    all_pixels = sum(its.pixels for its in leaves.values())
    count = Counter(name for _, name, _, _ in named)
    plain = [each for each in named if PLAIN * size <= each[2] < _NEARLY_ALL * all_pixels]
    shown = Counter(name for _, name, _, _ in plain)
    told = [each for each in plain if shown[each[1]] <= _MANY and (shown[each[1]] > 1 or count[each[1]] == 1)]
    ids = {part.id for part, *_ in told}
    return [(part, next((above for above in reversed(path) if above in ids), 0)) for part, _, _, path in told]


def _thing(ident: str, name: str, box: Box | None, words: Sequence[Words], *, part_of: str | None = None) -> Thing:
    said = {kind: own for each in words for kind, own in each.said.items()}
    unclear = {kind: own for each in words for kind, own in each.unclear.items()}
    return Thing(ident, name, box, said, unclear, part_of)


def _box(seen: Iterable[Seen]) -> Box:
    boxes = [each.box for each in seen if each.box is not None]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    return left, top, right - left, bottom - top
