"""Prediction files: what a model answered, as JSON Lines or Parquet.

A line, or a row, is one answer: `question_id` and `answer` (text, a whole number, true or false, or null for none), and
where there is more to say `target`, `boxes`, `masks`, `referred`, `score`, `program` and `raw`. The first line of a
JSON Lines file may be a header, known by its field `predictions`; a Parquet file has it as the value of `mereo` in the
metadata of its schema.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
import pyarrow.parquet as pq

from mereo.datasets.asked import Asked, Selection
from mereo.datasets.store import read_table, whole_parquet
from mereo.errors import BadInput
from mereo.files import converted, decoder, new_file
from mereo.masks import Box

__all__ = [
    "Header",
    "Mask",
    "Prediction",
    "Predictions",
    "box_fault",
    "check_dataset",
    "find_prediction",
    "json_lines",
    "line_header",
    "mask_fault",
    "read_header",
    "read_predictions",
    "write_predictions",
]

T = TypeVar("T")
VERSION = 1


class Header(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a file says about itself; everything but the version may be left out."""

    predictions: int = VERSION
    """The version of this format."""
    dataset: str | None = None
    """The fingerprint of the dataset that was asked."""
    benchmark: str | None = None
    model: str | None = None
    selection: Selection | None = None
    """Which questions were asked; the others are not judged."""
    kind: str = "model"
    """`model`, `baseline` or `oracle`."""
    settings: dict[str, Any] = {}
    """How the answers came about: prompt, temperature, noise."""


class Mask(msgspec.Struct, frozen=True):
    """A mask as COCO's run lengths, compressed or not."""

    size: tuple[int, int]
    """Height and width."""
    counts: str | list[int]


def box_fault(box: Box, size: tuple[int, int]) -> str | None:
    """Why a box cannot be in a picture, if it cannot. size : height and width"""
    (left, top, across, down), (height, width) = box, size
    if min(box) >= 0 and left + across <= width and top + down <= height:
        return None
    return f"[{', '.join(f'{side:g}' for side in box)}] is not within the picture of {width}x{height}"


def mask_fault(mask: Mask, size: tuple[int, int]) -> str | None:
    """Why a mask cannot be of a picture, if it cannot. size : height and width"""
    (tall, wide), (height, width) = mask.size, size
    return None if mask.size == size else f"is of {wide}x{tall} pixels, the picture of {width}x{height}"


