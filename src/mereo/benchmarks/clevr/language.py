"""CLEVR's language: its family's attributes, directions and functions."""

from __future__ import annotations

from mereo.clevr_family.language import VOCABULARY, family_functions
from mereo.programs import Language

__all__ = ["LANGUAGE"]

LANGUAGE = Language.of(
    "clevr",
    VOCABULARY,
    family_functions(),
    about="CLEVR: objects with size, color, material and shape, left of, right of, behind and in front of each other",
)
