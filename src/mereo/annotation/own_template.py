"""The template of a project: one of ours by its category, or a file in the same format that the project brings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from mereo.annotation.tree import Tree, check_name, tree_of, unrolled
from mereo.errors import BadInput
from mereo.shapes.template import AndOrTemplate, criticise, read_template, template_of

__all__ = ["own_tree", "tree_named"]


def tree_named(category: str) -> Tree:
    """The tree of one of our categories."""
    return tree_of(template_of(category))


def own_tree(path: Path) -> Tree:
    """The tree of a template that somebody wrote, whose category is what its root is called.

    One without labels has every path through its nodes as a label.
    """
    template = read_template(path)
    template = replace(template, category=template.root)
    _refuse_names(template.names(), path)
    _refuse_faults(replace(template, labels={}, counts={}), path)  # what contains itself cannot be unrolled
    if not template.labels:
        try:
            template = replace(template, labels=unrolled(template))
        except BadInput as error:
            raise error.within(file=path) from None
    _refuse_faults(template, path)
    if next(iter(template.labels)) != template.root:
        raise BadInput(f"the first label is not the root '{template.root}'", file=path, field="labels")
    _refuse_names({name for label in template.labels for name in label.split("/")}, path)
    return tree_of(template)


def _refuse_names(names: Iterable[str], path: Path) -> None:
    for name in sorted(names):
        try:
            check_name(name)
        except BadInput as error:
            raise error.within(file=path, record=f"part '{name[:80]}'") from None


def _refuse_faults(template: AndOrTemplate, path: Path) -> None:
    faults = criticise(template)
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise BadInput(f"{faults[0]}{more}", file=path)
