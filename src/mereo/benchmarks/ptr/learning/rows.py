"""The models of PTR's second table that only PTR has, and the one of our own that answers by what it sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.learning.answers import answer_by_programs
from mereo.benchmarks.ptr.learning.looking import look_at_crops
from mereo.benchmarks.ptr.learning.rebuilding import EXCHANGED, look_and_rebuild
from mereo.benchmarks.ptr.learning.showing import show_parts
from mereo.benchmarks.ptr.learning.stages import CROP_WIDTH, DENSE, EYES, PARSER
from mereo.datasets.predictions import Prediction
from mereo.training.row import Desk, Pace, Row, Stage
from mereo.training.seeing import Seen
from mereo.training.sight_stages import DENSE_WIDTH, PAIRS, shown_by
from mereo.training.understanding import parsed as programs_of

if TYPE_CHECKING:
    from mereo.benchmarks.ptr.learning.part_sight import PartQuestions
    from mereo.models.learner import Learner

__all__ = ["LOOKS", "ROWS", "parsed"]

_WIDTH = 256
"""Numbers of a cell of MAC's memory."""
_TOGETHER = 16
"""Questions about one picture that share the work of looking at it."""
_AT_ONCE = 32
"""Pictures whose questions are answered together."""


def parsed(desk: Desk, split: str, places: Sequence[int] | None = None) -> list[str | None]:
    """The programs of a split's questions as they were understood. places : of those that are wanted, if not of all"""
    return programs_of(desk, split, LANGUAGE, places)


def _by_programs(look: Callable[[Desk, str], Iterator[Seen]]) -> Callable[[Desk, str], Iterator[Prediction]]:
    return lambda desk, split: answer_by_programs(desk, split, parsed(desk, split), look(desk, split))


def _rebuilding(**sources: str) -> Callable[[Desk, str], Iterator[Prediction]]:
    """By programs, and by rooms that are rebuilt. sources : of geometry and physics, where nobody chooses others"""

    def answer(desk: Desk, split: str) -> Iterator[Prediction]:
        programs = parsed(desk, split)
        seen = look_and_rebuild(desk, split, programs, _chosen(desk, sources))
        return answer_by_programs(desk, split, programs, seen)

    return answer


def _rebuilt(**sources: str) -> Callable[[Desk, str, Sequence[int]], Iterator[Seen]]:
    """What is seen of some scenes when the questions about them are answered so."""

    def look(desk: Desk, split: str, scenes: Sequence[int]) -> Iterator[Seen]:
        about, wanted = desk.corpus.questions(split, desk.lexicon).scene.tolist(), set(scenes)
        asked = [place for place, scene in enumerate(about) if scene in wanted]
        programs: list[str | None] = [None] * len(about)
        for place, line in zip(asked, parsed(desk, split, asked), strict=True):
            programs[place] = line
        return look_and_rebuild(desk, split, programs, _chosen(desk, sources), scenes)

    return look


def _chosen(desk: Desk, sources: Mapping[str, str]) -> dict[str, str]:
    return {name: str(desk.choices.get(name, source)) for name, source in sources.items()}


def _mac(desk: Desk) -> Learner:
    from mereo.benchmarks.ptr.learning.part_sight import CHANNELS
    from mereo.models.answering import Answering
    from mereo.models.reasoners import REASONERS
    from mereo.models.sight import Grid
    from mereo.models.trunk import make_trunk
    from mereo.models.words import Words

    width = int(desk.choices.get("width", _WIDTH))
    words = Words(len(desk.lexicon.words), width)
    sight = Grid(make_trunk(str(desk.choices.get("trunk", "usual"))), width, extra=CHANNELS)
    return Answering(words, sight, REASONERS["mac"](width), width=width, answers=len(desk.lexicon.answers))


def _part_questions(desk: Desk, split: str) -> PartQuestions:
    from mereo.benchmarks.ptr.learning.part_sight import PartQuestions, all_channels
    from mereo.training.augment import STILL
    from mereo.training.sources import QuestionSource

    questions = QuestionSource(desk.corpus, split, desk.lexicon, together=_TOGETHER, change=STILL)
    return PartQuestions(questions, all_channels(look_at_crops(desk, split), desk.device))


