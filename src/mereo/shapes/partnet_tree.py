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

__all__ = ["PartInstance", "TreeNode", "completed", "merge", "read_tree", "tree_instances", "write_tree"]

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
    node: TreeNode | None
    """The node that it stands for; none where it has to be made."""
    children: list[_Draft] = field(default_factory=list)

    def walk(self) -> Iterator[_Draft]:
        yield self
        for child in self.children:
            yield from child.walk()


def merge(raw: TreeNode, template: AndOrTemplate | None) -> TreeNode:
    """The merged tree of a raw one, as PartNet makes it; without a template nothing changes but the numbers.

    A node hangs below the nearest one above it that is not dropped, whether its new path says so or not: the drawers of
    a desk lie below the table itself, although their label has a `table_base` in between. `completed` puts that in.
    """
    top = _Draft("", None)

    def visit(node: TreeNode, path: str, above: _Draft) -> None:
        merged = template.merged(path) if template else path
        here = above
        if merged:
            here = _Draft(merged, TreeNode(node.id, merged.rpartition("/")[2], objs=node.all_objs(), ori_id=node.id))
            above.children.append(here)
        for child in node.children:
            visit(child, f"{path}/{child.name}", here)

    visit(raw, raw.name, top)
    if len(top.children) != 1:
        name = template.category if template else raw.name
        raise BadInput(f"'{raw.name}' is not the root of a {name}", record=f"node {raw.id}", field="name")
    return _settled(top.children[0], count())


def completed(merged: TreeNode, raw: TreeNode, template: AndOrTemplate | None) -> TreeNode:
    """A merged tree whose every path is a label: with the nodes that PartNet leaves out, which have no `ori_id`.

    Nodes are numbered anew where any was left out.
    """
    paths = {node.id: path for path, node in raw.paths()}
    top = _Draft("", None)

    def visit(node: TreeNode, above: _Draft) -> None:
        path = f"{above.path}/{node.name}" if above.path else node.name
        label = template.merged(paths.get(node.ori_id, "")) if template and node.ori_id is not None else None
        here = _Draft(label if label and label.rpartition("/")[2] == node.name else path, node)
        _parent_of(here, above).children.append(here)
        for child in node.children:
            visit(child, here)

    visit(merged, top)
    (root,) = top.children
    return merged if all(draft.node for draft in root.walk()) else _settled(root, count())


def _parent_of(new: _Draft, above: _Draft) -> _Draft:
    """The node to hang another below, making those between that its path has and the tree does not."""
    wanted = new.path.rpartition("/")[0]
    if not above.path or not wanted.startswith(f"{above.path}/"):
        return above
    for name in wanted.removeprefix(f"{above.path}/").split("/"):
        path = f"{above.path}/{name}"
        made = next((child for child in above.children if child.path == path and child.node is None), None)
        if made is None:
            made = _Draft(path, None)
            above.children.append(made)
        above = made
    return above


def _settled(draft: _Draft, numbers: Iterator[int]) -> TreeNode:
    number, name = next(numbers), draft.path.rpartition("/")[2]
    children = tuple(_settled(child, numbers) for child in draft.children)
    objs = draft.node.objs if draft.node else tuple(name for child in children for name in child.objs)
    return TreeNode(number, name, name, children, objs, draft.node.ori_id if draft.node else None)


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
