"""A prediction file that grows answer by answer and survives being killed at any moment."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from mereo.datasets.predictions import Header, Prediction, header_record, read_header
from mereo.errors import BadInput
from mereo.files import decode_json, new_file

__all__ = ["Journal"]

_FREE = ("endpoint", "price")
"""Settings that may change while a run goes on."""


class Journal:
    """What has been answered so far; only one process may add to it.

    An answer counts as given when it is on disk. A line that was cut off by a kill is taken away when the run goes on,
    and its question is asked again.
    """

    def __init__(self, path: Path, header: Header):
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = (path.parent / ".lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise BadInput("another process is adding to this run", file=path) from None
        try:
            self.header = self._begin(header)
            self.given = {one.question_id: one for one in self._read()}
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND)
        except BaseException:
            self._lock.close()
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._file)
        self._lock.close()

    def append(self, predictions: Iterable[Prediction]) -> None:
        """Add answers; they are on disk when this returns."""
        encode = msgspec.json.encode
        new = [one for one in predictions if one.question_id not in self.given]
        data = b"".join(encode(one) + b"\n" for one in new)
        while data:
            data = data[os.write(self._file, data) :]
        os.fsync(self._file)
        self.given.update((one.question_id, one) for one in new)

    def _begin(self, header: Header) -> Header:
        """Start the file, or see that it is of the same run; a longer run than before gets a new first line."""
        self._repair()
        if not self.path.exists() or not self.path.stat().st_size:
            self._write(header, b"")
            return header
        begun = read_header(self.path)
        _compare(begun, header, self.path)
        if begun == header or not _longer(header, begun):
            return begun
        rest = self.path.read_bytes().partition(b"\n")[2]
        self._write(header, rest)
        return header

    def _write(self, header: Header, rest: bytes) -> None:
        with new_file(self.path) as scratch, scratch.open("wb") as file:
            file.write(msgspec.json.encode(header_record(header)) + b"\n" + rest)
            file.flush()
            os.fsync(file.fileno())
        folder = os.open(self.path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)

    def _repair(self) -> None:
        """Take away what stands after the last whole line."""
        if not self.path.exists():
            return
        data = self.path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.truncate(self.path, whole)

    def _read(self) -> list[Prediction]:
        found = []
        for number, line in enumerate(self.path.read_bytes().splitlines()[1:], 2):
            try:
                found.append(decode_json(line, file=self.path, type=Prediction))
            except BadInput as error:
                raise BadInput(f"is damaged ({error.reason})", file=self.path, record=f"line {number}") from None
        return found


def _longer(header: Header, begun: Header) -> bool:
    new = header.selection.limit if header.selection else None
    old = begun.selection.limit if begun.selection else None
    return old is not None and (new is None or new > old)


def _identity(header: Header) -> dict[str, Any]:
    splits = header.selection.splits if header.selection else ()
    kept = {name: value for name, value in header.settings.items() if name not in _FREE}
    return {"dataset": header.dataset, "model": header.model, "splits": list(splits), **kept}


def _compare(begun: Header, header: Header, path: Path) -> None:
    before, now = _identity(begun), _identity(header)
    for name in sorted({*before, *now}):
        if before.get(name) != now.get(name):
            reason = f"the run was begun with {before.get(name)!r}, not {now.get(name)!r}; give --name for a new one"
            raise BadInput(reason, file=path, field=name)
