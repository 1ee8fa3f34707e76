"""Finding an instance of a template in a world: depth first over what holes may denote, never the same dead end twice.

What the rest of a template can become depends only on the values that the rest still uses. So when a search comes to a
node with the same such values as before and failed then, it fails at once: the many descriptions of one object cost one
search, not one each. Which instance is found first, and how likely each is, stays as in a plain search over shuffled
options.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from typing import Any, NamedTuple

from mereo.programs import ProgramFailure
from mereo.questions.options import GOALS, Options, Pick, options
from mereo.questions.plan import Plan
from mereo.questions.template import Again, Apply, Choose, Describe, Differ, Present
from mereo.world import World

__all__ = ["Instance", "find_instance", "worded_instances"]

_WORDINGS = 4
"""How often the words that a description must go with are chosen anew before it is given up."""


class Instance(NamedTuple):
    """A template with its holes filled so that it can be asked of a world."""

    plan: Plan
    picks: tuple[Any, ...]
    """What fills each node: nothing, a word, or a `Pick`."""
    values: tuple[Any, ...]
    """What each node gives; the last is the answer."""

    @property
    def answer(self) -> Any:
        """The answer that the search found."""
        return self.values[-1]


def find_instance(
    plan: Plan, world: World, *, welcome: Container[Any], chance: random.Random, blame: Counter[str] | None = None
) -> Instance | None:
    """One random instance with a welcome answer, or None if the world has none.

    blame : counts, by the words of the rule, why attempts failed
    """
    return next(worded_instances(plan, world, welcome=welcome, chance=chance, blame=blame), None)


def worded_instances(
    plan: Plan,
    world: World,
    *,
    welcome: Container[Any],
    chance: random.Random,
    blame: Counter[str] | None = None,
    by_eye: Sequence[World] = (),
) -> Iterator[Instance]:
    """One random instance with a welcome answer, again and again in other words; none if the world has none.

    by_eye : other readings of the world, in which descriptions should denote the same
    """
    blame = Counter() if blame is None else blame
    search = _Search(plan, world, welcome, chance, blame, by_eye)
    try:
        found = search.descend(0)
    except _Tired:
        blame["the search was given up"] += 1
        return
    while found:
        yield Instance(plan, tuple(search.picks), tuple(search.values))
        search.reword()


class _Tired(Exception):
    """A search that has tried as much as the rules allow."""


class _Search:
    __slots__ = (
        "blame",
        "by_eye",
        "chance",
        "dead",
        "drawn_from",
        "nodes",
        "patience",
        "picks",
        "plan",
        "sets",
        "tried",
        "values",
        "welcome",
        "world",
    )

    def __init__(
        self,
        plan: Plan,
        world: World,
        welcome: Container[Any],
        chance: random.Random,
        blame: Counter[str],
        by_eye: Sequence[World],
    ):
        size = len(plan.template.nodes)
        self.plan, self.nodes, self.world = plan, plan.template.nodes, world
        self.welcome, self.chance, self.blame, self.by_eye = welcome, chance, blame, by_eye
        self.values: list[Any] = [None] * size
        self.sets: list[Any] = [None] * size
        """For fine descriptions the subset described and the set denoted; for chosen words the word."""
        self.picks: list[Any] = [None] * size
        self.drawn_from: dict[int, tuple[Options, Any]] = {}
        """For each description whose words were drawn last, the options and the key that they were drawn by."""
        self.tried: dict[int, tuple[Options, Any, Pick | None]] = {}
        """For each description what is being tried."""
        self.dead: set[Any] = set()
        self.patience = plan.rules.patience

    def descend(self, k: int) -> bool:
        """Whether nodes k and later can be filled so that the question stands; if so they are."""
        plan, nodes, values, sets = self.plan, self.nodes, self.values, self.sets
        while k < len(nodes):
            node = nodes[k]
            if type(node) is Apply:
                literals = node.values
            elif type(node) is Again:
                sets[k] = sets[node.of]
                literals = (sets[k],)
            else:
                break
            try:
                values[k] = plan.calls[k](self.world, *map(values.__getitem__, node.inputs), *literals)
            except ProgramFailure as failure:
                self.blame[f"{node.function}: {failure.name}"] += 1
                return False
            if plan.checks[k] and not self.passes(k):
                return False
            k += 1
        else:
            return self.stands()
        state = (k, *map(values.__getitem__, plan.live[k]), *map(sets.__getitem__, plan.live_sets[k]))
        if state in self.dead:
            return False
        self.patience -= 1
        if not self.patience:
            raise _Tired
        found = self.describe(k, node) if type(node) is Describe else self.choose(k, node)
        if not found:
            self.dead.add(state)
        return found

    def choose(self, k: int, node: Any) -> bool:
        """Try the words of a value hole in random order."""
        assert isinstance(node, Choose)
        words = list(node.type.values or ())
        self.chance.shuffle(words)
        call, inputs = self.plan.calls[k], [self.values[i] for i in node.inputs]
        for word in words:
            try:
                self.values[k] = call(self.world, *inputs, word)
            except ProgramFailure as failure:
                self.blame[f"{node.function}: {failure.name}"] += 1
                continue
            self.sets[k] = word
            if (not self.plan.checks[k] or self.passes(k)) and self.descend(k + 1) and self.sayable(k):
                self.picks[k] = word
                return True
        return False

    def sayable(self, k: int) -> bool:
        """Whether there are words for the descriptions that the word of node k settles."""
        for i in self.plan.settles[k]:
            node, (table, key, pick) = self.nodes[i], self.tried[i]
            assert isinstance(node, Describe)
            beside = tuple([self.sets[j] for j in node.beside])
            fits = node.describer.goes_with(pick[1], beside, self.world) if pick else table.fits(key, beside)
            if not fits:
                self.blame[f"{{{node.hole}}} can be said only by what is asked about it"] += 1
                return False
        return True

    def describe(self, k: int, node: Any) -> bool:
        """Try what a description may denote, each kind of result at most once, in random order by weight."""
        assert isinstance(node, Describe)
        known = node.describer.descriptions(self.world)
        if self.by_eye:
            known = known.agreed(self.by_eye)
        table = options(node, self.values[node.inputs[0]], known, self.plan.rules, fine=k in self.plan.fine)
        if not table.total and not table.fancied:
            self.blame[f"nothing fits {{{node.hole}}} ({node.goal})"] += 1
        later = any(i > k for i in node.beside)  # words before it stay as they are
        tries = _WORDINGS if later and not self.plan.rules.sparing else 1
        for key, pick in self.drawn(node, table):
            self.tried[k] = table, key, pick
            for _ in range(tries):
                if not self.try_key(k, node, key):
                    break
                worded = self.worded(node, table, key, pick)
                if worded is not None:
                    self.picks[k] = worded
                    self.drawn_from.pop(k, None)  # what an attempt before this one has left
                    if pick is None:
                        self.drawn_from[k] = table, key
                    return True
                self.blame[f"{{{node.hole}}} can be said only by what is asked about it"] += 1
        return False

    def reword(self) -> None:
        """Draw the words of every description anew, for the same that is found by them."""
        for k, (table, key) in self.drawn_from.items():
            node = self.nodes[k]
            assert isinstance(node, Describe)
            self.picks[k] = self.worded(node, table, key, None) or self.picks[k]

    def worded(self, node: Describe, table: Options, key: Any, pick: Pick | None) -> Pick | None:
        """Words for a description whose part in the question stands, if they go with the words chosen beside it."""
        if not node.beside:
            return pick or table.draw(key, self.chance)
        beside = tuple([self.sets[i] for i in node.beside])
        if pick is not None:
            return pick if node.describer.goes_with(pick[1], beside, self.world) else None
        return table.draw_fitting(key, self.chance, beside)

    def drawn(self, node: Describe, table: Options) -> Iterator[tuple[Any, Pick | None]]:
        """The keys of a table, each once, drawn by weight; with the words where these are already settled."""
        draw, left, total, fancied = self.chance.random, table.weights, table.total, table.fancied
        tried: set[Any] = set()
        while total + fancied > 1e-6:
            at = draw() * (total + fancied)
            if at < total:
                key, pick = _drawn(left, at), None
            else:
                fancied -= 1
                pick = self.fancy(node)
                if pick is None:
                    continue
                key = table.fancied_key(pick[1])
                if key in tried:
                    continue
            yield key, pick
            tried.add(key)
            if left is table.weights:
                left = left.copy()
            total -= left.pop(key, 0.0)
            if key == table.nothing:
                fancied = 0  # what is left of them is all but surely nothing again

    def fancy(self, node: Describe) -> Pick | None:
        """A description out of thin air, unless it names what may not be named, or not what must be."""
        description = node.describer.fancied(self.chance, self.world, node.unnamed)
        if description is None or (node.named and not any(description)):
            return None
        if node.needed and not node.needed <= node.describer.names(description).keys():
            return None
        return None, description

    def try_key(self, k: int, node: Describe, key: Any) -> bool:
        if k in self.plan.fine:
            self.sets[k] = key
            self.values[k] = GOALS[node.goal](key[0])
        else:
            self.values[k] = key
        return (not self.plan.checks[k] or self.passes(k)) and self.descend(k + 1)

    def passes(self, k: int) -> bool:
        """Whether the constraints that node k completes are met."""
        for check in self.plan.checks[k]:
            if isinstance(check, Present):
                passed = check.least <= self.values[k].bit_count() <= (check.most or math.inf)
            elif check.of == "member":
                passed = not self.values[check.other] >> self.values[check.one] & 1
            else:
                passed = self.compared(check, check.one) != self.compared(check, check.other)
            if not passed:
                self.blame[check.text] += 1
                return False
        return True

    def compared(self, differ: Differ, k: int) -> Any:
        if differ.of == "value":
            return self.values[k]
        if differ.of == "word":
            return self.sets[k]
        return self.sets[k][0] or k  # two descriptions that fit nothing here are still two

    def stands(self) -> bool:
        """Whether the finished question may be asked."""
        if self.plan.tallied(self.values[-1]) not in self.welcome:
            self.blame["the answer is given too often already"] += 1
            return False
        for relation in self.plan.relations:
            if self.idle(relation):
                self.blame["a relation changes nothing"] += 1
                return False
        return True

    def idle(self, relation: int) -> bool:
        """Whether putting the whole scene in the place of a relation's result changes nothing that matters."""
        nodes, values, sets = self.nodes, self.values, self.sets
        source, everything = nodes[relation], self.world.objects
        if isinstance(source, Describe):
            everything = source.describer.narrow(self.world, everything, sets[relation][1])
        changed, following = values.copy(), self.plan.relations[relation]
        changed[relation] = everything
        by_answer = self.plan.rules.dropped == "answer"
        for k in following:
            node = nodes[k]
            first = changed[node.inputs[0]]
            if isinstance(node, Describe):
                subset = node.describer.narrow(self.world, first, sets[k][1])
                if not by_answer and subset == sets[k][0]:
                    return True
                changed[k] = GOALS[node.goal](subset)
                if changed[k] is None or (not by_answer and node.goal != "set"):
                    return False
                continue
            if not by_answer and k not in self.plan.narrowing:
                return bool(first == values[node.inputs[0]])
            try:
                literals = node.values if isinstance(node, Apply) else (sets[k],)
                changed[k] = self.plan.calls[k](self.world, *map(changed.__getitem__, node.inputs), *literals)
            except ProgramFailure:
                return False
        return bool(following[-1:] == (len(nodes) - 1,) and changed[-1] == values[-1])


def _drawn(weights: dict[Any, float], at: float) -> Any:
    """The key at a point of the weights laid end to end."""
    for key, weight in weights.items():
        at -= weight
        if at < 0:
            return key
    return next(reversed(weights))  # rounding left a trace
