"""And-Or templates: what parts a category may have, how many, and how finely they are told apart.

A template is one TOML file. `[all]` lists And-nodes with the usual number of each subpart, `[one]` Or-nodes with their
subtypes, everything else is a leaf. `labels` are the part semantics after PartNet's merging, with the segmentation sets
that each belongs to, and `[merge]` says which raw paths become which. `[counts]` bounds how many parts of a label
one parent may have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from mereo.errors import BadInput, UnknownName
from mereo.files import converted, decode_toml, read_bytes
from mereo.shapes.part import Part, Shape

__all__ = [
    "AndOrTemplate",
    "Label",
    "all_templates",
    "criticise",
    "decode_template",
    "misfits",
    "read_template",
    "template_of",
]

_FOLDER = Path(__file__).with_name("templates")
Kind = Literal["all", "one", "leaf"]


class Label(NamedTuple):
    """One part semantics."""

    number: int
    path: str
    kind: Kind
    levels: frozenset[int]
    """The segmentation levels it is a label of: 1 coarse, 2 middle, 3 fine."""
    hierarchical: bool
    """Whether hierarchical segmentation tells it apart."""


@dataclass(frozen=True)
class AndOrTemplate:
    """The part hierarchy of one category."""

    category: str
    partnet: str
    """What PartNet calls the category; empty where it has none."""
    root: str
    everything: Mapping[str, Mapping[str, int | str]]
    """And-nodes: each subpart's usual number, or "any"."""
    alternatives: Mapping[str, tuple[str, ...]]
    """Or-nodes: the subtypes, the usual one first."""
    labels: Mapping[str, Label]
    renamed: Mapping[str, str]
    """Raw paths that merging changes, with the path they become, or nothing."""
    counts: Mapping[str, tuple[int, int]]
    """The least and the most parts of a label under one parent."""

    def merged(self, path: str) -> str | None:
        """What a raw path becomes, or None if merging drops it."""
        return self.renamed.get(path, path if path in self.labels else "") or None

    def level(self, level: int) -> list[Label]:
        """The labels that segmentation at a level tells apart; empty where PartNet has no such level."""
        return [label for label in self.labels.values() if level in label.levels]

    def hierarchical(self) -> list[Label]:
        """The labels of hierarchical segmentation."""
        return [label for label in self.labels.values() if label.hierarchical]

    def names(self) -> set[str]:
        """Every concept that the template defines or uses."""
        used = {name for parts in self.everything.values() for name in parts}
        used |= {name for types in self.alternatives.values() for name in types}
        return {self.root, *self.everything, *self.alternatives, *used}

    def below(self, name: str) -> tuple[str, ...]:
        """The subparts or subtypes of a concept; none for a leaf."""
        return tuple(self.everything.get(name, self.alternatives.get(name, ())))


@cache
def all_templates() -> dict[str, AndOrTemplate]:
    """Every template by category."""
    return {path.stem: read_template(path) for path in sorted(_FOLDER.glob("*.toml"))}


def template_of(category: str) -> AndOrTemplate:
    """The template of a category."""
    known = all_templates()
    if category not in known:
        raise UnknownName("category", category, known)
    return known[category]


class _File(msgspec.Struct, forbid_unknown_fields=True):
    """A template as its file has it."""

    root: str
    partnet: str = ""
    labels: list[str] = []
    all: dict[str, dict[str, int | str]] = {}
    one: dict[str, tuple[str, ...]] = {}
    merge: dict[str, str] = {}
    counts: dict[str, tuple[int, int]] = {}


def read_template(path: Path) -> AndOrTemplate:
    """A template from its file; the category is called as the file is."""
    return decode_template(read_bytes(path), file=path, category=path.stem)


