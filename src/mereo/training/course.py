"""A network on its way through its steps. Whoever wants one to learn calls `fit` in `loop.py`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, NamedTuple

import msgspec
import torch

from mereo.errors import MereoError
from mereo.models.learner import Learner
from mereo.training.checkpoint import load_into
from mereo.training.descent import Average, Descent, one_cycle
from mereo.training.device import mixed, peak_memory
from mereo.training.fields import Source, kinds_of
from mereo.training.keeping import STATE, Keeping
from mereo.training.order import Order, seed_of
from mereo.training.readings import Reading, Score, Tally
from mereo.training.row import Pace
from mereo.training.timing import Lap, Watch, measure

__all__ = ["Course", "Diverged", "Fitted", "Progress", "ignore"]

_LINES, _APART = 100, 20
"""At least so many lines are read off, if there are as many steps, and at most so many steps apart."""
_TRIES = 10
"""How often a network is tried on examples that it does not learn from."""
_TRIED = 0.1
"""Batches that it is tried on in all, against those that it learns from: so trying takes a thirtieth of the time."""
_NAMED = 5
"""So many examples of a batch are named in a sentence."""


class Progress(NamedTuple):
    """How far learning has come."""

    step: int
    steps: int
    reading: Reading
    stage: str = ""
    """Of a row that learns in several."""


class Fitted(msgspec.Struct, frozen=True):
    """What learning came to."""

    steps: int
    seconds: float
    examples_per_second: float
    busy: float
    """As in `Reading`, over all steps."""
    memory: float
    """The most that was taken, MiB."""
    losses: dict[str, float]
    """Of the last steps."""
    marks: dict[str, float]
    tried: Score | None = None
    """On examples that it did not learn from, where there are any."""


class Diverged(MereoError, ArithmeticError):
    """What is to become small is no number any more: says at which step, and on which examples."""

    def __init__(self, reason: str, *, step: int, examples: list[str]):
        self.step, self.examples = step, examples
        more = f" and {len(examples) - _NAMED} more" if len(examples) > _NAMED else ""
        super().__init__(f"learning broke at step {step}: {reason}, on {', '.join(examples[:_NAMED])}{more}")


def ignore(progress: Progress) -> None:
    """Tell nobody."""


class Course:
    """A network, what it learns from, and how far it has come."""

    def __init__(
        self,
        network: Learner,
        source: Source,
        pace: Pace,
        order: Order,
        *,
        keeping: Keeping | None = None,
        tried: Source | None = None,
        progress: Callable[[Progress], None] = ignore,
    ):
        self.network, self.source, self.pace, self.order = network, source, pace, order
        self.keeping, self.progress = keeping, progress
        self.tried = tried if tried is not None and len(tried) else None
        self.device = order.device
        self.watch = Watch()
        self.step = 0
        self.steps = max(1, round(pace.passes * order.steps_in_pass))
        if pace.steps:
            self.steps = min(self.steps, pace.steps)
        self.work: float | None = None
        """Seconds that a GPU reckons for each step."""
        self.last_try: Score | None = None
        self._start_afresh()

    def _start_afresh(self) -> None:
        decay = self.pace.average
        self.descent = Descent(self.network, self.pace)
        self.average = Average(self.network, decay=decay) if decay is not None else None
        self.tally = Tally()

    def begin(self, *, minutes: float | None, steps: int | None) -> None:
        """Settle how many steps there are, or go on where somebody was stopped."""
        state = self.keeping.begun() if self.keeping is not None else None
        if state is not None:
            self._resume(state)
            return
        if steps is not None:
            self.steps = min(self.steps, steps)
        if minutes is not None:
            self.steps = min(self.steps, self._steps_in(60 * minutes))
        elif self.device.type == "cuda":
            self._steps_in(None)
        if self.keeping is not None:
            self.keeping.keep(self._state())

    def _steps_in(self, seconds: float | None) -> int:
        """How many steps fit into a time; some are made to find out, and the network is as before."""
        before = {name: one.clone() for name, one in self.network.state_dict().items()}
        self.network.train()
        timing = measure(self._learn, device=self.device, seconds=seconds)
        self.network.load_state_dict(before)
        self._start_afresh()
        self.work = timing.work
        return timing.steps_in(seconds - self.watch.seconds) if seconds is not None else self.steps

    def run(self) -> Fitted:
        """All steps that are left."""
        if self.device.type == "cuda":
            torch.cuda.reset_peak_memory_stats(self.device)
        apart = max(1, min(_APART, self.steps // _LINES))
        reading = None
        self.network.train()
        self.watch.start()
        while self.step < self.steps:
            self._learn(self.step)
            self.step += 1
            self._keep_part()
            if self.step % apart == 0 or self.step == self.steps:
                reading = self._read()
                self._tell(reading)
                self.watch.start()
        assert reading is not None
        return self._finish(reading)

    def _learn(self, step: int) -> None:
        """One step. Nothing in it waits for the device."""
        with self.watch.making():
            chance = self.order.chance(step)
            batch = self.source.batch(self.order.places(step), chance=chance)
        with mixed(self.device):
            lesson = self.network.lesson(batch)
        torch.stack([loss.float() for loss in lesson.losses.values()]).sum().backward()
        gradient = self.descent.go(one_cycle(step, self.steps, pace=self.pace))
        if self.average is not None:
            self.average.follow(step)
        self.tally.add(lesson, gradient)

    def _keep_part(self) -> None:
        """Keep the weights where parts of the time end, but for the last, whose weights are kept anyway."""
        before, now = (step * self.pace.parts // self.steps for step in (self.step - 1, self.step))
        if self.keeping is not None:
            for number in range(before + 1, min(now + 1, self.pace.parts)):
                with self.average.in_place() if self.average is not None else nullcontext():
                    self.keeping.keep_part(number, self.network)

    def _read(self) -> Reading:
        """Read off what the steps since the last reading found."""
        first = self.step - len(self.tally)
        told = self.tally.read()
        if (broken := told.broken()) is not None:
            place, reason = broken
            names = [self.source.name(place) for place in self.order.places(first + place).tolist()]
            raise Diverged(reason, step=first + place, examples=names)
        lap, score = self.watch.stop(self.step - first), told.score()
        if self.tried is not None and self.step * _TRIES // self.steps > first * _TRIES // self.steps:
            self.last_try = tried = self._try(self.tried)
        else:
            tried = None
        return Reading(
            step=self.step,
            seconds=self.watch.seconds,
            rate=one_cycle(self.step - 1, self.steps, pace=self.pace),
            losses=score.losses,
            marks=score.marks,
            gradient=told.gradient(),
            examples_per_second=self.order.examples_in_step * lap.steps / lap.seconds,
            busy=lap.busy(self.work),
            memory=peak_memory(self.device) / 2**20,
            tried=tried,
        )

    def _try(self, source: Source) -> Score:
        """Losses and marks on examples that are not learned from, each time the same."""
        seed = seed_of(self.order.seed, "tried")
        order = Order(kinds_of(source), batch=self.pace.batch, seed=seed, device=self.device)
        batches = max(1, min(order.steps_in_pass, round(_TRIED / _TRIES * self.steps)))
        tally = Tally()
        self.network.eval()
        with self.average.in_place() if self.average is not None else nullcontext(), torch.no_grad():
            for number in range(batches):
                order.chance(number)
                with mixed(self.device):
                    tally.add(self.network.lesson(source.batch(order.places(number))))
        self.network.train()
        return tally.read().score()

    def _tell(self, reading: Reading) -> None:
        """Let others know, and write down where this stands if it is time."""
        if self.keeping is not None:
            self.keeping.note(reading)
            if self.keeping.is_due() and self.step < self.steps:
                self.keeping.keep(self._state())
                self.keeping.draw()
        self.progress(Progress(self.step, self.steps, reading))

    def _finish(self, reading: Reading) -> Fitted:
        if self.average is not None:
            self.average.settle()
        self.network.eval()
        laps = self.watch.laps
        fitted = Fitted(
            steps=self.steps,
            seconds=self.watch.seconds,
            examples_per_second=self.order.examples_in_step * laps.steps / laps.seconds,
            busy=laps.busy(self.work),
            memory=reading.memory,
            losses=reading.losses,
            marks=reading.marks,
            tried=self.last_try,
        )
        if self.keeping is not None:
            self.keeping.finish(self.network, msgspec.to_builtins(fitted))
        return fitted

    def _state(self) -> dict[str, Any]:
        """Where this stands, as plain values and tensors."""
        return {
            "step": self.step,
            "steps": self.steps,
            "work": self.work,
            "seconds": self.watch.seconds,
            "laps": list(self.watch.laps),
            "network": self.network.state_dict(),
            "adam": self.descent.adam.state_dict(),
            "average": self.average.state() if self.average is not None else None,
        }

    def _resume(self, state: dict[str, Any]) -> None:
        assert self.keeping is not None
        load_into(self.network, state["network"], file=self.keeping.folder / STATE)
        self.descent.adam.load_state_dict(state["adam"])
        if self.average is not None:
            self.average.load(state["average"])
        self.step, self.steps, self.work = state["step"], state["steps"], state["work"]
        self.watch = Watch(seconds=state["seconds"], laps=Lap(*state["laps"]))
