"""Referring expressions in our own words."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

from mereo.benchmarks.refer.describe import VISIBLE, ReferringDescriber
from mereo.benchmarks.refer.false_premises import referring_options
from mereo.benchmarks.refer.hearing import OrdinalHearing
from mereo.benchmarks.refer.language import LANGUAGE, NAMED, VOCABULARY, WORDS, visible_sets
from mereo.benchmarks.refer.ordinals import ranked
from mereo.benchmarks.refer.speech import OrdinalSpeech
from mereo.clevr_family.language import LEXICON
from mereo.questions.free.lexicon import Lexicon
from mereo.questions.free.listener import FreeListener
from mereo.questions.phrase import NounPhrases
from mereo.questions.rules import Rules
from mereo.questions.template import Template
from mereo.questions.template_set import TemplateSet
from mereo.questions.toml_templates import load_templates
from mereo.questions.understand import Listener

__all__ = ["FALSE_RULES", "RULES", "doubled", "listener", "load_expressions"]

RULES = Rules(trivial_share=0.0, dropped="derivation", balanced=False, fewest=1)
"""At least one object is referred to, and no relation could be left out.

How many are referred to is drawn evenly for every description; there is nothing to balance afterwards.
"""
FALSE_RULES = replace(RULES, fewest=0, most=0)
"""Nothing is referred to at the end."""

_FEW = 2
"""Families with at most so many templates are asked twice as often."""


@cache
def load_expressions(*, false_premise: bool = False) -> TemplateSet:
    """All our templates, with their words. false_premise : to refer to nothing at the end"""
    phrase, extra = WORDS["phrase"], WORDS["extra"]
    describer = ReferringDescriber(
        NAMED,
        VOCABULARY,
        numbers=tuple(extra["numbers"]),
        sides=tuple(extra["sides"]),
        ranked=ranked,
        visible=visible_sets,
        false_premise=false_premise,
        draw_up=referring_options,
    )
    folder = Path(__file__).with_name("templates")
    templates = load_templates(folder, language=LANGUAGE, describer=describer, refers=True)
    phrases = NounPhrases((VISIBLE, *phrase["adjectives"]), phrase["noun"], tuple(phrase["anything"]))
    speech = OrdinalSpeech(WORDS["words"], phrases, ordinals=WORDS["ordinal"])
    return TemplateSet(doubled(templates), speech, "refer")


def doubled(templates: tuple[Template, ...]) -> tuple[Template, ...]:
    """The templates, those of small families with double weight."""
    sizes = Counter(template.family for template in templates)
    return tuple(
        replace(template, weight=2.0) if sizes[template.family] <= _FEW else template for template in templates
    )


def listener() -> Listener:
    """Understands expressions in the words of our templates, and in others."""
    expressions = load_expressions()
    numbers = tuple(WORDS["extra"]["numbers"])
    hearing = OrdinalHearing(expressions.speech, VOCABULARY, ordinals=WORDS["ordinal"], numbers=numbers)
    lexicon = Lexicon.read(LANGUAGE, LEXICON, Path(__file__).with_name("lexicon.toml"))
    return Listener(expressions, hearing, LANGUAGE, FreeListener(lexicon))
