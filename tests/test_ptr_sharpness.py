"""How well a run sees, on scenes where one can say beforehand how well that is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mereo.benchmarks.ptr.learning.sharpness import sharpness
from mereo.training.seeing import Seen, SeenThing

pytest.importorskip("scipy")
SIZE = (200, 300)


def thing(left: int, *, wide: int = 8, score: float = 1.0, **words: str) -> SeenThing:
    mask = np.zeros(SIZE, bool)
    mask[10:20, left : left + wide] = True
    return SeenThing(mask, words, {}, None, score)


TRUE = Seen(
    SIZE,
    [thing(0, category="chair", stability="stable"), thing(30, category="bed", stability="unstable")],
    [thing(0, wide=4, part="leg", color="red"), thing(10, wide=4, part="leg", color="gray")],
)


def test_whoever_sees_everything_is_right() -> None:
    found = sharpness([(TRUE, TRUE), (TRUE, TRUE)])
    assert found["object AP50"] == found["part AP50"] == pytest.approx(1.0)
    assert {name: share for name, share in found.items() if share != pytest.approx(1.0)} == {}
    assert {"object found", "object category", "object stability", "part found", "part part", "part color"} <= {*found}


def test_what_is_missed_invented_or_misnamed_costs_what_it_should() -> None:
    first, second = TRUE.objects
    misnamed = replace(first, words={"category": "table", "stability": "stable"})
    found = sharpness([(replace(TRUE, objects=[misnamed]), TRUE)])
    assert found["object found"] == 0.5
    assert found["object category"] == 0.0
    assert found["object stability"] == 1.0
    # Of 101 recalls those up to one half are reached, with nothing wrong.
    assert found["object AP50"] == pytest.approx(51 / 101)
    surer = thing(20, score=1.0, category="chair")
    unsure = [replace(one, score=0.9) for one in (first, second)]
    invented = sharpness([(replace(TRUE, objects=[surer, *unsure]), TRUE)])
    assert invented["object found"] == 1.0
    assert invented["object AP50"] == pytest.approx(2 / 3)


def test_half_of_what_both_cover_is_needed() -> None:
    def shifted(by: int) -> float:
        moved = [replace(one, mask=np.roll(one.mask, by, 1)) for one in TRUE.objects]
        return sharpness([(replace(TRUE, objects=moved), TRUE)])["object AP50"]

    assert shifted(2) == pytest.approx(1.0)  # 6 of 10 columns
    assert shifted(3) == 0.0  # 5 of 11


def test_parts_too_small_to_be_asked_about_count_neither_way() -> None:
    mask = np.zeros(SIZE, bool)
    mask[0, 0] = True
    dot = SeenThing(mask, {"part": "leg", "color": "red"}, {}, None)
    more = replace(TRUE, parts=[*TRUE.parts, dot])
    assert sharpness([(TRUE, more)])["part AP50"] == pytest.approx(1.0)
    assert sharpness([(more, TRUE)])["part AP50"] == pytest.approx(1.0)
    assert sharpness([(TRUE, more)])["part found"] == 1.0
    assert sharpness([(replace(TRUE, parts=[]), TRUE)])["part AP50"] == 0.0


def test_parts_are_found_by_their_size() -> None:
    parts = [thing(10 * place, wide=wide, part="leg") for place, wide in enumerate((2, 3, 4, 40))]
    found = sharpness([(replace(TRUE, parts=parts[1:]), replace(TRUE, parts=parts))])
    assert found["part found"] == 0.75
    sizes = {name: found[f"part found, {name}"] for name in ("small", "middling", "large")}
    assert sizes == {"small": 0.5, "middling": 1.0, "large": 1.0}
