"""WebP instead of PNG: the same pixels in fewer bytes, and everybody who reads pictures reads both."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray
from PIL import Image
from pycocotools.coco import COCO

from kit import CommandLine
from mereo.benchmarks.benchmark import benchmark
from mereo.cli import main
from mereo.datasets.export import export_dataset
from mereo.datasets.pictures import decode_picture, decode_png, encode_picture, encode_png
from mereo.datasets.store import IMAGE_FORMATS, open_dataset, read_table
from mereo.errors import BadInput

SMALL = (
    "--scenes",
    "4",
    "--size",
    "96x64",
    "--samples",
    "8",
    "--denoise",
    "off",
    "--seed",
    "3",
    "--questions-per-scene",
    "3",
)


def rows(folder: Path) -> list[dict[str, Any]]:
    return [row for path in sorted((folder / "scenes").iterdir()) for row in read_table(path).to_pylist()]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same dataset twice as WebP and once as PNG."""
    folder = tmp_path_factory.mktemp("formats")
    names = {"webp": "webp", "again": "webp", "png": "png"}
    with pytest.MonkeyPatch.context() as patch:
        for name, form in names.items():
            patch.setattr("sys.argv", ["mereo", "build", "clevr", str(folder / name), *SMALL, "--image-format", form])
            with pytest.raises(SystemExit) as ended:
                main()
            assert not ended.value.code
    return {name: folder / name for name in names}


@pytest.mark.parametrize("form", sorted(set(IMAGE_FORMATS) - {"jpeg"}))
@given(
    picture=arrays(
        np.uint8, array_shapes(min_dims=2, max_dims=2, max_side=16).map(lambda shape: (*shape, 3)), fill=st.nothing()
    )
)
def test_no_pixel_is_changed_by_either_format(form: str, picture: NDArray[np.uint8]) -> None:
    assert np.array_equal(decode_picture(encode_picture(picture, form)), picture)


def test_jpeg_is_small_and_keeps_the_color_of_what_is_thin(built: dict[str, Path]) -> None:
    for row in rows(built["png"]):
        picture = decode_picture(row["image"]["bytes"]).copy()
        picture[:, 10:12] = (200, 40, 40)
        stored = encode_picture(picture, "jpeg")
        assert len(stored) < len(row["image"]["bytes"]) / 3
        column = decode_picture(stored)[:, 10:12].reshape(-1, 3)
        assert np.abs(column.mean(0) - (200, 40, 40)).max() < 8


def test_a_build_in_webp_holds_the_pictures_of_one_in_png_and_repeats(built: dict[str, Path]) -> None:
    files = [path.relative_to(built["webp"]) for path in sorted(built["webp"].rglob("*.*"))]
    assert files
    assert all((built["webp"] / file).read_bytes() == (built["again"] / file).read_bytes() for file in files)
    assert {name: open_dataset(folder).settings["image_format"] for name, folder in built.items()} == {
        "webp": "webp",
        "again": "webp",
        "png": "png",
    }
    for new, old in zip(rows(built["webp"]), rows(built["png"]), strict=True):
        with Image.open(io.BytesIO(new["image"]["bytes"])) as picture:
            assert picture.format == "WEBP"
            assert np.array_equal(np.asarray(picture), decode_png(old["image"]["bytes"]))
        assert len(new["image"]["bytes"]) < len(old["image"]["bytes"])
        assert (new["depth"], new["instances"], new["layout"]) == (old["depth"], old["instances"], old["layout"])
        assert new["image"]["path"] == json.loads(new["scene"])["image_filename"] == f"CLEVR_{new['scene_id']}.webp"


def test_audit_sheet_and_card_read_webp(built: dict[str, Path], mereo: CommandLine) -> None:
    assert "4 scenes and 12 questions: nothing is wrong" in mereo("audit", built["webp"]).out
    assert (built["webp"] / "sheet.png").read_bytes() == (built["png"] / "sheet.png").read_bytes()
    assert "image_format = webp" in (built["webp"] / "README.md").read_text()


def test_exports_name_pictures_by_what_they_are(built: dict[str, Path], tmp_path: Path) -> None:
    pictures = {row["scene_id"]: row["image"]["bytes"] for row in rows(built["webp"])}
    for form in ("clevr", "coco", "webdataset"):
        export_dataset(built["webp"], tmp_path / form, to=form, own=benchmark("clevr").exporters)
    clevr = {path.stem.removeprefix("CLEVR_"): path for path in (tmp_path / "clevr" / "images").rglob("*.webp")}
    assert {name: path.read_bytes() for name, path in clevr.items()} == pictures
    coco = COCO(tmp_path / "coco" / "annotations" / "instances_train.json")
    for image in coco.imgs.values():
        path = tmp_path / "coco" / "images" / "train" / image["file_name"]
        assert path.read_bytes() == pictures[path.stem]
        assert path.suffix == ".webp"
    panoptic = json.loads((tmp_path / "coco" / "annotations" / "panoptic_train.json").read_bytes())
    for annotation in panoptic["annotations"]:
        with Image.open(tmp_path / "coco" / "annotations" / "panoptic_train" / annotation["file_name"]) as picture:
            assert picture.format == "PNG"
    with tarfile.open(tmp_path / "webdataset" / "train-00000.tar") as archive:
        endings = {member.name.partition(".")[2] for member in archive}
    assert endings == {"webp", "depth.png", "instances.png", "json"}


def test_what_is_no_picture_and_no_format_is_said(mereo: CommandLine, tmp_path: Path) -> None:
    whole = encode_picture(np.zeros((8, 8, 3), np.uint8), "webp")
    for data in (b"", b"no picture", whole[: len(whole) // 2]):
        with pytest.raises(BadInput, match="is no PNG or WEBP or JPEG picture"):
            decode_picture(data)
    with pytest.raises(BadInput, match="is no PNG picture"):
        decode_png(whole)
    assert decode_png(encode_png(np.full((2, 3), 70, np.uint16))).tolist() == [[70] * 3] * 2
    done = mereo("build", "clevr", tmp_path / "out", "--image-format", "webpp", code=2)
    assert done.err == "mereo: there is no image format 'webpp' (did you mean 'webp'?)\n"
    assert not (tmp_path / "out").exists()
