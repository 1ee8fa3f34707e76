"""What parses are worth: SHOP-VRB's Tables III and IV, and the mean average precision of boxes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from mereo import __version__
from mereo.benchmarks.shop.language import VISUAL, VOCABULARY
from mereo.benchmarks.shop.parses import ParseHeader, Parses, read_parses
from mereo.benchmarks.shop.published import published_row
from mereo.benchmarks.shop.recognition import Looked, Recognized, detections, looked_at, recognized
from mereo.benchmarks.shop.shown import shown_scenes
from mereo.datasets.inspector import Inspector
from mereo.datasets.reading import RowReader
from mereo.datasets.store import Manifest, fingerprint, open_dataset
from mereo.errors import BadInput, UnknownName
from mereo.evaluation.boxes import average_precisions
from mereo.evaluation.intervals import Mean, estimate, means, ratio
from mereo.evaluation.labels import macro_f1, micro_f1
from mereo.evaluation.result import INTERVAL, ScoredRow, ScoredTable

__all__ = ["FOUND", "NUMBERS", "ParseResult", "ParseRow", "ParseTable", "judge_parses", "scored_by_measure"]

VERSION = 1
FOUND = (0.7, 0.5)
"""By more than these an object must be overlapped to be found."""
_SEEN = ("name", *(name for name in VISUAL if name != "name"))
_READ = ("disassembly", "picking", "powering")
_DISTANCE, _AVERAGED, _TOGETHER = "mean distance error", "F1 of labels, averaged", "F1 of labels, together"
NUMBERS = (_DISTANCE, _AVERAGED, _TOGETHER)
"""The rows that are no shares of objects."""
_BOXES = "average precision of boxes"

Scores = dict[str, Mean]


class ParseRow(msgspec.Struct, frozen=True):
    """One line of a table."""

    name: str
    scores: Scores
    """By column; none where nothing was told."""
    paper: dict[str, float]
    """What SHOP-VRB's paper reports, for the columns that it has."""


class ParseTable(msgspec.Struct, frozen=True):
    """A table with a column for every split and threshold."""

    name: str
    columns: list[str]
    rows: list[ParseRow]


class ParseResult(msgspec.Struct, frozen=True):
    """Everything that is told of judged parses."""

    result: int
    """The version of this format."""
    header: ParseHeader
    dataset: str
    """The fingerprint of the dataset."""
    interval: str
    mereo: str
    scenes: dict[str, int]
    """Judged scenes by split."""
    missing: dict[str, int]
    """Those of them that have no parse, so that nothing in them is found."""
    tables: list[ParseTable]


def judge_parses(
    path: str | Path,
    folder: str | Path,
    eye: Callable[[Manifest], Inspector],
    *,
    splits: Sequence[str] = (),
    always: Collection[str] = (),
    progress: Callable[[int], None] = lambda scenes: None,
) -> ParseResult:
    """Judge a file of parses on some splits of a dataset: where none are named, on those that the file is about.

    always : properties that are judged even if nothing is told of them
    """
    folder = Path(folder)
    manifest = open_dataset(folder)
    parses = read_parses(path, folder, manifest)
    looked: dict[str, list[Looked]] = {split: [] for split in _judged(parses, folder, manifest, splits)}
    for shown in shown_scenes(folder, manifest, eye(manifest), looked):
        looked[shown.split].append(looked_at(shown, parses))
        progress(1)
    missing = {split: sum(own.shown.scene not in parses.by_scene for own in scenes) for split, scenes in looked.items()}
    return ParseResult(
        result=VERSION,
        header=parses.header,
        dataset=fingerprint(manifest),
        interval=INTERVAL,
        mereo=__version__,
        scenes={split: len(scenes) for split, scenes in looked.items()},
        missing=missing,
        tables=[table for table in _tables(looked, _told(parses) | set(always), parses.header.given) if table.rows],
    )


def _judged(parses: Parses, folder: Path, manifest: Manifest, splits: Sequence[str]) -> list[str]:
    """The splits that are judged, in the dataset's order."""
    wanted = set(splits) or set(parses.header.selection.splits if parses.header.selection else ())
    for split in wanted:
        if split not in manifest.scenes:
            raise UnknownName("split", split, manifest.scenes)
    if not wanted:
        reader = RowReader(folder, "scenes", manifest)
        places = [reader.places[scene] for scene in parses.by_scene]
        wanted = {split for split in manifest.scenes if any(place in reader.of_split(split) for place in places)}
    found = [split for split, count in manifest.scenes.items() if split in wanted and count]
    if not found:
        raise BadInput(f"has no scenes in {', '.join(sorted(wanted))}", file=folder)
    return found


