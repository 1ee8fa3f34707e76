"""The networks that rows of referring expressions are made of, and what each learns from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mereo.errors import BadInput
from mereo.training.row import Desk, Pace, Stage
from mereo.training.sight_stages import all_pairs_stage, dense_stage

if TYPE_CHECKING:
    from mereo.benchmarks.refer.learning.source import Meaning, ReferSource
    from mereo.models.learner import Learner
    from mereo.models.referring.slr import Listener
    from mereo.models.trunk import Trunk
    from mereo.models.words import Words
    from mereo.training.fields import Source

__all__ = ["CHOICE", "MODULES", "PARSER", "QUERIES", "READING", "SIMILARITY", "SOLIDS", "SPEAKING", "expressions"]

_TOGETHER = 10
"""Expressions about one picture that share the work of looking at it, at most."""
_LONGEST = 96
"""Tokens of a program."""
_DETAIL, _FINE_DETAIL = 4, 2
"""Pixels to a side of a cell of masks: of those that a trunk's map is stretched to, and of those that a pyramid has."""


def expressions(
    desk: Desk,
    split: str,
    *,
    meaning: Meaning = "some",
    masks: bool = True,
    things: bool = False,
    together: int | None = None,
    detail: int = _DETAIL,
) -> ReferSource:
    """The expressions of a split with what they mean; as many together as was chosen, but no more than a scene has.

    detail : pixels to a side of a cell of masks, where nobody chooses others
    """
    from mereo.benchmarks.refer.learning.source import ReferSource

    chosen = together or int(desk.choices.get("together", _TOGETHER))
    return ReferSource(
        desk.corpus,
        split,
        desk.lexicon,
        together=desk.corpus.together(split, chosen),
        meaning=meaning,
        detail=int(desk.choices.get("detail", detail)) if masks else None,
        things=things,
    )


def width_of(desk: Desk, usual: int) -> int:
    """How wide the networks of a row are."""
    width = int(desk.choices.get("width", usual))
    if width < 8 or width % 8:
        raise BadInput(f"must be a multiple of 8, not {width}", field="width")
    return width


def trunk_of(desk: Desk) -> Trunk:
    """What looks at pictures."""
    from mereo.models.trunk import make_trunk

    return make_trunk(str(desk.choices.get("trunk", "usual")))


def words_of(desk: Desk, width: int, reader: str = "lstm") -> Words:
    """What reads expressions."""
    from mereo.models.words import Words

    return Words(len(desk.lexicon.words), width, reader="transformer" if reader == "transformer" else "lstm")


def finer_of(desk: Desk, stride: int) -> int:
    """Cells of masks to a side of a cell of a trunk that is so many pixels wide."""
    detail = int(desk.choices.get("detail", _DETAIL))
    return max(1, stride // max(1, detail))


def _check_stage(desk: Desk) -> None:
    if desk.corpus.seeing is None:
        reason = "has other scenes than those on CLEVR's stage, of which alone is known how they are looked at"
        raise BadInput(reason, file=desk.corpus.folder)


def _modules(desk: Desk) -> Learner:
    from mereo.benchmarks.refer.learning.programs import modules_known
    from mereo.models.modular.iep_ref import IepRef

    trunk = trunk_of(desk)
    return IepRef(trunk, modules_known(desk), width=width_of(desk, 128), finer=finer_of(desk, trunk.stride))


def _programmed(desk: Desk, split: str) -> Source:
    """With true programs, whatever the parser makes of them later."""
    from mereo.benchmarks.refer.learning.programs import modules_known
    from mereo.training.step_source import StepSource
    from mereo.training.understanding import read_programs

    source = expressions(desk, split)
    return StepSource(source, read_programs(source.questions.programs), modules_known(desk))


def _rmi(desk: Desk) -> Learner:
    from mereo.models.referring.rmi import RMI
    from mereo.models.sight import Grid

    width, trunk = width_of(desk, 256), trunk_of(desk)
    finer = finer_of(desk, trunk.stride)
    return RMI(words_of(desk, width), Grid(trunk, width), width=width, finer=finer)


def _queries(desk: Desk) -> Learner:
    from mereo.models.pyramid import Pyramid
    from mereo.models.referring.queries import ReferQueries

    width, detail = width_of(desk, 256), int(desk.choices.get("detail", _FINE_DETAIL))
    cell = 2 if detail % 2 == 0 else 1
    return ReferQueries(
        words_of(desk, width, "transformer"),
        Pyramid(int(desk.choices.get("fine", 32)), depth=int(desk.choices.get("depth", 5)), cell=cell),
        width=width,
        detail=detail,
        queries=int(desk.choices.get("queries", 24)),
        layers=int(desk.choices.get("layers", 6)),
    )


def _with_things(desk: Desk, split: str) -> Source:
    """All expressions, those that mean nothing among them, with the masks of all things."""
    return expressions(desk, split, meaning="any", things=True, detail=_FINE_DETAIL)


def _listener(desk: Desk) -> Listener:
    from mereo.models.referring.choosing import Candidates
    from mereo.models.referring.slr import Listener

    width = width_of(desk, 256)
    return Listener(words_of(desk, width), Candidates(trunk_of(desk), width), width=width)


def _speaking(desk: Desk) -> Learner:
    """It begins as the listener that rewards it, which goes on as it is."""
    from mereo.models.referring.slr import SLR, Listener

    listener, before = _listener(desk), desk.networks.get("similarity")
    if isinstance(before, Listener):
        listener.load_state_dict(before.state_dict())
    rewarding = before if isinstance(before, Listener) else None
    return SLR(listener, rewarding, words=len(desk.lexicon.words), width=width_of(desk, 256))


def _mattnet(desk: Desk) -> Learner:
    from mereo.models.referring.choosing import Candidates
    from mereo.models.referring.mattnet import MAttNet

    width = width_of(desk, 256)
    return MAttNet(words_of(desk, width), Candidates(trunk_of(desk), width), width=width)


def _single(desk: Desk, split: str) -> Source:
    """Only expressions that mean one thing, with the boxes of all."""
    return expressions(desk, split, meaning="one", masks=False)


MODULES = Stage(
    "modules",
    "a small network for every function, and masks of what programs come to",
    _modules,
    _programmed,
    share=6.0,
    pace=Pace(batch=32, rate=1e-3, average=0.999),
    reads=("width", "trunk", "detail", "together"),
)
PARSER = all_pairs_stage(lambda desk: desk.corpus.inspector.language, longest=_LONGEST, passes=100.0)
SOLIDS = dense_stage("solids, what they are like and where they stand, by pixels", check=_check_stage)
READING = Stage(
    "reading",
    "masks, from what is read word by word at every place",
    _rmi,
    expressions,
    pace=Pace(batch=32, rate=1e-3, decay=5e-4, average=0.999),
)
QUERIES = Stage(
    "queries",
    "masks of all things, and which of them are meant",
    _queries,
    _with_things,
    pace=Pace(batch=32, rate=1e-3, decay=0.02, average=0.999, passes=60.0),
)
_CHOOSING = Pace(batch=32, rate=1e-3, average=0.999)
SIMILARITY = Stage(
    "similarity", "how near boxes are to what was said, which rewards later", _listener, _single, pace=_CHOOSING
)
SPEAKING = Stage("speaking", "listening and speaking, with rewards", _speaking, _single, share=2.0, pace=_CHOOSING)
CHOICE = Stage("choice", "which box is meant, by three modules", _mattnet, _single, pace=_CHOOSING)
