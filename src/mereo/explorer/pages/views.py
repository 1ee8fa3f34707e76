"""The style of the pages that ask, turn, compare and show shapes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from nicegui import ui

__all__ = ["dress"]


@cache
def _style() -> str:
    return Path(__file__).with_name("views.css").read_text()


def dress() -> None:
    """Give the page that is being built the style sheet."""
    ui.add_css(_style())
