"""Official programs in our language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mereo.benchmarks.ptr.translation.tree import Tree, Unsaid, program_of
from mereo.programs import Program, Step

__all__ = ["to_ours"]

_HOW = ("parallel", "perpendicular")
_PAIR = "pair"
"""What stands for a relation until it is asked for: the two that it is between."""
_Rule = Callable[[list[Tree], tuple[Any, ...]], Tree]


def to_ours(program: Program, kinds: Mapping[int, str]) -> Program:
    """An official program in our language.

    kinds : for every step that gives a part's geometry whether that is a line or a plane, which official programs leave
        to the scene
    """
    trees: list[Tree] = []
    for number, step in enumerate(program.steps):
        inputs = [trees[i] for i in step.inputs]
        if step.function in _OURS:
            trees.append(_OURS[step.function](inputs, step.values))
        elif step.function.split("_")[1:2] in [[how] for how in _HOW]:
            trees.append(_lying(step.function, inputs, kinds.get(step.inputs[1])))
        elif step.function in _HOW:
            trees.append(_pair_lies(step.function, inputs[0], program.steps[step.inputs[0]], kinds))
        else:
            raise Unsaid(f"our language has nothing for {step.function} (step {number})")
    if trees[-1].function == _PAIR:
        raise Unsaid("a relation is no answer in our language")
    return program_of(trees[-1])


def _own(thing: Tree) -> Tree:
    return Tree("own_parts", (), (thing,))


def _named(part: Any, parts: Tree) -> Tree:
    return Tree("filter_part_category", (part,), (parts,))


def _colored(color: Any, parts: Tree) -> Tree:
    return Tree("filter_part_color", (color,), (parts,))


def _counted(parts: Tree) -> Tree:
    return Tree("count_part", (), (parts,))


def _expanded(things: Tree) -> Tree:
    return Tree("expand_parts", (), (things,))


def _with(parts: Tree) -> Tree:
    return Tree("filter_part_exist", (), (parts,))


def _renamed(name: str) -> _Rule:
    return lambda inputs, values: Tree(name, values, tuple(inputs))


def _lower(name: str) -> _Rule:
    return lambda inputs, values: Tree(name, tuple(str(value).lower() for value in values), tuple(inputs))


def _fixed(name: str, *values: Any) -> _Rule:
    return lambda inputs, _: Tree(name, values, tuple(inputs))


_OURS: dict[str, _Rule] = {
    "scene": _renamed("scene"),
    "unique": _renamed("unique"),
    "relate": _renamed("relate_object"),
    "count": _renamed("count_object"),
    "exist": _renamed("exist_object"),
    "filter_object-category": _lower("filter_object_category"),
    "filter_part-category": lambda inputs, values: _with(_named(values[0], _expanded(inputs[0]))),
    "filter_part-count": lambda inputs, values: Tree(
        "filter_part_count", (values[1],), (_counted(_named(values[0], _expanded(inputs[0]))),)
    ),
    "filter_color": lambda inputs, values: _with(_colored(values[1], _named(values[0], _expanded(inputs[0])))),
    "filter_stability": _fixed("filter_stability", "stable"),
    "filter_unstability": _fixed("filter_stability", "unstable"),
    "same_object-category": _renamed("same_object_category"),
    "same_part-color": lambda inputs, values: _with(
        _named(values[0], Tree("same_part_color", (), (_named(values[0], _own(inputs[0])),)))
    ),
    "same_part-count": lambda inputs, values: Tree("same_part_count", (), (_named(values[0], _own(inputs[0])),)),
    "query_object-category": _renamed("query_object_category"),
    "query_part-color": lambda inputs, values: Tree("query_part_color", (), (_named(values[0], _own(inputs[0])),)),
    "query_part-count": lambda inputs, values: Tree("total", (), (_counted(_named(values[0], _own(inputs[0]))),)),
    "query_part-category": lambda inputs, values: Tree(
        "query_part_category", (), (_colored(values[0], _own(inputs[0])),)
    ),
    "query_part-geometry": lambda inputs, values: Tree("as_geometry", (), (_colored(values[0], _own(inputs[0])),)),
    "surface": _renamed("surface"),
    "query_stability": _fixed("query_is_stability", "stable"),
    "query_unstability": _fixed("query_is_stability", "unstable"),
    "query_change": _renamed("query_is_possible_change"),
    "query_direction": _renamed("query_possible_change"),
    "equal_object-category": _renamed("equal_object_category"),
    "equal_part-color": _renamed("equal_part_color"),
    "equal_part-category": _renamed("equal_part_category"),
    "equal_part-count": _renamed("equal_integer"),
    "equal_integer": _renamed("equal_integer"),
    "less_than": _renamed("less_than"),
    "greater_than": _renamed("greater_than"),
    "sum": _renamed("sum"),
    "minus_more": _renamed("minus"),
    "minus_less": lambda inputs, _: Tree("minus", (), (inputs[1], inputs[0])),
    "query_positional-relation": _renamed(_PAIR),
    "query_geometric-relation": _renamed(_PAIR),
    "query_positional-analogy-category": lambda inputs, _: Tree(
        "query_object_category", (), (Tree("unique", (), (_object_analogy(inputs),)),)
    ),
    "query_positional-analogy-count": lambda inputs, _: Tree("count_object", (), (_object_analogy(inputs),)),
    "query_positional-analogy-exist": lambda inputs, _: Tree("exist_object", (), (_object_analogy(inputs),)),
    "query_geometric-analogy-color": lambda inputs, _: Tree("query_part_color", (), (_part_analogy(inputs),)),
    "query_geometric-analogy-count": lambda inputs, _: Tree("total", (), (_counted(_part_analogy(inputs)),)),
}


def _object_analogy(inputs: list[Tree]) -> Tree:
    pair, third = inputs
    return Tree("query_object_analogy", (), (*pair.inputs, third))


def _part_analogy(inputs: list[Tree]) -> Tree:
    pair, third, thing = inputs
    analogy = Tree("query_part_analogy", (), (*pair.inputs, third))
    return Tree("intersect_parts", (), (analogy, _own(thing)))


def _lying(function: str, inputs: list[Tree], kind: str | None) -> Tree:
    """`count_parallel_line` and its kin: parts of an object that lie so to a part of another."""
    verb, how, own = function.removesuffix("_color").split("_")
    thing, referent = inputs
    if kind is None:
        raise Unsaid(f"whether the referent of {function} is a line or a plane is not known")
    related = Tree("relate_part", (f"{own}-{kind} {how}",), (referent,))
    parts = Tree("intersect_parts", (), (related, Tree("filter_part_geometry", (own,), (_own(thing),))))
    if verb == "count":
        return Tree("total", (), (_counted(parts),))
    return Tree("exist_part" if verb == "exist" else "query_part_color", (), (parts,))


def _pair_lies(how: str, pair: Tree, step: Step, kinds: Mapping[int, str]) -> Tree:
    """Whether the first two parts are parallel: whether the second is among what is parallel to the first."""
    one, other = (kinds.get(i) for i in step.inputs)
    if one is None or other is None:
        raise Unsaid("whether the two parts are lines or planes is not known")
    related = Tree("relate_part", (f"{other}-{one} {how}",), (pair.inputs[0],))
    return Tree("exist_part", (), (Tree("intersect_parts", (), (related, pair.inputs[1])),))
