"""Programs: checked before they run, run the same however they are run, and failing by name and place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from kit import questions, world
from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.chance import generator
from mereo.clevr_family.language import VOCABULARY
from mereo.clevr_family.nodes import node_records
from mereo.clevr_family.records import world_from_record
from mereo.clevr_family.strewing import Strewing, strewn_scene
from mereo.errors import MereoError
from mereo.programs import (
    BOOLEAN,
    INTEGER,
    INTEGER_SET,
    OBJECT,
    OBJECT_SET,
    PART_SET,
    Function,
    IllTyped,
    Language,
    NothingReferred,
    NoValue,
    Program,
    ProgramFailure,
    SeveralReferred,
    Step,
    Type,
    UnknownFunction,
    UnknownInWorld,
    attribute_functions,
    compile_program,
    execute,
    execute_many,
    parse_program,
    set_functions,
    value_type,
)
from mereo.world import Attribute, Entity, Vocabulary, World, make_world
from strategies import well_typed_programs

OFTEN = 40
"""Runs after which a program's structure has become generated code."""

KITCHEN = Vocabulary.of(
    [Attribute("color", ("red", "green")), Attribute("use", ("cut", "eat", "sit"), multiple=True)], relations=["on"]
)


def kitchen_language() -> Language:
    types = {name: value_type(name.capitalize(), attribute.values) for name, attribute in KITCHEN.attributes.items()}
    functions = [
        row for name, attribute in KITCHEN.attributes.items() for row in attribute_functions(attribute, types[name])
    ]
    return Language.of("kitchen", KITCHEN, [*set_functions(value_type("Relation", ("on",))), *functions])


def kitchen() -> World:
    return make_world(
        [
            Entity("knife", attributes={"color": "red", "use": ("cut", "eat")}),
            Entity("fork", attributes={"use": ("eat",)}),
            Entity("cleaver", attributes={"color": "red", "use": ("cut", "eat")}),
            Entity("spork", attributes={"color": "green", "use": ("eat", "cut")}),
            Entity("blade", "part", {"color": "red", "use": "cut"}, part_of="knife"),
            Entity("table"),
        ],
        KITCHEN,
        related={"on": [0b1, 0b10011, 0, 0, 0, 0b11111]},
    )


def fresh() -> Language:
    """CLEVR's language with nothing compiled yet."""
    return LANGUAGE.extended("clevr again", ())


def outcome(call: Callable[[], Any]) -> Any:
    """The values, or the failure by name and place."""
    try:
        return call().values
    except ProgramFailure as failure:
        return type(failure), failure.step, str(failure)


# What is checked before running


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "count(unique(scene()))",
            "program, step 2 (count): input 1 must be ObjectSet, but unique gives Object",
        ),
        (
            "relate[left](scene())",
            "program, step 1 (relate[left]): input 1 must be Object, but scene gives ObjectSet",
        ),
        (
            "less_than(count(scene()), exist(scene()))",
            "program, step 4 (less_than): input 2 must be Integer, but exist gives Boolean",
        ),
        (
            "equal_color(query_color(unique(scene())), query_shape(unique(scene())))",
            "program, step 6 (equal_color): input 2 must be Color, but query_shape gives Shape",
        ),
        ("union(scene())", "program, step 1 (union): expected 2 inputs (ObjectSet, ObjectSet), got 1"),
        ("scene(scene())", "program, step 1 (scene): expected 0 inputs (none), got 1"),
        ("filter_color(scene())", "program, step 1 (filter_color): expected 1 values (Color), got 0"),
        ("count[3](scene())", "program, step 1 (count[3]): expected 0 values (none), got 1"),
        (
            "filter_color[rad](scene())",
            "program, step 1 (filter_color[rad]): 'rad' is not a Color (did you mean 'red'?)",
        ),
        (
            "filter_size[3](scene())",
            "program, step 1 (filter_size[3]): 3 is not a Size (there is: large, small)",
        ),
    ],
)
def test_an_ill_typed_program_names_the_step_and_what_was_expected(text: str, sentence: str) -> None:
    with pytest.raises(IllTyped) as caught:
        compile_program(text, LANGUAGE)
    assert str(caught.value) == sentence
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, MereoError)


