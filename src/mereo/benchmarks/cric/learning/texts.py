"""Pictures as text, for a model that only reads (TRIG): what is seen in them, said, and the items that this finds.

The text of a question is its words, then those for its scene, then those of the items, each part at a place of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from mereo.benchmarks.cric.learning.facts import facts_of
from mereo.benchmarks.cric.learning.graphs import graphs_of, inspector_of_cric
from mereo.benchmarks.cric.learning.retrieving import RELATIONS, shelf_of
from mereo.benchmarks.cric.learning.vocabulary import Vocabulary, vocabulary_of
from mereo.models.kinds import Batch
from mereo.training.lexicon import filled_up
from mereo.training.row import Desk
from mereo.training.sources import QuestionSource

__all__ = ["TextQuestions", "scene_texts"]

_STATED = 48
"""How many relations are said of a scene, at most: the likeliest."""
_SAID = 0.5
"""From which likelihood on a word is said of a thing."""


class TextQuestions:
    """Questions whose words are followed by all else that there is to read."""

    def __init__(self, desk: Desk, split: str, *, true: bool, items: int, together: int = 1):
        """true : whether what is said of scenes is true, and not what the network `perception` sees"""
        self.own = QuestionSource(desk.corpus, split, desk.lexicon, together=together, pictures=False)
        self.questions, self.together = self.own.questions, together
        said, shelf = scene_texts(desk, split, true=true), shelf_of(inspector_of_cric(desk.corpus))
        of = self.questions.scene.tolist()
        asked = [f"{text} {said[scene]}" for text, scene in zip(self.questions.texts, of, strict=True)]
        found = shelf.find(asked, np.zeros((len(asked), len(RELATIONS)), bool), items)
        self.found = torch.from_numpy(found).to(desk.device)
        self._said, self._told = (_numbers(desk, texts) for texts in (said, shelf.texts))

    def __len__(self) -> int:
        return len(self.own)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The examples at some places; nothing in them is changed."""
        batch = self.own.batch(places, chance=chance)
        place = batch["place"]
        found = self.found[place].unsqueeze(-1)
        told = self._told[found.squeeze(-1).clamp(min=0)].masked_fill(found < 0, 0)
        text = (batch["question"], self._said[self.questions.scene[place]], told.flatten(1))
        return {**batch, "question": torch.cat(text, 1)}

    def name(self, place: int) -> str:
        """The id of a question or, where several are together, of their scene."""
        return self.own.name(place)


def scene_texts(desk: Desk, split: str, *, true: bool) -> list[str]:
    """What is said of each scene of a split: what every thing is, and then how some stand to others."""
    known, facts = vocabulary_of(desk.corpus.inspector), facts_of(desk, split, true=true)
    there = graphs_of(desk.corpus, split).present
    tables = (facts.names.argmax(-1), facts.words > _SAID, facts.related[:, :_STATED], there)
    scenes = zip(*(table.cpu() for table in tables), strict=True)
    return [" ".join(_sentences(known, *scene)) for scene in scenes]


def _sentences(known: Vocabulary, names: Tensor, words: Tensor, related: Tensor, there: Tensor) -> Iterator[str]:
    """names : (k,) int64 · words : (k, w) bool · related : (r,) int64, as of `Facts` · there : (k,) bool"""
    called = [known.names[number] for number in names.tolist()]
    for thing in there.nonzero()[:, 0].tolist():
        yield " ".join([*(known.words[number] for number in words[thing].nonzero()[:, 0].tolist()), called[thing]])
    for number in related[related >= 0].tolist():
        pair, predicate = divmod(number, len(known.predicates))
        one, other = divmod(pair, len(called))
        yield f"{called[one]} {known.predicates[predicate]} {called[other]}"


def _numbers(desk: Desk, texts: Sequence[str]) -> Tensor:
    """(texts, longest) int64: the words of texts, 0 where there are none."""
    return torch.from_numpy(filled_up([desk.lexicon.read(text) for text in texts])).to(desk.device)
