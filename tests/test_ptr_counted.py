"""Parts that were counted besides being found."""

from __future__ import annotations

from typing import Any

from mereo.benchmarks.ptr.learning.counted import as_counted


def part(name: str, score: float) -> dict[str, Any]:
    return {"part": name, "score": score}


LEGS = [part("leg", score) for score in (0.9, 0.8, 0.7)]
FAINT = [part("leg", 0.3), part("leg", 0.4), part("seat", 0.45)]


def scores(parts: list[dict[str, Any]], name: str) -> list[float]:
    return [one["score"] for one in parts if one["part"] == name]


def test_as_many_are_seen_as_were_counted_and_the_surest_first() -> None:
    for counted, sure, unsure in (
        (4.2, [0.9, 0.8, 0.7, 0.4], [0.3]),
        (2.0, [0.9, 0.8], [0.7, 0.4, 0.3]),
        (7.1, [0.9, 0.8, 0.7, 0.4, 0.3, 0.9, 0.8], []),
    ):
        seen, faint = as_counted(LEGS, FAINT, {"leg": counted})
        assert (scores(seen, "leg"), scores(faint, "leg")) == (sure, unsure)
        assert (scores(seen, "seat"), scores(faint, "seat")) == ([], [0.45])


def test_who_is_not_clear_or_saw_none_has_no_say() -> None:
    for counted in (3.5, 4.4, 0.1):
        seen, faint = as_counted(LEGS, FAINT, {"leg": counted, "wheel": 4.0})
        assert scores(seen, "leg") == [0.9, 0.8, 0.7]
        assert sorted(scores(faint, "leg")) == [0.3, 0.4]
        assert scores(seen, "wheel") == []
