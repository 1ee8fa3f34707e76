"""A dataset on disk: a folder that explains itself, with Parquet shards that appear whole or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from mereo.datasets.footer import name_layout
from mereo.errors import BadInput
from mereo.files import new_file, read_json, write_bytes
from mereo.names import inside, plain_name
from mereo.shapes.own import look_in

__all__ = [
    "AMODAL_FIELDS",
    "HEAVY",
    "IMAGE_FIELDS",
    "IMAGE_FORMATS",
    "KINDS",
    "PICTURE_FIELDS",
    "QUESTION_FIELDS",
    "SCENE_FIELDS",
    "SHAPES",
    "LeftOut",
    "Manifest",
    "Shard",
    "as_table",
    "beside",
    "checksum",
    "fingerprint",
    "open_dataset",
    "own_shapes",
    "read_table",
    "sealed",
    "shard_path",
    "whole_parquet",
    "with_text",
]

MANIFEST = "dataset.json"
SHAPES = "shapes"
"""The folder of the own shapes in a dataset's scenes."""
_OPENED: list[Path] = []
"""The folders of the datasets that this process has opened, the latest last."""
VERSION = 1
KINDS = ("scenes", "questions")
"""What there are shards of."""

SCENE_FIELDS = pa.schema(
    [
        ("scene_id", pa.string()),
        ("split", pa.string()),
        ("index", pa.int32()),
        ("objects", pa.int32()),
        ("scene", pa.string()),
    ]
)
"""Columns of a scene shard: `scene` is the whole scene as JSON in its benchmark's own format."""

_IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])

_PICTURES = ("image", "depth", "instances")

HEAVY = (*_PICTURES, "layout", "amodal", "points", "normals", "leaf", "labels")
"""The columns of a scene shard that only those need who look at pictures or points."""


def _shown(schema: pa.Schema) -> pa.Schema:
    """The columns with a note that makes `datasets` of Hugging Face show pictures as pictures."""
    whole = ("index", "objects")
    features: dict[str, dict[str, str]] = {
        name: {"_type": "Image"}
        if name in _PICTURES
        else {"dtype": "int32" if name in whole else "string", "_type": "Value"}
        for name in schema.names
    }
    return schema.with_metadata({"huggingface": msgspec.json.encode({"info": {"features": features}})})


PICTURE_FIELDS = _shown(
    pa.schema(
        [
            *SCENE_FIELDS,
            *((name, _IMAGE) for name in _PICTURES),
            ("instance_key", pa.string()),
            ("layout", pa.string()),
        ]
    )
)
"""Columns of a scene shard with pictures.

image: PNG or lossless WebP, sRGB · depth: 16-bit PNG, millimeters along the view axis, 0 where there is nothing ·
instances: 16-bit PNG, the number of the part instance that a pixel shows, 0 for none · instance_key: JSON list, for
number n at place n - 1 the object's index, the part's id and its label · layout: the scene as mereo's own JSON, to be
rendered again.
"""


def with_text(fields: pa.Schema, name: str) -> pa.Schema:
    """Columns with one more of text, noted like the others."""
    wider = fields.append(pa.field(name, pa.string()))
    note = (fields.metadata or {}).get(b"huggingface")
    if note is None:
        return wider
    content = msgspec.json.decode(note)
    content["info"]["features"][name] = {"dtype": "string", "_type": "Value"}
    return wider.with_metadata({"huggingface": msgspec.json.encode(content)})


IMAGE_FIELDS = _shown(SCENE_FIELDS.append(pa.field("image", _IMAGE)))
"""Columns of a scene shard with nothing but the picture: photographs, and what others publish without masks."""

AMODAL_FIELDS = _shown(PICTURE_FIELDS.append(pa.field("amodal", pa.string())))
"""The same with amodal masks: JSON, `objects` by index and `instances` by number (n at place n - 1), as COCO's run
lengths of what each would show if nothing stood in front of it."""