def _told(parses: Parses) -> frozenset[str]:
    """All that is told of any object: what nobody tells is not judged."""
    seen = [one for parse in parses.by_scene.values() for one in parse.objects]
    placed = {"place"} if any(one.place is not None for one in seen) else set()
    return frozenset({name for one in seen for name, _ in one.told()} | placed)


def _tables(looked: Mapping[str, Sequence[Looked]], told: frozenset[str], given: str | None) -> Iterator[ParseTable]:
    yield _boxes(looked if "name" in told else {})
    scored: dict[str, Scores] = {}
    for split, scenes in looked.items():
        for least in FOUND[:1] if given else FOUND:
            name = f"{split}, {given} given" if given else f"{split} {least:g}"
            scored[name] = _scored(recognized(scenes, least=least), told)
    yield _table("what is seen", "seen", ("objects found", *_SEEN, "overall", _DISTANCE), scored)
    yield _table("what is read", "read", (*_READ, _AVERAGED, _TOGETHER), scored)


def _boxes(looked: Mapping[str, Sequence[Looked]]) -> ParseTable:
    """Average precision of boxes by class."""
    scored: dict[str, Scores] = {}
    for split, scenes in looked.items():
        own = {name: detections(scenes, name) for name in VOCABULARY.words("name")}
        there = {name: found for name, found in own.items() if found.true.any()}
        mean, each = average_precisions(list(there.values()), scenes=len(scenes))
        scored[split] = {"mAP": mean, **dict(zip(there, each, strict=True))}
    return _table(_BOXES, "boxes", ("mAP", *VOCABULARY.words("name")), scored)


def _scored(own: Recognized, told: frozenset[str]) -> Scores:
    """All scores of a column by the name of their row."""
    right = {name: score for name, score in own.right.items() if name in told and not np.isnan(score).all()}
    shares = {"objects found": own.found.astype(np.float64), **right}
    if set(VISUAL) <= right.keys():
        shares["overall"] = np.mean([right[name] for name in VISUAL], axis=0)
    everything = np.ones(len(own.found), bool)
    found = dict(zip(shares, means(list(shares.values()), [everything], own.scenes)[0], strict=True))
    if "attribute" in told and own.true.any():
        found[_AVERAGED] = macro_f1(own.true, own.said, own.scenes)
        found[_TOGETHER] = micro_f1(own.true, own.said, own.scenes)
    if "place" in told and not np.isnan(own.distance).all():
        found[_DISTANCE] = _mean_distance(own)
    return found


def _mean_distance(own: Recognized) -> Mean:
    known = ~np.isnan(own.distance)
    scenes = own.scenes[known]
    sums = np.stack([np.bincount(scenes, own.distance[known]), np.bincount(scenes).astype(np.float64)], 1)
    return estimate(sums, lambda both: ratio(both[:, 0], both[:, 1]), count=len(scenes), share=False)


def _table(name: str, paper: str, rows: Sequence[str], scored: Mapping[str, Scores]) -> ParseTable:
    """Scores as rows, with what the paper reports for the same column beside. paper : the table of `published.toml`"""
    found = []
    for row in rows:
        own = {column: scores[row] for column, scores in scored.items() if row in scores}
        theirs = published_row(paper, row)
        if own:
            found.append(ParseRow(row, own, {column: theirs[column] for column in scored if column in theirs}))
    return ParseTable(name, list(scored), found)


def scored_by_measure(result: ParseResult) -> list[ScoredTable]:
    """The tables of one split, what is seen first, by a measure for every threshold, as `above 0.7`, or `precision`."""
    (_,) = result.scenes
    found = []
    for table in sorted(result.tables, key=lambda table: table.name == _BOXES):
        measures = ["precision"] if table.name == _BOXES else [f"above {least:g}" for least in FOUND]
        called = dict(zip(table.columns, measures, strict=False))  # where something is given there is one threshold
        scores = {row.name: {called[column]: mean for column, mean in row.scores.items()} for row in table.rows}
        rows = [ScoredRow(name, "", max(one.count for one in own.values()), 0, own) for name, own in scores.items()]
        found.append(ScoredTable(table.name, rows))
    return found
