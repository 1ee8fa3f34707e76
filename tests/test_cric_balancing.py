"""Which questions of CRIC are kept of those that were drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import pytest

from cric_strewn import Plain, embedded_lore, strewn_graph
from mereo.benchmarks.cric.balancing import Trait, asked_for, balanced, chosen, queries_of
from mereo.benchmarks.cric.question import CricQuestion
from mereo.chance import fast, generator
from mereo.datasets.audit import entropy
from mereo.programs import parse_program

KEEP, DRAWN, SCENES = 5, 20, 150


@pytest.fixture(scope="module")
def drawn() -> list[list[CricQuestion]]:
    asker = Plain(embedded_lore())
    chances = [fast(generator(3, "balancing", index)) for index in range(SCENES)]
    return [asker.ask(strewn_graph(chance), DRAWN, chance=chance) for chance in chances]


@pytest.fixture(scope="module")
def kept(drawn: list[list[CricQuestion]]) -> list[list[CricQuestion]]:
    return balanced(drawn, KEEP)


def flat(questions: Sequence[Sequence[CricQuestion]]) -> list[CricQuestion]:
    return [question for own in questions for question in own]


def answers(questions: Iterable[CricQuestion], type: str) -> Counter[str]:
    return Counter(question.answer for question in questions if question.type == type)


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


@pytest.mark.parametrize("type", ["QueryAtt", "QueryObjKG"])
def test_answers_become_even(type: str, drawn: list[list[CricQuestion]], kept: list[list[CricQuestion]]) -> None:
    before, after = answers(flat(drawn), type), answers(flat(kept), type)
    assert entropy(after) > entropy(before)
    assert largest(after) < largest(before)


def test_colors_are_nearly_flat_though_pictures_are_not(
    drawn: list[list[CricQuestion]], kept: list[list[CricQuestion]]
) -> None:
    assert largest(answers(flat(drawn), "QueryAtt")) > 0.3
    assert largest(answers(flat(kept), "QueryAtt")) < 0.24


@pytest.mark.parametrize("type", ["VerifyKG", "VerifyAtt"])
def test_yes_and_no_are_as_frequent(type: str, drawn: list[list[CricQuestion]], kept: list[list[CricQuestion]]) -> None:
    before, after = answers(flat(drawn), type), answers(flat(kept), type)
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
