"""Rows whose pictures are first learned to be seen, and then to be asked about: UP-DOWN on slots, and MDETR.

Nothing heavy is imported before a row is trained or asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mereo.training.row import Desk, Pace, Row, Stage

if TYPE_CHECKING:
    from torch import Tensor

    from mereo.datasets.predictions import Prediction
    from mereo.datasets.sights import Looks
    from mereo.models.answering import Answering
    from mereo.models.learner import Learner
    from mereo.models.mdetr import MDETR
    from mereo.models.slots import Slots
    from mereo.training.fields import Source
    from mereo.training.slot_source import SlotSource

__all__ = ["staged_rows"]

_ASKED = 256
"""Questions that are answered at once."""


def staged_rows() -> dict[str, Row]:
    """By name."""
    return {row.name: row for row in (_up_down(), _mdetr())}


def _up_down() -> Row:
    return Row(
        name="up_down",
        about="UP-DOWN: attention over the slots of a picture, which are learned first, from pictures alone",
        needs=("pictures", "answers"),
        gives=("answers", "attention"),
        supervision="A",
        stages=(
            Stage(
                name="slots",
                about="Slot attention, which paints pictures again.",
                network=_slots,
                source=_scenes,
                share=2.0,
                # The rate of the paper, which has no decay either; neither was tried on rooms.
                pace=Pace(batch=64, rate=4e-4, decay=0.0, warm=0.1, passes=120.0),
            ),
            Stage(
                name="answers",
                about="Answers from the slots, which stay as they are.",
                network=_answering,
                source=_slotted,
                pace=Pace(batch=512, rate=1e-3, passes=30.0),
            ),
        ),
        answer=_answer_by_slots,
        choices={"slots": 14, "width": 256},
        show=_looks_at_slots,
    )


def _mdetr() -> Row:
    found = "Objects and parts, with the words that speak of them"
    return Row(
        name="mdetr",
        about="MDETR: words and picture in one transformer, which finds what words speak of and then learns to answer",
        needs=("pictures", "answers", "masks", "programs"),
        gives=("answers", "attention"),
        supervision="A,M,T",
        stages=(
            Stage(
                name="finding",
                about=f"{found}.",
                network=lambda desk: _finding(desk, answering=False),
                source=_spoken,
                pace=Pace(batch=32, rate=3e-4, decay=1e-4, clip=0.5, passes=30.0),
            ),
            Stage(
                name="answers",
                about=f"{found}, and the answer.",
                network=lambda desk: _finding(desk, answering=True),
                source=_spoken,
                pace=Pace(batch=32, rate=3e-4, decay=1e-4, warm=0.05, clip=0.5, passes=30.0),
            ),
        ),
        answer=_answer_by_finding,
        choices={"width": 256, "queries": 100, "levels": "", "together": 8, "trunk": "usual"},
        show=_looks_for_answers,
    )


def _slots(desk: Desk) -> Slots:
    from mereo.models.slots import Slots, fitting_size

    return Slots(slots=int(desk.choices.get("slots", 14)), size=fitting_size(*desk.corpus.size))


def _scenes(desk: Desk, split: str) -> Source:
    from mereo.training.sources import SceneSource

    return SceneSource(desk.corpus, split, levels=())


def _answering(desk: Desk) -> Answering:
    from mereo.models.answering import Answering
    from mereo.models.reasoners import REASONERS
    from mereo.models.sight import Given
    from mereo.models.words import Words

    width = int(desk.choices.get("width", 256))
    cells = _trained_slots(desk).width
    words, sight = Words(len(desk.lexicon.words), width), Given(cells, width)
    return Answering(words, sight, REASONERS["up_down"](width), width=width, answers=len(desk.lexicon.answers))


def _trained_slots(desk: Desk) -> Slots:
    from mereo.models.slots import Slots

    network = desk.networks["slots"]
    assert isinstance(network, Slots)
    return network


def _slotted(desk: Desk, split: str) -> SlotSource:
    from mereo.training.slot_source import SlotSource

    return SlotSource(desk.corpus, split, desk.lexicon, _trained_slots(desk))


def _finding(desk: Desk, *, answering: bool) -> MDETR:
    from mereo.models.mdetr import MDETR
    from mereo.models.sight import Grid
    from mereo.models.trunk import make_trunk
    from mereo.models.words import Words

    width = int(desk.choices.get("width", 256))
    network = MDETR(
        Words(len(desk.lexicon.words), width, reader="transformer"),
        Grid(make_trunk(str(desk.choices.get("trunk", "usual"))), width),
        width=width,
        answers=len(desk.lexicon.answers),
        levels=_levels(desk),
        answering=answering,
        queries=int(desk.choices.get("queries", 100)),
    )
    if answering and "finding" in desk.networks:
        network.load_state_dict(desk.networks["finding"].state_dict())
    return network


def _levels(desk: Desk) -> tuple[str, ...]:
    """Whose boxes are found: all that the dataset has, or one, as `levels=part`, which is what PTR's paper has."""
    chosen = desk.choices.get("levels")
    return tuple(str(chosen).split("+")) if chosen else tuple(desk.corpus.levels)


