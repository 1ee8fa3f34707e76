"""Worlds and programs that hypothesis makes up."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from mereo.programs import Language, Program, Step
from mereo.programs.types import Type
from mereo.world import Attribute, Entity, Vocabulary, World, bits_of, make_world

__all__ = ["names", "numbers", "programs", "values", "well_typed_programs", "worlds"]

names = st.text(min_size=1, max_size=6)
numbers = st.one_of(
    st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False), st.just(0.1), st.just(-0.0)
)


@st.composite
def worlds(draw: st.DrawFn, *, largest: int = 6) -> World:
    """Any world: open and closed vocabularies, one and several values, objects and parts, relations, numbers."""
    vocabularies = st.none() | st.lists(names, min_size=1, max_size=4, unique=True).map(tuple)
    attributes = [
        Attribute(name, draw(vocabularies), draw(st.booleans()))
        for name in draw(st.lists(names, max_size=3, unique=True))
    ]
    vocabulary = Vocabulary.of(attributes, relations=draw(st.lists(names, max_size=2, unique=True)))
    # "along" is the keyword by which world files tell computed relations from stored ones.
    ids = draw(st.lists(names.filter(lambda name: name != "along"), max_size=largest, unique=True))
    order = draw(st.permutations(range(len(ids))))
    entities = [_entity(draw, ids, order, position, attributes) for position in range(len(ids))]
    indices = st.lists(st.integers(0, max(len(ids) - 1, 0)), max_size=len(ids))
    related = {name: [bits_of(draw(indices)) for _ in ids] for name in vocabulary.relations}
    return make_world(entities, vocabulary, related=related)


def _entity(draw: st.DrawFn, ids: list[str], order: list[int], position: int, attributes: list[Attribute]) -> Entity:
    wholes = [ids[other] for other in range(len(ids)) if order[other] < order[position]]
    given: dict[str, str | tuple[str, ...]] = {}
    for attribute in attributes:
        one = names if attribute.values is None else st.sampled_from(attribute.values)
        several = st.lists(one, max_size=3).map(tuple)
        value = draw(st.one_of(st.none(), one, several) if attribute.multiple else st.one_of(st.none(), one))
        if value is not None:
            given[attribute.name] = value
    return Entity(
        id=ids[position],
        kind=draw(st.sampled_from(["object", "object", "part", "kind of its own"])),
        attributes=given,
        part_of=draw(st.one_of(st.none(), st.sampled_from(wholes))) if wholes else None,
        numbers=draw(st.dictionaries(names, st.one_of(numbers, st.lists(numbers, max_size=3).map(tuple)), max_size=2)),
    )


json_values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-(10**30), 10**30), st.floats(allow_nan=False), st.text(max_size=8)
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=5,
)
words = st.from_regex(r"[a-z]{1,8}( [a-z]{1,8})?", fullmatch=True)
values = st.one_of(words, json_values, st.text(alphabet="ab ,;[](){}<>\"'\\$0-9ä\n", max_size=6))
"""Literals: plain words, and everything that a JSON value may be."""

function_names = st.from_regex(r"[A-Za-z_][\w\-]{0,8}", fullmatch=True)


@st.composite
def programs(draw: st.DrawFn, *, most: int = 8) -> Program:
    """Any program, well typed or not, in which every step is needed: canonical, shared steps included."""
    steps = []
    for position in range(draw(st.integers(1, most))):
        inputs = draw(st.lists(st.integers(0, position - 1), max_size=3)) if position else []
        steps.append(Step(draw(function_names), tuple(inputs), tuple(draw(st.lists(values, max_size=2)))))
    return Program(tuple(steps)).canonical()


@st.composite
def well_typed_programs(draw: st.DrawFn, language: Language, *, depth: int = 5) -> Program:
    """A program of a language that passes its type check, made from the answer down."""
    steps: list[Step] = []
    makers: dict[Type, list[str]] = {}
    for function in language.functions.values():
        makers.setdefault(function.output, []).append(function.name)

    def make(type: Type, left: int) -> int:
        candidates = [language.functions[name] for name in makers[type]]
        shallow = [function for function in candidates if not function.inputs]
        cheap = [function for function in candidates if len(function.inputs) <= 1]
        function = draw(
            st.sampled_from(candidates if left > 2 else (cheap or candidates) if left > 0 else shallow or cheap)
        )
        inputs = tuple(make(needed, left - 1) for needed in function.inputs)
        literals = tuple(draw(literal(needed)) for needed in function.values)
        steps.append(Step(function.name, inputs, literals))
        return len(steps) - 1

    make(draw(st.sampled_from(sorted(makers, key=str))), depth)
    return Program(tuple(steps))


def literal(type: Type) -> st.SearchStrategy[Any]:
    """A literal that a type admits."""
    if type.values is not None:
        return st.sampled_from(type.values)
    return {"integer": st.integers(0, 10), "boolean": st.booleans()}.get(type.form, st.text(max_size=4))
