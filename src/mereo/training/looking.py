"""What all who look at pictures and tell things share: what detectors are sure of, and what networks say of it.

Scenes are given by their places in a split; where none are given, all are looked at.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.masks import Pixels
from mereo.training.seeing import COUNTS, Level, Seen, SeenThing

if TYPE_CHECKING:
    from torch import Tensor

    from mereo.models.attributes import Attributes
    from mereo.models.dense import Sighting
    from mereo.models.detect import Detector
    from mereo.models.grouping import Instances
    from mereo.models.kinds import Batch
    from mereo.training.corpus import Corpus
    from mereo.training.row import Desk
    from mereo.training.things import Things

__all__ = [
    "Found",
    "found_by",
    "found_in_truth",
    "looked_ahead",
    "pictures_of",
    "seen_instances",
    "seen_thing",
    "seen_truly",
    "sightings_of",
    "told_of",
]

_PIXELS, _THINGS = 32 * 213 * 320, 256
"""Pixels, and things, that are looked at together: as many pictures as have so many pixels."""
_SURE = 0.5
"""How sure a detector must be of what it found."""
_SAME = 0.8
"""What shares so much of its pixels with something surer is the same."""
_AHEAD = 4
"""Lots of pictures that are looked at side by side."""


class Found(NamedTuple):
    """What a detector found in one picture."""

    masks: Sequence[Pixels]
    scores: Sequence[float]


def pictures_of(desk: Desk, split: str, scenes: Sequence[int] | None = None) -> Iterator[tuple[Sequence[int], Tensor]]:
    """Some scenes, and their pictures (g, 3, h, w) float, 0 to 1."""
    pictures = desk.corpus.pictures(split)
    wanted = range(len(pictures)) if scenes is None else scenes
    together = max(1, _PIXELS // (pictures.shape[2] * pictures.shape[3]))
    for start in range(0, len(wanted), together):
        some = wanted[start : start + together]
        yield some, pictures[[*some]].float().div(255)


def looked_ahead(
    look: Callable[[Sequence[int], Tensor], Sequence[Seen]], lots: Iterable[tuple[Sequence[int], Tensor]]
) -> Iterator[Seen]:
    """What is seen in lots of pictures, in their order. Some lots are looked at by other threads in the meantime.

    Whoever looks at crops works on the processor and on the device in turns, so that either would wait for the other.
    """
    with ThreadPoolExecutor(_AHEAD) as hands:
        waiting: deque[Future[Sequence[Seen]]] = deque()
        for lot in lots:
            waiting.append(hands.submit(look, *lot))
            if len(waiting) > _AHEAD:
                yield from waiting.popleft().result()
        yield from chain.from_iterable(one.result() for one in waiting)


def sightings_of(
    desk: Desk, split: str, scenes: Sequence[int] | None = None
) -> Iterator[tuple[tuple[int, int], Sighting]]:
    """The height and width of some scenes' pictures, and what the dense network finds in them, scene by scene."""
    from mereo.training.device import mixed

    network: Any = desk.networks["perception"]
    network.eval()
    for _, pictures in pictures_of(desk, split, scenes):
        size = (pictures.shape[2], pictures.shape[3])
        with mixed(desk.device):
            found = network.look(pictures)
        yield from ((size, one) for one in found)


def found_in_truth(things: Things, place: int) -> Found:
    """The masks of a scene's things."""
    import torch

    from mereo.training.crops import shown_by

    numbers = things.present[place].nonzero()[:, 0]
    masks = shown_by(things, torch.full_like(numbers, place), numbers).cpu().numpy()
    return Found([*masks], [1.0] * len(masks))


def seen_truly(corpus: Corpus, split: str, scene: int) -> Seen:
    """What an eye without fault would see of the objects of a scene: true masks, words and numbers."""
    row, seeing = corpus.rows(split)[scene], corpus.seeing
    assert seeing is not None, "whoever sees knows what is to be seen"
    world, things = corpus.inspector.world(row), corpus.things(split, "object")
    numbers, names = seeing.numbers(row, world), seeing.levels["object"].words
    entities = things.entity[scene][things.present[scene]].tolist()

    def seen(k: int, mask: Pixels) -> SeenThing:
        own = world.entities[k].attributes
        words = {name: own[name] for name in names if name in own}
        return SeenThing(mask, words, {name: each[k] for name, each in numbers.items()})

    return Seen(corpus.size, [seen(*one) for one in zip(entities, found_in_truth(things, scene).masks, strict=True)])


