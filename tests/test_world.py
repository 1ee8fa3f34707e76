"""A world answers what its entities say, by look-up: its tables agree with the entities one by one."""

from __future__ import annotations

import pickle
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mereo.errors import BadInput
from mereo.world import (
    LARGEST,
    Attribute,
    Entity,
    UnknownToWorld,
    Vocabulary,
    World,
    bits_of,
    make_world,
    members,
)
from strategies import worlds

VOCABULARY = Vocabulary.of(
    [Attribute("color", ("red", "green")), Attribute("use", ("cut", "eat", "sit"), multiple=True)],
    relations=["left", "on"],
)


def small_world() -> World:
    return make_world(
        [
            Entity("knife", attributes={"color": "red", "use": ("eat", "cut")}),
            Entity("blade", "part", {"use": "cut"}, part_of="knife"),
            Entity("edge", "part", part_of="blade"),
            Entity("stool", attributes={"color": "green", "use": ("sit",)}),
        ],
        VOCABULARY,
        related={"on": [0, 0, 0, 0b0001]},
    )


@given(st.sets(st.integers(0, 5000)))
def test_a_set_of_entities_is_an_integer_and_back(indices: set[int]) -> None:
    bits = bits_of(indices)
    assert members(bits) == sorted(indices)
    assert bits.bit_count() == len(indices)


@given(worlds())
def test_every_table_says_what_the_entities_say(world: World) -> None:
    entities = world.entities
    assert len(world) == len(entities)
    assert members(world.objects) == [i for i, entity in enumerate(entities) if entity.kind == "object"]
    for kind, bits in world.kinds.items():
        assert members(bits) == [i for i, entity in enumerate(entities) if entity.kind == kind]
    for name, attribute in world.vocabulary.attributes.items():
        occurring = {word for entity in entities for word in several(entity, name)}
        assert set(world.having[name]) == (occurring if attribute.values is None else set(attribute.values))
        for value, bits in world.having[name].items():
            assert members(bits) == [i for i, entity in enumerate(entities) if value in several(entity, name)]
        for entity, value in zip(entities, world.value[name], strict=True):
            own = tuple(dict.fromkeys(several(entity, name)))
            assert value == ((own or None) if attribute.multiple else entity.attributes.get(name))
    for i, entity in enumerate(entities):
        assert world.index(entity.id) == i
        assert members(world.parts[i]) == [j for j, other in enumerate(entities) if other.part_of == entity.id]
        assert world.whole[i] == (None if entity.part_of is None else world.index(entity.part_of))


def several(entity: Entity, attribute: str) -> tuple[str, ...]:
    value = entity.attributes.get(attribute, ())
    return value if isinstance(value, tuple) else (value,)


def test_an_attribute_of_several_values_keeps_their_order_and_a_missing_one_is_none() -> None:
    world = small_world()
    assert world.value["use"] == (("eat", "cut"), ("cut",), None, ("sit",))
    assert members(world.having["use"]["cut"]) == [0, 1]
    assert world.value["color"] == ("red", None, None, "green")


def test_parts_are_linked_both_ways_level_by_level() -> None:
    world = small_world()
    assert (world.whole, [members(parts) for parts in world.parts]) == ((None, 0, 1, None), [[1], [2], [], []])
    assert members(world.objects) == [0, 3]


def test_a_relation_that_is_not_given_holds_for_none() -> None:
    world = small_world()
    assert world.related == {"on": (0, 0, 0, 1), "left": (0, 0, 0, 0)}


def test_a_world_of_nothing_has_all_its_tables() -> None:
    world = make_world([], VOCABULARY)
    assert (world.objects, len(world)) == (0, 0)
    assert world.having["color"] == {"red": 0, "green": 0}
    assert world.related == {"left": (), "on": ()}


def test_the_largest_world_stands_and_one_more_is_refused() -> None:
    entities = [Entity(str(i), attributes={"color": "red"}) for i in range(LARGEST + 1)]
    assert make_world(entities[:-1], VOCABULARY).having["color"]["red"].bit_count() == LARGEST
    with pytest.raises(BadInput, match=r"^field 'entities': 4,097 entities are too many"):
        make_world(entities, VOCABULARY)


