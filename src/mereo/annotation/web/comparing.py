"""Annotations held against each other: two works side by side, and how far all annotators agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mereo.annotation.accounts import Visit
from mereo.annotation.agreement import by_annotator, by_part, confusion, refined_by
from mereo.annotation.queue import progress
from mereo.annotation.sampling import NOTHING, compared, paths_of_points, pieces_of_points, sampled
from mereo.annotation.store import NotFound
from mereo.annotation.views import WorkView
from mereo.annotation.web.api import view_record
from mereo.annotation.web.pages import page
from mereo.annotation.web.security import visitor
from mereo.annotation.web.service import Json, Service, service_of, shown
from mereo.benchmarks.partnet.confusion import Counts

__all__ = ["COMPARING"]

_MOST = 60
"""So many paths a table still shows."""


class Cell(NamedTuple):
    """One field of the table of confusions."""

    percent: int
    heat: int
    """From 0 to 10."""
    diagonal: bool
    title: str


class HeatRow(NamedTuple):
    """One row of it."""

    path: str
    cells: list[Cell]


def _pair(request: Request, service: Service, visit: Visit) -> tuple[WorkView, WorkView]:
    """Two works of one shape, for who reviews."""
    if not visit.person.reviews:
        raise NotFound("there is nothing here")
    one, other = (service.store.open_work(request.path_params[name], visit.person) for name in ("one", "other"))
    if one.row.shape != other.row.shape:
        raise NotFound("these are works of two shapes")
    return one, other


@page
def compare(request: Request, service: Service, visit: Visit) -> Response:
    """Two works of one shape, side by side."""
    one, other = _pair(request, service, visit)
    return shown(request, "compare.html", visit, rows=[one.row, other.row])


def differences(request: Request) -> Response:
    """Both works, the share of each piece that the other calls otherwise, and the area of each part in both."""
    service = service_of(request)
    visit = visitor(request, service.project)
    one, other = _pair(request, service, visit)
    home = service.project.home
    start = service.store.version(one.row.id, visit.person, 0)
    sample = sampled(home, start.pieces, seed=one.row.shape.id)
    found = compared(sample, one.state, other.state, home)
    paths = [paths_of_points(pieces_of_points(sample, view.state, home), view.state).tolist() for view in (one, other)]
    return Json(
        {
            "works": [view_record(service, one), view_record(service, other)],
            "same": found.same,
            "differing": [{str(piece): share for piece, share in side.items()} for side in found.differing],
            "parts": list(_shares(*paths)),
        }
    )


def _shares(one: list[str], other: list[str]) -> Iterator[dict[str, Any]]:
    """By path the share of the surface that either gives it, and that both do."""
    ours, theirs = np.array(one), np.array(other)
    for path in sorted({*one, *other} - {NOTHING}):
        mine, yours = ours == path, theirs == path
        shared = float((mine & yours).sum() / (mine | yours).sum())
        yield {"path": path, "one": float(mine.mean()), "other": float(yours.mean()), "shared": shared}


@page
def agreement(request: Request, service: Service, visit: Visit) -> Response:
    """What was called what, how sure each part and each annotator is, and what refining the template would do."""
    if not visit.person.reviews:
        raise NotFound("there is nothing here")
    found = service.remember("agreement", progress(service.project), lambda: confusion(service.store))
    who = request.query_params.get("by", "")
    if who and who not in found.annotators:
        raise NotFound("there is nothing here")
    counts = found.annotators[who] if who else found.counts
    used = [path for path, points in zip(found.paths, counts.sum(0) + counts.sum(1), strict=True) if points]
    return shown(
        request,
        "agreement.html",
        visit,
        found=found,
        who=who,
        used=used[:_MOST],
        left_out=max(0, len(used) - _MOST),
        rows=_rows(found.paths, counts, used[:_MOST]),
        parts=by_part(found),
        annotators=by_annotator(found),
        refined=refined_by(found),
    )


def _rows(paths: Sequence[str], counts: Counts, used: list[str]) -> list[HeatRow]:
    places = [paths.index(path) for path in used]
    shares = counts / np.maximum(counts.sum(1, keepdims=True), 1)
    return [
        HeatRow(
            path, [_cell(path, other, float(shares[row, column])) for other, column in zip(used, places, strict=True)]
        )
        for path, row in zip(used, places, strict=True)
    ]


def _cell(path: str, other: str, share: float) -> Cell:
    same = path == other
    said = f"{path}, called {'the same' if same else other} by others: {100 * share:.1f} %"
    return Cell(round(100 * share), min(10, int(np.ceil(10 * share))), same, said)


COMPARING = [
    Route("/compare/{one:int}/{other:int}", compare),
    Route("/api/compare/{one:int}/{other:int}", differences),
    Route("/agreement", agreement),
]
