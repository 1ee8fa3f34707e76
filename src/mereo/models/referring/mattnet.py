"""MAttNet: what it is, where it is and what is beside it, each by the words that speak of that (Yu et al. 2018).

Three modules choose their words by attention and score every candidate; how much each module counts follows from the
expression as a whole. Boxes are the true ones. Unlike in the paper candidates compete by a softmax and not by margins,
and no module is taught attributes. b expressions, n words, k candidates, p points of each, d numbers.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch, Question
from mereo.models.layers import attended, mixed, shares
from mereo.models.referring.choosing import Candidates, Choosing, Regarded
from mereo.models.words import Words

__all__ = ["MAttNet"]

_MODULES = ("subject", "location", "relationship")
_ABSENT = -1e4
_SHARP = 10.0
"""How much a cosine counts in the softmax over candidates."""


class MAttNet(Choosing):
    """Scores candidates by three modules."""

    reads = ("picture", "scene_of", "question", "boxes", "boxes_present", "target")

    def __init__(self, words: Words, candidates: Candidates, *, width: int):
        super().__init__()
        self.words, self.candidates = words, candidates
        self.attention = nn.Linear(width, len(_MODULES))
        self.weights = nn.Linear(width, len(_MODULES))
        self.look = nn.Linear(width, width)
        self.beside = mixed(width + 5, width, width)
        self.seen = nn.ModuleDict({name: mixed(width, width, width) for name in _MODULES})
        self.said = nn.ModuleDict({name: mixed(width, width, width) for name in _MODULES})

    def scores(self, batch: Batch) -> Tensor:
        """The weighted sum of what the modules say."""
        regarded, question = self.candidates(batch), self.words(batch["question"])
        own = Regarded(*(one[batch["scene_of"]] for one in regarded))
        phrases = self._phrases(question)
        each = torch.stack(
            [
                self._fit("subject", phrases["subject"], self._subject(phrases["subject"], own)),
                self._fit("location", phrases["location"], own.where),
                self._relationship(phrases["relationship"], own),
            ],
            -1,
        )
        weighed = (each * self.weights(question.whole).float().softmax(-1)[:, None]).sum(-1)
        return _SHARP * weighed.masked_fill(~own.present, _ABSENT)

    def _phrases(self, question: Question) -> dict[str, Tensor]:
        """By module (b, d): the words that it chooses."""
        scores = self.attention(question.words).mT
        weights = shares(scores, question.present[:, None])
        return {name: attended(weights[:, place], question.words) for place, name in enumerate(_MODULES)}

    def _subject(self, phrase: Tensor, own: Regarded) -> Tensor:
        """(b, k, d): the points of each candidate that the phrase looks at, and all of it."""
        scores = torch.einsum("bkpd,bd->bkp", own.points, self.look(phrase)) * phrase.shape[-1] ** -0.5
        return own.whole + torch.einsum("bkp,bkpd->bkd", scores.float().softmax(-1).to(own.points.dtype), own.points)

    def _relationship(self, phrase: Tensor, own: Regarded) -> Tensor:
        """(b, k): how well the best other candidate, as it lies beside this one, fits the phrase."""
        count = own.present.shape[1]
        others = own.whole[:, None].expand(-1, count, -1, -1)
        beside = self.beside(torch.cat([others, own.apart.to(others.dtype)], -1))
        fits = self._fit("relationship", phrase, beside.flatten(1, 2)).view(-1, count, count)
        self_ = torch.eye(count, dtype=torch.bool, device=fits.device)
        fits = fits.masked_fill(~own.present[:, None] | self_, -1.0)
        return fits.amax(-1)

    def _fit(self, module: str, phrase: Tensor, seen: Tensor) -> Tensor:
        """(b, m): cosines. phrase : (b, d) · seen : (b, m, d)"""
        one = functional.normalize(self.said[module](phrase).float(), dim=-1)
        other = functional.normalize(self.seen[module](seen).float(), dim=-1)
        return torch.einsum("bd,bmd->bm", one, other)