def decode_template(data: bytes, *, file: object, category: str) -> AndOrTemplate:
    """A template from what its file holds."""
    content = converted(decode_toml(data, file=file), file=file, type=_File)
    labels: dict[str, Label] = {}
    for line in content.labels:
        match line.split():
            case [number, label, ("all" | "one" | "leaf") as kind, *sets] if number.isdecimal() and len(sets) < 2:
                levels = frozenset(int(mark) for mark in "".join(sets) if mark.isdecimal())
                labels[label] = Label(int(number), label, kind, levels, "h" in "".join(sets))
            case _:
                reason = "a label is a number, a path, one of all, one, leaf, and its sets if there are any"
                raise BadInput(reason, file=file, record=line, field="labels")
    return AndOrTemplate(
        category=category,
        partnet=content.partnet,
        root=content.root,
        everything=content.all,
        alternatives=content.one,
        labels=labels,
        renamed=content.merge,
        counts=content.counts,
    )


def criticise(template: AndOrTemplate) -> list[str]:
    """What is wrong with a template by the criteria of PartNet's experts, as far as a program can tell.

    Well-defined: no concept is both And and Or. Complete: everything named can be reached from the root, and the parent
    of every label is a label. Compact: nothing is defined that is never used, and no Or-node has a single subtype.
    Hierarchical: no concept contains itself. Atomic: leaves have nothing below them. Consistent: labels end in concepts
    of the template, so that a leg is called leg wherever it stands.
    """
    faults = [f"{name} is both an And- and an Or-node" for name in template.everything if name in template.alternatives]
    reached = set(_reachable(template))
    faults += [f"{name} is never used" for name in sorted(template.names() - reached)]
    faults += [f"{name} has a single subtype" for name, types in template.alternatives.items() if len(types) < 2]
    faults += [f"{name} contains itself" for name in sorted(reached) if _contains(template, name, name)]
    for path, label in template.labels.items():
        parent = path.rpartition("/")[0]
        children = [other for other in template.labels if other.rpartition("/")[0] == path]
        if parent and parent not in template.labels:
            faults.append(f"the label {path} has no parent")
        if label.kind == "leaf" and children:
            faults.append(f"the leaf {path} has parts")
        if label.kind != "leaf" and not children:
            faults.append(f"the label {path} is no leaf and has no parts")
    faults += [f"counts bound {path}, which is no label" for path in template.counts if path not in template.labels]
    return faults


def _reachable(template: AndOrTemplate) -> Iterator[str]:
    seen: set[str] = set()
    waiting = [template.root]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            yield name
            waiting += template.below(name)


def _contains(template: AndOrTemplate, above: str, name: str) -> bool:
    seen: set[str] = set()
    waiting = list(template.below(above))
    while waiting:
        below = waiting.pop()
        if below == name:
            return True
        if below not in seen:
            seen.add(below)
            waiting += template.below(below)
    return False


def misfits(shape: Shape, template: AndOrTemplate) -> list[str]:
    """Where a shape does not follow its template: unknown labels, wrong kinds of node, counts out of range."""
    faults = []
    for part in shape.parts():
        label = template.labels.get(part.label)
        if label is None:
            faults.append(f"part {part.id} has the label {part.label}, which {template.category} does not have")
            continue
        if (part.mesh is not None) != (label.kind == "leaf"):
            faults.append(f"part {part.id} ({part.label}) should{'' if label.kind == 'leaf' else ' not'} have a mesh")
        faults += _miscounts(part, template)
        kinds = {child.name for child in part.children}
        if label.kind == "one" and len(kinds) != 1:
            faults.append(f"part {part.id} ({part.label}) must be one of its subtypes, not {sorted(kinds) or 'none'}")
    return faults


def _miscounts(part: Part, template: AndOrTemplate) -> Iterator[str]:
    for path, (low, high) in template.counts.items():
        above, _, name = path.rpartition("/")
        if above != part.label:
            continue
        number = sum(child.name == name for child in part.children)
        if not low <= number <= high:
            yield f"part {part.id} ({part.label}) has {number} of {name}, not {low} to {high}"
