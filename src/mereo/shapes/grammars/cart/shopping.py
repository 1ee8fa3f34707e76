"""Carts to shop with and to sell from."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.cart.frames import (
    Made,
    basket,
    cart_frame,
    cross_bar,
    lattice,
    level_corners,
    measures,
    pipe,
    push_bar,
    tub_container,
    wire_walls,
)
from mereo.shapes.grammars.cart.wheels import axle, casters
from mereo.shapes.joinery import Fittings, Span, corners, leaves, pair
from mereo.shapes.outlines import polygon, rectangle
from mereo.shapes.solids import Solid, bar, board, box, prism, shell
from mereo.shapes.style import Style

__all__ = ["shopper", "stall", "supermarket"]


def supermarket(style: Style) -> Made:
    """A wire basket, or two small ones, on a chassis of tube."""
    w, d, high, deep = measures(style, width=(0.48, 0.58), length=(0.75, 0.95), height=(0.95, 1.05), deep=(0.3, 0.45))
    x, y, rise, double, fields = w / 2, d / 2, 0.13, style.maybe("two baskets", 0.3), style.count("fields", 8, 11)
    front, deep = (0.1 - y, 0.55 * deep) if double else (-y, deep)
    baskets = []
    for top in (high - 0.06, high - 0.48)[: 1 + double]:
        low = [
            *level_corners(0.72 * x, front + 0.06, y, top - 0.8 * deep)[:2],
            *level_corners(x - 0.01, front, y, top - deep)[2:],
        ]
        rim = [*level_corners(0.8 * x, front, y, top - 0.02)[:2], *level_corners(x - 0.01, front, y, top)[2:]]
        walls = wire_walls(low, rim, (6, fields, 3 if double else 5), 0.006)
        baskets.append(basket(lattice(low, 6, fields, 0.006), walls))
    nose, heel = (0.8 * x, 0.04 - y, rise + 0.01), (x, y, rise + 0.01)
    side = pipe([nose, heel, (x, y, high - 0.05), (x, y + 0.1, high)], 0.024)
    ties = [cross_bar(0.8 * x, 0.04 - y, rise + 0.01, 0.022), cross_bar(x, y, high - 0.08 - deep, 0.018)]
    rear = [0.9 * a + 0.1 * b for a, b in zip(heel, nose, strict=True)]
    rack = lattice([(-0.8 * x, *nose[1:]), nose, rear, (-rear[0], *rear[1:])], 8, 2, 0.008)
    spots = [(-nose[0], nose[1] + 0.01), (nose[0], nose[1] + 0.01), (rear[0], rear[1]), (-rear[0], rear[1])]
    grip = cross_bar(x + 0.015, y + 0.1, high, 0.034)
    frame = cart_frame(whole=pair(side), level=ties)
    return [*baskets, leaf("shelf", rack), frame, leaf("handle", grip)], casters(spots, rise)


def shopper(style: Style) -> Made:
    """A tall basket or bag on two wheels and a foot, with a long handle."""
    w, d, tall, radius = measures(style, width=(0.3, 0.4), depth=(0.26, 0.34), tall=(0.45, 0.6), wheel=(0.07, 0.12))
    high, reach = measures(style, height=(0.92, 1.02), handle_reach=(0.06, 0.18))
    x, y, floor, post = w / 2, d / 2, 0.1, 0.4 * w
    low, rim = level_corners(0.9 * x, -0.85 * y, 0.85 * y, floor), level_corners(x, -y, y, floor + tall)
    if style.maybe("bag", 0.4):
        holder = tub_container((0.9 * w, 0.85 * d), (w, d), (floor, floor + tall))
    else:
        holder = basket(lattice(low, 5, 5, 0.006), wire_walls(low, rim, (5, 5, 6), 0.006))
    rail = bar((post, y + 0.008, radius), (post, y + 0.008, high - 0.1), 0.02, round=True)
    prong = bar((post, -0.8 * y, floor - 0.004), (post, y + 0.008, floor - 0.004), 0.016, round=True)
    tie = cross_bar(post, y + 0.008, floor + 0.9 * tall, 0.018)
    foot = [(-post, -0.7 * y, floor), (-post, -0.8 * y, 0.008), (post, -0.8 * y, 0.008), (post, -0.7 * y, floor)]
    grip = push_bar(post, (y + 0.008, high - 0.14), (y + reach, high), 0.022)
    frame = cart_frame(upright=pair(rail), level=[*pair(prong), tie])
    kind = style.pick("wheel kind", {"disc": 2, "spoked": 1})
    body = [holder, frame, leaf("leg", pipe(foot, 0.016)), leaf("handle", grip)]
    return body, axle(w + 0.06, y + 0.02, radius, 0.035, kind)


def stall(style: Style) -> Made:
    """A vendor's barrow: a cabinet with a counter, a roof over it, two large wheels and two props."""
    w, d, top, radius = measures(style, width=(1.0, 1.4), depth=(0.6, 0.75), counter=(0.85, 0.95), wheel=(0.3, 0.38))
    floor, roof, fit = 0.42, style.number("roof", 1.75, 2.0), Fittings(style)
    fillings = {"doors": ["doors"], "drawers": ["drawer", "doors"], "open": ["shelf", "shelf"]}
    rows = fillings[style.pick("filling", dict.fromkeys(fillings, 1.0))]
    case = fit.case((-w / 2, w / 2), (-d / 2, d / 2), (floor, top), [rows] * style.count("columns", 1, 2))
    counter = board(rectangle(w + 0.1, d + 0.12, corner=0.02), 0.03, (0, 0, top - 0.002), bevel=0.005)
    x, y = w / 2 - 0.03, d / 2 - 0.03
    canopy, posts = _canopy(style.pick("canopy", {"gable": 1, "barrel": 1, "parasol": 1}), (w, d), (x, y), (top, roof))
    prop = bar((x, 0.06 - y, floor + 0.01), (x, 0.06 - y, 0), 0.05, taper=0.8)
    bolster = box((w - 0.04, 0.08, floor - radius + 0.02), (0, 0.14, (floor + radius) / 2 - 0.004))
    grip = push_bar(0.4 * w, (d / 2 + 0.03, top + 0.02), (d / 2 + 0.2, top + 0.05), 0.03)
    body = [
        part("container", part("cabinet", case)),
        leaf("shelf", counter),
        cart_frame(upright=posts, level=[bolster]),
    ]
    body += [leaf("canopy", canopy), *leaves("leg", pair(prop)), leaf("handle", grip)]
    return body, axle(w + 0.1, 0.14, radius, 0.04, "spoked")


def _canopy(kind: str, size: Span, spot: Span, levels: Span) -> tuple[Solid, list[Solid]]:
    """A roof and the posts that hold it. spot : the corner post; levels : where posts begin and the roof does"""
    (w, d), (x, y), (low, roof) = size, spot, levels
    if kind == "parasol":
        curve = [(0.7 * w, roof - 0.02), (0.45 * w, roof + 0.1), (0.2 * w, roof + 0.18), (0.02, roof + 0.22)]
        return shell(curve, 0.008), [bar((0, 0, low), (0, 0, roof + 0.22), 0.04, round=True)]
    turns, half = np.linspace(0, np.pi, 3 if kind == "gable" else 13), 0.5 * d + 0.1
    arch = np.stack([half * np.cos(turns), roof + 0.4 * d * np.sin(turns)], 1)
    lift = 0.4 * d * (1 - y / half if kind == "gable" else np.sqrt(1 - (y / half) ** 2))
    roofing = prism(polygon([*arch, *(arch[::-1] - (0, 0.02))]), w + 0.2, along="x")
    return roofing, [bar((a, b, low), (a, b, roof + lift - 0.015), 0.03, round=True) for a, b in corners(x, y)]
