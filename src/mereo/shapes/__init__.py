"""Shapes: single objects as trees of named parts, made by grammars or read from files."""
