"""Spoons: for soup, tea and serving, ladles and wooden ones; each lies with its hollow up, towards +x."""

from __future__ import annotations

import numpy as np

from mereo.shapes.cutlery import laid, stem
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.part import Part
from mereo.shapes.skins import curve, sheet
from mereo.shapes.solids import Solid
from mereo.shapes.style import Style

_KINDS: dict[str, tuple[float, tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    "table": (2.5, (0.062, 0.075), (0.58, 0.68), (0.009, 0.013)),
    "tea": (1.5, (0.042, 0.05), (0.6, 0.7), (0.007, 0.009)),
    "round": (1.3, (0.05, 0.06), (0.9, 1.0), (0.01, 0.014)),
    "serving": (1.2, (0.09, 0.12), (0.62, 0.75), (0.016, 0.024)),
    "ladle": (1.2, (0.075, 0.1), (0.95, 1.0), (0.03, 0.042)),
    "flat": (0.9, (0.06, 0.09), (0.45, 0.7), (0.004, 0.006)),
    "dessert": (0.9, (0.055, 0.065), (0.5, 0.56), (0.008, 0.011)),
}
"""How usual a kind is, and the bounds of its bowl: length, width as a share of that, depth."""
_OUTLINES = {
    "egg": [(0, 0.12), (0.1, 0.55), (0.35, 1.0), (0.7, 0.85), (0.92, 0.45), (1, 0.12)],
    "oval": [(0, 0.12), (0.08, 0.55), (0.3, 0.95), (0.5, 1.0), (0.7, 0.95), (0.92, 0.55), (1, 0.12)],
    "pointed": [(0, 0.12), (0.15, 0.75), (0.4, 1.0), (0.75, 0.7), (1, 0.05)],
    "shovel": [(0, 0.12), (0.12, 0.6), (0.4, 0.85), (0.8, 1.0), (0.97, 0.95), (1, 0.8)],
}
"""How wide a bowl is from the neck to the tip, as shares."""


@grammar("spoon")
def spoon(style: Style) -> Part:
    """A bowl on a handle."""
    kind = style.pick("kind", {name: weight for name, (weight, _, _, _) in _KINDS.items()})
    _, lengths, shares, depths = _KINDS[kind]
    long, deep = style.number("length", *lengths), style.number("depth", *depths)
    wide = long * style.number("width", *shares)
    forms = {"oval": 1.0} if kind in ("round", "ladle") else {"egg": 2.0, "oval": 1.5, "pointed": 0.8, "shovel": 0.6}
    form = style.pick("form", forms)
    low = 1.1 * deep + style.number("rise", 0.03, 0.07) if kind == "ladle" else style.number("end height", 0.003, 0.006)
    hold, material = stem(style, high=1.08 * deep - 0.0008, low=low)
    thick = {"wood": 0.0045, "plastic": 0.0026}.get(material, 0.0016)
    return laid(part("spoon", leaf("container", _bowl(form, (long, wide, deep), thick), material), hold))


def _bowl(form: str, size: tuple[float, float, float], thick: float) -> Solid:
    """A dished sheet from x = 0, its rim at the height of its depth."""
    long, wide, deep = size
    along, across = np.linspace(0, 1, 19), np.linspace(-1, 1, 13)
    halves = wide / 2 * curve(_OUTLINES[form], along)
    x = np.repeat(long * along[:, None], len(across), 1)
    y = halves[:, None] * across
    keel = np.clip(4 * along * (1 - along), 0, 1) ** 0.7
    dish = keel[:, None] * (1 - across**2) ** 0.8 * (2 * halves / wide)[:, None] ** 0.5
    upper = np.stack([x, y, deep * (1 - dish) + 0.08 * deep * (1 - along[:, None])], -1)
    return sheet(upper, upper - (0, 0, thick), blocks=(5, 4))
