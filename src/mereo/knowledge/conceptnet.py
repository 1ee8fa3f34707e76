"""ConceptNet 5's dump: five columns apart by tabs, of which what is English and of our relations is read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import msgspec

from mereo.errors import BadInput
from mereo.files import decode_json
from mereo.knowledge.item import Item, normalized
from mereo.knowledge.reading import Refused, Tally, items_of, weighed
from mereo.knowledge.relations import Called, called

__all__ = ["COLUMNS", "read_conceptnet"]

COLUMNS = 5
_ENGLISH = b"/c/en/"


class _About(msgspec.Struct):
    """What is read of the last column."""

    weight: float = 1.0
    dataset: str = ""


def read_conceptnet(path: str | Path, *, tally: Tally, strict: bool = False) -> Iterator[Item]:
    """The items of a dump in its order, duplicates and all, one line in memory at a time.

    Senses are stripped (`/c/en/bank/n/wn/…` is `bank`), and relations that are the inverse of ours turned round.
    """
    file, names = Path(path), {name.encode(): meaning for name, meaning in called().items()}
    return items_of(file, lambda line: _item(line, names, tally), tally=tally, strict=strict)


def _item(line: bytes, names: dict[bytes, Called], tally: Tally) -> Item | None:
    """What a line says; None where it is counted and not kept."""
    columns = line.split(b"\t", COLUMNS - 1)
    if len(columns) < COLUMNS:
        raise Refused(f"{len(columns)} columns instead of {COLUMNS}")
    _, name, start, end, about = columns
    meaning = names.get(name)
    if meaning is None:
        raise Refused(f"there is no relation '{name.decode(errors='replace')}'")
    if meaning.relation is None:
        tally.others[name.decode().removeprefix("/r/")] += 1
        return None
    if not (start.startswith(_ENGLISH) and end.startswith(_ENGLISH)):
        tally.foreign += 1
        return None
    head, tail = _concept(start), _concept(end)
    if head == tail:
        tally.idle += 1
        return None
    weight, source = _weight_and_source(about)
    if meaning.swapped:
        head, tail = tail, head
    return Item(head, meaning.relation, tail, source, weight)


@lru_cache(maxsize=1 << 14)
def _concept(uri: bytes) -> str:
    """The words of an English concept. A dump is sorted, so the same comes many times in a row."""
    try:
        words = normalized(uri[len(_ENGLISH) :].partition(b"/")[0].decode())
    except UnicodeDecodeError:
        raise Refused("is not UTF-8") from None
    if not words:
        raise Refused("a concept has no name")
    return words


def _weight_and_source(about: bytes) -> tuple[float, str]:
    try:
        found = decode_json(about, file=None, type=_About)
    except BadInput as error:
        raise Refused(f"the last column {error.reason}") from None
    return weighed(found.weight), found.dataset
