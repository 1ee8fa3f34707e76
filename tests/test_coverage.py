"""Coverage: every label of PartNet's templates is made, and often enough, or is named with the reason why not.

Here a label must occur at all; with MEREO_THOROUGH=1 in the environment, in one of fifty shapes of some split.
"""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

from kit import THOROUGH, CommandLine
from mereo.shapes.coverage import (
    OFTEN,
    Coverage,
    choices,
    coverage_of,
    covered_categories,
    labels_made,
    never_made,
)
from mereo.shapes.template import all_templates, template_of

ASKED = ("shapes", "statistics", "--labels", "--category")
MANY = 500
"""Shapes in which a label that one in fifty has is missing once in 25,000 times."""


@pytest.mark.parametrize("category", covered_categories())
def test_every_label_of_a_template_is_made(category: str) -> None:
    wanted = set(template_of(category).labels) - set(never_made().get(category, {}))
    if THOROUGH:
        rare = coverage_of(category, 250).rare()
        assert {label: share for label, share in rare.items() if label in wanted} == {}
        return
    for labels in islice(labels_made(category), MANY):
        wanted -= labels
        if not wanted:
            break
    assert not wanted


def test_what_is_never_made_is_a_label_with_a_reason() -> None:
    for category, labels in never_made().items():
        assert set(labels) <= set(template_of(category).labels)
        assert all(len(reason) > 10 for reason in labels.values())


def test_choices_are_what_or_nodes_may_be() -> None:
    found = choices(template_of("lamp"))
    assert "lamp/ceiling_lamp" in found
    assert "lamp/ceiling_lamp/chandelier" in found
    assert "lamp/ceiling_lamp/chandelier/chain" not in found
    assert choices(template_of("mug")) == []


@pytest.mark.parametrize("category", [name for name, each in all_templates().items() if each.partnet])
def test_the_labels_that_must_be_covered_are_those_that_partnet_published(category: str, official_data: Path) -> None:
    template = template_of(category)
    folder = official_data / "partnet" / "after_merging_label_ids"
    for level in (1, 2, 3):
        listed = folder / f"{template.partnet}-level-{level}.txt"
        paths = [line.split()[1] for line in listed.read_text().splitlines()] if listed.exists() else []
        assert [label.path for label in template.level(level)] == paths


def test_a_label_counts_where_its_greatest_share_is_large_enough() -> None:
    template = template_of("mug")
    coverage = Coverage(template, {"mug": 1.0, "mug/body": 1.0, "mug/containing_things": OFTEN, "mug/handle": 0.019})
    assert coverage.among(template.labels) == (3, 4)
    assert coverage.level(1) == (2, 3)
    assert coverage.rare() == {"mug/handle": 0.019}


def test_the_command_prints_shares_level_by_level(mereo: CommandLine) -> None:
    first, second, *rare = mereo(*ASKED, "refrigerator", "--count", "2").out.splitlines()
    coverage = coverage_of("refrigerator", 2)
    met, known = coverage.among(coverage.template.labels)
    assert first.endswith("level 1   level 2   level 3   choices     all")
    assert second.split()[-1] == f"{met}/{known}"
    assert len(rare) == known - met
    assert json.loads(mereo(*ASKED, "refrigerator", "--count", "2", "--json").out) == {"refrigerator": coverage.shares}
    assert "'cart'" in mereo(*ASKED, "cart", code=2).err
