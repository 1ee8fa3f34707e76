"""TbD on tables with household objects: programs as steps of modules that look at the picture, and where each looks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from mereo.benchmarks.shop.language import LANGUAGE
from mereo.benchmarks.shop.learning.graphs import module_of
from mereo.datasets.predictions import Prediction
from mereo.datasets.sights import Looks
from mereo.models.modular.modules import Module, modules_of
from mereo.models.modular.tbd import TbD
from mereo.models.trunk import make_trunk
from mereo.programs import Program, format_step, parse_program
from mereo.training.device import mixed
from mereo.training.row import Desk
from mereo.training.sources import QuestionSource
from mereo.training.step_source import StepSource
from mereo.training.understanding import parsed, read_programs

__all__ = ["answer_by_looking", "looking_modules", "programmed", "show_looks"]

_AT_ONCE, _SHOWN = 256, 16
"""Questions that are answered together, and whose steps are shown together."""
_TOGETHER = 10


def looking_modules(desk: Desk) -> TbD:
    """The network, not yet trained."""
    return TbD(
        make_trunk(str(desk.choices.get("trunk", "usual"))),
        [str(_kind(module)) for module in _known(desk)],
        answers=len(desk.lexicon.answers),
        width=int(desk.choices.get("module_width", 128)),
    )


def _known(desk: Desk) -> list[Module]:
    """Those of the lexicon's tokens that can look, kind by kind, so that those of one kind run together.

    About how a hand would take things no picture is asked.
    """
    able = (module for module in modules_of(LANGUAGE, desk.lexicon.tokens) if _kind(module) is not None)
    return sorted(able, key=lambda module: str(_kind(module)))


def _kind(module: Module) -> str | None:
    (step,) = parse_program(f"{module.name}()").steps
    return module_of(step.function, [str(value) for value in step.values])[0]


def programmed(desk: Desk, split: str) -> StepSource:
    """The questions of a split with their pictures and their true programs."""
    together = desk.corpus.together(split, int(desk.choices.get("together", _TOGETHER)))
    source = QuestionSource(desk.corpus, split, desk.lexicon, together=together)
    return StepSource(source, read_programs(source.questions.programs), _known(desk))


def answer_by_looking(desk: Desk, split: str) -> Iterator[Prediction]:
    """The likeliest answer to every question of a split; the most frequent of its type where modules cannot run it."""
    lines, network = parsed(desk, split, LANGUAGE), _trained(desk)
    source = StepSource(_alone(desk, split), read_programs(lines), _known(desk))
    questions, runs = desk.corpus.questions(split, desk.lexicon), source.runs
    found: dict[int, tuple[int, float]] = {}
    for some in torch.arange(len(source), device=desk.device).split(_AT_ONCE):
        batch = source.batch(some)
        with torch.inference_mode(), mixed(desk.device):
            sure, best = network.ask(batch).softmax(1).max(1)
        found |= dict(zip(batch["place"].tolist(), zip(best.tolist(), sure.tolist(), strict=True), strict=True))
    for place, name in enumerate(questions.ids):
        number, score = found[place]
        if runs[place]:
            yield Prediction(name, desk.lexicon.answers[number], score=round(score, 4), program=lines[place])
        else:
            wrong = "guessed: no program that modules can run"
            yield Prediction(name, desk.lexicon.guess(questions.types[place]), program=lines[place], raw=wrong)


def show_looks(desk: Desk, split: str, places: Sequence[int]) -> Iterator[Looks]:
    """Where every step looks that is run for some questions; nothing of those whose program cannot be run."""
    own, network = _alone(desk, split), _trained(desk)
    known = dict(zip(places, read_programs(parsed(desk, split, LANGUAGE, places)), strict=True))
    programs = [known.get(place) for place in range(len(own.questions.ids))]
    source = StepSource(own, programs, _known(desk))
    runs = source.runs
    for some in torch.tensor([*places], dtype=torch.int64, device=desk.device).split(_SHOWN):
        with torch.inference_mode(), mixed(desk.device):
            maps = network.attend(source.batch(own.examples(some))).cpu().numpy()
        for place, looked in zip(some.tolist(), maps, strict=True):
            program = programs[place]
            if program is not None and runs[place]:
                yield _looks(own.questions.ids[place], looked[: len(program)], program)


def _looks(question_id: str, maps: NDArray[np.float32], program: Program) -> Looks:
    """maps : (s, rows, columns). Each step is called as the program calls it."""
    most = maps.max((1, 2)) / np.maximum(maps.sum((1, 2)), 1e-6)
    names = tuple(format_step(step) for step in program.steps)
    own = np.eye(len(names), dtype=np.uint8) * 255
    return Looks(question_id, np.rint(255 * maps).astype(np.uint8), tuple(most.tolist()), names, own)


def _alone(desk: Desk, split: str) -> QuestionSource:
    """The questions of a split, each with its picture."""
    return QuestionSource(desk.corpus, split, desk.lexicon)


def _trained(desk: Desk) -> TbD:
    network = desk.networks["modules"]
    assert isinstance(network, TbD)
    return network.eval()
