"""Shapes of one's own, which no grammar makes: each lies in a folder in PartNet's layout, and goes by what it holds.

    shapes/my_chair-3fa94be1c2d05e71/

The digits are those of its content, so that a name means one shape and no other. A process finds shapes in the folders
that it was told to look in, such as those of the datasets that it has opened.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mereo.errors import BadInput
from mereo.files import read_bytes, write_bytes
from mereo.names import plain_name

if TYPE_CHECKING:
    from mereo.shapes.part import Shape

__all__ = ["copy_shapes", "digits_of", "files_of", "keep_shape", "look_in", "own_shape"]

_LONGEST = 100
"""Letters of a file's name that a shape's name begins with."""
_PLACES: list[Path] = []
"""Where this process looks, the latest last."""


def look_in(folder: Path) -> None:
    """Find shapes in a folder from now on, before all others, if there is one."""
    place = folder.resolve()
    others = [known for known in _PLACES if known != place]
    _PLACES[:] = [*others, place] if place.is_dir() else others  # at once, as others may be looking


def own_shape(name: str) -> Shape:
    """The shape of this name."""
    from mereo.shapes.partnet import read_partnet

    folder = _folders(name)[0]
    shape = read_partnet(folder)
    if _digits(shape) != digits_of(name):
        raise BadInput("does not hold the shape that it is named after", file=folder)
    return shape


def keep_shape(shape: Shape, called: str) -> str:
    """Keep a shape as long as this process runs, so that it is found; gives its name.

    called : what its file is called; the name begins like it
    """
    from mereo.shapes.partnet import is_partnet, write_partnet

    plain = re.sub(r"[^\w.-]", "_", called).lstrip(".-")[:_LONGEST] or "shape"
    name = f"{plain}-{_digits(shape)}"
    place = Path(_kept().name)
    if not is_partnet(place / name):
        write_partnet(shape, place / name)
    look_in(place)
    return name


def copy_shapes(names: Iterable[str], target: Path) -> None:
    """Bring shapes into a folder; what lies there under their names is replaced."""
    for name in names:
        source = _folders(name, beside=target.resolve())[0]
        shutil.rmtree(target / name, ignore_errors=True)
        for file in files_of(source):
            write_bytes(target / name / file.relative_to(source), read_bytes(file))


def files_of(folder: Path) -> list[Path]:
    """All files of a shape's folder, in order."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def digits_of(name: str) -> str:
    """The end of a name, which two shapes share only if they are the same."""
    return name.rpartition("-")[2]


def _folders(name: str, *, beside: Path | None = None) -> list[Path]:
    """Where a shape lies, at least one folder. beside : a place not to look in"""
    from mereo.shapes.partnet import is_partnet

    plain_name(name, field="own")
    found = [place / name for place in [*_PLACES][::-1] if place != beside and is_partnet(place / name)]
    if not found:
        raise BadInput(f"there is no shape '{name}' here: open the dataset that it belongs to")
    return found


@cache
def _kept() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="mereo-shapes-")


def _digits(shape: Shape) -> str:
    """What a shape is, part by part, in sixteen digits; not what it is called or how it came about."""
    told = hashlib.sha256(shape.category.encode())
    for part in shape.parts():
        told.update(f"\n{part.id} {part.label}\n".encode())
        if part.mesh is not None:
            told.update(part.mesh.vertices.astype("<f8").tobytes() + b"\n" + part.mesh.faces.astype("<i4").tobytes())
        for piece in part.pieces:
            told.update(b"\n" + piece.astype("<f8").tobytes())
        if part.material or part.joint:
            told.update(f"\n{part.material} {part.joint}".encode())
    return told.hexdigest()[:16]
