"""Grouping of pixels pixel by pixel, as one would say it, to check the fast one against."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import numpy as np
from numpy.typing import NDArray

from mereo.models.grouping import Grouping

__all__ = ["naive_groups", "naive_peaks"]

Floats = NDArray[np.float64]
Peak = tuple[float, int, float, float]
"""Height, map, row and column."""


def naive_peaks(heat: Floats, how: Grouping, most: int) -> list[Peak]:
    """The tops of maps (c, h, w)."""
    tops = []
    for channel, one in enumerate(heat):
        for (row, column), height in np.ndenumerate(one):
            around = one[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
            if height >= how.least and height == around.max():
                tops.append((float(height), channel, row, column))
    tops = sorted(tops, reverse=True)[:most]
    kept = []
    for place, (height, channel, row, column) in enumerate(tops):
        hidden = False
        for _, other, other_row, other_column in tops[:place]:
            if other == channel and math.hypot(other_row - row, other_column - column) <= how.reach:
                way = [
                    heat[
                        channel, round(row + share * (other_row - row)), round(column + share * (other_column - column))
                    ]
                    for share in (0.25, 0.5, 0.75)
                ]
                hidden |= min(way) >= how.valley * height
        if not hidden:
            kept.append((height, channel, *_middle(heat[channel], row, column)))
    return kept


def _middle(one: Floats, row: int, column: int) -> tuple[float, float]:
    """The mean place of a top and its eight neighbors, by their heights."""
    cells = [(row + down, column + across) for down in (-1, 0, 1) for across in (-1, 0, 1)]
    cells = [(r, c) for r, c in cells if 0 <= r < one.shape[0] and 0 <= c < one.shape[1]]
    total = sum(one[cell] for cell in cells)
    return sum(one[cell] * cell[0] for cell in cells) / total, sum(one[cell] * cell[1] for cell in cells) / total


def naive_groups(
    names: NDArray[np.int64], way: Floats, near: Floats, heat: Floats, owners: NDArray[np.int64] | None, how: Grouping
) -> set[frozenset[tuple[int, int]]]:
    """The pixels of each thing of one picture.

    names : (h, w), 0 for nothing; way : (2, h, w); near : (h, w), pixels; heat : (c, h, w);
    owners : (h, w), None for objects themselves
    """
    peaks = naive_peaks(heat, how, how.objects if owners is None else how.parts)
    pixels = [(int(row), int(column)) for row, column in zip(*np.nonzero(names), strict=True)]

    def nearest(pixel: tuple[int, int], allowed: list[int]) -> int | None:
        row, column = pixel[0] + way[0][pixel], pixel[1] + way[1][pixel]
        channel = 0 if owners is None else names[pixel] - 1
        fitting = [k for k in allowed if peaks[k][1] == channel]
        return min(fitting, key=lambda k: math.hypot(peaks[k][2] - row, peaks[k][3] - column), default=None)

    rooms: defaultdict[int, list[float]] = defaultdict(list)
    for pixel in pixels:
        choice = nearest(pixel, [*range(len(peaks))])
        if choice is not None:
            rooms[choice].append(1.5 * float(near[pixel]))
    roomy = [
        k
        for k in rooms
        if not any(
            peaks[other][1] == peaks[k][1]
            and math.hypot(peaks[other][2] - peaks[k][2], peaks[other][3] - peaks[k][3]) < sum(rooms[k]) / len(rooms[k])
            for other in rooms
            if other < k
        )
    ]
    votes: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for pixel in pixels:
        choice = nearest(pixel, roomy)
        if choice is not None:
            votes[choice][0 if owners is None else int(owners[pixel])] += 1
    whose = {peak: min((-count, owner) for owner, count in tally.items())[1] for peak, tally in votes.items()}
    groups: defaultdict[object, set[tuple[int, int]]] = defaultdict(set)
    for pixel in pixels:
        owner = 0 if owners is None else int(owners[pixel])
        choice = nearest(pixel, [peak for peak, its in whose.items() if its == owner])
        alone = (owner, 0 if owners is None else int(names[pixel]))
        groups[choice if choice is not None else alone].add(pixel)
    least = max(how.smallest * names.size, 1)
    return {frozenset(group) for group in groups.values() if len(group) >= least}
