"""Questions about household objects: all can be asked, are answered right, said as people speak, and understood."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

import naive
from households import strewn_household
from mereo.benchmarks.shop.describe import shop_describer
from mereo.benchmarks.shop.language import SHOP_VRB, TEXTUAL, VISUAL, VOCABULARY, shop_world
from mereo.benchmarks.shop.models import models
from mereo.benchmarks.shop.possible import possible
from mereo.benchmarks.shop.questions import RULES, TYPES, listener, owner, textual_questions, visual_questions
from mereo.benchmarks.shop.speech import NAMES, shop_speech
from mereo.benchmarks.shop.substitutions import substitutions
from mereo.chance import fast, generator
from mereo.errors import BadInput
from mereo.programs import Program
from mereo.questions.describe import Descriptions
from mereo.questions.filling import program_of
from mereo.questions.generate import Asker, Question
from mereo.questions.ownership import Ownership, owner_of
from mereo.questions.phrase import plural
from mereo.questions.plan import make_plan
from mereo.questions.search import find_instance
from mereo.questions.template import Choose
from mereo.questions.template_set import TemplateSet
from mereo.world import World

SETS = {"seen": visual_questions, "read": textual_questions}
SCENES = {"seen": 50, "read": 100}
PER_SCENE = {"seen": 20, "read": 10}
READING = ("query", "same", "equal", "filter")


class Asked(NamedTuple):
    """A question with the scene it was asked of."""

    question: Question
    scene: dict[str, Any]
    world: World


@cache
def asked(kind: str) -> tuple[Asked, ...]:
    """The questions of many scenes."""
    asker = Asker(SETS[kind](), SHOP_VRB, RULES)

    def ask() -> Iterator[Asked]:
        for number in range(SCENES[kind]):
            scene = strewn_household(number)
            world = shop_world(scene)
            for question in asker.ask(world, PER_SCENE[kind], chance=fast(generator(5, kind, number))):
                yield Asked(question, scene, world)

    return tuple(ask())


def naively(program: Program, scene: dict[str, Any]) -> Any:
    """The answer of a program by a plain loop."""
    outputs: list[Any] = []
    for step in program.steps:
        inputs = [outputs[i] for i in step.inputs]
        verb, _, attribute = step.function.partition("_")
        if attribute in VOCABULARY.attributes:
            outputs.append(_about(verb, attribute, inputs, step.values, [*scene["objects"]]))
        else:
            outputs.append(naive.run_step(step.function, inputs, list(step.values), scene))
    return outputs[-1]


def _about(verb: str, attribute: str, inputs: list[Any], values: tuple[Any, ...], things: list[dict[str, Any]]) -> Any:
    own = [naive.values_of(thing, attribute) for thing in things]
    if verb == "filter":
        return [i for i in inputs[0] if values[0] in own[i]]
    if verb == "query":
        return own[inputs[0]] if attribute == "attribute" else own[inputs[0]][0]
    if verb == "same":
        return [i for i, value in enumerate(own) if i != inputs[0] and value == own[inputs[0]]]
    assert verb == "equal"
    return inputs[0] == inputs[1]


def test_there_are_as_many_templates_as_the_paper_has() -> None:
    assert len(visual_questions().templates) >= 293
    assert len(textual_questions().templates) >= 195
    for templates in (visual_questions(), textual_questions()):
        assert {TYPES[template.type] for template in templates.templates} == set(TYPES.values())


@pytest.mark.parametrize("kind", SETS)
def test_every_scene_gets_its_questions_and_every_template_its_turn(kind: str) -> None:
    assert len(asked(kind)) == SCENES[kind] * PER_SCENE[kind]
    uses = {one.question.template.title for one in asked(kind)}
    rare = [template.title for template in SETS[kind]().templates if template.title not in uses]
    assert len(rare) <= 0.02 * len(SETS[kind]().templates), rare


@pytest.mark.parametrize("kind", SETS)
def test_answers_are_those_of_a_plain_loop(kind: str) -> None:
    for question, scene, _ in asked(kind):
        found = naively(question.program, scene)
        assert (tuple(found) if isinstance(found, list) else found) == question.answer, question.text


@pytest.mark.parametrize("kind", SETS)
def test_nothing_is_described_by_what_is_asked_about_it(kind: str) -> None:
    for question, _, _ in asked(kind):
        steps = question.program.steps
        for step in steps:
            verb, _, attribute = step.function.partition("_")
            if attribute not in VOCABULARY.attributes or verb not in ("query", "same"):
                continue
            at = steps[step.inputs[0]]
            while at.function.startswith(("filter_", "unique")):
                assert at.function != f"filter_{attribute}", question.text
                at = steps[at.inputs[0]]


def test_what_is_seen_is_asked_without_reading_and_the_other_only_by_reading() -> None:
    read = {f"{verb}_{attribute}" for attribute in TEXTUAL for verb in READING}
    for kind in SETS:
        for question, _, _ in asked(kind):
            assert any(step.function in read for step in question.program.steps) == (kind == "read"), question.text


@pytest.mark.parametrize("kind", SETS)
def test_texts_are_clean_sentences_of_a_bearable_length(kind: str) -> None:
    for question, _, _ in asked(kind):
        text = question.text
        assert text[0].isupper()
        assert text.endswith("?")
        assert not set(text) & set("{}[]|_"), text
        assert len(text.split()) <= 40
        assert not any(wrong in text for wrong in ("  ", " a a", "the a ", "glass glass")), text


@pytest.mark.parametrize("kind", SETS)
def test_descriptions_are_short(kind: str) -> None:
    most = {"seen": 3, "read": 2}[kind]
    for question, _, _ in asked(kind):
        for template_node in question.template.nodes:
            describer = getattr(template_node, "describer", None)
            assert describer is None or describer.limit == most


def test_scissors_are_several_and_come_in_pairs() -> None:
    speech, chance = shop_speech(), fast(generator(0, "scissors"))
    assert speech.noun_phrase({"name": "scissors", "color": "black"}, chance, several=False) == "black scissors"
    assert speech.single({"name": "scissors"}, "black scissors") == "pair of black scissors"
    assert speech.single({"name": "fork"}, "fork") == "fork"
    found = [one.question.text for kind in SETS for one in asked(kind) if "scissors" in one.question.text]
    assert found
    for text in found:
        for wrong in ("scissors is", "is the scissors", "a scissors", "scissors does", "scissors that is"):
            # "an item on the right side of the scissors that is easy to carry" speaks of the item.
            said = re.sub(r"pair of scissors that is|(of|behind) the [\w -]*scissors that is", "", text.lower())
            assert wrong not in said, text


def test_plurals_are_those_that_people_say() -> None:
    expected = {"knife": "knives", "scissors": "scissors", "wine glass": "wine glasses", "food box": "food boxes"}
    expected |= {"thermos": "thermoses", "glass": "glasses", "baking tray": "baking trays"}
    assert {noun: plural(noun) for noun in expected} == expected


def test_a_glass_is_made_of_glass_after_its_noun() -> None:
    speech, chance = shop_speech(), fast(generator(0, "glass"))
    names = {"name": "wine glass", "material": "glass", "size": "small"}
    phrase = speech.noun_phrase(names, chance, several=True)
    assert phrase in ("small wine glasses made of glass", "little wine glasses made of glass")
    assert "glass" in speech.noun_phrase({"material": "glass"}, chance, several=False).split()


def test_every_value_can_be_said_in_one_way_only() -> None:
    for attribute, known in VOCABULARY.attributes.items():
        ways = NAMES["class"] if attribute == "name" else NAMES["is"][attribute]
        assert set(ways) == set(known.values or ())
        said = [way for each in ways.values() for way in each]
        assert len(said) == len(set(said)), attribute
        assert attribute in NAMES["ask"]
        assert attribute in NAMES["alike"]
    assert set(NAMES["whether"]) == {word for attribute in TEXTUAL for word in VOCABULARY.words(attribute)}


@pytest.mark.parametrize("kind", SETS)
def test_what_was_asked_is_understood(kind: str) -> None:
    heard = listener()
    for question, _, world in asked(kind)[:: 4 if kind == "seen" else 3]:
        understood = heard.understand(question.text, world)
        assert understood.program == question.program.canonical(), question.text


def test_plain_questions_are_understood() -> None:
    heard = listener()
    expected = {
        "How heavy are the black scissors?": (
            "query_weight(unique(filter_name[scissors](filter_color[black](scene()))))"
        ),
        "Can the red mug go in the oven?": (
            "exist(filter_attribute[oven safe](filter_name[mug](filter_color[red](scene()))))"
        ),
        "Is there a pair of scissors on the table?": "exist(filter_name[scissors](scene()))",
        "How do you take the kettle apart?": "query_disassembly(unique(filter_name[kettle](scene())))",
        "Is it possible to take the knife apart?": "query_disassembly(unique(filter_name[knife](scene())))",
        "Is it impossible to take the knife apart?": (
            "exist(filter_disassembly[non-dismantable](filter_name[knife](scene())))"
        ),
    }
    for question, program in expected.items():
        assert str(heard.understand(question).program) == program


def _looks(description: dict[str, str]) -> tuple[str | None, ...]:
    return tuple(description.get(attribute) for attribute in VISUAL)


def test_descriptions_leave_open_what_is_asked() -> None:
    describer = shop_describer(most=3, instances="known")
    assert not describer.leaves_open(_looks({"name": "kettle"}), frozenset({"material"}))
    assert not describer.leaves_open(_looks({"name": "toaster"}), frozenset({"powering"}))
    assert not describer.leaves_open(_looks({"name": "mug"}), frozenset({"oven safe"}))
    assert describer.leaves_open(_looks({"name": "bowl"}), frozenset({"material"}))
    assert describer.leaves_open(_looks({"name": "kettle"}), frozenset({"powering"}))
    assert describer.leaves_open(_looks({"size": "large", "material": "metal"}), frozenset({"powering"}))
    assert not describer.leaves_open(_looks({"size": "large"}), frozenset({"size"}))


def test_what_all_models_of_a_class_have_in_common_is_not_said_of_it() -> None:
    table = possible("known")
    for name, own in models("known").items():
        for attribute in ("weight", "shape", "movability"):
            values = {getattr(model, attribute) for model in own}
            for value in values:
                assert table.idle(_looks({"name": name, attribute: value})) == (len(values) == 1)
            assert len(values) > 1 or table.tells(_looks({"name": name}), attribute)


@pytest.mark.parametrize("kind", SETS)
def test_no_question_names_what_follows(kind: str) -> None:
    table = possible("known")
    for question, _, _ in asked(kind):
        for node, pick in _described(question):
            assert not table.idle(pick), (node, question.text)


def _described(question: Question) -> Iterator[tuple[str, tuple[str | None, ...]]]:
    """What the filters of a question's program name one after the other, where no word was chosen besides."""
    if any(isinstance(node, Choose) and node.type.name.lower() in VISUAL for node in question.template.nodes):
        return
    named: dict[int, dict[str, str]] = {}
    for place, step in enumerate(question.program.steps):
        verb, _, attribute = step.function.partition("_")
        if verb == "filter" and attribute in VISUAL:
            named[place] = {**named.pop(step.inputs[0], {}), attribute: step.values[0]}
    for place, names in named.items():
        yield str(question.program.steps[place]), _looks(names)


