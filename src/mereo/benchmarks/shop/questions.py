"""SHOP-VRB's questions in our own words, about what is seen and about what is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from mereo.benchmarks.shop.describe import shop_describer
from mereo.benchmarks.shop.grasp_questions import grasp_questions
from mereo.benchmarks.shop.hearing import ShopHearing
from mereo.benchmarks.shop.language import LANGUAGE, SHOP_VRB, VOCABULARY
from mereo.benchmarks.shop.models import Instances
from mereo.benchmarks.shop.speech import NAMES, shop_speech
from mereo.benchmarks.shop.substitutions import substitutions
from mereo.files import read_toml
from mereo.questions.free.lexicon import Lexicon
from mereo.questions.free.listener import FreeListener
from mereo.questions.rules import Rules
from mereo.questions.template_set import TemplateSet
from mereo.questions.toml_templates import load_templates
from mereo.questions.understand import Listener

__all__ = ["QUESTIONS", "RULES", "TYPES", "listener", "owner", "textual_questions", "visual_questions"]

RULES = Rules(
    trivial_share=0.0,
    dropped="derivation",
    distinct=True,
    **read_toml(Path(__file__).with_name("asking.toml")),
)
"""Answers flat, no relation that could as well be left out, no word that tells the answer, and no program that
train or benchmark share with another split. The answer may be said of something else: were it forbidden, a question
that speaks of small and of large things could only be answered by the third size."""

TYPES: dict[str, str] = {
    **{type: type for type in ("count", "exist", "compare_integer")},
    **{f"query_{attribute}": "query_attribute" for attribute in VOCABULARY.attributes},
    **{f"compare_{attribute}": "compare_attribute" for attribute in VOCABULARY.attributes},
    "query_grip": "query_attribute",
    "equal_grip": "compare_attribute",
    "graspable": "exist",
    "hinders": "exist",
}
"""Which of CLEVR's five types the type of each template belongs to."""


def owner(split: str) -> str:
    """Whose programs a split asks. Validation and test ask the same: they are held against train and benchmark only,
    and the fewer own programs, the fewer are found in vain."""
    return "validation" if split == "test" else split


@cache
def visual_questions(instances: Instances = "known") -> TemplateSet:
    """The templates about what is seen, with their words. instances : the models that are shown"""
    return _questions("visual", 3, instances)


@cache
def textual_questions(instances: Instances = "known") -> TemplateSet:
    """The templates about what is read: descriptions are shorter, and what is read comes on top."""
    return _questions("textual", 2, instances)


def _questions(folder: str, most: int, instances: Instances) -> TemplateSet:
    templates = load_templates(
        Path(__file__).with_name("templates") / folder,
        language=SHOP_VRB,
        describer=shop_describer(most=most, instances=instances),
        listed=substitutions,
    )
    return TemplateSet(templates, shop_speech(), "SHOP-VRB")


QUESTIONS: dict[str, Callable[[Instances], TemplateSet]] = {
    "visual": visual_questions,
    "textual": textual_questions,
    "grasps": lambda instances: grasp_questions(),
}
"""What is asked of a scene, by kind."""


@cache
def listener() -> Listener:
    """Understands questions of all kinds in the words of our templates, and in others."""
    every = tuple(template for load in QUESTIONS.values() for template in load("known").templates)
    templates = TemplateSet(every, shop_speech(), "SHOP-VRB")
    return Listener(templates, ShopHearing(shop_speech(), VOCABULARY), LANGUAGE, FreeListener(_lexicon()))


def _lexicon() -> Lexicon:
    """How people speak of household objects: as templates do, and in more words."""
    own = Lexicon.read(LANGUAGE, Path(__file__).with_name("lexicon.toml"))
    words: dict[str, dict[str, list[str]]] = {"name": {name: list(ways) for name, ways in NAMES["class"].items()}}
    for ways in (NAMES["before"], NAMES["is"], own.own["more"]):
        for attribute, values in ways.items():
            for value, phrases in values.items():
                said = (phrase.removeprefix("made of ") for phrase in phrases)
                words.setdefault(attribute, {}).setdefault(value, []).extend(said)
    return replace(own, own={**own.own, "words": words})
