"""Scenes: shapes placed in a room, on a table or on a stage, as values that anyone can render again."""
