"""How furniture and its parts are referred to: "the leg bars of the table that is left of the chair with two arms"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from mereo.benchmarks.benchmark import Referring
from mereo.benchmarks.ptr.describe import DESCRIBER
from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.masks import instances_of
from mereo.benchmarks.ptr.questions import RULES
from mereo.benchmarks.ptr.readings import ptr_readings
from mereo.benchmarks.ptr.speech import ptr_speech
from mereo.benchmarks.ptr.world import ptr_world
from mereo.datasets.columns import record_of
from mereo.datasets.seen import masks_of
from mereo.masks import Pixels
from mereo.questions.readings import Readings
from mereo.questions.rules import Rules
from mereo.questions.template_set import TemplateSet
from mereo.questions.toml_templates import load_templates
from mereo.world import World

__all__ = ["referring"]

_MOST = 40
"""Of all the legs in a room there may be many."""
_RULES = replace(RULES, fewest=1, most=_MOST, balanced=False, margin=None, owners={}, common=1.0)
_FALSE_RULES = replace(_RULES, fewest=0, most=0)


@cache
def _expressions(*, false_premise: bool) -> tuple[TemplateSet, Rules]:
    folder = Path(__file__).with_name("expressions")
    templates = load_templates(folder, language=LANGUAGE, describer=DESCRIBER, refers=True)
    return TemplateSet(templates, ptr_speech(), "PTR"), _FALSE_RULES if false_premise else _RULES


def _world(row: Mapping[str, Any]) -> World:
    return ptr_world(record_of(row))


def _readings(row: Mapping[str, Any]) -> Readings:
    return ptr_readings(record_of(row))


def _masks(row: Mapping[str, Any]) -> list[Pixels] | None:
    return masks_of(row, instances_of(row)) if row.get("instances") else None


def referring() -> Referring:
    """What `mereo build refer --scenes-from` needs to know of PTR."""
    families = {name: name.replace("_", " ") for name in ("objects", "parts", "related_parts", "geometric_parts")}
    return Referring(LANGUAGE, _expressions, _world, _masks, readings=_readings, families=families)
