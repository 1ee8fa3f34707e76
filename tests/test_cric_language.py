"""The language of CRIC: what its ten functions find in a picture and in what is known."""

from __future__ import annotations

import pytest

from mereo.benchmarks.cric.graph import SceneGraph, Stated, Thing, graph_of, graph_world, kind_of_word
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.lore import BLANK, Query, lore_of_base, lore_of_items
from mereo.errors import BadInput
from mereo.knowledge import Item, embedded_base
from mereo.programs import SeveralReferred, execute, parse_program
from mereo.world import World

GRAPH = SceneGraph(
    "1",
    480,
    320,
    things=(
        Thing("k", "knife", attributes={"material": ("metal",)}),
        Thing("b", "bread", attributes={"color": ("brown",)}, unclear={"shape": ("round",)}),
        Thing("p", "plate", attributes={"color": ("white",)}),
        Thing("m", "mug", attributes={"color": ("white",)}),
    ),
    relations=(Stated("b", "on", "p"), Stated("k", "left of", "p")),
    unclear=(Stated("m", "next to", "p"),),
)
LORE = lore_of_base(embedded_base())


def world(*, doubtful: bool = False) -> World:
    return graph_world(GRAPH, LORE, doubtful=doubtful)


def found(program: str, *, doubtful: bool = False) -> object:
    return execute(parse_program(program), world(doubtful=doubtful), LANGUAGE).answer


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        ("initial()", ["k", "b", "p", "m"]),
        ("find[white](initial())", ["p", "m"]),
        ("find[bread](initial())", ["b"]),
        ("relate[on](find[bread](initial()))", ["p"]),
        ("relate_reverse[on](find[plate](initial()))", ["b"]),
        ("relate[above](initial())", []),
        ("find_hypernym[food](initial())", ["b"]),
        ("find_hypernym[object](initial())", ["k", "b", "p", "m"]),
        (f"find_kg[{BLANK}, UsedFor, cutting paper](initial())", []),
        ("and(find[white](initial()), find[mug](initial()))", ["m"]),
        ("recognition[color](find[bread](initial()))", "brown"),
        ("recognition[object](find[brown](initial()))", "bread"),
        ("verify(find[red](initial()))", False),
    ],
)
def test_functions_find_what_one_would_expect(program: str, answer: object) -> None:
    assert found(program) == answer


def test_knowledge_joins_things_of_the_picture_through_their_categories() -> None:
    program = "find_kg[BLANK, UsedFor, cutting VISION](relate_reverse[on](find[plate](initial())))"
    assert found(program) == ["k"]


def test_knowledge_finds_nothing_beside_a_thing_of_which_nothing_is_known() -> None:
    assert found("find_kg[BLANK, UsedFor, cutting VISION](find[plate](initial()))") == []


def test_what_happens_asks_for_a_thing_in_the_tail() -> None:
    assert found("find_kg_reverse[slicing a loaf, HasPrerequisite, BLANK](initial())") == ["k"]


def test_doubt_only_adds() -> None:
    assert found("relate_reverse[next to](find[plate](initial()))") == []
    assert found("relate_reverse[next to](find[plate](initial()))", doubtful=True) == ["m"]
    assert found("find[round](initial())", doubtful=True) == ["b"]
    for query in LORE.facts:
        assert LORE.filling(query) <= LORE.doubtful.filling(query)


def test_one_thing_is_recognized_and_not_two() -> None:
    with pytest.raises(SeveralReferred):
        found("recognition[object](find[white](initial()))")


def test_items_of_others_are_closed_over_categories_and_names() -> None:
    items = [
        Item("fork", "IsA", "utensil"),
        Item("spoon", "IsA", "utensil"),
        Item("utensil", "UsedFor", "moving food"),
        Item("cleaning clothes", "HasSubevent", "using the fork"),
        Item("house", "UsedFor", "living"),
    ]
    lore = lore_of_items(items, ["fork", "spoon", "food"])
    assert lore.of_category("utensil") == {"fork", "spoon"}
    assert lore.filling(Query(BLANK, "UsedFor", "moving food")) == {"fork", "spoon"}
    assert lore.filling_beside(Query(BLANK, "UsedFor", "moving VISION"), "food") == {"fork", "spoon"}
    assert lore.filling(Query("cleaning clothes", "HasSubevent", "using BLANK")) == {"fork"}
    assert lore.filling(Query(BLANK, "UsedFor", "living")) == set()


def test_words_have_kinds() -> None:
    assert kind_of_word("wooden") == "material"
    assert kind_of_word("friendly") == "other"


def test_a_graph_that_names_a_thing_that_is_not_there_is_refused() -> None:
    record = {"graph": {"image_id": "1", "width": 1, "height": 1, "things": [], "relations": [["a", "on", "b"]]}}
    with pytest.raises(BadInput, match="'a'"):
        graph_of(record)
