"""Names that stand in CRIC's datasets."""

from __future__ import annotations

__all__ = ["DRAWN_COLUMN", "EMBEDDED", "LORE_FILE", "NAME"]

NAME = "cric"
"""The benchmark."""
LORE_FILE = "knowledge.json"
"""The file of a dataset that holds what is known of all things in its pictures."""
DRAWN_COLUMN = "drawn"
"""The column of scene shards that counts all questions that were drawn, of which some were kept."""
EMBEDDED = "embedded"
"""What settings call the knowledge that comes with mereo."""
