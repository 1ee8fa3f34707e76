"""Scenes of CRIC without pictures for builds in tests: graphs strewn by chance over the embedded vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
import pyarrow as pa

from cric_graphs import strewn_graph
from mereo.benchmarks.cric.lore import Lore, lore_of_base
from mereo.chance import mark
from mereo.datasets.store import SCENE_FIELDS
from mereo.knowledge import embedded_base

__all__ = ["Strewn", "embedded_lore"]


@cache
def embedded_lore() -> Lore:
    """What the base that comes with mereo tells."""
    return lore_of_base(embedded_base())


@dataclass(frozen=True)
class Strewn:
    """Scenes as a build wants them."""

    piecemeal: bool = False
    fields: pa.Schema = SCENE_FIELDS
    told: tuple[str, ...] = ()

    @property
    def names(self) -> Sequence[str]:
        """The embedded vocabulary."""
        return sorted(embedded_base().vocabulary.entities)

    def settings(self) -> dict[str, Any]:
        """Without pictures."""
        return {"pictures": False}

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """A row from its number alone."""
        graph = strewn_graph(mark(f"{split} {index}") % 10**9)
        return {
            "scene_id": f"{split}-{index:06d}",
            "split": split,
            "index": index,
            "objects": len(graph.things),
            "scene": msgspec.json.encode({"graph": graph}).decode(),
        }
