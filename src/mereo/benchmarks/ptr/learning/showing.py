"""What MAC(P) shows of how it came to its answers: what it saw, and where it looked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.ptr.learning.looking import look_at_crops
from mereo.training.row import Desk

if TYPE_CHECKING:
    from torch import Tensor

    from mereo.datasets.sights import Looks, SeenScene

__all__ = ["show_parts"]


def show_parts(desk: Desk, split: str, places: Sequence[int]) -> Iterator[Looks | SeenScene]:
    """What NS-VQA's eyes see of the scenes of some questions, and where MAC looks with that beside the picture."""
    import torch

    from mereo.benchmarks.ptr.learning.part_sight import channels_of
    from mereo.training.device import mixed
    from mereo.training.showing import grids, looks_of, scenes_of, scenes_seen
    from mereo.training.sources import QuestionSource

    scenes = scenes_of(desk, split, places)
    seen = dict(zip(scenes, look_at_crops(desk, split, scenes), strict=True))
    yield from scenes_seen(desk, split, scenes, seen.values())
    source = QuestionSource(desk.corpus, split, desk.lexicon)
    network: Any = desk.networks["mac_parts"]
    network.eval()

    def ask(some: Tensor) -> tuple[Tensor | None, Tensor | None]:
        batch = source.batch(source.examples(some))
        batch["channels"] = torch.stack([channels_of(seen[scene], desk.device) for scene in batch["scene"].tolist()])
        with torch.inference_mode(), mixed(desk.device):
            reply = network.ask(batch)
        return grids(reply), reply.thought.read

    yield from looks_of(source.questions, places, ask)
