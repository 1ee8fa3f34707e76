"""How official folders of CLEVR's family are laid out, so that all of one is imported at once.

`scenes/CLEVR_train_scenes.json`, or a folder `scenes/train` of one-scene files; `questions/CLEVR_train_questions.json`,
or `refexps/clevr_ref+_train_refexps.json`; `images/train`. A split may have no questions. One without scenes, such as
CLEVR's own test, of which only pictures and questions are published, cannot be imported.
"""

from __future__ import annotations

from pathlib import Path

from mereo.datasets.format import Layout, OfficialSplit
from mereo.errors import BadInput

__all__ = ["family_layout"]

_KINDS = ("questions", "refexps")


def family_layout(folder: Path) -> Layout:
    """The files of an official folder by split."""
    scenes = _by_split(folder, "scenes")
    if not scenes:
        raise BadInput("has no scenes/*_scenes.json and no folders of scenes: name the files instead", file=folder)
    asked = {split: path for kind in _KINDS for split, path in _by_split(folder, kind).items()}
    complaints = [
        f"{path}: is left out, since there are no scenes of {split}"
        for split, path in asked.items()
        if split not in scenes
    ]
    splits = [OfficialSplit(path, asked.get(split), split) for split, path in scenes.items()]
    return Layout(splits, folder / "images" if (folder / "images").is_dir() else None, complaints)


def _by_split(folder: Path, kind: str) -> dict[str, Path]:
    """The files or folders of one kind, train first and then by name."""
    ending = f"_{kind}.json"
    found = {path.name.removesuffix(ending).rpartition("_")[2]: path for path in (folder / kind).glob(f"*{ending}")}
    found |= {path.name: path for path in (folder / kind).glob("*") if path.is_dir()}
    return {split: found[split] for split in sorted(found, key=lambda split: (not split.startswith("train"), split))}
