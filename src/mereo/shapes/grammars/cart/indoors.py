"""Carts for rooms and halls: to serve from, to carry books, laundry and luggage."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.cart.frames import (
    Made,
    cart_frame,
    cross_bar,
    measures,
    push_bar,
    rimmed_tray,
    tub_container,
)
from mereo.shapes.grammars.cart.wheels import axle, casters
from mereo.shapes.joinery import corners, leaves, pair
from mereo.shapes.outlines import ellipse, rectangle
from mereo.shapes.solids import bar, board, box, prism, ring, tube, union
from mereo.shapes.style import Style

__all__ = ["book", "laundry", "luggage", "round_tea", "tea", "utility"]


def utility(style: Style) -> Made:
    """Two or three trays or shelves between four posts."""
    w, d, top = measures(style, width=(0.4, 0.55), length=(0.65, 0.95), height=(0.75, 0.9))
    rise, thick, rim, over = measures(style, casters=(0.1, 0.15), post=(0.022, 0.04), rim=(0.03, 0.13), over=(0, 0.08))
    plan, round = rectangle(w, d, corner=style.number("corner", 0.0, 0.07)), style.maybe("round posts", 0.5)
    levels = np.linspace(rise, top, style.count("trays", 2, 3))
    decks = leaves("tray", [rimmed_tray(plan, rim, z) for z in levels])
    if style.maybe("flat shelves", 0.3):
        decks = leaves("shelf", [board(plan, 0.022, (0, 0, z), bevel=0.003) for z in levels])
    spots = corners(w / 2 - 0.6 * thick, d / 2 - 0.6 * thick)
    posts = [bar((x, y, rise), (x, y, top + 0.02 + over), thick, round=round) for x, y in spots]
    lift = style.number("handle rise", 0.02, 0.12)
    grip = push_bar(w / 2 - 0.6 * thick, (d / 2 - 0.015, top), (d / 2 + 0.12, top + lift))
    grips = [grip, grip.mirrored("y")] if style.maybe("two handles", 0.3) else [grip]
    return [*decks, cart_frame(upright=posts), *leaves("handle", grips)], casters(spots, rise)


def tea(style: Style) -> Made:
    """Two hoops of tube with shelves or trays between; large wheels behind, casters before."""
    w, d, top, thick = measures(style, width=(0.4, 0.5), length=(0.6, 0.8), height=(0.7, 0.85), tube=(0.016, 0.026))
    rise, radius, corner, rim = 0.09, *measures(style, wheel=(0.14, 0.2), hoop_corner=(0.04, 0.2), rim=(0.02, 0.06))
    tall, trays = top - rise, style.maybe("trays", 0.5)
    loop = rectangle(d, tall, corner=corner).corners()[0] + (0, (top + rise) / 2)
    hoops = pair(tube([(w / 2, y, z) for y, z in loop], thick / 2, closed=True))
    decks = []
    for share in ((0.16, 0.72), (0.14, 0.45, 0.78))[style.maybe("three shelves", 0.4)]:
        into = max(0.0, corner - tall * min(share, 1 - share))
        plan, z = rectangle(w, d - 2 * (corner - np.sqrt(corner**2 - into**2))), rise + share * tall
        decks.append(leaf("tray", rimmed_tray(plan, rim, z)) if trays else leaf("shelf", board(plan, 0.016, (0, 0, z))))
    kind = style.pick("wheel kind", {"spoked": 2, "disc": 1})
    wheels = axle(w + thick + 0.05, d / 2 - max(0.0, 0.3 * (corner + rise - radius)), radius, 0.024, kind)
    wheels += casters([(-w / 2, corner + 0.01 - d / 2), (w / 2, corner + 0.01 - d / 2)], rise)
    grip = push_bar(w / 2, (d / 2, top - corner - 0.03), (d / 2 + 0.12, top + 0.04), 0.02)
    return [*decks, cart_frame(whole=hoops), leaf("handle", grip)], wheels


def round_tea(style: Style) -> Made:
    """A round tray and shelf on three or four posts, with a ring above."""
    w, top, rise, rim = measures(style, width=(0.42, 0.6), height=(0.65, 0.8), casters=(0.06, 0.09), rim=(0.02, 0.05))
    plan, count = ellipse(w, w), style.count("posts", 3, 4)
    turns = 2 * np.pi * np.arange(count) / count + 0.8
    spots = [(0.48 * w * float(np.cos(t)), 0.48 * w * float(np.sin(t))) for t in turns]
    posts = [bar((x, y, rise), (x, y, top), 0.02, round=True) for x, y in spots]
    decks = [leaf("tray", rimmed_tray(plan, rim, rise + 0.02)), leaf("shelf", board(plan, 0.014, (0, 0, 0.82 * top)))]
    grip = push_bar(0.2 * w, (0.43 * w, top), (0.43 * w + 0.14, top + 0.06), 0.018)
    frame = cart_frame(upright=posts, whole=[ring(0.48 * w, 0.018, (0, 0, top))])
    return [*decks, frame, leaf("handle", grip)], casters(spots, rise)


def luggage(style: Style) -> Made:
    """A porter's cart: a carpeted deck under two arches of brass, with rails for coats."""
    w, d, rise = measures(style, width=(0.55, 0.65), length=(0.95, 1.15), casters=(0.15, 0.2))
    high, arch, corner = measures(style, height=(1.6, 1.85), arch=(0.25, 0.45), corner=(0.03, 0.15))
    deck = board(rectangle(w, d, corner=corner), 0.05, (0, 0, rise), bevel=0.01)
    x, y, spring, crossing = w / 2 - 0.06, d / 2 - 0.06, high - arch, style.maybe("crossing arches", 0.5)
    thick, turns = style.number("tube", 0.03, 0.042), np.linspace(0, np.pi, 15)
    lean = -np.cos(turns) if crossing else np.ones(15)
    crown = np.stack([x * lean, -y * np.cos(turns), spring + arch * np.sin(turns)], 1)
    whole = tube([(*crown[0, :2], rise + 0.045), *crown, (*crown[-1, :2], rise + 0.045)], thick / 2)
    rails = [cross_bar(x, at, spring - 0.03, 0.6 * thick) for at in (-y, y)]
    if crossing:
        rails += pair(bar((x, -y, spring - 0.03), (x, y, spring - 0.03), 0.6 * thick, round=True))
    else:
        rails.append(cross_bar(x, 0, high, 0.8 * thick))
    grip = push_bar(x, (y, 0.82), (y + 0.1, 0.98))
    body = [leaf("shelf", deck), cart_frame(whole=pair(whole), level=rails), leaf("handle", grip)]
    return body, casters(corners(x - 0.03, y - 0.08), rise + 0.002)


