"""Coffee makers: drip machines with a jug, espresso machines with a filter holder, and small ones for capsules."""

from __future__ import annotations

from collections.abc import Callable

from mereo.shapes.appliances import basket, feet, knob_maker, soft, spaced
from mereo.shapes.articulation import sliding, spinning, turning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import Span, leaves, sized
from mereo.shapes.outlines import Outline, ellipse, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, board, box, cylinder, lathe, shell, tube, union
from mereo.shapes.style import Style

_JUGS = {
    "ball": [(0.72, 0.0), (0.96, 0.18), (1.0, 0.4), (0.84, 0.75), (0.62, 1.0)],
    "cone": [(1.0, 0.0), (0.98, 0.2), (0.8, 0.65), (0.6, 1.0)],
    "can": [(0.94, 0.0), (0.94, 0.7), (0.84, 0.9), (0.62, 1.0)],
    "cup": [(0.78, 0.0), (0.9, 0.4), (1.0, 1.0)],
}
"""Radius and height from the foot to the mouth, as shares."""


@grammar("coffee_maker")
def coffee_maker(style: Style) -> Part:
    """A foot, a column behind and a head over it; the front lies at y = 0."""
    makers = {"drip": _drip, "espresso": _espresso, "capsule": _capsule}
    return part("coffee_maker", makers[style.pick("kind", {"drip": 2.4, "espresso": 2, "capsule": 1.6})](style))


def _stack(style: Style, size: tuple[float, float, float], column: float, foot: float, head: Span) -> list[Solid]:
    """The foot, the column and the head of a machine. head : its lowest and highest point"""
    wide, deep, tall = size
    design = style.pick("case", {"box": 1.2, "soft": 1.4, "round": 1.0 if wide < 0.9 * deep else 0.0})

    def slab(width: float, depth: float, height: float) -> Solid:
        if design == "box":
            return box((width, depth, height), (0, 0, height / 2), bevel=0.006)
        outline = rectangle(width, depth, corner=0.03 if design == "soft" else 0.48 * min(width, depth), segments=28)
        rim = min(0.4 * height, 0.012 if design == "round" else 0.025)
        return soft(outline, height, rim, foot=0.004, steps=3)

    low = slab(wide, deep, foot).at(y=deep / 2)
    top = slab(wide, deep, head[1] - head[0]).at(y=deep / 2, z=head[0])
    back = box((0.8 * wide, column, tall - 0.02), (0, deep - column / 2 - 0.012, (tall - 0.02) / 2), bevel=0.008)
    return [low, top, back]


def _keys(style: Style, most: int, place: Callable[[float], tuple[float, float, float]]) -> list[Part]:
    """A row of buttons on a front, each of which can be pressed. place : from an offset along x to where it is"""
    count, round_ = style.count("buttons", 1, most), style.maybe("round buttons", 0.5)
    key = cylinder(0.008, 0.008).turned(x=90) if round_ else box((0.016, 0.008, 0.01), (0, -0.004, 0), bevel=0.002)
    spots = [place(x) for x in spaced(count, 0.022)]
    return [sliding(leaf("button", key.at(x, y + 0.004, z), "plastic"), (0, 1, 0), (0, 0.002)) for x, y, z in spots]


def _knob(style: Style, place: tuple[float, float, float], radius: float) -> Part:
    solid = knob_maker(style)(radius).at(*place)
    return spinning(leaf("knob", solid, "plastic"), (0, -1, 0), place)


def _feet(wide: float, deep: float, lift: float) -> Part:
    return part("base", leaves("foot", feet(0.27 * wide, (0.16 * deep, 0.84 * deep), lift, 0.011)))


def _drip(style: Style) -> list[Part]:
    """Water drips through a funnel into the jug below it."""
    wide, deep = style.number("width", 0.16, 0.22), style.number("depth", 0.21, 0.27)
    tall, lift = style.number("height", 0.3, 0.37), 0.008
    foot, head, column = 0.045, style.number("head", 0.07, 0.1), style.number("column", 0.07, 0.09)
    radius = min(0.44 * wide, 0.42 * (deep - column))
    y, low = (deep - column) / 2 + 0.004, lift + foot
    solids = [solid.at(z=lift) for solid in _stack(style, (wide, deep, tall), column, foot, (tall - head, tall))]
    solids.append(cylinder(1.05 * radius, 0.006, (0, y, low - 0.002)))
    room = tall + lift - head - low
    made = [leaf("frame", union(*solids), style.pick("material", {"": 1, "plastic": 1.4}))]
    front = (0.0, 0.0, lift + foot / 2)
    if style.maybe("dial", 0.35):
        made.append(_knob(style, front, 0.015))
    else:
        made += _keys(style, 4, lambda x: (x, 0.0, lift + foot / 2))
    if style.maybe("tank beside", 0.5):
        tank = box((0.72 * wide, 0.05, tall - 0.05), (0, deep + 0.008, lift + tall / 2 + 0.005), bevel=0.01)
        made.append(sliding(leaf("tank", tank, "glass"), (0, 0, 1), (0, 0.2)))
    made.append(_cover(style, wide, deep, tall + lift))
    funnel = lathe(
        [(0.12 * radius, 0), (0.5 * radius, 0.004), (0.8 * radius, 0.03), (0.8 * radius, 0.034)], segments=24
    )
    filter_ = part("filter", leaf("funnel", funnel.at(0, y, tall + lift - head - 0.03), "plastic"))
    jug = _jug(style, radius, room - 0.036, (0.0, y, low + 0.003))
    return [part("body", made), filter_, jug, _feet(wide, deep, lift)]