def _answer_with_parts(desk: Desk, split: str) -> Iterator[Prediction]:
    """Every question, in the order of the split."""
    import torch

    from mereo.training.device import mixed

    network: Any = desk.networks["mac_parts"]
    network.eval()
    source = _part_questions(desk, split)
    found: dict[int, tuple[int, float]] = {}
    for start in range(0, len(source), _AT_ONCE):
        batch = source.batch(torch.arange(start, min(start + _AT_ONCE, len(source)), device=desk.device))
        with torch.inference_mode(), mixed(desk.device):
            best = network.ask(batch).logits.softmax(-1).max(-1)
        told = zip(best.indices.tolist(), best.values.tolist(), strict=True)
        found |= dict(zip(batch["place"].tolist(), told, strict=True))
    for place, name in enumerate(desk.corpus.questions(split, desk.lexicon).ids):
        answer, score = found[place]
        yield Prediction(name, desk.lexicon.answers[answer], score=round(score, 4))


_MAC = Stage("mac_parts", "MAC with parts as channels", _mac, _part_questions, share=6.0, pace=Pace(32, average=0.999))

_SEEN = ("pictures", "masks", "semantics")
_CROPS: dict[str, str | int | float | bool] = {
    "detector": "mask2former",
    "crop_width": CROP_WIDTH,
    "masks": False,
    "attributes": False,
}
"""masks, attributes : whether those are true ones, which only answering tells apart"""
_DENSE: dict[str, str | int | float | bool] = {"width": DENSE_WIDTH, "compiled": False, "counted": False}
"""compiled : whether code is made for learning, which takes a while before it begins · counted : whether it answers by
the number of parts that objects are said to have, too, and not by those alone that were found"""
_PARSED: dict[str, str | int | float | bool] = {"pairs": PAIRS, "programs": False, "literal": False}
"""pairs : to learn from · programs : whether these are the true ones when it answers · literal : whether questions are
taken at their word, so that what nobody saw cannot be meant"""
_EXCHANGED: dict[str, str | int | float | bool] = dict.fromkeys(EXCHANGED, False)
"""Whether these stages are true when it answers."""
_SEEN_ALONE = {"geometry": "seen", "physics": "seen"}
_REBUILT = {"geometry": "posed", "physics": "rebuilt"}
LOOKS: dict[str, Callable[[Desk, str, Sequence[int]], Iterator[Seen]]] = {
    "ns_vqa": look_at_crops,
    "dense_symbolic": _rebuilt(**_SEEN_ALONE),
    "rebuilt": _rebuilt(**_REBUILT),
}
"""By row that answers by programs what it sees of some scenes of a split."""
ROWS = (
    Row(
        name="ns_vqa",
        about="detectors, attribute networks, a parser and our executor; masks and attributes may be true ones",
        needs=(*_SEEN, "programs"),
        gives=("answers", "programs", "masks", "worlds"),
        supervision="M,S,P",
        stages=(*EYES, PARSER),
        answer=_by_programs(look_at_crops),
        choices={**_CROPS, **_PARSED, "literal": True},
        show=shown_by(LOOKS["ns_vqa"]),
    ),
    Row(
        name="mac_parts",
        about="MAC whose memory has the parts that NS-VQA's eyes found, with their names and colors",
        needs=(*_SEEN, "answers"),
        gives=("answers", "attention", "masks"),
        supervision="A,M,S",
        stages=(*EYES, _MAC),
        answer=_answer_with_parts,
        choices={**_CROPS, "width": _WIDTH, "trunk": "usual"},
        show=show_parts,
    ),
    Row(
        name="dense_symbolic",
        about="one network that tells of every pixel what it shows, a parser and our executor",
        needs=(*_SEEN, "programs"),
        gives=("answers", "programs", "masks", "worlds"),
        supervision="M,S,P",
        stages=(DENSE, PARSER),
        answer=_rebuilding(**_SEEN_ALONE),
        choices={**_DENSE, **_PARSED, **_EXCHANGED, **_SEEN_ALONE},
        show=shown_by(LOOKS["dense_symbolic"]),
    ),
    Row(
        name="rebuilt",
        about="the same eyes; rooms rebuilt from shapes of our grammars, which tell axes and, by physics, what falls",
        needs=(*_SEEN, "programs"),
        gives=("answers", "programs", "masks", "worlds"),
        supervision="M,S,P",
        stages=(DENSE, PARSER),
        answer=_rebuilding(**_REBUILT),
        choices={**_DENSE, **_PARSED, **_EXCHANGED, **_REBUILT},
        show=shown_by(LOOKS["rebuilt"]),
    ),
)
