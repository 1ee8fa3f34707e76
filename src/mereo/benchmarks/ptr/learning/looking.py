"""Looking at pictures of a split: by detectors and attribute networks, by the dense network, or by the truth.

Scenes are given by their places in the split; where none are given, all are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mereo.benchmarks.ptr.learning.nesting import with_wholes
from mereo.benchmarks.ptr.learning.said import seen_thing
from mereo.benchmarks.ptr.learning.truth import seen_of_truth
from mereo.datasets.reading import split_rows
from mereo.training.seeing import Seen, SeenThing

if TYPE_CHECKING:
    from torch import Tensor

    from mereo.benchmarks.ptr.learning.eyes import Found
    from mereo.models.detect import Detector
    from mereo.training.row import Desk
    from mereo.training.things import Things

__all__ = ["look_at_crops", "look_at_pixels", "look_at_truth"]

_AT_ONCE = 32
"""Pictures that are looked at together."""
_SURE = 0.5
"""How sure a detector must be of what it found."""
_SAME = 0.8
"""What shares so much of its pixels with something surer is the same."""


def look_at_crops(desk: Desk, split: str, scenes: Sequence[int] | None = None) -> Iterator[Seen]:
    """NS-VQA's way, scene by scene. Its choices `masks` and `attributes` put the truth in place of what is seen."""
    if desk.choices.get("attributes"):
        # How large masks are stands in the records; only who shows some scenes wants their shapes.
        everything = scenes is None
        yield from map(seen_of_truth, desk.corpus.rows(split)) if everything else look_at_truth(desk, split, scenes)
        return
    from mereo.benchmarks.ptr.learning.eyes import Eyes
    from mereo.training.device import mixed

    networks: dict[str, Any] = dict(desk.networks)
    eyes = Eyes(networks["object_attributes"], networks["part_attributes"])
    for places, pictures in _pictures(desk, split, scenes):
        with mixed(desk.device):
            found = []
            for level in ("object", "part"):
                if desk.choices.get("masks"):
                    things = desk.corpus.things(split, level)
                    found.append([_true(things, place) for place in places])
                else:
                    found.append(_found(networks[f"{level}s"], pictures))
            seen = eyes.see(pictures, *found)
        yield from map(with_wholes, seen)


def look_at_pixels(desk: Desk, split: str, scenes: Sequence[int] | None = None) -> Iterator[Seen]:
    """The dense network's way, scene by scene."""
    from mereo.training.device import mixed

    network: Any = desk.networks["perception"]
    network.eval()
    for _, pictures in _pictures(desk, split, scenes):
        size = (pictures.shape[2], pictures.shape[3])
        with mixed(desk.device):
            sightings = network.look(pictures)
        for objects, parts in sightings:
            yield with_wholes(Seen(size, _seen("object", objects), _seen("part", parts)))


def look_at_truth(desk: Desk, split: str, scenes: Sequence[int] | None = None) -> Iterator[Seen]:
    """What an eye without fault would see, scene by scene."""
    corpus = desk.corpus
    if scenes is None:
        yield from map(seen_of_truth, split_rows(corpus.folder, corpus.manifest, [split], heavy=("instances",)))
    else:
        yield from (seen_of_truth(corpus.whole_row(split, scene)) for scene in scenes)


def _pictures(desk: Desk, split: str, scenes: Sequence[int] | None) -> Iterator[tuple[Sequence[int], Tensor]]:
    """Some scenes, and their pictures (g, 3, h, w) float, 0 to 1."""
    pictures = desk.corpus.pictures(split)
    wanted = range(len(pictures)) if scenes is None else scenes
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        yield some, pictures[[*some]].float().div(255)


def _true(things: Things, place: int) -> Found:
    """The masks of a scene's things."""
    import torch

    from mereo.benchmarks.ptr.learning.eyes import Found
    from mereo.training.crops import shown_by

    numbers = things.present[place].nonzero()[:, 0]
    masks = shown_by(things, torch.full_like(numbers, place), numbers).cpu().numpy()
    return Found([*masks], [1.0] * len(masks))


def _found(detector: Detector, pictures: Tensor) -> list[Found]:
    """What a detector is sure of, each thing once."""
    from mereo.benchmarks.ptr.learning.eyes import Found

    detector.eval()
    result = []
    for masks, scores in detector.find(pictures):
        order = scores.argsort(descending=True)
        order = order[scores[order] >= _SURE]
        kept: list[int] = []
        flat = masks.flatten(1).float()
        for place in order.tolist():
            both = flat[kept] @ flat[place]
            either = (flat[kept] + flat[place] > 0).sum(1)
            if flat[place].any() and not (both > _SAME * either).any():
                kept.append(place)
        result.append(Found([*masks[kept].bool().cpu().numpy()], scores[kept].tolist()))
    return result


def _seen(level: str, found: Any) -> list[SeenThing]:
    """The instances that the dense network found, as things."""
    masks, scores, wholes = found.masks.cpu().numpy(), found.scores.tolist(), found.whole.tolist()
    told = {**found.words, **found.several, **found.numbers}
    said = {name: one.float().cpu().numpy() for name, one in told.items()}
    return [
        seen_thing(
            level,
            np.asarray(mask, bool),
            {name: one[place] for name, one in said.items()},
            whole=wholes[place] if level == "part" and wholes[place] >= 0 else None,
            score=scores[place],
        )
        for place, mask in enumerate(masks)
    ]
