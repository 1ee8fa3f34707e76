"""Carts for the store, the workshop, the garden and the road."""

from __future__ import annotations

import numpy as np

from mereo.shapes.articulation import turning
from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.cart.frames import (
    Made,
    basket,
    cart_frame,
    cross_bar,
    lattice,
    level_corners,
    measures,
    open_box,
    pipe,
    push_bar,
    rimmed_tray,
    tub_container,
    wire_walls,
)
from mereo.shapes.grammars.cart.wheels import axle, casters
from mereo.shapes.joinery import Fittings, Span, corners, leaves, pair
from mereo.shapes.outlines import rectangle
from mereo.shapes.solids import bar, board, box, tube, union
from mereo.shapes.style import Style

__all__ = ["barrow", "hand_truck", "handcart", "platform", "tool", "wagon"]


def platform(style: Style) -> Made:
    """A deck with a bar to push, or with walls of wire around it."""
    w, d, rise, thick = measures(style, width=(0.5, 0.75), length=(0.85, 1.2), casters=(0.13, 0.2), deck=(0.03, 0.06))
    deck = leaf("shelf", board(rectangle(w, d, corner=0.03), thick, (0, 0, rise), bevel=0.006))
    wheels = casters(corners(w / 2 - 0.09, d / 2 - 0.14), rise + 0.002)
    kind, floor = style.pick("sides", {"one bar": 2.5, "two bars": 1, "cage": 1.6}), rise + thick - 0.005
    if kind == "cage":
        levels = (floor, floor + style.number("cage", 0.6, 1.3))
        low, high = (level_corners(w / 2 - 0.015, 0.015 - d / 2, d / 2 - 0.015, z) for z in levels)
        walls = wire_walls(low, high, (5, 5, 7), 0.012)[0 if style.maybe("closed", 0.4) else 1 :]
        posts = [bar(a, b, 0.03, bevel=0.003) for a, b in zip(low, high, strict=True)]
        return [deck, basket(None, walls), cart_frame(upright=posts)], wheels
    x, y, hand, share = w / 2 - 0.05, d / 2 - 0.04, *measures(style, hand=(0.85, 1.0), rung=(0.35, 0.6))
    bow = push_bar(x, (y, floor), (y + 0.1, hand), 0.034)
    rung = cross_bar(x, y + 0.1 * share, floor + share * (hand - floor), 0.022)
    both = kind == "two bars"
    frame = cart_frame(level=[rung, rung.mirrored("y")] if both else [rung])
    return [deck, frame, *leaves("handle", [bow, bow.mirrored("y")] if both else [bow])], wheels


def hand_truck(style: Style) -> Made:
    """Two rails with rungs on a toe plate, leaning back a little, on two wheels."""
    w, high, radius = measures(style, width=(0.3, 0.42), height=(1.05, 1.35), wheel=(0.09, 0.14))
    lean, bow, plate, tire = measures(style, lean=(0.02, 0.12), bow=(0, 0.05), plate=(0.16, 0.28), tire=(0.035, 0.07))
    kind = style.pick("truck handle", {"arch": 1.5, "grips": 1, "single": 1, "bow": 1})
    thick = style.number("tube", 0.024, 0.034)
    x, top, back = w / 2, high if kind in ("grips", "bow") else 0.86 * high, 0.6 * radius + 0.03

    def on(z: float) -> Span:
        return lean * z / high, z

    rails = pair(bar((x, *on(0.01)), (x, *on(top)), thick, round=True))
    levels, shares = np.linspace(0.16, 0.95 * top, style.count("rungs", 3, 5)), np.linspace(-1, 1, 7)
    rungs = [tube([(s * x, on(z)[0] + bow * (1 - s * s), z) for s in shares], 0.4 * thick) for z in levels]
    if kind == "arch":
        turns = np.linspace(0, np.pi, 13)
        path = [(x * np.cos(t), *on(top - 0.01 + (high - top) * np.sin(t))) for t in turns]
        grips = [tube(path, thick / 2)]
    elif kind == "single":
        grips = [pipe([(0, *on(0.9 * top)), (0, *on(high)), (0, lean + 0.22, high + 0.02)], 1.2 * thick)]
        rungs.append(cross_bar(x, *on(top - 0.012), thick))
    elif kind == "bow":
        grips = [push_bar(x, on(high - 0.02), (lean + 0.16, high + 0.05), thick)]
    else:
        bend = [(x, *on(high - 0.04)), (x, lean, high + 0.04), (x, lean + 0.18, high + 0.05)]
        grips = pair(pipe(bend, 1.1 * thick))
    struts = [solid for z in (0.05, 0.38) for solid in pair(bar((x, *on(z)), (x, back, radius), 0.7 * thick))]
    toe = board(rectangle(w + 0.1, plate, corner=0.02), 0.012, (0, 0.02 - plate / 2, 0))
    body = [leaf("toe_plate", toe), cart_frame(upright=rails + struts, level=rungs), *leaves("handle", grips)]
    return body, axle(w + 0.1, back, radius, tire, "disc")


