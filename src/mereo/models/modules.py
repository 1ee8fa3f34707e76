"""NMN-CS (Gao et al. 2022, CRIC): a small network for each function, put together as a program says.

b questions; k regions; t steps of a program at most; a step has up to two inputs and three values; d wide.

Fields: steps : (b, t) int64, the function of each step, -1 where there is none · inputs : (b, t, 2) int64, the steps
that it is applied to, which come before it · texts : (b, t, 3) int64, numbers of its values, 0 where there are none ·
found : (b, t, k) bool, the regions that each step refers to, where modules are told
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch, Lesson
from mereo.models.layers import mixed
from mereo.models.learner import Learner
from mereo.models.sight import Sight

__all__ = ["MODULES", "Modules", "Ran"]

MODULES = (
    "initial",
    "find",
    "relate",
    "relate_reverse",
    "find_kg",
    "find_kg_reverse",
    "find_hypernym",
    "and",
    "recognition",
    "verify",
)
"""The functions, in the order of their numbers."""
_ANSWERS = ("recognition", "verify")
_SEVERAL = 5.0
"""Weight of a region that is to be found: most are not."""


class Ran(NamedTuple):
    """What programs came to."""

    logits: Tensor
    """(b, answers) float"""
    attention: Tensor
    """(b, t, k) float, 0 to 1: how much each region is in what a step found, or in what its answer is about."""


class Modules(Learner):
    """Runs whole batches of different programs: at each step every module is asked, and the one that is meant is taken.

    Modules are small and regions few, so this takes less than sorting questions by what they ask next.
    """

    def __init__(self, sight: Sight, *, texts: int, width: int, answers: int, told: float = 0.0):
        """texts : how many values there are · told : weight of the loss on what single steps find"""
        super().__init__()
        self.sight, self.told = sight, told
        self.texts = nn.Embedding(texts, width, padding_idx=0)
        self.read = nn.Sequential(mixed(3 * width, width, width), nn.LayerNorm(width))
        self.find, self.category = _Fitting(width), _Fitting(width)
        self.forth, self.back = _Standing(width), _Standing(width)
        self.head, self.tail = _Knowing(width), _Knowing(width)
        self.recognize = nn.Sequential(nn.LayerNorm(width), mixed(width, width, answers))
        self.verify = nn.Sequential(nn.Linear(4, width), nn.GELU(), nn.Linear(width, answers))
        self.asked = nn.Linear(width, width)
        self.reads = ("steps", "inputs", "texts", "answer", *sight.reads, *(("found",) if told else ()))

    def run(self, batch: Batch) -> Ran:
        """The answers of programs, and what every step finds."""
        memory = self.sight(batch)
        of = batch.get("scene_of")
        cells, there = (one if of is None else one.index_select(0, of) for one in memory[:2])
        there = there.to(cells.dtype)
        texts = self.read(self.texts(batch["texts"]).flatten(2))
        kinds = functional.one_hot(batch["steps"].clamp(min=0), len(MODULES)).to(cells.dtype)
        found: list[Tensor] = []
        for step in range(texts.shape[1]):
            one, other = (_earlier(found, batch["inputs"][:, step, side], there) for side in (0, 1))
            maps = torch.stack(self._maps(cells, there, one, other, texts[:, step]), 1)
            found.append((kinds[:, step].unsqueeze(-1) * maps).sum(1) * there)
        attention = torch.stack(found, 1)
        last = (batch["steps"] >= 0).sum(1).clamp(min=1) - 1
        rows = torch.arange(len(last), device=last.device)
        return Ran(self._answers(cells, attention[rows, last], texts[rows, last], kinds[rows, last]), attention)

    def lesson(self, batch: Batch) -> Lesson:
        """Answers; and, where it is told, what single steps find, with regions that are meant weighed more."""
        ran, answer = self.run(batch), batch["answer"]
        known = (answer >= 0).sum().clamp(min=1)
        losses = {"answer": functional.cross_entropy(ran.logits, answer, ignore_index=-1, reduction="sum") / known}
        if self.told:
            finding = (batch["steps"] >= 0) & (batch["steps"] < len(MODULES) - len(_ANSWERS))
            wanted, said = batch["found"].float(), ran.attention.float().clamp(1e-5, 1 - 1e-5)
            apart = -(_SEVERAL * wanted * said.log() + (1 - wanted) * (1 - said).log()).mean(-1)
            losses["found"] = self.told * (apart * finding).sum() / finding.sum().clamp(min=1)
        return Lesson(losses, {"right": (ran.logits.argmax(-1) == answer).float().mean()})

    def _maps(self, cells: Tensor, there: Tensor, one: Tensor, other: Tensor, text: Tensor) -> tuple[Tensor, ...]:
        """For each module (b, k). one, other : (b, k), what its inputs found · text : (b, d)"""
        seen = _gathered(cells, one)
        return (
            there,
            one * self.find(cells, text),
            self.forth(cells, seen, text),
            self.back(cells, seen, text),
            self.head(cells, seen, text),
            self.tail(cells, seen, text),
            one * self.category(cells, text),
            torch.minimum(one, other),
            one,
            one,
        )

    def _answers(self, cells: Tensor, at: Tensor, text: Tensor, kind: Tensor) -> Tensor:
        """(b, answers). at : (b, k), what the last step is asked of · kind : (b, modules)"""
        seen = _gathered(cells, at) * (1 + self.asked(text))
        top = functional.pad(at.topk(min(3, at.shape[1]), dim=1).values, (0, max(0, 3 - at.shape[1])))
        # How unlikely it is that none is there hears every region, which the most likely alone would not.
        some = -torch.log1p(-at.float().clamp(max=1 - 1e-3)).sum(1, keepdim=True)
        sizes = torch.cat([top, some.to(top.dtype)], 1)
        verifies = kind[:, MODULES.index("verify"), None]
        logits: Tensor = self.recognize(seen) * (1 - verifies) + self.verify(sizes) * verifies
        return logits.float()


class _Fitting(nn.Module):
    """Find: whether a region fits a text."""

    def __init__(self, width: int):
        super().__init__()
        self.cell, self.text = nn.Linear(width, width), nn.Linear(width, width)
        self.score = mixed(width, width, 1)

    def forward(self, cells: Tensor, text: Tensor) -> Tensor:
        scores: Tensor = self.score(self.cell(cells) * self.text(text).unsqueeze(1)).squeeze(-1)
        return scores.sigmoid()


class _Standing(nn.Module):
    """Relate: whether a region stands to what was found as a text says."""

    def __init__(self, width: int):
        super().__init__()
        self.cell, self.seen, self.text = (nn.Linear(width, width) for _ in range(3))
        self.score = mixed(width, width, 1)

    def forward(self, cells: Tensor, seen: Tensor, text: Tensor) -> Tensor:
        both = functional.gelu(self.cell(cells) + self.seen(seen).unsqueeze(1))
        scores: Tensor = self.score(both * self.text(text).unsqueeze(1)).squeeze(-1)
        return scores.sigmoid()


class _Knowing(nn.Module):
    """Find_KG: f_m(h_head + h_rel, h_tail), where the head has the region and the tail what was found; or reversed.

    Text holds head, relation and tail together, so either end takes from it what is its own.
    """

    def __init__(self, width: int):
        super().__init__()
        self.cell, self.head, self.seen, self.tail = (nn.Linear(width, width) for _ in range(4))
        self.score = mixed(2 * width, width, 1)

    def forward(self, cells: Tensor, seen: Tensor, text: Tensor) -> Tensor:
        head = self.cell(cells) + self.head(text).unsqueeze(1)
        tail = (self.seen(seen) + self.tail(text)).unsqueeze(1)
        scores: Tensor = self.score(torch.cat([head * tail, head + tail], -1)).squeeze(-1)
        return scores.sigmoid()


def _earlier(found: list[Tensor], which: Tensor, there: Tensor) -> Tensor:
    """(b, k): what earlier steps found; everything where there is none. which : (b,) int64"""
    if not found:
        return there
    places = which.clamp(0, len(found) - 1).view(-1, 1, 1).expand(-1, 1, there.shape[1])
    return torch.stack(found, 1).gather(1, places).squeeze(1)


def _gathered(cells: Tensor, at: Tensor) -> Tensor:
    """(b, d): the mean of regions by how much each is found."""
    return (at.unsqueeze(1) @ cells).squeeze(1) / at.sum(1, keepdim=True).clamp(min=1e-3)
