"""What own things are painted with, and which words people have for how that looks."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec
import numpy as np

from mereo.files import converted, read_toml
from mereo.scenes.assemble import lab, linear
from mereo.scenes.scene import Paint, Vector
from mereo.shapes.label_pattern import fits

__all__ = ["Said", "Selector", "color_words", "drawn_paints", "lost_on", "material_words"]

Selector = str
"""A pattern of labels, or the material that parts weigh as."""
_AS = "="
_CONTRAST = 20.0
"""How far a color must be from that of what it is seen on, in CIELAB, or the thing is lost."""
_UNSURE = " of what"
"""Follows the name of a color of which nobody can tell the material."""
_UNLIKE = ("glass", "brushed_metal")
"""Finishes that show what is around: a rim and what shines tell them from anything."""


class _Color(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rgb: tuple[int, int, int]
    word: str | None = None
    also: tuple[str, ...] = ()
    finish: str = ""


class _Material(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    finish: str
    colors: tuple[str, ...]


class _Finish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    word: str = ""
    also: tuple[str, ...] = ()
    shown: str = ""


class _Paints(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    colors: dict[str, _Color]
    materials: dict[str, _Material]
    finishes: dict[str, _Finish]


class Said(msgspec.Struct, frozen=True):
    """The word that everybody says of something, if there is one, and what else some would say."""

    word: str = ""
    also: tuple[str, ...] = ()


@cache
def _table() -> _Paints:
    file = Path(__file__).with_name("paints.toml")
    return converted(read_toml(file), file=file, type=_Paints)


def drawn_paints(
    leaves: Sequence[tuple[str, str]],
    wanted: Mapping[Selector, Sequence[str]],
    chance: random.Random,
    *,
    lost: Collection[str] = (),
    unsure: bool = False,
) -> dict[str, Paint]:
    """Paint by label for leaves, each a label with a material; what one selector covers has one color.

    wanted : colors by selector, the first that fits counts; lost : colors to leave out where there are others
    """
    drawn: dict[Selector, str] = {}

    def color(selector: Selector, choices: Sequence[str]) -> str:
        if choices[0].startswith(_AS):
            other = choices[0].removeprefix(_AS)
            return color(other, wanted[other])
        if selector not in drawn:
            drawn[selector] = chance.choice([each for each in choices if each not in lost] or choices)
        return drawn[selector]

    paints: dict[str, Paint] = {}
    for label, material in leaves:
        selector = next((each for each in wanted if each == material or fits(label, each)), None)
        choices = wanted[selector] if selector else _table().materials[material].colors
        paints[label] = _paint(color(selector or material, choices), material, unsure=unsure)
    return paints


def _paint(name: str, material: str, *, unsure: bool) -> Paint:
    color = _table().colors[name]
    finish = color.finish or _table().materials[material].finish
    doubt = _UNSURE if unsure and finish == "plastic" else ""
    return Paint(_table().finishes[finish].shown or finish, _unit(color.rgb), f"{name}{doubt}")


def color_words(paint: Paint) -> Said:
    """What people call the color of a paint."""
    name = paint.name.removesuffix(_UNSURE)
    color = _table().colors[name]
    return Said(name if color.word is None else color.word, color.also)


def material_words(paint: Paint) -> Said:
    """What people say that something painted so is made of."""
    if paint.name.endswith(_UNSURE):
        return Said("", ("plastic", "metal"))
    own = _table().colors[paint.name].finish
    finish = _table().finishes[own if own and _table().finishes[own].shown else paint.material]
    return Said(finish.word, finish.also)


@cache
def lost_on(paint: Paint) -> frozenset[str]:
    """The colors that would be lost on something painted so."""
    seen = _seen(paint.color)
    return frozenset(
        name
        for name, color in _table().colors.items()
        if color.finish not in _UNLIKE and np.linalg.norm(_seen(_unit(color.rgb)) - seen) < _CONTRAST
    )


def _seen(color: Vector) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return lab(linear(color))


def _unit(color: tuple[int, int, int]) -> Vector:
    red, green, blue = (value / 255 for value in color)
    return red, green, blue
