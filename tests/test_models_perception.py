"""Perception: pixels are grouped as they should be, networks learn to see, and precision is measured as COCO does."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from scipy.ndimage import map_coordinates  # noqa: E402
from torch import Tensor  # noqa: E402
from torch.nn import functional  # noqa: E402

from mereo.errors import UnknownName  # noqa: E402
from mereo.masks import box_of  # noqa: E402
from mereo.models.dense import Counted, DensePerception, with_room  # noqa: E402
from mereo.models.dense_loss import Foretold  # noqa: E402
from mereo.models.dense_truth import LAYERS, Layer, at_pixels, counts_of, heat_of, truth_of  # noqa: E402
from mereo.models.detect import make_detector  # noqa: E402
from mereo.models.detect.detector import true_masks  # noqa: E402
from mereo.models.detect.mask_rcnn import pasted  # noqa: E402
from mereo.models.grouping import Grouping, Instances, group, lay_out  # noqa: E402
from mereo.models.kinds import Batch  # noqa: E402
from mereo.models.learner import Learner  # noqa: E402
from mereo.models.peaks import find_peaks  # noqa: E402
from mereo.models.told import outer, vector_of  # noqa: E402
from mereo.training.detecting import Outlines, average_precision  # noqa: E402
from mereo.training.device import at_work  # noqa: E402
from naive_grouping import naive_groups, naive_peaks  # noqa: E402
from toy_things import TOLD, toy_batch, toy_blocks  # noqa: E402

SURE = 8.0
"""A logit."""


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    with at_work(torch.device("cpu")):
        yield
    torch.set_num_threads(before)


def test_what_is_rightly_foretold_is_grouped_into_the_true_things() -> None:
    batch = toy_batch(12, 40, seed=3)
    foretold = {layer.name: _rightly(batch, layer) for layer in LAYERS}
    for place, (objects, parts) in enumerate(group(foretold, TOLD, Grouping())):
        for level, found in (("object", objects), ("part", parts)):
            alike = _matched(found, _true(batch, level, place))
            assert len(alike) == len(found.scores), "something was found that is not there"
            for number, mine in alike.items():
                _agree(batch, level, place, number, found, mine)
        for number, mine in _matched(parts, _true(batch, "part", place)).items():
            assert (
                parts.whole[mine]
                == _matched(objects, _true(batch, "object", place))[int(batch["part_whole"][place, number])]
            )
            outside = torch.unique(batch["part_outer"][place][parts.masks[mine]])
            within = int(parts.within[mine])
            assert (within >= 0) == (int(outside[0]) != number + 1)
            assert within < 0 or (parts.masks[within] & parts.masks[mine]).sum() == parts.masks[mine].sum()


@pytest.mark.parametrize("seed", range(8))
def test_grouping_is_that_of_plain_loops(seed: int) -> None:
    chance = torch.Generator().manual_seed(seed)
    size, how = 20, Grouping(least=0.5, smallest=0.01, objects=6, parts=9, valley=0.8)
    coarse = functional.interpolate(torch.rand(2, 5, 5, 5, generator=chance), size=(size, size), mode="nearest")
    owners = functional.interpolate(torch.randint(3, (2, 1, 5, 5), generator=chance).float(), size=(size, size))[
        :, 0
    ].long()
    way = 4 * torch.randn(2, 2, size, size, generator=chance)
    for named in (False, True):
        heat = functional.avg_pool2d(torch.rand(2, 4 if named else 1, size + 4, size + 4, generator=chance), 5, 1)
        near = torch.rand(2, size, size, generator=chance) * (1 + named)
        foretold = Foretold(way, near, (1.2 * heat - 0.1).clamp(0.01, 0.99).logit(), {"words_part": coarse})
        layout = lay_out(foretold, TOLD["part"], how, owners if named else None)
        for place in range(2):
            labels = layout.labels[place]
            fast = {_pixels(labels == label) for label in range(1, int(labels.max()) + 1)}
            heights = foretold.heat[place].sigmoid().double().numpy()
            names, whose = coarse[place].argmax(0).numpy(), owners[place].numpy() if named else None
            assert fast == naive_groups(
                names, way[place].double().numpy(), near[place].exp().double().numpy(), heights, whose, how
            )
            assert int(labels.max()) == int((layout.picture == place).sum())


def test_a_flat_hill_has_one_top_and_bars_four_pixels_apart_have_one_each() -> None:
    rows = torch.arange(40.0)[:, None]
    columns = torch.arange(40.0)
    bars = sum(torch.exp(-((rows - 10) ** 2 + (columns - at) ** 2) / 2) for at in (4, 8, 12, 16))
    plain = torch.exp(-((rows - 30) ** 2 + (columns - 20) ** 2) / 60)
    rough = plain * (1 + 0.1 * torch.rand(40, 40, generator=torch.Generator().manual_seed(0)))
    heat = (bars + rough)[None, None].clamp(0, 0.99)
    how = Grouping()
    peaks = find_peaks(heat, least=how.least, most=50, valley=how.valley, reach=how.reach)
    places = peaks.places[0][peaks.present[0]]
    assert sorted(places[places[:, 0] < 20, 1].round().tolist()) == [4, 8, 12, 16]
    assert (places[:, 0] > 20).sum() == 1
    assert len(naive_peaks(heat[0].double().numpy(), how, 50)) == 5


def test_directions_come_back_without_their_sign() -> None:
    vectors = torch.randn(100, 3, generator=torch.Generator().manual_seed(1))
    assert torch.equal(outer(vectors), outer(-2 * vectors))
    back = vector_of(outer(vectors), 3)
    assert torch.allclose((back * functional.normalize(vectors, dim=1)).sum(1).abs(), torch.ones(100), atol=1e-5)


def test_dense_perception_overfits_32_pictures() -> None:
    torch.manual_seed(0)
    batch = toy_batch(32)
    counted = Counted("counts", 0.0)
    network = DensePerception(TOLD, width=8, depth=4, counted=counted, grouping=Grouping(smallest=0.006))
    assert set(network.reads) <= batch.keys()
    _learn(network, batch, steps=160, rate=0.02)
    rightly = found = there = miscounted = 0
    for place, sighting in enumerate(network.look(batch["picture"])):
        for level, instances in (("object", sighting.objects), ("part", sighting.parts)):
            true = _true(batch, level, place)
            alike = _matched(instances, true)
            there += len(true)
            found += len(alike)
            if level == "object":
                said = {
                    number: instances.numbers["counts"][mine].round().int().tolist() for number, mine in alike.items()
                }
                miscounted += sum(counts != _counted(batch, place, number) for number, counts in said.items())
            rightly += sum(
                _told_rightly(batch, level, place, number, instances, mine) for number, mine in alike.items()
            )
    assert (found, rightly) == (there, there)
    assert miscounted < 16  # of 64; whoever always tells the commonest number is wrong about half of them


def test_parts_are_counted_that_are_large_enough() -> None:
    batch, least = toy_batch(12, 40, seed=3), 30 / 40**2
    objects, names = batch["object_words_category"].shape[1], batch["part_words_part"]
    for share in (0.0, least):
        counts = counts_of(batch, objects, names, TOLD["part"].names, share)
        told = [_counted(batch, place, number, share) for place in range(12) for number in range(objects)]
        assert counts.flatten(0, 1).int().tolist() == told
    assert counts.sum() < counts_of(batch, objects, names, TOLD["part"].names, 0.0).sum()


def test_empty_places_for_things_change_nothing_of_a_lesson() -> None:
    """Compiled code is given a round number of them, whatever the scenes."""
    torch.manual_seed(0)
    network, batch = DensePerception(TOLD, width=8, depth=4).eval(), toy_batch(4)
    own = {name: batch[name] for name in network.reads}
    roomy = with_room(own)
    assert roomy["part_whole"].shape == (4, 256)
    for given, told in zip(network.lesson(own), network.lesson(roomy), strict=True):
        assert given.keys() == told.keys()
        for name, value in given.items():
            torch.testing.assert_close(told[name], value, rtol=1e-5, atol=1e-6, equal_nan=True)


def test_mask2former_overfits_32_pictures() -> None:
    pytest.importorskip("transformers")
    torch.manual_seed(0)
    batch = toy_blocks(32)
    network = make_detector("mask2former", queries=4, width=32, layers=2, points=256, magnified=1.0)
    _learn(network, batch, steps=260, rate=0.005)  # after 150 no seed of three finds all, after 220 each of two
    missed = 0
    for detected, true in zip(network.find(batch["picture"]), true_masks(batch), strict=True):
        sure = detected.masks[detected.scores > 0.5]
        missed += sum(not _overlaps(sure, mask).gt(0.5).any() for mask in true)
    assert missed == 0


@pytest.mark.parametrize("magnified", [1.0, 2.0])
def test_mask2former_tells_masks_of_the_size_of_the_picture_however_large_it_sees_it(magnified: float) -> None:
    pytest.importorskip("transformers")
    torch.manual_seed(0)
    batch = toy_blocks(2)
    network = make_detector("mask2former", queries=4, width=32, layers=1, points=256, magnified=magnified)
    seen: list[tuple[int, ...]] = []
    network.get_submodule("network").register_forward_pre_hook(lambda _, given: seen.append(tuple(given[0].shape)))
    assert all(loss.isfinite() for loss in network.lesson(batch).losses.values())
    assert all(detected.masks.shape[1:] == (32, 32) for detected in network.eval().find(batch["picture"]))
    assert seen == [(2, 3, 32 * magnified, 32 * magnified)] * 2


def test_mask_rcnn_without_torchvision_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torchvision", None)
    with pytest.raises(
        ImportError, match="Mask R-CNN is torchvision's, which is not installed: pip install torchvision"
    ):
        make_detector("mask_rcnn")


def test_a_detector_that_does_not_exist_is_named_with_its_nearest() -> None:
    with pytest.raises(UnknownName, match="mask2former"):
        make_detector("mask3former")


def test_precision_is_what_one_counts_by_hand() -> None:
    left, right, below = (np.zeros((10, 10), bool) for _ in range(3))
    left[:5, :5] = right[:5, 5:] = below[5:, :] = True
    half = np.zeros((10, 10), bool)
    half[:5, :4] = True  # 20 of the 25 pixels on the left: an overlap of 0.8
    true = [Outlines([left, right]), Outlines([below])]
    found = [Outlines([half, below], [0.9, 0.8]), Outlines([below], [0.7])]
    precision = average_precision(found, true)
    # Surest first: right, wrong, right; of three. Precision is 1 up to a recall of 1/3, then 2/3 up to 2/3.
    at_half = (34 + 33 * 2 / 3) / 101
    assert precision.mask50 == precision.box50 == pytest.approx(at_half)
    # At overlaps above 0.8 the first is wrong, too: recall 1/3 with a precision of 1/3.
    assert precision.mask == pytest.approx((7 * at_half + 3 * 34 / 101 / 3) / 10)


def test_precision_by_names_asks_for_the_right_name() -> None:
    mask = np.ones((4, 4), bool)
    true = [Outlines([mask], names=[1])]
    assert average_precision([Outlines([mask], [1.0], names=[1])], true).mask50 == pytest.approx(1)
    assert average_precision([Outlines([mask], [1.0], names=[2])], true).mask50 == 0
    assert average_precision([Outlines([])], true).box == 0
    assert np.isnan(average_precision([Outlines([mask], [1.0])], [Outlines([])]).mask)


def _rightly(batch: Batch, layer: Layer) -> Foretold:
    """What a network that is always right foretells."""
    told = TOLD[layer.level]
    names = batch[f"{layer.level}_words_{told.name}"]
    truth = truth_of(batch, layer, names)
    centers = at_pixels(truth.centers, truth.ids)
    rows, columns = (torch.arange(size) for size in truth.ids.shape[1:])
    heat = heat_of(truth, names if layer.named else torch.zeros_like(names), told.names if layer.named else 1)
    said = {}
    for name, size in told.words.items():
        values = batch[f"{layer.level}_words_{name}"]
        values = torch.where(values < 0, told.absent.get(name, 0), values)
        shown = at_pixels(names + 1, truth.ids) * (truth.ids > 0) if name == told.name else at_pixels(values, truth.ids)
        said[f"words_{name}"] = SURE * functional.one_hot(shown, size + (name == told.name)).movedim(-1, 1).float()
    for name in told.several:
        values = at_pixels(batch[f"{layer.level}_several_{name}"].float(), truth.ids)
        said[f"several_{name}"] = SURE * (2 * values - 1).movedim(-1, 1)
    for name in told.numbers:
        numbers = batch[f"{layer.level}_numbers_{name}"].nan_to_num(1.0)
        numbers = outer(numbers) if name in told.signless else numbers
        said[f"numbers_{name}"] = at_pixels(numbers, truth.ids).movedim(-1, 1)
    way = torch.stack([centers[..., 0] - rows[:, None], centers[..., 1] - columns], 1)
    return Foretold(way, at_pixels(truth.near.log(), truth.ids), heat.clamp(0.01, 0.99).logit(), said)


def _counted(batch: Batch, place: int, number: int, least: float = 0.0) -> list[int]:
    """How many parts of each name an object has that cover at least a share of the picture, by plain loops."""
    found = [0] * TOLD["part"].names
    for part, whole in enumerate(batch["part_whole"][place].tolist()):
        pixels = (batch["part_ids"][place] == part + 1) | (batch["part_outer"][place] == part + 1)
        if whole == number and pixels.any() and pixels.float().mean() >= least:
            found[int(batch["part_words_part"][place, part])] += 1
    return found


def _true(batch: Batch, level: str, place: int) -> dict[int, Tensor]:
    """The masks of the things of a picture by their places."""
    ids = batch[f"{level}_ids"][place]
    outside = batch.get(f"{level}_outer", batch[f"{level}_ids"])[place]
    there = batch[f"{level}_present"][place].nonzero()[:, 0].tolist()
    masks = {number: (ids == number + 1) | (outside == number + 1) for number in there}
    return {number: mask for number, mask in masks.items() if mask.any()}


def _overlaps(masks: Tensor, mask: Tensor) -> Tensor:
    """(n,): how much of their union masks (n, h, w) share with one."""
    return (masks & mask).sum((1, 2)) / (masks | mask).sum((1, 2))


def _matched(found: Instances, true: dict[int, Tensor]) -> dict[int, int]:
    """By true thing the one that was found for it, by half of their pixels at least."""
    best = {number: _overlaps(found.masks, mask) for number, mask in true.items()}
    return {number: int(each.argmax()) for number, each in best.items() if len(each) and each.max() > 0.5}


def _told_rightly(batch: Batch, level: str, place: int, number: int, found: Instances, mine: int) -> bool:
    """Whether all words of a thing that has any are its own."""
    told = TOLD[level]
    for name in told.words:
        true = int(batch[f"{level}_words_{name}"][place, number])
        true = told.absent.get(name, true) if true < 0 else true
        if true >= 0 and int(found.words[name][mine].argmax()) != true:
            return False
    return True


def _agree(batch: Batch, level: str, place: int, number: int, found: Instances, mine: int) -> None:
    """A thing that was found is the true one, to the pixel."""
    told = TOLD[level]
    assert torch.equal(found.masks[mine], _true(batch, level, place)[number])
    assert _told_rightly(batch, level, place, number, found, mine)
    for name in told.several:
        assert torch.equal(found.several[name][mine] > 0.5, batch[f"{level}_several_{name}"][place, number])
    for name in told.numbers:
        true = batch[f"{level}_numbers_{name}"][place, number]
        if true.isfinite().all():
            sign = (true @ found.numbers[name][mine]).sign() if name in told.signless else 1
            assert torch.allclose(sign * found.numbers[name][mine], true, atol=1e-4)


def _pixels(mask: Tensor) -> frozenset[tuple[int, int]]:
    return frozenset((row, column) for row, column in mask.nonzero().tolist())


def _learn(network: Learner, batch: Batch, *, steps: int, rate: float, at_once: int = 8) -> None:
    """A small loop: AdamW with one cycle."""
    chance = torch.Generator().manual_seed(0)
    count = len(batch["picture"])
    adam = torch.optim.AdamW(network.parameters(), rate, fused=True)
    cycle = torch.optim.lr_scheduler.OneCycleLR(adam, rate, total_steps=steps)
    order = torch.cat([torch.randperm(count, generator=chance) for _ in range(steps * at_once // count + 1)])
    for some in order[: steps * at_once].split(at_once):
        adam.zero_grad()
        torch.stack(
            [*network.lesson({name: field[some] for name, field in batch.items()}).losses.values()]
        ).sum().backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        adam.step()
        cycle.step()
    network.eval()


@pytest.mark.parametrize("magnified", [1, 2])
def test_masks_are_laid_where_they_were_cut_out(magnified: int) -> None:
    """Cut out as torchvision's layer does, which samples pixels by their first edges."""
    rng = np.random.default_rng(7)
    size, shown = (40, 60), (40 * magnified, 60 * magnified)
    masks, cut, boxes = [], [], []
    for _ in range(40):
        rows, columns = np.ogrid[:40, :60]
        middle, radius = rng.uniform((8, 8), (32, 52)), rng.uniform(1.5, 7.5, 2)
        mask = ((rows + 0.5 - middle[0]) / radius[0]) ** 2 + ((columns + 0.5 - middle[1]) / radius[1]) ** 2 < 1
        left, top, width, height = box_of(mask) or (0, 0, 1, 1)
        box = magnified * np.array([left, top, left + width, top + height])
        large = np.kron(mask, np.ones((magnified, magnified)))
        steps = (np.arange(28) + 0.5) / 28
        down, across = box[1] + steps * (box[3] - box[1]), box[0] + steps * (box[2] - box[0])
        masks.append(mask)
        boxes.append(box)
        cut.append(map_coordinates(large, np.meshgrid(down, across, indexing="ij"), order=1))
    laid = pasted(torch.from_numpy(np.stack(cut)).float(), torch.from_numpy(np.stack(boxes)).float(), shown, size) > 0.5
    true = torch.from_numpy(np.stack(masks))
    overlap = (laid & true).sum((1, 2)) / (laid | true).sum((1, 2))
    assert overlap.min() > 0.9
    assert overlap.mean() > 0.98
    assert pasted(torch.zeros(0, 28, 28), torch.zeros(0, 4), shown, size).shape == (0, *size)
