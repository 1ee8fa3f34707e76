"""`mereo compare-annotators`: how far several annotators agree, as PartNet's Table 6 tells, beside its figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mereo.benchmarks.choices import Choice
from mereo.benchmarks.offer import Command, Lines, Sheet
from mereo.errors import BadInput

if TYPE_CHECKING:
    from mereo.benchmarks.partnet.confusion import Agreement
    from mereo.datasets.asked import Asked

__all__ = ["COMPARE"]

_HABITS = ("merging", "splitting", "mislabeling")
_PUBLISHED = Path(__file__).with_name("table6.toml")


def _asked(choices: Mapping[str, Any]) -> Asked:
    """The questions of the splits that are looked at; each shape has some."""
    from mereo.datasets.asked import Selection, load_questions

    asked = load_questions(choices["dataset"])
    if not choices["split"]:
        return asked
    selection = Selection(tuple(choices["split"].split(",")))
    return asked.take(asked.chosen(selection), selection)


def _shapes(choices: Mapping[str, Any]) -> int:
    return len(set(_asked(choices).words("scene_id")))


def _compare(choices: Mapping[str, Any], progress: Callable[[int], None]) -> Lines:
    from mereo.benchmarks.partnet.annotators import Habits, compared
    from mereo.benchmarks.partnet.confusion import agreement, refined

    for name in _HABITS:
        if not 0 <= choices[name] <= 1:
            raise BadInput(f"is a chance between 0 and 1, not {choices[name]:g}", field=f"--{name}")
    habits = Habits(*(choices[name] for name in _HABITS))
    asked, count = _asked(choices), choices["annotators"]
    found = compared(asked, annotators=count, habits=habits, seed=choices["seed"], progress=progress)
    pairs = {name: (agreement(counts), agreement(refined(counts))) for name, counts in found.items()}
    shapes = len(set(asked.words("scene_id")))
    told = (
        f"{shapes:,} shapes, {count} annotators each: mean and spread over labels, percent, before > after refinement"
    )
    return [told, "", Sheet(("", "labels", "agreement", "spread", "paper", "spread"), _rows(pairs))]


def _rows(pairs: Mapping[str, tuple[Agreement, Agreement]]) -> list[list[str]]:
    """The average over categories, and each category."""
    from mereo.files import read_toml

    published = read_toml(_PUBLISHED)
    (mean, spread), (later, narrower) = published["average"]["before"], published["average"]["after"]
    rows = []
    for name, (before, after) in pairs.items():
        labels, theirs = f"{before.labels} > {after.labels}", published["categories"].get(name)
        own = [_percent(before.mean, after.mean), _percent(before.spread, after.spread)]
        paper = [f"{theirs[0]:.1f} > {theirs[2]:.1f}", f"{theirs[1]:.1f}"] if theirs else ["", ""]
        rows.append([name.replace("_", " "), labels, *own, *paper])
    whole = [_percent(*(_average(pairs, k, what) for k in (0, 1))) for what in ("mean", "spread")]
    return [["average", "", *whole, f"{mean:.1f} > {later:.1f}", f"{spread:.1f} > {narrower:.1f}"], *rows]


def _average(pairs: Mapping[str, tuple[Agreement, Agreement]], place: int, what: str) -> float:
    """Over the categories in which labels are left."""
    told = [float(getattr(pair[place], what)) for pair in pairs.values() if pair[place].labels]
    return sum(told) / len(told) if told else float("nan")


def _percent(before: float, after: float) -> str:
    return " > ".join("–" if share != share else f"{100 * share:.1f}" for share in (before, after))


COMPARE = Command(
    "compare-annotators",
    "Have simulated annotators err at the parts of shapes, and tell how far they agree, as PartNet's Table 6 does.",
    (
        Choice("dataset", Path, None, "A dataset of PartNet's tasks.", argument=True),
        Choice("annotators", int, 3, "Annotators of each shape.", least=2),
        Choice("merging", float, 0.1, "How likely a part with parts of its own is taken for one piece.", least=0),
        Choice("splitting", float, 0.1, "How likely a piece is cut where it has no border.", least=0),
        Choice("mislabeling", float, 0.1, "How likely a piece is called as one beside it in the tree.", least=0),
        Choice("split", str, None, "Only these splits, as `val,test`; else all."),
        Choice("seed", int, 0, "Same seed, same annotators.", least=0),
    ),
    _compare,
    _shapes,
    unit="shapes",
)
