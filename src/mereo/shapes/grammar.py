"""Grammars: from a category's And-Or template to a shape.

A grammar is one function, in one file or folder of `grammars/`, that reads like a description of the object: it draws
from a `Style` whatever may differ, builds solids, and gives the tree of parts.

    @grammar("stool")
    def stool(style: Style) -> Part:
        height = style.number("height", 0.4, 0.5)
        seat = leaf("seat", cylinder(0.2, 0.03, (0, 0, height)))
        return part("stool", seat, *legs)
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from mereo.chance import generator
from mereo.errors import UnknownName
from mereo.shapes.articulation import moved
from mereo.shapes.joint import shifted
from mereo.shapes.part import Part, Shape
from mereo.shapes.style import Style

if TYPE_CHECKING:
    from mereo.shapes.solids import Solid

__all__ = ["SPLITS", "all_grammars", "family_number", "grammar", "is_our_grammar", "leaf", "make_shape", "part"]

Grammar = Callable[[Style], Part]

SPLITS = {"train": tuple(range(14)), "val": (14, 15), "test": (16, 17, 18), "benchmark": (19,)}
"""Which of every twenty families belong to a split; none belongs to two."""

_FOUND: dict[str, Grammar] = {}


def grammar(category: str) -> Callable[[Grammar], Grammar]:
    """Make a function the grammar of a category."""

    def register(function: Grammar) -> Grammar:
        _FOUND[category] = function
        return function

    return register


@cache
def all_grammars() -> dict[str, Grammar]:
    """Every grammar by category: the files and folders of `grammars/`, and those that installed packages offer."""
    import mereo.shapes.grammars

    for module in pkgutil.iter_modules(mereo.shapes.grammars.__path__):
        import_module(f"mereo.shapes.grammars.{module.name}")
    for point in entry_points(group="mereo.grammars"):
        point.load()
    return dict(sorted(_FOUND.items()))


def is_our_grammar(category: str) -> bool:
    """Whether mereo itself brings the grammar of a category."""
    found = all_grammars().get(category)
    return found is not None and found.__module__.startswith("mereo.shapes.")


def part(name: str, *children: Part | Iterable[Part] | None) -> Part:
    """A part made of others; lists are taken apart and what is missing is left out."""
    found: list[Part] = []
    for child in children:
        if isinstance(child, Part):
            found.append(child)
        elif child is not None:
            found += child
    return Part(name, tuple(found))


def leaf(name: str, solid: Solid, material: str = "") -> Part:
    """A part with a body of its own. material : one of `materials.toml`, where the grammar chooses it"""
    return Part(name, mesh=solid.mesh(), pieces=solid.pieces, material=material)


def family_number(split: str, index: int) -> int:
    """The number of a split's family, distinct from those of all other splits."""
    if split not in SPLITS:
        raise UnknownName("split of shapes", split, SPLITS)
    own = SPLITS[split]
    return 20 * (index // len(own)) + own[index % len(own)]


def make_shape(category: str, *, seed: int, split: str = "train", family: int = 0, instance: int = 0) -> Shape:
    """A shape of a category: which design, and which instance of the design.

    family : its place among the families of the split
    """
    grammars = all_grammars()
    if category not in grammars:
        raise UnknownName("category with a grammar", category, grammars)
    number = family_number(split, family)
    style = Style(
        generator(seed, "shapes", category, number), generator(seed, "shapes", category, number, "instance", instance)
    )
    root = grammars[category](style)
    facts = {"seed": seed, "split": split, "family": number, "instance": instance, "choices": style.choices}
    return _grounded(Shape.of(category, root, name=f"{category}-{number:05d}-{instance}", facts=facts))


def _grounded(shape: Shape) -> Shape:
    """The shape moved so that it rests on z = 0 and its box is centered over the origin."""
    low, high = shape.bounds()
    middle = (low + high) / 2
    return replace(shape, root=moved(shape.root, shifted(-middle[0], -middle[1], -low[2])))
