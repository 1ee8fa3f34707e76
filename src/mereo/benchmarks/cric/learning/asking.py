"""Models that answer from regions, and point: how one is made, what it learns from, how it answers a whole split."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from mereo.benchmarks.cric.learning.entities import item_reader
from mereo.benchmarks.cric.learning.facts import FactQuestions, channels_of
from mereo.benchmarks.cric.learning.graphs import inspector_of_cric
from mereo.benchmarks.cric.learning.likely import NOTHING
from mereo.benchmarks.cric.learning.questions import RegionQuestions
from mereo.benchmarks.cric.learning.recipes import Asker
from mereo.benchmarks.cric.learning.regions import eyes_of
from mereo.benchmarks.cric.learning.retrieving import RELATIONS, item_words, shelf_of
from mereo.benchmarks.cric.learning.showing import painted_looks
from mereo.benchmarks.cric.learning.texts import TextQuestions
from mereo.benchmarks.cric.learning.vocabulary import vocabulary_of
from mereo.datasets.predictions import Prediction
from mereo.datasets.sights import Looks
from mereo.errors import BadInput
from mereo.models.answering import Answering
from mereo.models.knowledge import Items, Knowing, Relations
from mereo.models.pretraining import Pretraining
from mereo.models.reasoners import REASONERS
from mereo.models.reasoners.straight import Straight
from mereo.models.sight import Given, Nothing, Sight
from mereo.models.well_read import Recalling, WellRead
from mereo.models.words import Words
from mereo.training.asking import chosen, words_of
from mereo.training.device import mixed
from mereo.training.row import Desk
from mereo.training.sources import QuestionSource

__all__ = ["WIDTH", "answers", "looks", "made", "pretraining", "questions_of", "relations"]

_REASONERS = {**REASONERS, "straight": Straight}
_AT_ONCE = 512
WIDTH = 256
"""Numbers of a vector, where nobody chooses otherwise."""


def made(asker: Asker, desk: Desk) -> Answering:
    """A network, not yet trained."""
    asker = _chosen(asker, desk)
    recipe = asker.recipe
    settings = {**recipe.settings, **({"items": asker.items} if "items" in recipe.settings else {})}
    parts = words_of(recipe, desk), _sight(asker, desk), _REASONERS[recipe.reasoner](recipe.width, **settings)
    more = {"answers": len(desk.lexicon.answers), "dropout": recipe.dropout, "guided": asker.guided}
    if asker.well_read:
        read = WellRead(*parts, items=item_reader(desk, recipe.width), width=recipe.width, guidance="each", **more)
        _take_over(read, desk)
        return read
    if not asker.items or asker.text:
        network = Answering(*parts, width=recipe.width, guidance="each", **more)  # type: ignore[arg-type]
        if asker.pretrained:
            _take_over(network, desk)
        return network
    told = item_words(shelf_of(inspector_of_cric(desk.corpus)), desk.lexicon)
    items = Items(
        told.head, told.relation, told.tail, words=told.words, relations=len(RELATIONS), width=recipe.width
    ).to(desk.device)
    return Knowing(*parts, width=recipe.width, guidance="each", items=items, **more)


def _sight(asker: Asker, desk: Desk) -> Sight:
    """What it looks at: nothing, where all is in the text that it reads, the cells of a graph, or regions."""
    if asker.text or asker.recipe.sight == "nothing":
        return Nothing(asker.recipe.width)
    if asker.graph:
        return Given(channels_of(vocabulary_of(desk.corpus.inspector)), asker.recipe.width)
    return Given(eyes_of(desk).channels, asker.recipe.width)


def pretraining(asker: Asker, desk: Desk) -> Pretraining:
    """The network that learns from captions, not yet trained."""
    recipe = chosen(asker.recipe, desk)
    reasoner = REASONERS[recipe.reasoner](recipe.width, **recipe.settings)
    parts = words_of(recipe, desk), Given(eyes_of(desk).channels, recipe.width), reasoner
    return Pretraining(*parts, width=recipe.width, count=len(desk.lexicon.words))


def _take_over(network: Answering, desk: Desk) -> None:
    """Begin with what was learned from captions, and from items of knowledge."""
    learned = desk.networks["captions"]
    assert isinstance(learned, Pretraining)
    for own, other in ((network.words, learned.words), (network.sight, learned.sight)):
        own.load_state_dict(other.state_dict())
    network.reasoner.load_state_dict(learned.reasoner.state_dict())
    if isinstance(network, WellRead):
        recalled = desk.networks["knowledge"]
        assert isinstance(recalled, Recalling)
        network.items.load_state_dict(recalled.items.state_dict())


def relations(desk: Desk) -> Relations:
    """The network that sees by which relations of knowledge a question asks, not yet trained."""
    width = int(desk.choices.get("width", WIDTH))
    return Relations(Words(len(desk.lexicon.words), width, reader="gru"), width=width, relations=len(RELATIONS))


def questions_of(
    asker: Asker, desk: Desk, split: str, *, together: int | None = None
) -> RegionQuestions | TextQuestions | QuestionSource:
    """The questions of a split with as much of their scenes as is looked at."""
    asker = _chosen(asker, desk)
    together = together or desk.corpus.together(split, asker.recipe.together)
    if asker.recipe.sight == "nothing":
        return QuestionSource(desk.corpus, split, desk.lexicon, together=together, pictures=False)
    if asker.text:
        return TextQuestions(desk, split, true=asker.graph == "true", items=asker.items, together=together)
    if asker.graph:
        return FactQuestions(desk, split, true=asker.graph == "true", together=together)
    return RegionQuestions(desk, split, together=together, items=asker.items)


def answers(asker: Asker, desk: Desk, split: str) -> Iterator[Prediction]:
    """The likeliest answer to every question of a split, in their order, and what it points at.

    That is the region that has most of the last look; who says no points at nothing, and who never looks does, too.
    """
    questions = desk.corpus.questions(split, desk.lexicon)
    best, sure = torch.zeros_like(questions.answer), torch.zeros(len(questions.ids), device=desk.device)
    at = torch.full_like(questions.answer, -1)
    source, network = questions_of(asker, desk, split), _trained(desk)
    for places in torch.arange(len(source), device=desk.device).split(max(1, _AT_ONCE // source.together)):
        batch = source.batch(places)
        with torch.inference_mode(), mixed(desk.device):
            reply = network.ask(batch)
        own = batch["place"]
        sure[own], best[own] = reply.logits.softmax(-1).max(-1)
        if reply.thought.attention is not None and asker.points:
            at[own] = reply.thought.attention[:, -1, : batch["boxes"].shape[1]].argmax(-1)
    for name, number, score, region in zip(questions.ids, best.tolist(), sure.tolist(), at.tolist(), strict=True):
        answer = desk.lexicon.answers[number]
        target = region if region >= 0 and answer != NOTHING else None
        yield Prediction(name, answer, score=round(score, 4), target=target)


def looks(asker: Asker, desk: Desk, split: str, places: Sequence[int]) -> Iterator[Looks]:
    """Where a network looks for some questions: at which regions, and at which words or items of knowledge."""
    source, network = questions_of(asker, desk, split, together=1), _trained(desk)
    assert isinstance(source, RegionQuestions)
    cells = source.items is not None and not asker.well_read
    shelf = shelf_of(inspector_of_cric(desk.corpus)) if cells else None

    def ask(some: Tensor) -> Iterator[tuple[Tensor, Tensor, Tensor | None, list[str] | None]]:
        batch = source.batch(source.examples(some))
        with torch.inference_mode(), mixed(desk.device):
            thought = network.ask(batch).thought
        assert thought.attention is not None
        count = batch["boxes"].shape[1]
        for row, attention in enumerate(thought.attention.float()):
            boxes, at = batch["boxes"][row], attention[:, :count]
            if shelf is not None:
                texts = [shelf.texts[item] if item >= 0 else "" for item in batch["items"][row].tolist()]
                yield boxes, at, attention[:, count:], texts
            else:
                yield boxes, at, None if thought.read is None else thought.read[row].float(), None

    return painted_looks(source.questions, places, desk.corpus.size, ask)


def _chosen(asker: Asker, desk: Desk) -> Asker:
    """An asker as a person chose it."""
    items, guided = int(desk.choices.get("items", asker.items)), float(desk.choices.get("guided", asker.guided))
    if items < bool(asker.items):
        raise BadInput(f"at least one item of knowledge is found, not {items}", field="items")
    if guided < 0:
        raise BadInput(f"must not be negative, not {guided}", field="guided")
    return replace(asker, recipe=chosen(asker.recipe, desk), items=items if asker.items else 0, guided=guided)


def _trained(desk: Desk) -> Answering:
    network = desk.networks["answers"]
    assert isinstance(network, Answering)
    return network.eval()
