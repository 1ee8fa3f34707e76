"""Names that stand in PartNet's datasets."""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "HIERARCHICAL",
    "INSTANCE",
    "LABELS_FILE",
    "LEVELS",
    "NAME",
    "SEMANTIC",
    "SHARES",
    "TASKS",
    "AskedSet",
]

NAME = "partnet"
"""The benchmark."""
LABELS_FILE = "labels.json"
"""The file of a dataset that lists the labels of every category, level by level."""
LEVELS = {"coarse": 1, "middle": 2, "fine": 3}
"""What programs call the levels of segmentation."""
SHARES = {"train": 0.7, "val": 0.1, "test": 0.2}
"""How PartNet shares shapes out."""
SEMANTIC, HIERARCHICAL, INSTANCE = TASKS = ("semantic", "hierarchical", "instance")
"""The three tasks, which are the types of questions."""


class AskedSet(NamedTuple):
    """What is scored together: a task on the shapes of a category, at a level where the task has one."""

    task: str
    category: str
    level: int | None = None

    @property
    def name(self) -> str:
        """As `semantic chair-3` or `hierarchical chair`: the subtype of a question."""
        return f"{self.task} {self.category}" + ("" if self.level is None else f"-{self.level}")

    @staticmethod
    def named(name: str) -> AskedSet:
        """The set of a question's subtype."""
        task, _, rest = name.partition(" ")
        category, _, level = rest.partition("-")
        return AskedSet(task, category, int(level) if level.isdecimal() else None)
