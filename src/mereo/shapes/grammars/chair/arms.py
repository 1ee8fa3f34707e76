"""Armrests."""

from __future__ import annotations

from mereo.shapes.grammar import leaf, part
from mereo.shapes.grammars.chair.seats import Seat
from mereo.shapes.outlines import rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, board, box, tube
from mereo.shapes.style import Style

__all__ = ["made_arms"]


def made_arms(style: Style, seat: Seat, *, posts: bool) -> list[Part]:
    """Two alike: rests on posts, on one post and the back, on a bracket under the seat, or bent loops."""
    designs = {"posts": 2, "back": 2.5 * posts, "loop": 1.2, "writing": 1.0 * (seat.kind == "arm")}
    design = style.pick("arm", {"bracket": 2, "loop": 1} if seat.kind == "swivel" else designs)
    rest, x = seat.height + style.number("arm height", 0.17, 0.23), seat.width / 2 + 0.012
    front, rear = style.number("arm front", -0.46, -0.3) * seat.depth, seat.y(rest) - 0.02
    thick = style.number("arm post", 0.02, 0.034)
    pad = box((0.055, rear - front, 0.026), (x, (front + rear) / 2, rest), bevel=0.008)
    right: list[tuple[str, Solid]] = [("arm_horizontal_bar", pad)]
    low = seat.height - 0.5 * seat.thickness
    if design == "loop":
        out, back = x + 0.01, seat.rear
        path = [(x - 0.03, front + 0.03, low), (out, front - 0.01, rest - 0.05), (out, front + 0.05, rest)]
        path += [(out, back - 0.06, rest), (out, back - 0.02, rest - 0.05), (x - 0.03, back - 0.03, low)]
        right = [("arm_holistic_frame", tube(bent(path), 0.5 * thick))]
    elif design == "bracket":
        y, z, out = (front + rear) / 2 - 0.02, seat.under, x + 0.02
        right.append(("arm_near_vertical_bar", bar((out, y, z - 0.01), (x, y, rest), thick, 0.05, bevel=0.004)))
        right.append(("arm_connector", bar((0.1, y, z), (out, y, z - 0.004), 0.05, 0.016)))
    else:
        ys = (front + 0.05,) if design == "back" else (front + 0.05, seat.rear - 0.03)
        right += [("arm_near_vertical_bar", bar((x - 0.018, y, low), (x, y, rest), thick, bevel=0.004)) for y in ys]
        if design == "back":
            ends = (0.36 * seat.width, rear - 0.002, rest), (x + 0.02, rear - 0.012, rest)
            right.append(("arm_connector", bar(*ends, 0.024, round=True)))
    left = [(name, solid.mirrored("x")) for name, solid in right]
    if design == "writing":
        tablet = board(rectangle(0.3, 0.36, corner=0.06), 0.018, (x - 0.08, front + 0.12, rest + 0.01), bevel=0.004)
        right.append(("arm_writing_table", tablet))
    return [part("chair_arm", [leaf(name, solid) for name, solid in side]) for side in (left, right)]
