"""What a street lamp's post carries: lanterns and globes, bells on crooks, and heads that reach over a road."""

from __future__ import annotations

from functools import partial

from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.lamp.heads import Head, lamp_head, socketed_bulb
from mereo.shapes.grammars.lamp.parts import Move, bent_rod, faceted, lamp_unit, put_at, straight_rod
from mereo.shapes.grammars.lamp.profiles import drawn_profile, line
from mereo.shapes.joinery import around, sized, turned
from mereo.shapes.part import Part
from mereo.shapes.solids import bar, box, hull, lathe, shell, sphere, union
from mereo.shapes.style import Style

__all__ = ["candelabra", "crooks", "globe", "lantern", "over_road"]


def candelabra(style: Style, height: float, head: Head) -> list[Part]:
    """One head on the post, several on arms around it, or both."""
    count = int(style.pick("heads", {"0": 2, "2": 1.2, "3": 1, "4": 0.6}))
    first = [lamp_unit(head(put_at(z=height + 0.06)))]
    if count == 0:
        return first
    reach, low = style.number("reach", 0.35, 0.6), height - style.number("below", 0.15, 0.4)
    curved = style.maybe("curved arms", 0.6)
    path = [(0, 0, low), (0.3 * reach, 0, low - 0.25), (reach, 0, low - 0.2), (reach, 0, low + 0.1)]
    arm = bent_rod(*path, thick=0.04)
    if not curved:
        arm = union(
            straight_rod(path[0], (reach + 0.02, 0, low), 0.045), straight_rod((reach, 0, low - 0.04), path[-1], 0.05)
        )
    put = partial(put_at, reach, 0, low + 0.16)
    units = [lamp_unit(head(put(turn=turn)), arm=arm.turned(z=turn), curved=curved) for turn in around(count)]
    return first + units if style.maybe("one on top", 0.5) else units


def crooks(style: Style, height: float) -> list[Part]:
    """One or two bows with bells that hang from them."""
    reach, rise, count = style.number("reach", 0.35, 0.7), style.number("rise", 0.3, 0.6), style.count("heads", 1, 2)
    profile = drawn_profile(style, "shade", "hung", ("cloche", "factory", "saucer", "trumpet", "dome"))
    radius, crest = style.number("shade radius", 0.16, 0.26), height + rise
    shade = shell(sized(profile, radius, radius), 0.005).at(z=-radius * profile[-1][1])
    holder = lathe(line(0.06, -0.03, 0.06, 0.02, 0.03, 0.04, 0.03, 0.08), segments=16)
    head = lamp_head(shade, light_bulb=socketed_bulb("pear", 1.5).turned(x=180).at(z=-0.025), lamp_cover_holder=holder)
    arm = bent_rod((0, 0, height - 0.05), (0, 0, crest), (reach, 0, crest), (reach, 0, height + 0.05), thick=0.045)
    put = partial(put_at, reach, 0, height)
    return [lamp_unit(head(put(turn=turn)), arm=arm.turned(z=turn), curved=True) for turn in around(count)]


def over_road(style: Style, height: float) -> list[Part]:
    """One or two flat heads at the ends of long arms."""
    reach, rise, count = style.number("reach", 0.8, 1.5), style.number("rise", 0.2, 0.8), style.count("heads", 1, 2)
    length, width = style.number("head length", 0.5, 0.75), style.number("head width", 0.2, 0.3)
    curved, slab = style.maybe("curved arms", 0.5), style.maybe("slab heads", 0.5)
    holder, lens = box((length, width, 0.06), bevel=0.01), box((0.85 * length, 0.85 * width, 0.02), (0, 0, -0.035))
    if not slab:
        egg = sphere(0.5, segments=24).mesh().vertices
        holder = hull(egg[egg[:, 2] > -1e-9] * (length, width, 0.18))
        lens = hull(egg[egg[:, 2] < 1e-9] * (0.7 * length, 0.8 * width, 0.2))
    end = height + (rise if curved else 0.2 * rise)
    arm = bent_rod((0, 0, height - 0.3), (0, 0, end), (0.3 * reach, 0, end), (reach, 0, end), thick=0.06)
    if not curved:
        arm = bar((0, 0, height - 0.06), (reach, 0, end), 0.08, round=not slab, taper=0.7)
    head = lamp_head(lens, lamp_cover_holder=holder)
    put = partial(put_at, reach + 0.45 * length, 0, end)
    return [lamp_unit(head(put(turn=turn)), arm=arm.turned(z=turn), curved=curved) for turn in around(count)]


def globe(style: Style) -> Head:
    """Milk glass in a cup that reaches down to what carries it."""
    profile, radius = (
        drawn_profile(style, "shade", "upright", ("globe", "tulip", "chimney")),
        style.number("shade radius", 0.15, 0.24),
    )
    shade = shell(sized(profile, radius, radius), 0.005).at(z=-0.01)
    holder = lathe(line(0.035, -0.08, 0.035, -0.04, 0.4 * radius, 0.0, 0.42 * radius, 0.02), segments=20)
    return lamp_head(shade, light_bulb=socketed_bulb("pear", 1.6).at(z=0.015), lamp_cover_holder=holder)


def lantern(style: Style) -> Head:
    """Glass between bars, a floor and a roof, on a holder that reaches down to what carries it."""
    sides = int(style.pick("lantern sides", {"4": 2, "6": 1.5, "8": 0.6}))
    radius = style.number("lantern radius", 0.13, 0.2)
    height, low = style.number("lantern height", 0.28, 0.45), radius * style.number("lantern floor", 0.5, 0.95)
    half = 90 - 180 / sides
    roof = turned(drawn_profile(style, "roof", "roofs"), radius, radius, segments=sides).turned(z=half).at(z=height)
    rib = bar((low, 0, 0.01), (radius, 0, height + 0.005), 0.018)
    floor = lathe(line(0.7 * low, -0.025, 1.05 * low, 0.0, 1.05 * low, 0.02), segments=sides).turned(z=half)
    glass = faceted(line(0.98 * low, 0.01, 0.98 * radius, height + 0.005), 0.005, sides)
    holder = lathe(line(0.035, -0.08, 0.03, -0.05, 0.06, -0.03, 0.06, -0.018), segments=16)
    bulb = socketed_bulb("pear", 1.6).at(z=0.02)

    def placed(move: Move) -> Part:
        ribs = [leaf("lamp_cover_frame_bar", move(rib.turned(z=turn))) for turn in around(sides, half)]
        top, bottom = leaf("lamp_cover_frame_top", move(roof)), leaf("lamp_cover_frame_bottom", move(floor))
        frame = part("lamp_cover_frame", top, bottom, ribs)
        cover = part("lamp_cover", part("lantern_lamp_cover", frame, leaf("lamp_cover_glass", move(glass))))
        return part("lamp_head", cover, leaf("light_bulb", move(bulb)), leaf("lamp_cover_holder", move(holder)))

    return placed
