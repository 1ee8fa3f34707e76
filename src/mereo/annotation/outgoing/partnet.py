"""Annotated shapes in PartNet's layouts: a folder each, a library that `mereo build` takes, and HDF5 for networks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from mereo.annotation.outgoing.annotated import Annotated, shape_of
from mereo.errors import BadInput
from mereo.folders import alone_in
from mereo.names import plain_name
from mereo.shapes.library import Library, begin_library, finish_library
from mereo.shapes.partnet import write_partnet
from mereo.shapes.tasks import BY_LEVEL, write_task
from mereo.shapes.template import all_templates

__all__ = ["write_folder", "write_folders", "write_hdf5", "write_library"]

_POINTS = 10_000


def write_folder(given: Annotated, folder: Path) -> None:
    """Write a shape as a new PartNet folder, in the coordinates of its file turned y up."""
    write_partnet(shape_of(given, original=True), folder)


def write_folders(every: Iterable[Annotated], out: Path) -> list[Path]:
    """Write shapes as PartNet folders `CATEGORY/NAME`."""
    found = []
    for given in every:
        found.append(_place(given, out))
        write_folder(given, found[-1])
    return found


def write_library(every: Sequence[Annotated], out: Path, *, customs: bool = True) -> Library:
    """Write shapes as a library, each resting on z = 0 about the origin: what a TOML file of own objects names.

    customs : whether parts stay that the template does not know; `mereo build` refuses those in some benchmarks
    """
    if not every:
        raise BadInput("there are no shapes to write", file=out)
    with alone_in(out):
        begin_library(out, None, resume=False)
        for given in every:
            write_partnet(shape_of(given, customs=customs), _place(given, out))
        return finish_library(out, None, [_place(given, Path()) for given in every])


def write_hdf5(every: Sequence[Annotated], out: Path, *, points: int = _POINTS, seed: int = 0) -> list[Path]:
    """Write shapes as the HDF5 files of all of PartNet's segmentation tasks that their templates have.

    Shapes are training shapes unless a fact `split` says otherwise. Parts that the template does not know have points
    of no label.
    """
    written: list[Path] = []
    with TemporaryDirectory(prefix="mereo-annotated-") as scratch:
        library = write_library(every, Path(scratch) / "library")
        for kind, level in _tasks({given.category for given in every}):
            written += write_task(library, out, kind=kind, level=level, points=points, seed=seed).files
    return written


def _tasks(categories: set[str]) -> list[tuple[str, int]]:
    """The tasks and levels that tell parts of some category apart."""
    known = [template for name, template in all_templates().items() if name in categories]
    levels = sorted({level for template in known for label in template.labels.values() for level in label.levels})
    found = [("instance", 0), *((kind, level) for kind in BY_LEVEL for level in levels)]
    return found + [("hierarchical", 0)] if any(template.hierarchical() for template in known) else found


def _place(given: Annotated, out: Path) -> Path:
    return out / plain_name(given.category, field="category") / plain_name(given.name, field="name")