class Prediction(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One answer."""

    question_id: str
    answer: str | int | bool | None = None
    boxes: list[tuple[float, float, float, float]] | None = None
    """What the answer is about: left, top, width and height in pixels."""
    masks: list[Mask] | None = None
    steps: list[Mask] | None = None
    """What every step of the program marks, where a model can show that."""
    target: int | str | None = None
    """The entity that the answer is about, by its number in the scene or by its id; none where it is about nothing."""
    referred: list[list[int | str]] | None = None
    """The entities that every step of the program refers to, by number or id; none at steps that give a value."""
    score: float | None = None
    """How sure the model is."""
    program: str | None = None
    """How it came to the answer, in the notation of programs."""
    raw: str | None = None
    """What the model said, before the answer was taken out of it."""
    rule: str | None = None
    """How the answer was taken out."""
    tokens: tuple[int, int] | None = None
    """How many it read and wrote."""


@dataclass(frozen=True)
class Predictions:
    """The answers of one run to some questions."""

    header: Header
    given: Sequence[Prediction | None]
    """For every question its prediction, None where there is none."""

    def take(self, positions: Iterable[int]) -> Predictions:
        """The predictions for some of the questions."""
        given = self.given
        return replace(self, given=[given[position] for position in positions])


H = TypeVar("H", bound=Header)


def read_header(path: str | Path) -> Header:
    """What a prediction file says about itself."""
    path = Path(path)
    return _parquet_header(path) if _is_parquet(path) else line_header(path, type=Header)


def line_header(path: Path, *, type: type[H]) -> H:
    """What the first line of a file of JSON Lines says about the file."""
    with _opened(path) as file:
        first = file.readline()
    return _line_header(first, path, type) or type()


def check_dataset(header: Header, path: Path, *, folder: Path, checksum: str) -> None:
    """Refuse what was predicted for another dataset."""
    if header.dataset is None or header.dataset == checksum:
        return
    made_for = f"{header.dataset[:12]}…" + (f" of {header.benchmark}" if header.benchmark else "")
    raise BadInput(
        f"are predictions for another dataset ({made_for}), not for {folder} ({checksum[:12]}…)",
        file=path,
        record="line 1" if not _is_parquet(path) else None,
        field="dataset",
    )


def read_predictions(path: str | Path, asked: Asked) -> Predictions:
    """The predictions of a file for all questions of a dataset; whatever does not fit is named with its line."""
    path = Path(path)
    places = asked.places
    given: list[Prediction | None] = [None] * len(asked)
    lines = np.zeros(len(asked), np.int32)
    header = read_header(path)
    check_dataset(header, path, folder=asked.folder, checksum=asked.checksum)
    unit = "row" if _is_parquet(path) else "line"
    for number, prediction in _rows(path):
        place = places.get(prediction.question_id)
        if place is None:
            reason = f"{asked.folder} asks no question '{prediction.question_id}'; its ids are like '{asked.ids[0]}'"
            raise BadInput(reason, file=path, record=f"{unit} {number}", field="question_id")
        if given[place] is not None:
            reason = f"'{prediction.question_id}' is answered in {unit} {lines[place]} already"
            raise BadInput(reason, file=path, record=f"{unit} {number}", field="question_id")
        given[place] = prediction
        lines[place] = number
    if not lines.any():
        raise BadInput("holds no predictions", file=path)
    return Predictions(header, given)


def find_prediction(path: str | Path, question_id: str) -> Prediction | None:
    """The prediction of a file for one question; None where it has none."""
    return next((one for _, one in _rows(Path(path)) if one.question_id == question_id), None)


def write_predictions(path: str | Path, header: Header, predictions: Iterable[msgspec.Struct]) -> None:
    """Write a whole file of JSON Lines. predictions : each a line, as a `Prediction` is"""
    encoder = msgspec.json.Encoder()
    with new_file(path) as scratch, scratch.open("wb") as file:
        file.write(encoder.encode(header_record(header)) + b"\n")
        for prediction in predictions:
            file.write(encoder.encode(prediction) + b"\n")


def header_record(header: Header) -> dict[str, Any]:
    """A header as it stands in a file: its version is never left out, because it is what a header is known by."""
    record: dict[str, Any] = msgspec.to_builtins(header)
    return {"predictions": header.predictions, **record}


def _rows(path: Path) -> Iterator[tuple[int, Prediction]]:
    """Every prediction with the number of its line or row, counted from 1."""
    if _is_parquet(path):
        yield from _parquet_rows(path)
    else:
        yield from json_lines(path, type=Prediction)


def json_lines(path: Path, *, type: type[T]) -> Iterator[tuple[int, T]]:
    """Every line but the header as a value of a type, with its number, counted from 1."""
    decode = decoder(type).decode
    with _opened(path) as file:
        for number, line in enumerate(file, 1):
            if number == 1 and _line_header(line, path, Header) is not None:
                continue
            if line.strip():
                try:
                    yield number, decode(line)
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                    raise _complaint(error, path, f"line {number}") from None


def _opened(path: Path) -> Any:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise BadInput("there is no such file", file=path) from None
    except IsADirectoryError:
        raise BadInput("is a folder, not a file", file=path) from None


def _line_header(line: bytes, path: Path, type: type[H]) -> H | None:
    """The header that a first line may be."""
    try:
        record = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if not isinstance(record, dict) or "predictions" not in record:
        return None
    return _header(record, path, "line 1", type)


def _header(record: Any, path: Path, where: str, type: type[H]) -> H:
    try:
        header = converted(record, file=path, type=type)
    except BadInput as error:
        raise error.within(record=where) from None
    if header.predictions > VERSION:
        reason = f"is of version {header.predictions}; this mereo reads up to {VERSION}"
        raise BadInput(reason, file=path, record=where, field="predictions")
    return header


def _complaint(error: Exception, path: Path, where: str) -> BadInput:
    if isinstance(error, UnicodeDecodeError):
        return BadInput("is not UTF-8", file=path, record=where)
    if isinstance(error, RecursionError):
        return BadInput("is nested too deeply", file=path, record=where)
    reason, _, at = str(error).partition(" - at `")
    field = at.removesuffix("`").removeprefix("$").removeprefix(".") or None
    if isinstance(error, msgspec.ValidationError):
        return BadInput(_misfit(reason, field), file=path, record=where, field=field)
    return BadInput(f"is not JSON ({reason.removeprefix('JSON is malformed: ')})", file=path, record=where)


def _misfit(reason: str, field: str | None) -> str:
    if field == "answer":
        return f"must be text, a whole number, true, false or null, {reason.rpartition(', ')[2]}"
    return reason[:1].lower() + reason[1:]


def _is_parquet(path: Path) -> bool:
    return path.suffix == ".parquet"


def _parquet_header(path: Path) -> Header:
    with whole_parquet(path):
        metadata = pq.read_schema(path).metadata or {}
    stored = metadata.get(b"mereo")
    if stored is None:
        return Header()
    try:
        record = msgspec.json.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _complaint(error, path, "the header") from None
    return _header(record, path, "the header", Header)


def _parquet_rows(path: Path) -> Iterator[tuple[int, Prediction]]:
    table = read_table(path)
    known = [name for name in table.column_names if name in Prediction.__struct_fields__]
    if "question_id" not in known:
        raise BadInput("has no column 'question_id'", file=path)
    for name in known:
        if known.count(name) > 1:
            raise BadInput("is there twice", file=path, field=name)
    number = 0
    for batch in table.select(known).to_batches():
        with whole_parquet(path):
            rows = batch.to_pylist()
        for row in rows:
            number += 1
            try:
                yield number, converted(row, file=path, type=Prediction)
            except BadInput as error:
                reason, field = _misfit(error.reason, error.field), error.field
                raise BadInput(reason, file=path, record=f"row {number}", field=field) from None
