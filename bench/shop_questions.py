"""Questions about household objects per CPU second with our own templates, and what the words alone give away.

    python bench/shop_questions.py [--scenes 1000] [--rounds 2]

Scenes are strewn over a grid by chance, without pictures. Of each kind, what is seen and what is read, all questions of
a scene are asked, from its record to their words, as a build does it: only by programs that the split may ask. CLEVR's
own templates on CLEVR's scenes are what they are measured against. Beside the rate stand how often the least asked
template was asked, and of what is read the least asked word.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

from households import strewn_household
from measure import options, rates, save
from mereo.benchmarks.clevr.language import LANGUAGE as CLEVR
from mereo.benchmarks.clevr.questions import RULES as CLEVR_RULES
from mereo.benchmarks.clevr.questions import clevr_questions
from mereo.benchmarks.shop.language import SHOP_VRB, VOCABULARY, shop_world
from mereo.benchmarks.shop.questions import RULES, TYPES, owner, textual_questions, visual_questions
from mereo.chance import fast, generator
from mereo.clevr_family.language import VOCABULARY as CLEVR_VOCABULARY
from mereo.clevr_family.records import world_from_record
from mereo.clevr_family.strewing import strewn_scene
from mereo.datasets.guessing import Guessing
from mereo.questions.generate import Asker, Question
from mereo.questions.template_set import TemplateSet
from mereo.world import World
from tables import Row

UNIT = "questions per CPU s"
REFERENCE = "CLEVR, ten a scene"


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=2)
    given = options(parser)
    if given.quick:
        given.scenes, given.rounds = 3, 1
    rows, notes = [_rated(given, REFERENCE, _of_clevr)], list[str]()
    for what, templates, count in (("what is seen", visual_questions(), 20), ("what is read", textual_questions(), 10)):
        for split in ("train", "test"):
            kind = f"{what}, {count} a scene, {split}"
            rows.append(_rated(given, kind, partial(_of_households, templates, count, split)))
        notes += _told(what, templates, list(_of_households(templates, count, "train", given.scenes)))
    save("shop-questions", given, rows, notes=notes)


def _rated(given: argparse.Namespace, what: str, ask: Callable[[int], Iterator[tuple[int, Question]]]) -> Row:
    asked = rates(lambda: sum(1 for _ in ask(given.scenes)), rounds=given.rounds)
    return asked.row(what, unit=UNIT, against=REFERENCE, table="Our own templates")


def _asked(asker: Asker, worlds: Iterator[World], count: int) -> Iterator[tuple[int, Question]]:
    for number, world in enumerate(worlds):
        for question in asker.ask(world, count, chance=fast(generator(1, "questions", number))):
            yield number, question


def _of_households(templates: TemplateSet, count: int, split: str, scenes: int) -> Iterator[tuple[int, Question]]:
    worlds = (shop_world(strewn_household(number)) for number in range(scenes))
    return _asked(Asker(templates, SHOP_VRB, RULES, owner(split)), worlds, count)


def _of_clevr(scenes: int) -> Iterator[tuple[int, Question]]:
    records = (strewn_scene(generator(3, "scenes", number), condition="") for number in range(scenes))
    worlds = (world_from_record(record, CLEVR_VOCABULARY) for record in records)
    return _asked(Asker(clevr_questions(), CLEVR, CLEVR_RULES), worlds, 10)


def _told(what: str, templates: TemplateSet, asked: list[tuple[int, Question]]) -> Iterator[str]:
    """How evenly templates and words are asked, and how much more the words tell than the most frequent answer."""
    uses = Counter(question.template.title for _, question in asked)
    least = min(uses[template.title] for template in templates.templates)
    every = len(templates.templates)
    yield f"Of {what}: {len(asked):,} questions, each of the {every} templates at least {least} times."
    words = Counter(
        word
        for _, question in asked
        for word in {step.values[0] for step in question.program.steps if step.function == "filter_attribute"}
    )
    if words:
        rarest = min(VOCABULARY.words("attribute"), key=words.__getitem__)
        yield f"Each of the 36 attributes is asked about at least {words[rarest]} times, the least '{rarest}'."
    guessing = Guessing()
    for place, (number, question) in enumerate(asked):
        row = {
            "question_id": f"{what} {place}",
            "scene_id": f"{number}",
            "split": "train",
            "subtype": TYPES[question.template.type],
            "template": question.template.title,
            "question": question.text,
            "answer": str(question.answer),
        }
        guessing.look({}, [row])
    for gate in guessing.gates():
        yield f"Of {what}, {gate.name}: {gate.note or 'too few'}."


if __name__ == "__main__":
    main()
