"""Files of knowledge line by line, however large, with a tally of what was left out and why."""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from mereo.errors import BadInput, Refusals
from mereo.files import is_finite
from mereo.knowledge.item import Item

__all__ = ["Refused", "Tally", "items_of", "lines", "weighed"]

_BLOCK = 1 << 20
_LONGEST = 1 << 24
"""Bytes of the longest line that is read: what has no ends of lines at all must not fill the memory."""
_HEAVIEST = 1e9
_GZIP = b"\x1f\x8b"


class Refused(ValueError):
    """Why a row cannot be read."""


@dataclass
class Tally(Refusals):
    """What became of the rows of a file. It fills while the items are taken out, and is whole when they are."""

    rows: int = 0
    kept: int = 0
    foreign: int = 0
    """Rows about words of other languages, or about what is no word at all."""
    idle: int = 0
    """Rows that say of something that it is itself, as happens where senses of a word are not told apart."""
    others: Counter[str] = field(default_factory=Counter)
    """Rows with relations that are known and not kept."""

    def refuse(self, error: Refused, *, file: Path, strict: bool) -> None:
        """Count a row that cannot be read, or stop at it."""
        self.leave_out(BadInput(str(error), file=file, record=f"line {self.rows}"), strict=strict)

    def told(self) -> str:
        """The whole tally in one sentence."""
        counts = {
            "with other relations": self.others.total(),
            "not English": self.foreign,
            "that say nothing": self.idle,
            "that cannot be read": self.refused,
        }
        left_out = ", ".join(f"{count:,} {why}" for why, count in counts.items() if count)
        return f"{self.rows:,} rows, {self.kept:,} kept" + (f"; left out: {left_out}" if left_out else "")


def lines(path: Path) -> Iterator[bytes]:
    """The lines of a file, packed by gzip or not, without their ends."""
    try:
        with path.open("rb") as file:
            packed = file.read(len(_GZIP)) == _GZIP
        with gzip.open(path) if packed else path.open("rb") as source:
            yield from _split(source, path)
    except FileNotFoundError:
        raise BadInput("there is no such file", file=path) from None
    except IsADirectoryError:
        raise BadInput("is a folder, not a file", file=path) from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise BadInput("is packed by gzip and not whole", file=path) from None
    except OSError as error:
        raise BadInput(f"cannot be read ({error.strerror})", file=path) from None


def _split(source: BinaryIO | gzip.GzipFile, path: Path) -> Iterator[bytes]:
    rest = b""
    while block := source.read(_BLOCK):
        *whole, rest = (rest + block).split(b"\n")
        if len(rest) > _LONGEST:
            raise BadInput(f"has a line of more than {_LONGEST // 2**20} MiB: it is no file of knowledge", file=path)
        for line in whole:
            yield line.removesuffix(b"\r")
    if rest:
        yield rest.removesuffix(b"\r")


def items_of(file: Path, read: Callable[[bytes], Item | None], *, tally: Tally, strict: bool) -> Iterator[Item]:
    """What the lines of a file say, one line in memory at a time. read : None for what is counted and not kept"""
    for line in lines(file):
        tally.rows += 1
        try:
            item = read(line)
        except Refused as error:
            tally.refuse(error, file=file, strict=strict)
            continue
        if item is not None:
            tally.kept += 1
            yield item


def weighed(weight: float) -> float:
    """A weight that can be added up."""
    if not is_finite(weight) or not 0 < weight < _HEAVIEST:
        raise Refused(f"the weight must be above 0 and below {_HEAVIEST:,.0f}")
    return weight
