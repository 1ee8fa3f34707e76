"""Parts of datasets: the right share, always the same, one within the other."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mereo.benchmarks.benchmark import inspector_of
from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.datasets.audit import audit_dataset
from mereo.datasets.build import build_dataset
from mereo.datasets.store import open_dataset, read_table
from mereo.datasets.subset import portion, take_subset
from mereo.errors import MereoError


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "set"
    build_dataset(ClevrRecipe(seed=3, questions_per_scene=2), folder, splits={"train": 80, "test": 9}, shard_size=50)
    return folder


@given(st.integers(0, 10**6), st.sampled_from([0.1, 0.25, 0.5, 1.0]))
def test_every_stretch_of_scenes_gives_its_share(first: int, share: float) -> None:
    taken = sum(portion(index) < share for index in range(first, first + 1000))
    assert abs(taken - 1000 * share) <= 3


def test_a_share_of_one_split_is_kept_and_all_of_the_others(whole: Path, tmp_path: Path) -> None:
    assert take_subset(whole, tmp_path / "quarter", share=0.25) == open_dataset(tmp_path / "quarter").scenes["train"]
    manifest = open_dataset(tmp_path / "quarter")
    assert manifest.scenes["train"] in (19, 20, 21)
    assert manifest.scenes["test"] == 9
    assert manifest.questions["train"] == 2 * manifest.scenes["train"]
    inspector = inspector_of(manifest)
    assert inspector is not None
    assert audit_dataset(tmp_path / "quarter", inspector).complaints == []


def test_the_smaller_part_lies_within_the_larger(whole: Path, tmp_path: Path) -> None:
    ids = []
    for share in (0.1, 0.5):
        take_subset(whole, tmp_path / str(share), share=share)
        tables = [read_table(path) for path in sorted((tmp_path / str(share) / "scenes").glob("train*"))]
        ids.append({name for table in tables for name in table["scene_id"].to_pylist()})
    assert ids[0] < ids[1]


@pytest.mark.parametrize(
    ("share", "split", "reason"), [(0.0, "train", "more than 0"), (1.5, "train", "at most 1"), (0.5, "tran", "train")]
)
def test_what_cannot_be_taken_is_told_and_leaves_nothing(
    whole: Path, tmp_path: Path, share: float, split: str, reason: str
) -> None:
    with pytest.raises(MereoError, match=reason):
        take_subset(whole, tmp_path / "part", share=share, split=split)
    assert list(tmp_path.iterdir()) == []
