"""NS-VQA's eyes: objects and parts that detectors found, described top-down and bottom-up by attribute networks.

Objects are named first, parts then in the light of what their objects are. Parts of objects that nobody found are named
without, and tell what their objects are; then they are named again in the light of these. g pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from mereo.benchmarks.ptr.learning.chain import attach, category_of_parts, group, restricted
from mereo.benchmarks.ptr.learning.levels import LEVELS, PARTS_OF
from mereo.masks import Pixels
from mereo.models.attributes import Attributes
from mereo.training.looking import Found, seen_thing, told_of
from mereo.training.seeing import Seen

__all__ = ["Eyes"]

_CATEGORIES, _NAMES = LEVELS["object"].words["category"], LEVELS["part"].words["part"]

Told = dict[str, NDArray[Any]]


@dataclass
class _Things:
    """Things of one picture, and what is said of each."""

    masks: list[Pixels]
    scores: list[float]
    whole: list[int | None] = field(default_factory=list)
    said: list[Told] = field(default_factory=list)


class Eyes:
    """Describes what was found."""

    def __init__(self, objects: Attributes, parts: Attributes):
        self.objects, self.parts = objects, parts

    def see(self, pictures: Tensor, objects: Sequence[Found], parts: Sequence[Found]) -> list[Seen]:
        """What there is in pictures (g, 3, h, w) float, 0 to 1. objects, parts : what was found in each"""
        size = (pictures.shape[2], pictures.shape[3])
        scenes = []
        for things, found in zip(objects, parts, strict=True):
            attached = attach(things.masks, found.masks)
            own = _Things(attached.objects, [*things.scores])
            scenes.append((own, _Things([*found.masks], [*found.scores], attached.whole)))
        self._describe_objects(pictures, [own for own, _ in scenes])
        self._describe_parts(pictures, scenes)
        for own, pieces in scenes:
            _rebuild(own, pieces)
        self._describe_objects(pictures, [own for own, _ in scenes])
        return [_seen(size, own, pieces) for own, pieces in scenes]

    def _describe_objects(self, pictures: Tensor, scenes: Sequence[_Things]) -> None:
        """Say what objects are of which nothing is said yet, or only what they are."""
        new = [(k, own, j) for k, own in enumerate(scenes) for j in range(len(own.masks)) if not _whole(own, j)]
        told = told_of(self.objects, pictures, [k for k, _, _ in new], [own.masks[j] for _, own, j in new])
        for (_, own, j), said in zip(new, told, strict=True):
            if j < len(own.said):
                own.said[j] = {**said, **own.said[j]}
            else:
                own.said.append(said)

    def _describe_parts(self, pictures: Tensor, scenes: Sequence[tuple[_Things, _Things]]) -> None:
        of, masks, wholes, known = [], [], [], []
        for k, (own, pieces) in enumerate(scenes):
            for mask, whole in zip(pieces.masks, pieces.whole, strict=True):
                of.append(k)
                masks.append(mask)
                wholes.append(own.masks[whole] if whole is not None else np.zeros_like(mask))
                known.append(int(own.said[whole]["category"].argmax()) if whole is not None else -1)
        told = told_of(self.parts, pictures, of, masks, wholes, known)
        for _, pieces in scenes:
            pieces.said += [next(told) for _ in pieces.masks]


def _whole(own: _Things, j: int) -> bool:
    """Whether all is said of a thing."""
    return j < len(own.said) and len(own.said[j]) > 1


def _rebuild(own: _Things, pieces: _Things) -> None:
    """Make objects of parts that belong to none, and name all parts by what their objects can have."""
    alone = [place for place, whole in enumerate(pieces.whole) if whole is None]
    for together in group([pieces.masks[place] for place in alone]):
        places = [alone[k] for k in together]
        odds = np.stack([pieces.said[place]["part"] for place in places])
        category = _CATEGORIES.index(category_of_parts(odds, _NAMES, PARTS_OF))
        own.masks.append(np.any([pieces.masks[place] for place in places], 0))
        own.scores.append(float(np.mean([pieces.scores[place] for place in places])))
        own.said.append({"category": np.eye(len(_CATEGORIES), dtype=np.float32)[category]})
        for place in places:
            pieces.whole[place] = len(own.masks) - 1
    for whole, said in zip(pieces.whole, pieces.said, strict=True):
        assert whole is not None
        category = int(own.said[whole]["category"].argmax())
        said["part"] = restricted(said["part"], _NAMES, PARTS_OF[_CATEGORIES[category]])


def _seen(size: tuple[int, int], own: _Things, pieces: _Things) -> Seen:
    whole, part = LEVELS["object"], LEVELS["part"]
    return Seen(
        size,
        [seen_thing(whole, *one[:2], score=one[2]) for one in zip(own.masks, own.said, own.scores, strict=True)],
        [
            seen_thing(part, mask, said, whole=of, score=score)
            for mask, said, of, score in zip(pieces.masks, pieces.said, pieces.whole, pieces.scores, strict=True)
        ],
    )
