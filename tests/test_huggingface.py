"""`datasets` of Hugging Face reads our shards as they lie on disk, without a script, and shows pictures as pictures."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.datasets.build import build_dataset
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.store import read_table


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """`load_dataset` of a library that may not reach for the network and keeps its cache to itself."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    import datasets

    datasets.disable_progress_bars()

    def load(folder: Path, kind: str) -> Any:
        files = {"train": str(folder / kind / "train-*.parquet"), "val": str(folder / kind / "val-*.parquet")}
        return datasets.load_dataset("parquet", data_files=files, cache_dir=str(tmp_path / "cache"))

    return load


@pytest.mark.parametrize(
    ("image_format", "amodal", "more"), [("png", False, set()), ("webp", True, {"amodal"})], ids=["png", "webp"]
)
def test_load_dataset_shows_pictures_and_questions(
    load: Any, tmp_path: Path, image_format: str, amodal: bool, more: set[str]
) -> None:
    recipe = ClevrRecipe(
        seed=6,
        questions_per_scene=2,
        pictures=PictureSettings(width=64, height=48, samples=8, image_format=image_format, amodal=amodal),
    )
    folder = tmp_path / "dataset"
    build_dataset(recipe, folder, splits={"train": 2, "val": 1}, shard_size=2)
    scenes = load(folder, "scenes")
    assert {split: len(rows) for split, rows in scenes.items()} == {"train": 2, "val": 1}
    stored = read_table(folder / "scenes" / "train-00000.parquet").to_pylist()
    assert set(scenes["train"].features) == set(stored[0])
    assert more <= set(stored[0])
    for row, own in zip(scenes["train"], stored, strict=True):
        for name, mode in {"image": {"RGB"}, "depth": {"I;16", "I"}, "instances": {"I;16", "I"}}.items():
            shown = row[name]
            assert isinstance(shown, Image.Image), "what is shown is a picture, not bytes"
            assert shown.size == (64, 48)
            assert shown.mode in mode
            with Image.open(io.BytesIO(own[name]["bytes"])) as expected:
                assert shown.tobytes() == expected.tobytes()
        assert {name: row[name] for name in ("scene_id", "objects", "layout")} == {
            name: own[name] for name in ("scene_id", "objects", "layout")
        }
    questions = load(folder, "questions")
    asked = read_table(folder / "questions" / "train-00000.parquet").to_pylist()
    assert list(questions["train"]) == asked
    assert len(questions["val"]) == 2
