"""The models of CRIC's second table, and one of our own.

Nothing heavy is imported before a row is trained or asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.cric.learning.recipes import ASKERS, EYES, Asker
from mereo.benchmarks.cric.learning.stages import CAPTIONS, KNOWLEDGE, MODULES, PARSER, PERCEPTION, RELATIONS
from mereo.training.row import Desk, Row, Stage

if TYPE_CHECKING:
    from mereo.datasets.predictions import Prediction
    from mereo.datasets.sights import Looks, SeenScene

__all__ = ["ROWS"]

_WITHOUT_ATTENTION = ("blind", "deaf")


def _asking_row(name: str, asker: Asker) -> Row:
    """A model that answers from regions, and from items of knowledge where it finds some."""
    recipe = asker.recipe
    looks = recipe.reasoner not in _WITHOUT_ATTENTION and not asker.text
    finds = asker.items and not asker.text
    told = recipe.sight == "given"
    needs = ["answers", *(("pictures", "boxes", "semantics") if told else ())]
    needs += ["knowledge"] if asker.items or asker.graph or asker.pretrained else []
    needs += ["programs"] if finds else []
    before = [PERCEPTION] if asker.sees else []
    before += [RELATIONS] if finds else []
    before += [CAPTIONS[asker.masking]] if asker.pretrained else []
    before += [KNOWLEDGE] if asker.well_read else []
    return Row(
        name=name,
        about=recipe.about + (", told where to look" if asker.guided else ""),
        needs=tuple(needs),
        gives=("answers", "attention") if looks else ("answers",),
        supervision=",".join(["A", *(["S"] if told else []), *(["P"] if finds else [])]),
        stages=(*before, _answering(asker)),
        answer=partial(_answers, asker),
        choices=asker.choices,
        show=partial(_looks, asker) if looks else None,
    )


def _answering(asker: Asker) -> Stage:
    def network(desk: Desk) -> Any:
        from mereo.benchmarks.cric.learning.asking import made

        return made(asker, desk)

    def source(desk: Desk, split: str) -> Any:
        from mereo.benchmarks.cric.learning.asking import questions_of

        return questions_of(asker, desk, split)

    return Stage("answers", "Answers to questions.", network, source, share=4.0, pace=asker.recipe.pace)


def _answers(asker: Asker, desk: Desk, split: str) -> Iterator[Prediction]:
    from mereo.benchmarks.cric.learning.asking import answers

    return answers(asker, desk, split)


def _looks(asker: Asker, desk: Desk, split: str, places: Sequence[int]) -> Iterator[Looks]:
    from mereo.benchmarks.cric.learning.asking import looks

    return looks(asker, desk, split, places)


def _modules_row() -> Row:
    """The paper's, but that a module reads the values of its step as they were parsed, and not words by attention."""
    return Row(
        name="nmn_cs",
        about="NMN-CS: a parser, and a network for each of the ten functions that looks at regions",
        needs=("pictures", "boxes", "semantics", "answers", "programs"),
        gives=("answers", "programs", "attention"),
        supervision="A,S,P",
        stages=(PERCEPTION, PARSER, MODULES),
        answer=_answers_by_modules,
        choices={"width": 256, **EYES, "together": 5, "pairs": 0, "told": 0.0, "programs": False},
        show=_modules_shown,
    )


def _answers_by_modules(desk: Desk, split: str) -> Iterator[Prediction]:
    from mereo.benchmarks.cric.learning.layouts import answer_by_modules

    return answer_by_modules(desk, split)


def _modules_shown(desk: Desk, split: str, places: Sequence[int]) -> Iterator[Looks]:
    from mereo.benchmarks.cric.learning.layouts import show_modules

    return show_modules(desk, split, places)


def _symbolic_row() -> Row:
    """Our own: what is read and what is seen meet only in the functions of the language."""
    return Row(
        name="cric_symbolic",
        about="a parser to the ten functions, run on how likely a network takes all that could be said of the boxes",
        needs=("pictures", "boxes", "semantics", "programs", "knowledge"),
        gives=("answers", "programs", "worlds"),
        supervision="S,P",
        stages=(PERCEPTION, PARSER),
        answer=_answers_by_likelihood,
        choices={"width": 256, **EYES, "pairs": 0, "programs": False, "graphs": False},
        show=_graphs_shown,
    )


def _answers_by_likelihood(desk: Desk, split: str) -> Iterator[Prediction]:
    from mereo.benchmarks.cric.learning.symbolic import answer_by_likelihood

    return answer_by_likelihood(desk, split)


def _graphs_shown(desk: Desk, split: str, places: Sequence[int]) -> Iterator[Looks | SeenScene]:
    from mereo.benchmarks.cric.learning.symbolic import show_graphs

    return show_graphs(desk, split, places)


ROWS = (*(_asking_row(name, asker) for name, asker in ASKERS.items()), _modules_row(), _symbolic_row())
"""told : weight of the loss on what single steps find, as NMN-CS-GT has it · pairs : questions with programs that the
parser learns from, 0 for all · programs, graphs : whether those are true ones, which only answering tells apart"""
