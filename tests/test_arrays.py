"""Rows as arrays: what a network gets is what the dataset holds, every question once, and the same from any worker."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mereo
from kit import complaint
from mereo import Dataset
from mereo.datasets.arrays import FIELDS, Examples


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("arrays") / "seen"
    return mereo.build("clevr", folder, split="train=3,val=1", size="96x64", samples=8, seed=7)


@pytest.fixture(scope="module")
def gray(seen: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """The same scenes as somebody else's files, with pictures that have no color."""
    from PIL import Image

    home = tmp_path_factory.mktemp("gray")
    theirs = mereo.export(seen, home / "files", to="clevr")
    for path in (theirs / "images/val").glob("*.png"):
        Image.open(path).convert("L").save(path)
    scenes, questions = (theirs / f"{kind}/CLEVR_val_{kind}.json" for kind in ("scenes", "questions"))
    return mereo.import_files("clevr", home / "gray", scenes=scenes, questions=questions, images=theirs / "images/val")


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def ids(examples: Examples, size: int, seed: int | None = None) -> list[str]:
    return [name for batch in examples.batches(size, seed=seed) for name in batch["id"]]


def test_examples_are_what_the_dataset_holds(seen: Dataset) -> None:
    examples = seen.examples(fields=FIELDS)
    assert len(examples) == len(seen.questions) == 40
    for example, question in zip(examples, seen.questions, strict=True):
        scene = question.scene
        assert (example["id"], example["question"], example["answer"]) == (question.id, question.text, question.answer)
        assert example["program"] == str(question.program)
        assert np.array_equal(example["picture"], np.asarray(scene.picture))
        assert np.array_equal(example["depth"], scene.depth)
        assert np.array_equal(example["ids"], scene.ids)
        assert example["boxes"].shape == (len(scene.world), 4)
        for entity in range(len(scene.world)):
            box = scene.boxes.get(entity)
            assert np.isnan(example["boxes"][entity]).all() if box is None else tuple(example["boxes"][entity]) == box


def test_a_split_has_its_own_examples(seen: Dataset) -> None:
    examples = seen.examples(split="val", fields=("id",))
    assert [example["id"] for example in examples] == [question.id for question in seen.questions.split("val")]
    assert [example["id"] for example in examples[-2:]] == [question.id for question in seen.questions[-2:]]


@pytest.mark.parametrize("seed", [None, 0, 5])
@pytest.mark.parametrize("size", [1, 7, 40, 100])
def test_batches_hold_every_question_exactly_once(seen: Dataset, size: int, seed: int | None) -> None:
    found = ids(seen.examples(fields=("id",)), size, seed)
    assert sorted(found) == sorted(question.id for question in seen.questions)


def test_the_same_seed_gives_the_same_order_and_another_seed_another(seen: Dataset) -> None:
    examples = seen.examples(fields=("id",))
    assert ids(examples, 7, 3) == ids(seen.examples(fields=("id", "answer")), 4, 3)
    assert len({tuple(ids(examples, 8, seed)) for seed in (None, 0, 1, 2)}) == 4


def test_batches_stack_what_has_one_shape(seen: Dataset) -> None:
    (batch,) = seen.examples(fields=("picture", "depth", "boxes", "answer")).batches(64)
    assert batch["picture"].shape == (40, 64, 96, 3)
    assert batch["picture"].dtype == np.uint8
    assert batch["depth"].shape == (40, 64, 96)
    assert isinstance(batch["answer"], list)
    counts = {len(scene.world) for scene in seen.scenes}
    assert isinstance(batch["boxes"], list) == (len(counts) > 1)


def test_arrays_that_questions_share_cannot_be_written_to(seen: Dataset) -> None:
    examples = seen.examples(fields=("picture", "depth", "boxes"))
    for array in examples[0].values():
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0


def test_pictures_without_color_have_three_channels_too(gray: Dataset) -> None:
    assert gray.scenes[0].picture.mode == "L"
    picture = gray.examples(fields=("picture",))[0]["picture"]
    assert picture.shape == (64, 96, 3)
    assert (picture[..., :1] == picture).all()


def test_what_is_not_stored_is_missed_at_once(seen: Dataset, gray: Dataset, tmp_path: Path) -> None:
    assert "its scenes have no depth" in str(complaint(lambda: gray.examples(fields=("picture", "depth"))))
    assert "has no depth: there is nothing but its picture" in str(complaint(lambda: gray.scenes[0].depth))
    bare = mereo.build("clevr", tmp_path / "bare", scenes=1, symbolic=True)
    assert "its scenes have no picture" in str(complaint(bare.examples))
    assert "no field of an example 'pictures' (did you mean 'picture'?)" in str(
        complaint(lambda: seen.examples(fields=("pictures",)))
    )
    assert "there is no split 'vel'" in str(complaint(lambda: seen.examples(split="vel")))
    assert "at least one" in str(complaint(lambda: list(seen.examples().batches(0))))


def test_examples_go_to_other_processes(seen: Dataset) -> None:
    examples = seen.examples(fields=FIELDS)
    first = examples[0]
    again = pickle.loads(pickle.dumps(examples))
    assert len(again) == len(examples)
    assert same(again[0], first)


def test_torch_gets_the_same_from_two_workers(seen: Dataset) -> None:
    torch = pytest.importorskip("torch")
    examples = seen.examples(fields=("id", "picture", "depth", "ids", "answer"))
    tensors = examples.torch()
    assert isinstance(tensors, torch.utils.data.Dataset)
    loaded = torch.utils.data.DataLoader(tensors, batch_size=7, num_workers=2)
    for batch, own in zip(loaded, examples.batches(7), strict=True):
        assert batch["id"] == own["id"]
        assert batch["answer"] == own["answer"]
        assert batch["picture"].dtype == torch.uint8
        assert batch["ids"].dtype == torch.int32
        assert np.array_equal(batch["picture"].numpy(), np.moveaxis(own["picture"], -1, 1))
        assert np.array_equal(batch["depth"].numpy(), own["depth"])
        assert np.array_equal(batch["ids"].numpy(), own["ids"])


def test_tensors_can_be_written_to_and_sent(seen: Dataset) -> None:
    pytest.importorskip("torch")
    tensors = seen.examples(fields=("picture", "boxes")).torch()
    tensors[0]["picture"][:] = 0
    tensors[0]["boxes"][:] = 0
    assert tensors[0]["picture"].any()
    assert tensors[0]["boxes"].any()
    again = pickle.loads(pickle.dumps(tensors))
    assert (again[3]["picture"] == tensors[3]["picture"]).all()
