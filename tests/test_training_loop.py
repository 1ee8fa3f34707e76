"""The loop: what is killed comes to the same losses, what breaks is named, and a folder is gone on with by its own."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from kit import complaint
from mereo.cores import CORES
from mereo.errors import BadInput, UnknownName
from mereo.models.kinds import Batch, Lesson
from mereo.models.learner import Learner
from mereo.training import checkpoint, keeping, timing
from mereo.training.checkpoint import read_checkpoint, write_checkpoint
from mereo.training.curves import draw_curves
from mereo.training.descent import Average, Descent, one_cycle
from mereo.training.device import choose_device, free_memory, peak_memory, use_cores
from mereo.training.keeping import STATE, WEIGHTS
from mereo.training.loop import Diverged, Progress, fit
from mereo.training.order import Order
from mereo.training.readings import METRICS, Metrics, Reading, Score, read_metrics
from mereo.training.row import Pace
from toy_learning import CPU, PACE, Points, learn, learning, new_network


class Stopped(Exception):
    """What ends a run in the middle."""


@pytest.fixture(autouse=True)
def one_core() -> Iterator[None]:
    """Sums over several cores may differ in their last digit."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def kept_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a run stands is written down after every reading."""
    monkeypatch.setattr(keeping, "SECONDS", 0.0)
    monkeypatch.setattr(keeping, "SHARE", 1.0)


def found(folder: Path) -> list[dict[str, Any]]:
    """All that was read off but for what depends on the clock and the machine."""
    return [
        {"step": one.step, "rate": one.rate, "score": (one.losses, one.marks, one.gradient), "tried": one.tried}
        for one in read_metrics(folder / METRICS)
    ]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("undisturbed")
    learn(folder)
    return folder


# Going on


