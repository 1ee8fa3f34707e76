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
        of, phrases = batch["scene_of"], self._phrases(question)
        subject = self._subject(phrases["subject"], regarded.points[of], regarded.whole[of])
        # What does not hang on the expression is worked out once for all expressions about a picture.
        where, beside = self._seen("location", regarded.where), self._seen("relationship", self._beside(regarded))
        each = torch.stack(
            [
                self._fit("subject", phrases["subject"], self._seen("subject", subject)),
                self._fit("location", phrases["location"], where[of]),
                self._relationship(phrases["relationship"], beside[of], regarded.present[of]),
            ],
            -1,
        )
        weighed: Tensor = (each * self.weights(question.whole).float().softmax(-1)[:, None]).sum(-1)
        return _SHARP * weighed.masked_fill(~regarded.present[of], _ABSENT)

    def _phrases(self, question: Question) -> dict[str, Tensor]:
        """By module (b, d): the words that it chooses."""
        scores = self.attention(question.words).mT
        weights = shares(scores, question.present[:, None])
        return {name: attended(weights[:, place], question.words) for place, name in enumerate(_MODULES)}

    def _subject(self, phrase: Tensor, points: Tensor, whole: Tensor) -> Tensor:
        """(b, k, d): the points of each candidate that the phrase looks at, and all of it."""
        scores = torch.einsum("bkpd,bd->bkp", points, self.look(phrase)) * phrase.shape[-1] ** -0.5
        return whole + torch.einsum("bkp,bkpd->bkd", scores.float().softmax(-1).to(points.dtype), points)

    def _beside(self, regarded: Regarded) -> Tensor:
        """(g, k * k, d): each other candidate as it lies beside each."""
        others = regarded.whole[:, None].expand(-1, regarded.whole.shape[1], -1, -1)
        found: Tensor = self.beside(torch.cat([others, regarded.apart.to(others.dtype)], -1))
        return found.flatten(1, 2)

    def _relationship(self, phrase: Tensor, beside: Tensor, present: Tensor) -> Tensor:
        """(b, k): how well the best other candidate, as it lies beside this one, fits the phrase."""
        count = present.shape[1]
        fits = self._fit("relationship", phrase, beside).view(-1, count, count)
        itself = torch.eye(count, dtype=torch.bool, device=fits.device)
        return fits.masked_fill(~present[:, None] | itself, -1.0).amax(-1)

    def _seen(self, module: str, seen: Tensor) -> Tensor:
        return functional.normalize(self.seen[module](seen).float(), dim=-1)

    def _fit(self, module: str, phrase: Tensor, seen: Tensor) -> Tensor:
        """(b, m): cosines. phrase : (b, d) · seen : (b, m, d), of length 1"""
        said = functional.normalize(self.said[module](phrase).float(), dim=-1)
        return torch.einsum("bd,bmd->bm", said, seen)
