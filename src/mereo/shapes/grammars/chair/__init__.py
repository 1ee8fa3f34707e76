"""Chairs: to dine, work, rest, rock and perch on, and sofas for up to three."""

from __future__ import annotations

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grammars.chair.arms import made_arms
from mereo.shapes.grammars.chair.backs import Back, made_back
from mereo.shapes.grammars.chair.bases import cantilever_base, leg_base, pedestal_base, sled_base, star_base
from mereo.shapes.grammars.chair.kinds import kinds
from mereo.shapes.grammars.chair.seats import Seat
from mereo.shapes.grammars.chair.sofas import upholstered
from mereo.shapes.part import Part
from mereo.shapes.solids import bar, cushion, ring, union
from mereo.shapes.style import Style


@grammar("chair")
def chair(style: Style) -> Part:
    """A seat on a base, mostly with a back, sometimes with arms, a headrest, a footrest."""
    weights = {name: kind.weight for name, kind in kinds().items()}
    kind = style.pick("kind", weights | {"upholstered": 3.2})
    if kind == "upholstered":
        return part("chair", upholstered(style))
    base = style.pick("base", kinds()[kind].bases)
    seat = Seat(style, kind, base)
    above: list[Part] = []
    if style.maybe("back", {"stool": 0.35, "low stool": 0.0}.get(kind, 1.0)):
        back = made_back(style, seat)
        above.append(back.part)
        if kind == "swivel" and style.maybe("headrest", 0.4):
            above.append(_head(style, seat, back))
        if style.maybe("arms", {"arm": 1, "easy": 0.9, "rocking": 0.9, "swivel": 0.6}.get(kind, 0.0)):
            above += made_arms(style, seat, posts=back.posts)
    make = {"star": star_base, "pedestal": pedestal_base, "sled": sled_base, "cantilever": cantilever_base}
    stand = make.get(base, leg_base)(style, seat)
    perch = kind == "stool" and base in ("pedestal", "star")
    rest = _footrest(style, seat) if perch and style.maybe("footrest", 0.8) else None
    return part("chair", above, part("chair_base", stand), seat.part(style), rest)


def _head(style: Style, seat: Seat, back: Back) -> Part:
    """A small cushion on a stem that begins behind the back."""
    z, y = back.height + style.number("head height", 0.07, 0.14), back.behind + 0.004
    rest = cushion((0.28, 0.07, 0.14), (0, 0, z), squareness=5)
    stem = bar((0, y, 0.7 * back.height), (0, 0.02, z), 0.05, 0.014)
    return part("chair_head", leaf("headrest", seat.leaning(rest)), leaf("head_connector", seat.leaning(stem)))


def _footrest(style: Style, seat: Seat) -> Part:
    """A hoop around the column to put the feet on."""
    z, radius = style.number("footrest height", 0.3, 0.42) * seat.height, 0.46 * seat.width
    hoop = ring(radius, 0.02, (0, 0, z))
    spokes = [bar((0, 0, z), (radius, 0, z), 0.016, round=True).turned(z=turn) for turn in (45, 135, 225, 315)]
    return part("footrest", leaf("chair_base", union(hoop, *spokes)))