def test_a_run_that_is_killed_comes_to_the_same_losses(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    undisturbed, victim = learning(whole), learning(cut)
    metrics = cut / METRICS
    while not (metrics.exists() and metrics.read_bytes().count(b"\n") >= 30):
        assert victim.poll() is None, "it ended by itself"
        time.sleep(0.01)
    os.kill(victim.pid, signal.SIGKILL)
    assert victim.wait() == -signal.SIGKILL
    stood = read_checkpoint(cut / STATE, device=CPU)["step"]
    assert 0 < stood < 100
    lines = metrics.read_bytes().splitlines()[:stood]
    again = learning(cut)
    assert (again.wait(), undisturbed.wait()) == (0, 0)
    assert metrics.read_bytes().splitlines()[:stood] == lines, "it went on where the checkpoint stands"
    assert found(cut) == found(whole)
    assert equal_weights(cut, whole)


@pytest.mark.usefixtures("kept_at_once")
@pytest.mark.parametrize("step", [1, 37, 99])
def test_where_a_run_is_stopped_changes_nothing(step: int, tmp_path: Path, undisturbed: Path) -> None:
    stop_at(tmp_path, step)
    with (tmp_path / METRICS).open("ab") as file:
        file.write(b'{"step":9,"sec')  # what a kill cut off
    learn(tmp_path)
    assert found(tmp_path) == found(undisturbed)
    assert equal_weights(tmp_path, undisturbed)


def test_what_was_read_off_after_the_checkpoint_is_forgotten(tmp_path: Path, undisturbed: Path) -> None:
    stop_at(tmp_path, 60)  # the only checkpoint is that before the first step
    assert read_checkpoint(tmp_path / STATE, device=CPU)["step"] == 0
    assert len(read_metrics(tmp_path / METRICS)) == 60
    learn(tmp_path)
    assert found(tmp_path) == found(undisturbed)


def test_a_run_that_is_done_is_not_made_again(tmp_path: Path) -> None:
    first = learn(tmp_path, steps=20)
    again = learn(tmp_path, steps=20, progress=lambda one: pytest.fail("a step was made"))
    assert again == first
    assert not (tmp_path / STATE).exists()


def test_the_seed_decides(tmp_path: Path) -> None:
    def losses(seed: int) -> list[float]:
        said: list[float] = []
        fit(
            new_network(),
            Points(),
            pace=PACE,
            steps=5,
            seed=seed,
            device=CPU,
            progress=lambda one: said.append(one.reading.losses["side"]),
        )
        return said

    torch.manual_seed(1)
    first = losses(1)
    torch.manual_seed(2)
    before = torch.get_rng_state()
    assert losses(1) == first
    assert losses(2) != first
    assert torch.equal(torch.get_rng_state(), before), "the chance of the process is left alone"


def stop_at(folder: Path, step: int) -> None:
    def stop(progress: Progress) -> None:
        if progress.step == step:
            raise Stopped

    with pytest.raises(Stopped):
        learn(folder, progress=stop)


def equal_weights(one: Path, other: Path) -> bool:
    first, second = (read_checkpoint(folder / WEIGHTS, device=CPU)["network"] for folder in (one, other))
    return all(torch.equal(first[name], second[name]) for name in (*first, *second))


# Order, rate, weights


def test_every_pass_has_each_example_once() -> None:
    order = Order([22], batch=5, seed=1, device=CPU)
    assert order.steps_in_pass == 4
    passes = [[order.places(4 * number + k).tolist() for k in range(4)] for number in range(3)]
    assert all(max(Counter(chain.from_iterable(own)).values()) == 1 for own in passes)
    assert passes[0] != passes[1]
    again = Order([22], batch=5, seed=1, device=CPU)
    assert again.places(9).tolist() == passes[2][1]
    assert Order([3], batch=5, seed=1, device=CPU).places(7).sort().values.tolist() == [0, 1, 2]


def test_examples_of_two_kinds_are_in_no_batch_together() -> None:
    order = Order([9, 0, 2, 4], batch=4, seed=1, device=CPU)
    kinds = [range(9), range(9, 11), range(11, 15)]
    assert order.steps_in_pass == 4
    assert order.examples_in_step == (8 + 2 + 4) / 4
    passes = [[order.places(4 * number + step).tolist() for step in range(4)] for number in range(20)]
    for batches in passes:
        seen = [place for batch in batches for place in batch]
        assert len(set(seen)) == len(seen) == 14
        assert all(any(set(batch) <= set(kind) for kind in kinds) for batch in batches)
    assert {next(k for k, batch in enumerate(batches) if 9 in batch) for batches in passes} == {0, 1, 2, 3}
    assert {place for batches in passes for batch in batches for place in batch} == set(range(15))
    again = Order([9, 0, 2, 4], batch=4, seed=1, device=CPU)
    assert again.places(21).tolist() == passes[5][1]


def test_the_rate_rises_and_falls_once() -> None:
    pace = Pace(rate=0.1, warm=0.2)
    rates = [one_cycle(step, 100, pace=pace) for step in range(100)]
    assert max(rates) == rates[20] == pytest.approx(0.1)
    assert rates[:21] == sorted(rates[:21])
    assert rates[20:] == sorted(rates[20:], reverse=True)
    assert rates[0] == pytest.approx(0.004)
    assert rates[-1] < 1e-4


def test_biases_and_norms_do_not_decay() -> None:
    network = nn.Sequential(nn.Linear(3, 4), nn.LayerNorm((2, 4)), nn.BatchNorm1d(4), nn.Embedding(5, 3))
    descent = Descent(network, Pace(decay=0.5))
    before = {name: one.detach().clone() for name, one in network.named_parameters()}
    for one in network.parameters():
        one.grad = torch.zeros_like(one)
    descent.go(0.1)
    for name, one in network.named_parameters():
        factor = 0.95 if name in ("0.weight", "3.weight") else 1.0
        assert torch.allclose(one, factor * before[name]), name
    assert all(one.grad is None for one in network.parameters())


def test_gradients_are_bounded_and_what_is_frozen_stays() -> None:
    network = nn.Linear(2, 2)
    network.bias.requires_grad_(False)
    bias = network.bias.clone()
    descent = Descent(network, Pace(clip=1.0))
    network.weight.grad = torch.full((2, 2), 10.0)
    assert float(descent.go(0.0)) == pytest.approx(20.0)
    assert torch.equal(network.bias, bias)


def test_averaged_weights_are_those_of_a_plain_loop() -> None:
    network, seen = new_network(), []
    pace = Pace(batch=16, rate=0.02, average=0.8)

    def look(progress: Progress) -> None:
        seen.append({name: one.detach().clone().double() for name, one in network.named_parameters()})

    start = {name: one.detach().clone().double() for name, one in network.named_parameters()}
    fit(network, Points(), pace=pace, steps=30, seed=0, device=CPU, progress=look)
    average = start
    for step, weights in enumerate(seen):
        decay = min(0.8, (1 + step) / (10 + step))
        average = {name: decay * average[name] + (1 - decay) * weights[name] for name in average}
    for name, one in network.named_parameters():
        assert torch.allclose(one.double(), average[name], atol=1e-6), name
        assert not torch.allclose(one.double(), seen[-1][name], atol=1e-6), name


def test_a_network_is_its_average_only_for_a_while() -> None:
    network = nn.Linear(2, 2)
    average = Average(network, decay=0.5)
    before = network.weight.detach().clone()
    with torch.no_grad():
        network.weight += 1.0
    with average.in_place():
        assert torch.equal(network.weight, before)
    assert torch.equal(network.weight, before + 1.0)


def test_it_learns_and_is_tried_ten_times_on_others() -> None:
    network, others, said = new_network(), Points(seed=1), []
    fitted = fit(
        network,
        Points(),
        pace=PACE,
        steps=150,
        seed=0,
        device=CPU,
        tried=others,
        progress=lambda one: said.append(one.reading),
    )
    assert fitted.tried is not None
    assert fitted.tried.marks["right"] > 0.9
    assert not network.training
    assert sum(one.tried is not None for one in said) == 10
    assert said[-1].tried == fitted.tried
    assert not any(changed for _, changed in others.asked), "what is tried is left as it is"
    assert len({tuple(places) for places, _ in others.asked}) == len(others.asked) / 10, "each time the same"
    assert all(0 < one.busy <= 1 and one.examples_per_second > 0 and one.memory > 0 for one in said)


# Time


class Clock:
    """Time that passes only while a network learns."""

    def __init__(self, each: float):
        self.now, self.each = 0.0, each

    def tick(self) -> None:
        self.now += self.each

    def perf_counter(self) -> float:
        return self.now


def test_a_time_becomes_a_number_of_steps_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(each=5.0)
    monkeypatch.setattr(timing, "time", clock)
    boxed: list[Reading] = []
    network = new_network(before=clock.tick)
    fitted = fit(
        network,
        Points(),
        pace=PACE,
        minutes=10,
        seed=0,
        device=CPU,
        progress=lambda one: boxed.append(one.reading),
    )
    assert fitted.steps == 100, "600 s, of which a tenth went into finding out, and a little is left for the rest"
    assert clock.now <= 600
    counted: list[Reading] = []
    fit(
        new_network(before=clock.tick),
        Points(),
        pace=PACE,
        steps=100,
        seed=0,
        device=CPU,
        progress=lambda one: counted.append(one.reading),
    )
    assert [one.losses for one in boxed] == [one.losses for one in counted]
    assert [one.rate for one in boxed] == [one.rate for one in counted]


@pytest.mark.parametrize(("minutes", "steps", "made"), [(1000.0, None, 24), (None, 10, 10), (None, None, 24)])
def test_passes_bound_every_run(
    minutes: float | None, steps: int | None, made: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(each=1.0)
    monkeypatch.setattr(timing, "time", clock)
    pace, network = Pace(batch=16, passes=2.0), new_network(before=clock.tick)
    fitted = fit(network, Points(), pace=pace, minutes=minutes, steps=steps, seed=0, device=CPU)
    assert fitted.steps == made


def test_a_time_that_is_short_still_makes_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(each=100.0)
    monkeypatch.setattr(timing, "time", clock)
    network = new_network(before=clock.tick)
    assert fit(network, Points(), pace=PACE, minutes=0.01, seed=0, device=CPU).steps == 1


# What breaks


@pytest.mark.usefixtures("kept_at_once")
def test_what_is_no_number_is_named_by_step_and_examples(tmp_path: Path) -> None:
    points = Points(broken=7)
    order = Order([len(points)], batch=PACE.batch, seed=5, device=CPU)
    first = next(step for step in range(100) if 7 in order.places(step).tolist())
    steps = 2500  # lines are 20 steps apart
    with pytest.raises(Diverged) as caught:
        fit(new_network(), points, pace=PACE, steps=steps, seed=5, device=CPU, folder=tmp_path)
    assert caught.value.step == first
    assert caught.value.examples == [f"point-{place:03d}" for place in order.places(first).tolist()]
    assert f"learning broke at step {first}: the loss 'side' is nan, on point-" in str(caught.value)
    assert "and 11 more" in str(caught.value)
    kept = read_checkpoint(tmp_path / STATE, device=CPU)
    assert kept["step"] <= first
    assert all(torch.isfinite(one).all() for one in kept["network"].values())


class Root(Learner):
    """A loss that is 0, with a gradient that is not."""

    reads = ()

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(3))

    def lesson(self, batch: Batch) -> Lesson:
        return Lesson({"root": self.weight.abs().sum().sqrt()}, {"nothing": torch.tensor(torch.nan)})


def test_a_gradient_that_is_no_number_is_named_and_a_mark_may_be_none() -> None:
    with pytest.raises(Diverged, match="at step 0: the gradient is nan, on point-"):
        fit(Root(), Points(), pace=Pace(batch=4), steps=3, seed=0, device=CPU)


def test_nothing_to_learn_from_is_a_sentence() -> None:
    with pytest.raises(BadInput, match="there is nothing to learn from"):
        fit(new_network(), Points(0), pace=PACE, steps=1, seed=0, device=CPU)


# Folders


def test_a_folder_of_other_settings_is_refused(tmp_path: Path) -> None:
    stop_at(tmp_path, 3)
    with pytest.raises(BadInput, match=r"state.pt: was begun with seed: 3, not 4$"):
        fit(new_network(), Points(), pace=PACE, steps=100, seed=4, device=CPU, folder=tmp_path)
    with pytest.raises(
        BadInput, match=r"holds weights of another network: 'net\.0\.weight' is \(16, 4\), not \(8, 4\)"
    ):
        fit(new_network(width=8), Points(), pace=PACE, steps=100, seed=3, device=CPU, folder=tmp_path)


def test_a_checkpoint_of_another_version_or_of_others_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / STATE
    monkeypatch.setattr(checkpoint, "VERSION", 0)
    write_checkpoint(path, {"step": 1})
    monkeypatch.undo()
    with pytest.raises(BadInput, match=r"is of an older version of mereo \(checkpoint version 0, not 1\)"):
        learn(tmp_path)
    torch.save({"weight": torch.zeros(2)}, path)
    with pytest.raises(BadInput, match="is no checkpoint of mereo"):
        learn(tmp_path)
    torch.save(nn.Linear(2, 2), path)  # a whole object, which would run code of its own when it is loaded
    with pytest.raises(BadInput, match="is no checkpoint of mereo"):
        learn(tmp_path)
    with pytest.raises(BadInput, match="there is no such file"):
        read_checkpoint(tmp_path / "nothing.pt", device=CPU)


@given(cut=st.integers(0, 3000), junk=st.binary(max_size=40))
def test_a_damaged_checkpoint_is_a_sentence(cut: int, junk: bytes, tmp_path: Path) -> None:
    path = tmp_path / STATE
    write_checkpoint(path, {"step": 1, "network": {"weight": torch.zeros(200)}})
    data = path.read_bytes()
    path.write_bytes(data[: min(cut, len(data) - 1)] + junk)
    try:
        read_checkpoint(path, device=CPU)
    except BadInput as error:
        assert "checkpoint of mereo" in str(error)  # noqa: PT017  some damage is not seen


def test_readings_are_kept_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / METRICS
    own = [reading(step, losses={"a": 1.0 / step}, marks={}) for step in (1, 2, 3)]
    metrics = Metrics(path, after=0)
    for one in own:
        metrics.add(one)
    assert read_metrics(path) == own
    Metrics(path, after=2)
    assert read_metrics(path) == own[:2]
    path.write_bytes(b"{}\n")
    with pytest.raises(BadInput, match=r"metrics.jsonl, line 1: object missing required field"):
        read_metrics(path)


# Devices


def test_devices_are_chosen_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert choose_device("auto") == choose_device("cpu") == CPU
    with pytest.raises(BadInput, match="there is no GPU that PyTorch can use here"):
        choose_device("cuda")
    with pytest.raises(UnknownName, match="did you mean 'cuda'"):
        choose_device("cuba")
    assert free_memory(CPU) > 0
    assert peak_memory(CPU) > 2**20


def test_networks_take_as_many_cores_as_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for said, cores in (("3", 3), ("1", 1), ("", len(os.sched_getaffinity(0)))):
        monkeypatch.setenv(CORES, said)
        use_cores()
        assert torch.get_num_threads() == cores
    for said in ("0", "two", "-1"):
        monkeypatch.setenv(CORES, said)
        assert complaint(use_cores) == (
            f"the environment variable MEREO_CORES must be a whole number of cores, not '{said}'"
        )


# Curves


def reading(step: int, *, losses: dict[str, float], marks: dict[str, float], tried: Score | None = None) -> Reading:
    return Reading(
        step=step,
        seconds=1.0,
        rate=0.1,
        losses=losses,
        marks=marks,
        gradient=1.0,
        examples_per_second=1.0,
        busy=1.0,
        memory=1.0,
        tried=tried,
    )


def polylines(svg: str) -> list[list[tuple[float, float]]]:
    found = ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}polyline")
    points = [one.attrib["points"].split() for one in found]
    return [[(float(x), float(y)) for x, y in (point.split(",") for point in own)] for own in points]