def test_an_unknown_function_names_the_nearest() -> None:
    with pytest.raises(UnknownFunction) as caught:
        compile_program("coun(filter_colour[red](scene()))", LANGUAGE)
    assert str(caught.value) == (
        "program, step 1: clevr has no function 'filter_colour' (did you mean 'filter_color'?)"
    )


def test_literals_are_checked_again_for_a_structure_that_is_known() -> None:
    language = fresh()
    compile_program("filter_color[red](scene())", language)
    with pytest.raises(IllTyped, match="'sphere' is not a Color"):
        compile_program("filter_color[sphere](scene())", language)


@given(well_typed_programs(LANGUAGE), st.data())
def test_exchanging_any_input_for_one_of_another_type_is_found(program: Program, data: st.DataObject) -> None:
    types = compile_program(program, LANGUAGE).types
    places = [
        (position, number, other)
        for position, step in enumerate(program.steps)
        for number, i in enumerate(step.inputs)
        for other in range(position)
        if types[other] != types[i]
    ]
    if not places:
        return
    position, number, other = data.draw(st.sampled_from(places))
    step = program.steps[position]
    wrong = step._replace(inputs=(*step.inputs[:number], other, *step.inputs[number + 1 :]))
    with pytest.raises(IllTyped) as caught:
        compile_program(Program((*program.steps[:position], wrong, *program.steps[position + 1 :])), LANGUAGE)
    assert caught.value.step == position
    assert str(types[step.inputs[number]]) in str(caught.value)


# What a run gives


def test_the_trace_holds_every_step_as_entity_ids_or_plain_values() -> None:
    trace = execute(
        "exist(filter_color[red](relate[on](unique(filter_use[sit](scene())))))", sitting(), kitchen_language()
    )
    shown = [(step.step.function, step.type.name, step.value, step.referred) for step in trace.steps()]
    assert shown == [
        ("scene", "ObjectSet", ["stool", "book"], [0, 1]),
        ("filter_use", "ObjectSet", ["stool"], [0]),
        ("unique", "Object", "stool", [0]),
        ("relate", "ObjectSet", ["book"], [1]),
        ("filter_color", "ObjectSet", [], []),
        ("exist", "Boolean", False, []),
    ]
    assert trace.answer is False
    assert trace.referred() == [[0, 1], [0], [0], [1], [], []]


def sitting() -> World:
    things = [Entity("stool", attributes={"use": "sit"}), Entity("book", attributes={"color": "green"})]
    return make_world(things, KITCHEN, related={"on": [0b10, 0]})


def test_parts_are_no_objects_of_the_scene() -> None:
    trace = execute("filter_color[red](scene())", kitchen(), kitchen_language())
    assert trace.answer == ["knife", "cleaver"]
    assert execute("relate[on](unique(filter_use[sit](scene())))", sitting(), kitchen_language()).answer == ["book"]


def test_attributes_of_several_values() -> None:
    language, world = kitchen_language(), kitchen()
    assert execute("filter_use[cut](scene())", world, language).answer == ["knife", "cleaver", "spork"]
    # all of them, in order: the spork eats first
    same = "same_use(unique(filter_color[green](scene())))"
    assert execute(same, world, language).answer == []
    among = kitchen_without(world, "cleaver")
    assert execute("query_use(unique(filter_use[sit](scene())))", sitting(), language).answer == "sit"
    with pytest.raises(NoValue, match=r"^program, step 3 \(query_use\): the entity has no single use$"):
        execute("query_use(unique(filter_color[red](scene())))", among, language)


def kitchen_without(world: World, entity_id: str) -> World:
    return make_world([entity for entity in world.entities if entity.id != entity_id], KITCHEN)


