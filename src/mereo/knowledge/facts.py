"""Facts and the entities for which each is true, false or unclear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import msgspec

from mereo.errors import BadInput, nearest
from mereo.files import converted, read_toml
from mereo.knowledge.entities import Vocabulary
from mereo.knowledge.item import Item
from mereo.knowledge.relations import CATEGORY, relations

__all__ = ["Fact", "category_facts", "read_facts"]

_PLACE = "{}"


class Fact(msgspec.Struct, frozen=True):
    """One end of a relation, and which entities may stand at the other.

    What a fact is true of are the heads of its tail ("knife", of "is used for cutting food"), or where the head is
    something that happens, its tails ("knife", of "slicing bread requires").
    """

    relation: str
    head: str
    """Empty where the heads are open."""
    tail: str
    """Empty where the tails are open, unless they are said with other words: "using the {}"."""
    true: tuple[str, ...]
    false: frozenset[str]
    unclear: frozenset[str]
    """Neither is said of these: nobody should be asked about the fact where one of them is to be seen."""
    source: str
    file: str

    @property
    def name(self) -> str:
        """The fact with its open end as three dots."""
        return f"{self.head or '…'} {self.relation} {self.tail.replace(_PLACE, '…') or '…'}"

    def items(self) -> Iterator[Item]:
        """An item for each entity that the fact is true of."""
        for name in self.true:
            head, tail = (self.head, (self.tail or _PLACE).replace(_PLACE, name)) if self.head else (name, self.tail)
            yield Item(head, self.relation, tail, self.source)


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One fact as a file has it. Every list names entities, or categories for all that are of one."""

    source: str
    head: str = ""
    tail: str = ""
    heads: tuple[str, ...] = ()
    tails: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()
    also_not: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    relation: str
    fact: tuple[_Row, ...]


def read_facts(file: Path, vocabulary: Vocabulary) -> tuple[Fact, ...]:
    """The facts of a file, all of one relation."""
    whole = converted(read_toml(file), file=file, type=_File)
    if whole.relation not in relations():
        reason = f"there is no relation '{whole.relation}'{nearest(whole.relation, relations())}"
        raise BadInput(reason, file=file, field="relation")
    made: dict[str, Fact] = {}
    for number, row in enumerate(whole.fact, start=1):
        fact = _fact(row, whole.relation, vocabulary, file=file, record=_called(row, number))
        if fact.name in made:
            raise BadInput("stands there twice", file=file, record=f"fact '{fact.name}'")
        made[fact.name] = fact
    return tuple(made.values())


def category_facts(vocabulary: Vocabulary, file: Path) -> tuple[Fact, ...]:
    """That things are of their categories. An entity's list of these is complete, so this decides everything."""
    made = []
    for name, category in vocabulary.categories.items():
        if category.said:
            true, unclear = vocabulary.members(name), frozenset(category.unclear)
            record = f"category '{name}'"
            false = frozenset(vocabulary.entities).difference(true, unclear)
            _agreed(true, false=false, unclear=unclear, file=file, record=record)
            made.append(Fact(CATEGORY, "", name, true, false, unclear, _said(category.source, file, record), file.name))
    return tuple(made)


def _called(row: _Row, number: int) -> str:
    return f"fact {number} '{row.head or row.tail}'"


def _fact(row: _Row, relation: str, vocabulary: Vocabulary, *, file: Path, record: str) -> Fact:
    if bool(row.heads) == bool(row.tails):
        raise BadInput("must be true of some heads or of some tails", file=file, record=record)
    if row.heads and (row.head or not row.tail):
        raise BadInput("must have a tail and no head, where its heads are listed", file=file, record=record)
    if row.tails and (not row.head or (row.tail and row.tail.count(_PLACE) != 1)):
        reason = f"must have a head, and where it has a tail, one {_PLACE} in it, where its tails are listed"
        raise BadInput(reason, file=file, record=record)
    lists = {
        field: _meant(getattr(row, field), vocabulary, file=file, record=record, field=field)
        for field in ("heads", "tails", "unclear", "also_not", "never")
    }
    true, unclear = lists["heads"] or lists["tails"], frozenset(lists["unclear"])
    false = frozenset(lists["also_not"] + lists["never"])
    _agreed(true, false=false, unclear=unclear, file=file, record=record)
    return Fact(relation, row.head, row.tail, true, false, unclear, _said(row.source, file, record), file.name)


def _said(source: str, file: Path, record: str) -> str:
    if not source.strip():
        raise BadInput("says nothing", file=file, record=record, field="source")
    return source


def _meant(names: tuple[str, ...], vocabulary: Vocabulary, *, file: Path, record: str, field: str) -> tuple[str, ...]:
    """The entities that names stand for."""
    found: list[str] = []
    for name in names:
        members = vocabulary.members(name)
        if not members:
            known = [*vocabulary.entities, *vocabulary.categories]
            reason = f"there is no entity or category '{name}'{nearest(name, known)}"
            raise BadInput(reason, file=file, record=record, field=field)
        found += members
    return tuple(found)


def _agreed(true: tuple[str, ...], *, false: frozenset[str], unclear: frozenset[str], file: Path, record: str) -> None:
    """See that nobody decides one entity in two ways, be it by its name or by its category."""
    ways = {"true": frozenset(true), "false": false, "unclear": unclear}
    for (one, names), (other, others) in combinations(ways.items(), 2):
        for name in sorted(names & others):
            raise BadInput(f"is both {one} and {other} of '{name}'", file=file, record=record)
    for name, times in Counter(true).items():
        if times > 1:
            raise BadInput(f"is said to be true of '{name}' twice", file=file, record=record)
