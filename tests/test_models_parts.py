"""Networks for hierarchies and instances: each step is what a plain loop says, and all of them learn."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import Tensor  # noqa: E402

from mereo.models.layers import Attention  # noqa: E402
from mereo.models.learner import Learner  # noqa: E402
from mereo.models.points.all_queries import AllMaskQueries  # noqa: E402
from mereo.models.points.each import OneEach  # noqa: E402
from mereo.models.points.hierarchy import BottomUp, TopDown, Tree, voted  # noqa: E402
from mereo.models.points.instances import point_kinds, relaxed_iou, true_parts  # noqa: E402
from mereo.models.points.mask_queries import MaskQueries, Queries, pairing_cost  # noqa: E402
from mereo.models.points.part_masks import PartMasks  # noqa: E402
from mereo.models.points.segmenting import PartLabels  # noqa: E402
from mereo.models.points.sgpn import SGPN, grouped, hinges, squared_apart  # noqa: E402
from mereo.models.referring.masks import mask_loss  # noqa: E402
from mereo.training.loop import fit  # noqa: E402
from mereo.training.row import Pace  # noqa: E402
from test_models_points import CPU, backbone  # noqa: E402
from toy_parts import PARENTS, Toys  # noqa: E402

DEEP = (-1, 0, 0, 1, 1, 3, 3, 2, 0)
"""A tree of nine nodes."""


def numbers(*shape: int, seed: int = 0) -> Tensor:
    made: Tensor = torch.randn(*shape, generator=torch.Generator().manual_seed(seed))
    return made


# Hierarchies


def way(node: int, parents: tuple[int, ...] = DEEP) -> set[int]:
    """The nodes from the root to one."""
    found = {node}
    while parents[node] >= 0:
        node = parents[node]
        found.add(node)
    return found


def walked(scores: list[float], stays: list[float] | None) -> int:
    at = 0
    while below := [node for node, parent in enumerate(DEEP) if parent == at]:
        best = max(below, key=lambda node: scores[node])
        if stays is not None and stays[at] >= scores[best]:
            break
        at = best
    return at


@pytest.mark.parametrize("stopping", [False, True])
def test_the_way_down_goes_by_the_best_node_below(stopping: bool) -> None:
    tree = Tree(DEEP)
    scores, stays = numbers(3, 50, 9), numbers(3, 50, 9, seed=1) if stopping else None
    found = tree.descend(scores, stays)
    for b, n in np.ndindex(3, 50):
        assert found[b, n] == walked(scores[b, n].tolist(), stays[b, n].tolist() if stays is not None else None)
    assert [set(np.flatnonzero(row)) for row in tree.ways.numpy()] == [way(node) for node in range(9)]
    assert tree.leaves == [4, 5, 6, 7, 8]


def test_bottom_up_what_is_above_sums_up_what_is_below() -> None:
    logits = numbers(1, 80, 9)
    found = BottomUp(backbone("pointnet"), DEEP).reached(logits)
    for ends, node in zip(logits[0].softmax(-1).tolist(), found[0].tolist(), strict=True):
        sums = [sum(ends[below] for below in range(9) if above in way(below)) for above in range(9)]
        assert sums[0] == pytest.approx(1)
        assert node == walked(sums, ends)
    assert {0, 1, 5} < set(found[0].tolist())  # some end early


def test_top_down_every_node_of_a_way_is_a_label() -> None:
    logits, node = numbers(2, 10, 9), torch.arange(20).view(2, 10) % 9
    network = TopDown(backbone("pointnet"), DEEP)
    surprise = network.surprise(logits, node)
    likely = logits.softmax(-1)
    for b, n in np.ndindex(2, 10):
        wanted = -sum(np.log(float(likely[b, n, one])) for one in way(int(node[b, n])))
        assert float(surprise[b, n]) == pytest.approx(wanted, abs=1e-4)
    assert set(network.reached(logits).flatten().tolist()) <= set(network.tree.leaves)


def test_networks_vote_by_the_mean_of_what_they_say_of_a_way() -> None:
    coarse, fine = numbers(1, 30, 2).softmax(-1), numbers(1, 30, 3, seed=1).softmax(-1)
    # Four ways: the third has no part of the coarse network, and the last none at all.
    ways = [[{0}, {1}, set(), set()], [{0}, {1, 2}, {2}, set()]]
    tables = [
        torch.tensor([[part in own for part in range(count)] for own in way])
        for way, count in zip(ways, (2, 3), strict=True)
    ]
    found = voted([coarse, fine], tables)
    for n in range(30):
        liked = []
        for number in range(3):
            votes = [
                np.log(sum(float(score[0, n, part]) for part in own[number]))
                for score, own in zip((coarse, fine), ways, strict=True)
                if own[number]
            ]
            liked.append(np.mean(votes))
        assert int(found[0, n]) == int(np.argmax(liked))


# Instances


def test_true_parts_are_those_that_points_name() -> None:
    batch = {"instance": torch.tensor([[0, 2, 1, 2], [1, 1, 0, 0]]), "part": torch.tensor([[4, 0], [3, -1]])}
    parts = true_parts(batch)
    assert parts.masks.tolist() == [[[0, 0, 1, 0], [0, 1, 0, 1]], [[1, 1, 0, 0], [0, 0, 0, 0]]]
    assert parts.present.tolist() == [[True, True], [True, False]]
    assert point_kinds(batch).tolist() == [[-1, 0, 4, 0], [3, 3, -1, -1]]


def test_relaxed_overlap_is_the_overlap_where_masks_are_whole() -> None:
    one, other = numbers(2, 5, 40) > 0, numbers(2, 3, 40, seed=1) > 0.5
    found = relaxed_iou(one.float(), other.float())
    for b, q, k in np.ndindex(2, 5, 3):
        both, either = (one[b, q] & other[b, k]).sum(), (one[b, q] | other[b, k]).sum()
        assert float(found[b, q, k]) == pytest.approx(float(both / either))


MAKERS: dict[str, Callable[[], PartMasks | SGPN | Queries]] = {
    "part_masks": lambda: PartMasks(backbone("pointnet2"), kinds=2, masks=6, dropout=0.1),
    "sgpn": lambda: SGPN(PartLabels(backbone("pointnet2"), parts=2, dropout=0.1), kinds=2),
    "mask_queries": lambda: MaskQueries(backbone("pointnet2"), kinds=2, queries=6, width=16, layers=2),
    "queries_all": lambda: AllMaskQueries(backbone("pointnet2"), counts=(3, 2), queries=8, width=16, layers=2),
}


@pytest.mark.parametrize("name", MAKERS)
def test_parts_are_told_in_no_order(name: str) -> None:
    torch.manual_seed(0)
    network, batch = MAKERS[name]().eval(), Toys(6, seed=1).all()
    turned = torch.tensor([0, 3, 1, 2])  # the first part becomes the third, and so on
    other = {**batch, "instance": turned[batch["instance"]], "part": batch["part"][:, [1, 2, 0]]}
    fewer = {**batch, "part": torch.nn.functional.pad(batch["part"], (0, 2), value=-1)}
    with torch.no_grad():
        losses, again, padded = (network.lesson(one).losses for one in (batch, other, fewer))
    for kind, loss in losses.items():
        assert float(again[kind]) == pytest.approx(float(loss), abs=1e-5)
        assert float(padded[kind]) == pytest.approx(float(loss), abs=1e-5)


@pytest.mark.filterwarnings("ignore:mkldnn_matmul failed")  # processors without bfloat16 say that they are slow
@pytest.mark.parametrize("name", MAKERS)
def test_half_of_the_digits_will_do_as_on_a_gpu(name: str) -> None:
    torch.manual_seed(0)
    network, batch = MAKERS[name](), Toys(6, seed=1).all()
    exact = network.lesson(batch).losses
    with torch.autocast("cpu", torch.bfloat16):
        losses = network.lesson(batch).losses
        network.eval().ask(batch)
    for kind, loss in losses.items():
        assert float(loss.detach()) == pytest.approx(float(exact[kind].detach()), rel=0.2, abs=0.05)


def test_masks_are_matched_by_what_their_loss_would_be() -> None:
    parts = true_parts({"instance": torch.tensor([[1, 1, 2, 0, 2, 2]]), "part": torch.tensor([[1, 0]])})
    kinds, masks = numbers(1, 4, 3), numbers(1, 4, 6, seed=1)
    cost = pairing_cost(kinds, masks, parts)
    for q, k in np.ndindex(4, 2):
        wrong = mask_loss(masks[:, q], parts.masks[:, k])
        named = kinds[0, q].softmax(-1)[parts.kind[0, k]]
        assert float(cost[0, q, k]) == pytest.approx(float(wrong - named), abs=1e-5)


def test_an_asker_may_look_at_what_others_may_not() -> None:
    torch.manual_seed(0)
    attention, askers, told = Attention(8, heads=2), numbers(2, 3, 8), numbers(2, 5, 8, seed=1)
    present = numbers(2, 3, 5, seed=2) > 0
    found = attention(askers, told, present)
    for k in range(3):
        assert torch.allclose(found[:, k], attention(askers, told, present[:, k])[:, k], atol=1e-6)


def test_points_of_two_parts_are_pushed_apart_by_their_kinds() -> None:
    cells, kind = numbers(1, 12, 4) / 2, torch.tensor([[0, 0, 0, 0, 1, 1, 1, 1, -1, -1, 0, 0]])
    number = torch.tensor([[1, 1, 2, 2, 3, 3, 3, 3, 0, 0, 1, 2]])
    apart = squared_apart(cells)
    assert torch.allclose(apart, torch.cdist(cells, cells).square(), atol=1e-5)
    together = (number[:, :, None] == number[:, None]) & (kind >= 0)[:, :, None]
    lost, pairs = 0.0, 0
    for i, j in np.ndindex(12, 12):
        if kind[0, i] >= 0 and kind[0, j] >= 0:
            away = float(apart[0, i, j])
            if number[0, i] == number[0, j]:
                lost += away
            elif kind[0, i] == kind[0, j]:
                lost += 2 * max(0.0, 1 - away)
            else:
                lost += max(0.0, 2 - away)
            pairs += 1
    assert pairs == 100
    assert float(hinges(apart, kind, together)) == pytest.approx(lost / pairs, abs=1e-5)


def test_groups_begin_with_the_surest_points() -> None:
    place = torch.tensor([0.0, 0.1, 0.2, 3.0, 3.1, 9.0])[:, None]
    sure, kind = torch.tensor([0.5, 0.9, 0.7, 0.6, 0.8, 0.01]), torch.tensor([1, 1, 0, 0, 0, 0])
    found = grouped(squared_apart(place[None])[0], sure, kind, torch.tensor([0.25, 0.25]))
    assert found.of.tolist() == [0, 0, 0, 1, 1, -1]  # nothing begins with a point that is not sure
    assert found.kind.tolist() == [1, 0]
    assert found.sure.tolist() == pytest.approx([0.7, 0.7])
    none = grouped(squared_apart(place[None])[0], sure * 0, kind, torch.tensor([0.25, 0.25]))
    assert none.of.tolist() == [-1] * 6
    assert len(none.kind) == len(none.sure) == 0


# Learning


def taught(network: Learner, *, steps: int) -> dict[str, float]:
    """The marks on clouds that were not learned from."""
    pace = Pace(batch=16, rate=5e-3, passes=1e6)
    fit(network, Toys(200, seed=0), pace=pace, steps=steps, seed=0, device=CPU)
    with torch.no_grad():
        return {name: float(mark) for name, mark in network.lesson(Toys(60, seed=100).all()).marks.items()}


@pytest.mark.filterwarnings("ignore:mkldnn_matmul failed")  # processors without bfloat16 say that they are slow
@pytest.mark.parametrize("kind", [BottomUp, TopDown])
def test_hierarchies_of_toys_are_learned(kind: type[BottomUp | TopDown]) -> None:
    torch.manual_seed(0)
    network = kind(backbone("pointnet2"), PARENTS, dropout=0.1)
    assert taught(network, steps=100)["nodes"] > 0.9  # whoever sees single points takes half of the balls for the other
    with torch.autocast("cpu", torch.bfloat16):
        told = network.ask(Toys(20, seed=100).all())
    assert told[..., 0].all()
    assert not (told[..., 2] & told[..., 3]).any()


@pytest.mark.parametrize(
    ("name", "mark"), [("part_masks", "found"), ("sgpn", "groups"), ("mask_queries", "found"), ("queries_all", "found")]
)
def test_parts_of_toys_are_found_one_by_one(name: str, mark: str) -> None:
    torch.manual_seed(0)
    assert taught(MAKERS[name](), steps=200 if "queries" in name else 100)[mark] > 0.9


def test_kinds_that_a_set_lacks_are_never_told() -> None:
    torch.manual_seed(0)
    network = AllMaskQueries(backbone("pointnet2"), counts=(3, 2), queries=8, width=16, layers=1).eval()
    batch = Toys(6, seed=1).all()
    network.load_state_dict(
        {
            name: one + torch.rand_like(one) if one.is_floating_point() else one
            for name, one in network.state_dict().items()
        }
    )
    for number, count in enumerate((3, 2)):
        asked = {**batch, "category": torch.full((6,), number)}
        with torch.no_grad():
            said, _ = network.say(asked)
        assert set(network.ask(asked).kind.flatten().tolist()) <= {*range(count)}
        assert torch.isfinite(said.kinds).all()


def test_sgpn_learns_where_groups_end_and_how_large_parts_are() -> None:
    torch.manual_seed(0)
    network = SGPN(PartLabels(backbone("pointnet2"), parts=2, dropout=0.1), kinds=2, alone=True)
    first = network.lesson(Toys(8, seed=0).all())
    assert set(first.losses) == {"apart", "turned"}
    assert float(network.size[0]) == pytest.approx(30 / 96)
    taught(network, steps=60)
    assert (network.bound > 0.1).all()
    assert (network.bound < 1).all()
    # Of how sure points are nothing is learned as yet, but all are sure enough to begin a group.
    counts = [len(own.kind) for own in network.ask(Toys(20, seed=100).all())]
    assert np.median(counts) == 3


def test_a_lesson_teaches_the_network_of_its_set_alone() -> None:
    torch.manual_seed(0)
    networks = OneEach({f"set-{k}": PartLabels(backbone("pointnet"), parts=3) for k in range(3)})
    lesson = networks.lesson({**Toys(4, seed=0).all(), "set": torch.tensor(1)})
    lesson.losses["label"].backward()
    touched = [any(one.grad is not None for one in networks.of(k).parameters()) for k in range(3)]
    assert touched == [False, True, False]
    assert networks.reads == ("set", "cloud", "label")
