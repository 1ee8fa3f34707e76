"""What lies and stands on tables: fruit, bread, crockery, candles, books, and what a room is made homely with."""

from mereo.shapes.grammars.kitchen import (
    bakery,
    blocks,
    candles,
    crockery,
    fruit,
    homely,
    larder,
    plants,
    pots,
    reading,
)

__all__ = ["bakery", "blocks", "candles", "crockery", "fruit", "homely", "larder", "plants", "pots", "reading"]
