"""How well a run sees: average precision of objects and parts, and how often what it says of them is right."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from mereo.benchmarks.ptr.learning.levels import LEVELS
from mereo.benchmarks.ptr.numbers import VISIBLE_PART
from mereo.masks import encode, stretched
from mereo.training.matching import matched
from mereo.training.seeing import Seen, SeenThing

__all__ = ["sharpness"]

_OVERLAP = 0.5
"""Of what two things cover, the share that both must for one to be the other, as AP50 has it."""
_CALLED = {"object": "category", "part": "part"}
_SIZES = {"small": 4.0, "middling": 16.0, "large": np.inf}
"""Parts by their pixels, up to so many times as many as the least that are asked about: 100 and 400 at 480x320."""
_MOST = 1000
"""Things of a picture that are looked at, the surest first: more than there ever are."""


def sharpness(pairs: Iterable[tuple[Seen, Seen]]) -> dict[str, float]:
    """Of scenes as they were seen and as they are, by name, each between 0 and 1.

    `object AP50`, `part AP50` : average precision at an overlap of one half, whatever the things are called; parts that
    are too small to be asked about count neither way · `object found`, `part found` : the share of those that are there
    `part found, small` and so on : the same by size, see `_SIZES`
    `object category`, `part color` and so on : of those that were found, the share of which that is said rightly
    """
    scenes = [*pairs]
    found: dict[str, float] = {}
    for level in LEVELS:
        seen = [_things(one, level) for one, _ in scenes]
        true = [_large(_things(one, level), one.size) for _, one in scenes]
        found[f"{level} AP50"] = _average_precision(seen, [_things(one, level) for _, one in scenes])
        partners = [
            matched(mine, theirs, called=_CALLED[level], least=_OVERLAP)
            for mine, theirs in zip(seen, true, strict=True)
        ]
        found |= _rightly(level, seen, true, partners)
        if level == "part":
            found |= _by_size(true, partners)
    return found


def _things(seen: Seen, level: str) -> Sequence[SeenThing]:
    return seen.objects if level == "object" else seen.parts


def _least(size: tuple[int, ...]) -> float:
    """Pixels from which on a part is asked about."""
    return VISIBLE_PART * size[0] * size[1]


def _large(things: Sequence[SeenThing], size: tuple[int, int]) -> list[SeenThing]:
    return [thing for thing in things if thing.mask.sum() >= _least(size)]


def _rightly(
    level: str,
    seen: Sequence[Sequence[SeenThing]],
    true: Sequence[Sequence[SeenThing]],
    partners: Sequence[Mapping[int, int]],
) -> dict[str, float]:
    """How many were found, and of these how many have the right words. partners : as `matched` tells them"""
    told: dict[str, list[bool]] = {name: [] for name in LEVELS[level].words}
    for mine, theirs, pairs in zip(seen, true, partners, strict=True):
        for one, other in pairs.items():
            for name, rightly in told.items():
                if (word := theirs[one].words.get(name)) is not None:
                    rightly.append(mine[other].words.get(name) == word)
    shares = {f"{level} {name}": float(np.mean(rightly)) for name, rightly in told.items() if rightly}
    return {f"{level} found": sum(map(len, partners)) / max(sum(map(len, true)), 1), **shares}


def _by_size(true: Sequence[Sequence[SeenThing]], partners: Sequence[Mapping[int, int]]) -> dict[str, float]:
    """How many parts of each size were found."""
    hits: dict[str, list[bool]] = {name: [] for name in _SIZES}
    for theirs, pairs in zip(true, partners, strict=True):
        for place, part in enumerate(theirs):
            size = part.mask.sum() / _least(part.mask.shape)
            hits[next(name for name, most in _SIZES.items() if size < most)].append(place in pairs)
    return {f"part found, {name}": float(np.mean(own)) for name, own in hits.items() if own}


def _average_precision(seen: Sequence[Sequence[SeenThing]], true: Sequence[Sequence[SeenThing]]) -> float:
    """As COCO reckons it."""
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    size = next((thing.mask.shape for scene in (*seen, *true) for thing in scene), (1, 1))
    truth = [_annotation(scene, thing, size) for scene, things in enumerate(true, 1) for thing in things]
    said = [
        {**_annotation(scene, thing, size), "score": thing.score}
        for scene, things in enumerate(seen, 1)
        for thing in things
    ]
    if not truth or not said:
        return 0.0
    with contextlib.redirect_stdout(io.StringIO()):  # it tells how long it takes
        coco = COCO()
        images = [{"id": scene, "height": size[0], "width": size[1]} for scene in range(1, len(true) + 1)]
        coco.dataset = {
            "info": {},
            "images": images,
            "categories": [{"id": 1, "name": "thing"}],
            "annotations": [{**one, "id": number} for number, one in enumerate(truth, 1)],
        }
        coco.createIndex()
        judge: Any = COCOeval(coco, coco.loadRes(said), "segm")
        judge.params.iouThrs = np.array([_OVERLAP])
        judge.params.maxDets = [_MOST]
        judge.params.areaRng, judge.params.areaRngLbl = [[_least(size), np.inf]], ["all"]
        judge.evaluate()
        judge.accumulate()
    precision = judge.eval["precision"]
    return float(precision[precision >= 0].mean()) if (precision >= 0).any() else 0.0


def _annotation(scene: int, thing: SeenThing, size: tuple[int, int]) -> dict[str, Any]:
    mask = stretched(thing.mask, size)
    return {
        "image_id": scene,
        "category_id": 1,
        "segmentation": encode(mask),
        "area": float(mask.sum()),
        "iscrowd": 0,
    }