def wagon(style: Style) -> Made:
    """A box, a trough or a stake bed on four wheels, with a bar to pull."""
    w, d, radius, tall = measures(style, width=(0.4, 0.6), length=(0.75, 1.1), wheel=(0.1, 0.18), sides=(0.12, 0.35))
    bed = style.pick("bed", {"box": 2, "tub": 1.2, "stakes": 1.4})
    wheel = style.pick("wheel kind", {"spoked": 1, "disc": 1})
    floor, y = radius + 0.06, 0.33 * d
    if bed == "tub":
        holder = tub_container((0.85 * w, 0.88 * d), (w, d), (floor, floor + tall))
    elif bed == "box":
        holder = open_box(w, d, (floor, floor + tall), front=style.maybe("front", 0.8))
    else:
        low, high = (
            level_corners(w / 2 - 0.012, 0.012 - d / 2, d / 2 - 0.012, z) for z in (floor + 0.01, floor + tall)
        )
        walls = wire_walls(low, high, (2, 4, style.count("slats", 2, 4)), 0.022)
        holder = basket(box((w, d, 0.02), (0, 0, floor + 0.01)), walls)
    bolsters = [box((0.8 * w, 0.05, 0.065), (0, at, floor - 0.03)) for at in (-y, y)]
    bolsters.append(box((0.05, 2 * y, 0.03), (0, 0, floor - 0.018)))
    reach, z = measures(style, pull_reach=(0.15, 0.6), pull_height=(0.5, 0.75))
    tip = -d / 2 - reach
    hold = cross_bar(0.09, tip, z, 0.028)
    if style.maybe("loop handle", 0.5):
        loop = rectangle(0.14, 0.09, corner=0.03).corners()[0]
        hold = tube([(a, tip - 0.5 * b, z + 0.03 + b) for a, b in loop], 0.011, closed=True)
    shaft = bar((0, -y, floor - 0.03), (0, tip, z), 0.024, round=True)
    root, rise = (0, -y, floor - 0.03), float(np.degrees(np.arctan2(z - floor + 0.03, -y - tip)))
    pull = turning(part("pull_bar", leaf("bar", shaft), leaf("handle", hold)), (1, 0, 0), root, (0, rise))
    wheels = [rolling for at in (-y, y) for rolling in axle(w + 0.1, at, radius, 0.038, wheel)]
    return [holder, cart_frame(level=bolsters), pull], wheels


def barrow(style: Style) -> Made:
    """A trough on two wheels and two legs, with shafts to lift it by."""
    w, d, tall = measures(style, width=(0.5, 0.65), length=(0.75, 0.95), depth=(0.22, 0.35))
    radius, floor, reach = measures(style, wheel=(0.16, 0.22), floor=(0.26, 0.32), shaft=(0.35, 0.5))
    x, front, end, high = 0.24 * w, -0.22 * d, d / 2 + reach, floor + 0.36
    shaft = pipe([(x, front - 0.05, floor - 0.012), (x, 0.36 * d, floor - 0.012), (0.36 * w, end, high)], 0.03)
    prop = box((0.03, 0.05, floor - radius + 0.01), (x, front, (floor + radius) / 2 - 0.003))
    toes = [(x, 0.08 * d, floor - 0.02), (x + 0.06, 0.13 * d, 0.012)]
    toes += [(x + 0.06, 0.25 * d, 0.012), (x, 0.3 * d, floor - 0.02)]
    grips = pair(bar((0.355 * w, end - 0.02, high - 0.01), (0.39 * w, end + 0.12, high + 0.04), 0.036, round=True))
    if style.maybe("joined shafts", 0.4):
        grips = [cross_bar(0.37 * w, end, high, 0.03)]
    if style.maybe("wooden box", 0.35):
        holder = open_box(0.85 * w, 0.75 * d, (floor, floor + tall), front=True)
    else:
        holder = tub_container((2.2 * x, 0.62 * d), (w, d), (floor, floor + tall), shift=style.number("tip", -0.1, 0.0))
    body = [holder, cart_frame(level=pair(shaft), upright=pair(prop)), *leaves("leg", pair(pipe(toes, 0.024)))]
    kind = style.pick("wheel kind", {"disc": 2, "spoked": 1})
    return body + leaves("handle", grips), axle(w + 0.03, front, radius, 0.06, kind)


