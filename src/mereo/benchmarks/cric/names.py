"""Names that stand in CRIC's datasets."""

from __future__ import annotations

__all__ = ["DRAWN", "DRAWN_COLUMN", "EMBEDDED", "LORE_FILE", "NAME"]

NAME = "cric"
"""The benchmark."""
LORE_FILE = "knowledge.json"
"""The file of a dataset that holds what is known of all things in its pictures."""
DRAWN_COLUMN = "drawn"
"""The column of scene shards that counts all questions that were drawn, of which some were kept."""
EMBEDDED = "embedded"
"""What settings call the knowledge that comes with mereo."""
DRAWN = 2
"""How many questions are drawn for each that is kept, where nobody chooses. Twice as many as are kept make answers and
items nearly as even as four times as many do, at half the time."""
