"""The questions about photographs, in our own templates."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mereo.questions.describe import Describer
from mereo.questions.phrase import NounPhrases, Speech
from mereo.questions.rules import Rules
from mereo.questions.template_set import TemplateSet
from mereo.questions.toml_templates import load_templates
from mereo_photos.language import KITCHEN, LANGUAGE, VOCABULARY

__all__ = ["RULES", "photo_questions"]

RULES = Rules(trivial_share=0.0, dropped="derivation")
"""No relation that could as well be left out, and answers kept as flat as any words can be."""

LOOKS = (*KITCHEN["looks"]["color"], *KITCHEN["looks"]["more"])
DESCRIBER = Describer(
    ("look", "name"), VOCABULARY, words={"look": LOOKS, "name": (*KITCHEN["small"], "table", "shelf", "person")}
)
"""Things are described by what they look like and what they are; these words are also drawn from where nothing fits."""


@cache
def photo_questions() -> TemplateSet:
    """All templates, with their words."""
    templates = load_templates(Path(__file__).with_name("templates"), language=LANGUAGE, describer=DESCRIBER)
    return TemplateSet(templates, Speech(phrases=NounPhrases(("look",), "name", ("thing",))), "Photos")