QUESTION_FIELDS = pa.schema(
    [
        ("question_id", pa.string()),
        ("scene_id", pa.string()),
        ("split", pa.string()),
        ("type", pa.string()),
        ("subtype", pa.string()),
        ("family", pa.string()),
        ("template", pa.string()),
        ("question", pa.string()),
        ("program", pa.string()),
        ("answer", pa.string()),
        ("referred", pa.list_(pa.list_(pa.int32()))),
    ]
)
"""Columns of a question shard: `referred` holds, for every step of the program, the entities that it refers to."""


_PICTURES_TOGETHER = 32
"""Rows with pictures that are packed together: whoever wants one reads no more than these."""


IMAGE_FORMATS: dict[str, dict[str, Any]] = {
    # Level 4 takes nearly twice as long and saves one part in twenty-five.
    "png": {"format": "PNG", "compress_level": 3},
    # Lossless: a quarter smaller than PNG. Here the quality is the effort, and more of it gains little.
    "webp": {"format": "WEBP", "lossless": True, "method": 1, "quality": 30},
    # Colors at full resolution: legs are a few pixels wide.
    "jpeg": {"format": "JPEG", "quality": 90, "subsampling": 0},
}
"""How a picture can be stored, and what Pillow is told for it. All but JPEG give back the very pixels."""


class Shard(msgspec.Struct, frozen=True):
    """One pair of files: some consecutive scenes of a split, and their questions."""

    split: str
    number: int
    first: int
    stop: int


class FileRecord(msgspec.Struct, frozen=True):
    """A file of a dataset."""

    rows: int
    bytes: int
    sha256: str


class LeftOut(msgspec.Struct, frozen=True):
    """A scene that was asked for and could not be made."""

    scene: str
    """The id that it would have."""
    split: str
    index: int
    reason: str


