"""Formats of others, read and written."""
