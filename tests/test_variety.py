"""Variety and the published tables: distances agree with plain loops, and our counts stand beside PartNet's."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from kit import CommandLine, complaint
from mereo.chance import generator
from mereo.shapes.grammar import make_shape
from mereo.shapes.mesh import Floats
from mereo.shapes.statistics import ALL, partnet_statistics, published_datasets
from mereo.shapes.template import all_templates
from mereo.shapes.variety import chamfer, unit_cloud, variety_of

TEMPLATES = {name: template for name, template in all_templates().items() if template.partnet}


def plain_chamfer(one: Floats, other: Floats) -> float:
    there = [min(math.dist(a, b) for b in other) for a in one]
    back = [min(math.dist(a, b) for a in one) for b in other]
    return (sum(there) / len(there) + sum(back) / len(back)) / 2


def test_distances_are_those_of_plain_loops() -> None:
    rng = generator(3)
    one, *others = (rng.random((size, 3)) for size in (20, 30, 30))
    assert chamfer(one, others) == pytest.approx([plain_chamfer(one, other) for other in others], rel=1e-4)
    assert chamfer(one, [one])[0] == pytest.approx(0, abs=1e-3)


def test_families_that_are_alike_have_a_ratio_of_one_and_others_a_greater_one() -> None:
    def varied(category: str) -> float:
        pairs = [[make_shape(category, seed=1, family=family, instance=k) for k in (0, 1)] for family in range(6)]
        found = variety_of([[unit_cloud(shape, seed=1) for shape in pair] for pair in pairs])
        assert found.nearest <= found.between
        return found.ratio

    assert varied("cube") == pytest.approx(1, abs=0.05)
    assert varied("lamp") > 3


def test_a_cloud_is_as_large_as_any_other() -> None:
    small, large = (unit_cloud(make_shape(name, seed=0), seed=0) for name in ("lamp", "bed"))
    for points in (small, large):
        assert np.linalg.norm(np.ptp(points, axis=0)) == pytest.approx(1, abs=0.05)


def test_one_family_has_no_variety() -> None:
    assert "at least two families" in (complaint(lambda: variety_of([])) or "")


def test_the_published_columns_add_up_and_are_those_of_our_templates() -> None:
    found = partnet_statistics()
    assert set(found) == {ALL, *TEMPLATES}
    own = [row for name, row in found.items() if name != ALL]
    assert sum(row.annotations for row in own) == found[ALL].annotations
    assert sum(row.shapes for row in own) == found[ALL].shapes == published_datasets()["PartNet"].shapes
    assert sum(row.part_semantics for row in own) == found[ALL].part_semantics
    assert found[ALL].part_instances - 1_000 * len(own) < sum(row.part_instances for row in own)
    for name, template in TEMPLATES.items():
        row = found[name]
        assert row.part_semantics == len(template.labels)
        assert row.greatest_depth == max(label.count("/") for label in template.labels)
        assert row.median_parts <= row.most_parts <= found[ALL].most_parts


def test_the_command_tells_ours_beside_the_papers(mereo: CommandLine) -> None:
    asked = ("shapes", "statistics", "--category", "cart,chair", "--count", "3")
    lines = mereo(*asked).out.splitlines()
    named = [line.split()[0] for line in lines if line]
    assert named.count("PartNet") == 3  # of the datasets, beside all and beside chair
    assert any(line.startswith("these shapes") and line.split()[2] == "6" for line in lines)
    told = json.loads(mereo(*asked, "--json").out)
    assert told["chair"]["counted"]["shapes"] == 3
    assert told["chair"]["partnet"]["shapes"] == 6400
    assert told["cart"]["partnet"] is None
    assert 0 < told["cart"]["variety"]["within"] < told["cart"]["variety"]["between"]
