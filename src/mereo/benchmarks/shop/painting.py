"""What objects are painted with: the material and color that are said of them, and what small parts have instead."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from mereo.benchmarks.shop.choice import build_of
from mereo.files import converted, read_toml
from mereo.scenes.scene import Paint, Vector

__all__ = ["paints", "paints_of"]

Color = tuple[int, int, int]


class _Paints(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    colors: dict[str, Color]
    finishes: dict[str, str]
    wood: dict[str, Color]
    accent: dict[str, Color]


@cache
def _table() -> _Paints:
    file = Path(__file__).with_name("paints.toml")
    return converted(read_toml(file), file=file, type=_Paints)


@cache
def paints() -> dict[str, Vector]:
    """The paint of each color's word. sRGB, 0 to 1"""
    return {name: _unit(color) for name, color in _table().colors.items()}


def paints_of(looks: Mapping[str, str]) -> dict[str, Paint]:
    """Paint by label of an object that looks so."""
    build, color, material = build_of(looks["name"]), looks["color"], looks["material"]
    table = _table()
    bare = Paint("metal", paints()["metallic"], "metallic")
    own = Paint(table.finishes[material], _unit((table.wood if material == "wooden" else table.colors)[color]), color)
    accent = Paint("plastic", _unit(table.accent["beside black" if color == "black" else "usual"]))
    return {
        "": bare if color == "metallic" else own,
        **dict.fromkeys(build.accent, accent),
        **dict.fromkeys(build.metal, bare),
        **dict.fromkeys(build.clear, Paint("glass", paints()["transparent"])),
    }


def _unit(color: Color) -> Vector:
    red, green, blue = (value / 255 for value in color)
    return red, green, blue
