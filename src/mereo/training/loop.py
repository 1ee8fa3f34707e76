"""The one loop in which everything learns.

All of it is a function of the seed and the number of the step: which examples, how they are changed, what dropout
drops, the rate. So whoever is killed goes on where the last checkpoint stands and comes to the same losses. A time is
turned into a number of steps once, before the first. Nothing in a step waits for the device: what it found is read off
every few steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import torch

from mereo.errors import BadInput
from mereo.files import converted
from mereo.models.learner import Learner
from mereo.training.course import Course, Diverged, Fitted, Progress, ignore
from mereo.training.device import at_work
from mereo.training.fields import Source, kinds_of
from mereo.training.keeping import Keeping
from mereo.training.order import Order
from mereo.training.row import Pace

__all__ = ["Diverged", "Fitted", "Progress", "fit", "ignore"]


def fit(
    network: Learner,
    source: Source,
    *,
    pace: Pace,
    minutes: float | None = None,
    steps: int | None = None,
    seed: int,
    device: torch.device,
    folder: Path | None = None,
    tried: Source | None = None,
    progress: Callable[[Progress], None] = ignore,
) -> Fitted:
    """Have a network learn from examples: for a time, for so many steps, for all passes of its pace, what ends first.

    Afterwards the network is on the device, in the mode in which it answers, with averaged weights if there are any.

    folder : where a run that was stopped goes on, and one that is done is not made again
    tried : further examples, on which it is tried now and then
    """
    if not len(source):
        raise BadInput("there is nothing to learn from")
    network.to(device)
    order = Order(kinds_of(source), batch=pace.batch, seed=seed, device=device)
    settings = {**asdict(pace), "seed": seed, "examples": len(source), "minutes": minutes, "steps": steps}
    keeping = Keeping(folder, settings, device=device) if folder is not None else None
    if keeping is not None and (done := keeping.finished(network)) is not None:
        network.eval()
        return converted(done, file=folder, type=Fitted)
    with at_work(device, steady=network.steady), _enough_memory(device, order.batch):
        course = Course(network, source, pace, order, keeping=keeping, tried=tried, progress=progress)
        course.begin(minutes=minutes, steps=steps)
        return course.run()


@contextmanager
def _enough_memory(device: torch.device, batch: int) -> Iterator[None]:
    try:
        yield
    except torch.OutOfMemoryError:
        reason = f"the memory of {torch.cuda.get_device_name(device)} is too small for batches of {batch} examples"
        raise BadInput(f"{reason}: choose a smaller batch") from None