def test_the_same_values_in_the_same_order_are_the_same() -> None:
    uses = {"a": ("cut", "eat"), "b": ("cut", "eat"), "c": ("eat", "cut"), "d": ("cut",)}
    others = [Entity(name, attributes={"use": use}) for name, use in uses.items()]
    world = make_world([Entity("it", attributes={"use": ("cut", "eat"), "color": "red"}), *others], KITCHEN)
    assert execute("same_use(unique(filter_color[red](scene())))", world, kitchen_language()).answer == ["a", "b"]


def test_one_value_that_stands_twice_is_one_value() -> None:
    twice = make_world([Entity("a", attributes={"use": ("cut", "cut")})], KITCHEN)
    assert execute("query_use(unique(scene()))", twice, kitchen_language()).answer == "cut"


def test_things_without_a_value_share_none() -> None:
    language = kitchen_language()
    empty = make_world(
        [Entity("a", attributes={"color": "red", "use": ()}), Entity("b", attributes={"use": ()})], KITCHEN
    )
    assert execute("same_use(unique(filter_color[red](scene())))", empty, language).answer == []
    with pytest.raises(NoValue):
        execute("query_use(unique(filter_color[red](scene())))", empty, language)
    bare = make_world([Entity("a", attributes={"use": "sit"}), Entity("b"), Entity("c")], KITCHEN)
    assert execute("same_color(unique(filter_use[sit](scene())))", bare, language).answer == []


# Open vocabularies, and answers that are lists

LIBRARY = Vocabulary.of([Attribute("title", None), Attribute("topic", None, multiple=True)])


def library_language() -> Language:
    title, topic = LIBRARY.attributes.values()
    rows = [
        *set_functions(value_type("Relation", ())),
        *attribute_functions(title, value_type("Title", title.values)),
        *attribute_functions(topic, value_type("Topic", topic.values), several=Type("Topics", "values")),
    ]
    return Language.of("library", LIBRARY, rows)


def test_any_word_may_be_asked_for_and_be_an_answer() -> None:
    language = library_language()
    books = make_world(
        [
            Entity("a", attributes={"title": "Tea, Hot", "topic": ("tea", "China")}),
            Entity("b", attributes={"title": "Emma"}),
            Entity("c", attributes={"topic": ("tea", "China")}),
        ],
        LIBRARY,
    )
    for _ in range(OFTEN):
        assert execute("filter_topic[coffee](scene())", books, language).answer == []
        first = 'unique(filter_title["Tea, Hot"](scene()))'
        assert execute(f"query_title({first})", books, language).answer == "Tea, Hot"
        assert execute(f"query_topic({first})", books, language).answer == ["tea", "China"]
        assert execute(f"same_topic({first})", books, language).answer == ["c"]
        equal = f"equal_topic(query_topic({first}), query_topic(unique(same_topic({first}))))"
        assert execute(equal, books, language).answer is True
        with pytest.raises(NoValue, match="the entity has no single topic"):
            execute("query_topic(unique(filter_title[Emma](scene())))", books, language)
    assert language.function("query_topic").signature == "query_topic(Object) -> Topics"
    with pytest.raises(IllTyped, match=r"3 is not a Title$"):
        compile_program("filter_title[3](scene())", language)


def test_an_attribute_may_be_called_anything() -> None:
    names = ("place1", "world", "v0", "literals", "world_having", "{0}", "it's")
    vocabulary = Vocabulary.of([Attribute(name, ("yes", "no")) for name in names])
    rows = [
        row for a in vocabulary.attributes.values() for row in attribute_functions(a, value_type("Answer", a.values))
    ]
    language = Language.of("odd", vocabulary, [*set_functions(value_type("Relation", ())), *rows])
    odd = make_world([Entity("a", attributes=dict.fromkeys(names, "yes")), Entity("b")], vocabulary)
    for name in names:
        program = Program(
            (Step("scene"), Step(f"filter_{name}", (0,), ("yes",)), Step("unique", (1,)), Step(f"query_{name}", (2,)))
        )
        executable = compile_program(program, language)
        assert {executable(odd).answer for _ in range(OFTEN)} == {"yes"}


# How a program fails


