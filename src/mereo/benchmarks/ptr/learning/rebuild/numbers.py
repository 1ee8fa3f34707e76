"""The words and numbers by which an object is rebuilt, and how many each of them are; `solid` has what they mean."""

from __future__ import annotations

__all__ = ["LEANS", "OBJECT_NUMBERS", "OBJECT_WORDS", "PART_NUMBERS", "TURNS", "UPRIGHT"]

TURNS = tuple(str(degrees) for degrees in range(0, 360, 15))
"""How far an object is turned about the vertical, degrees. Half of these occur in our rooms; others may have all."""
UPRIGHT = "upright"
LEANS = (UPRIGHT, *(str(degrees) for degrees in range(0, 360, 45)))
"""Where up is for an object that is tilted, degrees about its own z axis."""
OBJECT_WORDS = {"turned": TURNS, "leaning": LEANS}
OBJECT_NUMBERS = {"middle": 3, "tilt": 1, "extent": 3, "room": 4}
PART_NUMBERS = {"reach": 6, "own_axis": 6}
