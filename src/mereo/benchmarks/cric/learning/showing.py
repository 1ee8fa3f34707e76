"""Where CRIC's models looked, painted into the boxes that they looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mereo.datasets.sights import Looks
from mereo.training.corpus import Questions
from mereo.training.lexicon import split_words

__all__ = ["looks_at", "painted_looks"]

_AT_ONCE = 64
_CELL = 8
"""Pixels of the picture across a place of a map."""

Asked = tuple[Tensor, Tensor, Tensor | None, list[str] | None]
"""Of a question: boxes (k, 4), how much of each of s looks they have (s, k), how much each step reads of words or items
(s, n), and what these are, where not the words of the question."""


def painted_looks(
    questions: Questions,
    places: Sequence[int],
    size: tuple[int, int],
    ask: Callable[[Tensor], Iterable[Asked]],
) -> Iterator[Looks]:
    """Looks at regions of some questions. size : height and width of the pictures"""
    for some in torch.tensor(places, device=questions.scene.device).split(_AT_ONCE):
        for place, (boxes, at, read, texts) in zip(some.tolist(), ask(some), strict=True):
            words = split_words(questions.texts[place]) if texts is None else texts
            yield looks_at(questions.ids[place], boxes, at, size, words=words, read=read)


def looks_at(
    question_id: str,
    boxes: Tensor,
    at: Tensor,
    size: tuple[int, int],
    *,
    words: Sequence[str] = (),
    read: Tensor | None = None,
) -> Looks:
    """Looks at boxes as maps: a place has what the box that is looked at most has there."""
    maps = _painted(boxes.cpu().numpy(), at.cpu().numpy(), size)
    most = at.amax(-1).tolist()
    whole = np.rint(255 * maps / np.maximum(maps.max((1, 2), keepdims=True), 1e-9)).astype(np.uint8)
    if read is None:
        return Looks(question_id, whole, tuple(most))
    shares = np.rint(255 * read[:, : len(words)].cpu().numpy()).astype(np.uint8)
    return Looks(question_id, whole, tuple(most), tuple(words), shares)


def _painted(boxes: NDArray[np.float32], at: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    """(s, rows, columns). boxes : (k, 4) · at : (s, k)"""
    rows, columns = (max(1, extent // _CELL) for extent in size)
    maps = np.zeros((len(at), rows, columns), np.float32)
    scale = np.array([columns / size[1], rows / size[0]])
    for k, box in enumerate(boxes):
        left, top = np.floor(box[:2] * scale).astype(int)
        right, bottom = np.maximum(np.ceil((box[:2] + box[2:]) * scale).astype(int), (left + 1, top + 1))
        inside = maps[:, top:bottom, left:right]
        np.maximum(inside, at[:, k, None, None] * bool(box[2:].any()), out=inside)
    return maps