def test_every_attribute_is_asked_about() -> None:
    titles = {template.title for template in textual_questions().templates}
    for attribute in TEXTUAL:
        for word in VOCABULARY.words(attribute):
            assert f"text_zero_hop/is_{word}" in titles
    filtered = {
        step.values[0]
        for question, _, _ in asked("read")
        for step in question.program.steps
        if step.function == "filter_attribute"
    }
    assert len(filtered) >= 30


def test_splits_share_hardly_a_question() -> None:
    texts: dict[str, list[str]] = {}
    for split in ("train", "test"):
        asker = Asker(textual_questions(), SHOP_VRB, RULES, owner(split))
        for number in range(30):
            world = shop_world(strewn_household(number))
            asking = asker.ask(world, 10, chance=fast(generator(5, split, number)))
            texts.setdefault(split, []).extend(question.text for question in asking)
    assert len(texts["test"]) == len(texts["train"]) == 300
    assert sum(text in texts["train"] for text in texts["test"]) <= 0.015 * len(texts["test"])


def test_test_asks_what_validation_may_ask_and_nobody_else() -> None:
    assert owner("test") == owner("validation")
    assert len({owner(split) for split in ("train", "test", "benchmark")} & set(RULES.owners)) == 3


def _of(*titles: str) -> Asker:
    """Asks by a few templates about what is read."""
    every = textual_questions()
    chosen = tuple(template for template in every.templates if template.title in titles)
    return Asker(TemplateSet(chosen, every.speech), SHOP_VRB, RULES, "train")