def book(style: Style) -> Made:
    """A library truck: shelves between two end panels, level or sloping to both sides."""
    w, d, top, rise = measures(style, depth=(0.4, 0.5), length=(0.75, 1.0), height=(0.9, 1.15), casters=(0.1, 0.14))
    count, sloping, inner = style.count("shelves", 2, 3), style.maybe("sloping shelves", 0.5), d - 0.038
    view = rectangle(w, top - rise, corner=style.number("corner", 0.0, 0.1)).at(0, (top + rise) / 2)
    hold = rectangle(0.14, 0.035, corner=0.017).at(0, top - 0.08)
    panel = prism(view.minus(hold), 0.02, along="y").at(y=d / 2 - 0.01)
    shelf = box((w - 0.03, inner, 0.018))
    if sloping:
        half = box((0.46 * w, inner, 0.014), (0.23 * w, 0, 0)).turned(y=-14)
        stop = box((0.014, inner, 0.05), (0.45 * w, 0, 0.13 * w))
        shelf = union(*pair(half), *pair(stop))
    levels = rise + (top - rise) * (np.arange(count) + 0.14) / count
    spine = box((0.016, inner, levels[-1] - levels[0] + 0.12), (0, 0, (levels[0] + levels[-1]) / 2 + 0.055))
    made = [*leaves("vertical_side_panel", [panel, panel.mirrored("y")]), leaf("vertical_divider_panel", spine)]
    made += leaves("shelf", [shelf.at(z=z) for z in levels])
    return [part("container", part("cabinet", made))], casters(corners(w / 2 - 0.11, d / 2 - 0.012), rise + 0.003)


def laundry(style: Style) -> Made:
    """A deep trough of cloth or plastic in a frame of tube."""
    w, d, top, rise = measures(style, width=(0.45, 0.6), length=(0.6, 0.9), height=(0.65, 0.85), casters=(0.09, 0.13))
    share, lift = measures(style, taper=(0.75, 0.95), handle_rise=(0.02, 0.15))
    spots, border = corners(w / 2 - 0.017, d / 2 - 0.017), rectangle(w, d, corner=0.06).corners()[0]
    rims = [tube([(x, y, z) for x, y in border], 0.012, closed=True) for z in (rise, top - 0.02)]
    posts = [bar((x, y, rise), (x, y, top - 0.02), 0.024, round=True) for x, y in spots]
    slats = [bar((-w / 2, y, rise + 0.018), (w / 2, y, rise + 0.018), 0.02) for y in (-0.25 * d, 0.0, 0.25 * d)]
    tub = tub_container((share * (w - 0.04), share * (d - 0.04)), (w - 0.026, d - 0.026), (rise + 0.026, top))
    grip = push_bar(w / 2 - 0.017, (d / 2 - 0.017, top - 0.04), (d / 2 + 0.1, top + lift))
    return [tub, cart_frame(whole=rims, upright=posts, level=slats), leaf("handle", grip)], casters(spots, rise)
