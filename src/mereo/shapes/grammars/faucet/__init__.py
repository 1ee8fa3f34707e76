"""Faucets: on basins and walls, with one handle or two, and showers with a hose."""

from __future__ import annotations

from mereo.shapes.grammar import grammar, part
from mereo.shapes.grammars.faucet.basin import bridge, garden, mixer, pillar, three_holes, tower, wall_mounted
from mereo.shapes.grammars.faucet.shower import kitchen_spray, rail, rain, tub
from mereo.shapes.part import Part
from mereo.shapes.style import Style

_BASIN = {"mixer": mixer, "tower": tower, "pillar": pillar, "bridge": bridge, "three holes": three_holes}
_BASIN |= {"wall": wall_mounted, "garden": garden}
_SHOWER = {"rail": rail, "rain": rain, "tub": tub, "kitchen spray": kitchen_spray}


@grammar("faucet")
def faucet(style: Style) -> Part:
    """A frame that is bolted to the deck or the wall, handles that turn, and a spout that swings where it can."""
    if style.maybe("shower", 0.3):
        return part("faucet", part("shower_faucet", _SHOWER[style.pick("kind", dict.fromkeys(_SHOWER, 1.0))](style)))
    weights = {"mixer": 2, "tower": 2, "pillar": 1, "bridge": 1.3, "three holes": 1.5, "wall": 1.2, "garden": 0.9}
    return part("faucet", part("normal_faucet", _BASIN[style.pick("kind", weights)](style)))