def test_what_all_splits_share_is_not_searched_for_where_there_is_no_room() -> None:
    asker = _of("text_zero_hop/count_all_powering", "text_compare_integer/less_than_picking")
    for number in range(3):
        assert not list(asker.ask(shop_world(strewn_household(number)), 2, chance=fast(generator(5, number))))
    assert list(asker.blame.values()) == [2 * 3]


def test_descriptions_are_forgotten_when_all_is_asked() -> None:
    world = shop_world(strewn_household(4))
    asking = Asker(visual_questions(), SHOP_VRB, RULES).ask(world, 5, chance=fast(generator(5)))
    next(asking)
    assert any(isinstance(kept, Descriptions) for kept in world.memory.values())
    assert len(list(asking)) == 4
    assert not any(isinstance(kept, Descriptions) for kept in world.memory.values())


@pytest.mark.parametrize("kind", SETS)
def test_whose_program_it_is_is_known_before_it_is_written_out(kind: str) -> None:
    ours, found = Ownership(SHOP_VRB, RULES, "train"), Counter[str]()
    world, chance = shop_world(strewn_household(4)), fast(generator(6, kind))
    for template in SETS[kind]().templates:
        plan = make_plan(template, SHOP_VRB, RULES)
        instance = find_instance(plan, world, welcome=plan.possible, chance=chance)
        if instance is not None:
            whose = owner_of(program_of(instance), SHOP_VRB, RULES)
            expected = {None: "common", "train": "own"}.get(whose, "another's")
            assert ours.of(instance) == expected
            found[expected] += 1
    assert len(found) == 3


def test_an_unknown_list_is_named() -> None:
    with pytest.raises(BadInput, match="there is no list 'smelled A'"):
        substitutions("smelled A")
