"""Stages that see and understand, for rows of any benchmark that runs programs on what was seen, and how they show it.

Nothing heavy is imported before a stage is trained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mereo.training.row import Desk, Pace, Stage
from mereo.training.seeing import COUNTS, Level, Seen
from mereo.training.understanding import PARSER, REWARDED

if TYPE_CHECKING:
    from mereo.datasets.sights import SeenScene
    from mereo.models.learner import Learner
    from mereo.models.parser import Parser
    from mereo.programs import Language
    from mereo.training.fields import Source
    from mereo.training.lexicon import Lexicon

__all__ = [
    "DENSE_WIDTH",
    "PAIRS",
    "all_pairs_stage",
    "dense_stage",
    "detector_stage",
    "new_parser",
    "parser_stage",
    "rewarded_stage",
    "shown_by",
]

PAIRS = 1000
"""Questions with programs that parsers learn from, as PTR's paper has it."""
DENSE_WIDTH = 32
_LONGEST = 64
"""Tokens of a program."""
_STRANGE = 0.5
"""The share of pictures whose ground has another color."""


def detector_stage(name: str, about: str, level: str, *, share: float) -> Stage:
    """Masks of the things of a level."""
    return Stage(
        name,
        about,
        _detector,
        lambda desk, split: _scenes(level, desk, split),
        share=share,
        pace=Pace(batch=16, rate=3e-4),
        reads=("detector",),
    )


def dense_stage(
    about: str,
    *,
    absent: Mapping[str, int] | None = None,
    counted: float | None = None,
    check: Callable[[Desk], None] = lambda desk: None,
) -> Stage:
    """One network that tells of every pixel what it shows, of all levels that the desk's dataset has.

    absent : by attribute the value that stands for none · counted : the share of a picture from which on parts are
    counted, if they are · check : complains about choices before anything is learned
    """

    def network(desk: Desk) -> Learner:
        from mereo.models.dense import Counted, DensePerception
        from mereo.models.told import Told
        from mereo.training.mirror import reflection_of

        check(desk)

        def told(own: Level) -> Told:
            words = {name: len(values) for name, values in own.words.items()}
            several = {name: len(values) for name, values in own.several.items()}
            none = {name: value for name, value in (absent or {}).items() if name in words}
            return Told(words, several, dict(own.numbers), absent=none, reflection=reflection_of(own))

        return DensePerception(
            {level: told(own) for level, own in desk.corpus.levels.items()},
            width=int(desk.choices.get("width", DENSE_WIDTH)),
            compiled=bool(desk.choices.get("compiled", False)),
            counted=None if counted is None else Counted(COUNTS, counted),
        )

    return Stage(
        "perception",
        about,
        network,
        lambda desk, split: _scenes(None, desk, split),
        share=6.0,
        pace=Pace(batch=32, rate=2e-3, decay=0.1, average=0.999, passes=60.0),
        reads=("width", "compiled"),
    )


def parser_stage(language: Language, *, pairs: int = PAIRS) -> Stage:
    """A parser that learns from a few pairs, and many more that are made of these by exchanging what they speak of.

    pairs : where nobody chooses another number
    """

    def source(desk: Desk, split: str) -> Source:
        from mereo.training.pair_source import PairSource

        wanted = int(desk.choices.get("pairs", pairs))
        return PairSource(desk.corpus, split, desk.lexicon, language, pairs=wanted, seed=desk.seed)

    return Stage(
        PARSER,
        f"programs of questions, from {pairs:,} pairs",
        lambda desk: new_parser(desk.lexicon, language),
        source,
        pace=Pace(batch=256, rate=2e-3, average=0.999, passes=400.0),
        reads=("pairs",),
        looks=False,
    )


def all_pairs_stage(language: Callable[[Desk], Language], *, passes: float, longest: int = _LONGEST) -> Stage:
    """A parser that learns from all pairs as they are, or from as many as are chosen.

    language : of the desk's dataset · longest : tokens of a program
    """

    def source(desk: Desk, split: str) -> Source:
        from mereo.training.sources import ProgramSource

        pairs = int(desk.choices.get("pairs", 0))
        return ProgramSource(desk.corpus, split, desk.lexicon, pairs=pairs or None, seed=desk.seed)

    return Stage(
        PARSER,
        "programs of questions, from all pairs or as many as are chosen",
        lambda desk: new_parser(desk.lexicon, language(desk), longest=longest),
        source,
        pace=Pace(batch=256, rate=2e-3, passes=passes),
        reads=("pairs",),
        looks=False,
    )


def rewarded_stage(language: Language) -> Stage:
    """The parser of the stage before, which goes on with all questions: by right answers alone, without programs."""

    def network(desk: Desk) -> Learner:
        from mereo.models.rewarded import Rewarded
        from mereo.training.rewarding import AnswerReward

        parser = new_parser(desk.lexicon, language, dropout=0.0)
        parser.load_state_dict(desk.networks[PARSER].state_dict())
        return Rewarded(parser, AnswerReward(desk, language))

    def source(desk: Desk, split: str) -> Source:
        from mereo.training.rewarding import AnsweredQuestions

        return AnsweredQuestions(desk, split)

    return Stage(
        REWARDED,
        "programs of questions, from rewards for right answers",
        network,
        source,
        pace=Pace(batch=256, rate=1e-4, decay=0.0, average=0.99, passes=10.0),
    )


def new_parser(lexicon: Lexicon, language: Language, *, longest: int = _LONGEST, dropout: float = 0.3) -> Parser:
    """A parser that has learned nothing yet. longest : tokens of a program"""
    from mereo.models.grammar import Grammar
    from mereo.models.parser import Parser

    return Parser(len(lexicon.words), Grammar(language, lexicon.tokens, longest=longest), dropout=dropout)


def shown_by(
    look: Callable[[Desk, str, Sequence[int]], Iterator[Seen]],
) -> Callable[[Desk, str, Sequence[int]], Iterator[SeenScene]]:
    """What a way of looking sees of the scenes of some questions. look : takes the places of scenes in a split"""

    def show(desk: Desk, split: str, places: Sequence[int]) -> Iterator[SeenScene]:
        from mereo.training.showing import scenes_of, scenes_seen

        scenes = scenes_of(desk, split, places)
        return scenes_seen(desk, split, scenes, look(desk, split, scenes))

    return show


def _detector(desk: Desk) -> Learner:
    from mereo.models.detect import make_detector

    return make_detector(str(desk.choices.get("detector", "mask2former")))


def _scenes(level: str | None, desk: Desk, split: str) -> Source:
    """Scenes of a split, in the mirror as well, and with guests, where it is known what is told of them then.

    Where things may be seen on strange grounds, every other picture has its ground in another color.
    """
    from mereo.training.augment import MIRRORED, STILL, VISITED
    from mereo.training.sources import SceneSource

    wanted = desk.corpus.levels if level is None else {level: desk.corpus.levels[level]}
    change = MIRRORED if all(own.mirror is not None for own in wanted.values()) else STILL
    if level is None and change is MIRRORED and all(own.looks is not None for own in wanted.values()):
        change = VISITED
    if any(own.strange for own in wanted.values()):
        change = replace(change, ground=_STRANGE)
    return SceneSource(desk.corpus, split, levels=tuple(wanted), change=change)
