"""Asking about a picture and what is known: questions of five types, each sound whatever only some would say.

Three of them can be asked of the picture alone as well, as GQA does.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import NamedTuple

from mereo.benchmarks.cric.assembly import Assembly
from mereo.benchmarks.cric.decorating import Decorator
from mereo.benchmarks.cric.description import Known
from mereo.benchmarks.cric.drafts import Draft, Fills, Has, Stands, items_of, parts_of
from mereo.benchmarks.cric.graph import OTHER, SceneGraph
from mereo.benchmarks.cric.looking import stands_in_sight, verify_in_sight, what_it_looks_like
from mereo.benchmarks.cric.lore import Lore
from mereo.benchmarks.cric.question import CricQuestion, WrongPart
from mereo.benchmarks.cric.refusing import Change, Pair, some_thing, verify_attribute, verify_item
from mereo.benchmarks.cric.seen import Found, Sayable, Seen
from mereo.benchmarks.cric.wording import Wording, ended
from mereo.programs import ProgramFailure, Trace

__all__ = ["Questioner"]

_FEWEST, _MOST = 2, 7
"""Functions of a program, not counting `initial`."""
_DESCRIBED = 0.3
"""How often an item is looked for in which another thing of the picture is described."""
_COIN = 0.5
_TRIES = 6
"""Drafts for each question that is wanted, before fewer are asked."""


class Questioner:
    """Asks about any picture, given what is known. visual : whether it asks only about what is seen"""

    def __init__(self, lore: Lore, *, visual: bool = False):
        self._sayable, self._types = Sayable(lore), _VISUAL if visual else _TYPES

    def ask(self, graph: SceneGraph, count: int, *, chance: random.Random) -> list[CricQuestion]:
        """Questions about a picture, as many as are wanted or fewer; no two ask the same in other words."""
        seen = Seen(graph, self._sayable)
        decorator, wording = Decorator(seen, chance), Wording(chance)
        asked: list[CricQuestion] = []
        met: set[object] = set()
        weights = [type.weight for type in self._types.values()]
        for kind in chance.choices(list(self._types), weights, k=_TRIES * count):
            if len(asked) == count:
                break
            drafted = self._types[kind].draft(decorator)
            chosen = drafted and _chosen(seen, drafted, chance)
            if chosen and (kind, chosen.gist) not in met:
                met.add((kind, chosen.gist))
                question = _question(seen, kind, chosen, wording)
                asked += [question] if question else []
        return asked


class _Sound(NamedTuple):
    """A draft whose every step finds the same whatever only some would say."""

    draft: Draft
    program: Assembly
    trace: Trace
    about: int
    """The step that the answer is about."""

    @property
    def gist(self) -> tuple[object, ...]:
        """The items that it speaks of or, without any, the things; what it points at and its answer."""
        return (
            frozenset(item.plain for item in items_of(self.draft))
            or frozenset(self.trace.values[step] for step in self.program.definite),
            self.trace.values[self.about],
            self.trace.values[-1],
        )


class _Chosen(NamedTuple):
    """What is asked."""

    sound: _Sound
    gist: tuple[object, ...]
    """What all have in common that ask the same in other words, or the same with another part changed."""
    change: Change | None = None


def _chosen(seen: Seen, drafted: Draft | Pair, chance: random.Random) -> _Chosen | None:
    """What is asked, if it can be: of a pair one of the two by the toss of a coin, if both can."""
    if not isinstance(drafted, Pair):
        sound = _sound(seen, drafted)
        return sound and _Chosen(sound, sound.gist)
    true, false = _sound(seen, drafted.true, answer=True), _sound(seen, drafted.false, answer=False)
    if true is None or false is None:
        return None
    gist = *true.gist, drafted.change.kind, drafted.change.instead
    return _Chosen(true, gist) if chance.random() < _COIN else _Chosen(false, gist, drafted.change)


def _sound(seen: Seen, draft: Draft, *, answer: bool | None = None) -> _Sound | None:
    """A draft, if it has one answer, this if there is one, and nothing that it speaks of is in doubt."""
    program = Assembly()
    about = draft.assemble(program)
    function, *values = draft.last
    program.add(function, about, values=values)
    if not _FEWEST <= program.functions() <= _MOST:
        return None
    executable = program.executable()
    trace, doubtful = executable.attempt(seen.world), executable.attempt(seen.doubtful)
    if isinstance(trace, ProgramFailure) or isinstance(doubtful, ProgramFailure) or trace.values != doubtful.values:
        return None
    if answer not in (None, trace.values[-1]) or trace.values[about] & ~seen.candidates:
        return None
    if any(trace.values[step].bit_count() != 1 for step in program.definite):
        return None
    return _Sound(draft, program, trace, about)


def _question(seen: Seen, kind: str, chosen: _Chosen, wording: Wording) -> CricQuestion | None:
    """A sound draft in words, if these do not say the answer."""
    draft, program, trace, about = chosen.sound
    answer = trace.values[-1]
    spoken = draft.spoken(wording)
    if isinstance(answer, str) and answer in spoken.text:
        return None
    answered = (about, answer) if isinstance(answer, str) else None
    return CricQuestion(
        text=ended(spoken.text),
        type=kind,
        wording=" + ".join([f"{kind} {spoken.wording}", *sorted(parts_of(draft.description))]),
        trace=trace,
        target=trace.values[about],
        definite=tuple(sorted(program.definite)),
        sub_graph=program.sub_graph(seen.graph, trace.values, answered=answered),
        queries=tuple(dict.fromkeys(item.plain for item in items_of(draft))),
        wrong_part=chosen.change and WrongPart(*chosen.change, step=_where(trace, about)),
    )


def _where(trace: Trace, step: int) -> int:
    """The step from which on nothing is left."""
    for earlier in trace.executable.program.steps[step].inputs:
        if not trace.values[earlier]:
            return _where(trace, earlier)
    return step


def _which_fills(decorator: Decorator) -> Draft | None:
    """QueryObjKG: a thing by an item that it fills."""
    chosen = _thing_and_item(decorator)
    if chosen is None:
        return None
    thing, item, found = chosen
    begun = decorator.noun(thing, found)
    if decorator.telltale(item.plain, begun.description.noun):
        return None
    grown = decorator.grown(thing, begun, ways=("words", "related"))
    return Fills(grown.description, item) if grown else None


def _thing_and_item(decorator: Decorator) -> tuple[int, Known, Found] | None:
    """A thing and an item that it fills, now and then one in which another thing is described."""
    if decorator.chance.random() < _DESCRIBED:
        described = decorator.beside()
        if described is not None:
            return described
    thing = some_thing(decorator)
    return None if thing is None else (thing, *decorator.item(thing))


def _which_stands(decorator: Decorator) -> Draft | None:
    """QueryObjSG: a thing by how it stands to one that is described by what is known."""
    seen, chance = decorator.seen, decorator.chance
    if not seen.beside_known:
        return None
    thing, standing = chance.choice(seen.beside_known)
    begun = decorator.noun(thing, Found(standing.found, standing.found))
    description = decorator.standing(thing, standing, begun, decorator.known)
    return Stands(description) if description else None


def _what_it_is_like(decorator: Decorator) -> Draft | None:
    """QueryAtt: an attribute of a thing that is described by what is known."""
    seen, chance = decorator.seen, decorator.chance
    chosen = _thing_and_item(decorator)
    if chosen is None:
        return None
    thing, item, found = chosen
    kinds = sorted({word.kind for word in seen.attributes[thing]} - {OTHER})
    if not kinds:
        return None
    kind = chance.choice(kinds)
    description = decorator.known_by(thing, item, found, avoid=(kind,))
    return Has(description, kind) if description else None


class _Type(NamedTuple):
    """A type of questions."""

    weight: float
    """How often it is tried, against the others."""
    draft: Callable[[Decorator], Draft | Pair | None]


_TYPES: Mapping[str, _Type] = {
    "QueryObjKG": _Type(0.34, _which_fills),
    "QueryObjSG": _Type(0.24, _which_stands),
    "QueryAtt": _Type(0.2, _what_it_is_like),
    "VerifyKG": _Type(0.2, verify_item),
    "VerifyAtt": _Type(0.14, verify_attribute),
}
"""Three of ten are verified, as in the paper."""
_VISUAL: Mapping[str, _Type] = {
    "QueryObjSG": _Type(0.35, stands_in_sight),
    "QueryAtt": _Type(0.35, what_it_looks_like),
    "VerifyAtt": _Type(0.3, verify_in_sight),
}
