"""Facts of things: each of our categories has some, they are plausible, and unknown things get what fits anything."""

from __future__ import annotations

import math
from itertools import chain

import pytest

from mereo.files import read_toml
from mereo.shapes import sizes
from mereo.shapes.grammar import all_grammars, is_our_grammar
from mereo.shapes.sizes import GROUPS, RESTS, grouped, groups_of, resting_of, usual_length, usual_weight
from mereo.shapes.template import all_templates

THINGS = read_toml(sizes.FILE)
OURS = [category for category in all_grammars() if is_our_grammar(category)]

SHOP_VRB = (
    "baking_tray blender bowl chopping_board coffee_maker food_box fork glass kettle knife mug pan plate pot scissors "
    "soda_can spoon thermos toaster wine_glass"
)
"""The classes of SHOP-VRB."""


@pytest.mark.parametrize("category", THINGS)
def test_a_row_of_facts_is_plausible(category: str) -> None:
    assert set(THINGS[category]) <= {"groups", "longest", "weight", "rests"}
    assert groups_of(category)
    assert set(groups_of(category)) <= set(GROUPS)
    for low, high in (usual_length(category), usual_weight(category)):
        assert 0 <= low < high
    assert resting_of(category) in RESTS


@pytest.mark.parametrize("category", OURS)
def test_every_grammar_of_ours_has_facts(category: str) -> None:
    assert category in THINGS
    template = all_templates().get(category)
    assert ("partnet" in groups_of(category)) == bool(template and template.partnet)


def test_household_things_are_those_of_shop_vrb() -> None:
    household = {category for category in THINGS if "household" in groups_of(category)}
    assert household <= set(SHOP_VRB.split())


def test_what_nothing_is_known_of_may_be_anything_and_stands() -> None:
    assert usual_length("gizmo") == (0.02, 10.0)
    assert usual_weight("gizmo") == (0.0, math.inf)
    assert groups_of("gizmo") == ()
    assert resting_of("gizmo") == "stands"


def test_every_category_is_shown_in_one_group() -> None:
    shown = grouped([*OURS, "gizmo"])
    assert sorted(chain.from_iterable(shown.values())) == sorted([*OURS, "gizmo"])
    assert shown["Others"] == ["gizmo"]
    assert "chair" in shown["Furniture"]
    assert list(grouped(["cube", "chair"])) == ["Furniture", "Solids"]
