"""From a library to the files of a segmentation task, by category and split, laid out as PartNet's release is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from mereo.chance import generator
from mereo.errors import BadInput, UnknownName
from mereo.folders import alone_in
from mereo.shapes.library import Library
from mereo.shapes.partnet import partnet_name, read_annotation, read_partnet
from mereo.shapes.partnet_h5 import Example, write_split
from mereo.shapes.partnet_points import read_points, sample_of
from mereo.shapes.partnet_tree import tree_instances
from mereo.shapes.points import cloud
from mereo.shapes.template import all_templates

__all__ = ["BY_LEVEL", "Written", "example_of", "task_folder", "write_task"]

_FOLDERS = {
    "instance": "ins_seg_h5",
    "semantic": "sem_seg_h5",
    "hierarchical": "hier_seg_h5",
    "detection": "ins_seg_h5_for_detection",
    "truth": "ins_seg_h5_gt",
}
BY_LEVEL = ("semantic", "detection", "truth")
"""The tasks whose files are of one level each."""


class Written(NamedTuple):
    """What a task came to."""

    files: list[Path]
    left_out: list[str]
    """Categories in which the task tells no parts apart."""


def example_of(folder: Path, *, points: int = 10_000, seed: int = 0) -> Example:
    """A shape's folder as an example: its own point sample where it has one of that size, or a new one."""
    known = read_annotation(folder)
    sample = read_points(folder, points)
    if sample is None:
        shape = read_partnet(folder, raw=True)
        if not shape.leaves():
            raise BadInput("has neither a point sample nor meshes to draw one from", file=folder)
        sample = sample_of(shape, cloud(shape, points, rng=generator(seed, "points", shape.name)))
    record = {"anno_id": known.meta.anno_id, "model_id": known.meta.model_id}
    return Example(record, sample, tree_instances(known.raw, known.merged), known.template)


def write_task(
    library: Library,
    out: Path,
    *,
    kind: str,
    level: int = 3,
    points: int = 10_000,
    seed: int = 0,
    progress: Callable[[int], None] = lambda done: None,
) -> Written:
    """Write all shapes of a library; those of no known split count as training shapes."""
    if kind not in _FOLDERS:
        raise UnknownName("segmentation task", kind, _FOLDERS)
    groups: dict[tuple[str, str], list[Path]] = defaultdict(list)
    for folder, shape in zip(library.folders, library.trees(), strict=True):
        groups[shape.category, str(shape.facts.get("split", "train"))].append(folder)
    written = Written([], [])
    for (category, split), folders in sorted(groups.items()):
        if not _tells_apart(category, kind, level):
            written.left_out.append(category)
            continue
        examples = (example_of(folder, points=points, seed=seed) for folder in folders)
        target = out / task_folder(category, kind, level)
        with alone_in(target):
            written.files.extend(write_split(target, split, examples, kind=kind, level=level, progress=progress))
    if not written.files:
        at = f" at level {level}" if kind in BY_LEVEL else ""
        raise BadInput(f"has no category with parts for the task {kind}{at}", file=library.path)
    return written


def task_folder(category: str, kind: str, level: int) -> Path:
    """Where PartNet has the files of a task, as `sem_seg_h5/Chair-3`."""
    return Path(_FOLDERS[kind]) / (partnet_name(category) + (f"-{level}" if kind in BY_LEVEL else ""))


def _tells_apart(category: str, kind: str, level: int) -> bool:
    template = all_templates().get(category)
    if kind in BY_LEVEL:
        return template is not None and bool(template.level(level))
    return kind == "instance" or (template is not None and bool(template.hierarchical()))
