"""Finding an instance of one of PTR's templates: depth first over shuffled options, as its generator does.

What may be chosen later depends on the words chosen before, since a question does not name a part or a color twice. So
options cannot be told apart by what they denote alone, as elsewhere; but a search that failed with some values and
words fails again with them, and is not repeated. Each instance is as likely as in the generator's own search.

This is a second search beside `mereo.questions.search`, and there must not be a third. It is here because these very
template files are to give the questions that their own generator gives, whose rules about words choose options one by
one. A benchmark of our own has no such rules: it brings a describer, and what must not be said twice is a constraint of
its templates (`apart`, `unsaid`), which the one search knows.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Container, Iterator
from typing import Any, NamedTuple

from mereo.benchmarks.ptr.official.form import Analogy, Form, OfAKind, PartOf, minded
from mereo.benchmarks.ptr.official.geometry import Geometry
from mereo.benchmarks.ptr.official.language import LANGUAGE
from mereo.benchmarks.ptr.official.options import (
    ATTRIBUTES,
    GENERATOR,
    Description,
    OfficialDescriptions,
    OfficialOption,
    filters,
    narrowed,
    narrows,
)
from mereo.benchmarks.ptr.official.scene import WORDS
from mereo.benchmarks.ptr.official.types import MOST
from mereo.benchmarks.ptr.official.words import THING, choices
from mereo.benchmarks.ptr.official.world import official_scene
from mereo.programs import Program, ProgramFailure, Step, compile_program
from mereo.questions.template import Apply, Choose, Describe, Goal, Node

__all__ = ["OfficialInstance", "find_official"]


class OfficialInstance(NamedTuple):
    """A template with its holes filled."""

    program: Program
    answer: Any
    words: dict[str, Any]
    """What each hole was filled with, in the order of the program."""


class _State(NamedTuple):
    """What has been said so far."""

    words: dict[str, Any]
    used: frozenset[str]
    """Parts and colors that were named."""
    anything: bool
    """Whether an object was called a thing."""


def find_official(
    form: Form, known: OfficialDescriptions, *, welcome: Container[Any], chance: random.Random, blame: Counter[str]
) -> OfficialInstance | None:
    """One random instance with a welcome answer, or None if the world has none."""
    search = _Search(form, known, welcome, chance, blame)
    return search.descend(0, _State({}, frozenset(), False))


class _Search:
    def __init__(
        self,
        form: Form,
        known: OfficialDescriptions,
        welcome: Container[Any],
        chance: random.Random,
        blame: Counter[str],
    ):
        self.form, self.known, self.world = form, known, known.world
        self.welcome, self.chance, self.blame = welcome, chance, blame
        size = len(form.template.nodes)
        self.values: list[Any] = [None] * size
        self.picks: list[Any] = [()] * size
        """The literals of each function, or the relation and the description."""
        self.dead: set[Any] = set()

    def descend(self, k: int, state: _State) -> OfficialInstance | None:
        """The instance that nodes k and later can be filled to, if they can."""
        nodes = self.form.template.nodes
        while k < len(nodes):
            node = nodes[k]
            if not isinstance(node, Apply):
                break
            if not self.apply(k, node.inputs, node.values) or not self.passes(k, state):
                return None
            k += 1
        else:
            return self.finished(state)
        key = self.key(k, state)
        if key in self.dead:
            return None
        for after in self.chosen(k, node, state) if isinstance(node, Choose) else self.described(k, node, state):
            if self.passes(k, after):
                found = self.descend(k + 1, after)
                if found is not None:
                    return found
        self.dead.add(key)
        return None

    def key(self, k: int, state: _State) -> Any:
        """All that decides whether the rest can be filled."""
        form, minds = self.form, self.form.minds[k]
        used: frozenset[str] = frozenset()
        if minds:
            used = state.used if "color" in minds else state.used - _COLORS
        return (
            k,
            *[self.values[i] for i in form.live[k]],
            used,
            state.anything and "thing" in minds,
            *[state.words[hole] for hole in form.pending[k]],
            *[self.picks[i] for i in form.related if i < k],
        )

    def apply(self, k: int, inputs: tuple[int, ...], literals: tuple[Any, ...]) -> bool:
        function = self.form.functions[k]
        assert function is not None
        try:
            self.values[k] = function.call(self.world, *[self.values[i] for i in inputs], *literals)
        except ProgramFailure as failure:
            self.blame[f"{function.name}: {failure.name}"] += 1
            return False
        self.picks[k] = literals
        return True

    def chosen(self, k: int, node: Choose, state: _State) -> Iterator[_State]:
        """Fill a hole of a function with what the object shows and the question has not named."""
        ways = list(choices(node, official_scene(self.world).things[self.values[node.inputs[0]]]))
        self.chance.shuffle(ways)
        gives_away = state.anything and "thing" in minded(node)
        for way in ways:
            if way.repeats(state.used) or (gives_away and way.part not in self.known.common):
                continue
            if self.apply(k, node.inputs, way.values):
                yield _State({**state.words, node.hole: way.word}, state.used | {way.word}, state.anything)

    def described(self, k: int, node: Node, state: _State) -> Iterator[_State]:
        """Fill the holes of a description, its relation among them."""
        assert isinstance(node, Describe)
        options = self.options(node, self.values[node.inputs[0]])
        if not options:
            self.blame[f"nothing fits {{{node.hole}}} ({node.goal})"] += 1
        self.chance.shuffle(options)
        said = self.form.said[k]
        slots = [node.slots.get(name) for name in ATTRIBUTES]
        for option in options:
            if not self.suits(node, option):
                continue
            description: Description = tuple(  # type: ignore[assignment]
                value if i in said else None for i, value in enumerate(option.description)
            )
            found = narrowed(self.world, option.scope, description)
            value = None if found is None else _GOALS[node.goal](found)
            if value is None:
                continue
            self.values[k], self.picks[k] = value, (option.relation, description)
            words = dict(state.words)
            if node.relation is not None:
                words[node.relation] = option.relation
            for i in sorted(said):
                hole = slots[i]
                assert hole is not None
                words[hole] = description[i] if description[i] is not None else "" if i else THING
            named = [word for word in (description[1], description[3]) if word is not None]
            anything = state.anything or (0 in said and description[0] is None)
            yield _State(words, state.used.union(named), anything)

    def options(self, node: Describe, kept: Any) -> list[OfficialOption]:
        known, chance = self.known, self.chance
        if node.relation is not None:
            relations = [name for name in self.world.related if self.form.above or name not in ("above", "below")]
            scopes = [(name, self.world.related[name][kept]) for name in relations]
            return known.related(scopes, unique=node.goal == "unique", chance=chance)
        found = known.options(kept)
        if node.goal == "unique":
            return [option for option in found if option.denoted.bit_count() == 1]
        if node.goal == "exist":
            further = len(found) / 3
        else:
            further = sum(option.denoted.bit_count() == 1 for option in found) / 2
        return [*found, *known.fancied(kept, further, chance)]

    def suits(self, node: Describe, option: OfficialOption) -> bool:
        """Whether an option leaves out what must not be named."""
        named = zip(ATTRIBUTES, option.description, strict=True)
        return not any(value is not None and name in node.unnamed for name, value in named if name in node.slots)

    def passes(self, k: int, state: _State) -> bool:
        """Whether the constraints that node k completes are met."""
        for constraint in self.form.checks[k]:
            if not self.meets(constraint, state.words):
                self.blame[constraint.text] += 1
                return False
        return True

    def meets(self, constraint: Any, words: dict[str, Any]) -> bool:
        if isinstance(constraint, OfAKind):
            alike = GENERATOR["questions"]["of_a_kind"]
            one, other = words[constraint.one], words[constraint.other]
            return not (one in alike and other and other not in alike) and not (one not in alike and other in alike)
        if isinstance(constraint, PartOf):
            category, part = words[constraint.category], words[constraint.part]
            return category == THING or part in WORDS["categories"][category]
        if isinstance(constraint, Analogy):
            one, other, third = (self.values[i] for i in (constraint.one, constraint.other, constraint.third))
            return _is_analogy(one, other, third, self.values[constraint.target])
        return bool(self.values[constraint.one] != self.values[constraint.other])

    def finished(self, state: _State) -> OfficialInstance | None:
        """The question, if its answer is welcome and it needs all its relations."""
        answer = self.values[-1]
        if answer not in self.welcome:
            self.blame["the answer is given too often already"] += 1
            return None
        program = self.program()
        for position, step in enumerate(program.steps) if self.form.related else ():
            if step.function == "relate" and self.stays(program, position, answer):
                self.blame["a relation changes nothing"] += 1
                return None
        return OfficialInstance(program, answer, state.words)

    def stays(self, program: Program, position: int, answer: Any) -> bool:
        """Whether the answer is the same with the whole scene in the place of a relation."""
        without = program.replaced(position, Step("scene"))
        trace = compile_program(without, LANGUAGE).attempt(self.world)
        if isinstance(trace, ProgramFailure) or not narrows(without, trace.values):
            return False
        return bool(trace.values[-1] == answer)

    def program(self) -> Program:
        """The program, its descriptions written out as filters."""
        steps: list[Step] = []
        place: list[int] = []
        for node, pick in zip(self.form.template.nodes, self.picks, strict=True):
            inputs = tuple(place[i] for i in node.inputs)
            functions: list[tuple[str, tuple[Any, ...]]] = []
            if isinstance(node, Describe):
                relation, description = pick
                functions += [("relate", (relation,))] if relation is not None else []
                functions += filters(description)
                functions += [(node.goal, ())] if node.goal != "set" else []
            else:
                functions.append((node.function, pick))
            for function, literals in functions:
                steps.append(Step(function, inputs, literals))
                inputs = (len(steps) - 1,)
            place.append(inputs[0] if isinstance(node, Describe) else len(steps) - 1)
        return Program(tuple(steps))


def _is_analogy(one: Geometry, other: Geometry, third: Geometry, target: int) -> bool:
    """Whether the second pair of parts is another than the first, and each pair is one of different things."""
    first, second, beside = ((part.kind, part.thing) for part in (one, other, third))
    if first == second or third.thing == target:
        return False
    return not (first == beside and other.thing == target) and not (second == beside and one.thing == target)


def _unique(found: int) -> int | None:
    return found.bit_length() - 1 if found.bit_count() == 1 else None


def _count(found: int) -> int | None:
    return found.bit_count() if found.bit_count() <= MOST else None


_GOALS: dict[Goal, Callable[[int], Any]] = {
    "set": lambda found: found,
    "unique": _unique,
    "count": _count,
    "exist": bool,
}
"""What each goal makes of the described set; None where it has no value."""
_COLORS = frozenset(WORDS["colors"])
