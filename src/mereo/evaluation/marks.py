"""What a judge is: it looks at predictions and gives every question its marks. All else follows from marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from mereo.datasets.asked import Asked
from mereo.datasets.predictions import Predictions

__all__ = ["Judge", "Marks"]


class Marks(NamedTuple):
    """Scores of some questions, each between 0 and 1."""

    scores: Mapping[str, NDArray[np.float64]]
    """(n,) for each measure, NaN where it says nothing; the first is the one that runs are compared by."""
    answered: NDArray[np.bool_]
    """(n,) whether there is a prediction; what is not answered has score 0."""
    said: Sequence[str] | None = None
    """The answers in the form in which they were compared, where answers were."""
    truth: Sequence[str] | None = None
    """The right ones."""

    @property
    def main(self) -> NDArray[np.float64]:
        """The score that counts most."""
        return next(iter(self.scores.values()))


class Judge(Protocol):
    """How a benchmark marks predictions; `dataset` and `predictions` are about the same questions in the same order."""

    def __call__(self, dataset: Asked, predictions: Predictions) -> Marks:
        """The marks of every question."""
