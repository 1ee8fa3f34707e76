"""Forks: for the table, for cakes and salads, and for carving; each lies with its tines up and towards +x."""

from __future__ import annotations

import numpy as np

from mereo.shapes.cutlery import laid, rod, stem
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.mesh import Floats
from mereo.shapes.part import Part
from mereo.shapes.skins import curve
from mereo.shapes.style import Style

_KINDS: dict[str, tuple[float, tuple[int, int], tuple[float, float], tuple[float, float]]] = {
    "table": (3, (4, 4), (0.022, 0.027), (0.06, 0.075)),
    "three": (1.5, (3, 3), (0.02, 0.026), (0.055, 0.075)),
    "salad": (1.2, (4, 5), (0.03, 0.042), (0.055, 0.075)),
    "cake": (1.2, (3, 3), (0.017, 0.021), (0.035, 0.045)),
    "carving": (1.4, (2, 2), (0.02, 0.03), (0.1, 0.15)),
    "spork": (0.8, (3, 4), (0.034, 0.04), (0.06, 0.07)),
}
"""How usual a kind is, how many tines it has, and the bounds of its head's width and length."""


@grammar("fork")
def fork(style: Style) -> Part:
    """A head of tines on a handle."""
    kind = style.pick("kind", {name: weight for name, (weight, _, _, _) in _KINDS.items()})
    _, counts, widths, lengths = _KINDS[kind]
    count, wide, long = style.count("tines", *counts), style.number("width", *widths), style.number("length", *lengths)
    high, sag = style.number("neck height", 0.012, 0.02), style.number("sag", 0.008, 0.014)
    hold, material = stem(style, high=high, low=style.number("end height", 0.004, 0.008))
    thick = {"wood": 0.005, "plastic": 0.003}.get(material, 0.0022)
    cut = {"spork": 0.62, "carving": 0.25, "cake": 0.5}.get(kind, style.number("root", 0.36, 0.48))
    shares = np.linspace(0, 1, 25)
    heights = curve(
        [(0, high), (0.15, high - 0.2 * sag), (0.5, high - sag), (0.75, high - sag), (1, high - 0.1 * sag)], shares
    )
    path = np.stack([long * shares, heights], 1)
    before = shares <= cut + 0.03
    flat = rod(path[before], wide * _shoulders(style, shares[before] / cut), thick, squareness=4)
    gap = wide / count
    ys = (np.arange(count) - (count - 1) / 2) * gap
    slim = gap * style.number("tine", 0.5, 0.66)
    spike = rod(path[shares >= cut - 0.03], slim * _taper(shares[shares >= cut - 0.03]), 0.92 * thick, squareness=3)
    tines = [leaf("tine", spike.at(y=float(y)), material) for y in ys]
    return laid(part("fork", part("head", leaf("base", flat, material), tines), hold))


def _taper(shares: Floats) -> Floats:
    """How wide a tine is towards its tip."""
    widths: Floats = 1 - 0.65 * ((shares - shares[0]) / (1 - shares[0])) ** 2
    return widths


def _shoulders(style: Style, shares: Floats) -> Floats:
    """How wide the head is from the neck to the roots of its tines."""
    round_, early = style.maybe("round shoulders", 0.6), style.number("shoulder", 0.2, 0.5)
    corners = [(0, 0.25), (0.5 * early, 0.4), (early, 0.9), (early + 0.2, 1), (1.2, 1)]
    widths: Floats = curve(corners, shares) if round_ else np.interp(shares, [0, early + 0.2, 1.2], [0.25, 1, 1])
    return widths
