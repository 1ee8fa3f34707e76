"""NMN-CS (Gao et al. 2022, CRIC): a small network for each function, put together as a program says.

b questions; g scenes; k regions; t steps of a program at most; a step has up to two inputs and three values; d wide.

Fields: steps : (b, t, 3) int64, programs as `models/modular/layout.py` runs them, with the numbers of `MODULES` ·
texts : (b, t, 3) int64, numbers of the values of each step, 0 where there are none · found : (b, t, k) bool, the
regions that each step refers to, where modules are told
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Batch, Lesson
from mereo.models.layers import mixed
from mereo.models.learner import Learner
from mereo.models.modular.layout import Group, execute, lay_out
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
    """(b, t, k) float, 0 to 1: how much each region is in what a step found, or in what its answer is about; all
    regions where there is no step."""


class _Seen(NamedTuple):
    """What modules look at."""

    cells: Tensor
    """(g, k, d)"""
    there: Tensor
    """(g, k) float, 0 or 1"""


class Modules(Learner):
    """Runs whole batches of different programs, and answers by what the last step of each is asked of."""

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
        self.reads = ("steps", "texts", "answer", *sight.reads, *(("found",) if told else ()))

    def run(self, batch: Batch) -> Ran:
        """The answers of programs, and what every step finds."""
        cells, there = self.sight(batch)[:2]
        seen, steps = _Seen(cells, there.to(cells.dtype)), batch["steps"]
        of = batch.get("scene_of")
        layout = lay_out(steps, of, batch["texts"])
        values = execute(lambda group, inputs: self._step(seen, group, inputs), layout, seen.there)
        scene = torch.arange(len(steps), device=steps.device) if of is None else of
        # Where there is no step, everything is found that is there: those maps stand after all others.
        places = torch.where(layout.steps >= 0, layout.steps, len(layout.scenes) + scene.unsqueeze(1))
        attention = torch.cat([*values, seen.there])[places]
        rows, last = torch.arange(len(steps), device=steps.device), (layout.steps >= 0).sum(1).clamp(min=1) - 1
        text, kind = self._text(batch["texts"][rows, last]), steps[rows, last, 0]
        return Ran(self._answers(cells[scene], attention[rows, last], text, kind), attention)

    def lesson(self, batch: Batch) -> Lesson:
        """Answers; and, where it is told, what single steps find, with regions that are meant weighed more."""
        ran, answer, kind = self.run(batch), batch["answer"], batch["steps"][..., 0]
        known = (answer >= 0).sum().clamp(min=1)
        losses = {"answer": functional.cross_entropy(ran.logits, answer, ignore_index=-1, reduction="sum") / known}
        if self.told:
            finding = (kind >= 0) & (kind < len(MODULES) - len(_ANSWERS))
            wanted, said = batch["found"].float(), ran.attention.float().clamp(1e-5, 1 - 1e-5)
            apart = -(_SEVERAL * wanted * said.log() + (1 - wanted) * (1 - said).log()).mean(-1)
            losses["found"] = self.told * (apart * finding).sum() / finding.sum().clamp(min=1)
        return Lesson(losses, {"right": (ran.logits.argmax(-1) == answer).float().mean()})

    def _text(self, numbers: Tensor) -> Tensor:
        """(n, d): what values say. numbers : (n, 3) int64"""
        said: Tensor = self.read(self.texts(numbers).flatten(1))
        return said

    def _step(self, seen: _Seen, group: Group, inputs: Sequence[Tensor]) -> Tensor:
        """(n, k): what n steps of one module find. inputs : what others found, (n, k) each"""
        kind, one, other = MODULES[group.module], inputs[0], inputs[-1]
        if kind == "initial" or kind in _ANSWERS:
            return one
        if kind == "and":
            return torch.minimum(one, other)
        cells, there, text = seen.cells[group.scene], seen.there[group.scene], self._text(group.words)
        fitting = {"find": self.find, "find_hypernym": self.category}
        if kind in fitting:
            found: Tensor = one * fitting[kind](cells, text)
        else:
            related = {
                "relate": self.forth,
                "relate_reverse": self.back,
                "find_kg": self.head,
                "find_kg_reverse": self.tail,
            }
            found = related[kind](cells, _gathered(cells, one), text)
        return found * there

    def _answers(self, cells: Tensor, at: Tensor, text: Tensor, kind: Tensor) -> Tensor:
        """(b, answers). at : (b, k), what the last step is asked of · kind : (b,) int64, its module"""
        seen = _gathered(cells, at) * (1 + self.asked(text))
        top = functional.pad(at.topk(min(3, at.shape[1]), dim=1).values, (0, max(0, 3 - at.shape[1])))
        # How unlikely it is that none is there hears every region, which the most likely alone would not.
        some = -torch.log1p(-at.float().clamp(max=1 - 1e-3)).sum(1, keepdim=True)
        sizes = torch.cat([top, some.to(top.dtype)], 1)
        verifies = (kind == MODULES.index("verify")).unsqueeze(1).to(cells.dtype)
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


def _gathered(cells: Tensor, at: Tensor) -> Tensor:
    """(b, d): the mean of regions by how much each is found."""
    return (at.unsqueeze(1) @ cells).squeeze(1) / at.sum(1, keepdim=True).clamp(min=1e-3)
