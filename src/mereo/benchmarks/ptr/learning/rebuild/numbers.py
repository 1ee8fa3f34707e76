"""The numbers by which an object is rebuilt, and how many each of them are; `solid` has what they mean."""

from __future__ import annotations

__all__ = ["OBJECT_NUMBERS", "PART_NUMBERS"]

OBJECT_NUMBERS = {"middle": 3, "across": 6, "up": 3, "front": 3, "extent": 3, "room": 4}
PART_NUMBERS = {"reach": 6}
