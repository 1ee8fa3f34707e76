"""Questions as people put them, with what they mean: who reads them, on which scenes, and how they are judged."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from cric_graphs import strewn_graph
from cric_strewn import embedded_lore
from furnished import furnished
from mereo.benchmarks.benchmark import listener_of
from mereo.benchmarks.cric.graph import graph_world
from mereo.benchmarks.ptr.world import ptr_world
from mereo.benchmarks.refer.language import refer_world
from mereo.benchmarks.shop.language import VISUAL, VOCABULARY, shop_world
from mereo.chance import generator
from mereo.clevr_family.language import VOCABULARY as SOLIDS
from mereo.clevr_family.records import world_from_record
from mereo.clevr_family.strewing import strewn_scene
from mereo.files import read_toml
from mereo.programs import Language, ProgramFailure, compile_program
from mereo.questions.understand import Listener
from mereo.world import Entity, World, make_world

FOLDER = Path(__file__).with_name("wordings")
FARTHER = 300
"""Scenes that are looked through for one in which there is what somebody takes for granted."""


class Wording(NamedTuple):
    """What somebody said, and all that it may rightly mean; nothing where the language cannot say it."""

    said: str
    means: tuple[str, ...]


class Outcome(NamedTuple):
    """What became of some wordings."""

    right: list[str]
    wrong: list[str]
    unread: list[str]

    @property
    def total(self) -> int:
        return len(self.right) + len(self.wrong) + len(self.unread)


def wordings(name: str) -> list[Wording]:
    """Those of a file, such as `clevr` or `clevr_kept`."""
    records = read_toml(FOLDER / f"{name}.toml")["wording"]
    return [Wording(record["said"], tuple(record["means"])) for record in records]


@cache
def worlds(benchmark: str, count: int) -> tuple[World, ...]:
    """Scenes of a benchmark, made up without pictures."""
    return tuple(_world(benchmark, number) for number in range(count))


@cache
def _world(benchmark: str, number: int) -> World:
    return _WORLDS[benchmark](number)


def _clevr(number: int) -> World:
    return world_from_record(strewn_scene(generator(5, "worded", number), condition=""), SOLIDS)


def _refer(number: int) -> World:
    record, chance = strewn_scene(generator(5, "worded", number), condition=""), random.Random(number)
    for thing in record["objects"]:
        thing["visible"] = chance.choice(["fully", "fully", "partially"])
        thing["pixel_coords"] = [chance.uniform(0, 480), chance.uniform(0, 320), chance.uniform(5, 15)]
    return refer_world(record)


def _shop(number: int) -> World:
    record, chance = strewn_scene(generator(5, "worded", number), condition=""), random.Random(number)
    for thing in record["objects"]:
        for attribute in VISUAL:
            thing[attribute] = chance.choice(VOCABULARY.words(attribute))
        for attribute in sorted(VOCABULARY.attributes.keys() - set(VISUAL)):
            value = chance.choice(VOCABULARY.words(attribute))
            thing[attribute] = [value] if VOCABULARY.attributes[attribute].multiple else value
    return shop_world(record)


def _cric(number: int) -> World:
    return graph_world(strewn_graph(number), embedded_lore())


_WORLDS: dict[str, Callable[[int], World]] = {
    "clevr": _clevr,
    "refer": _refer,
    "shop": _shop,
    "cric": _cric,
    "ptr": lambda number: ptr_world(furnished(number)),
}


def judged(benchmark: str, said: Iterable[Wording], scenes: Sequence[World]) -> Outcome:
    """Hold what a listener understands against what is meant, by answers in many scenes.

    What has no answer in any of them, as it is meant, is left out. Where what is taken for granted was missed in all of
    them, as "the cyan ball" where there is none, it is asked about further scenes, up to the first that has it.
    """
    listener = listener_of(benchmark)
    assert listener is not None
    outcome = Outcome([], [], [])
    for wording in said:
        if wording.means and not any(_meant(wording, world, listener) for world in scenes):
            continue
        verdicts = [_verdict(wording, world, listener) for world in scenes]
        if wording.means and not {True, False}.intersection(verdicts) and _is_missed(wording, scenes[0], listener):
            farther = (_verdict(wording, _world(benchmark, number), listener) for number in range(FARTHER))
            verdicts.append(next((verdict for verdict in farther if verdict is not None), None))
        if False in verdicts:
            outcome.wrong.append(wording.said)
        elif True in verdicts or not wording.means:
            outcome.right.append(wording.said)
        else:
            outcome.unread.append(wording.said)
    return outcome


def _is_missed(wording: Wording, world: World, listener: Listener) -> bool:
    """Whether a wording is understood, but speaks of what is not there, or not there once."""
    understood = listener.understand(wording.said, world, suggested=0)
    return understood.program is not None or bool(understood.told)


def _verdict(wording: Wording, world: World, listener: Listener) -> bool | None:
    """Whether a wording was answered rightly in a scene; None where it was not answered."""
    understood = listener.understand(wording.said, world, suggested=0)
    if understood.program is None or understood.told:
        return None
    answer = _answer(str(understood.program), world, listener.spoken)
    if answer is None:
        return None
    if not wording.means:
        return False
    meant = _meant(wording, world, listener)
    return answer in meant if meant else None


def _meant(wording: Wording, world: World, listener: Listener) -> list[Any]:
    """All right answers in a scene."""
    answers = (_answer(means, world, listener.spoken) for means in wording.means)
    return [found for found in answers if found is not None]


def _answer(program: str, world: World, language: Language) -> Any:
    trace = compile_program(program, language).attempt(world)
    return None if isinstance(trace, ProgramFailure) else trace.answer


def _thing(number: int, x: float, **attributes: str) -> Entity:
    return Entity(f"thing {number}", "object", attributes, numbers={"pixel": (x, 100.0, 10.0)})


def solids(*looks: tuple[str, str]) -> World:
    """Solids in a row from left to right, each a color and a shape, all small and of metal."""
    entities = [
        _thing(k, 50.0 * k, color=color, shape=shape, size="small", material="metal")
        for k, (color, shape) in enumerate(looks)
    ]
    count = len(entities)
    left = [sum(1 << other for other in range(k)) for k in range(count)]
    right = [sum(1 << other for other in range(k + 1, count)) for k in range(count)]
    related = {"left": left, "right": right, "behind": [0] * count, "front": [0] * count}
    return make_world(entities, SOLIDS, related=related)


ROW = solids(("red", "cube"), ("blue", "sphere"), ("red", "cube"), ("green", "cylinder"))
