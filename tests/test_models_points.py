"""Networks for clouds of points: neighbors are the right ones, both networks learn, and rows train and answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mereo as workbench
from kit import complaint
from mereo.benchmarks.partnet.learning.rows import ROWS
from mereo.datasets.asked import load_questions

torch = pytest.importorskip("torch")

from torch import Generator, Tensor  # noqa: E402

from mereo.models.kinds import Batch  # noqa: E402
from mereo.models.points.backbones import Backbone, PointNet, PointNet2  # noqa: E402
from mereo.models.points.neighbors import between, farthest, gathered, in_ball, nearest  # noqa: E402
from mereo.models.points.pyramid import Rise, fields_of, floors_of, names_of  # noqa: E402
from mereo.models.points.segmenting import PartLabels  # noqa: E402
from mereo.training.loop import fit  # noqa: E402
from mereo.training.row import Pace  # noqa: E402
from mereo.workbench.learning import train  # noqa: E402

CPU = torch.device("cpu")
SMALL = (Rise(24, 0.5, 8), Rise(6, 1.0, 8))


def cloud(count: int = 40, *, clouds: int = 2, seed: int = 0) -> Tensor:
    points: Tensor = torch.rand(clouds, count, 3, generator=torch.Generator().manual_seed(seed)) * 2 - 1
    return points


# Neighbors


def test_farthest_points_are_chosen_one_by_one() -> None:
    points = cloud()
    chosen = farthest(points, 12)
    for own, places in zip(points.numpy(), chosen.numpy(), strict=True):
        for k in range(1, 12):
            away = np.linalg.norm(own[:, None] - own[places[:k]][None], axis=-1).min(1)
            assert away[places[k]] == pytest.approx(away.max())
    assert (farthest(points, 40).sort(1).values == torch.arange(40)).all()


def test_the_nearest_are_the_nearest() -> None:
    points, centers = cloud(), cloud(7, seed=1)
    found = nearest(points, centers, 5)
    away = np.linalg.norm(centers.numpy()[:, :, None] - points.numpy()[:, None], axis=-1)
    assert (found.numpy() == np.argsort(away, -1)[..., :5]).all()


def test_a_ball_holds_the_first_points_within_its_radius_and_repeats_the_first() -> None:
    points = cloud()
    centers = points[:, :9]
    found = in_ball(points, centers, 0.6, 6).numpy()
    away = np.linalg.norm(centers.numpy()[:, :, None] - points.numpy()[:, None], axis=-1)
    for b, m in np.ndindex(2, 9):
        inside = np.flatnonzero(away[b, m] <= 0.6)
        assert found[b, m].tolist() == [*inside[:6], *[inside[0]] * (6 - len(inside[:6]))]
    assert in_ball(points, centers, 9.0, 50).shape == (2, 9, 50)


def test_features_are_carried_over_by_the_nearer_the_more() -> None:
    centers = cloud(8)
    same = between(centers, centers)
    values = torch.randn(2, 8, 4)
    carried = (gathered(values, same.places) * same.shares[..., None]).sum(2)
    assert torch.allclose(carried, values, atol=1e-4)
    found = between(cloud(20, seed=3), centers)
    assert torch.allclose(found.shares.sum(-1), torch.ones(2, 20))
    assert (found.shares[..., 0] >= found.shares[..., 2]).all()


def test_a_pyramid_is_the_same_for_a_shape_alone_and_among_others() -> None:
    points = cloud(60, clouds=3)
    whole = fields_of(points, SMALL)
    assert set(whole) == set(names_of(SMALL))
    for k in range(3):
        alone = fields_of(points[k : k + 1], SMALL)
        assert all(torch.equal(alone[name][0], whole[name][k]) for name in whole)
    first, second = floors_of(whole, SMALL)
    assert first.centers.shape == (3, 24)
    assert second.around.shape == (3, 6, 8)
    assert first.back.places.shape == (3, 60, 3)
    assert second.back.places.shape == (3, 24, 3)


# Learning


class Dumbbells:
    """Clouds of two equal balls with a knob beside one of them: 1 that ball, 2 the other, 3 the knob.

    Which ball is which no point can tell by itself. Some points are unlabeled.
    """

    def __init__(self, count: int, *, seed: int, points: int = 96):
        chance = torch.Generator().manual_seed(seed)
        kind = torch.arange(points).expand(count, -1) % 3
        side = torch.where(torch.rand(count, 1, generator=chance) < 0.5, 1.0, -1.0)
        middle = torch.zeros(count, points, 3)
        middle[..., 0] = side * torch.tensor([0.6, -0.6, 0.3])[kind]
        middle[..., 1] = torch.tensor([0.0, 0.0, 0.7])[kind]
        radius = torch.tensor([0.3, 0.3, 0.1])[kind]
        away = torch.nn.functional.normalize(torch.randn(count, points, 3, generator=chance), dim=-1)
        self.cloud = middle + radius[..., None] * away
        self.label = kind + 1
        self.label[:, ::16] = 0
        self.fields: Batch = {"cloud": self.cloud, "label": self.label, **fields_of(self.cloud, SMALL)}

    def __len__(self) -> int:
        return len(self.cloud)

    def batch(self, places: Tensor, *, chance: Generator | None = None) -> Batch:
        return {name: value[places] for name, value in self.fields.items()}

    def name(self, place: int) -> str:
        return str(place)


def backbone(name: str, width: int = 8) -> Backbone:
    return PointNet2(width, SMALL) if name == "pointnet2" else PointNet(width)


def taught(name: str, *, seed: int = 0, steps: int) -> float:
    """The share of labeled points that are right in clouds that were not learned from."""
    torch.manual_seed(seed)
    network = PartLabels(backbone(name), parts=3, dropout=0.1)
    fit(
        network,
        Dumbbells(200, seed=seed),
        pace=Pace(batch=16, rate=5e-3, passes=1e6),
        steps=steps,
        seed=seed,
        device=CPU,
    )
    new = Dumbbells(60, seed=seed + 100)
    said = network.ask(new.batch(torch.arange(60))).argmax(-1) + 1
    known = new.label > 0
    return float((said == new.label)[known].float().mean())


@pytest.mark.parametrize(("name", "steps"), [("pointnet", 60), ("pointnet2", 200)])
def test_networks_learn_the_parts_of_toys(name: str, steps: int) -> None:
    assert taught(name, steps=steps) > 0.85  # two thirds are right for whoever sees single points


def test_unlabeled_points_teach_nothing() -> None:
    torch.manual_seed(0)
    network = PartLabels(PointNet(8), parts=3).eval()
    toy = Dumbbells(4, seed=1)
    batch = toy.batch(torch.arange(4))
    changed = {**batch, "label": batch["label"].clone()}
    before = network.lesson(batch)
    changed["label"][:, 1::2] = 0
    assert network.lesson(changed).losses["label"] != before.losses["label"]
    changed["label"][:] = 0
    assert network.lesson(changed).losses["label"] == 0


def test_the_order_of_points_does_not_matter_to_pointnet() -> None:
    torch.manual_seed(0)
    network = PartLabels(PointNet(8), parts=3).eval()
    toy, order = Dumbbells(2, seed=1), torch.randperm(96)
    turned = {"cloud": toy.cloud[:, order]}
    assert torch.allclose(network.ask(turned), network.ask({"cloud": toy.cloud})[:, order], atol=1e-5)


# Rows


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("points") / "set"
    chosen: dict[str, Any] = {"split": "train=8,test=4", "categories": "mug,bag", "points": 128}
    return workbench.build("partnet", place, **chosen).folder


@pytest.mark.parametrize("row", [row.name for row in ROWS])
def test_rows_learn_one_category_and_level_and_answer_about_it(row: str, dataset: Path, tmp_path: Path) -> None:
    chosen: dict[str, Any] = {"category": "mug", "level": 1, "width": 4, "passes": 5.0, "batch": 4}
    workbench.train(row, dataset, tmp_path / "run", device="cpu", **chosen)
    judged = workbench.predict(tmp_path / "run", dataset, device="cpu", name=row)
    asked = load_questions(dataset).words("subtype")
    said = [one for one in judged.predictions.given if one is not None]
    assert len(said) == 2
    assert asked.count("semantic mug-1") == 6
    table = next(table for table in judged.result.tables if table.name == "semantic segmentation")
    assert [(line.group, line.name) for line in table.rows] == [
        ("", "average"),
        ("", "average of level 1"),
        ("mug", "level 1"),
    ]
    assert 0 <= table.rows[0].scores["part"].value <= 1


def test_what_a_dataset_lacks_is_told_before_anything_is_learned(dataset: Path, tmp_path: Path) -> None:
    worded = complaint(lambda: train("blind", dataset, tmp_path / "blind", device="cpu"))
    assert worded == f"{dataset}: has no answers in words, which row blind needs"

    def told(**choices: object) -> str:
        return (
            complaint(lambda: train("pointnet", dataset, tmp_path / str(choices), device="cpu", choices=choices)) or ""
        )

    assert "there is no category in this dataset named 'chair'" in told(category="chair")
    assert "there is no level of segmentation '2'" in told(category="mug", level=2)
