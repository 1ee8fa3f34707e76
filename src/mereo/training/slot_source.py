"""Questions with the slots of their pictures: what a frozen network makes of every picture, worked out once."""

from __future__ import annotations

import torch
from torch import Tensor

from mereo.models.kinds import Batch
from mereo.models.slots import Slots
from mereo.training.corpus import Corpus
from mereo.training.lexicon import Lexicon

__all__ = ["SlotSource", "slots_of"]


class SlotSource:
    """Questions: `question`, `answer`, `place`, and for each the `vectors` (b, k, c) of its picture's slots."""

    def __init__(self, corpus: Corpus, split: str, lexicon: Lexicon, slots: Slots):
        self.questions = corpus.questions(split, lexicon)
        self._vectors = slots_of(slots, corpus.pictures(split))

    def __len__(self) -> int:
        return len(self.questions.ids)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The questions at some places, whatever the chance: slots are not changed."""
        vectors = self._vectors[self.questions.scene[places]]
        return {
            "question": self.questions.words[places],
            "answer": self.questions.answer[places],
            "place": places,
            "vectors": vectors,
            "vectors_present": vectors.new_ones(vectors.shape[:2], dtype=torch.bool),
        }

    def name(self, place: int) -> str:
        """The id of a question."""
        return self.questions.ids[place]


@torch.no_grad()
def slots_of(network: Slots, pictures: Tensor, *, together: int = 128) -> Tensor:
    """(s, k, c): the slots of all pictures. pictures : (s, 3, h, w) uint8 · together : so many are looked at at once"""
    learning = network.training
    network.eval()
    starts = range(0, len(pictures), together)
    found = [network.slots(pictures[start : start + together].float() / 255).cells for start in starts]
    network.train(learning)
    return torch.cat(found)
