"""SLR: a speaker, a listener and a reinforcer, who learn together to refer (Yu et al. 2017).

The listener tells which candidate an expression fits. The speaker says an expression word by word, with a candidate in
mind, and whoever it fits best is who would most likely be spoken of so. The reinforcer rewards what the speaker says by
chance, if a listener that was trained before understands it. Both choose together. Boxes are the true ones.

b expressions, n words, k candidates, d numbers each.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch, Lesson
from mereo.models.layers import mixed
from mereo.models.referring.choosing import Candidates, Choosing, choice_loss, chosen_right
from mereo.models.words import Words

__all__ = ["SLR", "Listener"]

_ABSENT = -1e4
_SHARP = 10.0
"""How much a cosine counts in the softmax over candidates."""
_SPOKEN, _REWARDED = 0.2, 0.1
"""What a word that is said, and a reward, count beside the choice of the listener."""
_BEGIN = 1
"""The word before the first: that of no meaning."""


class Listener(Choosing):
    """Scores candidates by how near they lie to what was said."""

    reads = ("picture", "scene_of", "question", "boxes", "boxes_present", "target")

    def __init__(self, words: Words, candidates: Candidates, *, width: int):
        super().__init__()
        self.words, self.candidates = words, candidates
        self.said, self.seen = mixed(width, width, width), mixed(2 * width, width, width)

    def known(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """(g, k, 2d) and (g, k): what is known of each candidate, and which there are."""
        regarded = self.candidates(batch)
        return torch.cat([regarded.whole, regarded.where], -1), regarded.present

    def fits(self, question: Tensor, known: Tensor, present: Tensor) -> Tensor:
        """(b, k). question : (b, n) · known : (b, k, 2d) · present : (b, k)"""
        one = functional.normalize(self.said(self.words(question).whole).float(), dim=-1)
        other = functional.normalize(self.seen(known).float(), dim=-1)
        return _SHARP * torch.einsum("bd,bkd->bk", one, other).masked_fill(~present, _ABSENT)

    def scores(self, batch: Batch) -> Tensor:
        """How near each candidate is."""
        known, present = self.known(batch)
        return self.fits(batch["question"], known[batch["scene_of"]], present[batch["scene_of"]])


class SLR(Choosing):
    """Listens, speaks, and is rewarded for what is understood."""

    reads = Listener.reads

    def __init__(self, listener: Listener, rewarding: Listener | None, *, words: int, width: int):
        """rewarding : was trained before and stays as it is; who only answers needs none"""
        super().__init__()
        self.listener = listener
        self._rewarding = (rewarding,)  # in a tuple, so that it is no part of what is learned and kept
        self.embedding = nn.Embedding(words, width, padding_idx=0)
        self.begin, self.speak = nn.Linear(2 * width, width), nn.GRU(2 * width, width, batch_first=True)
        self.idea, self.word = nn.Linear(2 * width, width), nn.Linear(width, words)

    def scores(self, batch: Batch) -> Tensor:
        """Whom the listener takes to be meant, and of whom the speaker would speak so."""
        known, present, heard = self._heard(batch)
        spoken = self._likelihoods(batch["question"], known)
        lengths = (batch["question"] > 0).sum(1).clamp(min=1)[:, None]
        return heard + (spoken / lengths).masked_fill(~present, 0.0)

    def lesson(self, batch: Batch) -> Lesson:
        """The listener's choice, what is said of the target and not of others, and rewards for what is understood."""
        known, present, heard = self._heard(batch)
        question, target = batch["question"], batch["target"]
        one = (target.sum(1) == 1).float()
        meant = known[torch.arange(len(target), device=target.device), target.float().argmax(1)]
        spoken = self._likelihoods(question, known).masked_fill(~present, _ABSENT)
        lengths = (question > 0).sum(1).clamp(min=1)
        said = -spoken.gather(1, target.float().argmax(1)[:, None])[:, 0] / lengths
        losses = {
            "choice": choice_loss(heard, target),
            "said": _SPOKEN * ((said * one).sum() / one.sum().clamp(min=1) + choice_loss(spoken, target)),
        }
        if self._rewarding[0] is not None and self.training:
            losses["reward"] = _REWARDED * self._reinforced(batch, meant, one)
        scores = heard + (spoken / lengths[:, None]).clamp(min=_ABSENT)
        return Lesson(losses, {"right": chosen_right(scores, target)})

    def _heard(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        known, present = self.listener.known(batch)
        known, present = known[batch["scene_of"]], present[batch["scene_of"]]
        return known, present, self.listener.fits(batch["question"], known, present)

    def _likelihoods(self, question: Tensor, known: Tensor) -> Tensor:
        """(b, k): the logarithm of how likely the words are for each candidate."""
        count = known.shape[1]
        own = known.flatten(0, 1)
        said = question.repeat_interleave(count, 0)
        before = functional.pad(said, (1, 0), value=_BEGIN)[:, :-1]
        states, _ = self.speak(self._told(before, own), self._start(own))
        chance = -functional.cross_entropy(self.word(states).float().mT, said, ignore_index=0, reduction="none")
        return chance.sum(1).view(-1, count)

    def _start(self, known: Tensor) -> Tensor:
        return torch.tanh(self.begin(known))[None].contiguous()

    def _told(self, words: Tensor, known: Tensor) -> Tensor:
        """What the speaker is told before each word: the one before it, and of whom it speaks."""
        idea = self.idea(known)[:, None].expand(-1, words.shape[1], -1)
        return torch.cat([self.embedding(words).to(idea.dtype), idea], -1)

    def _reinforced(self, batch: Batch, meant: Tensor, one: Tensor) -> Tensor:
        """REINFORCE: words that were drawn count by how much better than usual they were understood."""
        drawn, chance = self._drawn(meant, batch["question"])
        rewarding = self._rewarding[0]
        assert rewarding is not None
        with torch.no_grad():
            rewarding.eval()
            scores = rewarding.scores({**batch, "question": drawn})
            reward = scores.softmax(-1).gather(1, batch["target"].float().argmax(1)[:, None])[:, 0]
            usual = (reward * one).sum() / one.sum().clamp(min=1)
        return -((reward - usual) * chance * one).sum() / one.sum().clamp(min=1)

    def _drawn(self, meant: Tensor, question: Tensor) -> tuple[Tensor, Tensor]:
        """(b, n) words by chance, as many as were said, and (b,) the logarithm of how likely they were, by word."""
        state, word = self._start(meant), torch.full_like(question[:, :1], _BEGIN)
        words, chances = [], []
        for place in range(question.shape[1]):
            found, state = self.speak(self._told(word, meant), state)
            # The first word fills up, and is never said.
            likely = functional.pad(self.word(found[:, 0]).float()[:, 1:], (1, 0), value=_ABSENT).log_softmax(-1)
            word = likely.exp().multinomial(1)
            there = question[:, place : place + 1] > 0
            words.append(torch.where(there, word, 0))
            chances.append(likely.gather(1, word) * there)
        lengths = (question > 0).sum(1).clamp(min=1)
        return torch.cat(words, 1), torch.cat(chances, 1).sum(1) / lengths
