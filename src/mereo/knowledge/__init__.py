"""Knowledge: what people know of things, as items that can be looked up, completed and read as graphs."""

from mereo.knowledge.completion import apart, completed, unified
from mereo.knowledge.embedded import Base, embedded_base, embedded_knowledge, entities
from mereo.knowledge.facts import Fact
from mereo.knowledge.graph import Knowledge, MemoryKnowledge
from mereo.knowledge.item import Item, merged, normalized
from mereo.knowledge.item_graph import Between, ItemGraph, item_graph
from mereo.knowledge.lemmas import singular
from mereo.knowledge.phrases import Edge, Node, PhraseGraph, parsed
from mereo.knowledge.reading import Tally
from mereo.knowledge.relations import Relation, relations, taxonomic_names
from mereo.knowledge.sources import Read, read_items, read_knowledge, store_knowledge
from mereo.knowledge.store import StoredKnowledge, open_store, write_store
from mereo.knowledge.undecided import unclear, undecided

__all__ = [
    "Base",
    "Between",
    "Edge",
    "Fact",
    "Item",
    "ItemGraph",
    "Knowledge",
    "MemoryKnowledge",
    "Node",
    "PhraseGraph",
    "Read",
    "Relation",
    "StoredKnowledge",
    "Tally",
    "apart",
    "completed",
    "embedded_base",
    "embedded_knowledge",
    "entities",
    "item_graph",
    "merged",
    "normalized",
    "open_store",
    "parsed",
    "read_items",
    "read_knowledge",
    "relations",
    "singular",
    "store_knowledge",
    "taxonomic_names",
    "unclear",
    "undecided",
    "unified",
    "write_store",
]
