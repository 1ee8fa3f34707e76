"""The knowledge that comes with mereo: what everybody knows about all that its scenes can show."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from mereo.errors import BadInput
from mereo.knowledge.entities import Entity, Vocabulary, read_vocabulary
from mereo.knowledge.facts import Fact, category_facts, read_facts
from mereo.knowledge.item import Item

__all__ = ["Base", "embedded_base", "embedded_knowledge", "entities", "read_base"]

_ENTITIES = "entities.toml"


class Base(NamedTuple):
    """A knowledge base that says of its facts not only what they are true of, but also what they are not."""

    vocabulary: Vocabulary
    facts: tuple[Fact, ...]

    def items(self) -> tuple[Item, ...]:
        """All that is true, fact by fact."""
        return tuple(item for fact in self.facts for item in fact.items())


def read_base(folder: Path) -> Base:
    """A base from its folder: `entities.toml` and files of facts."""
    vocabulary = read_vocabulary(folder / _ENTITIES)
    facts = [*category_facts(vocabulary, folder / _ENTITIES)]
    for file in sorted(folder.glob("*.toml")):
        if file.name != _ENTITIES:
            facts += read_facts(file, vocabulary)
    files: dict[str, str] = {}
    for fact in facts:
        if files.setdefault(fact.name, fact.file) != fact.file:
            raise BadInput(f"stands in '{files[fact.name]}' too", file=folder / fact.file, record=f"fact '{fact.name}'")
    return Base(vocabulary, tuple(facts))


@cache
def embedded_base() -> Base:
    """The base that comes with mereo."""
    return read_base(Path(__file__).with_name("base"))


def entities() -> Mapping[str, Entity]:
    """All that the embedded knowledge is about, by name."""
    return embedded_base().vocabulary.entities


def embedded_knowledge() -> tuple[Item, ...]:
    """All items of the base that comes with mereo."""
    return embedded_base().items()
