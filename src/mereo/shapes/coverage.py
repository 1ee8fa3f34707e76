"""Coverage: which labels of a template its grammar makes, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mereo.files import read_toml
from mereo.shapes.grammar import SPLITS, all_grammars, make_shape
from mereo.shapes.template import AndOrTemplate, all_templates, template_of

__all__ = ["OFTEN", "Coverage", "choices", "coverage_of", "covered_categories", "labels_made", "never_made"]

OFTEN = 0.02
"""The share of some split's shapes in which a label must occur."""


@dataclass(frozen=True)
class Coverage:
    """How often the labels of a template occur."""

    template: AndOrTemplate
    shares: Mapping[str, float]
    """By label, the share of shapes that have it, of the split where that is greatest."""

    def level(self, level: int) -> tuple[int, int]:
        """How many labels of a segmentation level occur often enough, and how many there are."""
        return self.among(label.path for label in self.template.level(level))

    def among(self, labels: Iterable[str]) -> tuple[int, int]:
        """How many of some labels occur often enough, and how many they are."""
        asked = list(labels)
        return sum(self.shares[label] >= OFTEN for label in asked), len(asked)

    def rare(self) -> dict[str, float]:
        """The labels that do not occur often enough, with their shares."""
        return {label: share for label, share in self.shares.items() if share < OFTEN}


def covered_categories() -> list[str]:
    """The categories of PartNet that have a grammar."""
    known = all_templates()
    return [name for name in all_grammars() if name in known and known[name].partnet]


def choices(template: AndOrTemplate) -> list[str]:
    """What the Or-nodes of a template may be, as it is after merging."""
    return [path for path in template.labels if _kind(template, path.rpartition("/")[0]) == "one"]


def _kind(template: AndOrTemplate, path: str) -> str:
    return template.labels[path].kind if path in template.labels else ""


def coverage_of(
    category: str, count: int, *, seed: int = 0, progress: Callable[[int], None] = lambda done: None
) -> Coverage:
    """How often labels occur in so many shapes of each split."""
    template = template_of(category)
    shares = dict.fromkeys(template.labels, 0.0)
    for split in SPLITS:
        met: Counter[str] = Counter()
        for family in range(count):
            met.update(_labels(category, seed=seed, split=split, family=family))
            progress(1)
        shares = {label: max(share, met[label] / count) for label, share in shares.items()}
    return Coverage(template, shares)


def labels_made(category: str, *, seed: int = 0) -> Iterator[frozenset[str]]:
    """The labels of one shape after another, of all splits in turn, without end."""
    family = 0
    while True:
        for split in SPLITS:
            yield _labels(category, seed=seed, split=split, family=family)
        family += 1


def _labels(category: str, *, seed: int, split: str, family: int) -> frozenset[str]:
    shape = make_shape(category, seed=seed, split=split, family=family)
    return frozenset(part.label for part in shape.parts())


@cache
def never_made() -> dict[str, dict[str, str]]:
    """The labels that a category lacks, with the reason."""
    found: dict[str, dict[str, str]] = read_toml(Path(__file__).with_name("never_made.toml"))
    return found