def _cover(style: Style, wide: float, deep: float, top: float) -> Part:
    """The lid through which water is filled in, hinged at the back."""
    plate = board(
        rectangle(0.78 * wide, 0.66 * deep, corner=0.02, segments=16), 0.01, (0, 0.5 * deep, top - 0.002), bevel=0.003
    )
    opened = style.number("cover open", 50, 85) * style.maybe("stands open", 0.2)
    return turning(leaf("lid", plate, "plastic"), (-1, 0, 0), (0, 0.82 * deep, top + 0.004), (0, 90), stands=opened)


def _jug(style: Style, radius: float, height: float, at: tuple[float, float, float]) -> Part:
    """A jug of glass or metal with a handle to the front and a lid, drawn out to pour."""
    profile = sized(_JUGS[style.pick("jug", {"ball": 1.4, "cone": 1, "can": 1})], radius, 0.94 * height)
    mouth = profile[-1][0]
    body = shell([(0.004, 0.0), (0.5 * profile[0][0], 0.0), *profile], 0.0025, sectors=8)
    x, high, low = radius + 0.034, 0.86 * height, 0.25 * height
    path = [(0.75 * mouth, 0, high), (x, 0, high), (x, 0, low), (0.93 * radius, 0, low)]
    grip, turn = tube(bent(path), 0.007, segments=10).scaled(y=1.4), style.number("jug turn", -130, -50)
    cover = lathe([(mouth + 0.001, 0), (mouth + 0.002, 0.006), (0.3 * mouth, 0.012)], segments=24).at(z=0.93 * height)
    glass = style.pick("jug material", {"glass": 2, "metal": 1})
    made = leaf("container", body.at(*at), glass), leaf("handle", grip.turned(z=turn).at(*at), "plastic")
    jug = part("jug", *made, leaf("lid", cover.at(*at), "plastic"))
    return sliding(jug, (0, -1, 0), (0, 0.25))


def _espresso(style: Style) -> list[Part]:
    """A filter holder under a group head, a pipe for steam, and a tray for what drips."""
    groups = 2 if style.maybe("two groups", 0.25) else 1
    wide, deep = style.number("width", 0.2, 0.28) + 0.12 * (groups - 1), style.number("depth", 0.24, 0.3)
    tall, lift = style.number("height", 0.28, 0.35), style.number("lift", 0.01, 0.03)
    head, foot = style.number("head", 0.1, 0.13), style.number("foot", 0.05, 0.07)
    column = deep - style.number("before", 0.12, 0.15)
    solids = [solid.at(z=lift) for solid in _stack(style, (wide, deep, tall), column, foot, (tall - head, tall))]
    y, z = 0.06, tall + lift - head
    places = spaced(groups, 0.5 * wide) if groups == 2 else [-0.1 * wide]
    solids += [cylinder(0.036, 0.03, (x, y, z - 0.026), bevel=0.003) for x in places]
    if style.maybe("rail", 0.5):
        x, back, top = 0.42 * wide, 0.9 * deep, tall + lift
        path = [
            (-x, back, top + 0.02),
            (-x, 0.1 * deep, top + 0.02),
            (x, 0.1 * deep, top + 0.02),
            (x, back, top + 0.02),
        ]
        posts = [bar((a, b, top - 0.01), (a, b, top + 0.02), 0.006) for a in (-x, x) for b in (0.2 * deep, back)]
        solids += [tube(bent(path, rounds=1), 0.003, segments=8), *posts]
    made = [leaf("frame", union(*solids), style.pick("material", {"": 2, "plastic": 1}))]
    drip = basket(0.8 * wide, 0.11, 0.012, (6, 3, 1)).at(0, 0.058, lift + foot + 0.001)
    made.append(sliding(leaf("tray", drip, "metal"), (0, -1, 0), (0, 0.1)))
    pipe = tube(bent([(0, 0, 0.02), (0, -0.012, -0.02), (0, -0.02, -0.05), (0, -0.008, -0.13)]), 0.004, segments=8)
    x = 0.42 * wide
    made.append(turning(leaf("pipe", pipe.at(x, 0.03, z), "metal"), (0, 0, 1), (x, 0.03, z), (-40, 40)))
    made += [
        _knob(style, (x - 0.02, 0.0, z + 0.5 * head), 0.02),
        *_keys(style, 3, lambda s: (s - 0.1 * wide, 0.0, z + 0.5 * head)),
    ]
    if style.maybe("tank", 0.6):
        tank = box((0.7 * wide, 0.06, 0.7 * tall), (0, deep + 0.014, lift + 0.5 * tall), bevel=0.01)
        made.append(sliding(leaf("tank", tank, "glass"), (0, 0, 1), (0, 0.2)))
    turn = style.number("filter turn", 0, 35)
    return [part("body", made), *(_holder(x, y, z - 0.026, turn) for x in places), _feet(wide, deep, lift)]


