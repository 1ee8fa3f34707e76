"""t-SNE against its own definition, by plain loops, and on vectors whose neighborhoods are known."""

from __future__ import annotations

from math import exp, log
from typing import Any

import numpy as np
import pytest

from kit import complaint
from mereo.chance import generator
from mereo.evaluation.neighborhoods import likely_neighbors, neighborhoods, pull


def blobs(count: int, *, of: int, seed: int = 0) -> tuple[Any, Any]:
    """Vectors around some middles, and which one each belongs to."""
    rng = generator(seed, "blobs")
    middles = 8 * rng.normal(size=(of, 6))
    own = np.repeat(np.arange(of), count)
    return middles[own] + rng.normal(size=(len(own), 6)), own


def test_neighbors_are_likely_as_a_bell_says_and_about_as_many_as_wanted() -> None:
    vectors, _ = blobs(8, of=3)
    likely = likely_neighbors(vectors, perplexity=5.0)
    for own, shares in zip(vectors, likely, strict=True):
        assert sum(shares) == pytest.approx(1)
        assert exp(-sum(share * log(share) for share in shares if share > 1e-12)) == pytest.approx(5.0, rel=1e-3)
        away = np.square(vectors - own).sum(1)
        first, second = (int(k) for k in np.argsort(away)[1:3])
        sharp = log(shares[first] / shares[second]) / (away[second] - away[first])
        for other in np.argsort(away)[1:8].tolist():
            assert shares[other] == pytest.approx(shares[first] * exp(-sharp * (away[other] - away[first])), rel=1e-6)
    assert (likely.diagonal() == 0).all()


def unlikeness(places: Any, likely: Any) -> float:
    """What t-SNE brings down: how much is lost by taking the plane's neighborhoods for the likely ones."""
    count = len(places)
    pairs = [(i, j) for i in range(count) for j in range(count) if i != j]
    near = {(i, j): 1 / (1 + float(np.square(places[i] - places[j]).sum())) for i, j in pairs}
    total = sum(near.values())
    return sum(float(likely[pair]) * log(likely[pair] * total / near[pair]) for pair in pairs if likely[pair] > 0)


def test_the_pull_is_the_slope_of_how_unlike_neighborhoods_are() -> None:
    vectors, _ = blobs(3, of=3, seed=1)
    likely = likely_neighbors(vectors, perplexity=2.0)
    likely = (likely + likely.T) / (2 * len(likely))
    places = generator(1, "places").normal(size=(9, 2))
    slope = pull(places, likely)
    for i, axis in np.ndindex(9, 2):
        step = np.zeros((9, 2))
        step[i, axis] = 1e-5
        found = (unlikeness(places + step, likely) - unlikeness(places - step, likely)) / 2e-5
        assert slope[i, axis] == pytest.approx(found, abs=1e-6)


def test_what_stands_together_stays_together_and_the_same_vectors_give_the_same_places() -> None:
    vectors, own = blobs(15, of=4)
    places = neighborhoods(vectors, perplexity=8.0)
    away = np.square(places[:, None] - places[None]).sum(-1)
    same = own[:, None] == own[None]
    assert away[same].max() < away[~same].min()
    assert (neighborhoods(vectors, perplexity=8.0) == places).all()
    assert np.abs(places.mean(0)).max() < 1e-9


def test_few_vectors_and_equal_ones_have_places_too() -> None:
    assert np.isfinite(neighborhoods(np.eye(4))).all()
    assert np.isfinite(neighborhoods(np.zeros((6, 1)))).all()
    said = "there are 3 vectors, and a picture of neighborhoods needs 4"
    assert complaint(lambda: neighborhoods(np.eye(3))) == said
