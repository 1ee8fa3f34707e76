"""PTR's own template files: which functions and constraints they use, and how questions are asked with them.

What a question may be is what the official generator would write; which one it is, of those, is as likely as there,
with two small differences: templates used equally often are tried in random order, not in that of a folder's files, and
descriptions out of thin air are drawn without putting back. The texts say the same, but for "unstable object", which
the generator says in one template only.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from mereo.benchmarks.ptr.official.form import Analogy, OfAKind, PartOf, make_form
from mereo.benchmarks.ptr.official.language import LANGUAGE
from mereo.benchmarks.ptr.official.options import ATTRIBUTES, OfficialDescriptions
from mereo.benchmarks.ptr.official.search import OfficialInstance, find_official
from mereo.benchmarks.ptr.official.types import COLOR, MOST
from mereo.benchmarks.ptr.official.words import THING, say
from mereo.benchmarks.ptr.official.world import VOCABULARY, OfficialScene, official_scene
from mereo.clevr_family.templates import Dialect, Draft, described, null, outputs_differ
from mereo.errors import BadInput
from mereo.programs import Language, compile_program
from mereo.questions.describe import Describer
from mereo.questions.generate import Question
from mereo.questions.rules import Rules, Tally, answers_of
from mereo.questions.template import Apply, Choose, Node, Template
from mereo.questions.template_set import TemplateSet
from mereo.world import World

__all__ = ["DIALECT", "OfficialAsker"]

RULES = Rules(median_ratio=1.5, window=6000, most=MOST)


@dataclass
class OfficialAsker:
    """Asks questions of one scene after another, as PTR's generator does."""

    templates: TemplateSet
    language: Language
    rules: Rules
    blame: Counter[str] = field(default_factory=Counter)
    """Why templates could not be filled, over everything asked so far."""

    def __post_init__(self) -> None:
        self.forms = [make_form(template) for template in self.templates.templates]
        self.tallies = [Tally(answers_of(form.template.output, self.rules)) for form in self.forms]
        self.asked = 0

    def ask(self, world: World, count: int, *, chance: random.Random) -> Iterator[Question]:
        """Up to `count` questions about a scene, each of another template, the least used templates first."""
        scene = official_scene(world)
        if not scene.asked:
            return
        if self.asked % self.rules.window == 0:
            for tally in self.tallies:
                tally.clear()
        self.asked += 1
        known: OfficialDescriptions | None = None
        for _, _, i in sorted((tally.uses, chance.random(), i) for i, tally in enumerate(self.tallies)):
            form = self.forms[i]
            if not count:
                return
            if not _fits(form.template, scene):
                continue
            if known is None:
                known = OfficialDescriptions(world, numbers=not form.counts, nothing=not form.plain)
            question = self.ask_one(i, known, chance)
            if question is not None:
                count -= 1
                yield question

    def ask_one(self, i: int, known: OfficialDescriptions, chance: random.Random) -> Question | None:
        """A question of one template, if the scene has one with a welcome answer."""
        form, tally = self.forms[i], self.tallies[i]
        welcome = tally.welcome(self.rules)
        instance = find_official(form, known, welcome=welcome, chance=chance, blame=self.blame)
        if instance is None:
            return None
        question = self.phrased(form.template, instance, known.world, chance)
        if form.easy and instance.answer in (COLOR.values or ()) and str(instance.answer) in question.text:
            # The generator notices too late: the answer is counted as if it had been asked.
            tally.counts[instance.answer] += 1
            self.blame["the answer is among the question's words"] += 1
            return None
        tally.add(instance.answer)
        return question

    def phrased(self, template: Template, instance: OfficialInstance, world: World, chance: random.Random) -> Question:
        """An instance in words, its program run once more in full."""
        trace = compile_program(instance.program, self.language)(world)
        if trace.values[-1] != instance.answer:
            raise AssertionError(f"{template.title}: searched {instance.answer!r}, ran {trace.values[-1]!r}")
        unstable = any(isinstance(node, Apply) and node.function == "filter_unstability" for node in template.nodes[:2])
        text = template.texts[int(chance.random() * len(template.texts))].source
        said = say(text, instance.words, self.templates.speech.words, unstable=unstable, chance=chance)
        return Question(said, template, trace, instance.answer)

    def refuse_silence(self) -> None:
        """Complain, with the rule that was hit most often, that no scene had any question."""
        if not self.asked:
            raise BadInput("there is no scene to ask about")
        reason, times = self.blame.most_common(1)[0] if self.blame else ("no template is for such scenes", 0)
        raise BadInput(
            f"none of the {len(self.forms)} templates can be asked of these scenes: {reason} ({times:,} times)"
        )


def _fits(template: Template, scene: OfficialScene) -> bool:
    """Whether a template is for such scenes: physics for those that were simulated, geometry for those that were not.

    A scene that says it was not simulated is asked about neither.
    """
    if "physics" in template.source and not scene.physics:
        return False
    return not ("geometry" in template.source and scene.physics is not None)


def _part_of_color(dialect: Dialect, draft: Draft, inputs: tuple[int, ...], holes: list[str]) -> Node:
    """`query_part-geometry`: the hole is a color's name, and the numbers of the color go with it."""
    if len(holes) != 1:
        raise BadInput("query_part-geometry takes one hole", field="nodes")
    return Choose("query_part-geometry", inputs, holes[0], COLOR)


def _of_a_kind(draft: Draft, params: list[Any]) -> None:
    one, other = _holes(draft, params, "COMMON_CAT")
    draft.further.append(OfAKind(one, other))


def _part_of(draft: Draft, params: list[Any]) -> None:
    category, part = _holes(draft, params, "COMMON_CAT2")
    draft.further.append(PartOf(category, part))


def _holes(draft: Draft, params: list[Any], constraint: str) -> tuple[str, str]:
    if len(params) != 2:
        raise BadInput(f"{constraint} compares two holes, not {len(params)}", field="constraints")
    for hole in params:
        draft.holder(hole)
    return params[0], params[1]


def _analogy(draft: Draft, params: list[Any]) -> None:
    if len(params) != 4:
        raise BadInput(f"ANALOGY is between four nodes, not {len(params)}", field="constraints")
    one, other, third, target = (draft.node(position) for position in params)
    draft.further.append(Analogy(one, other, third, target))


DIALECT = Dialect(
    language=LANGUAGE,
    describer=Describer(ATTRIBUTES, VOCABULARY),
    composites={
        "filter_object_unique": described("unique", related=False),
        "filter_object_count": described("count", related=False),
        "filter_object_exist": described("exist", related=False),
        "relate_filter": described("set", related=True),
        "relate_filter_unique": described("unique", related=True),
        "relate_filter_count": described("count", related=True),
        "relate_filter_exist": described("exist", related=True),
        "query_part-geometry": _part_of_color,
    },
    constraints={
        "NULL": null,
        "OUT_NEQ": outputs_differ,
        "COMMON_CAT": _of_a_kind,
        "COMMON_CAT2": _part_of,
        "ANALOGY": _analogy,
    },
    unnamed_word={"Object-Category": THING},
    rules=RULES,
    types=("Part-Count",),
    asker=OfficialAsker,
)
