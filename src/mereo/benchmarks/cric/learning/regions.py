"""Regions: what the network that sees scene graphs makes of each box, before it puts that into words.

In the paper they come from a detector that has learned names and attributes of Visual Genome, cut out by true boxes,
and no row learns them anew. So it is here: whoever looks at regions learns or borrows `perception`, which then stays as
it is.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import torch
from torch import Tensor

from mereo.benchmarks.cric.learning.symbolic import GraphSource
from mereo.models.scene_graphs import SceneGraphs
from mereo.training.corpus import Corpus
from mereo.training.device import mixed
from mereo.training.row import Desk

__all__ = ["eyes_of", "regions_of"]

_AT_ONCE = 32
_KEPT: WeakKeyDictionary[SceneGraphs, WeakKeyDictionary[Corpus, dict[str, Tensor]]] = WeakKeyDictionary()
"""To learn from captions and then from questions is to look at the same pictures."""


def eyes_of(desk: Desk) -> SceneGraphs:
    """The network that sees scene graphs, which has learned."""
    network = desk.networks["perception"]
    assert isinstance(network, SceneGraphs)
    return network


def regions_of(desk: Desk, split: str) -> Tensor:
    """(s, k, channels) half: the regions of all scenes of a split, 0 where there is none."""
    network = eyes_of(desk)
    kept = _KEPT.setdefault(network, WeakKeyDictionary()).setdefault(desk.corpus, {})
    if split not in kept:
        source, found = GraphSource(desk, split), []
        for some in torch.arange(len(source), device=desk.device).split(_AT_ONCE):
            batch = source.batch(some)
            with mixed(desk.device):
                cells = network.cells(batch)
            found.append(cells.half() * batch["boxes_present"].unsqueeze(-1))
            desk.corpus.progress(f"regions of {split}", int(some[-1]) + 1, len(source))
        kept[split] = torch.cat(found)
    return kept[split]
