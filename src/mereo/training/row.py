"""A row of a table: a model by name, what it needs and gives, the stages it is trained in, and how it answers.

Rows that fit any benchmark stand in `zoo.py`; those that know one benchmark stand in its folder (`Benchmark.learning`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

    from mereo.datasets.predictions import Prediction
    from mereo.datasets.sights import Looks, SeenScene
    from mereo.models.learner import Learner
    from mereo.training.corpus import Corpus
    from mereo.training.fields import Source
    from mereo.training.lexicon import Lexicon

__all__ = ["COLUMNS", "GIVES", "NEEDS", "PART", "WIDEST", "Desk", "Pace", "Row", "Stage"]

NEEDS = {
    "pictures": "pictures",
    "answers": "answers in words",
    "types": "types of questions",
    "masks": "masks of what its pictures show",
    "semantics": "what the things in its pictures are",
    "programs": "programs of its questions",
    "points": "clouds of points",
    "boxes": "boxes of what its pictures show",
    "knowledge": "knowledge of what its pictures show",
    "targets": "things that its expressions refer to",
}
"""What a row may need of a dataset, and how one says what is missing."""

GIVES = ("answers", "targets", "programs", "attention", "masks", "worlds", "codes")
"""What a row may give: answers, or the targets of expressions, and how it came to them; or codes of scenes, and none
of these."""


PART = "part"
"""What may be chosen about any row that answers: after which part of the time it does (`Pace.parts`)."""
WIDEST = "widest"
"""What may be chosen about any row that looks at pictures: how many columns the largest have; wider ones are shrunk."""
COLUMNS = 320
"""So many where nobody chooses."""


@dataclass(frozen=True)
class Pace:
    """How a stage learns, where nobody chooses otherwise."""

    batch: int = 256
    rate: float = 1e-3
    """The highest learning rate of the cycle."""
    decay: float = 0.01
    """Weight decay."""
    warm: float = 0.1
    """The share of the time in which the rate rises."""
    clip: float = 1.0
    """The longest gradient."""
    average: float | None = None
    """How slowly the averaged weights follow (EMA), as 0.999; none are kept where it is None."""
    passes: float = 30.0
    """How often each example is seen, at most."""
    steps: int = 0
    """How many steps there are, at most; as many as the passes come to where it is 0."""
    parts: int = 1
    """After each of so many parts of the time weights are kept, so that one can ask who has learned no longer."""


@dataclass(frozen=True)
class Stage:
    """One network of a row, and what it learns from."""

    name: str
    about: str
    network: Callable[[Desk], Learner]
    """Made anew, not yet trained. What it was made of must follow from the desk, so that it can be made again."""
    source: Callable[[Desk, str], Source]
    """The examples of a split: to learn from, or to be tried on."""
    share: float = 1.0
    """Its part of the time that the row is given, against those of the other stages."""
    pace: Pace = Pace()
    reads: tuple[str, ...] | None = None
    """The choices of its rows that it hangs on, so that runs which differ in others alone learn it once; None where it
    may be any of them."""
    looks: bool = True
    """Whether it looks at pictures, and so hangs on how large they are."""


@dataclass(frozen=True)
class Row:
    """One model."""

    name: str
    about: str
    needs: tuple[str, ...]
    gives: tuple[str, ...]
    supervision: str
    """In PTR's letters: A answers, M masks, S semantics, T spans of tokens, P programs; / for none."""
    stages: tuple[Stage, ...]
    answer: Callable[[Desk, str], Iterator[Prediction]]
    """Predictions for all questions of a split of the desk's dataset, by the networks on the desk."""
    choices: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    """What a person may choose about it (`--set width=256`), each with what holds where nobody does."""
    show: Callable[[Desk, str, Sequence[int]], Iterator[Looks | SeenScene]] | None = None
    """Where it looks, and what it sees, for some questions of a split, by their places; None where it cannot tell."""


@dataclass
class Desk:
    """What lies before whoever trains or asks a row: the data, its words, the device, and the networks so far."""

    corpus: Corpus
    lexicon: Lexicon
    device: torch.device
    seed: int = 0
    choices: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    """What a person chose about the row, as `width=256`."""
    networks: dict[str, Learner] = field(default_factory=dict)
    """By stage: those that are trained."""
