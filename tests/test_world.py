"""A world answers what its entities say, by look-up: its tables agree with the entities one by one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mereo.errors import BadInput
from mereo.world import LARGEST, Attribute, Entity, Vocabulary, World, bits_of, make_world, members
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
