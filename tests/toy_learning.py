"""A network and examples as small as can be, to learn with; run as a program it learns in a process of its own.

python tests/toy_learning.py FOLDER
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn

from mereo.models.kinds import Batch, Lesson
from mereo.models.learner import Learner
from mereo.training import keeping
from mereo.training.loop import Fitted, Progress, fit, ignore
from mereo.training.row import Pace

CPU = torch.device("cpu")
PACE = Pace(batch=16, rate=0.02, average=0.95, passes=1e6)


class Sides(Learner):
    """Tells on which side of a plane a point lies, with a norm and dropout on the way."""

    reads = ("point", "side")

    def __init__(self, *, width: int = 16, before: Callable[[], None] = lambda: None):
        super().__init__()
        self.before = before
        self.net = nn.Sequential(
            nn.Linear(4, width), nn.BatchNorm1d(width), nn.GELU(), nn.Dropout(0.2), nn.Linear(width, 2)
        )

    def lesson(self, batch: Batch) -> Lesson:
        self.before()
        said = self.net(batch["point"])
        right = (said.argmax(-1) == batch["side"]).float().mean()
        return Lesson({"side": nn.functional.cross_entropy(said, batch["side"])}, {"right": right})


class Points:
    """Points by chance. broken : a place whose point is not a number"""

    def __init__(self, count: int = 200, *, seed: int = 0, broken: int | None = None):
        self.points = torch.randn(count, 4, generator=torch.Generator().manual_seed(seed))
        self.sides = (self.points[:, 0] + self.points[:, 1] > 0).long()
        if broken is not None:
            self.points[broken] = torch.nan
        self.asked: list[tuple[list[int], bool]] = []
        """The places of every batch, and whether they were to be changed."""

    def __len__(self) -> int:
        return len(self.points)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        self.asked.append((places.tolist(), chance is not None))
        points = self.points[places]
        if chance is not None:
            points = points + 0.1 * torch.randn(points.shape, generator=chance)
        return {"point": points, "side": self.sides[places]}

    def name(self, place: int) -> str:
        return f"point-{place:03d}"


def new_network(*, width: int = 16, before: Callable[[], None] = lambda: None) -> Sides:
    """Always with the same weights."""
    with torch.random.fork_rng([]):
        torch.manual_seed(0)
        return Sides(width=width, before=before)


def learn(
    folder: Path | None, *, steps: int = 100, slow: float = 0.0, progress: Callable[[Progress], None] = ignore
) -> Fitted:
    """What is to come out the same, whoever is killed meanwhile."""
    network = new_network(before=lambda: time.sleep(slow))
    points, others = Points(), Points(seed=1)
    return fit(
        network, points, pace=PACE, steps=steps, seed=3, device=CPU, folder=folder, tried=others, progress=progress
    )


def learning(folder: Path) -> subprocess.Popen[bytes]:
    """Starts to learn in a fresh process: where other things ran before, sums may come out with another last digit."""
    here = Path(__file__)
    paths = os.pathsep.join([str(here.parents[1] / "src"), str(here.parent)])
    return subprocess.Popen([sys.executable, here, folder], env={**os.environ, "PYTHONPATH": paths})


def main() -> None:
    """Learn slowly, so that there is time to kill this, and write down where it stands after every reading."""
    torch.set_num_threads(1)
    keeping.SECONDS, keeping.SHARE = 0.0, 1.0
    learn(Path(sys.argv[1]), slow=0.01)


if __name__ == "__main__":
    main()
