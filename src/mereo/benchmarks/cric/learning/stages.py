"""The networks that rows with programs are made of, and what each learns from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mereo.benchmarks.cric.language import LANGUAGE
from mereo.training.row import Desk, Pace, Stage
from mereo.training.sight_stages import all_pairs_stage

if TYPE_CHECKING:
    from mereo.models.learner import Learner
    from mereo.training.fields import Source

__all__ = ["CAPTIONS", "KNOWLEDGE", "MODULES", "PARSER", "PERCEPTION", "RELATIONS"]


def _perception(desk: Desk) -> Learner:
    from mereo.benchmarks.cric.learning.symbolic import perception

    return perception(desk)


def _graphs(desk: Desk, split: str) -> Source:
    from mereo.benchmarks.cric.learning.symbolic import GraphSource

    return GraphSource(desk, split)


def _relations(desk: Desk) -> Learner:
    from mereo.benchmarks.cric.learning.asking import relations

    return relations(desk)


def _about_relations(desk: Desk, split: str) -> Source:
    from mereo.benchmarks.cric.learning.questions import AboutRelations

    return AboutRelations(desk, split)


def _modules(desk: Desk) -> Learner:
    from mereo.benchmarks.cric.learning.layouts import modules

    return modules(desk)


def _layouts(desk: Desk, split: str) -> Source:
    from mereo.benchmarks.cric.learning.layouts import LayoutQuestions

    return LayoutQuestions(desk, split, together=int(desk.choices.get("together", 5)))


def _pretraining(desk: Desk) -> Learner:
    from mereo.benchmarks.cric.learning.asking import pretraining
    from mereo.benchmarks.cric.learning.recipes import ASKERS

    return pretraining(ASKERS["vilbert_pretrained"], desk)


def _captions(masking: str) -> Stage:
    """masking : what is hidden at once, where nobody chooses"""

    def source(desk: Desk, split: str) -> Source:
        from mereo.benchmarks.cric.learning.captions import CaptionSource

        return CaptionSource(desk, split, usual=masking)

    return Stage(
        "captions",
        f"hidden {masking} of captions, and which captions are of the scene",
        _pretraining,
        source,
        share=4.0,
        pace=Pace(batch=96, rate=4e-4, decay=0.05, average=0.999, passes=100.0),
    )


def _recalling(desk: Desk) -> Learner:
    from mereo.benchmarks.cric.learning.asking import WIDTH
    from mereo.benchmarks.cric.learning.entities import recalling

    return recalling(desk, int(desk.choices.get("width", WIDTH)))


def _recalled(desk: Desk, split: str) -> Source:
    """All that is known, whatever the split."""
    from mereo.benchmarks.cric.learning.entities import RecalledItems

    return RecalledItems(desk)


PERCEPTION = Stage(
    "perception",
    "names, attributes and relations of what boxes show",
    _perception,
    _graphs,
    share=4.0,
    pace=Pace(batch=32, rate=1e-3, decay=0.02, average=0.999, passes=60.0),
    reads=("width", "crop_width", "depth"),
)
PARSER = all_pairs_stage(lambda desk: LANGUAGE, passes=60.0)
RELATIONS = Stage(
    "relations",
    "by which relations of knowledge a question asks",
    _relations,
    _about_relations,
    pace=Pace(batch=256, rate=1e-3, passes=20.0),
)
MODULES = Stage(
    "modules",
    "a network for each function, from answers to questions whose programs are true",
    _modules,
    _layouts,
    share=4.0,
    pace=Pace(batch=96, rate=1e-3, decay=0.02, average=0.999),
)
CAPTIONS = {masking: _captions(masking) for masking in ("words", "entities")}
"""By what is hidden at once."""
KNOWLEDGE = Stage(
    "knowledge",
    "what is hidden of items of knowledge",
    _recalling,
    _recalled,
    pace=Pace(batch=256, rate=4e-4, decay=0.05, average=0.999, passes=300.0),
)
