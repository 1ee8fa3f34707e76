"""Whether questions are sound: nothing that one person would say and another would not changes any of their steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from mereo.benchmarks.cric.graph import KINDS, SceneGraph
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.lore import BLANK, Lore
from mereo.benchmarks.cric.question import SubGraph, Used, WrongPart
from mereo.datasets.columns import json_of
from mereo.datasets.gates import Gate, Row, Tell, Watch
from mereo.errors import BadInput
from mereo.files import converted
from mereo.programs import ProgramFailure, Trace, compile_program
from mereo.world import World

__all__ = ["Soundness"]


class Soundness(Watch):
    """Runs every program with what everybody would say and with what only some would, and looks at all that is noted.

    graph : of a scene row · worlds : what everybody would say of a scene, and that with what only some would say
    ours : whether by our rules, which none may break; how others keep them is only told
    """

    def __init__(
        self, graph: Callable[[Row], SceneGraph], worlds: Callable[[Row], tuple[World, World]], *, ours: bool = True
    ):
        self._graph, self._worlds = graph, worlds
        most = 0 if ours else None
        self._doubt = Tell("questions that depend on what is unclear", most=most)
        self._definite = Tell("the one thing spoken of is none or several", most=most)
        self._target = Tell("targets other than what the program finds", most=most)
        self._wrong = Tell("reasons of a no that do not hold", most=most)
        self._used = Tell("sub-graphs with what is not so", most=most)

    def look(self, scene: Row, questions: Sequence[Row]) -> None:
        """Every question of a scene."""
        graph, (certain, doubtful) = self._graph(scene), self._worlds(scene)
        for row in questions:
            name, executable = row["question_id"], compile_program(row["program"], LANGUAGE)
            trace, perhaps = executable(certain), executable.attempt(doubtful)
            unsure = isinstance(perhaps, ProgramFailure) or perhaps.values != trace.values
            self._doubt.add(unsure, name)
            found, noted = trace.referred(), _noted(row)
            for step in noted.definite:
                self._definite.add(not 0 <= step < len(found) or len(found[step]) != 1, name)
            pointed = found[trace.executable.program.steps[-1].inputs[0]]
            self._target.add(noted.target != pointed, name)
            self._wrong.add(any(_wrong_faults(row, trace)), name)
            self._used.add(any(_used_faults(row, trace, graph)), name)

    def gates(self) -> Iterator[Gate]:
        """What is not so."""
        for tell in (self._doubt, self._definite, self._target, self._wrong, self._used):
            yield tell.gate()


class _Noted(msgspec.Struct):
    definite: list[int]
    target: list[int]
    wrong_part: str
    sub_graph: str


def _noted(row: Row) -> _Noted:
    """What a question's own columns hold, checked."""
    try:
        return converted({name: row.get(name) for name in _Noted.__struct_fields__}, file=None, type=_Noted)
    except BadInput as error:
        raise error.within(record=f"question '{row['question_id']}'") from None


def _wrong_faults(row: Row, trace: Trace) -> Iterator[str]:
    """Where the answer is no, a step must be the first to find nothing, and something else there be so."""
    if (row["answer"] == "no") != bool(row["wrong_part"]):
        yield "a reason goes with a no and with nothing else"
    if row["answer"] != "no" or not row["wrong_part"]:
        return
    part = json_of(row, "wrong_part", type=WrongPart)
    steps, found = trace.executable.program.steps, trace.referred()
    if not 0 <= part.step < len(steps):
        yield "there is no such step"
    elif found[part.step] or not all(found[place] for place in steps[part.step].inputs):
        yield "it is not this step that finds nothing first"
    elif part.kind == "attribute" and part.instead:
        before = steps[part.step].inputs
        if not any(part.instead in _words(trace.world, thing) for place in before for thing in found[place]):
            yield "nothing is so instead"


def _words(world: World, thing: int) -> set[str]:
    """All that is said of a thing by itself."""
    said = {str(world.value["name"][thing])}
    for kind in KINDS:
        said.update(world.value[kind][thing] or ())
    return said


def _used_faults(row: Row, trace: Trace, graph: SceneGraph) -> Iterator[str]:
    """What a question is said to take must be in the graph, and be what a step finds by knowledge."""
    used = json_of(row, "sub_graph", type=SubGraph)
    places = {thing.id: place for place, thing in enumerate(graph.things)}
    if not set(used.relations) <= set(graph.relations):
        yield "a relation"
    for one in used.attributes:
        if one.thing not in places or one.word not in _words(trace.world, places[one.thing]):
            yield "an attribute"
    found = trace.referred()
    for item in used.knowledge:
        there = found[item.step] if 0 <= item.step < len(found) else ()
        if not any(_is_so(item, str(trace.world.value["name"][thing]), trace.world.fact(Lore)) for thing in there):
            yield "an item"


def _is_so(item: Used, name: str, lore: Lore) -> bool:
    """Whether an item is true with a thing of this name in its blank."""
    if item.relation == "IsA":
        return item.head == name and item.tail in lore.kinds_of(name)
    return any(
        (item.head, item.relation, item.tail) == (head.replace(BLANK, name), relation, tail.replace(BLANK, name))
        for head, relation, tail in lore.queries_of(name)
    )
