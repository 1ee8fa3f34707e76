"""Questions about how a robot's hand would take hold of household objects."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from mereo.benchmarks.shop.language import LANGUAGE, VISUAL, VOCABULARY
from mereo.benchmarks.shop.speech import shop_speech
from mereo.questions.describe import Describer
from mereo.questions.template_set import TemplateSet
from mereo.questions.toml_templates import load_templates

__all__ = ["grasp_questions"]


@cache
def grasp_questions() -> TemplateSet:
    """The templates about grasps, with their words."""
    describer = Describer(VISUAL, VOCABULARY, most=3)
    folder = Path(__file__).with_name("templates") / "grasp"
    return TemplateSet(load_templates(folder, language=LANGUAGE, describer=describer), shop_speech(), "SHOP-VRB")
