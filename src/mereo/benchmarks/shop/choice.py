"""Which things stand on a table: models drawn for a split, each with its shape, its size, and the page it came with."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mereo.benchmarks.shop.models import Model, drawn_looks, instances_of, models
from mereo.benchmarks.shop.texts import Value, pages_of, properties_of
from mereo.errors import BadInput
from mereo.files import converted, read_toml
from mereo.scenes.assemble import kept_of, shape_of
from mereo.scenes.scene import ShapeRef
from mereo.shapes.mesh import Floats
from mereo.shapes.sizes import usual_length

__all__ = [
    "SMALLER",
    "Build",
    "Thing",
    "all_shapes",
    "build_of",
    "check_shape",
    "drawn_shape",
    "drawn_thing",
    "families_of",
    "sides_of",
]

SMALLER = 0.75
"""How large the smaller build of a model is beside the usual one."""
_PLAY = 0.06
"""By how much the sizes of one class differ, as a share."""
_INSTANCES = 3
_LIBRARY = {"known": "train", "new": "test"}
"""The split of the shape library whose families a kind of models is built as."""


class Build(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a class is built and painted; `classes.toml` says what the fields mean."""

    category: str
    meters: float
    turn: float = 180.0
    tells: tuple[str, ...] = ()
    accent: tuple[str, ...] = ()
    metal: tuple[str, ...] = ()
    clear: tuple[str, ...] = ()


class Thing(NamedTuple):
    """An object before it has a place."""

    looks: Mapping[str, str]
    """What is seen of it, by attribute."""
    properties: Mapping[str, Value]
    """What is read about it."""
    description: str
    shape: ShapeRef
    scale: float


@cache
def _builds() -> dict[str, Build]:
    file = Path(__file__).with_name("classes.toml")
    return converted(read_toml(file), file=file, type=dict[str, Build])


@cache
def _families() -> dict[str, Any]:
    return read_toml(Path(__file__).with_name("families.toml"))


def build_of(name: str) -> Build:
    """How objects of a class are built. name : as "wine glass" """
    return _builds()[name]


def families_of(looks: Mapping[str, Any], *, split: str) -> tuple[int, ...]:
    """The families of the shape library that are such things; that there are none is refused."""
    own = _families()[_LIBRARY[instances_of(split)]].get(looks["name"], {})
    kind = looks["shape"]
    if looks["name"] == "kettle":
        kind = "electric" if looks["color"] == "metallic" else "stove"
    if not own.get(kind):
        said = looks["name"] if not own else f"{looks['name']} that is {looks['shape']} and {looks['color']}"
        raise BadInput(f"there is no family of a {said} in {split}", field="name")
    return tuple(own[kind])


def check_shape(thing: Mapping[str, Any], *, split: str) -> None:
    """Refuse an object whose shape is none of those that such things have in a split."""
    families, model = families_of(thing, split=split), thing.get("model")
    built = build_of(thing["name"]).category, _LIBRARY[instances_of(split)]
    if (
        not isinstance(model, Mapping)
        or (model.get("category"), model.get("split")) != built
        or model.get("family") not in families
    ):
        raise BadInput(f"is no shape that a {thing['name']} like this has in {split}", field="model")


def all_shapes() -> Iterator[ShapeRef]:
    """Every shape that a scene can show."""
    for library, classes in _families().items():
        for name, kinds in classes.items():
            for family in sorted({family for families in kinds.values() for family in families}):
                for instance in range(_INSTANCES):
                    yield ShapeRef(build_of(name).category, 0, library, family, instance)


def drawn_thing(split: str, chance: random.Random, *, lost: Collection[str] = ()) -> Thing:
    """An object of the models that a split shows: a class, one of its models, and one way that it can look.

    lost : colors that it must not have; a class that has no others is left out
    """
    known = models(instances_of(split))
    names = [name for name, own in known.items() if any(_shown(model, lost) for model in own)]
    model = chance.choice([model for model in known[chance.choice(names)] if _shown(model, lost)])
    looks = drawn_looks(model, chance)
    while looks["color"] in lost:
        looks = drawn_looks(model, chance)
    name, shape = looks["name"], drawn_shape(looks, chance, split=split)
    page = chance.choice(pages_of(name, looks, split=split))
    return Thing(looks, properties_of(name, looks), page, shape, _scale(model, looks["size"], shape, chance))


def _shown(model: Model, lost: Collection[str]) -> bool:
    """Whether a model has any color that is not lost."""
    return any(color not in lost for colors in model.colors.values() for color in colors)


def drawn_shape(looks: Mapping[str, Any], chance: random.Random, *, split: str) -> ShapeRef:
    """A shape that is such a thing."""
    family, library = chance.choice(families_of(looks, split=split)), _LIBRARY[instances_of(split)]
    return ShapeRef(build_of(looks["name"]).category, 0, library, family, chance.randrange(_INSTANCES))


def _scale(model: Model, size: str, shape: ShapeRef, chance: random.Random) -> float:
    """What brings a shape to the length that such things have."""
    low, high = usual_length(shape.category)
    wanted = build_of(model.name).meters * chance.uniform(1 - _PLAY, 1 + _PLAY)
    wanted *= SMALLER if size != model.sizes[0] else 1.0
    return round(min(max(wanted, low), high) / float(sides_of(shape).max()), 4)


@lru_cache(maxsize=4096)
def sides_of(shape: ShapeRef) -> Floats:
    """(3,) float: how wide, deep and high a shape is as it is built. Meters"""

    def measured() -> Floats:
        low, high = shape_of(shape).bounds()
        box: Floats = high - low
        return box

    sides: Floats = kept_of(shape, "sides", measured)
    return sides
