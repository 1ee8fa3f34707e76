"""Descriptions denote what their filters leave, in any world; words and answers may be such as no list holds."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mereo.errors import BadInput
from mereo.programs import OBJECT, Function, Language, Program, Step, Type, execute, value_type
from mereo.programs.library import attribute_functions, integer_functions, set_functions
from mereo.questions.describe import Describer
from mereo.questions.generate import Asker
from mereo.questions.phrase import NounPhrases, Speech
from mereo.questions.rules import CLEVR_RULES, Rules, Tally, answers_of
from mereo.questions.template import Template
from mereo.questions.template_set import TemplateSet
from mereo.questions.toml_templates import load_templates
from mereo.world import Attribute, Entity, Vocabulary, World, make_world

WORDS = {"size": ("small", "large"), "color": ("red", "green", "blue"), "use": ("cutting", "cooking", "eating")}
VOCABULARY = Vocabulary.of([Attribute(name, words, multiple=name != "size") for name, words in WORDS.items()])


def language_of(vocabulary: Vocabulary, *more: Function) -> Language:
    rows = [*set_functions(value_type("Relation", vocabulary.relations)), *integer_functions(), *more]
    for name, attribute in vocabulary.attributes.items():
        rows += attribute_functions(attribute, value_type(name.capitalize(), attribute.values))
    return Language.of("kitchen", vocabulary, rows)


LANGUAGE = language_of(VOCABULARY)
DESCRIBER = Describer(tuple(WORDS), VOCABULARY)
SPEECH = Speech({}, NounPhrases(("size", "color"), "use", ("thing",)))


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Up to six things, each with some of its attributes, and with one or more values of those."""
    entities = []
    for i in range(draw(st.integers(0, 6))):
        attributes: dict[str, str | tuple[str, ...]] = {}
        for name, words in WORDS.items():
            several = draw(st.lists(st.sampled_from(words), max_size=1 if name == "size" else 3, unique=True))
            if several:
                attributes[name] = several[0] if name == "size" else tuple(several)
        entities.append(Entity(str(i), attributes=attributes, kind=draw(st.sampled_from(["object", "part"]))))
    return make_world(entities, VOCABULARY)


descriptions = st.tuples(*(st.sampled_from((None, *words)) for words in WORDS.values()))


def filtered(description: tuple[Any, ...], world: World) -> int:
    """What a program leaves of the scene that filters by each word."""
    steps = [Step("scene")]
    for function, values in DESCRIBER.steps(description):
        steps.append(Step(function, (len(steps) - 1,), values))
    left: int = execute(Program(tuple(steps)), world, LANGUAGE).values[-1]
    return left


@given(worlds(), descriptions)
def test_a_description_denotes_just_what_its_filters_leave(world: World, description: tuple[Any, ...]) -> None:
    left = filtered(description, world)
    assert DESCRIBER.descriptions(world).denoted(description) == left
    for i in range(len(world)):
        if world.objects >> i & 1:
            assert SPEECH.fits(DESCRIBER.names(description), i, world) == bool(left >> i & 1)


@given(worlds(), st.frozensets(st.sampled_from(tuple(WORDS))))
def test_every_description_that_fits_something_is_listed_once_by_what_it_denotes(
    world: World, unnamed: frozenset[str]
) -> None:
    listed = [
        (description, bits)
        for bits, found in DESCRIBER.descriptions(world).grouped(unnamed)
        for description in found
    ]  # fmt: skip
    expected = {
        description: filtered(description, world)
        for size in (None, *WORDS["size"])
        for color in (None, *WORDS["color"])
        for use in (None, *WORDS["use"])
        if not unnamed & DESCRIBER.names(description := (size, color, use)).keys()
    }
    assert dict(listed) == {description: bits for description, bits in expected.items() if bits}
    assert len(dict(listed)) == len(listed)


# Many attributes