@pytest.mark.parametrize(
    ("entities", "related", "sentence"),
    [
        (
            [Entity("a", attributes={"color": "rad"})],
            {},
            "entity 0 ('a'), field 'color': 'rad' is not a color (did you mean 'red'?)",
        ),
        (
            [Entity("a", attributes={"colour": "red"})],
            {},
            "entity 0 ('a'): there is no attribute 'colour' (did you mean 'color'?)",
        ),
        (
            [Entity("a", attributes={"color": ("red", "green")})],
            {},
            "entity 0 ('a'), field 'color': takes a single value, not several",
        ),
        (
            [Entity("a"), Entity("b"), Entity("a")],
            {},
            "entity 2 ('a'), field 'id': the id is already that of entity 0",
        ),
        (
            [Entity("a", part_of="house")],
            {},
            "entity 0 ('a'), field 'part_of': there is no entity 'house' (there is: a)",
        ),
        ([Entity("a", part_of="a")], {}, "entity 0 ('a'), field 'part_of': the entity is a part of itself"),
        (
            [Entity("a"), Entity("b", part_of="c"), Entity("c", part_of="d"), Entity("d", part_of="b")],
            {},
            "entity 1 ('b'), field 'part_of': the entity is a part of itself",
        ),
        ([Entity("a")], {"under": [0]}, "field 'relations': there is no relation 'under' (there is: left, on)"),
        ([Entity("a")], {"on": [0, 0]}, "field 'relations': relation 'on' has 2 rows for 1 entities"),
        ([Entity("a")], {"on": [0b10]}, "field 'relations': relation 'on' names an entity that is not there"),
    ],
)
def test_what_does_not_exist_is_named_where_it_stands(
    entities: list[Entity], related: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadInput) as caught:
        make_world(entities, VOCABULARY, related=related)
    assert str(caught.value) == sentence


def test_an_unknown_id_names_the_nearest() -> None:
    with pytest.raises(BadInput, match="there is no entity 'knive' \\(did you mean 'knife'\\?\\)"):
        small_world().index("knive")


# What is not known


@pytest.mark.parametrize(
    ("look", "sentence"),
    [
        (lambda world: world.having["colour"], "no attribute 'colour' (did you mean 'color'?)"),
        (lambda world: world.having["color"]["rad"], "no color 'rad' (did you mean 'red'?)"),
        (lambda world: world.having["color"][None], "no color 'None' (there is: green, red)"),
        (lambda world: world.value["weight"], "no attribute 'weight' (there is: color, use)"),
        (lambda world: world.related["under"], "no relation 'under' (there is: left, on)"),
        (lambda world: world.kinds["group"], "no kind 'group' (there is: object, part)"),
    ],
)
def test_looking_up_what_is_not_known_names_it(look: Callable[[World], Any], sentence: str) -> None:
    with pytest.raises(UnknownToWorld) as caught:
        look(small_world())
    assert str(caught.value) == f"this world knows {sentence}"
    assert not isinstance(caught.value, KeyError)


def test_a_table_reads_as_a_whole_whatever_was_looked_up_before() -> None:
    world = small_world()
    assert world.value["use"][3] == ("sit",)
    assert list(world.value) == ["color", "use"]
    assert ("use" in world.having, "weight" in world.having, len(world.having)) == (True, False, 2)
    assert world.value.get("color") == ("red", None, None, "green")
    assert world.value.get("weight", ()) == ()
    assert dict(world.having) == {"color": {"red": 1, "green": 8}, "use": {"cut": 3, "eat": 1, "sit": 8}}
    assert repr(world.having["color"]) == "{'red': 1, 'green': 8}"
    assert world.having == small_world().having != make_world([], VOCABULARY).having


def test_relations_come_in_the_order_in_which_they_are_given_then_in_that_of_the_vocabulary() -> None:
    assert list(small_world().related) == ["on", "left"]


