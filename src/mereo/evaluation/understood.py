"""What a run saw and understood, held against the truth: which things are the same, and where steps go apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mereo.datasets.inspector import listed_words
from mereo.datasets.seen import masks_in
from mereo.datasets.sights import SeenScene
from mereo.masks import Pixels, stretched
from mereo.programs import Language, Program, ProgramFailure, Trace, TraceStep, compile_program
from mereo.world import World

__all__ = [
    "Mark",
    "Ran",
    "Understood",
    "first_strange",
    "is_unlike",
    "marks_of",
    "run_as_far",
    "same_things",
    "understood",
]

_SAME = 0.25
"""The least overlap of what was seen with what is there, for the two to be one thing. Legs are two pixels wide: seen a
pixel off, they share a third with themselves."""


class Mark(NamedTuple):
    """What is wrong with an entity of the one world, held against the other."""

    state: str = ""
    """`alone` where the other world has no such thing."""
    unlike: frozenset[str] = frozenset()
    """The attributes that are not what they are in the other."""
    told: str = ""
    """The same in words."""


class Ran(NamedTuple):
    """A program as far as it could be run in a world."""

    program: Program
    trace: Trace | None
    """Of its first steps, or of all; None where not even the first could be run."""
    failure: ProgramFailure | None

    @property
    def steps(self) -> list[TraceStep]:
        """Those that have a value."""
        return [] if self.trace is None else list(self.trace.steps())


def run_as_far(line: str | Program, world: World, language: Language) -> Ran:
    """Run a program, or as many of its steps as can be."""
    program = compile_program(line, language)
    try:
        return Ran(program.program, program(world), None)
    except ProgramFailure as failure:
        whole, stopped = program.program, failure.step or 0
        begun = compile_program(Program(whole.steps[:stopped]), language)(world) if stopped else None
        return Ran(whole, begun, failure)


class Understood(NamedTuple):
    """The program that a run told, held against the true one. Places of steps are None where there is no such step."""

    true: Ran
    """The true program in the true world."""
    told: Ran
    """The run's program there."""
    seen: Ran | None
    """The run's program in what it saw, where that is known."""
    strange: int | None
    """The first step of the run's program that the true one has not."""
    lacking: int | None
    """The first step of the true program that the run's has not."""
    unlike: int | None
    """The first step of the run's program that comes to something else in what it saw."""


def understood(
    line: str, truth: str, world: World, language: Language, *, seen: World | None, same: Mapping[int, int]
) -> Understood:
    """Hold a run's program against the true one. seen : what it saw · same : for what it saw, what that is"""
    true, told = run_as_far(truth, world, language), run_as_far(line, world, language)
    other = None if seen is None else run_as_far(line, seen, language)
    unlike = None if other is None else first_unlike(other, told, same)
    return Understood(true, told, other, first_strange(told, true), first_strange(true, told), unlike)


def first_strange(own: Ran, other: Ran) -> int | None:
    """The first step that the other program has not: with the same words, and the same value in the same world.

    A step that cannot be run is strange, since programs of questions can be run.
    """
    known = {_likeness(step) for step in other.steps}
    strange = (place for place, step in enumerate(own.steps) if _likeness(step) not in known)
    return next(strange, len(own.steps) if own.failure is not None else None)


def _likeness(step: TraceStep) -> tuple[str, str, str]:
    return step.step.function, repr(step.step.values), repr(step.value)


def first_unlike(seen: Ran, true: Ran, same: Mapping[int, int]) -> int | None:
    """The first step of a program whose value in what was seen is not that in what is there.

    same : for what was seen, what it is
    """
    for place, (one, other) in enumerate(zip(seen.steps, true.steps, strict=False)):
        if is_unlike(one, other, same):
            return place
    reached, whole = len(seen.steps), len(true.steps)
    return None if reached == whole else min(reached, whole)


def is_unlike(seen: TraceStep, true: TraceStep, same: Mapping[int, int]) -> bool:
    """Whether a step comes to something else in what was seen than in what is there.

    Several numbers are of as many objects, in the order of these, of which those with none need not be the same.
    """
    if seen.type.form in ("entity", "entities"):
        return {same.get(entity, -1) for entity in seen.referred} != set(true.referred)
    if seen.type.form == "integers":
        own = Counter(same.get(entity, -1) for entity, number in enumerate(seen.value) for _ in range(number))
        return own != Counter(dict(enumerate(true.value)))
    return bool(seen.value != true.value)


def same_things(seen: SeenScene, world: World, masks: Mapping[int, Pixels]) -> dict[int, int]:
    """For what was seen, what it is: of one kind, by their pixels, the surest pairs first; or by name without pixels.

    masks : by entity of the true world, where it can be seen
    """
    named = {entity.id: k for k, entity in enumerate(world.entities) if k not in masks}
    same = {
        k: named[entity.id]
        for k, entity in enumerate(seen.world.entities)
        if not seen.instances[k] and entity.id in named
    }
    if not masks or not len(seen.world):
        return same
    shape = next(iter(masks.values())).shape
    found = masks_in(stretched(seen.ids, (shape[0], shape[1])), seen.instances)
    own, true = _flat(found), _flat([masks.get(k, np.zeros(shape, bool)) for k in range(len(world))])
    both = own @ true.T
    overlap = both / np.maximum(own.sum(1)[:, None] + true.sum(1) - both, 1)
    kinds = [entity.kind for entity in seen.world.entities], [entity.kind for entity in world.entities]
    overlap[np.array(kinds[0])[:, None] != np.array(kinds[1])] = 0
    for place in np.argsort(-overlap, axis=None, kind="stable").tolist():
        mine, other = divmod(place, len(world))
        if overlap[mine, other] < _SAME:
            break
        if mine not in same and other not in same.values():
            same[mine] = other
    return same


def marks_of(world: World, other: World, same: Mapping[int, int], *, there: str) -> dict[int, Mark]:
    """What is wrong with the entities of a world, where they differ from those that they are in another.

    What only one of the two tells is not held against it. there : how the other world is called, in words
    """
    marks = {}
    for k, own in enumerate(world.entities):
        if k not in same:
            marks[k] = Mark("alone", told=f"there is no such {own.kind} {there}")
            continue
        theirs = other.entities[same[k]].attributes
        unlike = {
            name: theirs[name] for name, value in own.attributes.items() if name in theirs and value != theirs[name]
        }
        if unlike:
            told = ", ".join(f"{name} {', '.join(listed_words(value)) or 'none'}" for name, value in unlike.items())
            marks[k] = Mark("unlike", frozenset(unlike), f"{told} {there}")
    return marks


def _flat(masks: Sequence[Pixels]) -> Any:
    return np.stack([mask.ravel() for mask in masks]).astype(np.float32)
