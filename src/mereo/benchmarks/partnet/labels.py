"""Which labels the segmentation of each category tells apart: a file that goes with every dataset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from mereo.benchmarks.partnet.names import LABELS_FILE, LEVELS
from mereo.datasets.store import Manifest, beside
from mereo.errors import BadInput, UnknownName
from mereo.files import read_json
from mereo.shapes.template import AndOrTemplate, all_templates

__all__ = ["CategoryLabels", "categories", "labels_content", "labels_of", "read_labels"]


class CategoryLabels(msgspec.Struct, frozen=True):
    """The labels of one category, each the path of names from the root."""

    levels: dict[int, list[str]]
    """By level those that it tells apart, in PartNet's order: the place of each, from 1, is its number."""
    nodes: list[str]
    """Those of hierarchical segmentation, the root among them."""
    parents: list[int]
    """The place of each node's parent among the nodes, -1 for the root."""

    def at(self, level: int) -> list[str]:
        """The labels of a level."""
        if level not in self.levels:
            raise UnknownName("level of segmentation", str(level), [str(known) for known in self.levels])
        return self.levels[level]

    def told(self, level: int | None) -> list[str]:
        """The labels that a task tells apart: those of a level, or the nodes of the hierarchy where it has none."""
        return self.nodes if level is None else self.at(level)


def categories() -> list[str]:
    """PartNet's categories, by our names."""
    return [name for name, template in all_templates().items() if template.partnet]


def labels_of(template: AndOrTemplate) -> CategoryLabels:
    """The labels of a category as its template has them."""
    found = {level: [label.path for label in template.level(level)] for level in LEVELS.values()}
    nodes = [label.path for label in template.hierarchical()]
    return CategoryLabels({level: names for level, names in found.items() if names}, nodes, _parents(nodes))


def _parents(nodes: list[str]) -> list[int]:
    """The nearest node above each: templates leave some of those between out."""
    places = {path: place for place, path in enumerate(nodes)}
    found = []
    for path in nodes:
        above = path.rpartition("/")[0]
        while above and above not in places:
            above = above.rpartition("/")[0]
        found.append(places.get(above, -1))
    return found


def labels_content(chosen: Iterable[str]) -> bytes:
    """The file of a dataset that shows these categories."""
    templates = all_templates()
    listed = {name: labels_of(templates[name]) for name in chosen}
    return msgspec.json.format(msgspec.json.encode(listed), indent=1) + b"\n"


def read_labels(manifest: Manifest) -> Mapping[str, CategoryLabels]:
    """The labels of every category of a dataset that was opened."""
    if LABELS_FILE not in manifest.files:
        raise BadInput(f"the dataset has no {LABELS_FILE}, which says what its points are labeled with")
    return read_json(beside(manifest, LABELS_FILE), type=dict[str, CategoryLabels])
