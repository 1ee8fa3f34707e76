"""Bookshelves, cupboards, wardrobes, chests of drawers, sideboards, kitchen units, lockers, racks.

Most are a case that is divided and filled by a layout such as `door | 1.3 (open / 2 drawers:3) | door`; the kinds and
their layouts stand in `kinds.toml`.
"""

from __future__ import annotations

from mereo.shapes.articulation import turning
from mereo.shapes.grammar import grammar, part
from mereo.shapes.grammars.storage_furniture.bases import made_base
from mereo.shapes.grammars.storage_furniture.fillings import framed_mirror
from mereo.shapes.grammars.storage_furniture.joiner import Space, drawn_joiner, made_case
from mereo.shapes.grammars.storage_furniture.kinds import Kind, catalog
from mereo.shapes.grammars.storage_furniture.layouts import apart, filled
from mereo.shapes.grammars.storage_furniture.shelving import corner_shelf, ladder, rack, stairs
from mereo.shapes.joinery import leaves
from mereo.shapes.outlines import ellipse, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import bar
from mereo.shapes.style import Style

_WHOLE = ("shelf", "countertop", "drawer", "cabinet_door", "cabinet_base", "mirror")
"""What belongs to the cabinet itself; all other parts are of its frame."""


@grammar("storage_furniture")
def storage_furniture(style: Style) -> Part:
    """A frame of boards or bars that is filled with shelves, doors and drawers and stands on a base."""
    kinds = catalog().kinds
    kind = style.pick("kind", {name: kind.weight for name, kind in kinds.items()} | catalog().open_kinds)
    open_kinds = {"rack": rack, "ladder": ladder, "corner": corner_shelf, "stairs": stairs}
    parts = open_kinds[kind](style) if kind in open_kinds else _cabinet(style, kind, kinds[kind])
    frame = part("cabinet_frame", [piece for piece in parts if piece.name not in _WHOLE])
    return part("storage_furniture", part("cabinet", frame, [piece for piece in parts if piece.name in _WHOLE]))


def _cabinet(style: Style, name: str, kind: Kind) -> list[Part]:
    """A case on a base, filled by one of the kind's layouts."""
    layout, known = _drawn_layout(style, kind), catalog()
    width = style.number("column", *kind.column)
    if len(apart(layout, "/")) == 1:
        width *= sum(share for share, _ in apart(layout, "|"))
    depth, base = style.number("depth", *kind.depth), style.pick("base", kind.bases)
    low = style.number("clearance", *known.clearance.get(base, known.clearance["feet"]))
    whole = Space(-width / 2, width / 2, -depth / 2, depth / 2, low, style.number("height", *kind.height))
    joiner = drawn_joiner(style, whole, kind.doors, {"bar": 1.0} if name == "locker" else known.handles)
    top = "counter" if name == "kitchen unit" else style.pick("top", {"flush": 2, "over": 2})
    parts = [*made_case(joiner, whole, top=top), *filled(joiner, joiner.inside(whole), layout)]
    if name == "dresser":
        upper = whole._replace(y0=whole.y0 + 0.4 * depth, z0=whole.z1, z1=whole.z1 + style.number("upper", 0.7, 1.1))
        plates = filled(joiner, joiner.inside(upper), style.pick("upper layout", known.upper_layouts))
        parts += [*made_case(joiner, upper, top="over"), *plates]
    if name == "chest of drawers" and style.maybe("mirror", 0.35):
        parts += _standing_mirror(style, whole)
    if name in ("bookshelf", "cubes") and style.maybe("open back", 0.25):
        parts = [piece for piece in parts if piece.name != "back_panel"]
    return [*parts, *made_base(style, base, whole)]


def _drawn_layout(style: Style, kind: Kind) -> str:
    """One of the kind's layouts, with its `n` and `any` filled in."""
    layout = style.pick("layout", dict.fromkeys(kind.layouts, 1.0)).replace(":n", f":{style.count('n', *kind.number)}")
    for place in range(layout.count("any")):
        layout = layout.replace("any", style.pick(f"any {place}", kind.any), 1)
    return layout


def _standing_mirror(style: Style, whole: Space) -> list[Part]:
    """A mirror above a chest, between posts that belong to its frame."""
    height = style.number("mirror height", 0.45, 0.75)
    shape = style.pick("mirror shape", {"plain": 1, "oval": 1, "rounded": 1})
    width = min(0.7 * whole.width, 0.75 * height if shape == "oval" else 1.0)
    corner = 0.12 if shape == "rounded" else 0.0
    glass = ellipse(width, height) if shape == "oval" else rectangle(width, height, corner=corner)
    y, low, reach = whole.y1 - 0.05, whole.z1 + 0.06, width / 2 + 0.035
    high = low + height * (0.62 if shape == "oval" else 0.85)
    posts = [bar((x, y, whole.z1 - 0.01), (x, y, high), 0.03, 0.026, bevel=0.003) for x in (-reach, reach)]
    middle = (0, y, low + height / 2)
    mirror = turning(framed_mirror(glass, middle), (1, 0, 0), middle, (-12, 12))
    return [mirror, *leaves("frame_vertical_bar", posts)]