def test_curves_show_losses_that_fall_and_marks_that_rise() -> None:
    score = Score({"answer <a>": 0.02}, {"right": 0.5})
    own = [
        reading(k, losses={"answer <a>": 1 / k}, marks={"right": k / 1000}, tried=score if k == 1000 else None)
        for k in range(1, 1001)
    ]
    svg = draw_curves(own, title="a & b")
    loss, tried_loss, mark, tried_mark = polylines(svg)
    assert len(loss) == len(mark) == 200, "neighbors are drawn together"
    assert [y for _, y in loss] == sorted(y for _, y in loss)
    assert [y for _, y in mark] == sorted((y for _, y in mark), reverse=True)
    assert len(tried_loss) == len(tried_mark) == 1
    assert "a &amp; b" in svg


numbers = st.floats(-1e30, 1e30)


@given(st.lists(st.dictionaries(st.sampled_from(["a", "b"]), numbers), max_size=4), st.booleans())
def test_any_readings_can_be_drawn(losses: list[dict[str, float]], tried: bool) -> None:
    score = Score({"a": 0.5, "c": 1.0}, {"right": 2.0}) if tried else None
    own = [reading(k + 1, losses=one, marks={}, tried=score) for k, one in enumerate(losses)]
    for line in polylines(draw_curves(own, title="any")):
        assert all(0 <= x <= 600 and 0 <= y <= 600 for x, y in line)
