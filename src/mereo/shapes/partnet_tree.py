"""PartNet's annotation trees: read, merged into the final part semantics, and taken apart again.

An annotator's raw tree (`result.json`) has more kinds of parts than the published one (`result_after_merging.json`).
Merging renames nodes by their path and drops those without a counterpart, whose subparts move up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import NamedTuple

import msgspec

from mereo.errors import BadInput
from mereo.files import read_json, write_bytes
from mereo.shapes.template import AndOrTemplate

__all__ = ["PartInstance", "TreeNode", "merge", "read_tree", "tree_instances", "write_tree"]

_DEEPEST = 64


class TreeNode(msgspec.Struct, frozen=True, omit_defaults=True):
    """One node as it stands in the file."""

    id: int
    name: str
    text: str = ""
    children: tuple[TreeNode, ...] = ()
    objs: tuple[str, ...] = ()
    """The meshes it consists of: of leaves only in the raw tree, of every node in the merged one."""
    ori_id: int | None = None
    """In the merged tree: the raw node that it was made of."""

    def walk(self) -> Iterator[TreeNode]:
        """This node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def paths(self, above: str = "") -> Iterator[tuple[str, TreeNode]]:
        """Every node with the names from the root down to it."""
        path = f"{above}/{self.name}" if above else self.name
        yield path, self
        for child in self.children:
            yield from child.paths(path)

    def leaves(self) -> Iterator[TreeNode]:
        """The nodes without children."""
        return (node for node in self.walk() if not node.children)

    def all_objs(self) -> tuple[str, ...]:
        """The meshes of all leaves below."""
        return tuple(name for leaf in self.leaves() for name in leaf.objs)


class PartInstance(NamedTuple):
    """A part as a set of raw leaves, from which its points follow."""

    path: str
    leaves: tuple[int, ...]


def read_tree(path: Path) -> TreeNode:
    """The root of a tree file."""
    try:
        roots = read_json(path, type=list[TreeNode])
    except RecursionError:
        raise BadInput("is nested too deeply", file=path) from None
    if len(roots) != 1:
        raise BadInput(f"holds {len(roots)} trees, not one", file=path)
    seen: set[int] = set()
    waiting = [(roots[0], 0)]
    while waiting:
        node, depth = waiting.pop()
        record = f"node {node.id}"
        if depth > _DEEPEST:
            raise BadInput("is nested too deeply", file=path, record=record)
        if node.id in seen:
            raise BadInput("is there twice", file=path, record=record, field="id")
        if not node.name or "/" in node.name:
            raise BadInput(f"'{node.name}' is no name of a part", file=path, record=record, field="name")
        if not node.children and not node.objs:
            raise BadInput("has neither children nor meshes", file=path, record=record, field="objs")
        seen.add(node.id)
        waiting += [(child, depth + 1) for child in node.children]
    return roots[0]


def write_tree(root: TreeNode, path: Path) -> None:
    """Write a tree file."""
    write_bytes(path, msgspec.json.encode([root]))


@dataclass
class _Draft:
    """A merged node whose place among the others is not settled yet."""

    path: str
    raw: TreeNode | None
    children: list[_Draft] = field(default_factory=list)


def merge(raw: TreeNode, template: AndOrTemplate | None) -> TreeNode:
    """The merged tree of a raw one; without a template nothing changes but the numbers.

    A node whose merged parent has no raw counterpart (the base of a desk) gets one, without an `ori_id`.
    """
    top = _Draft("", None)

    def visit(node: TreeNode, path: str, above: _Draft) -> None:
        merged = template.merged(path) if template else path
        here = above
        if merged:
            here = _Draft(merged, node)
            _parent_of(here, above).children.append(here)
        for child in node.children:
            visit(child, f"{path}/{child.name}", here)

    visit(raw, raw.name, top)
    if len(top.children) != 1:
        name = template.category if template else raw.name
        raise BadInput(f"'{raw.name}' is not the root of a {name}", record=f"node {raw.id}", field="name")
    numbers = count()
    return _settled(top.children[0], numbers)


def _parent_of(new: _Draft, above: _Draft) -> _Draft:
    """The node to hang a merged one below, making those between that the raw tree does not have."""
    wanted = new.path.rpartition("/")[0]
    if not above.path or not wanted.startswith(f"{above.path}/"):
        return above
    for name in wanted.removeprefix(f"{above.path}/").split("/"):
        path = f"{above.path}/{name}"
        made = next((child for child in above.children if child.path == path and child.raw is None), None)
        if made is None:
            made = _Draft(path, None)
            above.children.append(made)
        above = made
    return above


def _settled(draft: _Draft, numbers: Iterator[int]) -> TreeNode:
    number, name = next(numbers), draft.path.rpartition("/")[2]
    children = tuple(_settled(child, numbers) for child in draft.children)
    objs = draft.raw.all_objs() if draft.raw else tuple(name for child in children for name in child.objs)
    return TreeNode(number, name, name, children, objs, draft.raw.id if draft.raw else None)


def tree_instances(raw: TreeNode, merged: TreeNode) -> list[PartInstance]:
    """All parts of the merged tree as sets of raw leaves: the `ins_seg` records of PartNet's instance files."""
    leaves = {node.id: tuple(leaf.id for leaf in node.leaves()) for node in raw.walk()}

    def below(node: TreeNode) -> tuple[int, ...]:
        if node.ori_id is None:
            return tuple(leaf for child in node.children for leaf in below(child))
        if node.ori_id not in leaves:
            raise BadInput(f"points to raw node {node.ori_id}, which is not there", record=f"node {node.id}")
        return leaves[node.ori_id]

    return [PartInstance(path, below(node)) for path, node in merged.paths()]
