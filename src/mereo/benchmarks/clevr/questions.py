"""CLEVR's questions in our own words."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.benchmarks.clevr.official import DESCRIBER
from mereo.clevr_family.language import LEXICON, VOCABULARY, WORDS
from mereo.questions.free.lexicon import Lexicon
from mereo.questions.free.listener import FreeListener
from mereo.questions.hearing import Hearing
from mereo.questions.phrase import NounPhrases, Speech
from mereo.questions.rules import Rules
from mereo.questions.template_set import TemplateSet
from mereo.questions.toml_templates import load_templates
from mereo.questions.understand import Listener

__all__ = ["RULES", "clevr_questions", "listener"]

RULES = Rules(trivial_share=0.0, dropped="derivation")
"""CLEVR's rules, and no relation that could as well be left out."""


@cache
def clevr_questions() -> TemplateSet:
    """All our templates, with their words."""
    phrase = WORDS["phrase"]
    phrases = NounPhrases(tuple(phrase["adjectives"]), phrase["noun"], tuple(phrase["anything"]))
    folder = Path(__file__).with_name("templates")
    templates = load_templates(folder, language=LANGUAGE, describer=DESCRIBER)
    return TemplateSet(templates, Speech(WORDS["words"], phrases), "CLEVR")


def listener() -> Listener:
    """Understands questions in the words of our templates, and in others."""
    questions = clevr_questions()
    free = FreeListener(Lexicon.read(LANGUAGE, LEXICON))
    return Listener(questions, Hearing(questions.speech, VOCABULARY), LANGUAGE, free)
