"""An answer as a story: every step in plain words, lit in the picture, and held against the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.learning.explaining import Explained
from mereo.benchmarks.ptr.step_words import step_words
from mereo.datasets.inspector import Inspector
from mereo.datasets.pictures import decode_picture
from mereo.datasets.seen import masks_in
from mereo.evaluation.lit import Lit
from mereo.evaluation.panels import Image
from mereo.evaluation.stories import Shot, Story
from mereo.evaluation.understood import first_strange, is_unlike, run_as_far, same_things
from mereo.masks import Pixels
from mereo.programs import Trace, TraceStep
from mereo.programs.types import said
from mereo.questions.phrase import plural
from mereo.training.row import Desk
from mereo.world import World

__all__ = ["story_of"]

_NAMED = 4
"""Kinds of things that are named before the rest is only counted."""
_PHYSICAL = ("filter_stability", "query_is_stability", "query_possible_change", "query_is_possible_change")
"""Functions whose answers come from a room that is rebuilt."""
_STRANGE = "the question does not ask for this"


class _Truth(NamedTuple):
    """What is there, against which a run is held."""

    world: World
    masks: Mapping[int, Pixels]
    steps: Sequence[TraceStep]
    """The run's program in that world, as far as it goes."""
    same: Mapping[int, int]
    """For what was seen, what that is."""
    strange: int | None
    """The first step that the true program has not."""


def story_of(desk: Desk, split: str, title: str, one: Explained) -> Story:
    """How an answer that was not guessed came about."""
    questions, eye, trace = desk.corpus.questions(split, desk.lexicon), desk.corpus.inspector, one.account.trace
    if trace is None:
        raise ValueError("an answer that was guessed has no story")
    row = desk.corpus.whole_row(split, int(questions.scene[one.place]))
    world, answer = eye.world(row), desk.corpus.answers(split)[one.place]
    masks, told = eye.masks(row, world), run_as_far(trace.executable.program, world, LANGUAGE)
    strange = first_strange(told, run_as_far(questions.programs[one.place], world, LANGUAGE))
    truth = _Truth(world, masks, told.steps, same_things(one.shown, world, masks), strange)
    shots = [*_shots(trace, masks_in(one.shown.ids, one.shown.instances), truth, eye)]
    if one.answer != answer:
        first = _first_wrong(trace, shots)
        shots = [shot._replace(first=place == first) for place, shot in enumerate(shots)]
    notes = [questions.ids[one.place]]
    if one.account.wrong is not None:
        notes.append(f"Taken at its word it had no answer: {one.account.wrong}. What it was taken to mean is shown.")
    return Story(
        title=title,
        picture=decode_picture(row["image"]["bytes"]),
        question=questions.texts[one.place],
        answer=one.answer,
        truth=answer,
        shots=shots,
        notes=notes,
        aside=_rebuilt(one) if any(step.function in _PHYSICAL for step in trace.executable.program.steps) else None,
    )


def _rebuilt(one: Explained) -> tuple[Image, str] | None:
    """The room that physics was asked about; None where things were not seen in space, and told by sight."""
    from mereo.benchmarks.ptr.learning.rebuild.solid import is_in_space
    from mereo.benchmarks.ptr.learning.rebuild.view import drawn_aside

    if not is_in_space(one.seen):
        return None
    return drawn_aside(one.seen), "The room as it was rebuilt, from its right"


def _shots(trace: Trace, masks: Sequence[Pixels], truth: _Truth, eye: Inspector) -> Iterator[Shot]:
    """masks : of what was seen, by entity"""
    steps = [*trace.steps()]
    for place, step in enumerate(steps):
        should = truth.steps[place] if place < len(truth.steps) else None
        faults = [_STRANGE] if place == truth.strange else []
        if should is not None and is_unlike(step, should, truth.same):
            faults.append(_differing(step, should, trace.world, truth, eye))
        refers = step.type.form in ("entity", "entities")
        lit = _lit(step, should, masks, truth) if refers else _read(steps, place, masks)
        found = _value(step, trace.world, eye) if refers else ""
        yield Shot(_words(step, place), found, lit, ", ".join(faults))


