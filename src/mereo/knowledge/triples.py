"""Plain triples: relation, head and tail apart by tabs, perhaps with a weight after them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mereo.knowledge.item import Item, normalized
from mereo.knowledge.reading import Refused, Tally, items_of, weighed
from mereo.knowledge.relations import called

__all__ = ["COLUMNS", "read_triples"]

COLUMNS = 3


def read_triples(path: str | Path, *, tally: Tally, strict: bool = False) -> Iterator[Item]:
    """The items of a file in its order, duplicates and all. Their source is the name of the file."""
    file = Path(path)
    return items_of(file, lambda line: _item(line, file.name, tally), tally=tally, strict=strict)


def _item(line: bytes, source: str, tally: Tally) -> Item | None:
    try:
        columns = line.decode().split("\t")
    except UnicodeDecodeError:
        raise Refused("is not UTF-8") from None
    if len(columns) < COLUMNS:
        raise Refused(f"{len(columns)} columns instead of {COLUMNS}")
    name, head, tail = columns[0].strip(), normalized(columns[1]), normalized(columns[2])
    meaning = called().get(name)
    if meaning is None:
        raise Refused(f"there is no relation '{name}'")
    if meaning.relation is None:
        tally.others[name] += 1
        return None
    if not (head and tail):
        raise Refused("a concept has no name")
    if head == tail:
        tally.idle += 1
        return None
    weight = _number(columns[COLUMNS]) if len(columns) > COLUMNS else 1.0
    if meaning.swapped:
        head, tail = tail, head
    return Item(head, meaning.relation, tail, source, weight)


def _number(text: str) -> float:
    try:
        return weighed(float(text))
    except ValueError:
        raise Refused(f"the weight '{text}' is no number above 0") from None