def many(size: int) -> tuple[Vocabulary, World]:
    """A world of ten objects with so many attributes."""
    chance = random.Random(size)
    vocabulary = Vocabulary.of(Attribute(f"trait_{k}", ("a", "b", "c")) for k in range(size))
    entities = [
        Entity(str(i), attributes={name: chance.choice("abc") for name in vocabulary.attributes}) for i in range(10)
    ]
    return vocabulary, make_world(entities, vocabulary)


@pytest.mark.parametrize(
    ("size", "most", "named"), [(4, None, 4), (10, None, 10), (12, None, 4), (40, None, 2), (12, 2, 2), (12, 12, 12)]
)
def test_a_description_names_at_most_so_many_attributes(size: int, most: int | None, named: int) -> None:
    vocabulary, world = many(size)
    describer = Describer(tuple(vocabulary.attributes), vocabulary, most=most)
    assert describer.limit == named
    # All but a few are left unnamed, so that nobody waits for those that are not asked for.
    unnamed = frozenset(describer.attributes[named + 1 :])
    found = [one for _, some in describer.descriptions(world).grouped(unnamed) for one in some]
    assert max(len(describer.names(one)) for one in found) == min(named, size)
    chance = random.Random(0)
    drawn = [describer.drawn(chance, world) for _ in range(200)]
    assert max(len(describer.names(one)) for one in drawn) <= named
    assert len(set(drawn)) > 50


def test_questions_are_asked_of_worlds_with_a_dozen_attributes(tmp_path: Path) -> None:
    vocabulary, world = many(12)
    language = language_of(vocabulary)
    describer = Describer(tuple(vocabulary.attributes), vocabulary)
    templates = template_of(
        tmp_path, "query_trait_3(unique(filter[{A}](scene())))", language, describer, "unnamed({A}, trait_3)"
    )
    asker = Asker(TemplateSet(templates, Speech()), language)
    (question,) = asker.ask(world, 1, chance=random.Random(1))
    assert question.answer == question.trace.answer
    assert "filter_trait_3" not in str(question.program)


# Words and answers that no list holds


def opened(*names: str) -> Vocabulary:
    """The vocabulary in which the values of some attributes are not listed."""
    vocabulary = Vocabulary.of(Attribute(name, words, multiple=name != "size") for name, words in WORDS.items())
    for name in names:
        object.__setattr__(vocabulary.attributes[name], "values", None)
    return vocabulary


def test_out_of_thin_air_an_open_attribute_is_described_by_words_that_are_given_or_else_of_this_world() -> None:
    attributes: list[dict[str, str | tuple[str, ...]]] = [
        {"size": "small", "color": ("red", "blue")},
        {"color": "blue"},
    ]
    world = make_world([Entity(str(i), attributes=own) for i, own in enumerate(attributes)], VOCABULARY)

    def words(describer: Describer) -> list[set[Any]]:
        chance = random.Random(1)
        return [set(column) for column in zip(*(describer.drawn(chance, world) for _ in range(500)), strict=True)]

    everything = [{None, *WORDS[name]} for name in WORDS]
    assert words(DESCRIBER) == everything
    vocabulary = opened("color", "use")
    assert words(Describer(tuple(WORDS), vocabulary)) == [everything[0], {None, "red", "blue"}, {None}]
    given = Describer(tuple(WORDS), vocabulary, words={"color": ("pink",), "use": ("sitting",)})
    assert words(given) == [everything[0], {None, "pink"}, {None, "sitting"}]
    assert words(Describer(tuple(WORDS), vocabulary, most=1)) == [everything[0], {None, "red", "blue"}, {None}]


def template_of(
    folder: Path, program: str, language: Language, describer: Describer, *constraints: str, holes: str = "{A}"
) -> tuple[Template, ...]:
    (folder / "own.toml").write_text(
        f'[[template]]\nname = "own"\ntype = "any"\ntext = ["What of {holes}?"]\n'
        f'program = "{program}"\nconstraints = {list(constraints)!r}\n'
    )
    return load_templates(folder, language=language, describer=describer)


