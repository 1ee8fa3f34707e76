"""What CLEVR's family speaks of: four attributes, four directions, and the functions over them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mereo.files import read_toml
from mereo.programs import Function, attribute_functions, integer_functions, set_functions, value_type
from mereo.world import Attribute, Vocabulary

__all__ = ["LEXICON", "VOCABULARY", "WORDS", "family_functions"]

WORDS = read_toml(Path(__file__).with_name("vocabulary.toml"))
LEXICON = Path(__file__).with_name("lexicon.toml")
"""How people speak of all this in their own words."""

VOCABULARY = Vocabulary.of(
    (Attribute(name, tuple(values)) for name, values in WORDS["attributes"].items()), relations=WORDS["relations"]
)


def family_functions(vocabulary: Vocabulary = VOCABULARY) -> Iterator[Function]:
    """The functions that all languages of the family have, over the attributes and relations of one of them."""
    yield from set_functions(value_type("Relation", vocabulary.relations))
    yield from integer_functions()
    for attribute in vocabulary.attributes.values():
        yield from attribute_functions(attribute, value_type(attribute.name.capitalize(), attribute.values))
