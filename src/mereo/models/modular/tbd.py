"""TbD: a program whose functions look, one after the other, and pass on where (Mascharka et al. 2018).

The picture becomes a map of features. What a step finds is attention, one number for each cell, and only the last
steps, which ask for something, make further maps of what they are asked about. So all up to there can be looked at.
Unlike in the paper the trunk is ours and learned with the rest, and cells know where they are.

b programs of at most s steps, g scenes, n steps that run together, d channels, rows x columns of cells. A value has
1 + d channels: where is looked, and what is told of it, which is 0 where nothing is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.errors import UnknownName
from mereo.models.kinds import Batch, Lesson
from mereo.models.layers import mixed
from mereo.models.learner import Learner
from mereo.models.modular.bank import Convolutions, places_among
from mereo.models.modular.iep_ref import Unary
from mereo.models.modular.layout import Layout, Steps, cut, execute_together, lay_out
from mereo.models.sight import CODES, cell_places, place_codes
from mereo.models.trunk import Trunk

__all__ = ["KINDS", "TbD"]

_PASSING, _ASKING = ("scene", "unique"), ("count", "exist", "query")
_COMPARING, _JOINING = ("equal", "compare"), ("intersect", "union")
KINDS = (*_PASSING, "filter", "relate", "same", *_JOINING, *_ASKING, *_COMPARING)
"""What modules can be."""
_AROUND = (1, 2, 4, 8, 1)
"""How far apart the cells are that the convolutions of a relation take in, one after the other."""


class TbD(Learner):
    """Runs programs on pictures, and answers by what the last step tells."""

    reads = ("picture", "scene_of", "steps", "answer")
    steady = False  # every batch has other numbers of steps for a module
    places: Tensor

    def __init__(self, trunk: Trunk, kinds: Sequence[str], *, answers: int, width: int = 128, sparing: float = 0.005):
        """kinds : of every module, in the order of their numbers in programs · sparing : weight of the mean attention,
        without which it may as well look at everything but what is meant
        """
        super().__init__()
        self.trunk, self.kinds, self.width, self.sparing = trunk, tuple(kinds), width, sparing
        self.preprocess = nn.Sequential(nn.Conv2d(trunk.channels + CODES, width, 3, padding=1), Unary(width))
        self.bank = nn.ModuleDict({kind: _modules(kind, self.kinds.count(kind), width) for kind in sorted({*kinds})})
        self.register_buffer("places", places_among(self.kinds), persistent=False)
        self.pooled = nn.Conv2d(width, 2 * width, 1)
        self.head = nn.Sequential(nn.LayerNorm(4 * width), mixed(4 * width, 2 * width, answers))

    def ask(self, batch: Batch) -> Tensor:
        """(b, answers): logits; of a program without a step those of nothing."""
        return self._answers(*self._run(batch))

    def _answers(self, values: Tensor, layout: Layout) -> Tensor:
        told = values[layout.ends, 1:]
        seen = functional.relu(self.pooled(told))
        logits: Tensor = self.head(torch.cat([seen.mean((2, 3)), seen.amax((2, 3))], 1))
        return logits.float()

    def attend(self, batch: Batch) -> Tensor:
        """(b, s, rows, columns): where each step looks, 0 to 1; 0 where there is no step."""
        values, layout = self._run(batch)
        return values[layout.steps, 0].float()

    def lesson(self, batch: Batch) -> Lesson:
        """Questions whose answer is -1, one that was never learned, teach nothing and count as wrong."""
        (values, layout), answer = self._run(batch), batch["answer"]
        logits, known = self._answers(values, layout), (answer >= 0).sum().clamp(min=1)
        losses = {
            "answer": functional.cross_entropy(logits, answer, ignore_index=-1, reduction="sum") / known,
            "looked": self.sparing * values[:, 0].float().mean(),
        }
        return Lesson(losses, {"right": (logits.argmax(-1) == answer).float().mean()})

    def _run(self, batch: Batch) -> tuple[Tensor, Layout]:
        """The values of all steps that are run, (any, 1 + d, rows, columns), and which of them is which.

        The last one is 0, for steps that there are not.
        """
        features = self.trunk(batch["picture"])
        rows, columns = features.shape[-2:]
        codes = place_codes(cell_places(rows, columns, features.device)).T.view(1, CODES, rows, columns)
        seen = self.preprocess(torch.cat([features, codes.to(features.dtype).expand(len(features), -1, -1, -1)], 1))
        layout = lay_out(batch["steps"], batch["scene_of"])
        start = functional.pad(torch.ones_like(seen[:, :1]), (0, 0, 0, 0, 0, self.width))

        def run(steps: Steps, inputs: Sequence[Tensor]) -> Tensor:
            # Those of one kind stand together if their numbers do; else they are a few pieces more.
            kinds = groupby(steps.groups, lambda group: self.kinds[group[0]])
            alike = [(kind, sum(many for _, many in some)) for kind, some in kinds]
            pieces = cut([many for _, many in alike], steps.modules, steps.scene, *inputs)
            return torch.cat([self._alike(kind, seen, *piece) for (kind, _), piece in zip(alike, pieces, strict=True)])

        return torch.cat([*execute_together(run, layout, start), torch.zeros_like(start[:1])]), layout

    def _alike(self, kind: str, seen: Tensor, modules: Tensor, scene: Tensor, *inputs: Tensor) -> Tensor:
        """(n, 1 + d, rows, columns): what steps come to that are all of one kind. seen : (g, d, rows, columns)"""
        if kind in _PASSING:
            return inputs[0]
        if kind in _JOINING:
            return torch.minimum(*inputs) if kind == "intersect" else torch.maximum(*inputs)
        network, places = self.bank[kind], self.places[modules]
        if kind in _COMPARING:
            one, other = inputs
            return torch.cat([torch.maximum(one[:, :1], other[:, :1]), network(one[:, 1:], other[:, 1:], places)], 1)
        looked = inputs[0][:, :1]
        found = network(seen.index_select(0, scene), looked, places)
        if kind in _ASKING:
            return torch.cat([looked, found], 1)
        return functional.pad(found, (0, 0, 0, 0, 0, self.width))


def _modules(kind: str, count: int, width: int) -> nn.Module:
    """All modules of a kind, of which there are so many."""
    made = {"filter": _Attend, "relate": _Relate, "same": _Same}
    if kind in made:
        return made[kind](count, width)
    if kind in _ASKING:
        return _Ask(count, width)
    if kind in _COMPARING:
        return _Compare(count, width)
    if kind not in KINDS:
        raise UnknownName("kind of module", kind, KINDS)
    return nn.Identity()


def _lively(count: int, before: int, after: int, *, side: int = 3, far: int = 1) -> Convolutions:
    """With weights as the paper has them: smaller ones look everywhere alike, and are slow to learn otherwise."""
    return Convolutions(count, before, after, side=side, far=far, lively=True)


class _Attend(nn.Module):
    """Of what is looked at the cells that show something: two convolutions."""

    around: Sequence[int] = (1, 1)

    def __init__(self, count: int, width: int):
        super().__init__()
        self.layers = nn.ModuleList(_lively(count, width, width, far=far) for far in self.around)
        self.last = _lively(count, width, 1, side=1)

    def forward(self, features: Tensor, looked: Tensor, places: Tensor) -> Tensor:
        """(n, 1, rows, columns). features : (n, d, rows, columns) · looked : (n, 1, rows, columns)

        places : (n,) int64, which of the modules each is of
        """
        found = features * looked
        for layer in self.layers:
            found = functional.relu(layer(found, places))
        return torch.sigmoid(self.last(found, places))


class _Relate(_Attend):
    """The cells that stand to what is looked at in some way: convolutions that reach far."""

    around = _AROUND


class _Same(nn.Module):
    """The cells that are like the one that is looked at most."""

    def __init__(self, count: int, width: int):
        super().__init__()
        self.near, self.last = _lively(count, width + 1, width, side=1), _lively(count, width, 1, side=1)

    def forward(self, features: Tensor, looked: Tensor, places: Tensor) -> Tensor:
        """As of `_Attend`."""
        most = looked.flatten(1).argmax(1).view(-1, 1, 1).expand(-1, features.shape[1], 1)
        wanted = features.flatten(2).gather(2, most).unsqueeze(-1)
        near = functional.relu(self.near(torch.cat([features * wanted, looked], 1), places))
        return torch.sigmoid(self.last(near, places))


class _Ask(nn.Module):
    """What is told of what is looked at: two convolutions."""

    def __init__(self, count: int, width: int):
        super().__init__()
        self.layers = nn.ModuleList(_lively(count, width, width) for _ in range(2))

    def forward(self, features: Tensor, looked: Tensor, places: Tensor) -> Tensor:
        """(n, d, rows, columns)"""
        return self.tell(features * looked, places)

    def tell(self, found: Tensor, places: Tensor) -> Tensor:
        """(n, d, rows, columns)"""
        for layer in self.layers:
            found = functional.relu(layer(found, places))
        return found


class _Compare(_Ask):
    """What is told of two things, into what is told of both."""

    def __init__(self, count: int, width: int):
        super().__init__(count, width)
        self.join = _lively(count, 2 * width, width, side=1)

    def forward(self, one: Tensor, other: Tensor, places: Tensor) -> Tensor:
        """(n, d, rows, columns) each."""
        return self.tell(functional.relu(self.join(torch.cat([one, other], 1), places)), places)
