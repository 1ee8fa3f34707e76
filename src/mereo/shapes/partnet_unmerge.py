"""The way back from merged part semantics to raw ones, so that PartNet's own scripts can read our shapes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from mereo.shapes.partnet_tree import TreeNode
from mereo.shapes.template import AndOrTemplate

__all__ = ["unmerge"]


@dataclass(frozen=True)
class _Raw:
    """A raw node in the making, and the merged one that it stands for."""

    name: str
    source: TreeNode | None
    children: tuple[_Raw, ...] = ()


def unmerge(merged: TreeNode, template: AndOrTemplate | None) -> tuple[TreeNode, dict[int, int]]:
    """A raw tree that merges into the given one, and the raw node of each merged node.

    merged : has meshes at the parts that own them; one that owns meshes and has children too gets a raw leaf for them
    Parts that no raw ones merge into, together with the others, keep their names.
    """
    searches = [_Search(template), _Search(template, lenient=True)] if template else []
    found = (search.children((merged,), "") for search in searches)
    top = next((nodes[0] for nodes in found if nodes), None) or _as_it_is(merged)
    numbers = count()
    places: dict[int, int] = {}
    return _settled(top, numbers, places), places


class _Search:
    """Raw paths for a merged tree. Several may merge into one label, so what fits all parts below is tried for."""

    def __init__(self, template: AndOrTemplate, *, lenient: bool = False):
        self.template, self.lenient = template, lenient
        self.raw_of: dict[str, list[str]] = {}
        for path in (*template.labels, *template.renamed):
            label = template.merged(path)
            if label and path not in self.raw_of.setdefault(label, []):
                self.raw_of[label].append(path)

    def children(self, nodes: tuple[TreeNode, ...], above: str, label: str = "") -> tuple[_Raw, ...] | None:
        """Raw nodes for the children of a node, below its raw path; nothing if there are none that fit.

        label : the merged path of the parent
        """
        labels = [f"{label}/{node.name}" if label else node.name for node in nodes]
        for middle in self._middles(nodes, labels, above):
            start = "/".join(filter(None, (above, middle)))
            made: list[_Raw] = []
            for node, own in zip(nodes, labels, strict=True):
                below = self._one(node, own, start)
                if below is None:
                    break
                made += below
            else:
                for name in reversed(middle.split("/") if middle else []):
                    made = [_Raw(name, None, tuple(made))]
                return tuple(made)
        return None

    def _one(self, node: TreeNode, label: str, start: str) -> tuple[_Raw, ...] | None:
        for path in self.raw_of.get(label, []):
            if path.rpartition("/")[0] == start:
                below = self.children(node.children, path, label)
                if below is not None:
                    return (_Raw(path.rpartition("/")[2], node, below),)
        # What has no raw counterpart is made anew by merging when its parts are.
        made = self.children(node.children, start, label) if node.children and start and not self.lenient else None
        return (_as_it_is(node),) if made is None and self.lenient else made

    def _middles(self, nodes: tuple[TreeNode, ...], labels: list[str], above: str) -> list[str]:
        """What raw nodes that merging drops may stand between a parent and its children, the likeliest first."""
        prefix = f"{above}/" if above else ""
        found = {"": 0}
        for path in (path for label in labels for path in self.raw_of.get(label, []) if path.startswith(prefix)):
            names = path.removeprefix(prefix).split("/")[:-1]
            between = [prefix + "/".join(names[: k + 1]) for k in range(len(names))]
            if not any(map(self.template.merged, between)):
                found["/".join(names)] = self._unusual(nodes, names[-1]) if names else 0
        return sorted(found, key=lambda middle: (bool(middle), found[middle], middle))

    def _unusual(self, nodes: tuple[TreeNode, ...], name: str) -> int:
        """By how much the numbers of parts differ from what is usual below a concept."""
        usual = self.template.everything.get(name, {})
        names = [node.name for node in nodes]
        expected = {part: number for part, number in usual.items() if isinstance(number, int)}
        return sum(abs(number - names.count(part)) for part, number in expected.items())


def _as_it_is(node: TreeNode) -> _Raw:
    return _Raw(node.name, node, tuple(map(_as_it_is, node.children)))


def _settled(raw: _Raw, numbers: Iterator[int], places: dict[int, int]) -> TreeNode:
    number = next(numbers)
    objs = raw.source.objs if raw.source else ()
    if raw.source:
        places[raw.source.id] = number
    children = tuple(_settled(child, numbers, places) for child in raw.children)
    if children and objs:
        children += (TreeNode(next(numbers), "other", "other", objs=objs),)
        objs = ()
    return TreeNode(number, raw.name, raw.name, children, objs)
