"""A network and examples as small as can be, to learn with; run as a program it learns until somebody kills it.

    python tests/toy_learning.py FOLDER STEPS
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import torch
from torch import Tensor, nn

from mereo.models.kinds import Batch, Lesson
from mereo.models.learner import Learner
from mereo.training import keeping
from mereo.training.loop import fit
from mereo.training.row import Pace

PACE = Pace(batch=16, rate=0.02, average=0.95)


class Sides(Learner):
    """Tells on which side of a plane a point lies, with a norm and dropout on the way."""

    reads = ("point", "side")

    def __init__(self, *, width: int = 16, slow: float = 0.0):
        super().__init__()
        self.slow = slow
        self.net = nn.Sequential(
            nn.Linear(4, width), nn.BatchNorm1d(width), nn.GELU(), nn.Dropout(0.2), nn.Linear(width, 2)
        )

    def lesson(self, batch: Batch) -> Lesson:
        time.sleep(self.slow)
        said = self.net(batch["point"])
        right = (said.argmax(-1) == batch["side"]).float().mean()
        return Lesson({"side": nn.functional.cross_entropy(said, batch["side"])}, {"right": right})


class Points:
    """Points by chance, half of them on either side. broken : a place whose point is not a number"""

    def __init__(self, count: int = 200, *, seed: int = 0, broken: int | None = None):
        self.points = torch.randn(count, 4, generator=torch.Generator().manual_seed(seed))
        self.sides = (self.points[:, 0] + self.points[:, 1] > 0).long()
        if broken is not None:
            self.points[broken] = torch.nan
        self.asked: list[list[int]] = []

    def __len__(self) -> int:
        return len(self.points)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        self.asked.append(places.tolist())
        points = self.points[places]
        if chance is not None:
            points = points + 0.1 * torch.randn(points.shape, generator=chance)
        return {"point": points, "side": self.sides[places]}

    def name(self, place: int) -> str:
        return f"point-{place:03d}"


def new_network(*, width: int = 16, slow: float = 0.0) -> Sides:
    with torch.random.fork_rng([]):
        torch.manual_seed(0)
        return Sides(width=width, slow=slow)


def main() -> None:
    """Learn slowly, and write down where it stands after every reading."""
    torch.set_num_threads(1)
    keeping.SECONDS = 0.0
    keeping.SHARE = 1.0
    folder, steps = Path(sys.argv[1]), int(sys.argv[2])
    network = new_network(slow=0.004)
    fit(
        network, Points(), pace=PACE, steps=steps, seed=3, device=torch.device("cpu"), folder=folder, tried=Points(seed=1)
    )


if __name__ == "__main__":
    main()
