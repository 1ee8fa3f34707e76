"""Where a network looked and what it saw, as it is kept for people to see.

b questions, s steps, m cells of memory, n words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mereo.datasets.seen import overlaid
from mereo.datasets.sights import Looks, SeenScene
from mereo.models.answering import Reply
from mereo.training.corpus import Questions
from mereo.training.lexicon import split_words
from mereo.training.row import Desk
from mereo.training.seeing import Seen

__all__ = ["grids", "looks_of", "scenes_of", "scenes_seen"]

_AT_ONCE = 64
"""Questions whose looks are worked out together."""


def grids(reply: Reply) -> Tensor | None:
    """(b, s, rows, columns): where was looked; None without attention, or where what was looked at is no grid."""
    attention = reply.thought.attention
    return None if attention is None or reply.grid is None else attention.float().unflatten(-1, reply.grid)


def looks_of(
    questions: Questions, places: Sequence[int], ask: Callable[[Tensor], tuple[Tensor | None, Tensor | None]]
) -> Iterator[Looks]:
    """Where was looked for some questions.

    ask : gives for the questions at some places (b,) where each step looked (b, s, rows, columns), and which words it
        chose (b, s, n); None where that is not known
    """
    for some in torch.tensor(places, device=questions.scene.device).split(_AT_ONCE):
        maps, read = ask(some)
        if maps is None:
            return
        where = maps.float().cpu().numpy()
        said = None if read is None else read.float().cpu().numpy()
        for number, place in enumerate(some.tolist()):
            words = split_words(questions.texts[place])
            yield _looks(questions.ids[place], where[number], words, None if said is None else said[number])


def _looks(
    question_id: str, maps: NDArray[np.float32], words: Sequence[str], read: NDArray[np.float32] | None
) -> Looks:
    """maps : (s, rows, columns) · read : (s, n), of which the first are of these words"""
    most = maps.max((1, 2))
    whole = np.rint(255 * maps / np.maximum(most, 1e-9)[:, None, None]).astype(np.uint8)
    if read is None:
        return Looks(question_id, whole, tuple(most.tolist()))
    shares = np.rint(255 * read[:, : len(words)]).astype(np.uint8)
    return Looks(question_id, whole, tuple(most.tolist()), tuple(words), shares)


def scenes_of(desk: Desk, split: str, places: Sequence[int]) -> list[int]:
    """The places of the scenes that some questions are about, each once."""
    about = desk.corpus.questions(split, desk.lexicon).scene[list(places)]
    return sorted(set(about.tolist()))


def scenes_seen(desk: Desk, split: str, scenes: Sequence[int], seen: Iterable[Seen]) -> Iterator[SeenScene]:
    """What was seen of some scenes, and the worlds that follow. scenes : their places; seen : of each"""
    names, seeing = desk.corpus.scene_ids(split), desk.corpus.seeing
    assert seeing is not None, "who sees things knows what follows"
    for scene, one in zip(scenes, seen, strict=True):
        world, shown = seeing.world(one), seeing.shown(one)
        ids, instances = overlaid(shown) if len(shown) else (np.zeros(one.size, np.uint16), [])
        yield SeenScene(names[scene], world, ids, instances)
