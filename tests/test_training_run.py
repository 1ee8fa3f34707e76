"""The folder of a trained row: stages in order, what is done is only loaded, and nobody goes on with another's."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch

import tables
from kit import CommandLine
from mereo.datasets.store import VERSION, Manifest
from mereo.errors import BadInput
from mereo.folders import alone_in
from mereo.training.lexicon import Lexicon
from mereo.training.loop import Progress
from mereo.training.row import Desk, Pace, Row, Stage
from mereo.training.run import Run, learned_split, load_row, train_row, tried_split
from toy_learning import CPU, Points, Sides

PACE = Pace(batch=16, rate=0.02, passes=2.0)


@pytest.fixture(autouse=True)
def one_core() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class Stopped(Exception):
    """What ends a run in the middle."""


def new_desk(*, seed: int = 0, files: dict[str, Any] | None = None, **choices: float) -> Desk:
    manifest = Manifest(VERSION, "toy", 0, {}, {}, {"train": 1, "val": 1, "test": 1}, {}, files or {})
    corpus = cast(Any, SimpleNamespace(manifest=manifest, folder=Path("toy"), splits=("train", "val", "test")))
    return Desk(corpus, Lexicon.of_texts(["Is it red?"], ["yes"], []), CPU, seed, choices)


class Rows:
    """A row of two stages, and what its sources were asked for."""

    def __init__(self, name: str = "toy"):
        self.sources: list[tuple[str, str]] = []
        self.made: list[tuple[str, tuple[str, ...]]] = []
        """The networks that were made, each with those that were on the desk then."""
        stages = tuple(self._stage(*one) for one in (("first", 1.0), ("second", 3.0)))
        self.row = Row(name, "two stages", (), ("answers",), "A", stages, lambda desk, split: iter(()))

    def _stage(self, name: str, share: float) -> Stage:
        def source(desk: Desk, split: str) -> Points:
            self.sources.append((name, split))
            return Points(seed=len(split))

        def network(desk: Desk) -> Sides:
            self.made.append((name, tuple(desk.networks)))
            return Sides(width=int(desk.choices.get("width", 8)))

        return Stage(name, "tells sides", network, source, share=share, pace=PACE)


def said_by(desk: Desk) -> list[torch.Tensor]:
    points = Points(8).points
    with torch.no_grad():
        return [cast(Sides, desk.networks[name]).net(points) for name in ("first", "second")]


def test_who_is_asked_after_a_part_of_the_time_knows_no_more(tmp_path: Path) -> None:
    rows, desk = Rows(), new_desk(parts=3, average=0.9)
    run = train_row(rows.row, desk, Run.begin(tmp_path / "run", rows.row, desk))
    said: list[list[torch.Tensor]] = []
    for part in (1, 2, 3, 0):
        past = new_desk(parts=3, average=0.9, part=part)
        load_row(run, past, rows.row)
        said.append(said_by(past))
    for first, second, third, whole in zip(*said, strict=True):
        assert torch.equal(third, whole)
        assert not torch.equal(first, second)
        assert not torch.equal(second, third)
    few = new_desk(average=0.9)
    shorter = train_row(rows.row, few, Run.begin(tmp_path / "plain", rows.row, few))
    assert all(torch.equal(*both) for both in zip(said_by(few), said_by(desk), strict=True)), "keeping changes nothing"
    with pytest.raises(BadInput, match="must be from 1 to 1, the parts of the time"):
        load_row(shorter, new_desk(average=0.9, part=2), rows.row)


def test_with_fewer_steps_than_parts_each_part_ends_with_the_step_that_reaches_it(tmp_path: Path) -> None:
    rows, desk = Rows(), new_desk(parts=6, steps=4, average=0.9)
    run = train_row(rows.row, desk, Run.begin(tmp_path / "run", rows.row, desk))
    kept = [torch.load(tmp_path / "run" / "first" / f"weights-{part}.pt") for part in range(1, 6)]
    first, second, *_ = [next(iter(one["network"].values())) for one in kept]
    assert not torch.equal(first, second)
    for part in range(1, 7):
        load_row(run, new_desk(parts=6, steps=4, average=0.9, part=part), rows.row)


def test_stages_are_trained_in_order_and_answer_alike_when_loaded(tmp_path: Path) -> None:
    rows, desk, stages = Rows(), new_desk(seed=4, width=6), []
    run = Run.begin(tmp_path / "run", rows.row, desk)
    assert run.stages == {"first": None, "second": None}
    run = train_row(rows.row, desk, run, lambda one: stages.append(one.stage))
    assert list(dict.fromkeys(stages)) == ["first", "second"]
    assert rows.sources == [("first", "train"), ("first", "val"), ("second", "train"), ("second", "val")]
    assert rows.made == [("first", ()), ("second", ("first",))]
    past = Run.open(tmp_path / "run")
    assert past == run
    assert all(one is not None and one.steps == 24 and one.tried is not None for one in past.stages.values())
    assert past.seconds > 0
    assert 0 < past.busy <= 1
    assert past.lexicon == desk.lexicon
    again = Desk(desk.corpus, past.lexicon, CPU, past.seed, past.choices)
    load_row(past, again, rows.row)
    assert all(torch.equal(one, other) for one, other in zip(said_by(desk), said_by(again), strict=True))
    assert not any(network.training for network in again.networks.values())
    files = {path.relative_to(past.place).as_posix() for path in past.place.rglob("*") if path.is_file()}
    own = {f"{stage}/{name}" for stage in past.stages for name in ("metrics.jsonl", "weights.pt", "curves.svg")}
    assert files == {"run.json", "lexicon.json", *own}


def test_a_run_that_is_stopped_goes_on_and_reads_nothing_twice(tmp_path: Path) -> None:
    whole, desk = Rows(), new_desk()
    train_row(whole.row, desk, Run.begin(tmp_path / "whole", whole.row, desk))

    def stop(one: Progress) -> None:
        if one.stage == "second" and one.step == 11:
            raise Stopped

    rows, first = Rows(), new_desk()
    with pytest.raises(Stopped):
        train_row(rows.row, first, Run.begin(tmp_path / "run", rows.row, first), stop)
    begun = Run.open(tmp_path / "run")
    assert [name for name, one in begun.stages.items() if one is None] == ["second"]
    with pytest.raises(BadInput, match=r"second: is not trained to the end: there is no weights\.pt"):
        load_row(begun, new_desk(), rows.row)
    rows.sources.clear()
    second = new_desk()
    done = train_row(rows.row, second, Run.begin(tmp_path / "run", rows.row, second))
    assert None not in done.stages.values()
    assert rows.sources == [("second", "train"), ("second", "val")], "what the first stage learned from is not read"
    assert all(torch.equal(one, other) for one, other in zip(said_by(second), said_by(desk), strict=True))


def test_minutes_are_shared_and_paces_are_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[float | None, Pace, int]] = []

    def fit(*_: Any, minutes: float | None, pace: Pace, seed: int, **__: Any) -> None:
        given.append((minutes, pace, seed))
        raise Stopped

    monkeypatch.setattr("mereo.training.run.fit", fit)
    rows, desk = Rows(), replace(new_desk(), choices={"rate": 0.5, "first.batch": 4})
    for stages in (rows.row.stages, rows.row.stages[::-1]):
        row = replace(rows.row, stages=stages)
        run = Run.begin(tmp_path / stages[0].name, row, desk, minutes=8.0)
        with pytest.raises(Stopped):
            train_row(row, desk, run)
    (first, pace, seed), (second, other, another) = given
    assert (first, second) == (2.0, 6.0)
    assert (pace, other) == (replace(PACE, rate=0.5, batch=4), replace(PACE, rate=0.5))
    assert seed != another, "stages do not share their chance"


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    folder, rows = tmp_path / "run", Rows()
    Run.begin(folder, rows.row, new_desk(width=6), minutes=2.0)
    assert Run.begin(folder, rows.row, new_desk(width=6), minutes=2.0).row == "toy", "the same goes on"
    changed = {"shards": {"rows": 1}}
    for row, desk, minutes, told in (
        (Rows("other").row, new_desk(width=6), 2.0, "row: toy, not other"),
        (rows.row, new_desk(seed=1, width=6), 2.0, "seed: 0, not 1"),
        (rows.row, new_desk(width=7), 2.0, "choices.width: 6, not 7"),
        (rows.row, new_desk(), 2.0, "choices.width: 6, not nothing"),
        (rows.row, new_desk(width=6), 3.0, "minutes: 2.0, not 3.0"),
        (rows.row, new_desk(width=6, files=cast(Any, _files(changed))), 2.0, "fingerprint: "),
    ):
        with pytest.raises(BadInput) as caught:
            Run.begin(folder, row, desk, minutes=minutes)
        assert f"{folder}: was begun with {told}" in str(caught.value)
        assert str(caught.value).endswith("give another folder")


def _files(content: dict[str, Any]) -> dict[str, Any]:
    return {name: SimpleNamespace(sha256=str(value)) for name, value in content.items()}


def test_a_run_may_begin_with_what_another_has_learned(tmp_path: Path) -> None:
    first, desk = Rows(), new_desk(width=6)
    before = train_row(first.row, desk, Run.begin(tmp_path / "before", first.row, desk))
    # Without a step to speak of, what comes out is what went in.
    again, fresh = (new_desk(width=6, rate=1e-9, passes=0.05) for _ in range(2))
    run = train_row(first.row, again, Run.begin(tmp_path / "again", first.row, again, start=tmp_path / "before"))
    train_row(first.row, fresh, Run.begin(tmp_path / "fresh", first.row, fresh))
    kept, taken, other = (next(one.networks["first"].parameters()) for one in (desk, again, fresh))
    torch.testing.assert_close(taken, kept, atol=1e-5, rtol=0)
    assert (other - kept).abs().max() > 0.01
    assert (run.start, run.earlier) == (str(tmp_path / "before"), before.seconds)
    assert Run.open(tmp_path / "again").earlier == before.seconds
    with pytest.raises(BadInput, match="was begun with start"):
        Run.begin(tmp_path / "again", first.row, again)
    wider = new_desk(width=7)
    run = Run.begin(tmp_path / "wider", first.row, wider, start=tmp_path / "before")
    train_row(first.row, wider, run)  # what has another shape begins anew
    named = replace(first.row, stages=tuple(replace(stage, name=f"{stage.name} other") for stage in first.row.stages))
    with pytest.raises(BadInput, match="has learned nothing that toy could begin with"):
        Run.begin(tmp_path / "other", named, wider, start=tmp_path / "before")
    assert not (tmp_path / "other").exists()


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(BadInput, match="is not empty, and holds no run: give another folder"):
        Run.begin(tmp_path, Rows().row, new_desk())
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    with pytest.raises(BadInput, match=r"holds no run: there is no run\.json"):
        Run.open(tmp_path)
    run = Run.begin(tmp_path / "run", Rows().row, new_desk())
    path = run.place / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "version": 0}))
    with pytest.raises(BadInput, match=r"run\.json: is of another version of mereo: train it again"):
        Run.open(run.place)


def test_only_one_trains_in_a_folder(tmp_path: Path) -> None:
    rows, desk = Rows(), new_desk()
    run = Run.begin(tmp_path / "run", rows.row, desk)
    with alone_in(run.place), pytest.raises(BadInput, match="another mereo is writing here"):
        train_row(rows.row, desk, run)


def test_the_bench_measures_every_stage_that_a_dataset_can_feed(
    tmp_path: Path, mereo: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    mereo("build", "clevr", tmp_path / "set", "--symbolic", "--split", "train=2,test=1", "--seed", "0")
    blind, seeing = Rows("blind").row, replace(Rows("seeing").row, needs=("pictures",))
    zoo = SimpleNamespace(all_rows=lambda: {row.name: row for row in (blind, seeing)})
    monkeypatch.setitem(sys.modules, "mereo.training.zoo", cast(Any, zoo))
    words = ["--quick", "--device", "cpu", "--out", tmp_path / "out", "--dataset", tmp_path / "set"]
    monkeypatch.setattr(sys, "argv", ["bench/training.py", *map(str, words)])
    importlib.import_module("training").main()
    result = tables.read(tmp_path / "out" / "training.json")
    assert [row.what for row in result.rows] == ["blind: first", "blind: second"]
    assert all(row.against == "blind: first" and row.value > 0 for row in result.rows)
    assert all(0 < (row.more["busy, %"] or 0) <= 100 for row in result.rows)
    assert result.notes == ["seeing is left out: the dataset has no pictures."]


def test_splits_are_found_by_their_names() -> None:
    assert learned_split(["val", "train_a", "train"]) == "train"
    assert learned_split(["val", "train_a", "train_b"]) == "train_a"
    with pytest.raises(BadInput, match="there is no split to learn from"):
        learned_split(["test"])
    assert tried_split(["train", "test", "validation"]) == "validation"
    assert tried_split(["train", "test"]) == "test"
    assert tried_split(["train"]) is None
