"""Networks for clouds of points: neighbors are the right ones, every network learns, and rows train and answer."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mereo as workbench
from kit import complaint
from mereo.benchmarks.benchmark import inspector_of
from mereo.benchmarks.partnet.learning.all_row import ALL_ROWS
from mereo.benchmarks.partnet.learning.rows import ROWS
from mereo.benchmarks.partnet.names import AskedSet
from mereo.datasets.asked import load_questions
from mereo.datasets.store import open_dataset

torch = pytest.importorskip("torch")

from torch import Generator, Tensor  # noqa: E402

from mereo.benchmarks.partnet.learning.all_source import AllShapesSource  # noqa: E402
from mereo.models.kinds import Batch  # noqa: E402
from mereo.models.points.all_parts import AllPartLabels  # noqa: E402
from mereo.models.points.backbones import BACKBONES, Backbone, PointNet, PointNet2  # noqa: E402
from mereo.models.points.curves import codes_of, orders_of  # noqa: E402
from mereo.models.points.layers import Shared  # noqa: E402
from mereo.models.points.neighbors import between, farthest, gathered, in_ball, nearest, spread_out  # noqa: E402
from mereo.models.points.pointcnn import PointCNN, Step  # noqa: E402
from mereo.models.points.pyramid import Look, Rise, fields_of, floors_of, names_of, places_of  # noqa: E402
from mereo.models.points.segmenting import Labels, PartLabels  # noqa: E402
from mereo.models.points.spider import SpiderCNN  # noqa: E402
from mereo.models.points.tokens import PointTokens  # noqa: E402
from mereo.models.points.transformer import PointTransformer, highest_in_runs  # noqa: E402
from mereo.training.corpus import Corpus  # noqa: E402
from mereo.training.loop import fit  # noqa: E402
from mereo.training.row import Pace  # noqa: E402
from mereo.workbench.learning import train  # noqa: E402

CPU = torch.device("cpu")
SMALL = (Rise(24, 0.5, 8), Rise(6, 1.0, 8))
STEPS = (Step(24, (8, 2), (6, 2), 1), Step(6, (8, 2), (4, 1), 2))


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


def test_every_so_many_th_of_the_nearest_reaches_farther() -> None:
    points, centers = cloud(), cloud(7, seed=1)
    away = np.linalg.norm(centers.numpy()[:, :, None] - points.numpy()[:, None], axis=-1)
    order = np.argsort(away, -1)
    assert (spread_out(points, centers, 5, 3).numpy() == order[..., :15:3]).all()
    assert (spread_out(points, centers, 8, 9).numpy() == order[..., ::5]).all(), "72 are wanted, and there are 40"
    few = spread_out(points[:, :2], centers, 6, 2)
    assert few.sort(-1).values.equal(torch.tensor([0, 0, 0, 1, 1, 1]).expand(2, 7, 6)), "all there are, as evenly"


def test_neighbors_are_the_same_however_many_distances_are_held_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    points, centers = cloud(clouds=5), cloud(7, clouds=5, seed=1)
    whole = nearest(points, centers, 5)
    for most in (1, 3 * 40, 2 * 7 * 40):  # a center, three centers, and two clouds
        monkeypatch.setattr("mereo.models.points.neighbors._MOST", most)
        assert nearest(points, centers, 5).equal(whole)


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


def test_looks_are_made_with_the_pyramid_and_lead_from_floor_to_floor() -> None:
    points = cloud(60, clouds=3)
    rises, looks = (Rise(24), Rise(6)), (Look(0, 0, 4), Look(2, 1, 3, 2), Look(0, 1, 5))
    fields = fields_of(points, rises, looks)
    assert set(fields) == set(names_of(rises, looks)), "neither balls nor ways back, which nobody asked for"
    floors = places_of({"cloud": points, **fields}, rises)
    assert [floor.shape[1] for floor in floors] == [60, 24, 6]
    for look in looks:
        away = (gathered(floors[look.at], fields[look.name]) - floors[look.of][:, :, None]).norm(dim=-1)
        every = (floors[look.of][:, :, None] - floors[look.at][:, None]).norm(dim=-1).sort().values
        assert torch.allclose(away, every[..., : look.seen * look.every : look.every])
    assert fields[looks[0].name][..., 0].equal(torch.arange(60, dtype=torch.int32).expand(3, -1)), "first itself"


def carried_along(fields: Batch, order: Tensor) -> Batch:
    """The same clouds and pyramids with their points in another order. order : (n,)"""
    rank = order.argsort().int()
    turned = dict(fields)
    for name, value in fields.items():
        if name in ("floor_0_centers", "floor_0_around") or "_at_0_" in name:
            turned[name] = rank[value.long()]
        if name in ("cloud", "label", "floor_0_back", "floor_0_shares") or name.startswith("look_0_"):
            turned[name] = turned[name][:, order]
    return turned


# Learning


class Dumbbells:
    """Clouds of two equal balls with a knob beside one of them: 1 that ball, 2 the other, 3 the knob.

    Which ball is which no point can tell by itself. Some points are unlabeled.
    """

    def __init__(
        self, count: int, *, seed: int, points: int = 96, rises: Sequence[Rise] = SMALL, looks: Sequence[Look] = ()
    ):
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
        self.fields: Batch = {"cloud": self.cloud, "label": self.label, **fields_of(self.cloud, rises, looks)}

    def __len__(self) -> int:
        return len(self.cloud)

    def batch(self, places: Tensor, *, chance: Generator | None = None) -> Batch:
        return {name: value[places] for name, value in self.fields.items()}

    def name(self, place: int) -> str:
        return str(place)


def dumbbells(count: int, network: PartLabels, *, seed: int) -> Dumbbells:
    """With the pyramids that a network looks at."""
    return Dumbbells(count, seed=seed, rises=network.backbone.rises, looks=network.backbone.looks)


def backbone(name: str, width: int = 8) -> Backbone:
    made: dict[str, Callable[[], Backbone]] = {
        "pointnet": lambda: PointNet(width),
        "pointnet2": lambda: PointNet2(width, SMALL),
        "spidercnn": lambda: SpiderCNN(width, 8),
        "pointcnn": lambda: PointCNN(width // 2, STEPS),
        "ptv3": lambda: PointTransformer(2 * width, window=32, depths=(1, 2)),
        "tokens": lambda: PointTokens(2 * width, depth=2),
    }
    return made[name]()


def taught(name: str, *, seed: int = 0, steps: int, rate: float) -> float:
    """The share of labeled points that are right in clouds that were not learned from."""
    torch.manual_seed(seed)
    network = PartLabels(backbone(name), parts=3, dropout=0.1)
    toy = dumbbells(200, network, seed=seed)
    fit(network, toy, pace=Pace(batch=16, rate=rate, passes=1e6), steps=steps, seed=seed, device=CPU)
    new = dumbbells(60, network, seed=seed + 100)
    said = network.ask(new.batch(torch.arange(60))).argmax(-1) + 1
    known = new.label > 0
    return float((said == new.label)[known].float().mean())


LESSONS = {
    "pointnet": (60, 5e-3),
    "pointnet2": (200, 5e-3),
    "spidercnn": (150, 1e-2),
    "pointcnn": (80, 5e-3),
    "ptv3": (60, 5e-3),
    "tokens": (60, 5e-3),
}
"""By backbone how many steps it takes to learn, and at which rate."""


@pytest.mark.parametrize("name", BACKBONES)
def test_networks_learn_the_parts_of_toys(name: str) -> None:
    steps, rate = LESSONS[name]
    assert taught(name, steps=steps, rate=rate) > 0.85  # two thirds are right for whoever sees single points


def test_unlabeled_points_teach_nothing() -> None:
    torch.manual_seed(0)
    network = PartLabels(PointNet(8), parts=3).eval()
    toy = dumbbells(4, network, seed=1)
    batch = toy.batch(torch.arange(4))
    changed = {**batch, "label": batch["label"].clone()}
    before = network.lesson(batch)
    changed["label"][:, 1::2] = 0
    assert network.lesson(changed).losses["label"] != before.losses["label"]
    changed["label"][:] = 0
    assert network.lesson(changed).losses["label"] == 0


class Sure(Labels):
    """Tells what it is given to tell."""

    covering = True

    def told(self, batch: Batch) -> tuple[Tensor, Tensor]:
        return batch["likely"].log(), torch.zeros(())

    def true(self, batch: Batch) -> Tensor:
        return batch["label"]


def test_parts_are_covered_as_far_as_their_points_are_likely_to_be_theirs() -> None:
    likely = torch.tensor([[[0.5, 0.3, 0.2], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.25, 0.25, 0.5]]])
    label = torch.tensor([[1, 1, 2, 0]])  # a third part is nowhere, and of the last point nobody knows anything
    missed = Sure().lesson({"likely": likely, "label": label}).losses["missed"]
    assert missed.item() == pytest.approx(1 - (1.5 / 2 + 1.0 / 1.3) / 2)
    assert Sure().lesson({"likely": likely, "label": 0 * label}).losses["missed"] == 0


@pytest.mark.parametrize("name", BACKBONES)
def test_points_in_another_order_are_told_the_same_where_their_pyramid_is(name: str) -> None:
    torch.manual_seed(0)
    network = PartLabels(backbone(name), parts=3).eval()
    fields = dumbbells(2, network, seed=1).fields
    order = torch.randperm(96)
    assert torch.allclose(network.ask(carried_along(fields, order)), network.ask(fields)[:, order], atol=1e-4)


@pytest.mark.parametrize("name", ["pointnet", "spidercnn", "ptv3"])
def test_without_farthest_points_the_order_of_points_does_not_matter_at_all(name: str) -> None:
    torch.manual_seed(0)
    network = PartLabels(backbone(name), parts=3).eval()
    looked, points, order = network.backbone, cloud(96), torch.randperm(96)

    def told(own: Tensor) -> Tensor:
        return network.ask({"cloud": own, **fields_of(own, looked.rises, looked.looks)})

    assert torch.allclose(told(points[:, order]), told(points)[:, order], atol=1e-4)


@pytest.mark.parametrize("name", BACKBONES)
def test_a_cloud_is_seen_as_it_is_alone_and_among_others(name: str) -> None:
    torch.manual_seed(0)
    network = PartLabels(backbone(name), parts=3).eval()
    toy = dumbbells(3, network, seed=2)
    whole = network.ask(toy.batch(torch.arange(3)))
    assert torch.allclose(network.ask(toy.batch(torch.tensor([1])))[0], whole[1], atol=1e-4)


@pytest.mark.parametrize("name", BACKBONES)
def test_few_points_and_points_in_one_place_are_seen_all_the_same(name: str) -> None:
    torch.manual_seed(0)
    network = BACKBONES[name](1)
    for points in (cloud(1), cloud(3), torch.zeros(2, 3, 3)):
        cells, _ = network({"cloud": points, **fields_of(points, network.rises, network.looks)})
        assert cells.shape == (2, points.shape[1], network.channels)
        assert cells.isfinite().all()


# One network for all


class Kinds(Dumbbells):
    """Dumbbells of two categories: the second has its labels the other way round, and at its other level only two."""

    def __init__(self, count: int, *, seed: int, network: AllPartLabels):
        super().__init__(count, seed=seed, rises=network.backbone.rises, looks=network.backbone.looks)
        category = torch.arange(count) % 2
        second = torch.where(self.label > 0, 4 - self.label, 0)
        coarse = torch.where(self.label > 0, 1 + (self.label == 3).long(), 0)
        label = torch.where(category[:, None] == 1, second, self.label)
        other = torch.where(category[:, None] == 1, coarse, 0)
        labels = torch.stack([label, other], 1).to(torch.uint8)
        del self.fields["label"]
        self.fields |= {"category": category, "labels": labels}


ALL_BACKBONES: dict[str, Callable[[], Backbone]] = {
    "ptv3": lambda: PointTransformer(16, window=32, depths=(1, 2), kinds=2),
    "tokens": lambda: PointTokens(16, depth=2, kinds=2),
}


@pytest.fixture(params=ALL_BACKBONES)
def all_network(request: pytest.FixtureRequest) -> AllPartLabels:
    torch.manual_seed(0)
    return AllPartLabels(ALL_BACKBONES[request.param](), [[3, 0], [3, 2]], dropout=0.1)


def test_all_that_it_learns_by_can_be_compiled_in_one_piece(all_network: AllPartLabels) -> None:
    network, batch = all_network, Kinds(4, seed=1, network=all_network).fields
    whole = torch.compile(network.judged, fullgraph=True, dynamic=False, backend="eager")
    for seed in range(2):
        torch.manual_seed(seed)
        told = whole(batch)
        torch.manual_seed(seed)
        assert told == network.judged(batch)


@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # by PyTorch's own compiler
@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no compiler of C++")
def test_what_is_highest_in_runs_of_points_is_learned_by_compiled_code_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    torch.manual_seed(0)
    layers, orders = Shared(16, 32, bent=torch.nn.GELU), orders_of(codes_of(2 * torch.rand(4, 600, 3) - 1))
    cells = torch.randn(4, 600, 16)

    def loss(cells: Tensor) -> Tensor:
        return highest_in_runs(layers(cells), orders).float().square().mean()

    gradients = []
    for judged in (loss, torch.compile(loss, dynamic=False)):
        layers.zero_grad()
        with torch.autocast("cpu", torch.bfloat16):
            judged(cells).backward()
        gradients.append([one.grad.clone() for one in layers.parameters() if one.grad is not None])
    for own, compiled in zip(*gradients, strict=True):
        assert torch.allclose(own, compiled, atol=1e-2 * float(own.abs().max()))


def test_one_network_learns_what_each_category_calls_its_parts_at_each_level(all_network: AllPartLabels) -> None:
    network = all_network
    toy = Kinds(200, seed=0, network=network)
    fit(network, toy, pace=Pace(batch=16, rate=5e-3, passes=1e6), steps=100, seed=0, device=CPU)
    new = Kinds(60, seed=100, network=network)
    batch = new.batch(torch.arange(60))
    told = network.ask(batch)
    labels = batch["labels"].transpose(1, 2).long()
    for category, level in ((0, 0), (1, 0), (1, 1)):
        own, known = (batch["category"] == category), labels[..., level] > 0
        right = (told.argmax(-1) + 1 == labels)[..., level][own][known[own]]
        assert right.float().mean() > 0.85, (category, level)


def test_parts_that_a_category_lacks_are_never_told_and_teach_nothing(all_network: AllPartLabels) -> None:
    network = all_network.eval()
    batch = Kinds(4, seed=1, network=network).batch(torch.arange(4))
    told = network.ask(batch)
    assert told.shape == (4, 96, 2, 3)
    assert (told[1::2, :, 1, 2] == 0).all(), "the second level tells two parts apart"
    assert torch.allclose(told.sum(-1), torch.ones(()))
    network.lesson(batch).losses["label"].backward()
    assert network.heads.grad is not None
    assert (network.heads.grad[0, 1] == 0).all(), "the first category has no second level"
    assert (network.heads.grad[1, 0] != 0).any()
    nothing = {**batch, "labels": torch.zeros_like(batch["labels"])}
    assert network.lesson(nothing).losses["label"] == 0


# Rows


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("points") / "set"
    chosen: dict[str, Any] = {"split": "train=8,test=4", "categories": "mug,bag", "points": 128}
    return workbench.build("partnet", place, **chosen).folder


@pytest.mark.parametrize("row", [row.name for row in ROWS if "category" in row.choices])
def test_rows_learn_one_category_and_level_and_answer_about_it(row: str, dataset: Path, tmp_path: Path) -> None:
    chosen: dict[str, Any] = {"category": "mug", "level": 1, "width": 4, "passes": 2.0, "batch": 4}
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


@pytest.mark.parametrize("row", [row.name for row in ALL_ROWS])
def test_one_row_learns_all_categories_and_levels_and_answers_about_them(
    row: str, dataset: Path, tmp_path: Path
) -> None:
    chosen: dict[str, Any] = {"width": 4, "passes": 2.0, "batch": 4}
    workbench.train(row, dataset, tmp_path / "run", device="cpu", **chosen)
    judged = workbench.predict(tmp_path / "run", dataset, device="cpu", name=row)
    asked = load_questions(dataset)
    there = [kind for kind, split in zip(asked.words("type"), asked.words("split"), strict=True) if split == "test"]
    assert [one is not None for one in judged.predictions.given] == [kind == "semantic" for kind in there]
    table = next(table for table in judged.result.tables if table.name == "semantic segmentation")
    assert [(line.group, line.name) for line in table.rows[2:]] == [("bag", "level 1"), ("mug", "level 1")]


def test_a_dataset_with_other_parts_or_categories_than_the_network_is_refused(dataset: Path) -> None:
    corpus = Corpus(dataset, inspector_of(open_dataset(dataset)), CPU)
    every = {AskedSet("semantic", "bag", 1): ["bag/bag_body"], AskedSet("semantic", "mug", 1): ["mug/body"]}
    assert complaint(lambda: AllShapesSource(corpus, "train", every, PointTokens(4))) == (
        f"{dataset}: tells apart other parts of mug than its template"
    )
    del every[AskedSet("semantic", "mug", 1)]
    assert "there is no category with a template named 'mug'" in (
        complaint(lambda: AllShapesSource(corpus, "train", every, PointTokens(4))) or ""
    )


def test_what_a_dataset_lacks_is_told_before_anything_is_learned(dataset: Path, tmp_path: Path) -> None:
    worded = complaint(lambda: train("blind", dataset, tmp_path / "blind", device="cpu"))
    assert worded == f"{dataset}: has no answers in words, which row blind needs"

    def told(**choices: object) -> str:
        return (
            complaint(lambda: train("pointnet", dataset, tmp_path / str(choices), device="cpu", choices=choices)) or ""
        )

    assert "there is no category in this dataset named 'chair'" in told(category="chair")
    assert "there is no level of segmentation '2'" in told(category="mug", level=2)
