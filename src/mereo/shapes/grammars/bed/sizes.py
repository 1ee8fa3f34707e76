"""The mattress, which all else of a bed is fitted around."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mereo.shapes.style import Style

__all__ = ["RAIL", "Size", "drawn_size"]

_WIDTHS = {"single": (0.9, 1.05), "double": (1.3, 1.5), "queen": (1.55, 1.7), "king": (1.8, 2.0)}
RAIL = 0.032


class Size(NamedTuple):
    """The mattress, which all else is fitted around: it lies on z = deck with its head towards +y."""

    width: float
    length: float
    deck: float
    thick: float

    @property
    def top(self) -> float:
        return self.deck + self.thick

    @property
    def side(self) -> float:
        """The middle line of a side rail."""
        return self.width / 2 + 0.003 + RAIL / 2

    @property
    def end(self) -> float:
        """The middle line of a rail at the head or the foot."""
        return self.length / 2 + 0.003 + RAIL / 2

    def corners(self, inset: float = 0.0) -> list[tuple[float, float]]:
        return [(sx * (self.side - inset), sy * (self.end - inset)) for sx in (-1, 1) for sy in (-1, 1)]


def drawn_size(style: Style, low: float, high: float, *, widths: Iterable[str] = tuple(_WIDTHS)) -> Size:
    """low, high : bounds of the deck's height"""
    width = style.number("width", *_WIDTHS[style.pick("size", dict.fromkeys(widths, 1.0))])
    length, deck = style.number("length", 1.92, 2.08), style.number("deck", low, high)
    return Size(width, length, deck, style.number("mattress", 0.15, 0.28))
