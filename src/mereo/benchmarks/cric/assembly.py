"""From what is said of a thing to the steps of a program, and from what these find to all that a question used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from mereo.benchmarks.cric.description import Description, Known
from mereo.benchmarks.cric.graph import SceneGraph, Stated
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.lore import BLANK
from mereo.benchmarks.cric.question import Described, SubGraph, Used
from mereo.programs import Executable, Program, Step, compile_program
from mereo.world import members

__all__ = ["Assembly"]

T = TypeVar("T")


@dataclass
class Assembly:
    """A program in the making, and which step says what."""

    steps: list[Step] = field(default_factory=list)
    definite: list[int] = field(default_factory=list)
    """The steps that are spoken of as one thing."""
    _stated: list[tuple[int, str, bool, int]] = field(default_factory=list)
    """What stands so, predicate, whether that is the subject, and to what: the two by step."""
    _worded: list[tuple[int, str]] = field(default_factory=list)
    _known: list[tuple[int, Known, int]] = field(default_factory=list)
    """Of which step an item is said, and the step that looks it up."""
    _kinds: list[tuple[int, str, int]] = field(default_factory=list)

    def add(self, function: str, *inputs: int, values: Sequence[str] = ()) -> int:
        """One more step, and its place."""
        self.steps.append(Step(function, inputs, tuple(values)))
        return len(self.steps) - 1

    def describe(self, description: Description, *, definite: bool = True) -> int:
        """The steps that find what is described, and the place of the last."""
        found: int | None = None
        known, stated = [], []
        for item in description.known:
            step = self.look_up(item)
            known.append((item, step))
            found = self._both(found, step)
        for related in description.related:
            other = self.describe(related.other)
            function = "relate_reverse" if related.subject else "relate"
            step = self.add(function, other, values=[related.predicate])
            stated.append((related.predicate, related.subject, other))
            found = self._both(found, step)
        last = self.add("initial") if found is None else found
        kind = -1
        if description.named:
            last = self.add("find", last, values=[description.noun])
        elif not description.vague:
            last = kind = self.add("find_hypernym", last, values=[description.noun])
        for _, word in description.words:
            last = self.add("find", last, values=[word])
        if definite:
            self.definite.append(last)
        self._known += [(last, item, step) for item, step in known]
        self._stated += [(last, *one) for one in stated]
        self._worded += [(last, word) for _, word in description.words]
        if description.named:
            self._worded.append((last, description.noun))
        if kind >= 0:
            self._kinds.append((last, description.noun, kind))
        return last

    def _both(self, one: int | None, other: int) -> int:
        """What two steps have in common, at once: steps stand in the order in which programs are read back."""
        return other if one is None else self.add("and", one, other)

    def look_up(self, item: Known) -> int:
        """The step that finds what fills an item."""
        beside = self.add("initial") if item.beside is None else self.describe(item.beside)
        function = "find_kg_reverse" if item.query.reverse else "find_kg"
        return self.add(function, beside, values=item.query)

    def ask_item(self, item: Known, things: int) -> int:
        """Those of a step that fill an item."""
        step = self.look_up(item)
        last = self.add("and", things, step)
        self._known.append((last, item, step))
        return last

    def ask_word(self, word: str, things: int) -> int:
        """Those of a step that a word is true of."""
        last = self.add("find", things, values=[word])
        self._worded.append((last, word))
        return last

    def executable(self) -> Executable:
        """The program, checked."""
        return compile_program(Program(tuple(self.steps)), LANGUAGE)

    def functions(self) -> int:
        """How many functions there are, not counting those that only give everything."""
        return sum(step.function != "initial" for step in self.steps)

    def _left(self, step: int, values: Sequence[int]) -> int:
        """What a step found or, where a word or category left nothing, what was there before it."""
        while not values[step] and self.steps[step].function in ("find", "find_hypernym"):
            (step,) = self.steps[step].inputs
        return values[step]

    def sub_graph(self, graph: SceneGraph, values: Sequence[int], *, answered: tuple[int, str] | None) -> SubGraph:
        """All that was used, where these are what the steps found.

        answered : the step that is asked about, and the word that is the answer
        """
        things = graph.things
        relations = [
            Stated(things[one].id, predicate, things[other].id)
            if subject
            else Stated(things[other].id, predicate, things[one].id)
            for last, predicate, subject, beside in self._stated
            for one in members(self._left(last, values))
            for other in members(values[beside])
        ]
        worded = [*self._worded, answered] if answered else self._worded
        attributes = [Described(things[one].id, word) for last, word in worded for one in members(values[last])]
        knowledge: list[Used] = []
        for last, item, step in self._known:
            for name in _names(graph, self._left(last, values) or values[step]):
                head, relation, tail = item.plain
                knowledge.append(Used(head.replace(BLANK, name), relation, tail.replace(BLANK, name), step))
        for last, category, step in self._kinds:
            found = self._left(last, values) & values[step]
            knowledge += [Used(name, "IsA", category, step) for name in _names(graph, found or values[step])]
        return SubGraph(_once(relations), _once(attributes), _once(knowledge))


def _once(listed: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(listed))


def _names(graph: SceneGraph, found: int) -> list[str]:
    return sorted({graph.things[one].name for one in members(found)})