def _first_wrong(trace: Trace, shots: Sequence[Shot]) -> int | None:
    """The first step from which all is wrong up to the answer; else the first that is wrong at all."""
    wrong = {place for place, shot in enumerate(shots) if shot.fault}
    chain, waiting = set[int](), [len(shots) - 1]
    while waiting:
        place = waiting.pop()
        if place in wrong:
            chain.add(place)
            waiting += trace.executable.program.steps[place].inputs
    return min(chain or wrong, default=None)


class _Apart(NamedTuple):
    """Entities in which a step and the truth differ."""

    stray: list[int]
    """Found, of what was seen, and not so."""
    missed: list[int]
    """So, of what is there, and not found."""


def _apart(step: TraceStep, should: TraceStep, truth: _Truth) -> _Apart:
    known = {truth.same.get(k) for k in step.referred}
    stray = [k for k in step.referred if truth.same.get(k) not in should.referred]
    return _Apart(stray, [k for k in should.referred if k not in known])


def _differing(step: TraceStep, should: TraceStep, world: World, truth: _Truth, eye: Inspector) -> str:
    """What of a step is not as in truth: the things that it missed, and those that are too many."""
    if step.type.form == "integers":
        told = [(eye.name(truth.world.entities[k]), number) for k, number in enumerate(should.value) if number]
        return "in truth " + (", ".join(f"{name} {number}" for name, number in told) or "none")
    if step.type.form not in ("entity", "entities"):
        return f"in truth {said(should.value)}"
    apart = _apart(step, should, truth)
    missed, stray = _counted(apart.missed, truth.world, eye), _counted(apart.stray, world, eye)
    faults = [f"missed: {missed}" if missed else "", f"too many: {stray}" if stray else ""]
    return "; ".join(filter(None, faults))


def _words(step: TraceStep, place: int) -> str:
    """What a step does, and with which, where those are not simply what was found before."""
    inputs = step.step.inputs
    told = "" if inputs in ((), (place - 1,)) else f" (from {', '.join(str(own + 1) for own in inputs)})"
    return step_words(step.step) + told


def _lit(step: TraceStep, should: TraceStep | None, masks: Sequence[Pixels], truth: _Truth) -> Lit:
    """What a step found, what of that is wrong, and what it missed."""
    if should is None:
        return Lit([masks[k] for k in step.referred])
    stray, missed = _apart(step, should, truth)
    wrong = [*(masks[k] for k in stray), *(truth.masks[k] for k in missed if k in truth.masks)]
    return Lit([masks[k] for k in step.referred if k not in stray], wrong)


def _read(steps: Sequence[TraceStep], place: int, masks: Sequence[Pixels]) -> Lit:
    """A number, a word, yes or no upon what it was read from; numbers of objects upon each of these."""
    found = [masks[k] for k in _read_from(steps, place)]
    value = steps[place].value
    if steps[place].type.form == "integers":
        return Lit(found, letters=[(masks[k], str(number)) for k, number in enumerate(value)])
    return Lit(found, said=said(value))


def _read_from(steps: Sequence[TraceStep], place: int) -> list[int]:
    """The entities that the steps refer to which a step takes, or which these take."""
    if steps[place].type.form in ("entity", "entities"):
        return steps[place].referred
    return sorted({entity for own in steps[place].step.inputs for entity in _read_from(steps, own)})


def _value(step: TraceStep, world: World, eye: Inspector) -> str:
    """The things that a step found, in a few words."""
    told = _counted(step.referred, world, eye) or "nothing"
    return f"the {told}" if step.type.form == "entity" else told


def _counted(entities: Sequence[int], world: World, eye: Inspector) -> str:
    """How many things there are of each name."""
    names = Counter(eye.name(world.entities[k]) for k in entities).most_common()
    told = [f"{number} {plural(name)}" if number > 1 else name for name, number in names[:_NAMED]]
    rest = sum(number for _, number in names[_NAMED:])
    return ", ".join(told) + (f" and {rest} more" if rest else "")
