"""Questions about pictures in one's own words: what is seen, what is known, and what cannot be told."""

from __future__ import annotations

import pytest

from mereo.benchmarks.benchmark import listener_of
from mereo.benchmarks.cric.graph import SceneGraph, Stated, Thing, graph_world
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.lore import BLANK, Holding, Lore, Query
from mereo.programs import execute
from mereo.questions.understand import Listener
from mereo.world import World


@pytest.fixture(scope="module")
def listener() -> Listener:
    found = listener_of("cric")
    assert found is not None
    return found


@pytest.fixture(scope="module")
def world() -> World:
    things = (
        Thing("table", "table", attributes={"color": ("brown",), "material": ("wooden",)}),
        Thing("mug", "mug", attributes={"color": ("red",), "material": ("ceramic",)}),
        Thing("plate", "plate", attributes={"color": ("white",)}),
        Thing("clock", "clock", attributes={"color": ("black",)}),
        Thing("apple", "apple", attributes={"color": ("green",)}),
        Thing("pear", "pear", attributes={"color": ("green",)}),
        Thing("handle", "handle", attributes={"color": ("white",)}, part_of="mug"),
    )
    stated = [Stated(name, "on", "table") for name in ("mug", "plate", "clock")]
    stated += [Stated("mug", "left of", "plate"), Stated("plate", "right of", "mug"), Stated("apple", "on", "plate")]
    stated += [Stated("handle", "part of", "mug")]
    graph = SceneGraph("0", 10, 10, things, tuple(stated))
    facts = {
        Query(BLANK, "UsedFor", "telling the time"): Holding(frozenset(["clock"])),
        Query(BLANK, "CapableOf", "hold hot tea"): Holding(frozenset(["mug"])),
        Query("making toast", "HasPrerequisite", BLANK): Holding(frozenset(["plate"])),
    }
    return graph_world(graph, Lore(facts, {"fruit": Holding(frozenset(["apple", "pear"]))}))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("is there a red mug on the table", True),
        ("What is left of the plate?", "mug"),
        ("what colour is the clock", "black"),
        ("Is the mug on the table?", True),
        ("is the plate red", False),
        ("what is the table made of", "wooden"),
        ("what is the apple on?", "plate"),
        ("what color is the mug's handle", "white"),
        ("does the mug have a handle", True),
        ("which fruit is on the plate", "apple"),
        ("what can you see to the right of the mug", "plate"),
        ("Find the green things.", ["apple", "pear"]),
        ("what do people use to tell the time", "clock"),
        ("What color is the thing that can hold hot tea?", "red"),
        ("is the thing left of the plate used for telling the time", False),
        ("what do you need to make toast", "plate"),
    ],
)
def test_plain_questions_are_answered(question: str, answer: object, listener: Listener, world: World) -> None:
    understood = listener.understand(question, world)
    assert execute(understood.sure(question), world, LANGUAGE).answer == answer


@pytest.mark.parametrize("question", ["How many mugs are there?", "Which things are not red?", "the leftmost mug"])
def test_what_the_language_cannot_say_is_told(question: str, listener: Listener, world: World) -> None:
    understood = listener.understand(question, world)
    assert not understood.readings
    assert understood.told == "This is understood, but what is here cannot tell it."


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what is on the vase", "There is no vase here."),
        ("what color is the fruit", "There are two fruits."),
        ("is there a dog on the table", "Nothing here is known about “dog”."),
    ],
)
def test_what_is_taken_for_granted_is_told(question: str, told: str, listener: Listener, world: World) -> None:
    assert listener.understand(question, world).told == told


def test_what_is_known_is_said_back(listener: Listener, world: World) -> None:
    understood = listener.understand("what would you use for telling the time?", world)
    assert understood.readings[0].about == "the name of the thing that is used for telling the time"
