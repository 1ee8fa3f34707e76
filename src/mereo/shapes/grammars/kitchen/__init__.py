"""What lies and stands on tables: fruit, bread, crockery, candles, books, and what a room is made homely with."""

from mereo.shapes.grammars.kitchen import fruit

__all__ = ["fruit"]
