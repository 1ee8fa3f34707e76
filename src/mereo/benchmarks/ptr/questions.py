"""PTR's questions in our own words."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cache
from pathlib import Path

from mereo.benchmarks.ptr.describe import DESCRIBER
from mereo.benchmarks.ptr.language import LANGUAGE, MOST
from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.parts import ptr_categories, ptr_part_names
from mereo.benchmarks.ptr.speech import ptr_speech
from mereo.benchmarks.ptr.world import VOCABULARY, WORDS
from mereo.files import read_toml
from mereo.questions.rules import Rules
from mereo.questions.template_set import TemplateSet
from mereo.questions.toml_templates import load_templates

__all__ = ["RULES", "TYPES", "ptr_questions"]

RULES = Rules(
    most=MOST,
    trivial_share=0.0,
    dropped="derivation",
    balance="type",
    patience=2_000,
    distinct=True,
    unsaid=True,
    **read_toml(Path(__file__).with_name("asking.toml")),
)
"""PTR's rules: types in balance, answers flat, no relation that could as well be left out, no word that tells the
answer, and no program that two splits share."""

TYPES: dict[str, str] = WORDS["types"]
"""The type of question that each of the 14 subtypes belongs to."""


@cache
def ptr_questions(*, common: bool = False) -> TemplateSet:
    """All our templates, with their words.

    common : only what can be learned from the categories of cross-category training and asked of the others: categories
        that were seen, and parts that both have
    """
    folder = Path(__file__).with_name("templates")
    speech = ptr_speech()
    if not common:
        return TemplateSet(load_templates(folder, language=LANGUAGE, describer=DESCRIBER), speech, "PTR")
    seen = tuple(NUMBERS["cross_category"])
    parts = _shared_parts(seen)
    describer = replace(DESCRIBER, categories=seen, parts=parts)
    words = {"ObjectCategory": seen, "PartCategory": parts}
    templates = load_templates(folder, language=LANGUAGE, describer=describer)
    return TemplateSet(tuple(template.limited(words) for template in templates), speech, "PTR")


def _shared_parts(seen: Collection[str]) -> tuple[str, ...]:
    """The parts that categories which were seen have in common with those that were not."""
    known = {part for category in seen for part in ptr_part_names(category)}
    new = {part for category in ptr_categories() if category not in seen for part in ptr_part_names(category)}
    return tuple(part for part in VOCABULARY.words("part") if part in known & new)