@pytest.mark.parametrize(
    ("text", "kind", "sentence"),
    [
        (
            "count(relate[on](unique(filter_use[sit](scene()))))",
            NothingReferred,
            "program, step 2 (unique): expected exactly one, and nothing is referred to",
        ),
        (
            "query_color(unique(filter_use[cut](scene())))",
            SeveralReferred,
            "program, step 2 (unique): expected exactly one, and 3 are referred to",
        ),
        (
            "query_color(unique(relate[on](unique(relate[on](unique(filter_color[green](scene())))))))",
            NothingReferred,
            "program, step 4 (unique): expected exactly one, and nothing is referred to",
        ),
    ],
)
def test_a_failure_is_named_and_located_from_the_first_run_to_the_last(
    text: str, kind: type[ProgramFailure], sentence: str
) -> None:
    executable = compile_program(text, kitchen_language())
    for _ in range(OFTEN):
        with pytest.raises(kind) as caught:
            executable(kitchen())
        assert str(caught.value) == sentence
        assert isinstance(executable.attempt(kitchen()), kind)


SHORT = Vocabulary.of([Attribute("color", ("red",)), Attribute("use", ("cut",), multiple=True)])
"""What kitchen languages speak of and these worlds do not know: a color, a use, and all relations."""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "filter_color[green](scene())",
            "program, step 1 (filter_color[green]): this world knows no color 'green' (there is: red)",
        ),
        (
            "count(relate[on](unique(filter_color[red](scene()))))",
            "program, step 3 (relate[on]): this world knows no relation 'on' (there is none)",
        ),
        ("weigh(scene())", "program, step 1 (weigh): this world knows no fact 'Weights' (there is none)"),
        ("heat(scene())", "program, step 1 (heat): this world knows no attribute 'heat' (there is: color, use)"),
    ],
)
def test_a_world_of_another_vocabulary_is_a_failure_by_name(text: str, sentence: str) -> None:
    language = kitchen_language().extended(
        "more",
        [
            Function("weigh", (OBJECT_SET,), (), INTEGER, _weigh, "how heavy they are"),
            Function("heat", (OBJECT_SET,), (), OBJECT_SET, _hot, "the hot ones"),
        ],
    )
    short = make_world([Entity("knife", attributes={"color": "red"})], SHORT)
    executable = compile_program(text, language)
    for _ in range(OFTEN):
        with pytest.raises(UnknownInWorld) as caught:
            executable(short)
        assert str(caught.value) == sentence
        (batched,) = execute_many([(executable, short)])
        for failure in (executable.attempt(short), batched):
            assert isinstance(failure, UnknownInWorld)
            assert str(failure) == sentence.partition("): ")[2]


class Weights:
    grams: tuple[int, ...] = ()

    def kept(self, places: Sequence[int]) -> Weights:
        return self


def _weigh(world: World, objects: int) -> int:
    return len(world.fact(Weights).grams)


def _hot(world: World, objects: int) -> int:
    return objects & world.having["heat"]["hot"]


PRICES: dict[str, int] = {}


def _price(world: World, objects: int) -> int:
    return PRICES["bread"]  # a single return, which is written out in place


def _dear(world: World, objects: int) -> int:
    price = PRICES["bread"]
    return objects if price > 1 else 0


def _next(world: World, objects: int) -> int:
    return world.parts[len(world)]


def _sum(world: World, objects: Any) -> int:
    return objects + "one"  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("call", "kind"), [(_price, KeyError), (_dear, KeyError), (_next, IndexError), (_sum, TypeError)]
)
def test_a_defect_of_a_function_surfaces_as_itself(call: Callable[..., int], kind: type[Exception]) -> None:
    row = Function("slip", (OBJECT_SET,), (), INTEGER, call, "nothing good")
    executable = compile_program("slip(scene())", kitchen_language().extended("broken", [row]))
    runs: list[Callable[[World], Any]] = [executable, executable.attempt, lambda one: execute_many([(executable, one)])]
    for run in runs * OFTEN:
        with pytest.raises(kind) as caught:
            run(kitchen())
        assert not isinstance(caught.value, MereoError)


