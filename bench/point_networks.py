"""What `bench/points.py --networks` measures: pyramids of clouds, and steps of the networks that look at them."""

from __future__ import annotations

import time
from argparse import Namespace

import msgspec
import torch
from torch import Tensor

from measure import spread
from mereo.models.kinds import Batch
from mereo.models.learner import parameters
from mereo.models.points.backbones import BACKBONES
from mereo.models.points.layers import Backbone
from mereo.models.points.pyramid import fields_of
from mereo.models.points.segmenting import PartLabels
from mereo.training.device import choose_device, wait_for
from mereo.training.loop import fit
from mereo.training.row import Pace
from tables import Row

PARTS = 39
"""As many as a chair has at its finest level."""


class Spheres:
    """A batch of clouds on spheres, labeled by chance: the same for every step, since only its size tells."""

    def __init__(self, backbone: Backbone, *, batch: int, points: int, device: torch.device):
        chance = torch.Generator().manual_seed(0)
        cloud = torch.nn.functional.normalize(torch.randn(batch, points, 3, generator=chance), dim=-1).to(device)
        label = torch.randint(0, PARTS + 1, (batch, points), generator=chance).to(device)
        self.fields: Batch = {"cloud": cloud, "label": label, **fields_of(cloud, backbone.rises, backbone.looks)}

    def __len__(self) -> int:
        return len(self.fields["cloud"])

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        return {name: values[places] for name, values in self.fields.items()}

    def name(self, place: int) -> str:
        return str(place)


def measured(given: Namespace) -> list[Row]:
    """The rows of both tables; the machine is said to have the GPU that they are of."""
    device = choose_device(given.device)
    if device.type == "cuda":
        given.machine = msgspec.structs.replace(given.machine, gpu=torch.cuda.get_device_name(device))
    width, batch, steps = (4, 2, 2) if given.quick else (64, given.batch, given.steps)
    pyramids, learned = [], []
    for name, kind in BACKBONES.items():
        torch.manual_seed(0)
        network = PartLabels(kind(width), parts=PARTS)
        source = Spheres(network.backbone, batch=batch, points=given.points, device=device)
        if network.backbone.rises or network.backbone.looks:
            pyramids.append(_pyramid(name, network.backbone, source, device, rounds=given.rounds))
        learned.append(_step(name, network, source, device, steps))
    return [*pyramids, *learned]


def _pyramid(name: str, backbone: Backbone, source: Spheres, device: torch.device, *, rounds: int) -> Row:
    """How long all pyramids of a batch take that was made once before."""
    cloud, spent = source.fields["cloud"], []
    for _ in range(rounds):
        wait_for(device)
        began = time.perf_counter()
        made = fields_of(cloud, backbone.rises, backbone.looks)
        wait_for(device)
        spent.append(1000 * (time.perf_counter() - began))
    size = sum(one.nbytes for one in made.values()) / len(cloud) / 2**20
    table = f"the pyramids of {len(cloud)} clouds of {cloud.shape[1]:,} points"
    return spread(name, spent, unit="ms", against="pointnet2", table=table, more={"MiB for a cloud": size})


def _step(name: str, network: PartLabels, source: Spheres, device: torch.device, steps: int) -> Row:
    """How long a step of learning takes whose pyramids are there."""
    fitted = fit(network, source, pace=Pace(batch=len(source), passes=1e6), steps=steps, seed=0, device=device)
    return Row(
        what=name,
        value=1000 * len(source) / fitted.examples_per_second,
        unit="ms",
        against="pointnet",
        table=f"a step with {len(source)} clouds",
        more={
            "clouds per s": fitted.examples_per_second,
            "busy, %": 100 * fitted.busy,
            "peak MiB": fitted.memory,
            "million weights": parameters(network) / 1e6,
        },
    )
