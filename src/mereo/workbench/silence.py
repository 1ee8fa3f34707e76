"""What is called where nobody looks and nobody listens."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Progress", "quiet", "unheard"]

Progress = Callable[[int], None]
"""Called with the amount of work that has become done."""


def quiet(done: int) -> None:
    """Nobody looks."""


def unheard(sentence: str) -> None:
    """Nobody listens."""
