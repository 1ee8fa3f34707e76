"""`datasets` of Hugging Face reads a dataset's folder as it lies on disk, and what is exported as WebDataset.

Pictures are shown as pictures, and every name of a split of ours is one of theirs.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import RepoCard
from PIL import Image

from kit import CommandLine, scene_file
from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.datasets.build import build_dataset
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.store import open_dataset, read_table


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """`load_dataset` of a library that may not reach for the network and keeps its cache to itself."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    import datasets

    datasets.disable_progress_bars()

    def load(*arguments: Any, **more: Any) -> Any:
        return datasets.load_dataset(*arguments, **more, cache_dir=str(tmp_path / "cache"))

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
    scenes = load(str(folder))
    assert {split: len(rows) for split, rows in scenes.items()} == {"train": 2, "val": 1}
    stored = read_table(folder / "scenes" / "train-00000.parquet").to_pylist()
    assert set(scenes["train"].features) == set(stored[0])
    assert [name for name, kind in scenes["train"].features.items() if kind.dtype == "PIL.Image.Image"] == [
        "image",
        "depth",
        "instances",
    ]
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
    questions = load(str(folder), "questions")
    asked = read_table(folder / "questions" / "train-00000.parquet").to_pylist()
    assert list(questions["train"]) == asked
    assert len(questions["val"]) == 2


def test_names_of_splits_are_kept_or_made_fit_and_no_split_takes_the_shards_of_another(
    load: Any, tmp_path: Path, mereo: CommandLine
) -> None:
    mereo("build", "clevr", tmp_path / "cogent", "--symbolic", "--scenes", "16", "--preset", "cogent")
    counts = {split: len(rows) for split, rows in load(str(tmp_path / "cogent")).items()}
    assert counts == open_dataset(tmp_path / "cogent").scenes
    official = scene_file(6)
    for k, scene in enumerate(official["scenes"]):
        scene["split"] = ("val", "val-new", "val.1")[k % 3]
    (tmp_path / "scenes.json").write_text(json.dumps(official))
    mereo("import", "clevr", tmp_path / "dashes", "--scenes", tmp_path / "scenes.json")
    loaded = load(str(tmp_path / "dashes"))
    assert {split: set(rows["split"]) for split, rows in loaded.items()} == {
        "val": {"val"},
        "val_new": {"val-new"},
        "val_1": {"val.1"},
    }
    assert {len(rows) for rows in loaded.values()} == {2}


def test_scenes_without_questions_are_read_and_no_questions_promised(
    load: Any, tmp_path: Path, mereo: CommandLine
) -> None:
    mereo("build", "clevr", tmp_path / "plain", "--symbolic", "--scenes", "3", "--questions-per-scene", "0")
    assert sum(map(len, load(str(tmp_path / "plain")).values())) == 3
    with pytest.raises(ValueError, match="'questions' not found"):
        load(str(tmp_path / "plain"), "questions")


def head(folder: Path) -> dict[str, Any]:
    """What a dataset's card tells the Hub."""
    found: dict[str, Any] = RepoCard.load(folder / "README.md").data.to_dict()
    return found


def test_cards_tell_the_hub_what_they_hold_and_claim_no_license(tmp_path: Path, mereo: CommandLine) -> None:
    mereo("build", "clevr", tmp_path / "small", "--symbolic", "--scenes", "120")
    told = head(tmp_path / "small")
    assert {name: value for name, value in told.items() if name != "configs"} == {
        "pretty_name": "clevr, seed 0",
        "task_categories": ["question-answering"],
        "size_categories": ["1K<n<10K"],
        "tags": ["mereo", "clevr", "synthetic"],
    }
    mereo("baseline", tmp_path / "small")
    assert head(tmp_path / "small") == told, "scores that are written into the card leave its head alone"


def test_a_license_is_claimed_where_somebody_chooses_one_and_changes_no_shard(
    tmp_path: Path, mereo: CommandLine
) -> None:
    chosen: dict[str, list[str]] = {"free": ["--license", "cc0-1.0"], "plain": []}
    for name, license in chosen.items():
        mereo("build", "clevr", tmp_path / name, "--symbolic", "--scenes", "4", *license)
        mereo("export", tmp_path / name, tmp_path / f"{name}-clevr", "--to", "clevr")
        mereo("import", "clevr", tmp_path / f"{name}-clevr", tmp_path / f"{name}-again", *license)
        for folder in (tmp_path / name, tmp_path / f"{name}-again"):
            assert head(folder).get("license") == (license[1] if license else None)
        content = json.loads((tmp_path / f"{name}-clevr" / "scenes" / "CLEVR_train_scenes.json").read_text())
        assert content["info"].get("license") == (license[1] if license else None)
    free, plain = (open_dataset(tmp_path / name) for name in chosen)
    assert free.files == plain.files
    assert "license" not in (tmp_path / "plain" / "dataset.json").read_text()
    mereo("subset", tmp_path / "free", tmp_path / "half", "--share", "0.5")
    assert open_dataset(tmp_path / "half").license == "cc0-1.0"
    mereo("build", "clevr", tmp_path / "free", "--symbolic", "--scenes", "4", "--resume", "--license", "mit")
    assert head(tmp_path / "free")["license"] == "mit"


def test_an_exported_webdataset_is_read_with_a_type_for_every_field(
    load: Any, tmp_path: Path, mereo: CommandLine
) -> None:
    recipe = ClevrRecipe(
        seed=6, questions_per_scene=2, pictures=PictureSettings(width=64, height=48, samples=8, amodal=True)
    )
    build_dataset(recipe, tmp_path / "dataset", splits={"train": 2}, shard_size=1)
    mereo("export", tmp_path / "dataset", tmp_path / "web", "--to", "webdataset")
    samples = load("webdataset", data_files={"train": str(tmp_path / "web" / "train-*.tar")})["train"]
    stored = [read_table(tmp_path / "dataset" / "scenes" / f"train-0000{k}.parquet").to_pylist()[0] for k in range(2)]
    for sample, own in zip(samples, stored, strict=True):
        assert (sample["__key__"], sample["png"].size) == (own["scene_id"], (64, 48))
        told = sample["json"]
        assert (told["scene"], told["amodal"]) == (own["scene"], own["amodal"])
        key = [[entry["object"], entry["part"], entry["label"]] for entry in told["instance_key"]]
        assert key == json.loads(own["instance_key"])
        assert [question["scene_id"] for question in told["questions"]] == [own["scene_id"]] * 2
