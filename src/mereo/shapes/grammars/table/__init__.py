"""Tables: to eat, write, play and picnic at, low and high, on legs, columns, trestles, drawers and shelves."""

from __future__ import annotations

from mereo.shapes.grammar import grammar, part
from mereo.shapes.grammars.table.bases import crossed_rods, pedestal, slabs, sled, star, trestle
from mereo.shapes.grammars.table.cases import chest, desk, shelves_base
from mereo.shapes.grammars.table.games import ping_pong_table, pool_table
from mereo.shapes.grammars.table.kinds import kinds
from mereo.shapes.grammars.table.legs import legs_base
from mereo.shapes.grammars.table.picnic import picnic_table
from mereo.shapes.grammars.table.tops import Top
from mereo.shapes.part import Part
from mereo.shapes.style import Style


@grammar("table")
def table(style: Style) -> Part:
    """Mostly an ordinary table; now and then one to play on or to picnic at."""
    ordinary = {name: kind.weight for name, kind in kinds().items()}
    kind = style.pick("kind", ordinary | {"ping-pong": 0.6, "pool": 0.8, "picnic": 0.9})
    if kind == "picnic":
        return part("table", picnic_table(style))
    if kind in ordinary:
        return part("table", _regular(style, kind))
    return part("table", part("game_table", ping_pong_table(style) if kind == "ping-pong" else pool_table(style)))


def _regular(style: Style, kind: str) -> Part:
    """A top on a base."""
    make = {"legs": legs_base, "trestle": trestle, "sled": sled, "slabs": slabs, "crossed": crossed_rods}
    make |= {"pedestal": pedestal, "star": star, "desk": desk, "chest": chest, "shelves": shelves_base}
    base = style.pick("base", kinds()[kind].bases)
    top = Top(style, kind, base)
    return part("regular_table", top.part(style), part("table_base", make[base](style, top)))