def _holder(x: float, y: float, z: float, turn: float) -> Part:
    """A filter holder with two spouts and a long handle; it is locked by a turn."""
    cup = lathe([(0.016, -0.03), (0.034, -0.022), (0.034, 0.002)], segments=24)
    spouts = [bar((s, 0, -0.026), (2 * s, 0, -0.045), 0.01, round=True, sides=10) for s in (-0.006, 0.006)]
    grip = union(
        bar((0, -0.02, -0.01), (0, -0.06, -0.012), 0.012, round=True),
        bar((0, -0.055, -0.012), (0, -0.15, -0.018), 0.024, round=True, taper=0.85),
    )
    made = part(
        "filter", leaf("funnel", union(cup, *spouts).at(x, y, z), "metal"), leaf("handle", grip.at(x, y, z), "plastic")
    )
    return turning(made, (0, 0, 1), (x, y, z), (-10, 45), stands=turn)


def _capsule(style: Style) -> list[Part]:
    """A slim body with a nozzle over a tray, a lever on top and a tank behind; a cup may stand below."""
    wide, deep = style.number("width", 0.11, 0.15), style.number("depth", 0.24, 0.3)
    tall, lift = style.number("height", 0.22, 0.28), 0.006
    foot, head = 0.03, style.number("head", 0.09, 0.12)
    column = deep - style.number("before", 0.1, 0.12)
    solids = [solid.at(z=lift) for solid in _stack(style, (wide, deep, tall), column, foot, (tall - head, tall))]
    y, z = 0.05, tall + lift - head
    made = [leaf("frame", union(*solids), "plastic")]
    nozzle = cylinder(0.01, 0.03, (0, y, z - 0.025), top=0.02)
    made.append(leaf("pipe", nozzle, "metal"))
    plate = board(_tray_outline(style, wide), 0.008, (0, y, lift + foot - 0.002))
    made.append(sliding(leaf("tray", plate, "metal"), (0, -1, 0), (0, 0.1)))
    made.append(_lever(style, wide, deep, tall + lift))
    made += _keys(style, 2, lambda x: (x, 0.0, z + 0.4 * head))
    radius = style.number("tank", 0.045, 0.055)
    tank = cylinder(radius, 0.85 * tall, (0, deep + 0.7 * radius, 0.001), bevel=0.006)
    if style.maybe("square tank", 0.4):
        tank = box((0.8 * wide, 0.08, 0.85 * tall), (0, deep + 0.024, 0.425 * tall + 0.001), bevel=0.012)
    made.append(sliding(leaf("tank", tank, "glass"), (0, 0, 1), (0, 0.2)))
    jug = None
    if style.maybe("cup", 0.4):
        high = min(0.075, z - lift - foot - 0.035)
        cup = shell([(0.004, 0.0), *sized(_JUGS["cup"], 0.034, high)], 0.003, sectors=8).at(0, y, lift + foot + 0.005)
        jug = sliding(
            part("jug", leaf("container", cup, style.pick("cup of", {"ceramic": 1, "glass": 1}))), (0, -1, 0), (0, 0.2)
        )
    return [part("body", made), *([jug] if jug else []), _feet(wide, deep, lift)]


def _tray_outline(style: Style, wide: float) -> Outline:
    return (
        ellipse(0.8 * wide, 0.085, segments=28)
        if style.maybe("round tray", 0.5)
        else rectangle(0.8 * wide, 0.085, corner=0.01)
    )


def _lever(style: Style, wide: float, deep: float, top: float) -> Part:
    """A bow over the head that is lifted to put a capsule in."""
    half, y = 0.3 * wide, 0.6 * deep
    path = [
        (-half, y, top - 0.008),
        (-half, 0.12 * deep, top + 0.006),
        (half, 0.12 * deep, top + 0.006),
        (half, y, top - 0.008),
    ]
    bow = tube(bent(path, rounds=2), 0.007, segments=10)
    lifted = style.number("lifted", 40, 80) * style.maybe("lever up", 0.3)
    return turning(leaf("lever", bow, "metal"), (-1, 0, 0), (0, y, top), (0, 90), stands=lifted)