def name_of(world: World, thing: int) -> str:
    return f"{world.entities[thing].id}!"


def uses_of(world: World, thing: int) -> tuple[str, ...]:
    found: tuple[str, ...] = world.value["use"][thing] or ()
    return found


NAME = Function("name", (OBJECT,), (), value_type("Name"), name_of, "what it is called")
LIST = Type("Uses", "value")
object.__setattr__(LIST, "form", "values")
USES = Function("uses", (OBJECT,), (), LIST, uses_of, "all that it is for")
CALLED = Function("called", (OBJECT,), (value_type("Name"),), value_type("Name"), lambda world, thing, name: name, "so")
OPEN = language_of(VOCABULARY, NAME, USES, CALLED)


def kitchen(index: int) -> World:
    """Three things of different sizes and uses, under names that were never seen before."""
    chance = random.Random(index)
    uses = [tuple(chance.sample(WORDS["use"], chance.choice([1, 1, 2]))) for _ in range(2)]
    things = [Entity(f"{index}-{i}", attributes={"size": WORDS["size"][i], "use": uses[i]}) for i in range(2)]
    return make_world(things, VOCABULARY)


def test_a_template_may_end_in_any_word(tmp_path: Path) -> None:
    asker = Asker(
        TemplateSet(template_of(tmp_path, "name(unique(filter[{A}](scene())))", OPEN, DESCRIBER), SPEECH), OPEN
    )
    answers = [question.answer for i in range(20) for question in asker.ask(kitchen(i), 1, chance=random.Random(i))]
    assert len(set(answers)) == len(answers) == 20


def test_a_template_may_end_in_a_list_of_words_and_those_seen_are_kept_flat(tmp_path: Path) -> None:
    templates = template_of(tmp_path, "uses(unique(filter[{A}](scene())))", OPEN, DESCRIBER)
    asker = Asker(TemplateSet(templates, SPEECH), OPEN)
    counts: Counter[Any] = Counter()
    for i in range(200):
        for question in asker.ask(kitchen(i), 1, chance=random.Random(i)):
            ranked = sorted(counts.values(), reverse=True)
            if question.answer in counts:
                assert len(ranked) > 1
                assert counts[question.answer] <= 1.1 * ranked[1]
            counts[question.answer] += 1
    assert len(counts) == 9  # three uses, six pairs in order
    assert sum(counts.values()) > 60


def test_a_hole_for_any_word_must_list_its_words(tmp_path: Path) -> None:
    program = "called[{V}](unique(filter[{A}](scene())))"
    with pytest.raises(BadInput, match="any Name could fill the hole V: list the words that may"):
        template_of(tmp_path, program, OPEN, DESCRIBER, holes="{V} and {A}")


def test_where_answers_are_not_listed_what_came_is_counted_and_the_new_is_welcome() -> None:
    assert answers_of(value_type("Name"), CLEVR_RULES) == answers_of(LIST, CLEVR_RULES) == ()
    tally = Tally(answers_of(value_type("Name"), CLEVR_RULES))
    assert "spoon" in tally.counts
    assert "spoon" in tally.welcome(CLEVR_RULES)
    tally.add("spoon")
    assert "spoon" not in tally.welcome(CLEVR_RULES)
    assert "fork" in tally.welcome(CLEVR_RULES)
    tally.add("fork")
    assert "spoon" in tally.welcome(CLEVR_RULES)
    assert "spoon" in Tally(()).welcome(Rules(balanced=False))
    assert tally.welcome(CLEVR_RULES) & frozenset({"spoon", "knife"}) == frozenset({"spoon", "knife"})
    tally.add("spoon")
    assert frozenset({"spoon", "knife"}) & tally.welcome(CLEVR_RULES) == frozenset({"knife"})
    tally.clear()
    assert (tally.uses, "spoon" in tally.welcome(CLEVR_RULES)) == (0, True)
