"""Laptops: a side with keys and a touchpad, and a side with the screen, which is hinged to it."""

from __future__ import annotations

from mereo.shapes.appliances import soft, spaced
from mereo.shapes.articulation import turning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import Span, corners
from mereo.shapes.keys import keys_of
from mereo.shapes.outlines import polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, box, cylinder, prism, tube, union
from mereo.shapes.style import Style

_KINDS: dict[str, tuple[float, Span, Span, Span]] = {
    "thin": (2.4, (0.29, 0.36), (0.64, 0.72), (0.011, 0.017)),
    "wedge": (1.8, (0.28, 0.34), (0.64, 0.7), (0.016, 0.022)),
    "office": (2.2, (0.32, 0.38), (0.66, 0.74), (0.022, 0.032)),
    "gaming": (1.4, (0.36, 0.42), (0.7, 0.78), (0.022, 0.03)),
    "small": (1.4, (0.22, 0.27), (0.66, 0.74), (0.016, 0.026)),
    "old": (1.4, (0.28, 0.33), (0.78, 0.86), (0.03, 0.04)),
    "rugged": (1.2, (0.29, 0.34), (0.76, 0.84), (0.03, 0.04)),
}
"""How usual a kind is, and the bounds of its width, of its depth by its width, and of the thickness of its base."""
_GAP = 0.002
"""Between the two sides when it is shut: keys stand out by less."""


@grammar("laptop")
def laptop(style: Style) -> Part:
    """Built shut, the back edge at y = 0, and opened about the hinge that lies there."""
    kind = style.pick("kind", {name: weight for name, (weight, *_) in _KINDS.items()})
    _, widths, shares, heights = _KINDS[kind]
    width, thick = style.number("width", *widths), style.number("thickness", *heights)
    depth, lid = width * style.number("depth", *shares), thick * style.number("lid", 0.35, 0.5)
    rim = style.number("rim", 0.004, 0.012) * (2.2 if kind in ("old", "rugged", "small") else 1.0)
    corner = 0.004 if kind == "wedge" else min(style.number("corner", 0.003, 0.022), 3 * rim)
    base = _base_side(style, kind, (width, depth, thick), corner)
    screen = part("screen_side", _screen_side(style, (width, depth, lid), (rim, corner), thick + _GAP))
    angle = style.number("angle", 88, 128) if style.maybe("open", 0.88) else 0.0
    hinge = (0, -0.004, thick + _GAP / 2)
    return part("laptop", turning(screen, (-1, 0, 0), hinge, (0, 135), stands=angle), base)


def _plate(kind: str, size: tuple[float, float, float], corner: float) -> Solid:
    """The block of one side on z = 0, from y = -depth to 0."""
    width, depth, thick = size
    if kind == "wedge":
        side = polygon(
            [
                (-depth, 0.55 * thick),
                (-0.97 * depth, 0.3 * thick),
                (-0.1 * depth, 0),
                (0, 0.1 * thick),
                (0, thick),
                (-depth, thick),
            ]
        )
        return prism(side, width, along="x")
    return soft(rectangle(width, depth, corner=corner, segments=20), thick, 0.12 * thick, foot=0.3 * thick, steps=2).at(
        y=-depth / 2
    )