def test_a_missing_value_is_a_failure_of_its_own() -> None:
    lonely = make_world([Entity("fork", attributes={"use": "eat"})], KITCHEN)
    with pytest.raises(NoValue) as caught:
        execute("query_color(unique(scene()))", lonely, kitchen_language())
    assert str(caught.value) == "program, step 2 (query_color): the entity has no single color"
    assert caught.value.name == "no single value"


# However it is run


def few_objects(index: int) -> dict[str, Any]:
    """A scene in which a description often fits just one object."""
    return strewn_scene(generator(5, "few", index), strewing=Strewing(fewest=1, most=1 + index % 3))


def naive_outcome(program: Program, record: dict[str, Any]) -> Any:
    """The outputs, or the failure by name and place, of the naive executor."""
    nodes = [{"type": step.function, "inputs": step.inputs, "value_inputs": step.values} for step in program.steps]
    try:
        return naive.run(nodes, record)
    except naive.Undefined as failure:
        return SeveralReferred if failure.reason == "several" else NothingReferred, failure.step


@settings(max_examples=100)
@given(well_typed_programs(LANGUAGE), st.integers(0, 30))
def test_interpreted_and_generated_code_agree_with_each_other_and_with_the_naive_executor(
    program: Program, index: int
) -> None:
    record = few_objects(index)
    its_world = world_from_record(record, VOCABULARY)
    once = outcome(lambda: compile_program(program, fresh())(its_world))
    language = fresh()
    for _ in range(OFTEN):
        last = outcome(lambda: compile_program(program, language)(its_world))
        assert last == once
    assert [type(value) for value in last] == [type(value) for value in once]
    trace = compile_program(program, language).attempt(its_world)
    if isinstance(trace, ProgramFailure):
        assert naive_outcome(program, record) == once[:2]
    else:
        assert naive_outcome(program, record) == [node["_output"] for node in node_records(trace)]


def test_the_programs_of_generated_questions_give_the_same_from_the_first_run_to_the_last() -> None:
    language = fresh()
    for one in questions("our", 60):
        first = compile_program(one.question.program, fresh())(one.world).values
        assert first == one.question.trace.values
        executable = compile_program(one.question.program, language)
        assert {executable(one.world).values for _ in range(OFTEN)} == {first}


@settings(max_examples=60)
@given(well_typed_programs(kitchen_language()))
def test_both_kinds_of_code_agree_where_values_are_several_or_missing(program: Program) -> None:
    language = kitchen_language()
    executable = compile_program(program, language)
    outcomes = [outcome(lambda: executable(kitchen())) for _ in range(OFTEN)]
    assert all(one == outcomes[0] for one in outcomes)


def test_generated_code_is_shared_by_programs_that_differ_in_literals_only() -> None:
    language = fresh()
    colors = VOCABULARY.words("color")
    worlds = [world(index) for index in range(20)]
    for color in colors * 3:
        executable = compile_program(f"count(filter_color[{color}](scene()))", language)
        for one in worlds:
            assert executable(one).answer == one.having["color"][color].bit_count()


@settings(max_examples=25)
@given(st.lists(st.tuples(well_typed_programs(LANGUAGE, depth=4), st.integers(0, 9)), min_size=1, max_size=8))
def test_many_runs_at_once_give_what_single_runs_give(runs: list[tuple[Program, int]]) -> None:
    language = fresh()
    prepared = [(compile_program(program, language), world(index)) for program, index in runs]
    results = execute_many(prepared * OFTEN)
    assert len(results) == len(prepared) * OFTEN
    for result, (executable, its_world) in zip(results, prepared * OFTEN, strict=True):
        alone = executable.attempt(its_world)
        if isinstance(result, ProgramFailure):
            assert isinstance(alone, ProgramFailure)
            assert (type(result), result.name) == (type(alone), alone.name)
        else:
            assert not isinstance(alone, ProgramFailure)
            assert result == alone.values


# What a language is


