"""Hats with a brim or a cuff, and caps with a bill; each lies as if on a head, its front towards -y."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mereo.files import read_toml
from mereo.shapes.cutlery import laid
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.mesh import Floats
from mereo.shapes.part import Part
from mereo.shapes.skins import curve, sheet
from mereo.shapes.solids import Solid, lathe, sphere
from mereo.shapes.style import Style

_WIDE, _LONG = 0.08, 0.1
"""Half of a head across and along, meters."""
_AROUND = 36


@cache
def _table(group: str) -> dict[str, Any]:
    found: dict[str, Any] = read_toml(Path(__file__).with_suffix(".toml"))[group]
    return found


@grammar("hat")
def hat(style: Style) -> Part:
    """A crown and what surrounds it."""
    capped = style.maybe("cap", 0.35)
    rows = _table("caps" if capped else "hats")
    row = rows[style.pick("kind", {name: row["weight"] for name, row in rows.items()})]
    if capped:
        return laid(part("hat", part("cap", _cap(style, row))))
    return part("hat", part("normal_hat", _hat(style, row)))


def _hat(style: Style, row: dict[str, Any]) -> list[Part]:
    size, height = style.number("size", 0.94, 1.1), style.number("height", *row["height"])
    turns = np.linspace(0, 2 * np.pi, _AROUND, endpoint=False)
    outside = _crown(style, row, turns, size, height)
    crown = sheet(outside, _inside(outside, 0.003), around=True, pole=True, blocks=(3, 12))
    parts = [leaf("crown", crown, "fabric")]
    if "cuff" in row:
        parts.append(leaf("brim", _cuff(style, row, outside), "fabric"))
        if style.maybe("bobble", row.get("bobble", 0.0)):
            bobble = sphere(style.number("bobble size", 0.018, 0.03), (0, 0, height + 0.01), segments=20)
            parts.append(leaf("crown", bobble, "fabric"))
        return parts
    return [*parts, leaf("brim", _brim(style, row, turns, size), "fabric")]


def _crown(style: Style, row: dict[str, Any], turns: Floats, size: float, height: float) -> Floats:
    """(m, n, 3) float: its outside, from the top down."""
    steps = np.linspace(0, 1, 15)
    corners = np.array(row["crown"], float)
    lengths = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1))])
    lengths /= lengths[-1]
    radii = curve(list(zip(lengths, corners[:, 0], strict=True)), steps)
    heights = curve(list(zip(lengths, corners[:, 1], strict=True)), steps)
    x = size * _WIDE * radii[:, None] * np.sin(turns)
    y = -size * _LONG * radii[:, None] * np.cos(turns)
    z = np.repeat(height * heights[:, None], len(turns), 1)
    if "dent" in row:
        dent, pinch = row["dent"] * style.number("dent", 0.7, 1.2), row["pinch"] * style.number("pinch", 0.6, 1.2)
        x *= 1 - pinch * np.clip(-y / (size * _LONG), 0, 1) * (z / height) ** 2
        z -= dent * height * np.exp(-((x / (0.3 * size * _WIDE)) ** 2)) * np.clip(heights[:, None], 0, 1) ** 6
        z += 0.08 * height * (y / (size * _LONG)) * np.clip(heights[:, None], 0, 1) ** 4
    if "bend" in row:
        away = row["bend"] * style.number("bend", -1.0, 1.0)
        x += away * height * (z / height) ** 3
        z -= abs(away) * 0.4 * height * (z / height) ** 4
    return np.stack([x, y, z], -1)


def _inside(outside: Floats, thick: float) -> Floats:
    """The lining of a crown: nearer to the axis and lower, but for its rim."""
    around = np.linalg.norm(outside[..., :2], axis=-1, keepdims=True)
    inner = outside.copy()
    inner[..., :2] *= np.maximum(1 - thick / around, 0.5)
    inner[..., 2] -= thick * np.clip(outside[..., 2] / (6 * thick), 0, 1)
    return inner


def _brim(style: Style, row: dict[str, Any], turns: Floats, size: float) -> Solid:
    """A ring around the foot of the crown: its sides rolled up, drooping, waving, or with a lip."""
    width = style.number("brim", *row["brim"])
    roll, droop = (
        row.get("roll", 0.0) * style.number("roll", 0.7, 1.2),
        row.get("droop", 0.0) * style.number("droop", 0.7, 1.2),
    )
    wave, phase = row.get("wave", 0.0) * style.number("wave", 0.4, 1.2), style.number("phase", 0, 6)
    out = np.linspace(0, 1, 8)[:, None]
    reach = out * width * (1 - 0.25 * droop)
    x = (size * _WIDE - 0.002 + reach * (1 - 0.25 * roll * out * np.sin(turns) ** 2)) * np.sin(turns)
    y = -(size * _LONG - 0.002 + reach) * np.cos(turns)
    z = width * out * (wave * np.sin(4 * turns + phase) - droop) + width * out**2 * roll * np.sin(turns) ** 2
    z = z + width * row.get("lip", 0.0) * np.clip(out - 0.6, 0, 1) ** 2 / 0.16
    upper = np.stack(np.broadcast_arrays(x, y, z + 0.0035), -1)
    return sheet(upper, upper - (0, 0, 0.003), around=True, blocks=(2, 12))


def _cuff(style: Style, row: dict[str, Any], outside: Floats) -> Solid:
    """The turned-up edge of a knitted hat, or the band of a beret."""
    tall = style.number("cuff", *row["cuff"])
    inner = outside[-1] * (1.0, 1.0, 0.0)
    around = inner / np.linalg.norm(inner, axis=-1, keepdims=True)
    levels = np.array([0.0, 0.12, 0.5, 0.88, 1.0])[:, None, None] * (0.0, 0.0, tall)
    bulge = np.array([0.004, 0.007, 0.0085, 0.007, 0.004])[:, None, None] * around
    back = inner - 0.001 * around + levels
    return sheet(inner + bulge + levels - (0, 0, 0.001), back - (0, 0, 0.001), around=True, blocks=(1, 12))


def _cap(style: Style, row: dict[str, Any]) -> list[Part]:
    """Panels sewn together under a button, and a bill."""
    size, height = style.number("size", 0.94, 1.1), style.number("height", *row["height"])
    count, forward = (
        int(style.pick("panels", {"6": 3, "5": 1, "4": 0.7, "8": 0.8})),
        style.number("forward", 0.0, 0.012),
    )
    parts = []
    for k in range(count):
        turns = 2 * np.pi / count * np.linspace(k + 0.003, k + 0.997, max(24 // count, 4)) + np.pi / count * (count % 2)
        outside = _crown(style, row, turns, size, height)
        outside[..., 1] -= forward * outside[..., 2] / height
        parts.append(leaf("panel", sheet(outside, _inside(outside, 0.0025), blocks=(3, 2)), "fabric"))
    if style.maybe("button", row["buttons"]):
        knob = lathe([(0.007, -0.006), (0.0085, 0.001), (0.006, 0.004), (0.002, 0.005)], segments=18)
        parts.append(leaf("button", knob.at(0, -forward, height * row["crown"][0][1]), "fabric"))
    return [*parts, leaf("bill", _bill(style, row, size), "fabric")]


def _bill(style: Style, row: dict[str, Any], size: float) -> Solid:
    """From the foot of the crown to the front, its sides bent down."""
    long, wide = style.number("bill", *row["bill"]), style.number("bill angle", 0.95, 1.25)
    curl, blunt = style.number("curl", *row["curl"]), style.number("blunt", 0.35, 0.8)
    turns, out = np.linspace(-wide, wide, 19), np.linspace(0, 1, 7)[:, None]
    reach = long * np.cos(turns / wide * np.pi / 2 * 0.98) ** blunt
    x = (size * _WIDE - 0.002) * np.sin(turns) * (1 + 0.08 * out)
    y = -(size * _LONG - 0.002) * np.cos(turns) - out * reach - 0.004 * out
    z = (
        0.004
        - curl * 2 * _WIDE * (x / _WIDE) ** 2 * (0.25 + 0.75 * out)
        + curl * 2 * _WIDE * 0.25 * np.sin(wide) ** 2 * (1 - out)
    )
    upper = np.stack(np.broadcast_arrays(x, y, z), -1)
    return sheet(upper, upper - (0, 0, 0.003), blocks=(1, 6))
