"""What objects are painted with: the material and color that are said of them, and what small parts have instead."""

from __future__ import annotations

from collections.abc import Mapping

from mereo.benchmarks.shop.choice import build_of
from mereo.scenes.scene import Paint, Vector

__all__ = ["COLORS", "paints_of"]

COLORS: dict[str, Vector] = {
    name: (red / 255, green / 255, blue / 255)
    for name, (red, green, blue) in {
        "gray": (122, 124, 128),
        "red": (190, 28, 32),
        "blue": (32, 66, 200),
        "green": (28, 130, 52),
        "brown": (112, 66, 34),
        "purple": (125, 45, 175),
        "cyan": (40, 185, 190),
        "yellow": (242, 214, 28),
        "white": (240, 240, 236),
        "metallic": (205, 205, 208),
        "transparent": (247, 250, 250),
        "black": (26, 26, 28),
    }.items()
}
"""sRGB by the color's word."""
_RENDERED = {"wooden": "wood", "metal": "lacquer"}
"""The renderer's word of a material, where it is another; metal is painted unless it is bare."""
_DARK, _MID = (0.13, 0.13, 0.14), (0.5, 0.5, 0.52)


def paints_of(looks: Mapping[str, str]) -> dict[str, Paint]:
    """Paint by label of an object that looks so."""
    build, color, material = build_of(looks["name"]), looks["color"], looks["material"]
    bare = color == "metallic"
    made = "metal" if bare else _RENDERED.get(material, material)
    accent = Paint("plastic", _MID if color == "black" else _DARK)
    others = {
        **dict.fromkeys(build.accent, accent),
        **dict.fromkeys(build.metal, Paint("metal", COLORS["metallic"])),
        **dict.fromkeys(build.clear, Paint("glass", COLORS["transparent"])),
    }
    top = _ROOTS.get(build.category, build.category)
    return {"": Paint(made, COLORS[color], color)} | {f"{top}/{label}": paint for label, paint in others.items()}


_ROOTS = {"pot": "cooking_pot", "knife": "cutting_instrument"}
"""What the root of a category's labels is called, where it is not the category's name."""
