"""Charts of where runs fail: by program length, under noise, and which answers are mixed up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mereo.evaluation.charts import heat, lines
from mereo.evaluation.curves import Curve
from mereo.evaluation.noise import NOISES
from mereo.evaluation.page import figure, key
from mereo.evaluation.result import Result

__all__ = ["by_length", "by_number", "mixed_up", "under_noise"]

_CONFUSED = 14


def by_length(runs: Sequence[tuple[int, Result]]) -> str:
    """The score over the number of steps. runs : each with the number of its color"""
    return by_number(runs, "program length", title="Score by program length", axis="steps of the program")


def by_number(
    runs: Sequence[tuple[int, Result]], table: str, *, title: str, axis: str, measure: str | None = None
) -> str:
    """A score over a number, from a table whose rows are called `3 steps` or `3–4 steps`; nothing where it has one row.

    runs : each with the number of its color · measure : the first one, where none is named
    """
    series = []
    ticks: dict[float, str] = {}
    for color, result in runs:
        points = []
        for row in (row for one in result.tables if one.name == table for row in one.rows):
            numbers = row.name.partition(" ")[0]
            bounds = [float(number) for number in numbers.split("–")]
            middle = sum(bounds) / len(bounds)
            ticks[middle] = numbers
            mean = row.scores.get(measure or result.measures[0])
            if mean is not None:
                points.append((middle, mean))
        if points:
            series.append((result.run, color, points))
    if not series or len(ticks) < 2:
        return ""
    content = lines(series, label=title.lower(), axis=axis, ticks=sorted(ticks.items()))
    return figure(title, key([(name, color) for name, color, _ in series]) + content)


def under_noise(curves: Sequence[Curve]) -> str:
    """The oracle's score over growing noise: probabilities in one chart, pixels in another."""
    figures = []
    for unit in (True, False):
        own = [curve for curve in curves if NOISES[curve.noise].probability == unit]
        if not own:
            continue
        series = [
            (curve.noise, color, [(float(place), point.score) for place, point in enumerate(curve.points)])
            for color, curve in enumerate(own)
        ]
        amounts = [point.amount for point in own[0].points]
        ticks = [(float(k), f"{amount:.0%}" if unit else f"{amount:g}") for k, amount in enumerate(amounts)]
        axis = "probability of each error of seeing" if unit else "pixels that every mask loses"
        content = lines(series, label="oracle under noise", axis=axis, ticks=ticks)
        legend = key([(curve.noise, color) for color, curve in enumerate(own)])
        note = "The true programs on worlds that are seen wrongly: the ceiling of a system that parses perfectly."
        figures.append(figure("How errors of seeing become errors of answering", legend + content, note))
    return "".join(figures)


def mixed_up(result: Result, color: int) -> str:
    """The answers that are mixed up most, with all that was said for them."""
    wrong = [pair for pair in result.confusion if pair.truth != pair.said]
    if not wrong:
        return ""
    weight: Counter[str] = Counter()
    for pair in wrong:
        weight[pair.truth] += pair.count
        weight[pair.said] += pair.count
    names = sorted((name for name, _ in weight.most_common(_CONFUSED) if name), key=_answer_order)
    across = [*names, *([""] if any(pair.said == "" for pair in wrong) else [])]
    counts = {(pair.truth, pair.said): pair.count for pair in result.confusion}
    rows = [name for name in names if any(counts.get((name, said)) for said in across)]
    matrix = [[counts.get((truth, said), 0) for said in across] for truth in rows]
    shown = [said or "nothing" for said in across]
    return figure(result.run, heat(rows, shown, matrix, label=f"mixed-up answers of {result.run}", color=color))


def _answer_order(name: str) -> tuple[int, int, str]:
    return (0, int(name), "") if name.isdigit() else (1, 0, name)
