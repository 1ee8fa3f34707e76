"""Asking: which templates, in which order, until a world has its questions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from heapq import heapify, heappop
from itertools import islice
from typing import Any, NamedTuple

from mereo.errors import BadInput, UnknownName
from mereo.programs import Language, Program, Trace, compile_program
from mereo.questions.describe import forget_descriptions
from mereo.questions.faults import fault_of, says, telling_words
from mereo.questions.filling import fillings, program_of
from mereo.questions.ownership import Ownership
from mereo.questions.phrase import Said
from mereo.questions.plan import Plan, make_plan
from mereo.questions.readings import Readings, hides, stands_in
from mereo.questions.rules import CLEVR_RULES, Rules
from mereo.questions.search import Instance, worded_instances
from mereo.questions.template import Template
from mereo.questions.template_set import TemplateSet
from mereo.world import World

__all__ = ["Asker", "Question"]

_AGAIN = 3
"""How often in a row words may come again before there are taken to be no others."""
_AS_IT_IS = Readings()
_COMMON = "programs that all splits share are asked too often already"


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


@dataclass(frozen=True)
class _Occasion:
    """A world that is being asked about."""

    world: World
    readings: Readings
    chance: random.Random
    asked: set[Program | str] = field(default_factory=set)
    """The programs and texts of the questions so far."""


class _Cleared(NamedTuple):
    """What is to be counted of an instance against which nothing speaks."""

    program: Program
    answer: Any
    words: dict[Hashable, int]
    common: bool
    """Whether all splits share the program, and it is rationed."""


@dataclass
class Asker:
    """Asks questions of one world after another and keeps templates and answers in balance between them."""

    templates: TemplateSet
    language: Language
    rules: Rules = CLEVR_RULES
    split: str | None = None
    """Whose programs may be asked, where splits own them; any, where it is none of them."""
    blame: Counter[str] = field(default_factory=Counter)
    """Why templates could not be filled, over everything asked so far."""

    def __post_init__(self) -> None:
        owners = self.rules.owners
        if owners and self.split is not None and self.split not in owners:
            raise UnknownName("split that owns programs", self.split, owners)
        self.plans = [make_plan(template, self.language, self.rules) for template in self.templates.templates]
        self._settled: dict[tuple[int, ...], Plan] = {}
        self.tallies = [plan.tally() for plan in self.plans]
        self._telling = self.tallies
        """By which it is known what words tell."""
        if self.rules.told == "type":
            types = [template.type for template in self.templates.templates]
            shared = {type: plan.tally() for type, plan in zip(types, self.plans, strict=True)}
            self._telling = [shared[type] for type in types]
        self._ownership = Ownership(self.language, self.rules, self.split)
        sparing = self.rules.sparing and self.rules.common < 1
        self._all_common = [sparing and self._ownership.all_common(plan) for plan in self.plans]
        self.asked = 0
        self.kinds: Counter[str] = Counter()
        """How often each type was asked."""
        self.common: Counter[str | tuple[str, Program]] = Counter()
        """How often each type was asked by programs that all splits share, and by each of these."""
        by_type = self.rules.balance == "type"
        self._kinds = [template.type if by_type else "" for template in self.templates.templates]

    def ask(
        self, world: World, count: int, *, chance: random.Random, readings: Readings = _AS_IT_IS
    ) -> Iterator[Question]:
        """Up to `count` questions about a world, each of another template, what was asked least first.

        readings : what else the world may be taken for; every question has its answer in each of them
        """
        if self.asked % self.rules.window == 0:
            for tally in (*self.tallies, *self._telling):
                tally.clear()
        self.asked += 1
        occasion = _Occasion(world, readings, chance)
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
            question = self._ask_one(i, occasion)
            if question is not None:
                count -= 1
                self.kinds[kind] += 1
                yield question
        forget_descriptions(world)

    def _ask_one(self, i: int, occasion: _Occasion) -> Question | None:
        """A question of one template, if the world has one with a welcome answer."""
        plan, tally, rules = self.plans[i], self.tallies[i], self.rules
        if self._all_common[i] and not self._has_room(self._kinds[i]):
            return self._refused(_COMMON)
        welcome = tally.welcome(rules) & plan.possible
        if not welcome:
            return self._refused("the answer is given too often already")
        refused: set[tuple[Any, ...]] = set()
        for _ in range(rules.attempts):
            instance, again = None, 0
            found = worded_instances(
                self._drawn(i, occasion.chance),
                occasion.world,
                welcome=welcome,
                chance=occasion.chance,
                blame=self.blame,
                by_eye=occasion.readings.by_eye,
            )
            for instance in islice(found, rules.wordings):
                if instance.picks in refused:  # the same words come again and again
                    again += 1
                    if again == _AGAIN and rules.sparing:
                        break
                    continue
                again = 0
                cleared = self._cleared(i, instance, occasion)
                if isinstance(cleared, str):
                    self.blame[cleared] += 1
                    refused.add(instance.picks)
                    continue
                question = self._phrased(instance, cleared.program, occasion)
                if question is not None:
                    self._note(i, cleared)
                    occasion.asked.update((cleared.program, question.text))
                    return question
            if instance is None:
                return None
        return None

    def _drawn(self, i: int, chance: random.Random) -> Plan:
        """The plan of a template for one search, in which it is settled which of its holes may be filled."""
        template = self.templates.templates[i]
        if not template.one_of:
            return self.plans[i]
        drawn = [int(chance.random() * len(choice.holes)) for choice in template.one_of]
        plan = self._settled.get((i, *drawn))
        if plan is None:
            plan = self._settled[i, *drawn] = make_plan(template.settled(drawn), self.language, self.rules)
        return plan

    def _cleared(self, i: int, instance: Instance, occasion: _Occasion) -> _Cleared | str:
        """An instance, or what speaks against asking it, whatever its text; the cheapest doubts first."""
        telling, rules, kind = self._telling[i], self.rules, self._kinds[i]
        whose = self._ownership.of(instance)
        if whose == "another's":
            return "the program belongs to another split"
        common = whose == "common" and rules.common < 1
        if common and not self._has_room(kind):
            return _COMMON
        fault = fault_of(instance)
        if fault is not None:
            return fault
        answer = instance.plan.tallied(instance.answer)
        words = telling_words(instance) if rules.margin is not None else {}
        if telling.telling(answer, words, rules):
            return "a word would tell the answer"
        program = program_of(instance)
        if common and not self._has_room(kind, program):
            return _COMMON
        if rules.distinct and program in occasion.asked:
            return "the program was asked already"
        return _Cleared(program, answer, words, common)

    def _note(self, i: int, cleared: _Cleared) -> None:
        """Keep the count of what was asked."""
        tally, telling, kind = self.tallies[i], self._telling[i], self._kinds[i]
        tally.add(cleared.answer, cleared.words)
        if telling is not tally:
            telling.add(cleared.answer, cleared.words)
        if cleared.common:
            self.common.update((kind, (kind, cleared.program)))

    def _has_room(self, kind: str, program: Program | None = None) -> bool:
        """Whether one more question of a kind may be asked by what all splits share, or by one program of that."""
        room = self.rules.common * (self.kinds[kind] + 1)
        return self.common[kind] + 1 <= room if program is None else self.common[kind, program] + 1 <= room / 2

    def _refused(self, why: str) -> Question | None:
        """No question, and why."""
        self.blame[why] += 1
        return None

    def _phrased(self, instance: Instance, program: Program, occasion: _Occasion) -> Question | None:
        """An instance in words, its program run once more in full, if the words are true in every reading."""
        plan, values, world, readings = instance.plan, instance.values, occasion.world, occasion.readings
        trace = compile_program(program, self.language)(world)
        if trace.values[-1] != instance.answer:
            raise AssertionError(f"{plan.template.title}: searched {instance.answer!r}, ran {trace.values[-1]!r}")
        if not all(stands_in(other, trace, self.language, numbers=True) for other in readings.by_eye):
            return self._refused("an eye could see it otherwise")
        visible = readings.whole is not None and hides(instance, readings.whole)
        if visible and not any(text.of_visible for text in plan.template.texts):
            return self._refused("no text speaks of what is visible")
        referents = {hole: values[k] for hole, k in plan.single.items()}
        meant = {hole: values[k] for hole, k in plan.chosen.items()}
        said = Said(fillings(instance), referents, world, meant, plan.kinds, visible, readings.whole)
        text = self.templates.speech.say(plan.template.texts, said, occasion.chance)
        if text is None:
            return self._refused("it takes too many words")
        if says(text, instance, measures=self.templates.speech.measures) or (
            self.rules.distinct and text in occasion.asked
        ):
            return self._refused("the text says its answer, or was asked already")
        return Question(text, plan.template, trace, instance.answer)

    def refuse_silence(self) -> None:
        """Complain, with the rule that was hit most often, that no world had any question."""
        if not self.asked:
            raise BadInput("there is no scene to ask about")
        reason, times = self.blame.most_common(1)[0] if self.blame else ("there is no template", 0)
        raise BadInput(
            f"none of the {len(self.plans)} templates can be asked of these scenes: {reason} ({times:,} times)"
        )
