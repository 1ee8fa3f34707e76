"""A dataset from somebody else is not trusted: its names lead nowhere but into the folder that they are meant for."""

from __future__ import annotations

import io
import json
import struct
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from kit import CommandLine
from mereo.benchmarks.benchmark import benchmark
from mereo.datasets.export import all_exporters
from mereo.datasets.picture_bytes import MOST_PIXELS, open_picture
from mereo.datasets.store import MANIFEST, Manifest, record_file
from mereo.errors import BadInput
from mereo.names import inside, plain_name

NAMES = [
    "../../outside",
    "a/../../../outside",
    "{tmp}/outside",
    "..",
    ".hidden",
    "",
    "a\nb",
    "a\0b",
    "--flag",
    "x" * 300,
]
"""Names that would become other files than the one they are asked for, or none at all."""
SAMPLES = "official_samples"


class Files(NamedTuple):
    """Where official samples of a format are, and the benchmark that datasets of it belong to."""

    scenes: str
    questions: str
    benchmark: str


OFFICIAL = {
    "clevr": Files("clevr_questions_scenes.json", "clevr_questions.json", "clevr"),
    "ptr": Files("ptr_scenes", "ptr_questions.json", "ptr"),
    "clevr_ref": Files("clevr_ref_expressions_scenes.json", "clevr_ref_expressions.json", "refer"),
}
EXPORTS = [
    (form, to)
    for form, official in OFFICIAL.items()
    for to in [*all_exporters(), *benchmark(official.benchmark).exporters]
]


def picture() -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (48, 32), (90, 120, 60)).save(buffer, format="PNG")
    return buffer.getvalue()


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory, official_data: Path) -> dict[str, Path]:
    """Official samples of every format as datasets, each scene with a picture."""
    from mereo.workbench.building import import_files

    folder = tmp_path_factory.mktemp("theirs")
    for form, official in OFFICIAL.items():
        scenes = official_data / SAMPLES / official.scenes
        given = sorted(scenes.iterdir()) if scenes.is_dir() else [scenes]
        records = [one for path in given for one in scenes_of(json.loads(path.read_bytes()))]
        images = folder / f"{form}-images"
        images.mkdir()
        for record in records:
            (images / record["image_filename"]).write_bytes(picture())
        import_files(
            form, folder / form, scenes=scenes, questions=official_data / SAMPLES / official.questions, images=images
        )
    return {form: folder / form for form in OFFICIAL}