def found_by(detector: Detector, pictures: Tensor) -> list[Found]:
    """What a detector is sure of, each thing once."""
    import torch

    detector.eval()
    found = detector.find(pictures)
    with torch.autocast(pictures.device.type, enabled=False):  # pixels are counted
        return [_each_once(masks, scores) for masks, scores in found]


def _each_once(masks: Tensor, scores: Tensor) -> Found:
    """Of masks (n, h, w) those that are sure, surest first, and that no surer one shares most of its pixels with."""
    order = scores.argsort(descending=True)
    order = order[scores[order] >= _SURE]
    masks = masks[order].bool()
    flat = masks.flatten(1).float()
    both = flat @ flat.T
    areas = both.diagonal()
    same = (both > _SAME * (areas[:, None] + areas - both)).cpu().numpy()
    there = (areas > 0).cpu().numpy()
    kept: list[int] = []
    for place in range(len(order)):
        if there[place] and not same[place, kept].any():
            kept.append(place)
    return Found([*masks[kept].cpu().numpy()], scores[order[kept]].tolist())


def told_of(
    network: Attributes,
    pictures: Tensor,
    of: Sequence[int],
    masks: Sequence[Pixels],
    wholes: Sequence[Pixels] = (),
    known: Sequence[int] = (),
) -> Iterator[dict[str, NDArray[Any]]]:
    """What a network says of things, one after the other.

    of : the picture of each · wholes, known : for parts the masks of their objects and what these are, -1 for none
    """
    for start in range(0, len(of), _THINGS):
        some = slice(start, start + _THINGS)
        batch = _batch(pictures, of[some], masks[some], wholes[some], known[some])
        said = {name: one.cpu().numpy() for name, one in network.tell(batch).items()}
        for place in range(len(of[some])):
            yield {name: one[place] for name, one in said.items()}


def _batch(
    pictures: Tensor, of: Sequence[int], masks: Sequence[Pixels], wholes: Sequence[Pixels], known: Sequence[int]
) -> Batch:
    import torch

    from mereo.models.crops import boxes_around, widened
    from mereo.training.crops import CONTEXT

    def tensor(values: Any) -> Tensor:
        return torch.as_tensor(np.asarray(values)).to(pictures.device)

    mask = tensor(np.stack(masks))
    found = {"picture": pictures[tensor(of)], "mask": mask, "box": boxes_around(mask)}
    if len(wholes):
        around, kind = tensor(np.stack(wholes)), tensor(known)
        near = torch.where((kind >= 0)[:, None], boxes_around(around), widened(found["box"], CONTEXT))
        found |= {"whole_mask": around, "whole_box": near, "known": kind}
    return found


def seen_thing(
    own: Level, mask: Pixels, said: Mapping[str, NDArray[Any]], *, whole: int | None = None, score: float = 1.0
) -> SeenThing:
    """A thing that is what is likeliest. said : by attribute how likely each of its values is, by name numbers"""
    words: dict[str, str | tuple[str, ...] | None] = {
        name: values[int(np.argmax(said[name]))] for name, values in own.words.items() if name in said
    }
    for name, values in own.several.items():
        if name in said:
            words[name] = tuple(value for value, odds in zip(values, said[name], strict=True) if odds > 0.5)
    odds = {name: np.asarray(said[name], np.float32) for name in (*own.words, *own.several) if name in said}
    numbers = {name: np.asarray(said[name], np.float32) for name in (*own.numbers, COUNTS) if name in said}
    return SeenThing(mask, words, numbers, whole, score, odds)


def seen_instances(own: Level, found: Instances) -> list[SeenThing]:
    """The instances of a level that a dense network found, as things."""
    masks, scores, wholes = found.masks.cpu().numpy(), found.scores.tolist(), found.whole.tolist()
    told = {**found.words, **found.several, **found.numbers}
    said = {name: one.float().cpu().numpy() for name, one in told.items()}
    return [
        seen_thing(
            own,
            np.asarray(mask, bool),
            {name: one[place] for name, one in said.items()},
            whole=wholes[place] if wholes[place] >= 0 else None,
            score=scores[place],
        )
        for place, mask in enumerate(masks)
    ]
