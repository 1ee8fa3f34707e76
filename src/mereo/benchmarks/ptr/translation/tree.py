"""Programs as trees, which is how they are translated."""

from __future__ import annotations

from typing import Any, NamedTuple

from mereo.errors import MereoError
from mereo.programs import Program, Step

__all__ = ["Tree", "Unsaid", "program_of", "tree_of"]


class Unsaid(MereoError):
    """A program that the other language cannot say."""


class Tree(NamedTuple):
    """A program as it is written: a function, its literals, and what it is applied to."""

    function: str
    values: tuple[Any, ...] = ()
    inputs: tuple[Tree, ...] = ()


def tree_of(program: Program) -> Tree:
    """A program as it is written."""
    trees: list[Tree] = []
    for step in program.steps:
        trees.append(Tree(step.function, step.values, tuple(trees[i] for i in step.inputs)))
    return trees[-1]


def program_of(tree: Tree) -> Program:
    """The steps of a tree, equal subtrees once."""
    steps: list[Step] = []
    known: dict[str, int] = {}

    def place(tree: Tree) -> int:
        inputs = tuple(place(branch) for branch in tree.inputs)
        step = Step(tree.function, inputs, tree.values)
        if repr(step) not in known:
            steps.append(step)
            known[repr(step)] = len(steps) - 1
        return known[repr(step)]

    place(tree)
    return Program(tuple(steps))
