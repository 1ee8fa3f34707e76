"""Which questions of CRIC are kept of those that were drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import pytest
from msgspec.structs import replace

from cric_graphs import strewn_graph
from cric_strewn import embedded_lore
from mereo.benchmarks.cric.asking import Questioner
from mereo.benchmarks.cric.balancing import Trait, asked_for, balanced, chosen, queries_of
from mereo.benchmarks.cric.question import CricQuestion
from mereo.chance import fast, generator
from mereo.datasets.audit import entropy
from mereo.programs import parse_program

KEEP, DRAWN, SCENES = 5, 20, 150
MOSTLY = ("red", "red", "red", "red", "blue", "green")


@pytest.fixture(scope="module")
def drawn() -> list[list[CricQuestion]]:
    """Questions about pictures in which most is red, and more often answered by yes than by no."""
    asker = Questioner(embedded_lore())
    found = []
    for number in range(SCENES):
        chance = fast(generator(3, "balancing", number))
        graph = strewn_graph(number)
        red = [replace(one, attributes={**one.attributes, "color": (chance.choice(MOSTLY),)}) for one in graph.things]
        asked = asker.ask(replace(graph, things=tuple(red)), DRAWN, chance=chance)
        found.append([one for one in asked if one.answer != "no" or chance.random() < 0.4])
    return found


@pytest.fixture(scope="module")
def kept(drawn: list[list[CricQuestion]]) -> list[list[CricQuestion]]:
    return balanced(drawn, KEEP)


def flat(questions: Sequence[Sequence[CricQuestion]]) -> list[CricQuestion]:
    return [question for own in questions for question in own]


def answers(questions: Iterable[CricQuestion], type: str, kind: str) -> Counter[str]:
    own = (one for one in questions if one.type == type and asked_for(one.trace.executable.program) == kind)
    return Counter(question.answer for question in own)


def items(questions: Iterable[CricQuestion]) -> Counter[str]:
    return Counter(str(query) for one in questions for query in queries_of(one.trace.executable.program))


def largest(counts: Counter[str]) -> float:
    return max(counts.values()) / counts.total()


def test_every_scene_keeps_as_many_as_wanted_in_their_order(
    drawn: list[list[CricQuestion]], kept: list[list[CricQuestion]]
) -> None:
    for every, some in zip(drawn, kept, strict=True):
        assert len(some) == min(KEEP, len(every))
        places = [every.index(question) for question in some]
        assert places == sorted(places)


@pytest.mark.parametrize(("type", "kind"), [("QueryAtt", "color"), ("QueryObjKG", "name"), ("QueryObjSG", "name")])
def test_answers_become_even(
    type: str, kind: str, drawn: list[list[CricQuestion]], kept: list[list[CricQuestion]]
) -> None:
    before, after = answers(flat(drawn), type, kind), answers(flat(kept), type, kind)
    assert entropy(after) > entropy(before)
    assert largest(after) < largest(before)


def test_colors_are_nearly_flat_though_pictures_are_not(
    drawn: list[list[CricQuestion]], kept: list[list[CricQuestion]]
) -> None:
    assert largest(answers(flat(drawn), "QueryAtt", "color")) > 0.6
    assert largest(answers(flat(kept), "QueryAtt", "color")) < 0.45


@pytest.mark.parametrize("type", ["VerifyKG", "VerifyAtt"])
def test_yes_and_no_are_as_frequent(type: str, drawn: list[list[CricQuestion]], kept: list[list[CricQuestion]]) -> None:
    before, after = (answers(flat(some), type, "whether") for some in (drawn, kept))
    assert largest(before) > 0.6
    assert abs(after["yes"] - after["no"]) <= 0.04 * after.total()


def test_items_of_knowledge_become_even(drawn: list[list[CricQuestion]], kept: list[list[CricQuestion]]) -> None:
    before, after = items(flat(drawn)), items(flat(kept))
    assert largest(after) < largest(before)
    assert len(after) > 0.7 * len(before)


def test_types_become_even(kept: list[list[CricQuestion]]) -> None:
    counts = Counter(question.type for question in flat(kept))
    assert max(counts.values()) < 1.5 * min(counts.values())


def test_the_same_is_kept_again_and_other_shards_change_nothing(
    drawn: list[list[CricQuestion]], kept: list[list[CricQuestion]]
) -> None:
    assert balanced(drawn, KEEP) == kept
    assert balanced([], KEEP) == []


def test_rare_ones_are_kept_first() -> None:
    """Ten scenes with many of one sort and one of another: whoever keeps one keeps the rare ones of half of them."""
    common, rare = (Trait("answer", "common"),), (Trait("answer", "rare"),)
    found = chosen([[common, common, common, rare]] * 10, 1)
    assert Counter(place == 3 for own in found for place in own) == {True: 5, False: 5}


def test_what_is_fewer_than_wanted_is_kept_whole() -> None:
    assert chosen([[(Trait("answer", "one"),)], []], 3) == [[0], []]


@pytest.mark.parametrize(
    ("program", "queries", "kind"),
    [
        ("recognition[color](find_kg[BLANK, UsedFor, cutting food](initial()))", ["cutting food"], "color"),
        ("verify(find[red](find_kg_reverse[eating, HasPrerequisite, BLANK](initial())))", ["BLANK"], "whether"),
        ("recognition[furniture](find[red](initial()))", [], "name"),
    ],
)
def test_what_a_program_asks_by_and_for(program: str, queries: list[str], kind: str) -> None:
    parsed = parse_program(program)
    assert [query.tail for query in queries_of(parsed)] == queries
    assert asked_for(parsed) == kind
