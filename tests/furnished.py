"""Records of PTR scenes that were never rendered: random furniture by hand, for tests of language and questions."""

from __future__ import annotations

import math
import random
from typing import Any

from mereo.benchmarks.ptr.parts import ptr_categories, ptr_part_names
from mereo.benchmarks.ptr.world import VOCABULARY

COLORS = VOCABULARY.words("color")
SINGLE = ("seat", "back", "top", "body", "sleep area", "central support", "pedestal")
LINES = ("leg", "leg bar", "central support", "arm vertical bar", "arm horizontal bar")
PLANES = ("back", "seat", "top", "door", "drawer", "shelf", "pedestal")
SURFACES = {
    "ground": {"point": [0, 0, 0], "normal": [0, 0, 1]},
    "back wall": {"point": [0, 3, 0], "normal": [0, -1, 0]},
    "left wall": {"point": [-3, 0, 0], "normal": [1, 0, 0]},
    "right wall": {"point": [3, 0, 0], "normal": [-1, 0, 0]},
}
DIRECTIONS = {
    "left": [-1, 0, 0],
    "right": [1, 0, 0],
    "front": [0, -1, 0],
    "behind": [0, 1, 0],
    "above": [0, 0, 1],
    "below": [0, 0, -1],
}


def furnished(seed: int, *, physical: bool | None = None) -> dict[str, Any]:
    """A record of three to six objects; about a third are physical scenes."""
    chance = random.Random(seed)
    physical = chance.random() < 0.3 if physical is None else physical
    objects = [_thing(chance, physical) for _ in range(chance.randint(3, 6))]
    if physical and chance.random() < 0.5:
        objects[1]["on"] = [0]
        objects[1]["position"][:2] = objects[0]["position"][:2]
    return {
        "split": "train",
        "image_index": seed,
        "image_filename": f"PTR_train-{seed:06d}.png",
        "physical": physical,
        "size": [480, 320],
        "directions": DIRECTIONS,
        "surfaces": SURFACES,
        "objects": objects,
    }


def half_seen(seed: int) -> dict[str, Any]:
    """The same, but some parts are hidden or faint, some colors are dim or look like others, and some parts lean."""
    record, chance = furnished(seed), random.Random(-seed)
    for thing in record["objects"]:
        thing["colors"] = {part["part"]: part["color"] for part in thing["parts"]}
        dim = {part["part"]: chance.randint(25, 59) for part in thing["parts"] if chance.random() < 0.03}
        unlike = {part["part"] for part in thing["parts"] if chance.random() < 0.01}
        for own in thing.pop("parts"):
            seen = chance.choices(["parts", "faint", "hidden"], [12, 1, 1])[0]
            pixels = {"parts": dim.get(own["part"], 100), "faint": chance.randint(1, 24), "hidden": 0}[seen]
            color = None if own["part"] in unlike else own["color"]
            thing.setdefault(seen, []).append(own | {"pixels": pixels, "color": color} | _leaning(own, chance))
        thing.setdefault("parts", [])
    return record


def _leaning(own: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The axis of a part, now and then some degrees off."""
    kind = next((kind for kind in ("line", "plane") if kind in own), None)
    if kind is None or chance.random() < 0.9:
        return {}
    name = {"line": "direction", "plane": "normal"}[kind]
    return {kind: own[kind] | {name: [value + chance.uniform(-0.25, 0.25) for value in own[kind][name]]}}


def part(name: str, color: str | None = None, **geometry: Any) -> dict[str, Any]:
    """One visible part. geometry : line=[x, y, z] or plane=[x, y, z]"""
    record: dict[str, Any] = {"part": name, "color": color, "leaves": [], "pixels": 100, "box": [0, 0, 9, 9]}
    for kind, axis in geometry.items():
        record[kind] = {"point": [0, 0, 0], {"line": "direction", "plane": "normal"}[kind]: axis}
    return record


def thing(category: str, *parts: dict[str, Any], at: tuple[float, float] = (0, 0), **more: Any) -> dict[str, Any]:
    """One object of visible parts."""
    place = {"position": [*at, 0.5], "pixel": [0, 0, 5], "box": [0, 0, 90, 90], "pixels": 900}
    return {
        "category": category,
        **place,
        "on": [],
        "stability": None,
        "parts": list(parts),
        "faint": [],
        "hidden": [],
        **more,
    }


def room(*things: dict[str, Any]) -> dict[str, Any]:
    """A record of these objects."""
    return {"directions": DIRECTIONS, "surfaces": SURFACES, "size": [480, 320], "objects": list(things)}


def _thing(chance: random.Random, physical: bool) -> dict[str, Any]:
    category = chance.choice(ptr_categories())
    yaw = math.radians(30 * chance.randrange(12))
    names = ptr_part_names(category)
    parts = []
    for name in chance.sample(names, chance.randint(min(2, len(names)), min(6, len(names)))):
        color = chance.choice(COLORS) if chance.random() < 0.95 else None
        geometry = _geometry(name, yaw, chance)
        for _ in range(1 if name in SINGLE else chance.choice([1, 2, 2, 3, 4, 4, 4, 5, 6])):
            parts.append(part(name, color, **(_geometry(name, yaw, chance) if chance.random() < 0.1 else geometry)))
    stability = {}
    if physical:
        stable = chance.random() < 0.5
        changes = chance.sample(["left", "right", "front", "behind"], chance.choice([0, 1, 1, 1, 2]))
        stability = {
            "stability": "stable" if stable else "unstable",
            "changes": {} if stable else dict.fromkeys(changes, 0.4),
        }
    return thing(category, *parts, at=(chance.uniform(-3, 3), chance.uniform(-3, 3)), **stability)


def _geometry(name: str, yaw: float, chance: random.Random) -> dict[str, Any]:
    axes = [[0, 0, 1], [math.cos(yaw), math.sin(yaw), 0], [-math.sin(yaw), math.cos(yaw), 0]]
    if chance.random() < 0.15:
        return {}
    if name in LINES:
        return {"line": chance.choice(axes)}
    return {"plane": chance.choice(axes)} if name in PLANES else {}
