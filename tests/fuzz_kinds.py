"""The kinds of input that trials change: where good ones lie, which of their files are changed, and who reads them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

import fuzz_datasets as of_datasets
import fuzz_files as of_files
from fuzzing import Chance, mutate_file
from mereo.datasets.store import open_dataset, record_file, write_manifest

__all__ = ["KINDS", "Drive", "Kind"]

Drive = Callable[[Path, Path], object]
"""Uses what lies in a folder as a command would; the second folder takes what is written."""


class Kind(NamedTuple):
    """A kind of input."""

    name: str
    folder: str
    """Where it lies among all good inputs."""
    files: tuple[str, ...]
    """Patterns of the files that are changed."""
    drives: tuple[Drive, ...]
    share: int = 1
    """How often it is tried, compared to others."""

    def change(self, folder: Path, chance: Chance) -> str:
        """Change one of the files; of a dataset the manifest mostly agrees afterwards. Gives what was done."""
        path = chance.choice(sorted(path for pattern in self.files for path in folder.glob(pattern)))
        done = mutate_file(path, chance)
        if path.suffix == ".parquet" and (folder / "dataset.json").exists() and chance.random() < 0.8:
            _agree(folder, path)
        return f"{path.relative_to(folder)}: {done}"


def _agree(folder: Path, path: Path) -> None:
    """Let the manifest say what a changed shard is, so that what is wrong in its rows is met as well."""
    manifest, name = open_dataset(folder), path.relative_to(folder).as_posix()
    if name in manifest.files:
        try:
            record = record_file(path)
        except (OSError, ValueError):  # no longer a Parquet file: nothing to agree on
            return
        write_manifest(folder, msgspec.structs.replace(manifest, files={**manifest.files, name: record}))


_ANY: tuple[Drive, ...] = (
    of_datasets.audit,
    of_datasets.subset,
    of_datasets.export,
    of_datasets.evaluate,
    of_datasets.show,
    of_datasets.look,
    of_datasets.examples,
    of_datasets.explore,
)
_WORDED = (*_ANY, of_datasets.oracle, of_datasets.baseline, of_datasets.report)
_SHARDS = ("scenes/*.parquet", "questions/*.parquet")
_OFFICIAL = ("scenes.json", "scenes/*", "questions.json", "images/*")
_SHAPES = ("*/*/*.json", "*/*/*/*.obj", "*/*/pieces.bin", "*/*/*/*.txt")
_CLEVR = (
    of_files.run_scene,
    partial(of_files.verify, language="clevr"),
    partial(of_files.bring_in, source="clevr"),
    partial(of_files.bring_in, source="clevr", strict=True),
)
_PTR = (partial(of_files.verify, language="ptr_official"), partial(of_files.bring_in, source="ptr"))
_REFER = (partial(of_files.verify, language="clevr_ref"), partial(of_files.bring_in, source="clevr_ref"))
_SHOP = (partial(of_files.verify, language="shop_vrb"), partial(of_files.bring_in, source="shop_vrb"))
_CRIC = (of_files.cric, partial(of_files.cric, strict=True))
_TEMPLATES = ("templates/*", "metadata.json", "synonyms.json", "plurals.json", "phrasings.json")

KINDS = (
    Kind("world", "world", ("world.json",), (of_files.run,)),
    Kind("program", "world", ("program.txt",), (of_files.run, of_files.parse)),
    Kind("options", "world", ("options.txt",), (of_files.options,)),
    Kind("CLEVR files", "clevr-files", _OFFICIAL, _CLEVR),
    Kind("PTR files", "ptr-files", _OFFICIAL, _PTR),
    Kind("CLEVR-Ref+ files", "refer-files", _OFFICIAL, _REFER, 2),
    Kind("CLEVR templates", "clevr-files", _TEMPLATES, (of_files.ask_templates,)),
    Kind("SHOP-VRB files", "shop-files", _OFFICIAL, _SHOP, 2),
    Kind("SHOP-VRB templates", "shop-files", _TEMPLATES, (of_files.ask_templates,)),
    Kind("CRIC files", "cric-files", ("*.json",), _CRIC, 2),
    Kind("household texts", "shop-texts", ("*.toml", "pages/*"), (of_files.shop_texts,)),
    Kind("our templates", "templates", ("*.toml",), (of_files.clevr_templates,)),
    Kind("our PTR templates", "ptr-templates", ("*.toml",), (of_files.ptr_templates,)),
    Kind("manifest", "clevr", ("dataset.json",), _WORDED),
    Kind("CLEVR shards", "clevr", _SHARDS, _WORDED, 4),
    Kind("PTR shards", "ptr", _SHARDS, (*_WORDED, of_datasets.refer), 4),
    Kind("household shards", "shop", _SHARDS, (*_WORDED, of_files.parses), 2),
    Kind("CRIC shards", "cric", (*_SHARDS, "knowledge.json"), (*_ANY, *_WORDED[-2:]), 2),
    Kind("pointed answers", "cric", ("runs/run/*",), (of_datasets.evaluate,)),
    Kind("parses", "shop", ("parses.jsonl",), (of_files.parses,)),
    Kind("expression shards", "refer", _SHARDS, (*_ANY, of_datasets.point), 3),
    Kind("furniture expressions", "refer-ptr", _SHARDS, _ANY),
    Kind("imported shards", "imported", _SHARDS, _ANY, 2),
    Kind("imported PTR shards", "imported-ptr", _SHARDS, _ANY),
    Kind("begun build", "begun", ("build.json", ".scenes/*"), (of_files.resume,)),
    Kind("begun symbolic build", "begun-symbolic", ("build.json",), (of_files.resume_symbolic,)),
    Kind("answers", "clevr", ("runs/run/*", "runs/table/*", "runs/*.json"), (*_ANY[3:4], *_WORDED[-1:], _ANY[-1]), 2),
    Kind("begun answers", "clevr", ("runs/run/predictions.jsonl",), (of_datasets.journal,)),
    Kind("sights", "ptr", ("runs/run/*",), (of_datasets.compare,), 2),
    Kind("masks", "refer", ("runs/marks/*",), (of_datasets.evaluate, of_datasets.point, of_datasets.explore), 2),
    Kind("own objects", "own", ("objects.toml", "shapes/*/*/*.json"), (of_files.own_objects,)),
    Kind("knowledge", "knowledge", ("*",), (of_files.knowledge,), 2),
    Kind("scene graphs", "scene-graphs", ("*/*",), (of_files.scene_graphs,), 2),
    Kind("layout", "layout", ("*.json",), (of_files.layout,), 3),
    Kind("library", "library", ("shapes.json",), (of_files.library,)),
    Kind("PartNet folder", "library", _SHAPES, (of_files.library, of_files.partnet, of_files.tasks), 2),
    Kind("HDF5", "hdf5", ("*",), (of_files.hdf5,), 2),
    Kind("mesh", "meshes", ("*",), (of_files.meshes,), 3),
)
