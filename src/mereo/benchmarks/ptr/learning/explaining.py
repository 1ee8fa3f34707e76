"""How a row that answers by programs came to some of its answers: what it saw, and every step in that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mereo.benchmarks.ptr.learning.answers import Account, account_of
from mereo.benchmarks.ptr.learning.recorded import record_of_seen
from mereo.benchmarks.ptr.learning.rows import LOOKS, parsed
from mereo.benchmarks.ptr.learning.seeing import PtrSeeing
from mereo.datasets.seen import overlaid
from mereo.datasets.sights import SeenScene
from mereo.errors import UnknownName
from mereo.masks import Pixels
from mereo.training.row import Desk
from mereo.training.seeing import Seen
from mereo.training.understanding import NO_PROGRAM

__all__ = ["Explained", "explain"]


@dataclass(frozen=True)
class Explained:
    """One answer."""

    place: int
    """Of the question in its split."""
    answer: str
    account: Account
    """How its program came to it; without a trace, it was guessed."""
    shown: SeenScene
    """What was seen, as the world in which the program was run; where none was, as the likeliest."""
    seen: Seen


def explain(row: str, desk: Desk, split: str, places: Sequence[int]) -> Iterator[Explained]:
    """How a row answers some questions of a split, in their order. row : its name · desk : with its networks"""
    if row not in LOOKS:
        raise UnknownName("row that answers by programs named", row, LOOKS)
    questions = desk.corpus.questions(split, desk.lexicon)
    about = questions.scene[[*places]].tolist()
    scenes = sorted(set(about))
    seen = dict(zip(scenes, LOOKS[row](desk, split, scenes), strict=True))
    for place, scene, line in zip(places, about, parsed(desk, split, places), strict=True):
        yield _explained(desk, split, place, desk.corpus.scene_ids(split)[scene], seen[scene], line)


def _explained(desk: Desk, split: str, place: int, scene_id: str, seen: Seen, line: str | None) -> Explained:
    readings, literal = [*PtrSeeing().readings(seen)], bool(desk.choices.get("literal"))
    account = Account(None, NO_PROGRAM) if line is None else account_of(line, readings, literal=literal)
    world = readings[0] if account.trace is None else account.trace.world
    ids, instances = overlaid(_masks(seen)[: len(world)])
    kind = desk.corpus.questions(split, desk.lexicon).types[place]
    answer = desk.lexicon.guess(kind) if account.answer is None else account.answer
    return Explained(place, answer, account, SeenScene(scene_id, world, ids, instances), seen)


def _masks(seen: Seen) -> list[Pixels]:
    """For each entity of any reading which pixels show it: faint parts come last where they count."""
    faint = [part["seen"] for thing in record_of_seen(seen)["objects"] for part in thing["faint"]]
    return [*PtrSeeing().shown(seen), *(seen.parts[place].mask for place in faint)]