def handcart(style: Style) -> Made:
    """A flat wooden bed between two large wheels, with shafts, a prop, and sometimes racks at the sides."""
    w, d, radius, shaft = measures(style, width=(0.65, 0.85), length=(1.1, 1.5), wheel=(0.28, 0.4), shaft=(0.5, 0.8))
    floor, x, end, count = radius + 0.06, w / 2 - 0.06, d / 2 + shaft, style.count("planks", 3, 5)
    plank = box((w / count + 0.001, d, 0.025), (0, 0, floor + 0.012), bevel=0.003)
    bed = union(*(plank.at(x=(k + 0.5) * w / count - w / 2) for k in range(count)))
    beams = pair(box((0.05, d / 2 + end, 0.05), (x, (end - d / 2) / 2, floor - 0.024), bevel=0.008))
    bolster = box((2 * x, 0.07, floor - radius + 0.01), (0, 0, (floor + radius) / 2 - 0.002))
    props = leaves("leg", pair(bar((x, 0.42 * d, floor - 0.01), (x, 0.42 * d, 0), 0.04, taper=0.8)))
    hold = leaf("handle", cross_bar(x, end - 0.04, floor - 0.024, 0.032))
    made = [leaf("shelf", bed), cart_frame(level=[*beams, bolster]), hold]
    if style.maybe("racks", 0.6):
        tall, flare = measures(style, rack=(0.15, 0.4), flare=(0.0, 0.08))
        low, high, y = (w / 2 - 0.02, floor + 0.02), (w / 2 - 0.02 + flare, floor + tall), d / 2 - 0.02
        face = [(low[0], -y, low[1]), (low[0], y, low[1]), (high[0], y, high[1]), (high[0], -y, high[1])]
        stakes, rails = style.count("stakes", 4, 7), style.count("rails", 1, 2)
        made.append(basket(None, pair(lattice(face, stakes, rails, 0.024))))
    return made + props, axle(w + 0.26, 0.0, radius, 0.04, "spoked")


def tool(style: Style) -> Made:
    """A workshop trolley: drawers under a tray, doors or a shelf below."""
    w, d, top, rise = measures(style, width=(0.6, 0.8), depth=(0.4, 0.5), height=(0.75, 0.9), casters=(0.11, 0.15))
    fillings = {
        "drawers": ["drawer"] * 5,
        "doors": ["drawer", "drawer", "doors"],
        "shelf": ["drawer", "drawer", "shelf"],
    }
    fit, rows = Fittings(style), fillings[style.pick("filling", dict.fromkeys(fillings, 1.0))]
    case = fit.case((-w / 2, w / 2), (-d / 2, d / 2), (rise, top), [rows], pulled=fit.pulled)
    lid = rimmed_tray(rectangle(w + 0.01, d + 0.03, corner=0.015), style.number("rim", 0.02, 0.07), top - 0.002)
    x, z = w / 2 - 0.004, top - 0.08
    grip = pipe([(x, -0.4 * d, z), (x + 0.07, -0.4 * d, z), (x + 0.07, 0.4 * d, z), (x, 0.4 * d, z)], 0.028)
    body = [part("container", part("cabinet", case)), leaf("tray", lid), leaf("handle", grip)]
    return body, casters(corners(w / 2 - 0.06, d / 2 - 0.07), rise + 0.002)
