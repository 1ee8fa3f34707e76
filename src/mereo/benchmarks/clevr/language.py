"""CLEVR's language: four attributes, four directions, and the functions over them."""

from __future__ import annotations

from pathlib import Path

from mereo.files import read_toml
from mereo.programs import Language, attribute_functions, integer_functions, set_functions, value_type
from mereo.world import Attribute, Vocabulary

__all__ = ["LANGUAGE", "VOCABULARY", "WORDS"]

WORDS = read_toml(Path(__file__).with_name("vocabulary.toml"))

VOCABULARY = Vocabulary.of(
    (Attribute(name, tuple(values)) for name, values in WORDS["attributes"].items()),
    relations=WORDS["relations"],
)

LANGUAGE = Language.of(
    "clevr",
    VOCABULARY,
    [
        *set_functions(value_type("Relation", VOCABULARY.relations)),
        *integer_functions(),
        *(
            function
            for attribute in VOCABULARY.attributes.values()
            for function in attribute_functions(attribute, value_type(attribute.name.capitalize(), attribute.values))
        ),
    ],
    about="CLEVR: objects with size, color, material and shape, left of, right of, behind and in front of each other",
)
