"""The things of own scenes before they have a place: which shape, how large, and painted with what."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from mereo.benchmarks.cric.scenes.paints import Selector, drawn_paints
from mereo.errors import NoScene, UnknownName
from mereo.files import converted, read_toml
from mereo.scenes.assemble import kept_of, shape_of
from mereo.scenes.scene import Paint, ShapeRef
from mereo.shapes.label_pattern import fits
from mereo.shapes.physical import material_of

__all__ = ["LIBRARY", "Kind", "Model", "Traits", "all_shapes", "drawn_model", "kinds", "traits_of"]

LIBRARY = {"train": "train", "val": "val", "validation": "val", "test": "test"}
"""The split of the shape library whose families a split of scenes shows."""
_FAMILIES = {"train": 30, "val": 10, "test": 15}
"""How many families of a category are looked at, of the kinds that are easily found."""
_SHAPES_SEED = 0
"""All builds show the same shapes."""

Reach = tuple[float, float]


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of thing; `kinds.toml` says what the fields mean."""

    meters: Reach
    category: str = ""
    by: Literal["longest", "length", "height"] = "longest"
    wide: Reach = (0.0, 9.0)
    deep: Reach = (0.0, 9.0)
    high: Reach = (0.0, 9.0)
    needs: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    turn: float = 180.0
    unsure: bool = False
    paints: dict[Selector, tuple[str, ...]] = {}
    rare: int = 1


class Traits(NamedTuple):
    """What is known of a shape without its meshes."""

    sides: tuple[float, float, float]
    """How wide, deep and high it is as it is built. Meters"""
    leaves: tuple[tuple[str, str], ...]
    """The label of each of its leaves and the material it weighs as, each pair once."""


class Model(NamedTuple):
    """A thing before it has a place."""

    kind: str
    shape: ShapeRef
    scale: float
    paints: Mapping[str, Paint]


@cache
def kinds() -> dict[str, Kind]:
    """All kinds by name, each with its category."""
    file = Path(__file__).with_name("kinds.toml")
    read = converted(read_toml(file), file=file, type=dict[str, Kind])
    return {name: msgspec.structs.replace(kind, category=kind.category or name) for name, kind in read.items()}


@lru_cache(maxsize=1 << 14)
def traits_of(reference: ShapeRef) -> Traits:
    """What is known of a shape without its meshes; kept, since many are looked at for one that is taken."""

    def found() -> list[object]:
        shape = shape_of(reference)
        low, high = shape.bounds()
        leaves = dict.fromkeys((leaf.label, material_of(leaf).name) for leaf in shape.leaves())
        return [(high - low).tolist(), [list(pair) for pair in leaves]]

    sides, leaves = kept_of(reference, "traits", found)
    wide, deep, high = sides
    return Traits((wide, deep, high), tuple((label, material) for label, material in leaves))


def all_shapes() -> Iterator[ShapeRef]:
    """Every shape that a scene can show."""
    rarest: dict[str, int] = {}
    for kind in kinds().values():
        rarest[kind.category] = max(kind.rare, rarest.get(kind.category, 1))
    for category, rare in sorted(rarest.items()):
        for library in _FAMILIES:
            yield from _shapes(category, library, rare)


def _shapes(category: str, library: str, rare: int) -> list[ShapeRef]:
    return [ShapeRef(category, _SHAPES_SEED, library, family) for family in range(rare * _FAMILIES[library])]


def _drawn_shape(name: str, split: str, chance: random.Random) -> ShapeRef:
    """A shape of a kind. They are looked at one by one, because to make all of a category takes seconds."""
    kind = kinds()[name]
    shapes = _shapes(kind.category, LIBRARY[split], kind.rare)
    chance.shuffle(shapes)
    found = next((shape for shape in shapes if _is_of(kind, traits_of(shape))), None)
    if found is None:
        raise NoScene(f"no shape of {split} is a {name}")
    return found


def _is_of(kind: Kind, traits: Traits) -> bool:
    labels = [label for label, _ in traits.leaves]
    above = {label.rsplit("/", steps)[0] for label in labels for steps in range(label.count("/") + 1)} | {*labels}

    def has(patterns: Collection[str]) -> bool:
        return any(fits(label, pattern) for label in above for pattern in patterns)

    reaches = zip(traits.sides, (kind.wide, kind.deep, kind.high), strict=True)
    sized = all(low <= side <= high for side, (low, high) in reaches)
    return sized and (not kind.needs or has(kind.needs)) and not has(kind.without)


def drawn_model(name: str, split: str, chance: random.Random, *, lost: Collection[str] = ()) -> Model:
    """A thing of a kind as a split shows it. lost : colors that most of it must not have, where it can have others"""
    if split not in LIBRARY:
        raise UnknownName("split of scenes", split, LIBRARY)
    kind, shape = kinds()[name], _drawn_shape(name, split, chance)
    traits = traits_of(shape)
    wide, deep, high = traits.sides
    measure = {"longest": max(wide, deep, high), "length": max(wide, deep), "height": high}[kind.by]
    wanted = min(max(measure, kind.meters[0]), kind.meters[1])
    paints = drawn_paints(traits.leaves, kind.paints, chance, lost=lost, unsure=kind.unsure)
    return Model(name, shape, round(wanted / measure, 4), paints)
