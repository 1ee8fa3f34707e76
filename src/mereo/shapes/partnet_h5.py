"""The HDF5 files of PartNet's segmentation tasks, with the fields that its scripts read and write.

A file holds up to 1,024 shapes and appears whole or not at all. `KINDS` says what stands in which: the type and the
axes of each field, with B shapes, N points, K instances and C labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain, count, islice
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import msgspec
import numpy as np
from numpy.typing import NDArray

from mereo.errors import BadInput, MereoError, MissingExtra, UnknownName
from mereo.files import new_file, read_json
from mereo.shapes.partnet_points import PointSample
from mereo.shapes.partnet_tree import PartInstance
from mereo.shapes.segmentation import hierarchical_labels, instance_masks, level_names, normalized, point_labels
from mereo.shapes.template import AndOrTemplate

__all__ = ["KINDS", "Example", "read_h5", "read_npz", "read_records", "row_of", "write_h5", "write_split"]

KINDS = {
    "instance": {"pts": "f4 B N 3", "nor": "f4 B N 3", "rgb": "u1 B N 3", "opacity": "f4 B N", "label": "i4 B N"},
    "semantic": {"data": "f4 B N 3", "label_seg": "u1 B N"},
    "hierarchical": {"data": "f4 B N 3", "label_hier": "? B N C"},
    "detection": {
        "pts": "f4 B N 3",
        "gt_mask": "? B K N",
        "gt_label": "u1 B K|N",  # PartNet's own script labels points here, not masks; both are read
        "gt_valid": "? B K",
        "gt_other_mask": "? B N",
    },
    "truth": {"gt_mask": "? B K N", "gt_mask_label": "u1 B K", "gt_mask_valid": "? B K", "gt_mask_other": "? B N"},
    "predictions": {"mask": "? B K N", "label": "u1 B K", "valid": "? B K", "conf": "f4 B K"},
    "labels": {"label_seg": "u1 B N"},
    "nodes": {"label_hier": "? B N C"},
}
_PREDICTED = {"predictions", "labels", "nodes"}
"""The kinds of files that only models write."""
MOST_SHAPES = 1024
_MOST_PACKED = 1100
"""Numbers that a byte of a file may stand for: as many as its packing can do."""

Row = Mapping[str, NDArray[Any]]
"""The fields of one shape."""


class Example(NamedTuple):
    """One shape as the tasks see it."""

    record: Mapping[str, Any]
    """What it is called: `anno_id` and `model_id`."""
    sample: PointSample
    instances: Sequence[PartInstance]
    template: AndOrTemplate | None
    """What says which labels there are; instance files do without."""


def row_of(example: Example, kind: str, *, level: int = 3) -> Row:
    """What a file of a kind holds of a shape. Labels of points and `gt_label` count from 1, `gt_mask_label` from 0."""
    _, sample, instances, template = example
    points = normalized(sample.points)
    if kind == "instance":
        return {
            "pts": points,
            "nor": sample.normals,
            "rgb": sample.colors,
            "opacity": sample.opacity,
            "label": sample.leaf,
        }
    if template is None:
        raise BadInput(f"no template says which parts {kind} files tell apart", record=_name(example))
    if kind == "hierarchical":
        return {"data": points, "label_hier": hierarchical_labels(sample.leaf, instances, template)}
    names = level_names(template, level)
    if kind == "semantic":
        return {"data": points, "label_seg": point_labels(sample.leaf, instances, names)}
    try:
        mask, label, valid, other = instance_masks(sample.leaf, instances, names)
    except BadInput as error:
        raise error.within(record=_name(example)) from None
    if kind == "detection":
        counted = np.where(valid, label + 1, 0).astype(np.uint8)
        return {"pts": points, "gt_label": counted, "gt_mask": mask, "gt_valid": valid, "gt_other_mask": other}
    if kind == "truth":
        return {"gt_mask": mask, "gt_mask_label": label, "gt_mask_valid": valid, "gt_mask_other": other}
    raise UnknownName("kind of file for shapes", kind, sorted(KINDS.keys() - _PREDICTED))


def _name(example: Example) -> str:
    return f"shape {example.record.get('anno_id')}"


def write_split(
    folder: Path,
    split: str,
    examples: Iterable[Example],
    *,
    kind: str,
    level: int = 3,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Path]:
    """Write shapes as `SPLIT-00.h5`, `SPLIT-01.h5` and so on; files with instances get their records beside them."""
    written: list[Path] = []
    waiting = iter(examples)
    for number in count():
        first = next(waiting, None)
        if first is None:
            break
        path = folder / f"{split}-{number:02d}.h5"
        records: list[dict[str, Any]] = []
        rows = _rows(chain([first], islice(waiting, MOST_SHAPES - 1)), records, kind, level, progress)
        write_h5(path, kind, rows, records=records if kind in ("instance", "detection", "truth") else None)
        written.append(path)
    return written


def _rows(
    examples: Iterable[Example], records: list[dict[str, Any]], kind: str, level: int, progress: Callable[[int], None]
) -> Iterator[Row]:
    """The rows of shapes one by one, as all masks of a file together would fill the memory."""
    for example in examples:
        yield row_of(example, kind, level=level)
        records.append(_record(example))
        progress(1)


def _record(example: Example) -> dict[str, Any]:
    parts = [{"part_name": part.path, "leaf_id_list": part.leaves} for part in example.instances]
    return {**example.record, "ins_seg": parts}


def write_h5(path: Path, kind: str, rows: Iterable[Row], *, records: Sequence[Any] | None = None) -> None:
    """Write one file, a row for each shape, and the records as JSON beside it."""
    h5py, fields = _h5py(), _fields(kind)
    with ExitStack() as stack:
        scratch = stack.enter_context(new_file(path))
        beside = stack.enter_context(new_file(path.with_suffix(".json"))) if records is not None else None
        file = stack.enter_context(h5py.File(scratch, "w"))
        number = 0
        for number, row in enumerate(rows, start=1):
            if number > MOST_SHAPES:
                raise BadInput(f"a file holds at most {MOST_SHAPES:,} shapes", file=path)
            for name, (dtype, _) in fields.items():
                value = np.asarray(row[name], dtype)
                if number == 1:
                    room = {"shape": (0, *value.shape), "maxshape": (MOST_SHAPES, *value.shape)}
                    file.create_dataset(
                        name, **room, chunks=(1, *value.shape), dtype=dtype, compression="gzip", compression_opts=4
                    )
                if file[name].shape[1:] != value.shape:
                    reason = f"has the shape {value.shape}, not {file[name].shape[1:]} as those before"
                    raise BadInput(reason, file=path, record=f"shape {number - 1}", field=name)
                file[name].resize(number, axis=0)
                file[name][number - 1] = value
        if not number:
            raise BadInput("there are no shapes to write", file=path)
        if beside is not None:
            beside.write_bytes(msgspec.json.encode(records))


def read_h5(path: Path, kind: str, *, rows: slice = slice(None)) -> dict[str, NDArray[Any]]:
    """All fields of a file, checked: they are there, of the right type, and agree on how many there are of what.

    rows : the shapes to read
    """
    h5py, fields = _h5py(), _fields(kind)
    sizes: dict[str, int] = {}
    found: dict[str, NDArray[Any]] = {}
    if not path.is_file():
        raise BadInput("there is no such file", file=path)
    if not h5py.is_hdf5(path):
        raise BadInput("is not an HDF5 file", file=path)
    with _whole_h5(path), h5py.File(path, "r") as file:
        for name, (dtype, axes) in fields.items():
            if name not in file or not isinstance(file[name], h5py.Dataset):
                raise BadInput(f"is missing from this file of kind {kind}", file=path, field=name)
            value = file[name]
            _check_field(value, dtype, axes, sizes, file=path, field=name)
            if value.nbytes > _MOST_PACKED * (value.id.get_storage_size() + 1):
                raise BadInput("has more numbers than the file holds", file=path, field=name)
            found[name] = value[rows]
    return found


def read_npz(path: Path, kind: str) -> dict[str, NDArray[Any]]:
    """The same fields as arrays of an NPZ file, checked likewise."""
    sizes: dict[str, int] = {}
    found: dict[str, NDArray[Any]] = {}
    if not path.is_file():
        raise BadInput("there is no such file", file=path)
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in _fields(kind) if name in file.files}
    except (OSError, ValueError, EOFError, TypeError, AttributeError, BadZipFile) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise BadInput(f"is not a whole NPZ file ({reason})", file=path) from None
    for name, (dtype, axes) in _fields(kind).items():
        if name not in arrays:
            raise BadInput(f"is missing from this file of kind {kind}", file=path, field=name)
        _check_field(arrays[name], dtype, axes, sizes, file=path, field=name)
        found[name] = arrays[name]
    return found


def _check_field(
    value: Any, dtype: np.dtype[Any], axes: list[str], sizes: dict[str, int], *, file: Path, field: str
) -> None:
    """Complain of an array of another type or shape; sizes met for the first time are kept."""
    if value.dtype != dtype:
        raise BadInput(f"holds {value.dtype}, not {dtype}", file=file, field=field)
    if not _fits(value.shape, axes, sizes):
        raise BadInput(f"has the shape {value.shape}, not {' x '.join(axes)}", file=file, field=field)


@contextmanager
def _whole_h5(path: Path) -> Iterator[None]:
    """Where an HDF5 file is read: the library fails in as many ways as a file can be damaged."""
    try:
        yield
    except MereoError:
        raise
    except (OSError, LookupError, RuntimeError, TypeError, ValueError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise BadInput(f"is not a whole HDF5 file ({reason})", file=path) from None


def _fits(shape: tuple[int, ...], axes: list[str], sizes: dict[str, int]) -> bool:
    """Whether a shape has these axes; sizes met for the first time are kept."""
    if len(shape) != len(axes):
        return False
    for size, axis in zip(shape, axes, strict=True):
        letters = axis.split("|")
        if len(letters) == 1:
            sizes.setdefault(axis, int(axis) if axis.isdecimal() else size)
        if size not in {sizes.get(letter) for letter in letters}:
            return False
    return True


def read_records(path: Path) -> list[dict[str, Any]]:
    """The records beside a file of instances: of each shape its `ins_seg` among others."""
    return read_json(path.with_suffix(".json"), type=list[dict[str, Any]])


def _fields(kind: str) -> dict[str, tuple[np.dtype[Any], list[str]]]:
    if kind not in KINDS:
        raise UnknownName("kind of segmentation file", kind, KINDS)
    return {name: (np.dtype(dtype), axes) for name, (dtype, *axes) in ((n, s.split()) for n, s in KINDS[kind].items())}


def _h5py() -> Any:
    try:
        import h5py
    except ImportError:
        raise MissingExtra("HDF5", "scenes") from None
    return h5py
