"""Knowledge from whatever file a person has: a dump of ConceptNet, plain triples, or a store of ours."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from mereo.errors import BadInput
from mereo.knowledge import conceptnet, triples
from mereo.knowledge.graph import Knowledge, MemoryKnowledge
from mereo.knowledge.item import Item
from mereo.knowledge.reading import Tally, lines
from mereo.knowledge.relations import CATEGORY, TAXONOMY, taxonomic_names
from mereo.knowledge.store import open_store, write_store

__all__ = ["Read", "read_items", "read_knowledge", "store_knowledge"]

_PARQUET = b"PAR1"
_LOOKED_AT = 100
"""Lines by which a file is told from another: some of them may be damaged."""


class Read(NamedTuple):
    """Knowledge from a file, and what became of the file's rows; no tally of a store, which was read before."""

    knowledge: Knowledge
    tally: Tally | None


def read_knowledge(path: str | Path, *, strict: bool = False, taxonomic: Collection[str] | None = None) -> Read:
    """All of a file. What is too large for memory is better stored first."""
    if _is_store(Path(path)):
        return Read(open_store(path), None)
    tally = Tally()
    return Read(MemoryKnowledge(read_items(path, tally=tally, strict=strict, taxonomic=taxonomic)), tally)


def store_knowledge(
    path: str | Path, out: str | Path, *, strict: bool = False, taxonomic: Collection[str] | None = None
) -> Tally:
    """Bring a dump or triples of any size into a store, in bounded memory."""
    tally = Tally()
    write_store(read_items(path, tally=tally, strict=strict, taxonomic=taxonomic), out)
    return tally


def read_items(
    path: str | Path, *, tally: Tally, strict: bool = False, taxonomic: Collection[str] | None = None
) -> Iterator[Item]:
    """The items of a dump or of triples one by one, with categories of a science apart: ours, if none are given."""
    names = taxonomic_names() if taxonomic is None else frozenset(taxonomic)
    read = conceptnet.read_conceptnet if _is_dump(Path(path)) else triples.read_triples
    for item in read(path, tally=tally, strict=strict):
        scientific = item.relation == CATEGORY and item.tail in names
        yield replace(item, relation=TAXONOMY) if scientific else item


def _is_store(path: Path) -> bool:
    return next(lines(path), b"").startswith(_PARQUET)


def _is_dump(path: Path) -> bool:
    """Whether lines have the columns of a dump; what has those of neither is no file of knowledge."""
    counts = [line.count(b"\t") + 1 for line in islice(lines(path), _LOOKED_AT)]
    if not any(count >= triples.COLUMNS for count in counts):
        raise BadInput("is no file of knowledge: its lines have too few columns", file=path)
    return any(count >= conceptnet.COLUMNS for count in counts)
