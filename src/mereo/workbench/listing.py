"""Scenes or questions in a row, found by place, id and split, and made when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Generic, TypeVar, overload

from mereo.datasets.reading import RowReader
from mereo.errors import BadInput

__all__ = ["Listing"]

Item = TypeVar("Item")


class Listing(Sequence[Item], Generic[Item]):
    """Scenes or questions: `[3]`, `[-1]`, `[10:20]`, `["train-000003"]`, `.split("val")`, and in a loop."""

    def __init__(self, reader: RowReader, make: Callable[[int], Item], places: Sequence[int] | None = None):
        self.reader, self._make = reader, make
        self._places = range(len(reader)) if places is None else places

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Item]:
        return map(self._make, self._places)

    @overload
    def __getitem__(self, which: int | str) -> Item: ...
    @overload
    def __getitem__(self, which: slice) -> Listing[Item]: ...
    def __getitem__(self, which: int | str | slice) -> Item | Listing[Item]:
        """One by its place or id, or several by a slice."""
        if isinstance(which, slice):
            return Listing(self.reader, self._make, self._places[which])
        if isinstance(which, str):
            place = self.reader.place(which)
            if place not in self._places:
                raise BadInput(f"{self._what} '{which}' is not among these {len(self):,}", file=self.reader.folder)
            return self._make(place)
        try:
            return self._make(self._places[which])
        except IndexError:
            raise IndexError(f"{self}: there is no {self._what} {which}") from None

    def __contains__(self, item: object) -> bool:
        """Whether a scene or question, or the one of an id, is among these."""
        if isinstance(item, str):
            return self.reader.places.get(item, -1) in self._places
        place = getattr(item, "place", None)
        return isinstance(place, int) and place in self._places and self._make(place) == item

    def split(self, name: str) -> Listing[Item]:
        """Those of one split."""
        own = self.reader.of_split(name)
        whole = len(self) == len(self.reader)
        return Listing(self.reader, self._make, own if whole else [place for place in self._places if place in own])

    @property
    def _what(self) -> str:
        return self.reader.kind.removesuffix("s")

    def __repr__(self) -> str:
        kind = self._what if len(self) == 1 else self.reader.kind
        return f"{len(self):,} {kind} of {Path(self.reader.folder)}"
