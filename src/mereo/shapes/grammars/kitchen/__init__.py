"""What lies and stands on tables: fruit, bread, crockery, candles, books, and what a room is made homely with."""

from mereo.shapes.grammars.kitchen import bakery, crockery, fruit, pots

__all__ = ["bakery", "crockery", "fruit", "pots"]
