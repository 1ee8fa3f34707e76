"""Rows that share stages: which of them one need not learn again."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra learn is not installed")

from mereo.training.keeping import WEIGHTS
from mereo.training.lending import Lender, borrow
from mereo.training.run import VERSION, Run
from mereo.workbench.rows import find_model
from mereo.workbench.studies import plan_reproduction
from mereo.workbench.turns import held, longest_first


def begun(folder: Path, benchmark: str, name: str, **choices: str | int | float | bool) -> Lender:
    """A run of which nothing is learned yet."""
    row = find_model(name, of=benchmark).row
    run = Run(
        version=VERSION,
        row=name,
        benchmark=benchmark,
        dataset="rooms",
        fingerprint="1",
        seed=0,
        choices=choices,
        minutes=10.0,
        device="cpu",
        mereo="1",
        torch="2",
        stages={},
        folder=str(folder / name),
    )
    return Lender(run, row)


def done(folder: Path, benchmark: str, name: str, **choices: str | int | float | bool) -> Lender:
    """A run as if all its stages had been learned."""
    own = begun(folder, benchmark, name, **choices)
    for stage in own.row.stages:
        (own.run.place / stage.name).mkdir(parents=True)
        (own.run.place / stage.name / WEIGHTS).write_text(name)
    return own


def borrowed(own: Lender, other: Lender) -> list[str]:
    """The stages that one gets of the other."""
    return [stage.name for stage in own.row.stages if borrow(stage, own.row, own.run, [other])]


@pytest.mark.parametrize(
    ("benchmark", "own", "other", "stages"),
    [
        ("ptr", "dense_symbolic", "rebuilt", ["perception", "parser"]),
        ("ptr", "rebuilt", "ns_vqa", ["parser"]),
        ("ptr", "mac_parts", "ns_vqa", ["objects", "parts", "object_attributes", "part_attributes"]),
        ("shop", "xnm", "ns_vqa", ["reader", "parser", "objects", "attributes"]),
        ("shop", "shop_symbolic", "ns_vqa", ["parser"]),
        ("shop", "tbd", "ns_vqa", ["parser"]),
        ("cric", "cric_symbolic", "nmn_cs", ["perception", "parser"]),
        ("cric", "memory_vqa_att", "nmn_cs", ["perception"]),
        ("cric", "trig", "memory_vqa", ["perception"]),
    ],
)
def test_rows_that_differ_only_in_how_they_answer_learn_once(
    benchmark: str, own: str, other: str, stages: list[str], tmp_path: Path
) -> None:
    assert borrowed(begun(tmp_path, benchmark, own), done(tmp_path, benchmark, other)) == stages


def test_a_stage_that_reads_another_choice_is_learned_anew(tmp_path: Path) -> None:
    other = done(tmp_path, "ptr", "rebuilt", width=48)
    assert borrowed(begun(tmp_path, "ptr", "dense_symbolic"), other) == ["parser"]
    assert borrowed(begun(tmp_path / "wide", "ptr", "dense_symbolic", width=48, widest=480), other) == ["parser"]
    more = begun(tmp_path, "ptr", "ns_vqa", pairs=20_000)
    assert borrowed(more, other) == []


def test_weights_that_are_kept_on_the_way_change_nothing_for_who_borrows(tmp_path: Path) -> None:
    parted = done(tmp_path, "refer", "rmi", parts=6)
    assert borrowed(begun(tmp_path / "whole", "refer", "rmi"), parted) == ["reading"]
    whole = done(tmp_path / "other", "refer", "rmi")
    assert borrowed(begun(tmp_path / "parted", "refer", "rmi", parts=6), whole) == []
    assert borrowed(begun(tmp_path / "few", "refer", "rmi", steps=10), whole) == []


@pytest.mark.parametrize(
    ("study", "waits"),
    [
        ("refer/table3", {"iep_ref-pairs=18000": "iep_ref", "iep_ref-pairs=9000": "iep_ref"}),
        ("shop/table5", {"ns_vqa_rewarded-pairs=488": "ns_vqa", "ns_vqa_rewarded": "ns_vqa", "xnm": "ns_vqa"}),
        ("cric/table4", {"seen_graph": "vilbert_att"}),
    ],
)
def test_who_learns_side_by_side_waits_for_what_is_lent(study: str, waits: dict[str, str], tmp_path: Path) -> None:
    plan = plan_reproduction(study, tmp_path, scale="tiny")
    assert held(plan, plan.works) == waits
    assert held(plan, plan.works[::-1]).keys().isdisjoint({"slr", "mac", "tbd"})


def test_who_learns_a_stage_longest_comes_first_and_lends_it(tmp_path: Path) -> None:
    plan = plan_reproduction("cric/table2", tmp_path, scale="small", device="cpu", seeds=2)
    assert next(work.row for work in plan.works if work.row in ("trig", "cric_symbolic")) == "trig"
    ordered = longest_first(plan, plan.works)
    assert sorted(work.name for work in ordered) == sorted(work.name for work in plan.works)
    assert [work.again for work in ordered] == sorted(work.again for work in ordered)
    assert held(plan, ordered)["trig"] == "cric_symbolic"
    alike = [work for work in plan.works if work.row in ("san", "mac", "bottom_up")]
    assert longest_first(plan, alike) == alike