def _spoken(desk: Desk, split: str) -> Source:
    from mereo.training.span_source import SpanSource

    together = int(desk.choices.get("together", 8))
    return SpanSource(desk.corpus, split, desk.lexicon, levels=_levels(desk), together=together)


def _answer_by_slots(desk: Desk, split: str) -> Iterator[Prediction]:
    return _answers(desk, split, desk.networks["answers"], _slotted(desk, split))


def _answer_by_finding(desk: Desk, split: str) -> Iterator[Prediction]:
    from mereo.training.sources import QuestionSource

    return _answers(desk, split, desk.networks["answers"], QuestionSource(desk.corpus, split, desk.lexicon))


def _looks_at_slots(desk: Desk, split: str, places: Sequence[int]) -> Iterator[Looks]:
    """Where the slots lie that it looks at, each as much as it is looked at."""
    import torch

    from mereo.models.answering import Answering
    from mereo.training.showing import looks_of

    network, slots, source = desk.networks["answers"].eval(), _trained_slots(desk).eval(), _slotted(desk, split)
    assert isinstance(network, Answering)
    questions, pictures = source.questions, desk.corpus.pictures(split)

    def ask(some: Tensor) -> tuple[Tensor | None, Tensor | None]:
        with torch.inference_mode():
            attention = network.ask(source.batch(some)).thought.attention
            masks = slots.painted(pictures[questions.scene[some]].float() / 255).masks
        assert attention is not None
        return torch.einsum("bsk,bkrc->bsrc", attention.float(), masks), None

    return looks_of(questions, places, ask)


def _looks_for_answers(desk: Desk, split: str, places: Sequence[int]) -> Iterator[Looks]:
    """Where the queries for the answer look at last."""
    import torch

    from mereo.models.mdetr import MDETR
    from mereo.training.showing import grids, looks_of
    from mereo.training.sources import QuestionSource

    network, source = desk.networks["answers"].eval(), QuestionSource(desk.corpus, split, desk.lexicon)
    assert isinstance(network, MDETR)

    def ask(some: Tensor) -> tuple[Tensor | None, Tensor | None]:
        with torch.inference_mode():
            return grids(network.ask(source.batch(source.examples(some)))), None

    return looks_of(source.questions, places, ask)


def _answers(desk: Desk, split: str, network: Learner, source: Source) -> Iterator[Prediction]:
    """The likeliest answer to every question. source : an example a question"""
    import torch

    from mereo.datasets.predictions import Prediction
    from mereo.models.answering import Answering
    from mereo.models.mdetr import MDETR

    assert isinstance(network, Answering | MDETR)
    ids = desk.corpus.questions(split, desk.lexicon).ids
    network.eval()
    for start in range(0, len(source), _ASKED):
        batch = source.batch(torch.arange(start, min(start + _ASKED, len(source)), device=desk.device))
        with torch.inference_mode():
            sure, best = network.ask(batch).logits.softmax(-1).max(-1)
        told = zip(batch["place"].tolist(), best.tolist(), sure.tolist(), strict=True)
        for place, number, score in told:
            yield Prediction(ids[place], desk.lexicon.answers[number], score=round(score, 4))
