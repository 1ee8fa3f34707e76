"""A prediction file that grows answer by answer and survives being killed at any moment."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from mereo.datasets.predictions import Header, Prediction, header_record, read_header
from mereo.errors import BadInput, differing
from mereo.files import decode_json, write_bytes
from mereo.folders import alone_in

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
        with ExitStack() as stack:
            stack.enter_context(alone_in(path.parent))
            self.header = self._begin(header)
            self.given = {one.question_id: one for one in self._read()}
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND)
            stack.callback(os.close, self._file)
            self._held = stack.pop_all()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._held.close()

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
        write_bytes(self.path, msgspec.json.encode(header_record(header)) + b"\n" + rest)

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
    different = differing(_identity(begun), _identity(header))
    if different:
        raise BadInput(f"the run was begun with {different}; give --name for a new one", file=path)