def _larger(world: World, objects: int) -> tuple[int, ...]:
    sizes = [position for position in range(objects.bit_length()) if objects >> position & 1]
    return tuple(size * 10 for size in sizes)


def _parts(world: World, referent: int) -> int:
    return world.parts[referent]


def _at_least(world: World, objects: int, least: int) -> bool:
    if least < 0:
        raise NoValue("fewer than none cannot be asked for")
    return objects.bit_count() >= least


def test_a_new_function_is_one_row_and_everything_else_follows() -> None:
    language = kitchen_language().extended(
        "workshop",
        [
            Function("parts", (OBJECT,), (), PART_SET, _parts, "the parts of an object"),
            Function("tens", (OBJECT_SET,), (), INTEGER_SET, _larger, "ten times each index"),
            Function("at_least", (OBJECT_SET,), (INTEGER,), BOOLEAN, _at_least, "whether there are so many"),
        ],
    )
    world = kitchen_without(kitchen(), "cleaver")
    assert language.functions["at_least"].signature == "at_least[Integer](ObjectSet) -> Boolean"
    for _ in range(OFTEN):
        assert execute("parts(unique(filter_color[red](scene())))", world, language).answer == ["blade"]
        assert execute("tens(filter_use[cut](scene()))", world, language).answer == [0, 20]
        assert execute("at_least[3](scene())", world, language).answer is True
        assert execute("at_least[5](scene())", world, language).answer is False
        with pytest.raises(NoValue, match=r"^program, step 1 \(at_least\[-1\]\): fewer than none"):
            execute("at_least[-1](scene())", world, language)
    with pytest.raises(IllTyped, match=r"step 3 \(count\): input 1 must be ObjectSet, but parts gives PartSet"):
        compile_program("count(parts(unique(scene())))", language)
    with pytest.raises(IllTyped, match="'three' is not a Integer"):
        compile_program("at_least[three](scene())", language)
    with pytest.raises(UnknownFunction, match="kitchen has no function 'parts'"):
        compile_program("parts(unique(scene()))", kitchen_language())


def test_two_functions_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="has two functions named scene"):
        LANGUAGE.extended("twice", [LANGUAGE.functions["scene"]])


@pytest.mark.parametrize(
    ("type", "admitted", "refused"),
    [
        (INTEGER, [0, -3, 10**20], [True, "3", 3.0, None]),
        (BOOLEAN, [True, False], [0, "yes", None]),
        (value_type("Color", ("red",)), ["red"], ["blue", "re", 3, None, ["red"], {}]),
        (value_type("Word"), ["red", ""], [3, None, ["red"]]),
        (Type("Anything", "any"), ["red", 3, None, [1, 2]], []),
        (Type("Words", "values"), [], ["red", ["red"]]),
        (OBJECT_SET, [], [1, "a", None]),
    ],
)
def test_a_type_admits_its_literals_only(type: Type, admitted: list[Any], refused: list[Any]) -> None:
    assert all(type.admits(value) for value in admitted)
    assert not any(type.admits(value) for value in refused)


def test_clevr_has_the_functions_of_the_official_generator() -> None:
    """With their types, from the description of the official language."""
    attributes = {"size", "color", "material", "shape"}
    official = {"scene", "unique", "relate", "union", "intersect", "count", "exist"}
    official |= {"equal_integer", "less_than", "greater_than", "equal_object"}
    official |= {f"{verb}_{attribute}" for verb in ("filter", "query", "same", "equal") for attribute in attributes}
    assert set(LANGUAGE.functions) == official
    signatures = {function.signature for function in LANGUAGE.functions.values()}
    assert "relate[Relation](Object) -> ObjectSet" in signatures
    assert "filter_color[Color](ObjectSet) -> ObjectSet" in signatures
    assert "equal_object(Object, Object) -> Boolean" in signatures
    assert "same_shape(Object) -> ObjectSet" in signatures


def test_a_program_may_be_given_as_text_or_as_steps() -> None:
    text = "count(filter_color[red](scene()))"
    assert execute(text, world(3), LANGUAGE).values == execute(parse_program(text), world(3), LANGUAGE).values
