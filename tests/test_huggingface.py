"""`datasets` of Hugging Face shows the pictures of our shards. It is no dependency of ours: skipped where missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.datasets.build import build_dataset

datasets = pytest.importorskip("datasets")


def test_load_dataset_shows_pictures(tmp_path: Path) -> None:
    recipe = ClevrRecipe(seed=6, questions_per_scene=1, pictures=True, width=64, height=48, samples=8)
    build_dataset(recipe, tmp_path / "dataset", splits={"train": 2}, shard_size=2)
    shards = str(tmp_path / "dataset" / "scenes" / "*.parquet")
    loaded = datasets.load_dataset("parquet", data_files=shards, split="train", cache_dir=str(tmp_path / "cache"))
    assert [type(loaded.features[name]).__name__ for name in ("image", "depth", "instances")] == ["Image"] * 3
    assert [row["image"].size for row in loaded] == [(64, 48)] * 2
