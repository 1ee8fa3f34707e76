"""The models of PTR's second table that only PTR has, and the one of our own that answers by what it sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.learning.answers import answer_by_programs
from mereo.benchmarks.ptr.learning.looking import look_at_crops, look_at_pixels
from mereo.benchmarks.ptr.learning.showing import show_parts, shown_by
from mereo.benchmarks.ptr.learning.stages import CROP_WIDTH, DENSE, DENSE_WIDTH, EYES, PAIRS, PARSER
from mereo.datasets.predictions import Prediction
from mereo.errors import MereoError
from mereo.training.row import Desk, Pace, Row, Stage
from mereo.training.seeing import Seen

if TYPE_CHECKING:
    from mereo.benchmarks.ptr.learning.part_sight import PartQuestions
    from mereo.models.learner import Learner

__all__ = ["ROWS", "parsed"]

_WIDTH = 256
"""Numbers of a cell of MAC's memory."""
_TOGETHER = 16
"""Questions about one picture that share the work of looking at it."""
_AT_ONCE = 32
"""Pictures whose questions are answered together."""
_PHYSICAL = ("stability", "possible_change")
"""What stands in the names of functions that ask what would fall."""


def parsed(desk: Desk, split: str, places: Sequence[int] | None = None) -> list[str | None]:
    """The programs of a split's questions as they were understood; the true ones by the choice `programs`.

    places : of those that are wanted, where not all are
    """
    questions = desk.corpus.questions(split, desk.lexicon)
    wanted = [*range(len(questions.ids))] if places is None else [*places]
    if desk.choices.get("programs"):
        return [questions.programs[place] for place in wanted]
    parser: Any = desk.networks["parser"]
    parser.eval()
    return [_line(tokens, desk.lexicon.tokens) for tokens in parser.parse(questions.words[wanted])]


def _line(tokens: list[int], names: tuple[str, ...]) -> str | None:
    from mereo.models.grammar import program_of

    try:
        return str(program_of([names[token] for token in tokens], LANGUAGE))
    except MereoError:
        return None


def _by_programs(look: Callable[[Desk, str], Iterator[Seen]]) -> Callable[[Desk, str], Iterator[Prediction]]:
    return lambda desk, split: answer_by_programs(desk, split, parsed(desk, split), look(desk, split))


def _rebuilding(desk: Desk, split: str) -> Iterator[Prediction]:
    """By programs, and where one asks what would fall, by physics in the room as it was rebuilt."""
    programs = parsed(desk, split)
    physical = _physical(desk.corpus.questions(split, desk.lexicon).scene.tolist(), programs)
    return answer_by_programs(desk, split, programs, _rebuilt(enumerate(look_at_pixels(desk, split)), physical))


def _look_at_rebuilt(desk: Desk, split: str, scenes: Sequence[int]) -> Iterator[Seen]:
    """What is seen of some scenes when their questions are answered by rebuilding."""
    about = desk.corpus.questions(split, desk.lexicon).scene.tolist()
    wanted = set(scenes)
    asked = [place for place, scene in enumerate(about) if scene in wanted]
    physical = _physical([about[place] for place in asked], parsed(desk, split, asked))
    return _rebuilt(zip(scenes, look_at_pixels(desk, split, scenes), strict=True), physical)


def _physical(scenes: Iterable[int], programs: Iterable[str | None]) -> set[int]:
    """The scenes of which programs ask what would fall."""
    told = zip(scenes, programs, strict=True)
    return {scene for scene, line in told if line is not None and any(word in line for word in _PHYSICAL)}


def _rebuilt(seen: Iterable[tuple[int, Seen]], physical: set[int]) -> Iterator[Seen]:
    from mereo.benchmarks.ptr.learning.rebuild.verdicts import with_verdicts

    for scene, one in seen:
        yield with_verdicts(one) if scene in physical else one


def _mac(desk: Desk) -> Learner:
    from mereo.benchmarks.ptr.learning.part_sight import CHANNELS
    from mereo.models.answering import Answering
    from mereo.models.reasoners import REASONERS
    from mereo.models.sight import Grid
    from mereo.models.trunk import Trunk
    from mereo.models.words import Words

    width = int(desk.choices.get("width", _WIDTH))
    words = Words(len(desk.lexicon.words), width)
    sight = Grid(Trunk(), width, extra=CHANNELS)
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
_PARSED: dict[str, str | int | float | bool] = {"pairs": PAIRS, "programs": False}
"""pairs : to learn from · programs : whether these are the true ones when it answers"""
ROWS = (
    Row(
        name="ns_vqa",
        about="detectors, attribute networks, a parser and our executor; masks and attributes may be true ones",
        needs=(*_SEEN, "programs"),
        gives=("answers", "programs", "masks", "worlds"),
        supervision="MSP",
        stages=(*EYES, PARSER),
        answer=_by_programs(look_at_crops),
        choices={**_CROPS, **_PARSED},
        show=shown_by(look_at_crops),
    ),
    Row(
        name="mac_parts",
        about="MAC whose memory has the parts that NS-VQA's eyes found, with their names and colors",
        needs=(*_SEEN, "answers"),
        gives=("answers", "attention", "masks"),
        supervision="AMS",
        stages=(*EYES, _MAC),
        answer=_answer_with_parts,
        choices={**_CROPS, "width": _WIDTH},
        show=show_parts,
    ),
    Row(
        name="dense_symbolic",
        about="one network that tells of every pixel what it shows, a parser and our executor",
        needs=(*_SEEN, "programs"),
        gives=("answers", "programs", "masks", "worlds"),
        supervision="MSP",
        stages=(DENSE, PARSER),
        answer=_by_programs(look_at_pixels),
        choices={"width": DENSE_WIDTH, **_PARSED},
        show=shown_by(look_at_pixels),
    ),
    Row(
        name="rebuilt",
        about="the same eyes; the room is rebuilt from shapes of our grammars, and physics says what would fall",
        needs=(*_SEEN, "programs"),
        gives=("answers", "programs", "masks", "worlds"),
        supervision="MSP",
        stages=(DENSE, PARSER),
        answer=_rebuilding,
        choices={"width": DENSE_WIDTH, **_PARSED},
        show=shown_by(_look_at_rebuilt),
    ),
)
