"""How things on CLEVR's stage are referred to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mereo.benchmarks.benchmark import Referring
from mereo.benchmarks.refer.annotate import annotated, visible_masks
from mereo.benchmarks.refer.language import LANGUAGE, WORDS, refer_world
from mereo.benchmarks.refer.questions import FALSE_RULES, RULES, load_expressions
from mereo.datasets.columns import record_of
from mereo.questions.rules import Rules
from mereo.questions.template_set import TemplateSet
from mereo.world import World

__all__ = ["REFERRING"]


def _expressions(*, false_premise: bool) -> tuple[TemplateSet, Rules]:
    return load_expressions(false_premise=false_premise), FALSE_RULES if false_premise else RULES


def _world(row: Mapping[str, Any]) -> World:
    return refer_world(record_of(row))


REFERRING = Referring(
    language=LANGUAGE,
    expressions=_expressions,
    world=_world,
    masks=visible_masks,
    annotate=annotated,
    families=WORDS["families"],
)
