"""What referring is learned from: pictures with expressions, and what each of these means, as things and as a mask."""

from __future__ import annotations

from typing import Literal

import numpy as np
import torch
from torch import Tensor

from mereo.datasets.asked import Selection
from mereo.errors import BadInput
from mereo.models.kinds import Batch
from mereo.models.sight import cells_of
from mereo.training.augment import Change
from mereo.training.corpus import Corpus
from mereo.training.lexicon import Lexicon
from mereo.training.sources import QuestionSource

__all__ = ["Meaning", "ReferSource", "meant_entities"]

_USUAL = Change()

Meaning = Literal["any", "some", "one"]
"""Which expressions are wanted: all, those that mean something, or those that mean one thing."""


def meant_entities(corpus: Corpus, split: str) -> list[list[int]]:
    """For every expression of a split the entities that are meant, by their places in the world."""
    asked = corpus.asked.with_columns("referred")
    own = asked.take(asked.chosen(Selection((split,))))
    return [steps[-1] if steps else [] for steps in own.words("referred")]


class ReferSource:
    """Expressions with the pictures they are about, as a `QuestionSource` has them, and with what they mean.

    What its fields are besides stands in `training/fields.py`: `boxes`, `boxes_present`, `target`, `meant`, `covered`.

    meaning : which expressions · detail : pixels of the picture to a side of a cell of masks, none where it is None
    things : whether `covered` is wanted, the masks of all things
    """

    def __init__(
        self,
        corpus: Corpus,
        split: str,
        lexicon: Lexicon,
        *,
        together: int = 1,
        meaning: Meaning = "some",
        detail: int | None = 4,
        things: bool = False,
        change: Change = _USUAL,
    ):
        self.levels, self.things, self.together = tuple(corpus.levels), things, together
        self.grid = None if detail is None else grid_of(corpus.size, detail)
        meant = meant_entities(corpus, split)
        most = 1 + max((max(own) for own in meant if own), default=0)
        table = np.zeros((len(meant), most), bool)
        for place, own in enumerate(meant):
            table[place, own] = True
        self._meant = torch.from_numpy(table).to(corpus.device)
        counts = self._meant.sum(1)
        wanted = {"any": counts >= 0, "some": counts > 0, "one": counts == 1}[meaning]
        only = wanted.nonzero()[:, 0]
        self._own = QuestionSource(
            corpus, split, lexicon, together=together, levels=self.levels, only=only, change=change
        )
        self.questions = self._own.questions

    def __len__(self) -> int:
        return len(self._own)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The examples at some places; with chance other expressions of their scenes, and pictures changed a little."""
        found = self._own.batch(places, chance=chance)
        kept = ("question", "place", "scene_of", "scene", "picture")
        present = torch.cat([found[f"{level}_present"] for level in self.levels], 1)
        entity = torch.cat([found[f"{level}_entity"] for level in self.levels], 1)
        target = self._targets(found["place"], entity[found["scene_of"]]) & present[found["scene_of"]]
        batch = {
            **{name: found[name] for name in kept},
            "entity": entity,
            "boxes": torch.cat([found[f"{level}_boxes"] for level in self.levels], 1),
            "boxes_present": present,
            "target": target,
        }
        if self.grid is not None:
            covered = torch.cat([_covered(found, level, self.grid) for level in self.levels], 1)
            batch["meant"] = meant_cells(covered, target)
            if self.things:
                batch["covered"] = covered
        return batch

    def examples(self, questions: Tensor) -> Tensor:
        """The places of the examples of some expressions of the split, where each is asked alone."""
        return self._own.examples(questions)

    def name(self, place: int) -> str:
        """The id of an expression or, where several are together, of their scene."""
        return self._own.name(place)

    def _targets(self, places: Tensor, entity: Tensor) -> Tensor:
        """(b, k) bool: which things are meant. entity : (b, k), -1 where there is none"""
        known = (entity >= 0) & (entity < self._meant.shape[1])
        return self._meant[places].gather(1, torch.where(known, entity, 0)) & known


def grid_of(size: tuple[int, int], detail: int) -> tuple[int, int]:
    """Rows and columns of cells that are so many pixels high and wide. size : height and width of pictures"""
    if detail < 1 or detail > min(size):
        raise BadInput(f"must be from 1 to {min(size)}, the height of pictures, not {detail}", field="detail")
    return -(-size[0] // detail), -(-size[1] // detail)


def _covered(found: Batch, level: str, grid: tuple[int, int]) -> Tensor:
    """(g, k, rows, columns): which share of each cell the things of a level cover, with all that lies within them."""
    ids, outer, count = found[f"{level}_ids"], found[f"{level}_outer"], found[f"{level}_present"].shape[1]
    return cells_of(ids, count, grid) + cells_of(torch.where(outer == ids, 0, outer), count, grid)


def meant_cells(covered: Tensor, target: Tensor) -> Tensor:
    """(b, rows, columns): which share of each cell shows what is meant.

    covered : (g, k, rows, columns) · target : (b, k) bool, as many for each scene, one scene after the other
    """
    each = target.view(len(covered), -1, target.shape[1]).to(covered.dtype)
    meant = each @ covered.flatten(2)
    return meant.clamp(max=1).view(len(target), *covered.shape[2:])
