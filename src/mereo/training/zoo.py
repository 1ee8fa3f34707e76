"""The zoo: every model that fits any dataset with what it needs, a line or two each.

Nothing heavy is imported before a row is trained or asked, so that the zoo can be looked at without PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from mereo.training.row import Desk, Pace, Row, Stage

if TYPE_CHECKING:
    from mereo.datasets.predictions import Prediction

__all__ = ["Recipe", "all_rows", "asking_row", "asking_stage"]


@dataclass(frozen=True)
class Recipe:
    """What a model that answers questions about pictures is put together from; choices of a person go before it."""

    reasoner: str
    """One of `models.reasoners.REASONERS`."""
    sight: Literal["nothing", "pooled", "grid"] = "grid"
    width: int = 256
    reader: Literal["lstm", "gru", "transformer"] = "lstm"
    dropout: float = 0.1
    trunk: Literal["usual", "small"] = "usual"
    """How large the network is that looks at pictures; the small one is for machines without a GPU."""
    vectors: str = ""
    """Where the vectors of words are to begin with: a file or folder, or `glove` for the package; none if empty."""
    together: int = 16
    """Questions that are asked of a picture when it is looked at."""
    settings: dict[str, Any] = field(default_factory=dict)
    """Of the reasoner."""


_PACE = Pace(batch=32, rate=1e-3, decay=0.02, average=0.999)
"""An example is a picture with as many questions as are asked together, so a batch has 512 questions."""
_GENTLE = Pace(batch=32, rate=4e-4, decay=0.05, average=0.999)
"""Transformers break at rates that recurrent networks like."""


def all_rows() -> dict[str, Row]:
    """Every row by name, the simple ones first."""
    rows = (
        _guessing_row("q_type_random", "any answer that the type of question was seen to have", "random-by-type"),
        _guessing_row("q_type_frequent", "the most frequent answer of the type of question", "frequent-by-type"),
        asking_row("blind", "an LSTM that reads the question and sees nothing", Recipe("blind", "nothing")),
        asking_row("deaf", "a convolutional network that sees the picture and reads nothing", Recipe("deaf", "pooled")),
        asking_row("cnn_lstm", "CNN+LSTM: the picture as one vector beside the question", Recipe("concat", "pooled")),
        asking_row("san", "SAN: stacked attention, two looks at the picture", Recipe("stacked")),
        asking_row("film", "FiLM: the question scales and shifts what is seen", Recipe("film", width=128)),
        asking_row("relation", "RN: all pairs of places are asked the question", Recipe("relation")),
        asking_row("up_down_grid", "UP-DOWN: one look, led by the question, at places of a grid", Recipe("up_down")),
        asking_row("mac", "MAC: twelve steps that choose words, look and note", Recipe("mac")),
        asking_row("lcgn", "LCGN: places send each other messages that the words ask for", Recipe("lcgn")),
        asking_row(
            "co_attention",
            "ViLBERT without pretraining: two streams that look at each other",
            Recipe("co_attention", reader="transformer"),
            pace=_GENTLE,
        ),
        asking_row(
            "one_stream",
            "OneStream: words and places in one transformer",
            Recipe("one_stream", reader="transformer"),
            pace=_GENTLE,
        ),
    )
    return {row.name: row for row in rows}


_WITHOUT_ATTENTION = ("blind", "deaf", "concat", "film", "relation")


def asking_row(name: str, about: str, recipe: Recipe, *, pace: Pace = _PACE) -> Row:
    """A model that answers from what it reads and sees, and learns from answers alone."""
    looks = recipe.reasoner not in _WITHOUT_ATTENTION
    return Row(
        name=name,
        about=about,
        needs=("answers",) if recipe.sight == "nothing" else ("pictures", "answers"),
        gives=("answers", "attention") if looks else ("answers",),
        supervision="A",
        stages=(asking_stage(recipe, pace=pace),),
        answer=partial(_answers, recipe),
    )


def asking_stage(recipe: Recipe, *, pace: Pace = _PACE) -> Stage:
    """The one stage of such a row."""

    def network(desk: Desk) -> Any:
        from mereo.training.asking import made

        return made(recipe, desk)

    def source(desk: Desk, split: str) -> Any:
        from mereo.training.asking import questions_of

        return questions_of(recipe, desk, split)

    return Stage("answers", about="Answers to questions.", network=network, source=source, pace=pace)


def _answers(recipe: Recipe, desk: Desk, split: str) -> Iterator[Prediction]:
    from mereo.training.asking import answers

    return answers(recipe, desk, split)


def _guessing_row(name: str, about: str, baseline: str) -> Row:
    """What one can score by knowing the type of a question. There is nothing to train."""

    def answer(desk: Desk, split: str) -> Iterator[Prediction]:
        from mereo.training.guessing import guesses

        return guesses(baseline, desk, split)

    return Row(name, about, needs=("answers", "types"), gives=("answers",), supervision="/", stages=(), answer=answer)
