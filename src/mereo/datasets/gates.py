"""Gates: figures over a whole dataset, and how large each may be.

An inspector names watches. Each looks once at every scene with its questions, in the dataset's order, keeps no more
than its figures need, and says at the end what it found.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from mereo.sheets import Sheet

__all__ = ["Gate", "Row", "Tell", "Watch"]

Row = Mapping[str, Any]


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """A figure and its bound."""

    name: str
    found: float | None
    """None where there is too little to tell."""
    most: float | None = None
    """None where the figure is only told."""
    of: int = 0
    """How many were looked at."""
    unit: Literal["", "share", "points"] = ""
    truth: bool = False
    """Whether something false is said where the gate is not met; else it is a matter of balance."""
    note: str = ""
    """What the figure is made of, or the first that it counts."""

    @property
    def met(self) -> bool | None:
        """Whether the figure is within its bound; None where that cannot be said."""
        return None if self.found is None or self.most is None else self.found <= self.most

    @property
    def verdict(self) -> str:
        """The same in words."""
        if self.found is None:
            return "too few"
        return {True: "met", False: "not met", None: ""}[self.met]

    def told(self, value: float | None) -> str:
        """A figure as people read it."""
        if value is None:
            return ""
        return f"{value:.1%}" if self.unit == "share" else f"{value:+.1%}" if self.unit else f"{value:,.0f}"

    def complaint(self) -> str | None:
        """What is wrong, where something false is said."""
        if not self.truth or self.met is not False:
            return None
        allowed = "none may be" if not self.most else f"at most {self.told(self.most)} may be"
        return f"{self.name}: {self.told(self.found)} of {self.of:,}, and {allowed} ({self.note})"


class Watch(ABC):
    """Looks at rows as they go by."""

    @abstractmethod
    def look(self, scene: Row, questions: Sequence[Row]) -> None:
        """A scene with the questions about it."""

    @abstractmethod
    def gates(self) -> Iterable[Gate]:
        """What was found."""

    def sheets(self) -> Iterable[Sheet]:
        """What there is to tell that has no bound."""
        return ()


class Tell:
    """How many there were of something, how many are at fault, and which was the first."""

    def __init__(self, name: str, *, most: int | None = 0):
        self.name, self.most = name, most
        self.of = self.faults = 0
        self.first = ""

    def add(self, fault: object, where: str) -> None:
        """One more. fault : whether it is at fault"""
        self.of += 1
        if fault:
            self.first = self.first or where
            self.faults += 1

    def gate(self) -> Gate:
        """All of them."""
        note = f"first {self.first}" if self.first else ""
        truth = self.most is not None
        return Gate(name=self.name, found=self.faults, most=self.most, of=self.of, truth=truth, note=note)
