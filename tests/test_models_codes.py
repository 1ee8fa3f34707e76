"""Codes of shapes: the distance that is learned by, an auto-encoder that learns toys, and the row with its picture."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mereo as workbench
from kit import CommandLine, complaint

torch = pytest.importorskip("torch")

from torch import Generator, Tensor  # noqa: E402

from mereo.benchmarks.partnet.learning.embedding import Embedded, apart, neighbors_alike  # noqa: E402
from mereo.models.kinds import Batch  # noqa: E402
from mereo.models.points.encoding import ShapeCodes, chamfer  # noqa: E402
from mereo.shapes.variety import chamfer as plain_chamfer  # noqa: E402
from mereo.training.loop import fit  # noqa: E402
from mereo.training.row import Pace  # noqa: E402

CPU = torch.device("cpu")


def test_the_distance_is_that_of_shapes_by_plain_numpy_and_can_be_descended() -> None:
    chance = torch.Generator().manual_seed(0)
    clouds, others = torch.rand(3, 40, 3, generator=chance), torch.rand(3, 25, 3, generator=chance)
    found = chamfer(clouds, others)
    for one, other, away in zip(clouds.numpy(), others.numpy(), found.tolist(), strict=True):
        assert away == pytest.approx(float(plain_chamfer(one, [other])[0]), rel=1e-4)
    moved = others.clone().requires_grad_()
    chamfer(clouds, moved).sum().backward()
    assert moved.grad is not None
    assert (chamfer(clouds, others - 0.05 * moved.grad) < found).all()
    same = clouds.clone().requires_grad_()
    chamfer(clouds, same).sum().backward()
    assert same.grad is not None
    assert torch.isfinite(same.grad).all()


class Rods:
    """Clouds along one of three axes, each of another length and thickness."""

    def __init__(self, count: int, *, seed: int, points: int = 64):
        chance = torch.Generator().manual_seed(seed)
        self.axis = torch.arange(count) % 3
        across = 0.1 + 0.1 * torch.rand(count, 1, 1, generator=chance)
        sizes = across.repeat(1, 1, 3)
        sizes[torch.arange(count), 0, self.axis] = 0.6 + 0.4 * torch.rand(count, generator=chance)
        self.cloud = sizes * (2 * torch.rand(count, points, 3, generator=chance) - 1)

    def __len__(self) -> int:
        return len(self.cloud)

    def batch(self, places: Tensor, *, chance: Generator | None = None) -> Batch:
        return {"cloud": self.cloud[places]}

    def name(self, place: int) -> str:
        return str(place)


def test_an_auto_encoder_makes_toys_again_and_its_codes_tell_them_apart() -> None:
    torch.manual_seed(0)
    network = ShapeCodes(width=8, code=8, points=64)
    rods, pace = Rods(120, seed=1), Pace(batch=24, rate=5e-3, decay=0.0, passes=1e6)
    fit(network, rods, pace=pace, steps=150, seed=0, device=CPU)
    new = Rods(60, seed=2)
    codes = network.ask({"cloud": new.cloud})
    with torch.inference_mode():
        made = chamfer(new.cloud, network.decoded(codes)).mean()
        others = chamfer(new.cloud, new.cloud.roll(1, 0)).mean()
    assert made < others / 3  # whoever learns nothing of a rod is as far away as another rod
    away = torch.cdist(codes, codes).fill_diagonal_(torch.inf)
    assert (new.axis[away.argmin(1)] == new.axis).float().mean() > 0.95


def test_the_order_of_points_does_not_matter_to_a_code() -> None:
    torch.manual_seed(0)
    network = ShapeCodes(width=4, code=5, points=16).eval()
    cloud = Rods(3, seed=1).cloud
    assert torch.allclose(network.ask({"cloud": cloud}), network.ask({"cloud": cloud.flip(1)}), atol=1e-6)
    assert network.decoded(network.encoded(cloud)).shape == (3, 16, 3)


# The row and its picture

SMALL: dict[str, Any] = {"category": "all", "width": 4, "code": 6, "points": 64, "passes": 8.0, "batch": 8}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("codes") / "set"
    chosen: dict[str, Any] = {"split": "train=12,val=8,test=2", "categories": "mug,knife", "points": 80}
    return workbench.build("partnet", place, **chosen).folder


@pytest.fixture(scope="module")
def run(dataset: Path) -> Path:
    return workbench.train("shape_codes", dataset, dataset.with_name("run"), device="cpu", **SMALL).folder


def test_shapes_are_drawn_where_their_codes_put_them(
    mereo: CommandLine, run: Path, dataset: Path, tmp_path: Path
) -> None:
    out = tmp_path / "shapes.svg"
    told = mereo("embed-shapes", run, dataset, out).out
    assert "10 shapes; " in told
    assert "stand nearest to one of their category" in told
    drawn = ET.parse(out).getroot()
    titles = [one.text for one in drawn.iter("{http://www.w3.org/2000/svg}title")]
    with out.with_suffix(".csv").open() as file:
        rows = list(csv.DictReader(file))
    assert titles == [f"{row['scene']}: {row['category']}" for row in rows]
    assert [row["category"] for row in rows[:2]] == ["mug", "knife"]
    assert np.isfinite([(float(row["x"]), float(row["y"])) for row in rows]).all()
    assert "8 shapes" in mereo("embed-shapes", run, dataset, out, "--split", "val").out


def test_neighbors_are_alike_if_the_nearest_is_of_the_same_category() -> None:
    codes = np.array([[0.0], [1.0], [5.0], [5.5], [6.1]], np.float32)
    embedded = Embedded(["a"] * 5, ["mug", "mug", "mug", "knife", "knife"], codes, np.zeros((5, 2)), [])
    assert neighbors_alike(embedded) == 3 / 5


def test_shapes_that_would_cover_each_other_are_moved_apart_and_others_stay() -> None:
    places = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [90.0, 90.0]])
    moved = apart(places, 10.0)
    away = np.linalg.norm(moved[:, None] - moved[None], axis=-1)[np.triu_indices(4, 1)]
    assert away.min() > 9.9
    assert moved[3].tolist() == [90.0, 90.0]


def test_what_cannot_be_embedded_is_told_in_a_sentence(
    mereo: CommandLine, run: Path, dataset: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.svg"
    assert "must end in .svg" in mereo("embed-shapes", run, dataset, tmp_path / "out.png", code=2).err
    assert "there is no split 'dev'" in mereo("embed-shapes", run, dataset, out, "--split", "dev", code=2).err
    few = mereo("embed-shapes", run, dataset, out, "--split", "test", code=2).err
    assert "there are 2 vectors, and a picture of neighborhoods needs 4" in few
    told: dict[str, Any] = {"category": "mug", "level": 1, "width": 2, "passes": 1.0}
    other = workbench.train("pointnet", dataset, tmp_path / "other", device="cpu", **told).folder
    assert "which gives no codes" in mereo("embed-shapes", other, dataset, out, code=2).err
    assert "mereo embed-shapes draws what it learned" in mereo("predict", run, dataset, code=2).err
    said = complaint(lambda: workbench.train("shape_codes", dataset, tmp_path / "new", device="cpu", category="sofa"))
    assert "there is no category in this dataset named 'sofa'" in str(said)
    assert not out.exists()
