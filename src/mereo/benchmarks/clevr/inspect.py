"""What an audit of CLEVR data checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.benchmarks.clevr.questions import RULES, clevr_questions
from mereo.clevr_family.inspect import FamilyInspector, picture_faults
from mereo.clevr_family.language import VOCABULARY
from mereo.clevr_family.records import world_from_record
from mereo.datasets.columns import record_of, row_named
from mereo.questions.rules import answers_of
from mereo.world import World

__all__ = ["ClevrInspector"]


class ClevrInspector(FamilyInspector):
    """Knows CLEVR's rules."""

    language = LANGUAGE
    rules = RULES

    def world(self, row: Mapping[str, Any]) -> World:
        """The world of a scene row."""
        with row_named(row):
            return world_from_record(record_of(row), VOCABULARY)

    def answers(self) -> dict[str, tuple[Any, ...]]:
        """The answers that each template may have."""
        return {template.title: answers_of(template.output, RULES) for template in clevr_questions().templates}

    def picture(self, row: Mapping[str, Any]) -> Iterator[str]:
        """Ids, depth and picture must agree with each other and with the scene."""
        return picture_faults(row)
