"""Writing whole folders, and keeping a folder to oneself while writing into it."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mereo.errors import BadInput
from mereo.files import new_mode, sync, sync_later, unwritable

__all__ = ["alone_in", "is_taken", "new_folder", "sweep"]

_LOCK = ".lock"
_NO_LOCKS = (errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK)
"""What file systems answer that know no locks: there people have to keep apart themselves."""
_FEW = 64
"""So many files are brought to the disk one by one; for more it is faster to have all of the machine's written out."""


def is_taken(folder: Path) -> bool:
    """Whether anything lies in a folder but the lock of somebody who writes there, or was killed."""
    return folder.is_dir() and any(path.name != _LOCK for path in folder.iterdir())


@contextmanager
def alone_in(folder: str | Path) -> Iterator[None]:
    """Keep every other mereo from writing into a folder until the block ends. It is made where it is not there."""
    place = Path(folder)
    made = not place.exists()
    try:
        place.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise BadInput("is a file, not a folder", file=folder) from None
    except OSError as error:
        raise unwritable(error, folder) from None
    try:
        with _held(place / _LOCK, place):
            yield
    finally:
        if made and place.is_dir() and not any(place.iterdir()):
            place.rmdir()


@contextmanager
def new_folder(path: str | Path) -> Iterator[Path]:
    """A scratch folder beside the target which becomes the target when the block ends well, and vanishes otherwise.

    What is written into it is brought to the disk once, before it gets its name: one by one, pictures take two to three
    times as long.
    """
    target = Path(path).resolve()
    taken = BadInput("is not empty: give another folder", file=path)
    if target.is_file():
        raise BadInput("is a file, not a folder", file=path)
    if is_taken(target):
        raise taken
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(error, path) from None
    with _held(target.with_name(f".{target.name}{_LOCK}"), path):
        for old in _left_behind(target):
            shutil.rmtree(old)
        scratch = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part"))
        try:
            with sync_later():
                yield scratch
            scratch.chmod(new_mode(0o777))
            _sync_all(scratch)
            scratch.rename(target)
            sync(target.parent)
        except OSError as error:
            if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                raise taken from None
            raise
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Take away what those left behind in a folder who were killed while they wrote new ones there."""
    for path in folder.glob(f".*{_LOCK}"):
        path.unlink()
    for path in folder.glob(".*.part"):
        shutil.rmtree(path)


def _left_behind(target: Path) -> list[Path]:
    """The scratch folders of those that were killed while they wrote this one."""
    ours = re.compile(rf"\.{re.escape(target.name)}\.\w{{8}}\.part")
    return [path for path in target.parent.iterdir() if ours.fullmatch(path.name) and path.is_dir()]


def _sync_all(folder: Path) -> None:
    content = list(folder.rglob("*"))
    if len(content) > _FEW:
        os.sync()
        return
    for path in (*content, folder):
        sync(path)


@contextmanager
def _held(path: Path, place: str | Path) -> Iterator[None]:
    """Hold the lock of a place. The system lets go of it when a process ends, however that ends."""
    try:
        file = _taken(path, place)
    except OSError as error:
        raise unwritable(error, place) from None
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(file)


def _taken(path: Path, place: str | Path) -> int:
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            raise BadInput("another mereo is writing here", file=place) from None
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                os.close(file)
                raise
        if _is_at(file, path):
            return file
        os.close(file)  # whoever held it has just taken it away


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False
