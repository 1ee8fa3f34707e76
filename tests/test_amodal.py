"""Amodal masks: what a ray caster of our own sees of each part alone, and never less than what is visible."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray
from pycocotools import mask as coco

from casting import ASIDE, cast
from kit import CommandLine
from mereo.benchmarks.clevr.inspect import ClevrInspector
from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.datasets.build import build_dataset
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.pictures import decode_png
from mereo.datasets.store import AMODAL_FIELDS, open_dataset, read_table
from mereo.masks import decode, encode
from mereo.scenes.assemble import shape_of
from mereo.scenes.render import Amodal, Frame, Set
from mereo.scenes.scene import Camera, Scene
from scenery import room, stage, thing

Array = NDArray[Any]

SCENES = {
    # The camera stands among the furniture: the bed reaches behind it.
    "furniture close by": room(
        thing("bed", -0.5, -0.4, turn=20.0),
        thing("chair", 0.7, 0.7, turn=-30.0),
        thing("lamp", 0.2, 0.2, turn=50.0),
        camera=Camera((0.4, -1.3, 1.2), (0.0, 0.4, 0.5), 60.0, 48, 32),
    ),
    "solids on the stage": stage(
        thing("cube", -0.2, 0.9, scale=0.7, turn=33.0),
        thing("cylinder", 0.5, 0.1, scale=0.6),
        thing("cube", 0.3, -0.9, scale=0.35, turn=-12.0),
        camera=Camera((0.4, -6.0, 2.1), (0.0, 0.0, 0.5), 32.0, 48, 32),
    ),
}


class Case(NamedTuple):
    scene: Scene
    frame: Frame
    amodal: Amodal


@pytest.fixture(scope="module", params=SCENES)
def case(request: pytest.FixtureRequest) -> Case:
    stage = Set(SCENES[request.param])
    return Case(stage.scene, stage.frame(), stage.amodal())


def hit_parts(scene: Scene, columns: Array, rows: Array) -> list[set[tuple[int, int]]]:
    """For each place of the picture every object and part that a ray through it meets, at whatever depth."""
    found = cast(scene, columns, rows)
    met: list[set[tuple[int, int]]] = [set() for _ in columns]
    for ray, triangle in np.argwhere(np.isfinite(found.depth)):
        met[ray].add((int(found.object[triangle]), int(found.part[triangle])))
    return met


def test_every_amodal_mask_is_what_rays_meet_of_that_part_alone(case: Case) -> None:
    height, width = case.frame.object.shape
    turns = np.arange(8) * np.pi / 4
    differences = 0
    for row in range(height):
        met = hit_parts(case.scene, np.arange(width) + 0.5, np.full(width, row + 0.5))
        for column, expected in enumerate(met):
            for number, parts in enumerate(case.amodal.parts):
                for part, mask in parts.items():
                    if mask[row, column] == ((number, part) in expected):
                        continue
                    # Only where a hair's breadth decides may single and double precision disagree.
                    differences += 1
                    beside = hit_parts(
                        case.scene, column + 0.5 + ASIDE * np.cos(turns), row + 0.5 + ASIDE * np.sin(turns)
                    )
                    hits = [(number, part) in places for places in beside]
                    assert mask[row, column] in hits, f"part {part} of object {number} at {column}, {row}"
                    assert len(set(hits)) == 2
    pixels = sum(int(mask.sum()) for parts in case.amodal.parts for mask in parts.values())
    assert pixels > 800
    assert differences < 0.01 * pixels


def test_there_is_a_mask_of_every_part_and_an_object_is_its_parts(case: Case) -> None:
    for placed, whole, parts in zip(case.scene.objects, case.amodal.objects, case.amodal.parts, strict=True):
        assert sorted(parts) == sorted(leaf.id for leaf in shape_of(placed.shape).leaves())
        assert np.array_equal(whole, np.logical_or.reduce([*parts.values()]))
        assert whole.shape == (case.scene.camera.height, case.scene.camera.width)


def test_what_is_visible_lies_within_and_what_stands_in_front_is_whole(case: Case) -> None:
    hidden = 0
    for number, whole in enumerate(case.amodal.objects):
        visible = case.frame.object == number
        assert not (visible & ~whole).any()
        others = np.isin(case.frame.object, [k for k in range(len(case.amodal.objects)) if k != number])
        # What is missing from the visible mask is where the frame shows another object.
        assert not ((whole & ~visible) & ~others).any()
        hidden += int((whole & ~visible).sum())
        for part, mask in case.amodal.parts[number].items():
            assert not (visible & (case.frame.part == part) & ~mask).any()
    assert hidden > 30, "something must be hidden for this to say anything"


def test_where_nothing_hides_anything_amodal_is_modal() -> None:
    scene = stage(thing("cube", -1.2, 0.0, scale=0.5, turn=20.0), thing("sphere", 1.2, 0.3, scale=0.5))
    shot = Set(scene)
    frame, amodal = shot.frame(), shot.amodal()
    for number, whole in enumerate(amodal.objects):
        assert whole.any()
        assert np.array_equal(whole, frame.object == number)


def test_what_is_wholly_hidden_or_out_of_sight_has_its_mask_still() -> None:
    scene = stage(thing("cube", 0.0, 0.0, scale=0.7), thing("sphere", 0.0, 2.0, scale=0.2), thing("cube", 40.0, 0.0))
    shot = Set(scene)
    amodal = shot.amodal()
    assert not (shot.frame().object == 1).any()
    assert amodal.objects[1].sum() > 10
    assert not amodal.objects[2].any()


def test_masks_are_what_they_were_after_being_stored(case: Case) -> None:
    for whole in case.amodal.objects:
        assert np.array_equal(decode(encode(whole)), whole)


# In datasets


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("amodal") / "dataset"
    recipe = ClevrRecipe(
        seed=5, questions_per_scene=1, pictures=PictureSettings(width=96, height=64, samples=8, amodal=True)
    )
    build_dataset(recipe, folder, splits={"train": 3}, shard_size=3)
    return folder


# pycocotools was written for an older numpy.
@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
def test_a_dataset_holds_the_masks_of_objects_and_instances(dataset: Path, mereo: CommandLine) -> None:
    path = dataset / "scenes" / "train-00000.parquet"
    assert pq.read_schema(path).names == AMODAL_FIELDS.names
    assert open_dataset(dataset).settings["amodal"] is True
    for row in read_table(path).to_pylist():
        ids, stored = decode_png(row["instances"]["bytes"]), json.loads(row["amodal"])
        assert len(stored["objects"]) == len(stored["instances"]) == row["objects"]
        for number, encoded in enumerate(stored["objects"]):
            mask = coco.decode(encoded).astype(bool)  # pycocotools' own reader
            assert not ((ids == number + 1) & ~mask).any()
            assert encoded == stored["instances"][number], "CLEVR's solids have one part each"
    assert "nothing is wrong" in mereo("audit", dataset).out


def test_an_audit_finds_a_mask_that_lacks_what_is_visible(dataset: Path) -> None:
    row = read_table(dataset / "scenes" / "train-00000.parquet").to_pylist()[0]
    assert list(ClevrInspector().picture(row)) == []
    stored = json.loads(row["amodal"])
    stored["objects"][0], stored["objects"][1] = stored["objects"][1], stored["objects"][0]
    changed = {**row, "amodal": json.dumps(stored)}
    assert any(
        "the amodal mask 0 of objects leaves out" in complaint for complaint in ClevrInspector().picture(changed)
    )
    fewer = {**row, "amodal": json.dumps({**stored, "objects": stored["objects"][1:]})}
    assert any("there are amodal masks of" in complaint for complaint in ClevrInspector().picture(fewer))


def test_the_command_line_asks_for_them(mereo: CommandLine, tmp_path: Path) -> None:
    done = mereo("build", "clevr", tmp_path / "out", "--scenes", "2", "--size", "48x32", "--samples", "8", "--amodal")
    assert "2 scenes" in done.out
    assert open_dataset(tmp_path / "out").settings["amodal"] is True
