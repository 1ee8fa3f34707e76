"""CRIC's questions with what they are about: boxes, what an answer points at, and the items of knowledge they find.

b questions; g scenes; k things of a scene; c items; r relations of knowledge; d numbers that tell a region. What
batches have besides the fields of `QuestionSource`:

boxes : (g, k, 4) float · boxes_present : (g, k) bool · vectors : (g, k, d) float, what is looked at · vectors_present :
(g, k) bool · looked : (b, k) float, 1/n for each of the n things that an answer may point at, which is eq. 1 of the
paper · items : (b, c) int64, -1 where there are none
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mereo.benchmarks.cric.learning.graphs import graphs_of, inspector_of_cric
from mereo.benchmarks.cric.learning.regions import regions_of
from mereo.benchmarks.cric.learning.retrieving import RELATIONS, shelf_of
from mereo.benchmarks.cric.truth import Truth
from mereo.datasets.asked import Selection
from mereo.models.kinds import Batch
from mereo.models.knowledge import Relations
from mereo.programs import parse_program
from mereo.training.row import Desk
from mereo.training.sources import QuestionSource

__all__ = ["AboutRelations", "RegionQuestions", "found_items", "truth_of"]

_AT_ONCE = 4096
_KNOWING = ("find_kg", "find_kg_reverse", "find_hypernym")
_CATEGORY = "IsA"


def truth_of(desk: Desk, split: str) -> Truth:
    """What the questions of a split are about."""
    asked = desk.corpus.asked
    return Truth(asked.take(asked.chosen(Selection((split,)))))


class RegionQuestions:
    """Questions with the regions of their scenes.

    items : how many items of knowledge each may find
    looks : whether it is the regions themselves that are looked at, and not something else that is known of them
    """

    def __init__(self, desk: Desk, split: str, *, together: int = 1, items: int = 0, looks: bool = True):
        self.own = QuestionSource(desk.corpus, split, desk.lexicon, together=together, pictures=False)
        self.questions, self.together = self.own.questions, together
        self.graphs = graphs_of(desk.corpus, split)
        self.regions = regions_of(desk, split) if looks else None
        self.looked = _looked(truth_of(desk, split).targets, self.graphs.present.shape[1]).to(desk.device)
        self.items = found_items(desk, split, items) if items else None

    def __len__(self) -> int:
        return len(self.own)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The examples at some places. What was seen stays as it is: with chance other questions are asked of it."""
        batch = self.own.batch(places, chance=chance)
        scene, place = batch["scene"], batch["place"]
        batch |= {"boxes": self.graphs.boxes[scene], "boxes_present": self.graphs.present[scene]}
        if self.regions is not None:
            batch |= {"vectors": self.regions[scene].float(), "vectors_present": batch["boxes_present"]}
        batch["looked"] = self.looked[place]
        if self.items is not None:
            batch["items"] = self.items[place]
        return batch

    def examples(self, questions: Tensor) -> Tensor:
        """The places of the examples of some questions, where each is asked alone."""
        return self.own.examples(questions)

    def name(self, place: int) -> str:
        """The id of a question or, where several are together, of their scene."""
        return self.own.name(place)


class AboutRelations:
    """Questions with the relations of knowledge that their programs ask by: `question`, `relations`."""

    def __init__(self, desk: Desk, split: str):
        self.questions = desk.corpus.questions(split, desk.lexicon)
        self.relations = torch.from_numpy(_asked_by(self.questions.programs)).to(desk.device)

    def __len__(self) -> int:
        return len(self.relations)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The questions at some places, whatever the chance."""
        places = places.to(self.relations.device)
        return {"question": self.questions.words[places], "relations": self.relations[places]}

    def name(self, place: int) -> str:
        """The id of a question."""
        return self.questions.ids[place]


def found_items(desk: Desk, split: str, count: int) -> Tensor:
    """(q, count) int64: the items that the questions of a split find, by their words and the relations that the
    network of that name sees in them; -1 where there are none."""
    network = desk.networks["relations"].eval()
    assert isinstance(network, Relations)
    questions = desk.corpus.questions(split, desk.lexicon)
    with torch.inference_mode():
        meant = torch.cat([network(some) > 0 for some in questions.words.split(_AT_ONCE)]).cpu().numpy()
    found = shelf_of(inspector_of_cric(desk.corpus)).find(questions.texts, meant, count)
    return torch.from_numpy(found).to(desk.device)


def _looked(targets: Sequence[Sequence[int]], most: int) -> Tensor:
    table = torch.zeros(len(targets), most)
    for row, own in enumerate(targets):
        if own:
            table[row, list(own)] = 1 / len(own)
    return table


def _asked_by(programs: Sequence[str]) -> NDArray[np.bool_]:
    """(q, r): the relations of the steps that need knowledge."""
    found = np.zeros((len(programs), len(RELATIONS)), bool)
    for row, line in enumerate(programs):
        for step in parse_program(line).steps:
            if step.function in _KNOWING:
                found[row, RELATIONS.index(str(step.values[1]) if len(step.values) == 3 else _CATEGORY)] = True
    return found
