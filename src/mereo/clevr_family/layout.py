"""How official folders of CLEVR's family are laid out, so that all of one is imported at once.

`scenes/CLEVR_train_scenes.json`, or a folder `scenes/train` of one-scene files; `questions/CLEVR_train_questions.json`,
or `refexps/clevr_ref+_train_refexps.json`; `images/train`. A split may have no questions, or several files of them, as
SHOP-VRB's has `SHOP_VRB_train_text_questions.json` besides. One without scenes, such as CLEVR's own test, of which only
pictures and questions are published, cannot be imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mereo.datasets.format import Layout, OfficialSplit
from mereo.errors import BadInput

__all__ = ["family_layout"]

_KINDS = ("questions", "refexps")


def family_layout(folder: Path) -> Layout:
    """The files of an official folder by split."""
    scenes = {split: paths[0] for split, paths in _by_split(folder, "scenes").items()}
    if not scenes:
        raise BadInput("has no scenes/*_scenes.json and no folders of scenes: name the files instead", file=folder)
    asked = {split: paths for kind in _KINDS for split, paths in _by_split(folder, kind, tuple(scenes)).items()}
    complaints = [
        f"{path}: is left out, since there are no scenes of {split}"
        for split, paths in asked.items()
        if split not in scenes
        for path in paths
    ]
    splits = []
    for split, path in scenes.items():
        first, *more = asked.get(split, [None])
        splits.append(OfficialSplit(path, first, split, tuple(filter(None, more))))
    return Layout(splits, folder / "images" if (folder / "images").is_dir() else None, complaints)


def _by_split(folder: Path, kind: str, splits: Sequence[str] = ()) -> dict[str, list[Path]]:
    """The files or folders of one kind, train first and then by name.

    splits : those that are known, by which a file is known that has more words in its name
    """
    ending = f"_{kind}.json"
    found: dict[str, list[Path]] = {}
    for path in sorted((folder / kind).glob(f"*{ending}")):
        words = path.name.removesuffix(ending).split("_")
        found.setdefault(next((word for word in reversed(words) if word in splits), words[-1]), []).append(path)
    found |= {path.name: [path] for path in (folder / kind).glob("*") if path.is_dir()}
    return {split: found[split] for split in sorted(found, key=lambda split: (not split.startswith("train"), split))}
