"""PTR's questions in our own words."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mereo.benchmarks.ptr.describe import DESCRIBER
from mereo.benchmarks.ptr.language import LANGUAGE, MOST
from mereo.benchmarks.ptr.speech import PartSpeech
from mereo.benchmarks.ptr.world import WORDS
from mereo.questions.family import TemplateSet
from mereo.questions.rules import Rules
from mereo.questions.toml_templates import load_templates

__all__ = ["RULES", "TYPES", "load_questions"]

RULES = Rules(median_ratio=1.5, most=MOST, trivial_share=0.0, dropped="derivation", balance="type", patience=2_000)
"""PTR's rules: types in balance, answers flat, and no relation that could as well be left out."""

TYPES: dict[str, str] = WORDS["types"]
"""The type of question that each of the 14 subtypes belongs to."""


@cache
def load_questions() -> TemplateSet:
    """All our templates, with their words."""
    templates = load_templates(Path(__file__).with_name("templates"), language=LANGUAGE, describer=DESCRIBER)
    return TemplateSet(templates, PartSpeech(WORDS["words"]), "PTR")
