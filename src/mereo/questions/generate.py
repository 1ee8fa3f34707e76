"""Asking: which templates, in which order, until a world has its questions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop
from typing import Any, NamedTuple

from mereo.errors import BadInput
from mereo.programs import Language, Program, Step, Trace, compile_program
from mereo.questions.describe import Description
from mereo.questions.phrase import Said
from mereo.questions.plan import make_plan
from mereo.questions.rules import CLEVR_RULES, Rules
from mereo.questions.search import Instance, find_instance
from mereo.questions.template import Again, Apply, Choose, Describe, Template
from mereo.questions.template_set import TemplateSet
from mereo.world import World

__all__ = ["Asker", "Question", "filled"]


class Question(NamedTuple):
    """Words with the program they stand for, its answer, and the value of every step."""

    text: str
    template: Template
    trace: Trace
    answer: Any

    @property
    def program(self) -> Program:
        """How the answer is found."""
        return self.trace.executable.program


@dataclass
class Asker:
    """Asks questions of one world after another and keeps templates and answers in balance between them."""

    templates: TemplateSet
    language: Language
    rules: Rules = CLEVR_RULES
    blame: Counter[str] = field(default_factory=Counter)
    """Why templates could not be filled, over everything asked so far."""

    def __post_init__(self) -> None:
        self.plans = [make_plan(template, self.language, self.rules) for template in self.templates.templates]
        self.tallies = [plan.tally() for plan in self.plans]
        self.asked = 0
        self.kinds: Counter[str] = Counter()
        """How often each type was asked."""
        by_type = self.rules.balance == "type"
        self._kinds = [template.type if by_type else "" for template in self.templates.templates]

    def ask(self, world: World, count: int, *, chance: random.Random) -> Iterator[Question]:
        """Up to `count` questions about a world, each of another template, what was asked least first."""
        if self.asked % self.rules.window == 0:
            for tally in self.tallies:
                tally.clear()
        self.asked += 1
        draw, weighed = chance.random, zip(self._kinds, self.tallies, self.templates.templates, strict=True)
        waiting: dict[str, list[tuple[float, float, int]]] = {kind: [] for kind in self._kinds}
        for i, (kind, tally, template) in enumerate(weighed):
            waiting[kind].append((tally.uses / template.weight, draw(), i))
        for templates in waiting.values():
            heapify(templates)
        while count and waiting:
            kind = min(waiting, key=lambda kind: (self.kinds[kind], draw()))
            _, _, i = heappop(waiting[kind])
            if not waiting[kind]:
                del waiting[kind]
            question = self.ask_one(i, world, chance)
            if question is not None:
                count -= 1
                self.kinds[kind] += 1
                yield question

    def ask_one(self, i: int, world: World, chance: random.Random) -> Question | None:
        """A question of one template, if the world has one with a welcome answer."""
        plan, tally = self.plans[i], self.tallies[i]
        welcome = tally.welcome(self.rules) & plan.possible
        if not welcome:
            self.blame["the answer is given too often already"] += 1
            return None
        instance = find_instance(plan, world, welcome=welcome, chance=chance, blame=self.blame)
        if instance is None or _repeats_itself(instance) or _says_its_answer(instance):
            return None
        question = self.phrased(instance, world, chance)
        if question is None:
            self.blame["it takes too many words"] += 1
            return None
        tally.add(plan.tallied(instance.answer))
        return question

    def phrased(self, instance: Instance, world: World, chance: random.Random) -> Question | None:
        """An instance in words, its program run once more in full; None where it takes too many words."""
        plan, values = instance.plan, instance.values
        trace = compile_program(program_of(instance), self.language)(world)
        if trace.values[-1] != instance.answer:
            raise AssertionError(f"{plan.template.title}: searched {instance.answer!r}, ran {trace.values[-1]!r}")
        referents = {hole: values[k] for hole, k in plan.single.items()}
        meant = {hole: values[k] for hole, k in plan.chosen.items()}
        said = Said(fillings(instance), referents, world, meant, plan.kinds)
        text = self.templates.speech.say(plan.template.texts, said, chance)
        return None if text is None else Question(text, plan.template, trace, instance.answer)

    def refuse_silence(self) -> None:
        """Complain, with the rule that was hit most often, that no world had any question."""
        if not self.asked:
            raise BadInput("there is no scene to ask about")
        reason, times = self.blame.most_common(1)[0] if self.blame else ("there is no template", 0)
        raise BadInput(
            f"none of the {len(self.plans)} templates can be asked of these scenes: {reason} ({times:,} times)"
        )


def _repeats_itself(instance: Instance) -> bool:
    """Whether two sides that must be told apart are described alike, or one as a kind of the other."""
    for differ in instance.plan.template.differ:
        if differ.of != "set":
            continue
        (one_relation, one), (other_relation, other) = instance.picks[differ.one], instance.picks[differ.other]
        if one_relation is None and other_relation is None and (_covers(one, other) or _covers(other, one)):
            return True
    return False


def _says_its_answer(instance: Instance) -> bool:
    """Whether a question that must not say its answer does."""
    if not instance.plan.template.unsaid:
        return False
    answer = instance.answer if isinstance(instance.answer, tuple) else (instance.answer,)
    said = [(pick,) if isinstance(pick, str) else (pick or (None, ()))[1] for pick in instance.picks]
    return any(word in words for words in said for word in answer)


def _covers(general: Description, special: Description) -> bool:
    return all(value is None or value == other for value, other in zip(general, special, strict=True))


def program_of(instance: Instance) -> Program:
    """The program that an instance stands for."""
    return filled(instance.plan.template, instance.picks)


def filled(template: Template, picks: Sequence[Any]) -> Program:
    """A template's program with its holes filled, descriptions written out as filters. picks : as an `Instance` has"""
    steps: list[Step] = []
    place: list[int] = []
    for node, pick in zip(template.nodes, picks, strict=True):
        inputs = tuple(map(place.__getitem__, node.inputs))
        if isinstance(node, Describe):
            place.append(_write_out(steps, node, inputs, pick))
            continue
        values = node.values if isinstance(node, Apply) else (picks[node.of] if isinstance(node, Again) else pick,)
        steps.append(Step(node.function, inputs, values))
        place.append(len(steps) - 1)
    return Program(tuple(steps))


def _write_out(steps: list[Step], node: Describe, inputs: tuple[int, ...], pick: Any) -> int:
    """Write a description as steps; gives the last of them, or its input where it says nothing."""
    relation, description = pick
    describer = node.describer
    if relation is not None:
        steps.append(Step(describer.relate, inputs, (relation,)))
        inputs = (len(steps) - 1,)
    for function, values in describer.steps(description):
        steps.append(Step(function, inputs, values))
        inputs = (len(steps) - 1,)
    if node.goal != "set":
        steps.append(Step(describer.goal(node.goal), inputs))
        inputs = (len(steps) - 1,)
    return inputs[0]


def fillings(instance: Instance) -> dict[str, Any]:
    """What each hole of the text was filled with: words for single holes, the description for whole ones."""
    filled: dict[str, Any] = {}
    for node, pick in zip(instance.plan.template.nodes, instance.picks, strict=True):
        if isinstance(node, Choose):
            filled[node.hole] = pick
        elif isinstance(node, Describe):
            relation, description = pick
            if node.relation is not None:
                filled[node.relation] = relation
            filled[node.hole] = names = node.describer.names(description)
            for attribute, hole in node.slots.items():
                filled[hole] = names.get(attribute, "")
    return filled
