"""Reading and writing files so that a person's mistake is named exactly and nothing is ever left half-written."""

from __future__ import annotations

import errno
import math
import mmap
import os
import tempfile
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from mereo.errors import BadInput

__all__ = [
    "chunks_of",
    "converted",
    "decode_json",
    "decode_toml",
    "decoder",
    "is_finite",
    "new_file",
    "new_mode",
    "read_bytes",
    "read_chunks",
    "read_json",
    "read_pieces",
    "read_toml",
    "sync",
    "sync_later",
    "unwritable",
    "write_bytes",
]

T = TypeVar("T")

_LATER: ContextVar[bool] = ContextVar("later", default=False)
_FULL = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "your share of the disk is used up",
    errno.EFBIG: "would be larger than a file may be here",
}
_CHUNK = 1 << 20
_DECODERS: dict[Any, msgspec.json.Decoder[Any]] = {}
_BUILDING = threading.Lock()


def read_bytes(path: str | Path) -> bytes:
    """The content of a file that a person named."""
    with _named(path):
        return Path(path).read_bytes()


def read_chunks(path: str | Path) -> Iterator[bytes]:
    """The content of a file that a person named, piece by piece."""
    with _named(path), Path(path).open("rb") as file:
        yield from chunks_of(file)


def chunks_of(file: IO[bytes]) -> Iterator[bytes]:
    """What is left of an open file, piece by piece."""
    while chunk := file.read(_CHUNK):
        yield chunk


@contextmanager
def _named(path: str | Path) -> Iterator[None]:
    """What may be wrong with a file that a person named."""
    try:
        yield
    except FileNotFoundError:
        raise BadInput("there is no such file", file=path) from None
    except IsADirectoryError:
        raise BadInput("is a folder, not a file", file=path) from None
    except OSError as error:
        raise BadInput(f"cannot be read ({error.strerror})", file=path) from None


def read_json(path: str | Path, *, type: type[T]) -> T:
    """A JSON file, checked against a msgspec type."""
    return decode_json(read_bytes(path), file=path, type=type)


def decoder(type: type[T]) -> msgspec.json.Decoder[T]:
    """What decodes JSON of a type, made once.

    Msgspec works out what a type is when it is first used, and is not safe where two threads do so at once. So nobody
    hands it a type but here.
    """
    found = _DECODERS.get(type)
    if found is None:
        with _BUILDING:
            found = _DECODERS.setdefault(type, msgspec.json.Decoder(type))
    return found


def read_pieces(path: str | Path, *, type: type[T]) -> T:
    """A JSON file of any size, mapped into memory and not read.

    type : leaves as `msgspec.Raw` what is decoded piece by piece later, with `decode_json`; until then a piece is only
    known to be JSON. A file must not be cut short while its pieces are in use.
    """
    with _named(path), Path(path).open("rb") as file:
        empty = os.fstat(file.fileno()).st_size == 0
        data = b"" if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return decode_json(data, file=path, type=type)


def decode_json(data: bytes | mmap.mmap, *, file: object, type: type[T]) -> T:
    """JSON text, checked against a msgspec type; complaints carry line and column, or the field."""
    try:
        if isinstance(data, bytes) and not data.isascii():
            data.decode()  # what is skipped is not looked at otherwise
        return decoder(type).decode(data)
    except msgspec.ValidationError as error:
        raise _misfit(error, file) from None
    except msgspec.DecodeError as error:
        raise BadInput(_malformed(data[:], str(error)), file=file) from None
    except UnicodeDecodeError as error:
        raise BadInput(f"is not JSON: not UTF-8 at {_place(data[:], error.start)}", file=file) from None
    except RecursionError:
        raise BadInput("is not JSON we can read: nested too deeply", file=file) from None


def converted(value: Any, *, file: object, type: type[T]) -> T:
    """Plain values, as TOML gives them, as a msgspec type."""
    decoder(type)  # makes the type known to msgspec, see there
    try:
        return msgspec.convert(value, type)
    except msgspec.ValidationError as error:
        raise _misfit(error, file) from None


def _misfit(error: msgspec.ValidationError, file: object) -> BadInput:
    """What msgspec complains of, with the field apart."""
    reason, _, at = str(error).partition(" - at `")
    return BadInput(_lower(reason), file=file, field=at.removesuffix("`").removeprefix("$.") or None)


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as plain dictionaries."""
    return decode_toml(read_bytes(path), file=path)


def decode_toml(data: bytes, *, file: object) -> dict[str, Any]:
    """TOML text as plain dictionaries."""
    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        raise BadInput(f"is not TOML: not UTF-8 at {_place(data, error.start)}", file=file) from None
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"is not TOML: {_lower(str(error))}", file=file) from None
    except RecursionError:
        raise BadInput("is not TOML we can read: nested too deeply", file=file) from None


def is_finite(number: int | float) -> bool:
    """Whether a number can be reckoned with: not infinite, not NaN, not an integer beyond all floats."""
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


@contextmanager
def new_file(path: str | Path) -> Iterator[Path]:
    """A scratch path beside the target which becomes the target when the block ends well, and vanishes otherwise.

    What the file holds is on the disk before the file has its name, and the name when this ends: a power cut leaves
    the old file or the new one, never an empty one.
    """
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    except OSError as error:
        raise unwritable(error, path) from None
    os.close(handle)
    scratch = Path(name)
    try:
        yield scratch
        scratch.chmod(new_mode(0o666))
        if not _LATER.get():
            sync(scratch)
        scratch.replace(target)
        if not _LATER.get():
            sync(target.parent)
    except IsADirectoryError:
        raise BadInput("is a folder, not a file", file=path) from None
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise unwritable(error, path) from None
    finally:
        scratch.unlink(missing_ok=True)


@contextmanager
def sync_later() -> Iterator[None]:
    """Files that are written in the block are not brought to the disk one by one; whoever opens it does that."""
    before = _LATER.set(True)
    try:
        yield
    finally:
        _LATER.reset(before)


def sync(path: Path) -> None:
    """Bring a file, or the names in a folder, to the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno != errno.EINVAL:  # the answer of file systems that cannot do this for a folder
            raise
    finally:
        os.close(opened)


def unwritable(error: OSError, path: str | Path) -> BadInput:
    """Why a file or folder cannot be written, as a sentence."""
    return BadInput(_FULL.get(error.errno or 0, f"cannot be written ({error.strerror})"), file=path)


def new_mode(wanted: int) -> int:
    """The permissions of a new file or folder, of which whoever runs this may not want to give all."""
    mask = os.umask(0)
    os.umask(mask)
    return wanted & ~mask


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write a whole file or nothing."""
    with new_file(path) as scratch:
        scratch.write_bytes(data)


def _malformed(data: bytes, message: str) -> str:
    """Msgspec's complaint with its byte offset as line and column, which is what an editor can jump to."""
    if not data.strip():
        return "is not JSON: the file is empty"
    text, _, offset = message.partition("(byte ")
    if not offset:
        return f"is not JSON: {_lower(message)}, after {_place(data, len(data))}"
    position = int(offset.rstrip(")"))
    if data[position:].startswith((b"NaN", b"Infinity", b"-Infinity")) or data[position - 1 :].startswith(b"-Inf"):
        return f"is not JSON: NaN or Infinity at {_place(data, position)}"
    return f"is not JSON: {_lower(text.removeprefix('JSON is malformed: ').strip())} at {_place(data, position)}"


def _place(data: bytes, position: int) -> str:
    before = data[:position]
    newlines, line_start = before.count(b"\n"), before.rfind(b"\n") + 1
    return f"line {newlines + 1}, column {position - line_start + 1}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