def scenes_of(content: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = content.get("scenes", [content])
    return found


def forged(dataset: Path, out: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """A dataset whose scenes are changed, and whose manifest has the right sums nevertheless."""
    manifest = msgspec.json.decode((dataset / MANIFEST).read_bytes(), type=Manifest)
    files = dict(manifest.files)
    for name in files:
        table = pq.read_table(dataset / name)
        rows = table.to_pylist()
        for row in rows:
            change(row)
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(rows, table.schema), out / name)
        files[name] = record_file(out / name)
    (out / MANIFEST).write_bytes(msgspec.json.encode(msgspec.structs.replace(manifest, files=files)))
    return out


def as_id(name: str, row: dict[str, Any]) -> None:
    row["scene_id"] = name


def as_path(name: str, row: dict[str, Any]) -> None:
    if "image" in row:
        row["image"]["path"] = f"picture.{name}"


def as_filename(name: str, row: dict[str, Any]) -> None:
    if "scene" in row:
        row["scene"] = json.dumps({**json.loads(row["scene"]), "image_filename": name})


@pytest.mark.parametrize("place", [as_id, as_path, as_filename])
@pytest.mark.parametrize(("form", "to"), EXPORTS)
def test_no_name_in_a_dataset_leads_an_export_astray(
    datasets: dict[str, Path],
    tmp_path: Path,
    mereo: CommandLine,
    form: str,
    to: str,
    place: Callable[[str, dict[str, Any]], None],
) -> None:
    for number, name in enumerate(["../../outside", "{tmp}/outside", ".hidden", "a\nb"]):
        told = name.format(tmp=tmp_path)
        theirs = forged(datasets[form], tmp_path / f"{number}", partial(place, told))
        before = set(tmp_path.rglob("*"))
        out = tmp_path / "deep" / "er" / f"out-{number}"
        result = mereo("export", theirs, out, "--to", to, code=None)
        assert result.code in (0, 2), result.err
        assert (result.code == 0) == out.exists()
        new = set(tmp_path.rglob("*")) - before
        assert all(path in out.parents or path.is_relative_to(out) for path in new)
        if out.exists():
            assert all(
                plain_name(step.replace("+", "")) for path in out.rglob("*") for step in path.relative_to(out).parts
            )
            assert "outside" not in {member for tar in out.rglob("*.tar") for member in members(tar)}


def members(path: Path) -> list[str]:
    import tarfile

    with tarfile.open(path) as archive:
        return [plain_name(name) for name in archive.getnames()]


@pytest.mark.parametrize("name", NAMES)
def test_a_manifest_names_files_of_its_own_folder_only(
    datasets: dict[str, Path], tmp_path: Path, mereo: CommandLine, name: str
) -> None:
    told = name.format(tmp=tmp_path)
    theirs = forged(datasets["clevr"], tmp_path / "theirs", lambda row: None)
    manifest = json.loads((theirs / MANIFEST).read_bytes())
    shard = next(iter(manifest["files"]))
    for change in (
        {"files": {told: manifest["files"][shard]}},
        {"benchmark": told},
        {"benchmark": 'clevr"""\nimport os\n"""'},
        {"scenes": {told: 1}},
        {"questions": {told: 1}},
    ):
        (theirs / MANIFEST).write_text(json.dumps({**manifest, **change}))
        refused = mereo("audit", theirs, code=2)
        assert len(refused.err.strip().splitlines()) == 1
        assert next(iter(change)) in refused.err


def test_a_shard_is_no_link_to_elsewhere(datasets: dict[str, Path], tmp_path: Path, mereo: CommandLine) -> None:
    theirs = forged(datasets["clevr"], tmp_path / "theirs", lambda row: None)
    shard = next(theirs.rglob("scenes/*.parquet"))
    shard.rename(tmp_path / "elsewhere.parquet")
    shard.symlink_to(tmp_path / "elsewhere.parquet")
    assert "leads out of its folder" in mereo("audit", theirs, code=2).err


@pytest.mark.parametrize("name", [*NAMES, "a b", "a/b"])
def test_a_split_of_a_record_becomes_no_path(
    official_data: Path, tmp_path: Path, mereo: CommandLine, name: str
) -> None:
    content = json.loads((official_data / SAMPLES / OFFICIAL["clevr"].scenes).read_bytes())
    for scene in content["scenes"]:
        scene["split"] = name.format(tmp=tmp_path)
    (tmp_path / "scenes.json").write_text(json.dumps(content))
    refused = mereo("import", "clevr", tmp_path / "out", "--scenes", tmp_path / "scenes.json", code=2)
    assert "field 'split'" in refused.err
    assert set(tmp_path.iterdir()) == {tmp_path / "scenes.json"}


@pytest.mark.parametrize("name", ["../secret.png", "{tmp}/secret.png", "link.png", ".."])
def test_importing_takes_pictures_from_their_folder_only(
    official_data: Path, tmp_path: Path, mereo: CommandLine, name: str
) -> None:
    content = json.loads((official_data / SAMPLES / OFFICIAL["clevr"].scenes).read_bytes())
    images = tmp_path / "images"
    images.mkdir()
    (tmp_path / "secret.png").write_bytes(picture())
    (images / "link.png").symlink_to(tmp_path / "secret.png")
    for scene in content["scenes"]:
        (images / scene["image_filename"]).write_bytes(picture())
    content["scenes"][0]["image_filename"] = name.format(tmp=tmp_path)
    (tmp_path / "scenes.json").write_text(json.dumps(content))
    given = ("--scenes", tmp_path / "scenes.json", "--images", images)
    told = mereo("import", "clevr", tmp_path / "out", *given, code=None)
    assert "field 'image_filename'" in told.err + told.out
    assert secret_free(tmp_path / "out")


def secret_free(dataset: Path) -> bool:
    """Whether no row of a dataset, if there is one, has the picture that lies outside of the folder."""
    shards = dataset.glob("scenes/*.parquet")
    return all(row["image"]["path"].startswith("CLEVR") for path in shards for row in pq.read_table(path).to_pylist())


def test_inside_is_inside(tmp_path: Path) -> None:
    assert inside(tmp_path, "a/b.png") == tmp_path / "a" / "b.png"
    for name in [*NAMES, "a/../b", "a//b", "/a", "a/"]:
        with pytest.raises(BadInput):
            inside(tmp_path, name)


def bomb(width: int, height: int) -> bytes:
    """A PNG of some kilobytes that unfolds to a gigapixel and more."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes(height * (1 + (width + 7) // 8)), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(13_000, 13_000), (8_000, 6_000), (MOST_PIXELS + 1, 1)])
def test_a_picture_that_would_fill_the_memory_stays_closed(size: tuple[int, int]) -> None:
    with pytest.raises(BadInput, match="pixels"), open_picture(bomb(*size)):
        pass


@pytest.mark.parametrize("data", [b"", b"no picture", picture()[:60], b"RIFF\0\0\0\0WEBP", b"GIF89a"])
def test_what_is_no_picture_is_told_in_a_sentence(data: bytes) -> None:
    with pytest.raises(BadInput, match="is no picture that can be shown") as told, open_picture(data) as image:
        image.load()
    assert "BytesIO" not in str(told.value)


def test_a_shape_of_somebody_has_its_meshes_in_its_own_folder(tmp_path: Path) -> None:
    from mereo.shapes.library import LibraryOrder, make_library, open_library
    from mereo.shapes.partnet import read_partnet

    library = make_library(tmp_path / "shapes", LibraryOrder(("chair",), 1, 0, "train", 0))
    folder = library.folders[0]
    mesh = next((folder / "objs").iterdir())
    mesh.rename(tmp_path / mesh.name)
    tree = (folder / "result.json").read_text()
    for name in (f"../../../../{mesh.stem}", f"{tmp_path}/{mesh.stem}"):
        (folder / "result.json").write_text(tree.replace(f'"{mesh.stem}"', json.dumps(name)))
        with pytest.raises(BadInput, match="cannot become the name of a file"):
            read_partnet(folder, raw=True)
    index = json.loads((tmp_path / "shapes" / "shapes.json").read_bytes())
    (tmp_path / "shapes" / "shapes.json").write_text(json.dumps({**index, "shapes": ["../elsewhere"]}))
    with pytest.raises(BadInput, match="cannot become the name of a file"):
        open_library(tmp_path / "shapes")


@pytest.mark.parametrize("category", ["../../outside", "a/b", ".hidden"])
def test_the_category_of_a_map_becomes_no_path(tmp_path: Path, category: str) -> None:
    from mereo.shapes.importer import read_part_map

    (tmp_path / "map.toml").write_text(f'category = "{category}"\n[parts]\n"*" = "thing/part"\n')
    with pytest.raises(BadInput, match="field 'category'"):
        read_part_map(tmp_path / "map.toml")
