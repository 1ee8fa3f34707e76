"""Our programs in the official language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

from mereo.benchmarks.ptr.official.geometry import SURFACES
from mereo.benchmarks.ptr.translation.tree import Tree, Unsaid, program_of, tree_of
from mereo.programs import Program

__all__ = ["to_official"]

_Saying = Callable[[Tree], Tree]

_SAME_NAMES = {
    "scene": "scene",
    "unique": "unique",
    "relate_object": "relate",
    "count_object": "count",
    "exist_object": "exist",
    "same_object_category": "same_object-category",
    "query_object_category": "query_object-category",
    "query_is_possible_change": "query_change",
    "query_possible_change": "query_direction",
    "equal_object_category": "equal_object-category",
    "equal_part_color": "equal_part-color",
    "equal_part_category": "equal_part-category",
    "equal_integer": "equal_integer",
    "less_than": "less_than",
    "greater_than": "greater_than",
    "sum": "sum",
    "minus": "minus_more",
    "surface": "surface",
}
_STABLE = {
    "filter_stability": {"stable": "filter_stability", "unstable": "filter_unstability"},
    "query_is_stability": {"stable": "query_stability", "unstable": "query_unstability"},
}


def to_official(program: Program, paint: Mapping[str, list[int]]) -> Program:
    """A program of ours in the official language. paint : the red, green and blue of each color"""
    return program_of(_official(tree_of(program), paint))


def _official(tree: Tree, paint: Mapping[str, list[int]]) -> Tree:
    def said(branch: Tree) -> Tree:
        return _official(branch, paint)

    function, values, inputs = tree
    inner = inputs[0] if inputs else Tree("")
    if function == "filter_object_category":
        return Tree("filter_object-category", (str(values[0]).capitalize(),), (said(inner),))
    if function in _STABLE:
        return Tree(_STABLE[function][values[0]], (), (said(inner),))
    if function in ("count_object", "exist_object") and inner.function == "query_object_analogy":
        return _analogous(function.partition("_")[0], inner, said)
    if function == "query_object_category" and inner.inputs and inner.inputs[0].function == "query_object_analogy":
        return _analogous("category", inner.inputs[0], said)
    if function == "surface" and values[0] not in SURFACES:
        return _unsaid(tree)
    if function in _SAME_NAMES:
        return Tree(_SAME_NAMES[function], values, tuple(map(said, inputs)))
    if function == "filter_part_exist":
        return _having(inner, None, said)
    if function == "filter_part_count":
        return _having(inner.inputs[0], values[0], said)
    if function == "same_part_count" and inner.function == "filter_part_category":
        return Tree("same_part-count", inner.values, (said(_owner(inner.inputs[0])),))
    if function == "as_geometry" and inner.function == "filter_part_color":
        color = inner.values[0]
        return Tree("query_part-geometry", (color, paint[color]), (said(_owner(inner.inputs[0])),))
    if function in ("query_part_color", "query_part_category", "exist_part", "total"):
        return _of_parts(function, inner.inputs[0] if function == "total" else inner, said)
    return _unsaid(tree)


def _unsaid(tree: Tree) -> NoReturn:
    raise Unsaid(f"the official language has nothing for this {tree.function}")


def _owner(parts: Tree) -> Tree:
    """The object whose own parts these are."""
    return parts.inputs[0] if parts.function == "own_parts" else _unsaid(parts)


def _analogous(what: str, analogy: Tree, said: _Saying) -> Tree:
    one, other, third = map(said, analogy.inputs)
    return Tree(f"query_positional-analogy-{what}", (), (Tree("query_positional-relation", (), (one, other)), third))


def _having(parts: Tree, number: int | None, said: _Saying) -> Tree:
    """Objects by a part: that it is there, its number, its color, or that it is of the color of another's."""
    color = None
    if parts.function == "filter_part_color":
        color, parts = parts.values[0], parts.inputs[0]
    if parts.function != "filter_part_category":
        return _unsaid(parts)
    part, within = parts.values[0], parts.inputs[0]
    if within.function == "same_part_color" and within.inputs[0].values == (part,) and color is number is None:
        return Tree("same_part-color", (part,), (said(_owner(within.inputs[0].inputs[0])),))
    if within.function != "expand_parts":
        return _unsaid(within)
    found = said(within.inputs[0])
    if number is not None:
        found = Tree("filter_part-count", (part, number), (found,))
    elif color is None:
        return Tree("filter_part-category", (part,), (found,))
    return found if color is None else Tree("filter_color", (part, color), (found,))


def _of_parts(function: str, parts: Tree, said: _Saying) -> Tree:
    """Color, category, number or existence of an object's own parts, or of those that lie in some way to others."""
    if parts.function == "filter_part_category" and function in ("query_part_color", "total"):
        name = {"query_part_color": "query_part-color", "total": "query_part-count"}[function]
        return Tree(name, parts.values, (said(_owner(parts.inputs[0])),))
    if parts.function == "filter_part_color" and function == "query_part_category":
        return Tree("query_part-category", parts.values, (said(_owner(parts.inputs[0])),))
    if parts.function != "intersect_parts" or function == "query_part_category":
        return _unsaid(parts)
    related, own = parts.inputs
    if related.function == "query_part_analogy" and function in ("query_part_color", "total"):
        one, other, third = map(said, related.inputs)
        what = {"query_part_color": "color", "total": "count"}[function]
        relation = Tree("query_geometric-relation", (), (one, other))
        return Tree(f"query_geometric-analogy-{what}", (), (relation, third, said(_owner(own))))
    if related.function == "relate_part" and own.function == "filter_part_geometry":
        kind, how = own.values[0], related.values[0].partition(" ")[2]
        verb = {"query_part_color": "query", "total": "count", "exist_part": "exist"}[function]
        ending = "_color" if verb == "query" else ""
        return Tree(f"{verb}_{how}_{kind}{ending}", (), (said(_owner(own.inputs[0])), said(related.inputs[0])))
    return _unsaid(parts)
