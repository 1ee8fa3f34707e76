"""Templates together with the words to say them."""

from __future__ import annotations

from dataclasses import dataclass

from mereo.questions.phrase import Speech
from mereo.questions.template import Template

__all__ = ["TemplateSet"]


@dataclass(frozen=True)
class TemplateSet:
    """Templates with the words to say them."""

    templates: tuple[Template, ...]
    speech: Speech
    dataset: str = ""
