"""Answers are kept flat by the official rule, which is written here once more as its description has it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kit import OFFICIAL_TEMPLATES, questions, world
from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.benchmarks.clevr.questions import RULES, clevr_questions
from mereo.chance import fast, generator
from mereo.programs import BOOLEAN, INTEGER, OBJECT, value_type
from mereo.questions.generate import Asker
from mereo.questions.rules import CLEVR_RULES, Tally, answers_of

DOMAINS: dict[type, int] = {bool: 2, int: 11}
"""Answers that count as possible: no and yes, 0 to 10."""


def is_rejected(count: int, counts: list[int]) -> bool:
    """The official rule: more often than 1.1 times the second, or than five times the median, which is 5 at least."""
    largest_first = sorted(counts, reverse=True)
    median = sorted(counts)[len(counts) // 2]
    return count > 1.1 * largest_first[1] or count > 5.0 * max(median, 5)


@given(st.lists(st.integers(0, 80), min_size=2, max_size=11))
@example([0, 0])
@example([1, 0])
@example([11, 10])
@example([12, 10])
@example([30, 28, 0, 0, 0])
@example([25, 25, 0])
@example([26, 26, 0])
def test_an_answer_is_welcome_exactly_where_the_official_rule_does_not_reject_it(counts: list[int]) -> None:
    tally = Tally(tuple(range(len(counts))))
    for answer, count in enumerate(counts):
        for _ in range(count):
            tally.add(answer)
    expected = frozenset(answer for answer, count in enumerate(counts) if not is_rejected(count, counts))
    assert tally.welcome(CLEVR_RULES) == expected
    assert tally.uses == sum(counts)


def test_the_first_answer_passes_and_the_same_again_must_wait_for_another() -> None:
    tally = Tally((True, False))
    assert tally.welcome(CLEVR_RULES) == frozenset({True, False})
    tally.add(True)
    assert tally.welcome(CLEVR_RULES) == frozenset({False})
    tally.add(False)
    assert tally.welcome(CLEVR_RULES) == frozenset({True, False})


def test_a_new_window_starts_from_nothing() -> None:
    tally = Tally((True, False))
    tally.add(True)
    tally.clear()
    assert tally.uses == 0
    assert tally.welcome(CLEVR_RULES) == frozenset({True, False})


def test_the_answers_that_count_are_those_of_the_type_also_when_never_seen() -> None:
    assert answers_of(BOOLEAN, CLEVR_RULES) == (True, False)
    assert answers_of(INTEGER, CLEVR_RULES) == tuple(range(11))
    assert answers_of(value_type("Size", ("small", "large")), CLEVR_RULES) == ("small", "large")
    with pytest.raises(ValueError, match="answers of type Object cannot be counted"):
        answers_of(OBJECT, CLEVR_RULES)


@pytest.mark.parametrize("kind", ["our", "official"])
def test_no_question_of_a_long_run_was_one_that_the_rule_rejects(kind: str) -> None:
    """Every answer, replayed in order against the counts of its template, which are reset every 250 scenes."""
    if kind == "official" and not OFFICIAL_TEMPLATES.is_dir():
        pytest.skip(f"there is no {OFFICIAL_TEMPLATES}: CLEVR's own templates are not part of the repository")
    counts: dict[str, Counter[Any]] = {}
    asked = questions(kind, 300)
    for number, one in enumerate(asked):
        if number % (10 * 250) == 0:
            counts.clear()
        template, answer = one.question.template, one.question.answer
        values = template.output.values
        size = len(values) if values is not None else DOMAINS[type(answer)]
        seen = counts.setdefault(template.title, Counter())
        padded = [*seen.values(), *[0] * (size - len(seen))]
        assert not is_rejected(seen[answer], padded), one.question.text
        seen[answer] += 1
    assert len(asked) > 2500


def test_counts_start_anew_after_a_window_of_worlds() -> None:
    asker = Asker(clevr_questions(), LANGUAGE, RULES)
    same = world(1)
    for number in range(RULES.window + 1):
        if number == RULES.window:
            before = sum(tally.uses for tally in asker.tallies)
            assert before > 0
        list(asker.ask(same, 1, chance=fast(generator(0, number))))
    assert sum(tally.uses for tally in asker.tallies) == 1
