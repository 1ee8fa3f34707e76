"""Pointing by programs that are run on what was seen: nothing is marked where nothing is found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mereo.benchmarks.refer.learning.pointing import Size, picture_sizes
from mereo.benchmarks.refer.learning.programs import language_of
from mereo.benchmarks.refer.referents import Referents
from mereo.datasets.predictions import Mask, Prediction
from mereo.errors import MereoError
from mereo.masks import stretched
from mereo.programs import Language, ProgramFailure, compile_program, parse_program
from mereo.training.looking import seen_instances, sightings_of
from mereo.training.row import Desk
from mereo.training.seeing import Seeing, Seen
from mereo.training.understanding import NO_PROGRAM, parsed
from mereo.world import World

__all__ = ["Marks", "look_at_solids", "point_by_programs"]


def look_at_solids(desk: Desk, split: str, scenes: Sequence[int] | None = None) -> Iterator[Seen]:
    """What is seen, scene by scene. scenes : their places in the split; where none are given, all are looked at"""
    level = desk.corpus.levels["object"]
    for size, found in sightings_of(desk, split, scenes):
        yield Seen(size, seen_instances(level, found.objects))


def point_by_programs(desk: Desk, split: str) -> Iterator[Prediction]:
    """A prediction for every expression of a split, in their order."""
    questions, language = desk.corpus.questions(split, desk.lexicon), language_of(desk)
    programs, sizes = parsed(desk, split, language), picture_sizes(desk, split)
    about, seeing = questions.by_scene(), desk.corpus.seeing
    assert seeing is not None, "whoever has learned to see knows what follows"
    found: dict[int, Prediction] = {}
    for scene, seen in enumerate(look_at_solids(desk, split)):
        if scene in about:
            marks = Marks(seen, seeing, sizes[about[scene][0]])
            for place in about[scene]:
                found[place] = marks.pointed(questions.ids[place], programs[place], language)
    yield from (found[place] for place in range(len(sizes)))


class Marks:
    """What can be marked in one picture. size : of the picture as it is stored"""

    def __init__(self, seen: Seen, seeing: Seeing, size: Size):
        self._world: World = seeing.world(seen)
        self._size = size
        nothing = np.zeros(size, bool)
        self._referents = Referents([stretched(mask, size) for mask in seeing.shown(seen)] or [nothing])

    def pointed(self, question_id: str, line: str | None, language: Language) -> Prediction:
        """What a program comes to; nothing where it comes to nothing, or could not be read."""
        referred, wrong = ([], NO_PROGRAM) if line is None else self._run(line, language)
        marks = self._referents.columns([referred])["masks"][0]
        return Prediction(question_id, masks=[Mask(self._size, marks)], program=line, raw=wrong)

    def _run(self, line: str, language: Language) -> tuple[list[int], str | None]:
        """The things that a program ends with, and why there are none, where it cannot be run."""
        try:
            run = compile_program(parse_program(line), language).attempt(self._world)
        except MereoError as error:
            return [], str(error)
        return ([], str(run)) if isinstance(run, ProgramFailure) else (run.referred()[-1], None)
