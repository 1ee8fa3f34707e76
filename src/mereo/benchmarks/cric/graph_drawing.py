"""What a question takes from the picture and from what is known, drawn as one graph of two colors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from mereo.benchmarks.cric.lore import BLANK, VISION, Query
from mereo.benchmarks.cric.question import SubGraph, Used, WrongPart
from mereo.errors import BadInput
from mereo.evaluation.graphs import Arrow, Node, draw_graph
from mereo.knowledge import relations
from mereo.programs import Trace

__all__ = ["draw_sub_graph"]


def draw_sub_graph(sub_graph: SubGraph, trace: Trace, wrong: WrongPart | None = None) -> str:
    """Things of the picture on the left, what is known of them on the right, as SVG; empty where it holds nothing.

    An arrow of knowledge begins at the thing that fills BLANK, a dashed one at the thing that stands for VISION. What
    is asked for and not so, where the answer is no for that, stands below.
    """
    _check(sub_graph, trace)
    drawing = _Drawing(sub_graph, trace)
    for used in sub_graph.knowledge:
        drawing.add(used)
    order = drawing.order()
    left = [drawing.thing(thing) for thing in order]
    right = [Node(key, key.partition(" ")[2], "known") for key in drawing.phrases_beside(order)]
    if wrong is not None:
        note = f"is asked for; instead: {wrong.instead}" if wrong.instead else "is asked for, and nothing is so"
        right.append(Node("wrong", wrong.asked, "wrong", note))
    if not left and not right:
        return ""
    return draw_graph([left, right], [*_stated(sub_graph), *drawing.arrows], label=_told(sub_graph, drawing.names))


def _check(sub_graph: SubGraph, trace: Trace) -> None:
    """See that all that is named is there, whoever wrote it."""
    known = {one.id for one in trace.world.entities}
    stated = [end for one in sub_graph.relations for end in (one.subject, one.object)]
    for thing in (*stated, *(one.thing for one in sub_graph.attributes)):
        if thing not in known:
            raise BadInput(f"names thing '{thing}', which is not there", field="sub_graph")
    for used in sub_graph.knowledge:
        if used.relation not in relations():
            raise BadInput(f"there is no relation '{used.relation}'", field="sub_graph")
        if not 0 <= used.step < len(trace.values):
            raise BadInput(f"the program has no step {used.step}", field="sub_graph")


def _stated(sub_graph: SubGraph) -> list[Arrow]:
    """How things stand to each other, an arrow for each pair."""
    words: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in sub_graph.relations:
        words[one.subject, one.object].append(one.predicate)
    return [Arrow(subject, end, ", ".join(said)) for (subject, end), said in words.items()]


class _Asked(NamedTuple):
    """What a step of the program asked for: its query if it has one, what it found and what it was asked beside."""

    query: Query | None
    found: list[int]
    beside: list[int]


class _Drawing:
    """The graph while it grows."""

    def __init__(self, sub_graph: SubGraph, trace: Trace):
        self.sub_graph, self.trace = sub_graph, trace
        self.ids = [one.id for one in trace.world.entities]
        self.names = {one.id: str(one.attributes.get("name", one.id)) for one in trace.world.entities}
        self.referred = trace.referred()
        self.spoken_of = {found[0] for found in self.referred if len(found) == 1}
        self.about: list[str] = []
        """The ids of the things that knowledge is about, in the order of its items."""
        self.phrases: dict[str, None] = {}
        self.arrows: list[Arrow] = []

    def add(self, used: Used) -> None:
        """Draw an item of knowledge."""
        asked = self._asked(used)
        reverse = asked.query is not None and asked.query.reverse
        named, phrase = (used.tail, used.head) if reverse else (used.head, used.tail)
        thing, key = self._thing_named(named, asked), f"{used.relation} {phrase}"
        self.phrases[key] = None
        if thing is not None:
            self.about.append(thing)
            words = relations()[used.relation].words
            if asked.query is not None:
                words = f"{words} {BLANK}" if reverse else f"{BLANK} {words}"
            self.arrows.append(Arrow(key, thing, words, "known") if reverse else Arrow(thing, key, words, "known"))
        if asked.query is not None and asked.query.compared:
            beside = [self.ids[entity] for entity in asked.beside]
            self.about += beside
            self.arrows += [Arrow(thing, key, VISION, "known", dashed=True) for thing in beside]

    def thing(self, thing: str) -> Node:
        """The box of a thing: its name, and below what else the question says of it."""
        words = [one.word for one in self.sub_graph.attributes if one.thing == thing and one.word != self.names[thing]]
        return Node(thing, self.names[thing], "seen", ", ".join(dict.fromkeys(words)))

    def order(self) -> list[str]:
        """The ids of all things, those that stand to each other side by side where that can be."""
        pairs = [(one.subject, one.object) for one in self.sub_graph.relations]
        described = [one.thing for one in self.sub_graph.attributes]
        waiting = list(dict.fromkeys([*self.about, *(end for pair in pairs for end in pair), *described]))
        found: list[str] = []
        while waiting:
            found.append(waiting.pop(0))
            beside = {end for pair in pairs if found[-1] in pair for end in pair}
            waiting.sort(key=lambda thing: thing not in beside)
        return found

    def phrases_beside(self, order: Sequence[str]) -> list[str]:
        """The keys of what is known, each at about the level of the things that it is about."""
        rows: dict[str, list[int]] = defaultdict(list)
        for arrow in self.arrows:
            key, thing = (arrow.tail, arrow.head) if arrow.tail in self.phrases else (arrow.head, arrow.tail)
            rows[key].append(order.index(thing))
        return sorted(self.phrases, key=lambda key: sum(rows[key]) / max(len(rows[key]), 1))

    def _asked(self, used: Used) -> _Asked:
        step = self.trace.executable.program.steps[used.step]
        query = Query(*step.values) if len(step.values) == len(Query._fields) else None
        if query is not None and query.relation != used.relation:
            query = None  # that what is seen goes by a word of the item
        return _Asked(query, self.referred[used.step], self.referred[step.inputs[0]] if step.inputs else [])

    def _thing_named(self, phrase: str, asked: _Asked) -> str | None:
        """The thing that a phrase names: one that its step found, and rather one that the question speaks of."""
        fits = [
            entity
            for entity in dict.fromkeys([*asked.found, *asked.beside, *range(len(self.ids))])
            if f" {self.names[self.ids[entity]]} " in f" {phrase} "
        ]
        fits.sort(key=lambda entity: (entity not in asked.found, entity not in self.spoken_of))
        return self.ids[fits[0]] if fits else None


def _told(sub_graph: SubGraph, names: dict[str, str]) -> str:
    """The drawing in words."""
    seen = [f"{names[one.subject]} {one.predicate} {names[one.object]}" for one in sub_graph.relations]
    known = [f"{one.head} {relations()[one.relation].words} {one.tail}" for one in sub_graph.knowledge]
    return "; ".join([*(f"seen: {said}" for said in seen), *(f"known: {said}" for said in known)])
