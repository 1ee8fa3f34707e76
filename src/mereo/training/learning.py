"""What a benchmark has of its own for learning: models that know it, how its pictures are seen, published tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mereo.datasets.predictions import Header
    from mereo.datasets.store import Manifest
    from mereo.evaluation.result import ScoredTable
    from mereo.training.row import Desk, Row
    from mereo.training.seeing import Seeing

__all__ = ["ALL", "MAIN", "Arm", "Column", "Data", "Learning", "Scale", "Study"]

MAIN = "main"
"""The data that a study's scale makes, as it is."""
ALL = "All"
"""The column of all questions."""


@dataclass(frozen=True)
class Scale:
    """How large a study is made."""

    about: str
    build: Mapping[str, Any]
    """The choices of the benchmark's maker that make its data, `split` among them."""
    minutes: float
    """For each row to be trained, on the machine that the scale is meant for."""
    machine: str = "any"
    """What it is meant for, and what the two rates below are of."""
    scenes_per_second: float = 1.0
    """How fast scenes are made there, by which the cost is told beforehand."""
    megabytes_per_scene: float = 0.2
    """How much of the disk each takes."""
    choices: Mapping[str, Mapping[str, str | int | float | bool]] = field(default_factory=dict)
    """By row what is chosen about it at this scale: on two cores networks are small."""
    spent: Mapping[str, float] = field(default_factory=dict)
    """By row the minutes of those that need others than `minutes`."""


@dataclass(frozen=True)
class Data:
    """One of the datasets of a study, where it has more than one."""

    build: Mapping[str, Any] = field(default_factory=dict)
    """By which choices it differs from the main one. Where by none, its scenes are some of the main one's."""
    share: float = 1.0
    """How many training scenes it has, as a share of those of the main one."""
    asks_anew: bool = False
    """Whether it takes the scenes of the main one as they are, and only asks other questions (`scenes_from`)."""


@dataclass(frozen=True)
class Arm:
    """What is measured once: a row that learns from some data, and is asked about some."""

    row: str
    name: str = ""
    """What it is called in tables; else as its row."""
    data: str = MAIN
    """What it learns from."""
    tested: str = ""
    """What it is asked about; else what it learns from."""
    split: str = ""
    """The split that it is asked about; else the study's."""
    choices: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    """What is chosen about the row when it is trained."""
    asked: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    """What is chosen besides when it answers: two arms that differ in this alone are trained once."""
    group: str = ""
    """Where it stands in the chart, beside all others of the group; else by itself."""
    series: str = ""
    """What it is called among the others of its group."""

    @property
    def called(self) -> str:
        """Its name in tables."""
        return self.name or self.row


@dataclass(frozen=True)
class Column:
    """A column of a table: one measure over all questions, or over those of one kind."""

    name: str
    kind: str = ""
    """The row of a table of the benchmark's judging, as `count` or, in one of its groups, `visual: count`; else all
    questions."""
    measure: str = ""
    """Else the first that the benchmark has."""
    table: str = ""
    """Which table of the judging has that row; else the study's."""


@dataclass(frozen=True)
class Study:
    """A published table or figure that can be made again: data, rows, and what was published."""

    name: str
    about: str
    arms: tuple[Arm, ...]
    scales: Mapping[str, Scale]
    data: Mapping[str, Data] = field(default_factory=dict)
    """By name what it needs besides the main data."""
    published: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """By the name of an arm, or of what nobody can repeat, and by column: percent."""
    table: str = "question types"
    """The table of the benchmark's judging whose rows are the columns, where `columns` names none."""
    columns: tuple[Column, ...] = ()
    """Where they are others: those of the paper, the one first that models are compared by."""
    split: str = "test"
    families: bool = False
    """Whether the chart has the types of questions side by side, and not the arms."""
    base: str = ""
    """The arm that others are held against, if any: what each of them gains is told, too."""
    note: str = ""
    """What to know before the numbers are compared."""
    looks: bool = False
    """Whether it tells how well rows see (`Learning.look`), and not how well they answer."""
    counted: str = "questions"
    """What its scores are shares of."""

    @property
    def lead(self) -> str:
        """The column that models are compared by."""
        return self.columns[0].name if self.columns else ALL

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows that it trains or asks."""
        return tuple(dict.fromkeys(arm.row for arm in self.arms))


@dataclass(frozen=True)
class Learning:
    """A benchmark's part in learning."""

    seeing: Callable[[Manifest], Seeing | None] | None = None
    """seeing(manifest): who knows how the pictures of a dataset are looked at, if anybody does."""
    rows: tuple[Row, ...] = ()
    studies: tuple[Study, ...] = field(default=())
    look: Callable[[Row, Desk, Header, Path, Callable[[int], None]], Sequence[ScoredTable]] | None = None
    """look(row, desk, header, file, progress): has a trained row tell what it sees in all scenes of the splits that the
    header selects, keeps that in a file, and judges it; progress takes the number of scenes done."""
