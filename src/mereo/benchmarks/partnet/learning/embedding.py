"""A picture of what `shape_codes` learned: shapes in a plane, so that those with codes alike stand together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from mereo.benchmarks.benchmark import inspector_of
from mereo.benchmarks.partnet.learning.codes import CODES, cloud_source
from mereo.datasets.asked import is_training
from mereo.datasets.inspector import Inspector
from mereo.datasets.reading import split_rows
from mereo.datasets.store import open_dataset
from mereo.errors import BadInput, UnknownName
from mereo.evaluation.drawing import cloud_svg
from mereo.evaluation.neighborhoods import neighborhoods
from mereo.evaluation.svg import svg_file
from mereo.training.corpus import Corpus
from mereo.training.device import choose_device, mixed
from mereo.training.row import Desk
from mereo.training.run import Run, load_row

__all__ = ["Embedded", "apart", "draw_embedding", "embed", "neighbors_alike"]

_SIDE, _MARGIN = 1200, 60
"""Of the picture, pixels."""
_POINTS = 80
"""Points that are drawn of a shape."""
_PUSHES = 300
_AT_ONCE = 32


class Embedded(NamedTuple):
    """Shapes with their codes and places."""

    scenes: Sequence[str]
    categories: Sequence[str]
    codes: NDArray[np.float32]
    """(s, code)"""
    places: NDArray[np.float64]
    """(s, 2) in the plane."""
    drawn: Sequence[tuple[NDArray[np.float32], NDArray[np.int64]]]
    """Of each shape some points (n, 3), z up, and the number of the coarsest part of each, 0 for none."""


def embed(run: str | Path, dataset: str | Path, *, splits: Sequence[str] = (), perplexity: float = 30.0) -> Embedded:
    """The shapes of some splits, else of those that are not learned from, by the codes of a run of `shape_codes`."""
    past, manifest = Run.open(run), open_dataset(dataset)
    if past.row != CODES.name:
        raise BadInput(f"is a run of {past.row}, which gives no codes: train {CODES.name}", file=run)
    if past.benchmark != manifest.benchmark:
        raise BadInput(f"is a dataset of {manifest.benchmark}, not of {past.benchmark}", file=dataset)
    if any(fitted is None for fitted in past.stages.values()):
        raise BadInput("is not trained yet, and mereo train goes on", file=run)
    for split in splits:
        if split not in manifest.scenes:
            raise UnknownName("split", split, manifest.scenes)
    eye, device = inspector_of(manifest), choose_device("auto")
    desk = Desk(Corpus(Path(dataset), eye, device), past.lexicon, device, past.seed, past.choices)
    load_row(past, desk, CODES)
    wanted = splits or [split for split in manifest.scenes if not is_training(split)] or list(manifest.scenes)
    codes = {name: code for split in wanted for name, code in _codes(desk, split).items()}
    vectors = np.stack(list(codes.values())) if codes else np.zeros((0, 1), np.float32)
    rows = split_rows(desk.corpus.folder, manifest, wanted, heavy=("points", "leaf"))
    seen = {row["scene_id"]: _seen(eye, row) for row in rows if row["scene_id"] in codes}
    shown = [seen[name] for name in codes]
    places = neighborhoods(vectors, perplexity=perplexity)
    return Embedded(list(codes), [one[0] for one in shown], vectors, places, [one[1:] for one in shown])


def _codes(desk: Desk, split: str) -> dict[str, NDArray[np.float32]]:
    """By scene the code of its shape."""
    source, network = cloud_source(desk, split), desk.networks["codes"]
    found: dict[str, NDArray[np.float32]] = {}
    for places in torch.arange(len(source)).split(_AT_ONCE):
        with mixed(desk.device):
            told = network.ask(source.batch(places)).cpu().numpy()  # type: ignore[operator]
        found |= {source.name(place): code for place, code in zip(places.tolist(), told, strict=True)}
    return found


def _seen(eye: Inspector, row: Mapping[str, Any]) -> tuple[str, NDArray[np.float32], NDArray[np.int64]]:
    """The category of a shape, and some of its points with the numbers of their parts."""
    view = eye.cloud(row)
    assert view is not None
    category = dict(eye.facts(row))["category"]
    numbers = view.tellings[0].numbers if view.tellings else np.zeros(len(view.points), np.int64)
    return category, view.points[:_POINTS], numbers[:_POINTS]


def neighbors_alike(embedded: Embedded) -> float:
    """The share of shapes whose nearest neighbor, by their codes, is of their category."""
    away = np.square(embedded.codes[:, None] - embedded.codes[None]).sum(-1)
    np.fill_diagonal(away, np.inf)
    names = np.array(embedded.categories)
    return float((names[away.argmin(1)] == names).mean())


def draw_embedding(embedded: Embedded) -> str:
    """The shapes at their places, each by its points in the colors of its coarsest parts, as SVG.

    Those that would cover each other are moved apart.
    """
    inner = _SIDE - 2 * _MARGIN
    size = inner / max(4.0, 1.2 * np.sqrt(len(embedded.scenes)))
    at = _MARGIN + inner * _fitted(apart(inner * _fitted(embedded.places), 0.8 * size))
    content = []
    columns = (embedded.scenes, embedded.categories, at.tolist(), embedded.drawn)
    for scene, category, (x, y), (points, numbers) in zip(*columns, strict=True):
        drawn, _ = cloud_svg(points, numbers, (x - size / 2, y - size / 2, size, size), dot=size / 16)
        content.append(f"<g><title>{escape(f'{scene}: {category}')}</title>{drawn}</g>")
    return svg_file(_SIDE, _SIDE, content, "shapes whose codes are alike stand together")


def _fitted(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Places between 0 and 1."""
    low, high = places.min(0), places.max(0)
    fitted: NDArray[np.float64] = (places - low) / np.maximum(high - low, 1e-9)
    return fitted


def apart(places: NDArray[np.float64], distance: float) -> NDArray[np.float64]:
    """Places that push each other away where they are nearer than a distance, and else stay. places : (n, 2)"""
    for _ in range(_PUSHES):
        between = places[:, None] - places[None]
        away = np.linalg.norm(between, axis=-1)
        lacking = np.clip(distance - away, 0, None) / np.maximum(away, 1e-9) / 4
        places = places + (between * lacking[..., None]).sum(1)
    return places
