"""Ways to think about a question and what is seen, each like the figure of its paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mereo.models.reasoners.blind import Blind, Deaf
from mereo.models.reasoners.co_attention import CoAttention
from mereo.models.reasoners.concat import Concat
from mereo.models.reasoners.film import FiLM
from mereo.models.reasoners.lcgn import LCGN
from mereo.models.reasoners.mac import MAC
from mereo.models.reasoners.memory_vqa import MemoryVQA
from mereo.models.reasoners.one_stream import OneStream
from mereo.models.reasoners.reasoner import Reasoner
from mereo.models.reasoners.relation import Relation
from mereo.models.reasoners.stacked import Stacked
from mereo.models.reasoners.up_down import UpDown

__all__ = [
    "LCGN",
    "MAC",
    "REASONERS",
    "Blind",
    "CoAttention",
    "Concat",
    "Deaf",
    "FiLM",
    "MemoryVQA",
    "OneStream",
    "Reasoner",
    "Relation",
    "Stacked",
    "UpDown",
]

REASONERS: Mapping[str, Any] = {
    "blind": Blind,
    "deaf": Deaf,
    "concat": Concat,
    "stacked": Stacked,
    "up_down": UpDown,
    "film": FiLM,
    "relation": Relation,
    "mac": MAC,
    "lcgn": LCGN,
    "co_attention": CoAttention,
    "one_stream": OneStream,
    "memory_vqa": MemoryVQA,
}
"""By name: each takes a width, and settings of its own."""
