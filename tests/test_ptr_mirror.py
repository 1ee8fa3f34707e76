"""Rooms in the mirror: what is told of a mirrored picture is what would be told of the mirrored room."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mereo.benchmarks.benchmark import inspector_of
from mereo.benchmarks.ptr.learning.axes import unsigned
from mereo.benchmarks.ptr.learning.levels import LEVELS
from mereo.benchmarks.ptr.learning.rebuild.numbers import LEANS, TURNS
from mereo.benchmarks.ptr.learning.rebuild.posed import posed, turn_of
from mereo.benchmarks.ptr.learning.seeing import PtrSeeing
from mereo.benchmarks.ptr.recipe import PtrRecipe
from mereo.datasets.build import build_dataset
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.store import open_dataset
from mereo.shapes.mesh import Floats

torch = pytest.importorskip("torch")

from mereo.models.dense import DensePerception  # noqa: E402
from mereo.models.dense_mirror import reflected  # noqa: E402
from mereo.models.told import Told  # noqa: E402
from mereo.training.augment import MIRRORED, STILL, draw_view  # noqa: E402
from mereo.training.corpus import Corpus  # noqa: E402
from mereo.training.mirror import reflection_of  # noqa: E402
from mereo.training.sources import SceneSource  # noqa: E402

CPU = torch.device("cpu")
ACROSS = np.diag([-1.0, 1.0, 1.0])


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mirror") / "rooms"
    view = PictureSettings(width=96, height=64, samples=4)
    build_dataset(
        PtrRecipe(seed=5, view=view, pictures=True, questions_per_scene=1), folder, splits={"train": 2}, shard_size=2
    )
    return folder


def in_mirror(level: str, name: str, numbers: Floats) -> Floats:
    mirror = LEVELS[level].mirror
    assert mirror is not None
    places = np.array(mirror.numbers[name])
    changed: Floats = numbers[..., abs(places) - 1] * np.sign(places)
    return changed


def test_turns_in_the_mirror_are_the_mirrored_turns() -> None:
    mirror = LEVELS["object"].mirror
    assert mirror is not None
    for turned, turned_there in zip(TURNS, mirror.words["turned"], strict=True):
        for leaning, leaning_there in zip(LEANS, mirror.words["leaning"], strict=True):
            turn = turn_of({"turned": turned, "leaning": leaning}, [0.6])
            found = posed(ACROSS @ turn @ ACROSS)
            assert found[:2] == (turned_there, leaning_there)


def test_axes_and_boxes_in_the_mirror_are_the_mirrored_ones() -> None:
    rng = np.random.default_rng(0)
    for axis in rng.normal(size=(20, 3)):
        for name in ("axis", "own_axis"):
            assert np.allclose(
                in_mirror("part", name, unsigned(axis).astype(float)), unsigned(ACROSS @ axis), atol=1e-6
            )
    corners = rng.normal(size=(20, 8, 3))
    boxes, there = (np.concatenate([points.min(1), points.max(1)], 1) for points in (corners, corners @ ACROSS))
    assert np.allclose(in_mirror("part", "reach", boxes), there)
    assert in_mirror("object", "room", np.array([1.0, 2.0, 3.0, 0.1])).tolist() == [2.0, 1.0, 3.0, -0.1]
    assert in_mirror("object", "middle", np.array([1.0, 2.0, 3.0])).tolist() == [-1.0, 2.0, 3.0]


def test_pictures_and_all_that_is_told_of_them_are_mirrored_together(rooms: Path) -> None:
    corpus = Corpus(rooms, inspector_of(open_dataset(rooms)), CPU, seeing=PtrSeeing())
    plain = replace(STILL, light=0.0, contrast=0.0, tint=0.0)
    chance = torch.Generator().manual_seed(0)
    still, there = (
        SceneSource(corpus, "train", change=change).batch(torch.arange(2), chance=chance)
        for change in (plain, replace(plain, mirror=1.0))
    )
    assert torch.equal(there["picture"], still["picture"].flip(3))
    for level in LEVELS:
        assert torch.equal(there[f"{level}_ids"], still[f"{level}_ids"].flip(2))
        own, boxes = still[f"{level}_boxes"], there[f"{level}_boxes"]
        seen = still[f"{level}_present"]
        assert torch.equal(boxes[..., 0][seen], (96 - own[..., 0] - own[..., 2])[seen])
        for name in LEVELS[level].words:
            same = torch.equal(there[f"{level}_words_{name}"], still[f"{level}_words_{name}"])
            assert same or name in ("turned", "leaning")
    present = still["object_present"]
    assert torch.equal(there["object_numbers_place"][present][:, 0], -still["object_numbers_place"][present][:, 0])
    assert torch.equal(there["object_numbers_place"][present][:, 1:], still["object_numbers_place"][present][:, 1:])
    swapped = still["object_several_change"][..., [1, 0, 2, 3]]
    assert torch.equal(there["object_several_change"], swapped)


def test_every_other_picture_is_mirrored() -> None:
    view = draw_view(400, (8, 12), MIRRORED, torch.Generator().manual_seed(0), CPU)
    assert view.mirrored is not None
    assert 150 < int(view.mirrored.sum()) < 250
    forth = torch.arange(12)
    assert (view.columns == torch.where(view.mirrored[:, None], forth.flip(0), forth)).all()
    assert (view.rows == torch.arange(8)).all()


def told_of(level: str, *, reflected: bool) -> Told:
    own = LEVELS[level]
    words, several = ({name: len(values) for name, values in kind.items()} for kind in (own.words, own.several))
    return Told(words, several, own.numbers, reflection=reflection_of(own) if reflected else None)


def test_who_looks_twice_sees_the_same_in_a_mirrored_picture() -> None:
    torch.manual_seed(0)
    once, twice = (
        DensePerception({level: told_of(level, reflected=reflected) for level in LEVELS}, width=4, depth=3).eval()
        for reflected in (False, True)
    )
    once.load_state_dict(twice.state_dict())
    picture = torch.rand(2, 3, 12, 16)
    with torch.no_grad():
        alone = twice(picture)
        for network, same in ((once, False), (twice, True)):
            straight, mirrored = network.foretell(picture), network.foretell(picture.flip(-1))
            for layer in network.layers:
                reflection = reflection_of(LEVELS[layer.level])
                assert reflection is not None
                told, name = straight[layer.name].told, f"words_{network.told[layer.level].name}"
                for field, said in reflected(mirrored[layer.name].told, reflection).items():
                    assert torch.allclose(said, told[field], atol=1e-5) is (same and field != name), field
                assert torch.equal(told[name], alone[layer.name].told[name])
                assert all(map(torch.equal, straight[layer.name][:3], alone[layer.name][:3]))


def test_what_is_reflected_twice_is_as_it_was() -> None:
    for level, own in LEVELS.items():
        reflection = reflection_of(own)
        assert reflection is not None, level
        for places in reflection.words.values():
            assert [places[place] for place in places] == [*range(len(places))]
        for signed in reflection.numbers.values():
            numbers = np.arange(1, len(signed) + 1)
            once = numbers[np.abs(signed) - 1] * np.sign(signed)
            assert (once[np.abs(signed) - 1] * np.sign(signed) == numbers).all()


def test_what_nobody_knows_in_the_mirror_is_not_mirrored(rooms: Path) -> None:
    corpus = Corpus(rooms, inspector_of(open_dataset(rooms)), CPU)
    with pytest.raises(TypeError, match="nobody says what becomes of the level object in the mirror"):
        SceneSource(corpus, "train", change=MIRRORED)
