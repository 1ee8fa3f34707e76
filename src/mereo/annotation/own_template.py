"""The template of a project: one of ours by its category, or a file in the same format that the project brings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from mereo.annotation.tree import Tree, check_name, tree_of, unrolled
from mereo.errors import BadInput
from mereo.files import read_bytes
from mereo.shapes.template import AndOrTemplate, criticise, decode_template, template_of

__all__ = ["decode_tree", "own_tree", "tree_named"]


def tree_named(category: str) -> Tree:
    """The tree of one of our categories."""
    return tree_of(template_of(category))


def own_tree(path: Path) -> Tree:
    """The tree of a template that somebody wrote, whose category is what its root is called."""
    return decode_tree(read_bytes(path), file=path)


def decode_tree(data: bytes, *, file: object) -> Tree:
    """The same from what such a file holds. One without labels has every path through its nodes as a label."""
    template = decode_template(data, file=file, category="")
    template = replace(template, category=template.root)
    _refuse_names(template.names(), file)
    _refuse_faults(replace(template, labels={}, counts={}), file)  # what contains itself cannot be unrolled
    if not template.labels:
        try:
            template = replace(template, labels=unrolled(template))
        except BadInput as error:
            raise error.within(file=file) from None
    _refuse_faults(template, file)
    if next(iter(template.labels)) != template.root:
        raise BadInput(f"the first label is not the root '{template.root}'", file=file, field="labels")
    _refuse_names({name for label in template.labels for name in label.split("/")}, file)
    return tree_of(template)


def _refuse_names(names: Iterable[str], file: object) -> None:
    for name in sorted(names):
        try:
            check_name(name)
        except BadInput as error:
            raise error.within(file=file, record=f"part '{name[:80]}'") from None


def _refuse_faults(template: AndOrTemplate, file: object) -> None:
    faults = criticise(template)
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise BadInput(f"{faults[0]}{more}", file=file)
