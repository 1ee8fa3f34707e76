"""The zoo: every model that fits any dataset with what it needs, a line or two each.

Nothing heavy is imported before a row is trained or asked, so that the zoo can be looked at without PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from mereo.training.recipe import Recipe
from mereo.training.row import Desk, Pace, Row, Stage

if TYPE_CHECKING:
    from mereo.datasets.predictions import Prediction
    from mereo.datasets.sights import Looks

__all__ = ["all_rows", "asking_row"]

_GENTLE = Pace(batch=32, rate=4e-4, decay=0.05, average=0.999)
"""Transformers break at rates that recurrent networks like."""

_RECIPES = {
    "blind": Recipe("blind", "nothing", "an LSTM that reads the question and sees nothing"),
    "deaf": Recipe("deaf", "pooled", "a convolutional network that sees the picture and reads nothing"),
    "cnn_lstm": Recipe("concat", "pooled", "CNN+LSTM: the picture as one vector beside the question"),
    "san": Recipe("stacked", "grid", "SAN: stacked attention, two looks at the picture", settings={"steps": 2}),
    "film": Recipe("film", "grid", "FiLM: the question scales and shifts what is seen", 128, settings={"steps": 4}),
    "relation": Recipe("relation", "grid", "RN: all pairs of places are asked the question"),
    "up_down_grid": Recipe("up_down", "grid", "UP-DOWN: one look, led by the question, at places of a grid"),
    "mac": Recipe("mac", "grid", "MAC: twelve steps that choose words, look and note", settings={"steps": 12}),
    "lcgn": Recipe("lcgn", "grid", "LCGN: places send each other what the words ask for", settings={"steps": 4}),
    "co_attention": Recipe(
        "co_attention",
        "grid",
        "ViLBERT without pretraining: two streams that look at each other",
        reader="transformer",
        settings={"layers": 3},
        pace=_GENTLE,
    ),
    "one_stream": Recipe(
        "one_stream",
        "grid",
        "OneStream: words and places in one transformer",
        reader="transformer",
        settings={"layers": 5},
        pace=_GENTLE,
    ),
}


def all_rows() -> dict[str, Row]:
    """Every row by name, the simple ones first."""
    return {
        "q_type_random": _guessing_row(
            "q_type_random", "any answer that the type of question was seen to have", "random-by-type"
        ),
        "q_type_frequent": _guessing_row(
            "q_type_frequent", "the most frequent answer of the type of question", "frequent-by-type"
        ),
        **{name: asking_row(name, recipe) for name, recipe in _RECIPES.items()},
    }


_WITHOUT_ATTENTION = ("blind", "deaf", "concat", "film", "relation")


def asking_row(name: str, recipe: Recipe) -> Row:
    """A model that answers from what it reads and sees, and learns from answers alone."""
    looks = recipe.reasoner not in _WITHOUT_ATTENTION
    return Row(
        name=name,
        about=recipe.about,
        needs=("answers",) if recipe.sight == "nothing" else ("pictures", "answers"),
        gives=("answers", "attention") if looks else ("answers",),
        supervision="A",
        stages=(_asking_stage(recipe),),
        answer=partial(_answers, recipe),
        choices=recipe.choices,
        show=partial(_looks, recipe) if looks else None,
    )


def _asking_stage(recipe: Recipe) -> Stage:
    """The one stage of such a row."""

    def network(desk: Desk) -> Any:
        from mereo.training.asking import made

        return made(recipe, desk)

    def source(desk: Desk, split: str) -> Any:
        from mereo.training.asking import questions_of

        return questions_of(recipe, desk, split)

    return Stage("answers", about="Answers to questions.", network=network, source=source, pace=recipe.pace)


def _answers(recipe: Recipe, desk: Desk, split: str) -> Iterator[Prediction]:
    from mereo.training.asking import answers

    return answers(recipe, desk, split)


def _looks(recipe: Recipe, desk: Desk, split: str, places: Sequence[int]) -> Iterator[Looks]:
    from mereo.training.asking import looks

    return looks(recipe, desk, split, places)


def _guessing_row(name: str, about: str, baseline: str) -> Row:
    """What one can score by knowing the type of a question. There is nothing to train."""

    def answer(desk: Desk, split: str) -> Iterator[Prediction]:
        from mereo.training.guessing import guesses

        return guesses(baseline, desk, split)

    return Row(name, about, needs=("answers", "types"), gives=("answers",), supervision="/", stages=(), answer=answer)
