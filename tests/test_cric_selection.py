"""Knowledge for pictures of others: what is stated is true, what only follows is unclear, and opinions are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from mereo.benchmarks.cric.given import given_graphs
from mereo.benchmarks.cric.given_lore import lore_for
from mereo.benchmarks.cric.lore import BLANK, Query
from mereo.errors import Refusals
from mereo.knowledge import Item, read_knowledge

NAMES = ("dog", "cat", "shoes", "truck", "work truck", "leash", "lamp", "man", "fence")

ITEMS = [
    *(Item(head, "CapableOf", "bark") for head in ("dog", "seal")),
    *(Item(head, "CapableOf", "masturbate") for head in ("dog", "seal")),
    *(Item(head, "CapableOf", "carry load") for head in ("truck", "horse", "man")),
    *(Item(head, "UsedFor", "walk") for head in ("shoe", "leg")),
    *(Item(head, "IsA", "animal") for head in ("dog", "cat", "horse", "seal", "cow")),
    *(Item("dog", "IsA", kind) for kind in ("loyal animal", "bird")),
    *(Item(head, "IsA", "bird") for head in ("duck", "robin", "hen", "crow", "owl")),
    *(Item(head, "HasProperty", quality) for head in ("dog", "cat", "cow") for quality in ("nice", "furry", "brown")),
    *(Item(head, "AtLocation", "kennel") for head in ("dog", *(f"hound {number}" for number in range(12)))),
    *(Item(head, "AtLocation", "florida") for head in ("dog", *(f"hound {number}" for number in range(12)))),
    *(Item(head, "MadeFrom", stuff) for head in ("fence", "chair") for stuff in ("wood", "plank")),
    Item("leash", "UsedFor", "take dog for walk every morning"),
    Item("lamp", "UsedFor", "light up your life"),
    Item("lamp", "UsedFor", "read novel"),
    Item("walk puppy", "HasPrerequisite", "leash"),
    Item("animal", "CapableOf", "breathe"),
    Item("robot", "CapableOf", "breathe"),
]
LORE = lore_for(NAMES, ITEMS)


def held(relation: str, tail: str) -> tuple[list[str], list[str]] | None:
    holding = LORE.facts.get(Query(BLANK, relation, tail))
    return (sorted(holding.true), sorted(holding.unclear)) if holding else None


@pytest.mark.parametrize(
    ("relation", "tail", "true", "unclear"),
    [
        ("CapableOf", "bark", ["dog"], ["cat"]),
        ("CapableOf", "carry load", ["truck"], ["man", "work truck"]),
        ("UsedFor", "walk", ["shoes"], ["leash"]),
        ("HasProperty", "furry", ["cat", "dog"], []),
        ("AtLocation", "kennel", ["dog"], ["cat"]),
        ("MadeFrom", "plank", ["fence"], []),
    ],
)
def test_what_is_stated_is_true_and_what_may_be_expected_unclear(
    relation: str, tail: str, true: list[str], unclear: list[str]
) -> None:
    assert held(relation, tail) == (true, unclear)


@pytest.mark.parametrize(
    ("relation", "tail"),
    [
        ("HasProperty", "nice"),
        ("HasProperty", "brown"),
        ("MadeFrom", "wood"),
        ("CapableOf", "masturbate"),
        ("AtLocation", "florida"),
        ("UsedFor", "light up your life"),
        ("UsedFor", "read novel"),
        ("CapableOf", "breathe"),
    ],
)
def test_opinions_what_is_seen_and_what_one_thing_alone_is_said_to_do_are_left_out(relation: str, tail: str) -> None:
    assert held(relation, tail) is None


def test_what_is_said_of_a_category_is_said_of_nothing_for_sure() -> None:
    lore = lore_for(NAMES, [*ITEMS, Item("cat", "CapableOf", "breathe")])
    holding = lore.facts[Query(BLANK, "CapableOf", "breathe")]
    assert (holding.true, holding.unclear) == (frozenset({"cat"}), frozenset({"dog"}))


def test_a_category_needs_more_than_one_voice_where_another_has_it() -> None:
    assert LORE.categories["animal"].true == {"dog", "cat"}
    assert "bird" not in LORE.categories


def test_what_happens_names_the_thing_that_it_takes() -> None:
    assert LORE.facts[Query("walk puppy", "HasPrerequisite", BLANK)].true == {"leash"}


def test_light_items_can_be_left_out() -> None:
    assert not lore_for(NAMES, ITEMS, lightest=2.0).facts


def test_the_order_of_items_does_not_show() -> None:
    again = lore_for(reversed(NAMES), list(reversed(ITEMS)))
    assert (again.facts, again.categories, again.patterns) == (LORE.facts, LORE.categories, LORE.patterns)


def test_the_real_files_tell_of_the_things_in_real_pictures(official_data: Path) -> None:
    names = given_graphs(official_data / "visual_genome", refusals=Refusals()).names
    lore = lore_for(names, read_knowledge(official_data / "conceptnet" / "triples_100k.tsv").knowledge)
    assert "chair" in lore.filling(Query(BLANK, "UsedFor", "sit on"))
    assert len(lore.facts) > 300
    assert all(holding.true <= names and not holding.true & holding.unclear for holding in lore.facts.values())