class Manifest(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a dataset is and how it was made: `dataset.json`."""

    dataset: int
    """The version of this format."""
    benchmark: str
    seed: int
    settings: dict[str, Any]
    versions: dict[str, str]
    scenes: dict[str, int]
    """Number of scenes of each split."""
    questions: dict[str, int]
    files: dict[str, FileRecord]
    license: str | None = None
    """What its makers allow others to do with it, if they have said."""
    asked: dict[str, int] = {}
    """Number of scenes of each split that were asked for: those that are there and those that are left out."""
    left_out: list[LeftOut] = []


def shard_path(folder: Path, kind: str, shard: Shard) -> Path:
    """Where a shard's scenes or questions lie."""
    return folder / kind / f"{shard.split}-{shard.number:05d}.parquet"


def as_table(rows: Mapping[str, Sequence[Any]], schema: pa.Schema) -> pa.Table:
    """Rows as a table. rows : one sequence per column"""
    return pa.table({name: pa.array(rows[name], schema.field(name).type) for name in schema.names}, schema)


def write_table(path: Path, rows: Mapping[str, Sequence[Any]], schema: pa.Schema) -> None:
    """Write a Parquet file whole or not at all. rows : one sequence per column"""
    save_table(path, as_table(rows, schema))


def save_table(path: Path, table: pa.Table) -> None:
    """Write a table as a Parquet file, whole or not at all."""
    together = _PICTURES_TOGETHER if "image" in table.column_names else None
    with new_file(path) as scratch:
        pq.write_table(table, scratch, compression="zstd", row_group_size=together)
        name_layout(scratch)


@contextmanager
def whole_parquet(path: Path) -> Iterator[None]:
    """Where a Parquet file is read: one that is not there, or not whole, is told in a sentence."""
    try:
        yield
    except BadInput:
        raise
    except FileNotFoundError:
        raise BadInput("there is no such file", file=path) from None
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise BadInput(f"is not a whole Parquet file ({reason})", file=path) from None


def read_table(path: Path) -> pa.Table:
    """Read a whole Parquet file, whatever it holds."""
    with whole_parquet(path):
        return pq.read_table(path)


def is_whole(path: Path) -> bool:
    """Whether a Parquet file is there and all of it can be read."""
    try:
        pq.read_table(path)
    except (FileNotFoundError, pa.ArrowInvalid, OSError):
        return False
    return True


def sealed(folder: Path, name: str, manifest: Manifest) -> Path:
    """The path of a shard whose content is what its dataset's fingerprint says; any other is told."""
    path = folder / name
    with whole_parquet(path):
        state = path.stat()
    if not _is_sealed(path, state.st_size, state.st_mtime_ns, manifest.files[name].sha256):
        raise BadInput("is not what dataset.json says: it was changed after the dataset was made", file=path)
    return path


@lru_cache(maxsize=65536)
def _is_sealed(path: Path, size: int, changed: int, sha256: str) -> bool:
    """Looked up once for each state of a file: reading a gigabyte for this takes a second."""
    return checksum(path) == sha256


def beside(manifest: Manifest, name: str) -> Path:
    """A file that goes with a dataset beside its shards, wherever this process has opened one that has it.

    Whoever knows only the manifest finds it by its content, which is what the dataset's fingerprint says.
    """
    for folder in [*_OPENED][::-1]:
        path = folder / name
        if path.is_file():
            state = path.stat()
            if _is_sealed(path, state.st_size, state.st_mtime_ns, manifest.files[name].sha256):
                return path
    raise BadInput("is not what dataset.json says, or the dataset was not opened", file=name)


def checksum(path: Path) -> str:
    """SHA-256 of a file, as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fingerprint(manifest: Manifest) -> str:
    """SHA-256 of all that a dataset's shards hold, by which predictions say what they are predictions for."""
    lines = sorted(f"{name} {record.sha256}\n" for name, record in manifest.files.items())
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def record_file(path: Path) -> FileRecord:
    """What the manifest says of a file; only Parquet has rows."""
    rows = pq.read_metadata(path).num_rows if path.suffix == ".parquet" else 0
    return FileRecord(rows, path.stat().st_size, checksum(path))


def own_shapes(manifest: Manifest) -> tuple[str, ...]:
    """The names of the own shapes that a dataset carries."""
    return tuple(dict.fromkeys(name.split("/")[1] for name in manifest.files if name.startswith(f"{SHAPES}/")))


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write `dataset.json`, which makes a folder a dataset."""
    write_bytes(folder / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")


def open_dataset(folder: str | Path) -> Manifest:
    """The manifest of a finished dataset, whose own shapes and further files are found from now on."""
    path = Path(folder) / MANIFEST
    if not Path(folder).is_dir():
        raise BadInput("is a file, not a folder" if Path(folder).exists() else "there is no such folder", file=folder)
    if not path.exists():
        raise BadInput("is not a dataset: it has no dataset.json", file=folder)
    manifest: Manifest = read_json(path, type=Manifest)
    if manifest.dataset > VERSION:
        raise BadInput(
            f"is of version {manifest.dataset}; this mereo reads up to {VERSION}", file=path, field="dataset"
        )
    _check_names(path, manifest)
    look_in(Path(folder) / SHAPES)
    place = Path(folder).resolve()
    _OPENED[:] = [*(known for known in _OPENED if known != place), place]  # at once, as others may be looking
    return manifest


def _check_names(path: Path, manifest: Manifest) -> None:
    """Whoever opens a dataset of others reads and writes files by the names in its manifest, so these are plain."""
    plain_name(manifest.benchmark, file=path, field="benchmark")
    for field in ("scenes", "questions"):
        for split in getattr(manifest, field):
            plain_name(split, file=path, field=field)
    for name in manifest.files:
        inside(path.parent, name, file=path, field="files")
    if not manifest.questions.keys() <= manifest.scenes.keys():
        raise BadInput("are of splits without scenes", file=path, field="questions")