def _base_side(style: Style, kind: str, size: tuple[float, float, float], corner: float) -> Part:
    """The frame with hinges, feet and what a kind brings along; the keys; the touchpad."""
    width, depth, thick = size
    solids = [_plate(kind, size, corner)]
    long = style.maybe("one long hinge", 0.5)
    barrels = [(0.0, 0.7 * width)] if long else [(x, 0.1 * width) for x in spaced(2, 0.68 * width)]
    radius = min(0.4 * thick, 0.006)
    for x, length in barrels:
        solids.append(
            bar((x - length / 2, -0.004, thick), (x + length / 2, -0.004, thick), 2 * radius, round=True, sides=12)
        )
    if kind == "gaming":
        solids += _vents(width, thick)
    if kind == "rugged":
        solids += _bumpers(width, depth, thick)
    wide_keys = width > 0.34 and style.maybe("numbers", 0.6)
    layout = "wide_laptop" if wide_keys else "laptop"
    keys, (across, away) = keys_of(layout)
    pitch = min(0.9 * width / across, 0.0192)
    deep = min(pitch, 0.5 * depth / away)
    y, fill = -0.07 * depth - away * deep / 2 - 0.01, style.number("key fill", 0.8, 0.92)
    key = [
        box((pitch * (one.width - 1 + fill), fill * deep, 0.003), (pitch * one.x, y + deep * one.y, thick))
        for one in keys
    ]
    pad = width * style.number("touchpad", 0.26, 0.4), depth * style.number("touchpad depth", 0.18, 0.27)
    x = style.number("touchpad place", -0.1, 0.0) * width
    surface = [box((*pad, 0.002), (x, -depth + 0.03 * depth + pad[1] / 2 + 0.003, thick), bevel=0.0004)]
    if kind in ("old", "office", "rugged") and style.maybe("pad buttons", 0.7):
        strip = box((0.49 * pad[0], 0.16 * pad[1], 0.003), (0, -depth + 0.1 * pad[1] + 0.006, thick), bevel=0.0006)
        surface = [box((pad[0], 0.72 * pad[1], 0.002), (x, -depth + 0.58 * pad[1] + 0.008, thick), bevel=0.0004)]
        surface += [strip.at(x=x + s) for s in spaced(2, 0.51 * pad[0])]
    return part(
        "base_side",
        leaf("keyboard", union(*key)),
        leaf("touchpad", union(*surface)),
        leaf("base_frame", union(*solids)),
    )


def _vents(width: float, thick: float) -> list[Solid]:
    """A block behind the hinge with slots, as fast machines have."""
    block = box((0.76 * width, 0.034, 0.8 * thick), (0, 0.013, 0.44 * thick), bevel=0.004)
    slots = [
        box((0.2 * width, 0.01, 0.1 * thick), (x, 0.03, z * thick)) for x in spaced(2, 0.44 * width) for z in (0.3, 0.5)
    ]
    return [block.minus(*slots)]


def _bumpers(width: float, depth: float, thick: float) -> list[Solid]:
    """Corners of rubber and a handle before the front edge."""
    pads = [
        box((0.04, 0.04, thick - 0.003), (x, y - depth / 2, thick / 2 - 0.002), bevel=0.006)
        for x, y in corners(width / 2 - 0.012, depth / 2 - 0.012)
    ]
    y, x = -depth, 0.28 * width
    path = [(-x, y + 0.01, thick / 2), (-x, y - 0.04, thick / 2), (x, y - 0.04, thick / 2), (x, y + 0.01, thick / 2)]
    return [*pads, tube(bent(path), 0.36 * thick, segments=10)]


def _screen_side(style: Style, size: tuple[float, float, float], edges: Span, low: float) -> list[Part]:
    """A lid from `low` upwards with the screen let into its underside. edges : the rim's width, the corners' radius"""
    (width, depth, thick), (rim, corner) = size, edges
    chin = rim + style.number("chin", 0.004, 0.02)
    plate = soft(rectangle(width, depth, corner=corner, segments=20), thick, 0.5 * thick, steps=3).at(
        0, -depth / 2, low
    )
    wide, tall, y = width - 2 * rim, depth - rim - chin, -depth / 2 + (rim - chin) / 2
    solids = [plate.minus(box((wide, tall, 0.003), (0, y, low)))]
    if style.maybe("mark on the lid", 0.5):
        solids.append(cylinder(0.06 * width, 0.0014, (0, -depth / 2, low + thick - 0.0008)))
    screen = box((wide + 0.001, tall + 0.001, 0.0016), (0, y, low + 0.0016))
    return [leaf("screen", screen), leaf("screen_frame", union(*solids))]
