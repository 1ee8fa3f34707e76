"""Scenes in PTR's official JSON, made by hand or by chance; nothing in them is rendered."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mereo.benchmarks.ptr.official.scene import WORDS

RGB = {
    "gray": [87, 87, 87],
    "red": [173, 35, 35],
    "blue": [42, 75, 215],
    "green": [29, 105, 20],
    "brown": [129, 74, 25],
    "purple": [129, 38, 192],
    "cyan": [41, 208, 208],
    "yellow": [255, 238, 51],
}
NOT_COUNTED = {"central support", "top", "back", "seat", "pedestal", "body", "sleep area"}
LINES = {"arm vertical bar", "arm horizontal bar", "leg", "leg bar", "central support"}
PLANES = {"back", "seat", "pedestal", "door", "drawer", "top", "shelf"}
SENTINEL = [12379.9, -6836.5, 10000.0]
NONE_LEFT = {"size": [6, 8], "counts": [48]}

Record = dict[str, Any]


def thing(category: str, colors: dict[str, str], counts: dict[str, int] | None = None, **fields: Any) -> Record:
    """An object that shows these parts; whatever else a record holds is empty unless given."""
    paints = {part: [color, RGB[color]] for part, color in colors.items()}
    return {
        "category": category,
        "partnet_id": "0",
        "part_color": paints,
        "part_count": counts or {},
        "part_color_occluded": paints,
        "part_count_occluded": counts or {},
        "part_color_all": dict(paints),
        "line_geo": {},
        "plane_geo": {},
        "obj_mask": NONE_LEFT,
        "part_mask": {},
        "3d_coords": [0.0, 0.0, 0.0],
        "rotation": 0.0,
        "pixel_coords": [4, 3, 10.0],
        "scale": 1.0,
        "question_type": ["perception", "geometry"],
        **fields,
    }


def scene(*objects: Record, index: int = 0, **fields: Any) -> Record:
    """A scene of these objects, in a row from left to right unless it says otherwise."""
    places = range(len(objects))
    return {
        "split": "val",
        "image_index": index,
        "image_filename": f"PTR_val_{index:06d}.png",
        "objects": list(objects),
        "directions": {"left": [-1.0, 0, 0], "right": [1.0, 0, 0], "front": [0, -1.0, 0], "behind": [0, 1.0, 0]},
        "relationships": {
            "left": [[j for j in places if j < i] for i in places],
            "right": [[j for j in places if j > i] for i in places],
            "front": [[] for _ in places],
            "behind": [[] for _ in places],
        },
        **fields,
    }


def sampled(rng: np.random.Generator, index: int, *, physics: bool = False) -> Record:
    """A scene made by chance, with hidden parts, sentinels, nested directions and doubled changes among the rest."""
    objects = [_sampled_thing(rng, physics=physics) for _ in range(3 if physics else int(rng.integers(3, 7)))]
    positions = [rng.uniform(-5, 5, 3).tolist() for _ in objects]
    turn = float(rng.uniform(-0.3, 0.3))
    right = [math.cos(turn), math.sin(turn), 0.0]
    behind = [-math.sin(turn), math.cos(turn), 0.0]
    directions = {"behind": behind, "left": [-x for x in right], "right": right, "front": [-x for x in behind]}
    if physics:
        directions |= {"above": [0.0, 0.0, 1.0], "below": [0.0, 0.0, -1.0]}
    names = list(directions)
    rng.shuffle(names)
    for record, position in zip(objects, positions, strict=True):
        record["3d_coords"] = position
    related = {
        name: [
            [j for j, q in enumerate(positions) if np.dot(np.subtract(q, p), directions[name]) > 0.2] for p in positions
        ]
        for name in names
    }
    return scene(
        *objects,
        index=index,
        directions=directions,
        relationships=related,
        **({"physics": bool(rng.random() < 0.9)} if physics else {}),
    )


def _sampled_thing(rng: np.random.Generator, *, physics: bool) -> Record:
    category = str(rng.choice(list(WORDS["categories"])))
    parts = [part for part in WORDS["categories"][category] if rng.random() < 0.6]
    parts = parts or [WORDS["categories"][category][0]]
    whole = {part: [color := str(rng.choice(list(RGB))), RGB[color]] for part in parts}
    numbers = {part: int(rng.integers(1, 12)) for part in parts if part not in NOT_COUNTED}
    hidden = {part for part in parts if rng.random() < 0.15}
    seen = {part: paint for part, paint in whole.items() if part not in hidden or part == parts[0]}
    record = thing(category, {})
    record |= {
        "part_color": whole,
        "part_count": numbers,
        "part_color_occluded": seen,
        "part_count_occluded": {part: int(rng.integers(1, n + 1)) for part, n in numbers.items() if part in seen},
        "part_color_all": {**whole, "other": [str(rng.choice(list(RGB))), [0.1, 0.2, 0.3, 1.0]]},
        "line_geo": {part: _direction(rng) for part in parts if part in LINES and category != "Cart"},
        "plane_geo": {part: _direction(rng) for part in parts if part in PLANES and category != "Cart"},
        "question_type": ["perception", "geometry"] if rng.random() < 0.8 else ["perception"],
    }
    if physics:
        del record["line_geo"], record["plane_geo"]
        record["stability"] = str(rng.choice(["yes", "no"]))
        if record["stability"] == "no":
            moves = [d for d in ("left", "right", "front", "behind") for _ in range(2) if rng.random() < 0.2]
            record["possible_change"] = [moves, [0.5, 0.0, 0.0]]
    return record


def _direction(rng: np.random.Generator) -> list[Any]:
    """Nearly along an axis, either way; now and then no direction at all, now and then in a list of its own."""
    if rng.random() < 0.15:
        return SENTINEL if rng.random() < 0.7 else [3.0, -12000.0, 1.0]
    vector = np.eye(3)[rng.integers(3)] * rng.choice([-1.0, 1.0], p=[0.25, 0.75]) + rng.normal(0, 0.05, 3)
    if rng.random() < 0.1:
        vector = np.array([0.0, -1.0, 0.0])
    unit = (vector / np.linalg.norm(vector)).tolist()
    return [unit] if rng.random() < 0.1 else unit
