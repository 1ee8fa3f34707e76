"""Ordinary scenes of PTR: objects that stand in a room, apart from each other and all in view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import msgspec
import numpy as np

from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.objects import drawn_own
from mereo.benchmarks.ptr.paint import paints_of
from mereo.benchmarks.ptr.parts import ptr_categories, ptr_parts
from mereo.benchmarks.ptr.proportions import scale_of, usual_diagonal
from mereo.benchmarks.ptr.stage import empty_room, floor_of
from mereo.benchmarks.ptr.view import hard_to_see, out_of_view
from mereo.errors import NoScene
from mereo.scenes.assemble import shape_of
from mereo.scenes.layout import Candidate, NoPlace, place
from mereo.scenes.observe import directions, observe
from mereo.scenes.render import Frame, Set
from mereo.scenes.scene import Placed, Room, Scene, ShapeRef, Surface
from mereo.shapes.objects import OwnShapes

__all__ = ["Refused", "Shown", "Wanted", "bare_frame", "candidate", "ordinary_scene", "placed_scene", "shown"]

Known = TypeVar("Known")

ATTEMPTS = 60
"""How often a scene is drawn anew before it is given up."""


class Refused(NoScene):
    """A scene that broke a rule and is to be drawn again."""


@dataclass(frozen=True)
class Wanted:
    """What kind of scene is wanted."""

    split: str
    """Whose shapes may be used."""
    seed: int = 0
    """Of the shapes."""
    categories: tuple[str, ...] = ()
    """All of PTR's where none is given."""
    width: int = 480
    height: int = 320
    renderer: str = "auto"
    own: tuple[OwnShapes, ...] = ()
    """Shapes to use beside those of grammars, or instead."""
    proportions: str = "real"
    """`real`, or `equal`; see `scale_of`."""


class Shown(NamedTuple):
    """A scene with what the camera sees of it, every object well enough."""

    scene: Scene
    frame: Frame


def ordinary_scene(asked: Wanted, rng: np.random.Generator) -> Shown:
    """A scene of upright objects."""
    numbers = NUMBERS["objects"]
    count = int(rng.integers(numbers["fewest"], numbers["most"] + 1))
    return shown(lambda: (placed_scene(asked, count, rng), lambda: None), asked)[0]


def shown(
    draw: Callable[[], tuple[Scene, Callable[[], Known]]],
    asked: Wanted,
    *,
    objection: Callable[[Scene, Frame], str | None] = lambda scene, frame: None,
) -> tuple[Shown, Known]:
    """The first drawn scene in which every object can be seen, with whatever else is found out about it.

    If there is none, says which rule refused most.

    draw : a scene, and how to study it, which takes longer than looking at it and so comes second
    objection : a rule besides those of what is seen: what forbids the scene, if anything does
    """
    refused: Counter[str] = Counter()
    for _ in range(ATTEMPTS):
        try:
            scene, study = draw()
            frame = bare_frame(scene, renderer=asked.renderer)
            rule = hard_to_see(scene, observe(scene, frame)) or objection(scene, frame)
            if rule is None:
                return Shown(scene, frame), study()
        except (NoPlace, Refused) as refusal:
            rule = str(refusal)
        refused[rule] += 1
    rule, times = refused.most_common(1)[0]
    raise NoScene(f"no scene could be made in {ATTEMPTS} attempts: {rule} ({times} times)")


def bare_frame(scene: Scene, *, renderer: str) -> Frame:
    """What each pixel shows; textures, which take longest to make, are left out, as nobody sees them there."""
    assert isinstance(scene.setting, Room)
    plain = {side: Surface("stage") for side in ("floor", "back", "left", "right")}
    setting = msgspec.structs.replace(scene.setting, **plain)
    return Set(msgspec.structs.replace(scene, setting=setting), renderer=renderer).frame()


def placed_scene(asked: Wanted, count: int, rng: np.random.Generator) -> Scene:
    """So many objects that keep their distance and are likely to be seen."""
    candidates = [candidate(asked, rng) for _ in range(count)]
    scene = empty_room(count, rng, width=asked.width, height=asked.height, diagonal=usual_diagonal(candidates))
    return with_upright(scene, candidates, rng)


def with_upright(scene: Scene, candidates: Sequence[Candidate], rng: np.random.Generator) -> Scene:
    """The scene with more objects, standing where there is room for them."""
    assert isinstance(scene.setting, Room)
    sides = directions(scene)
    more = place(
        sorted(candidates, key=lambda each: -each.scale * _breadth(each.shape)),  # the largest find room while there is
        floor_of(scene.setting),
        across=sides["right"],
        away=sides["behind"],
        rng=rng,
        standing=scene.objects,
        objection=out_of_view(scene),
    )
    objects: list[Placed] = [*scene.objects, *more]
    rng.shuffle(objects)
    return msgspec.structs.replace(scene, objects=tuple(objects))


def candidate(
    asked: Wanted,
    rng: np.random.Generator,
    *,
    category: str | None = None,
    diagonal: Sequence[float] = (),
) -> Candidate:
    """An object of the split's shapes, painted, scaled and turned as PTR's objects are."""
    reference = _drawn_shape(asked, category or str(rng.choice(asked.categories or ptr_categories())), rng)
    scale = scale_of(reference, asked.proportions, rng, diagonal=diagonal)
    yaw = drawn_yaw(rng)
    return Candidate(reference, scale, paints_of(reference, rng), (yaw, yaw))


def _drawn_shape(asked: Wanted, category: str, rng: np.random.Generator) -> ShapeRef:
    """A shape of a category, own or made, with enough parts to ask about and those that make it one of its category."""
    own = drawn_own(asked.own, category, asked.split, rng)
    if own is not None:
        return ShapeRef(category, split=asked.split, own=own)
    numbers, least = NUMBERS["objects"], NUMBERS["view"]["names"]
    needed = frozenset(numbers["needs"].get(category, ()))
    for _ in range(20):
        family, instance = int(rng.integers(numbers["families"][asked.split])), int(rng.integers(numbers["instances"]))
        reference = ShapeRef(category, asked.seed, asked.split, family, instance)
        names = ptr_parts(shape_of(reference)).keys()
        if len(names) >= least and needed <= names:
            break
    return reference


def drawn_yaw(rng: np.random.Generator, degrees: Sequence[float] = (), weights: Sequence[float] = ()) -> float:
    """Degrees about z: a multiple of 30 and a little jitter."""
    numbers = NUMBERS["yaw"]
    chances = np.array(weights or numbers["weights"], float)
    yaw = float(rng.choice(degrees or numbers["degrees"], p=chances / chances.sum()))
    return round(yaw + float(rng.uniform(-numbers["jitter"], numbers["jitter"])), 3)


def _breadth(reference: ShapeRef) -> float:
    low, high = shape_of(reference).bounds()
    return float(np.hypot(*(high - low)[:2]))
