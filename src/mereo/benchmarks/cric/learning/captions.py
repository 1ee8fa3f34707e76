"""Captions of scenes, a sentence for each relation of their true graphs, for what is learned before any question."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from mereo.benchmarks.cric.graph import SceneGraph, Thing
from mereo.benchmarks.cric.learning.entities import Entities, hides_entities
from mereo.benchmarks.cric.learning.graphs import graphs_of, inspector_of_cric
from mereo.benchmarks.cric.learning.regions import regions_of
from mereo.benchmarks.cric.learning.retrieving import shelf_of
from mereo.chance import fast, generator
from mereo.models.kinds import Batch
from mereo.training.lexicon import filled_up, split_words
from mereo.training.row import Desk

__all__ = ["CaptionSource"]

_KEPT = 32
"""Captions that are kept of a scene, drawn by chance."""
_HIDDEN = 0.25
"""The share of words that are hidden, or of entities where all words of one are hidden at once."""


class CaptionSource:
    """Scenes with so many captions each, half of which are of other scenes: the fields of `Pretraining`.

    By the choice `masking` single words are hidden, or whole entities. usual : which of them where nobody chooses
    """

    def __init__(self, desk: Desk, split: str, *, usual: str = "words", together: int = 5):
        self._names, self._together = desk.corpus.scene_ids(split), together
        self._regions, self._present = regions_of(desk, split), graphs_of(desk.corpus, split).present
        inspector, lexicon, rng = inspector_of_cric(desk.corpus), desk.lexicon, generator(desk.seed, "captions")
        texts: list[str] = []
        for row in desk.corpus.rows(split):
            said = [*_captions(inspector.graph(row))] or [""]
            texts += fast(rng).choices(said, k=_KEPT)
        entities = Entities(shelf_of(inspector)) if hides_entities(desk, usual) else None
        units = [_places(text) if entities is None else entities.units(split_words(text)) for text in texts]
        tables = (filled_up([lexicon.read(text) for text in texts]), filled_up(units))
        self._words, self._units = (torch.from_numpy(one).to(desk.device).unflatten(0, (-1, _KEPT)) for one in tables)

    def __len__(self) -> int:
        return len(self._names)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The scenes at some places; which captions, and what is hidden of them, is always drawn."""
        drawn, scene, count = chance or torch.Generator().manual_seed(0), places.to(self._words.device), self._together
        device, where = scene.device, drawn.device
        shape = (len(scene), count)
        matched = (torch.rand(shape, generator=drawn, device=where) < 0.5).to(device)
        other = torch.randint(len(self), shape, generator=drawn, device=where).to(device)
        which = torch.randint(_KEPT, shape, generator=drawn, device=where).to(device)
        of = torch.where(matched, scene.unsqueeze(1), other)
        words, units = (table[of, which].flatten(0, 1) for table in (self._words, self._units))
        drawn_units = torch.rand(words.shape, generator=drawn, device=where).to(device)
        return {
            "vectors": self._regions[scene].float(),
            "vectors_present": self._present[scene],
            "question": words,
            "hidden": (drawn_units.gather(1, units) < _HIDDEN) & (words > 0),
            # By chance it may be the scene's own after all.
            "matched": (of == scene.unsqueeze(1)).flatten(),
            "scene_of": torch.arange(len(scene), device=device).repeat_interleave(count),
        }

    def name(self, place: int) -> str:
        """The id of a scene."""
        return self._names[place]


def _places(text: str) -> list[int]:
    return [*range(len(split_words(text)))]


def _captions(graph: SceneGraph) -> Iterator[str]:
    things = {thing.id: _described(thing) for thing in graph.things}
    for one in graph.relations:
        yield f"{things[one.subject]} is {one.predicate} {things[one.object]}"


def _described(thing: Thing) -> str:
    return " ".join(["the", *(word for own in thing.attributes.values() for word in own), thing.name])