def test_a_world_can_be_sent_to_another_process() -> None:
    world = small_world()
    again = pickle.loads(pickle.dumps(world))
    assert (again.having, again.value, again.related) == (world.having, world.value, world.related)


# Open vocabularies, and large ones

NAMED = Vocabulary.of([Attribute("name", None), Attribute("like", None, multiple=True)])


def test_an_open_vocabulary_takes_any_word_and_no_other_word_occurs() -> None:
    things = [
        Entity("a", attributes={"name": "tea pot", "like": ("old", "round")}),
        Entity("b", attributes={"like": "old"}),
    ]
    world = make_world(things, NAMED)
    assert world.having["name"] == {"tea pot": 0b01}
    assert (world.having["name"]["samovar"], world.having["like"]["old"]) == (0, 0b11)
    assert "samovar" not in world.having["name"]
    assert (world.value["name"], world.value["like"]) == (("tea pot", None), (("old", "round"), ("old",)))
    assert NAMED.attributes["name"].admits("anything")


def test_what_is_no_word_is_refused_by_an_open_vocabulary_too() -> None:
    with pytest.raises(BadInput, match=r"^entity 0 \('a'\), field 'name': '7' is not a name$"):
        make_world([Entity("a", attributes={"name": 7})], NAMED)  # type: ignore[dict-item]
    with pytest.raises(BadInput, match="takes a single value, not several"):
        make_world([Entity("a", attributes={"name": ("x", "y")})], NAMED)
    with pytest.raises(ValueError, match="any word may be a name, so there is no list of them"):
        NAMED.words("name")
    assert VOCABULARY.words("color") == ("red", "green")


def test_the_values_of_an_entity_count_once_and_none_at_all_is_a_missing_value() -> None:
    world = make_world(
        [Entity("a", attributes={"use": ("cut", "cut")}), Entity("b", attributes={"use": ()})], VOCABULARY
    )
    assert world.value["use"] == (("cut",), None)


def test_a_world_costs_what_occurs_in_it_and_not_what_could() -> None:
    """Complete tables of this vocabulary would take 300 MB."""
    words = tuple(f"word{k}" for k in range(2000))
    attributes = [Attribute(f"attribute{k}", words) for k in range(2000)]
    vocabulary = Vocabulary.of(attributes, relations=[f"relation{k}" for k in range(300)])
    things = [Entity(str(k), attributes={f"attribute{k}": f"word{k}"}) for k in range(40)]
    related = {f"relation{k}": [1] * 40 for k in range(5)}
    make_world(things, vocabulary, related=related)  # what the vocabulary works out about itself is worked out once
    tracemalloc.start()
    world = make_world(things, vocabulary, related=related)
    assert world.having["attribute7"]["word7"] == 1 << 7
    assert world.having["attribute900"]["word7"] == 0
    assert world.value["attribute900"] == (None,) * 40
    assert (world.related["relation4"], world.related["relation299"]) == ((1,) * 40, (0,) * 40)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1_000_000


# Facts


@dataclass(frozen=True)
class Weights:
    grams: tuple[int, ...]

    def kept(self, places: Sequence[int]) -> Weights:
        return Weights(tuple(self.grams[k] for k in places))


@dataclass(frozen=True)
class Weather:
    word: str

    def kept(self, places: Sequence[int]) -> Weather:
        return self


def test_a_fact_is_found_by_its_type() -> None:
    world = make_world([Entity("a")], VOCABULARY, facts=[Weights((70,)), Weather("rain")])
    assert world.fact(Weights).grams == (70,)
    assert world.fact(Weather).word == "rain"
    with pytest.raises(UnknownToWorld, match=r"^this world knows no fact 'Weather' \(there is: Weights\)$"):
        make_world([], VOCABULARY, facts=[Weights(())]).fact(Weather)
    with pytest.raises(ValueError, match="one Weather, not two"):
        make_world([], VOCABULARY, facts=[Weather("rain"), Weather("sun")])
