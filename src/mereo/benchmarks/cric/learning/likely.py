"""The ten functions run on likelihoods: what a program finds in a picture of which only is known how likely all is.

A set of things is a table (k, n): for each thing how likely it is a member if it goes by each of n names. So what two
steps ask of one name is not counted twice, and a thing is called by what fits all that the question says of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.cric.graph import KINDS
from mereo.benchmarks.cric.learning.vocabulary import Vocabulary
from mereo.benchmarks.cric.lore import ANYTHING, Lore, Query
from mereo.programs import Program

__all__ = ["FUNCTIONS", "NOTHING", "Found", "LikelyScene", "Names", "run_likely"]

Table = NDArray[np.float32]
NOTHING = "no"
"""The answer that points at nothing."""
_SURE = 0.5
"""From which likelihood on a thing counts as found."""


class Names:
    """What is known of names, as rows of 0 and 1 over all of them."""

    def __init__(self, vocabulary: Vocabulary, lore: Lore):
        self.vocabulary, self.lore = vocabulary, lore
        self.number = {name: number for number, name in enumerate(vocabulary.names)}
        self.word = {word: number for number, word in enumerate(vocabulary.words)}
        self.predicate = {name: number for number, name in enumerate(vocabulary.predicates)}
        self._rows: dict[frozenset[str], Table] = {}

    def row(self, names: frozenset[str]) -> Table:
        """(n,): 1 for these names."""
        if names not in self._rows:
            found = np.zeros(len(self.number), np.float32)
            found[[self.number[name] for name in names if name in self.number]] = 1
            self._rows[names] = found
        return self._rows[names]

    def beside(self, query: Query) -> list[tuple[Table, Table]]:
        """For each word that VISION may stand for: the names that go by it, and those that fill the blank then."""
        words = self.lore.patterns.get(query, {})
        return [
            (self.row(frozenset({word}) | self.lore.of_category(word)), self.row(self.lore.filling(plain)))
            for word, plain in words.items()
        ]


@dataclass(frozen=True)
class LikelyScene:
    """How likely all is that could be said of the k things of a scene."""

    names: Table
    """(k, n)"""
    words: Table
    """(k, w)"""
    related: Table
    """(p, k, k): how the first stands to the second."""
    known: Names

    def members(self, found: Table) -> Table:
        """(k,): how likely each thing is a member, whatever it is called."""
        return np.asarray((self.names * found).sum(1), np.float32)

    def presumed(self, found: Table) -> Table:
        """The same for a set that is spoken of as there: who asks takes that for granted."""
        most = float(self.members(found).max(initial=0.0))
        return found / most if most > 0 else found

    @cached_property
    def everything(self) -> Table:
        """All things."""
        return np.ones_like(self.names)


def _find(scene: LikelyScene, among: Table, word: str) -> Table:
    named = scene.known.row(frozenset({word}))
    number = scene.known.word.get(word)
    return among * named if number is None else among * np.maximum(named, scene.words[:, number, None])


def _standing(scene: LikelyScene, predicate: str) -> Table:
    number = scene.known.predicate.get(predicate)
    return np.zeros_like(scene.related[0]) if number is None else scene.related[number]


def _relate(scene: LikelyScene, subjects: Table, predicate: str) -> Table:
    near = scene.members(scene.presumed(subjects))[:, None] * _standing(scene, predicate)
    found: Table = scene.everything * near.max(0)[:, None]
    return found


def _relate_reverse(scene: LikelyScene, objects: Table, predicate: str) -> Table:
    near = scene.members(scene.presumed(objects)) * _standing(scene, predicate)
    found: Table = scene.everything * near.max(1)[:, None]
    return found


def _find_kg(scene: LikelyScene, beside: Table, head: str, relation: str, tail: str) -> Table:
    query, lore = Query(head, relation, tail), scene.known.lore
    if not query.compared:
        return scene.everything * scene.known.row(lore.filling(query))
    found = np.zeros_like(scene.names)
    there = scene.presumed(beside)
    for called, filling in scene.known.beside(query):
        each = scene.members(there * called)
        others = np.where(np.eye(len(each), dtype=bool), 0.0, each).max(1)  # it is not beside itself
        found = np.maximum(found, others[:, None] * filling)
    return found.astype(np.float32)


def _find_hypernym(scene: LikelyScene, among: Table, category: str) -> Table:
    return among if category in ANYTHING else among * scene.known.row(scene.known.lore.of_category(category))


def _recognition(scene: LikelyScene, things: Table, kind: str) -> str:
    place, vocabulary = int(scene.members(things).argmax()), scene.known.vocabulary
    if kind not in KINDS:
        return vocabulary.names[int((scene.names * things)[place].argmax())]
    numbers = vocabulary.kinds.get(kind, ())
    return vocabulary.words[max(numbers, key=lambda number: scene.words[place, number])] if numbers else ""


def _verify(scene: LikelyScene, things: Table) -> str:
    return "yes" if scene.members(things).max() > _SURE else NOTHING


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "initial": lambda scene: scene.everything,
    "find": _find,
    "relate": _relate,
    "relate_reverse": _relate_reverse,
    "find_kg": _find_kg,
    "find_kg_reverse": _find_kg,
    "find_hypernym": _find_hypernym,
    "and": lambda scene, one, other: one * other,
    "recognition": _recognition,
    "verify": _verify,
}
"""By the names of the language."""


class Found(NamedTuple):
    """What a program came to."""

    answer: str
    target: int | None
    """The thing that it points at."""
    steps: list[Table]
    """(k,) for each step: how likely each thing is in what it found; of the last step, what it was asked of."""

    @property
    def referred(self) -> list[list[int]]:
        """For each step the things that it found; none for an answer."""
        return [*([int(k) for k in np.flatnonzero(step > _SURE)] for step in self.steps[:-1]), []]


def run_likely(program: Program, scene: LikelyScene) -> Found:
    """The likeliest answer; none where a program only finds things. Where there are no things nothing is found."""
    if not len(scene.names):
        return Found(NOTHING, None, [np.zeros(0, np.float32) for _ in program.steps])
    values: list[Any] = []
    for step in program.steps:
        values.append(FUNCTIONS[step.function](scene, *(values[place] for place in step.inputs), *step.values))
    sets = [scene.members(value) for value in values if not isinstance(value, str)]
    if len(sets) == len(values):
        return Found("", int(sets[-1].argmax()), sets)
    last = sets[program.steps[-1].inputs[0]]
    answer = str(values[-1])
    return Found(answer, None if answer == NOTHING else int(last.argmax()), [*sets, last])
