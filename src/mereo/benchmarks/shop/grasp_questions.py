"""Questions about how a robot's hand would take hold of household objects."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mereo.benchmarks.shop.language import LANGUAGE, VISUAL, VOCABULARY
from mereo.questions.describe import Describer
from mereo.questions.phrase import NounPhrases, Speech
from mereo.questions.template_set import TemplateSet
from mereo.questions.toml_templates import load_templates

__all__ = ["grasp_questions"]

_NOUN = "name"


def _speech() -> Speech:
    adjectives = tuple(name for name in VISUAL if name != _NOUN)
    return Speech(phrases=NounPhrases(adjectives, _NOUN, ("object", "thing")))


@cache
def grasp_questions(speech: Speech | None = None) -> TemplateSet:
    """The templates about grasps, with their words. speech : how things are named; plainly where it is left out"""
    describer = Describer(VISUAL, VOCABULARY, most=3)
    folder = Path(__file__).with_name("templates") / "grasp"
    templates = load_templates(folder, language=LANGUAGE, describer=describer)
    return TemplateSet(templates, speech or _speech(), "SHOP")
