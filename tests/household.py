"""Datasets of household objects without a renderer: rectangles on small pictures, with questions written by hand."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np

from mereo.benchmarks.shop.language import SHOP_VRB, shop_world
from mereo.benchmarks.shop.models import drawn_looks, instances_of, models
from mereo.benchmarks.shop.texts import pages_of, properties_of
from mereo.datasets.answers import stored_answer
from mereo.datasets.pictures import encode_png
from mereo.datasets.store import (
    IMAGE_FIELDS,
    PICTURE_FIELDS,
    QUESTION_FIELDS,
    Manifest,
    record_file,
    write_manifest,
    write_table,
)
from mereo.masks import encode
from mereo.programs import ProgramFailure, compile_program

WIDTH, HEIGHT = 96, 64
SPLITS = {"train": 8, "test": 7, "benchmark": 5}
DIRECTIONS = {
    "right": [1.0, 0.0, 0.0],
    "left": [-1.0, 0.0, 0.0],
    "behind": [0.0, 1.0, 0.0],
    "front": [0.0, -1.0, 0.0],
}
PROGRAMS = (
    "count(filter_material[metal](scene()))",
    "exist(filter_weight[light](scene()))",
    "query_color(unique(filter_size[large](scene())))",
    "less_than(count(filter_material[metal](scene())), count(filter_weight[light](scene())))",
    "query_attribute(unique(filter_movability[movable](scene())))",
    "count(filter_powering[non-powered](scene()))",
    "exist(filter_picking[graspable](scene()))",
    "query_name(unique(filter_powering[socket-powered](scene())))",
    "equal_picking(query_picking(unique(filter_size[large](scene()))), "
    "query_picking(unique(filter_movability[movable](scene()))))",
)


def record(split: str, index: int) -> dict[str, Any]:
    """Three to five objects in a row, of classes drawn by chance."""
    chance = random.Random(f"{split} {index}")
    objects = []
    for number in range(chance.randint(3, 5)):
        looks = drawn_looks(chance.choice(chance.choice(list(models(instances_of(split)).values()))), chance)
        x, y = number - 2 + chance.uniform(-0.2, 0.2), chance.uniform(-2, 2)
        read: dict[str, Any] = {**properties_of(looks["name"], looks)}
        read["attribute"] = list(read["attribute"])
        objects.append({**looks, **read, "3d_coords": [x, y, 0.0], "pixel_coords": [0, 0, 9.0], "rotation": 0.0})
    name = f"SHOP_VRB_{split}_{index:06d}.png"
    return {
        "split": split,
        "image_index": index,
        "image_filename": name,
        "objects": objects,
        "directions": DIRECTIONS,
    }


def ids(scene: dict[str, Any]) -> np.ndarray[Any, np.dtype[np.uint16]]:
    """(height, width): a rectangle for each object, the number of which it shows, counted from 1."""
    chance = random.Random(scene["image_filename"])
    picture = np.zeros((HEIGHT, WIDTH), np.uint16)
    for number in range(len(scene["objects"])):
        top, left = chance.randint(14, 30), 4 + 18 * number
        picture[top : top + chance.randint(8, 20), left : left + chance.randint(8, 16)] = number + 1
    return picture


def questions(scene: dict[str, Any], scene_id: str) -> list[dict[str, Any]]:
    """Those of the programs that have an answer, with words that nobody reads."""
    world, rows = shop_world(scene), []
    for number, program in enumerate(PROGRAMS):
        run = compile_program(program, SHOP_VRB).attempt(world)
        if isinstance(run, ProgramFailure):
            continue
        answer = stored_answer(run.values[-1], run.executable.types[-1])
        row = dict.fromkeys(("type", "subtype", "family", "template"), program.partition("(")[0])
        named = {"question_id": f"{scene_id}-{number:02d}", "scene_id": scene_id, "split": scene["split"]}
        rows.append({**row, **named, "question": program, "program": program, "answer": answer, "referred": []})
    return rows


def painted(shown: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """(height, width, 3): every rectangle in a shade of its own on black."""
    shades = np.array([0, 0x20, 0xE0, 0x38, 0xC4, 0x8C], np.uint8)
    picture: np.ndarray[Any, np.dtype[np.uint8]] = np.stack([shades, shades[::-1], shades // 2], 1)[shown]
    return picture * (shown > 0)[..., None].astype(np.uint8)


def build(folder: Path, *, imported: bool = False, described: bool = False) -> Path:
    """A dataset with id pictures or, as imported ones, with masks in its records.

    described : one to learn from, in which every object is painted and has its page
    """
    fields = IMAGE_FIELDS if imported else PICTURE_FIELDS
    files, counts = [], {}
    for split, count in SPLITS.items():
        scenes, asked = [], []
        for index in range(count):
            own, scene_id = record(split, index), f"{split}-{index:06d}"
            shown = ids(own)
            if described:
                chance = random.Random(index)
                for thing in own["objects"]:
                    thing["description"] = chance.choice(pages_of(thing["name"], thing, split=split))
            if imported:
                for number, thing in enumerate(own["objects"], 1):
                    thing["mask"] = encode(shown == number)
            picture = {"bytes": encode_png(painted(shown * described)), "path": own["image_filename"]}
            row = dict.fromkeys(fields.names) | {"scene_id": scene_id, "split": split, "index": index}
            row |= {"objects": len(own["objects"]), "scene": json.dumps(own), "image": picture}
            if not imported:
                key = [(number, 0, "body") for number in range(len(own["objects"]))]
                numbers = {"bytes": encode_png(shown), "path": "ids.png"}
                row |= {"instances": numbers, "depth": numbers, "instance_key": json.dumps(key), "layout": "{}"}
            scenes.append(row)
            asked += questions(own, scene_id)
        for kind, rows, schema in (("scenes", scenes, fields), ("questions", asked, QUESTION_FIELDS)):
            path = folder / kind / f"{split}-00000.parquet"
            write_table(path, {name: [row[name] for row in rows] for name in schema.names}, schema)
            files.append(path)
        counts[split] = len(asked)
    manifest = Manifest(
        dataset=1,
        benchmark="shop",
        seed=0,
        settings={"imported": "shop_vrb"} if imported or described else {},
        versions={},
        scenes=dict(SPLITS),
        questions=counts,
        files={str(path.relative_to(folder)): record_file(path) for path in files},
    )
    write_manifest(folder, manifest)
    return folder
