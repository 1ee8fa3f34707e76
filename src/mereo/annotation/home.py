"""Where a project lives: its files by name, in a folder or in a database. Nobody else asks which of both it is."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from mereo.files import new_file, read_chunks

__all__ = ["FILE", "KEPT", "TEMPLATE", "Files", "FolderHome", "Home"]

FILE = "project.toml"
TEMPLATE = "template.toml"
KEPT = ("shapes", "meshes")
"""The folders whose files are what the project is made of; others hold what can be made again."""

Files = Iterable[tuple[str, Iterable[bytes]]]
"""Names, such as `meshes/1f….bin`, and what they hold, piece by piece."""


class Home(ABC):
    """The files of one project. As a text it is what people may see of where that is."""

    @abstractmethod
    def place(self, name: str) -> str:
        """Where a file lies, as complaints tell it."""

    @abstractmethod
    def has(self, name: str) -> bool:
        """Whether there is such a file."""

    @abstractmethod
    def chunks(self, name: str) -> Iterator[bytes]:
        """What a file holds, piece by piece."""

    @abstractmethod
    def names(self, folder: str) -> list[str]:
        """The names of all files below a folder, sorted."""

    @abstractmethod
    def keep(self, files: Files) -> None:
        """Write whole files, over those that have these names; they are on the disk when this ends."""

    @abstractmethod
    def scratch(self) -> AbstractContextManager[str]:
        """A folder for a while, with room for as much as a project may bring in."""

    @abstractmethod
    def beside(self, path: str) -> Path:
        """A path that the settings name."""

    def read(self, name: str) -> bytes:
        """What a file holds."""
        return b"".join(self.chunks(name))

    def write(self, name: str, data: bytes) -> None:
        """Write one whole file or nothing."""
        self.keep([(name, [data])])


@dataclass(frozen=True)
class FolderHome(Home):
    """A project that is a folder."""

    folder: Path

    def __str__(self) -> str:
        """As it was named."""
        return str(self.folder)

    def place(self, name: str) -> str:
        """A path."""
        return str(self.folder / name)

    def has(self, name: str) -> bool:
        """Whether it is a file there."""
        return (self.folder / name).is_file()

    def chunks(self, name: str) -> Iterator[bytes]:
        """Of the file."""
        return read_chunks(self.folder / name)

    def names(self, folder: str) -> list[str]:
        """Without links, and without what somebody is still writing."""
        found = []
        for place, below, files in os.walk(self.folder / folder):
            below[:] = [one for one in below if not one.startswith(".")]
            paths = (Path(place) / file for file in files if not file.startswith("."))
            found += [path.relative_to(self.folder).as_posix() for path in paths if not path.is_symlink()]
        return sorted(found)

    def keep(self, files: Files) -> None:
        """One by one."""
        for name, chunks in files:
            with new_file(self.folder / name) as scratch, scratch.open("wb") as file:
                file.writelines(chunks)

    def scratch(self) -> AbstractContextManager[str]:
        """On the same disk."""
        return TemporaryDirectory(dir=self.folder, prefix=".unpacked-")

    def beside(self, path: str) -> Path:
        """From the folder on."""
        return self.folder / path
