"""Table, desk and floor lamps, chandeliers, pendants, wall lamps and street lamps."""

from __future__ import annotations

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grammars.lamp.ceiling import chandelier, pendant
from mereo.shapes.grammars.lamp.parts import foot_base, holistic_base, leg_base
from mereo.shapes.grammars.lamp.profiles import profiles
from mereo.shapes.grammars.lamp.standing import (
    arched,
    banker,
    jointed,
    mushroom,
    shaded,
    slab_body,
    torch,
    tree,
    tripod,
    vase,
)
from mereo.shapes.grammars.lamp.street import candelabra, crooks, globe, lantern, over_road
from mereo.shapes.grammars.lamp.wall import barn, picture_light, sconce, scroll, swing, tube_light, vanity
from mereo.shapes.joinery import turned
from mereo.shapes.outlines import ellipse, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, board, tube
from mereo.shapes.style import Style


@grammar("lamp")
def lamp(style: Style) -> Part:
    """Something that holds one head or many, each with a shade, a bulb or both."""
    kind = style.pick("kind", {"table": 4, "floor": 3, "pendant": 2.4, "chandelier": 2.4, "wall": 2.2, "street": 2})
    if kind in ("pendant", "chandelier"):
        return part("lamp", part("ceiling_lamp", pendant(style) if kind == "pendant" else chandelier(style)))
    if kind in ("wall", "street"):
        return part("lamp", _wall_lamp(style) if kind == "wall" else _street_lamp(style))
    return part("lamp", _standing(style, floor=kind == "floor"))


def _standing(style: Style, *, floor: bool) -> Part:
    """A base, a body and one or several heads."""
    makers = {"shaded": shaded, "tripod": tripod, "jointed": jointed, "arched": arched, "torch": torch}
    makers |= {"tree": tree, "panel": slab_body, "vase": vase, "mushroom": mushroom, "banker": banker}
    tall = {"shaded": 2, "tripod": 1.4, "jointed": 0.9, "arched": 1.3, "torch": 1.2, "tree": 1.2, "panel": 0.6}
    small = {"vase": 4, "shaded": 1.5, "tripod": 0.8, "jointed": 1.5, "arched": 0.8, "torch": 0.8, "panel": 0.8}
    design = style.pick("design", tall if floor else small | {"mushroom": 0.8, "banker": 0.8})
    size = style.number("size", 2.8, 3.4) if floor else style.number("size", 0.85, 1.2)
    if design == "tripod":
        base, low = leg_base(style, size * style.number("stance", 0.2, 0.38))
    else:
        base, low = foot_base(style, (0.14 if floor else 0.08) * style.number("foot", 0.9, 1.3))
    body, units = makers[design](style, low - 0.002, size)
    cord = None
    if design != "tripod" and style.maybe("cord", 0.35):
        path = [(0, 0.05, 0.004), (0, 0.2, 0.004), (0.12, 0.26, 0.004), (0.05, 0.42, 0.004), (0.2, 0.5, 0.004)]
        cord = part("power_cord", leaf("cord", tube(bent(path, rounds=3), 0.0035, segments=8)))
    return part("table_or_floor_lamp", cord, part("lamp_body", body), units, base)


def _wall_lamp(style: Style) -> Part:
    """A plate on the wall, which is at y = 0, and one or several heads before it."""
    makers = {"scroll": scroll, "barn": barn, "swing": swing, "sconce": sconce, "tube": tube_light}
    makers |= {"picture": picture_light, "vanity": vanity}
    weights = {"scroll": 2, "barn": 1.2, "swing": 1, "sconce": 1.2, "tube": 1.2, "picture": 0.8, "vanity": 1.2}
    wide, high = style.number("plate width", 0.08, 0.12), style.number("plate height", 0.11, 0.2)
    outlines = {"round": ellipse(wide, wide), "oval": ellipse(wide, high), "plate": rectangle(wide, high, corner=0.01)}
    outlines["rounded"] = rectangle(0.8 * wide, high, corner=0.04)
    plate = board(outlines[style.pick("plate", dict.fromkeys(outlines, 1.0))], 0.022, bevel=0.005).turned(x=90)
    body, units = makers[style.pick("design", weights)](style)
    return part("wall_lamp", [leaf("lamp_body", body)] if body else None, units, holistic_base(plate))


def _street_lamp(style: Style) -> Part:
    """A post on a plinth, with lanterns, globes, bells or heads that reach over a road."""
    design = style.pick("design", {"lantern": 2.5, "globe": 1.2, "bell": 1.2, "road": 1.0})
    height = style.number("height", 4.0, 6.0) if design == "road" else style.number("height", 2.0, 3.0)
    post, plinth = _post(style, height)
    if design in ("road", "bell"):
        units = (over_road if design == "road" else crooks)(style, height)
    else:
        units = candelabra(style, height, (lantern if design == "lantern" else globe)(style))
    return part("street_lamp", leaf("lamp_post", post), leaf("street_lamp_base", plinth), units)


_SIDES = {"step": 8, "flange": 24, "block": 4}
"""Of what a post stands on, by kind."""


def _post(style: Style, height: float) -> tuple[Solid, Solid]:
    """A post, and the plinth that it stands on."""
    thick = style.number("post", 0.05, 0.075)
    kind = style.pick("post kind", dict.fromkeys(profiles("posts"), 1.0) | {"square": 0.7})
    if kind == "square":
        post = bar((0, 0, 0.05), (0, 0, height), 2 * thick, taper=0.8)
    else:
        post = turned(profiles("posts")[kind], thick, height - 0.05, segments=8 if kind == "fluted" else 20).at(z=0.05)
    base = style.pick("plinth", dict.fromkeys(profiles("plinths"), 1.0))
    plinth = turned(profiles("plinths")[base], thick, 1.0, segments=_SIDES[base])
    return post, plinth.turned(z=90 - 180 / _SIDES[base])
