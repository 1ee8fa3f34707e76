"""The tree of parts that a category may have, by path: what the annotators of a project can say.

It is the tree of a template's labels, which are PartNet's part semantics after merging, so that whatever is annotated
has a label of its own in every format. A template without labels has those that follow from its And- and Or-nodes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from mereo.errors import BadInput
from mereo.shapes.template import AndOrTemplate, Kind, Label

__all__ = ["Node", "Tree", "check_name", "tree_of", "unrolled"]

_NAME = re.compile(r"[^\W\d_][\w '\-]{0,63}")
_LARGEST = 10_000
"""No tree has more nodes than this: concepts that are used in many places multiply."""


class Node(NamedTuple):
    """One kind of part at one place of the tree."""

    path: str
    kind: Kind
    below: tuple[str, ...]
    """The names of the kinds of parts that it has, or of which it is one."""
    fewest: int
    """How many of them one parent has, at least as a rule."""
    most: int | None
    """And at most as a rule; None where nothing is known."""
    usual: int
    """How many it usually has."""

    @property
    def name(self) -> str:
        """The last name of its path."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True)
class Tree:
    """All kinds of parts of one category."""

    template: AndOrTemplate
    nodes: Mapping[str, Node]
    """By path, parents first."""

    @property
    def root(self) -> str:
        """The name of the whole."""
        return self.template.root

    def __getitem__(self, path: str) -> Node:
        return self.nodes[path]

    def get(self, path: str) -> Node | None:
        """What stands at a path, if anything does."""
        return self.nodes.get(path)


def check_name(name: str) -> str:
    """The name of a part, if it is one."""
    if not _NAME.fullmatch(name):
        raise BadInput("a name is letters, digits, spaces, _, - and ', 64 at most, a letter first", field="name")
    return name


def tree_of(template: AndOrTemplate) -> Tree:
    """The tree of a template's labels."""
    below: dict[str, list[str]] = {path: [] for path in template.labels}
    for path in template.labels:
        above, _, name = path.rpartition("/")
        if above:
            below[above].append(name)
    nodes = {path: _node(template, label, tuple(below[path])) for path, label in template.labels.items()}
    return Tree(template, nodes)


def _node(template: AndOrTemplate, label: Label, below: tuple[str, ...]) -> Node:
    above, _, name = label.path.rpartition("/")
    usual = template.everything.get(above.rpartition("/")[2], {}).get(name, 1)
    fewest, most = template.counts.get(label.path, (0, None))
    number = usual if isinstance(usual, int) else fewest
    return Node(label.path, label.kind, below, fewest, most, number)


def unrolled(template: AndOrTemplate) -> dict[str, Label]:
    """Every path from the root through And- and Or-nodes as a label. No concept may contain itself."""
    labels: dict[str, Label] = {}
    for number, (path, kind) in enumerate(_paths(template, template.root, template.root), start=1):
        if number > _LARGEST:
            raise BadInput(f"has more than {_LARGEST} parts when it is unrolled", record=path)
        labels[path] = Label(number, path, kind, frozenset({3}) if kind == "leaf" else frozenset(), True)
    return labels


def _paths(template: AndOrTemplate, name: str, path: str) -> Iterator[tuple[str, Kind]]:
    yield path, "all" if name in template.everything else "one" if name in template.alternatives else "leaf"
    for below in template.below(name):
        yield from _paths(template, below, f"{path}/{below}")
