"""Tables with household objects as graphs, and programs as steps of modules: what XNM learns from and is asked.

It learns on what is truly there and truly meant, and is asked about what was seen, read and understood.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mereo.benchmarks.shop.language import LANGUAGE, VOCABULARY
from mereo.benchmarks.shop.learning.levels import READ, SEEN
from mereo.benchmarks.shop.learning.truth import read_truly
from mereo.datasets.predictions import Prediction
from mereo.errors import MereoError
from mereo.models.kinds import Batch
from mereo.models.modular.xnm import KINDS, XNM
from mereo.programs import compile_program, parse_program
from mereo.training.looking import seen_truly
from mereo.training.row import Desk
from mereo.training.seeing import Seen, SeenThing

__all__ = ["GraphSource", "answer_by_modules", "make_modules", "module_of", "true_graphs"]

_AT_ONCE = 512
"""Questions that are answered together."""
_LONGEST = 40
"""Steps of a program that are run; longer ones are guessed."""
_COMPARED = ("equal_integer", "less_than", "greater_than")
_VERBS = ("filter", "same", "query", "equal")
_WORDS = {
    word: number
    for number, word in enumerate(
        (
            "",
            *LANGUAGE.functions,
            *VOCABULARY.relations,
            *(f"{name}: {word}" for name in VOCABULARY.attributes for word in VOCABULARY.words(name)),
        )
    )
}
_FEATURES = {**SEEN.words, **READ.words, **READ.several}


class _Step(NamedTuple):
    kind: int
    inputs: tuple[int, int]
    word: int


def make_modules(desk: Desk) -> XNM:
    """The network, not yet trained."""
    features, width = sum(map(len, _FEATURES.values())), int(desk.choices.get("module_width", 128))
    return XNM(len(_WORDS), features, answers=len(desk.lexicon.answers), width=width)


class GraphSource:
    """Questions of a split whose programs can be run by modules, each with the graph of its scene.

    seen : what is known of each scene, in their order · programs : of each question, None where none could be read
    """

    def __init__(self, desk: Desk, split: str, seen: Iterable[Seen], programs: Sequence[str | None]):
        questions, device = desk.corpus.questions(split, desk.lexicon), desk.device
        every = [[] if line is None else _steps(line) for line in programs]
        self.places = [place for place, steps in enumerate(every) if steps]
        self._ids = questions.ids
        chosen = [every[place] for place in self.places]
        longest = max(map(len, chosen), default=1)
        table = np.full((len(chosen), longest, 4), -1, np.int64)
        for row, steps in zip(table, chosen, strict=True):
            row[: len(steps)] = [(step.kind, *step.inputs, step.word) for step in steps]
        self._steps = torch.from_numpy(table).to(device)
        own = torch.tensor(self.places, dtype=torch.int64, device=device)
        self._scene, self._answer = questions.scene[own], questions.answer[own]
        self._graphs = {name: torch.from_numpy(one).to(device) for name, one in _graphs([*seen]).items()}

    def __len__(self) -> int:
        return len(self.places)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The questions at some places, whatever the chance."""
        places = places.to(self._steps.device)
        steps, scene = self._steps[places], self._scene[places]
        asked = {"steps": steps[..., :3], "words": steps[..., 3:]}
        return {**asked, "answer": self._answer[places], **{name: one[scene] for name, one in self._graphs.items()}}

    def name(self, place: int) -> str:
        """The id of a question."""
        return self._ids[self.places[place]]


def true_graphs(desk: Desk, split: str) -> GraphSource:
    """All questions of a split with what is truly there and truly meant."""
    corpus = desk.corpus
    seen = (
        read_truly(corpus, split, scene, seen_truly(corpus, split, scene)) for scene in range(len(corpus.rows(split)))
    )
    return GraphSource(desk, split, seen, corpus.questions(split, desk.lexicon).programs)


def answer_by_modules(
    desk: Desk, split: str, seen: Iterable[Seen], programs: Sequence[str | None]
) -> Iterator[Prediction]:
    """The likeliest answer to every question of a split; the most frequent of its type where modules cannot run it."""
    network, source = desk.networks["modules"], GraphSource(desk, split, seen, programs)
    assert isinstance(network, XNM)
    network.eval()
    found: dict[int, tuple[int, float]] = {}
    for some in torch.arange(len(source), device=desk.device).split(_AT_ONCE):
        with torch.inference_mode():
            sure, best = network.run(source.batch(some)).logits.softmax(1).max(1)
        told = zip(best.tolist(), sure.tolist(), strict=True)
        found |= dict(zip((source.places[k] for k in some.tolist()), told, strict=True))
    questions = desk.corpus.questions(split, desk.lexicon)
    for place, name in enumerate(questions.ids):
        if place in found:
            number, score = found[place]
            answer = desk.lexicon.answers[number]
            yield Prediction(name, answer, score=round(score, 4), program=programs[place])
        else:
            wrong = "guessed: no program that modules can run"
            yield Prediction(name, desk.lexicon.guess(questions.types[place]), program=programs[place], raw=wrong)


def _steps(line: str) -> list[_Step]:
    """A program as steps of modules; none where it has a step that no module does, or too many."""
    try:
        program = compile_program(parse_program(line), LANGUAGE).program
    except MereoError:
        return []
    found = []
    for function, inputs, values in program.steps:
        kind, word = module_of(function, [str(value) for value in values])
        if kind is None:
            return []
        one, other = (*inputs, -1, -1)[:2]
        found.append(_Step(KINDS.index(kind), (one, other), _WORDS[word]))
    return found if len(found) <= _LONGEST else []


def module_of(function: str, values: Sequence[str]) -> tuple[str | None, str]:
    """Which module a function is, and its word."""
    if function in _COMPARED:
        return "compare", function
    if function == "relate":
        return function, values[0]
    verb, _, name = function.partition("_")
    if verb in _VERBS and name in VOCABULARY.attributes:
        return verb, f"{name}: {values[0]}" if values else function
    return (function if function in KINDS else None), function


def _graphs(seen: Sequence[Seen]) -> dict[str, NDArray[np.float32] | NDArray[np.bool_]]:
    """The things of all scenes as tables: node (s, k, f), present (s, k), place (s, k, 2)."""
    most = max((len(one.objects) for one in seen), default=1)
    node = np.zeros((len(seen), max(1, most), sum(map(len, _FEATURES.values()))), np.float32)
    place, present = np.zeros((*node.shape[:2], 2), np.float32), np.zeros(node.shape[:2], np.bool_)
    for scene, one in enumerate(seen):
        for number, thing in enumerate(one.objects):
            node[scene, number], place[scene, number] = _node(thing), thing.numbers["place"]
            present[scene, number] = True
    return {"node": node, "present": present, "place": place}


def _node(thing: SeenThing) -> NDArray[np.float32]:
    """(f,): of every attribute how likely each value is."""
    found = []
    for name, values in _FEATURES.items():
        own = thing.words.get(name) or ()
        words = (own,) if isinstance(own, str) else own
        found.append(thing.odds.get(name, np.array([value in words for value in values], np.float32)))
    return np.concatenate(found).astype(np.float32)
