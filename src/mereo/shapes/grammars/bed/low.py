"""Beds without rails: a deck, an upholstered box or a drum carries the mattress."""

from __future__ import annotations

import numpy as np

from mereo.shapes.grammar import leaf
from mereo.shapes.grammars.bed.boards import end_boards, soft_board, wooden_board
from mereo.shapes.grammars.bed.frames import deck_surface, leg_base, leg_maker, surface_base
from mereo.shapes.grammars.bed.sizes import Size, drawn_size
from mereo.shapes.grammars.bed.sleep import bed_unit, sleep_area
from mereo.shapes.outlines import ellipse, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import board, box, union
from mereo.shapes.style import Style

__all__ = ["divan", "platform", "round_bed"]


def platform(style: Style) -> list[Part]:
    """A low deck with a ledge around the mattress, on legs or a set-back plinth."""
    size = drawn_size(style, 0.16, 0.3, widths=("double", "queen", "king"))
    ledge, thick = style.number("ledge", 0.04, 0.2), style.number("deck thickness", 0.04, 0.1)
    width, length, under, y = size.width + 2 * ledge, size.length + ledge, size.deck - thick, -ledge / 2
    if style.maybe("slatted", 0.35):
        ys = np.linspace(-0.5, 0.5, style.count("slats", 11, 17)) * (length - 0.1) + y
        beam = box((0.06, length, thick - 0.02), (0, y, under + thick / 2 - 0.008))
        slats = [beam.at(x) for x in (-width / 2.6, 0.0, width / 2.6)]
        slats += [box((width, 0.085, 0.025), (0, at, size.deck - 0.0125), bevel=0.004) for at in ys]
        deck = deck_surface("frame_horizontal_surface_bar", slats)
    else:
        plan = rectangle(width, length, corner=style.number("ledge corner", 0, 0.15))
        deck = deck_surface("frame_horizontal_hard_surface", [board(plan, thick, (0, y, under), bevel=0.01)])
    if style.maybe("plinth", 0.4):
        base = surface_base(box((width - 0.3, length - 0.3, under + 0.005), (0, y, under / 2 + 0.0025)))
    else:
        leg, inset = leg_maker(style), style.number("leg inset", 0.08, 0.2)
        ys = np.array([inset - length / 2, length / 2 - inset]) + y
        base = leg_base([leg(x, at, under + 0.01) for x in (-width / 2.6, width / 2.6) for at in ys])
    head: list[Part] = []
    if style.maybe("headboard", 0.7):
        design = (
            soft_board(style)
            if style.maybe("soft", 0.4)
            else wooden_board(style, {"plain": 2, "slats": 2, "framed": 1})
        )
        head = end_boards(size, design, 0.6 * under, size.top + style.number("head rise", 0.15, 0.5), margin=ledge)
    return bed_unit([*head, deck, base], sleep_area(style, size, drape=size.deck + 0.005, lean=bool(head)))


def divan(style: Style) -> list[Part]:
    """An upholstered box under the mattress: plain, on a plinth, with drawers, or cut out to stand on its corners."""
    size = drawn_size(style, 0.26, 0.4)
    width, length, height = size.width, size.length, size.deck
    plan = rectangle(width, length, corner=0.03)
    design = style.pick("box", {"plain": 1, "plinth": 1, "drawers": 1.5, "cut": 1})
    body = board(plan, height, bevel=0.012)
    if design == "plinth":
        body = union(box((width - 0.16, length - 0.16, 0.1), (0, 0, 0.05)), board(plan, height - 0.06, (0, 0, 0.06)))
    elif design == "cut":
        body = body.minus(box((width - 0.3, 3, 0.56 * height)), box((3, length - 0.3, 0.56 * height)))
    elif design == "drawers":
        count = style.count("drawers", 2, 3)
        for y in (np.arange(count) - (count - 1) / 2) * length / count:
            front = box((width + 0.024, 0.9 * length / count, 0.62 * height), (0, y, 0.48 * height), bevel=0.006)
            body = union(body, front, box((width + 0.07, 0.14, 0.02), (0, y, 0.6 * height), bevel=0.006))
    head: list[Part] = []
    if style.maybe("headboard", 0.8):
        high, margin = size.top + style.number("head rise", 0.4, 0.75), style.number("overhang", 0, 0.1)
        head = end_boards(size, soft_board(style), 0.0, high, margin=margin)
    drape = size.deck - style.number("drape", -0.1, 0.15)
    return bed_unit([*head, surface_base(body)], sleep_area(style, size, drape=drape, lean=bool(head)))


def round_bed(style: Style) -> list[Part]:
    """A round mattress on a drum, with a board bent around its head."""
    width, deck, rim = style.number("width", 1.9, 2.3), style.number("deck", 0.2, 0.36), style.number("rim", 0.01, 0.12)
    size, rise = Size(width, width, deck, style.number("mattress", 0.18, 0.28)), style.number("head rise", 0.15, 0.45)
    outside, thick = width + 2 * rim, style.number("board thickness", 0.06, 0.12)
    ring = ellipse(outside + 2 * thick, outside + 2 * thick).minus(ellipse(outside - 0.01, outside - 0.01))
    wrap = ring.minus(rectangle(5, 5).at(0, style.number("wrap", -0.05, 0.35) * width - 2.5))
    drum = board(ellipse(outside, outside), deck, bevel=0.02)
    if style.maybe("plinth", 0.4):
        rim_only = board(ellipse(outside, outside), 0.1, (0, 0, deck - 0.1), bevel=0.02)
        drum = union(rim_only, board(ellipse(width - 0.3, width - 0.3), deck - 0.05))
    frame = [leaf("headboard", board(wrap, size.top + rise)), surface_base(drum)]
    return bed_unit(frame, sleep_area(style, size, drape=deck + 0.03, plan=ellipse(width, width)))
