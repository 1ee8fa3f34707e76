"""Scenes to refer to, with masks and boxes but without a renderer, and CLEVR-Ref+'s programs run the obvious way.

Objects are discs, painted from far to near. Everything here is written from the description of the official generator,
pixel by pixel, and uses nothing of mereo's own code for it.
"""

from __future__ import annotations

from typing import Any

import kit
import naive

WIDTH, HEIGHT = 96, 64
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "nineth"]
Scene = dict[str, Any]


def scene(index: int, *, seed: int = 2) -> Scene:
    """A record in CLEVR-Ref+'s form."""
    record = kit.scene(index, seed=seed)
    right, behind = record["directions"]["right"], record["directions"]["behind"]
    discs = []
    for number, thing in enumerate(record["objects"]):
        across = sum(a * b for a, b in zip(thing["3d_coords"], right, strict=True))
        deep = sum(a * b for a, b in zip(thing["3d_coords"], behind, strict=True))
        depth = 10 + deep
        column, row = 48 + 90 * across / depth, 32 - 30 * deep / depth
        thing["pixel_coords"] = [round(column), round(row), depth]
        thing["idx"] = number + 1
        discs.append((depth, number, column, row, 110 * thing["3d_coords"][2] / depth))
    owner = [[-1] * WIDTH for _ in range(HEIGHT)]
    boxes = {}
    for _, number, column, row, radius in sorted(discs, reverse=True):
        pixels = [
            (x, y)
            for y in range(max(0, round(row - radius) - 1), min(HEIGHT, round(row + radius) + 2))
            for x in range(max(0, round(column - radius) - 1), min(WIDTH, round(column + radius) + 2))
            if (x - column) ** 2 + (y - row) ** 2 <= radius**2 or (x, y) == (round(column), round(row))
        ] or [(0, 0)]
        for x, y in pixels:
            owner[y][x] = number
        left, top = min(x for x, _ in pixels), min(y for _, y in pixels)
        right_end, bottom = max(x for x, _ in pixels), max(y for _, y in pixels)
        boxes[str(number + 1)] = [left, top, right_end - left + 1, bottom - top + 1]
    flat = [cell for line in owner for cell in line]
    masks = {str(number + 1): runs([cell == number for cell in flat]) for number in range(len(record["objects"]))}
    name = f"CLEVR_new_{index:06d}.png"
    return {
        "split": "new",
        "image_index": index,
        "image_filename": name,
        **record,
        "obj_mask": masks,
        "obj_bbox": dict(sorted(boxes.items(), key=lambda item: int(item[0]))),
    }


def scene_file(count: int, *, seed: int = 2) -> Scene:
    """The content of a scene file."""
    return {"info": {"split": "new"}, "scenes": [scene(index, seed=seed) for index in range(count)]}


def runs(flags: list[bool]) -> str:
    """Run lengths, those of nothing first."""
    lengths, value = [0], False
    for flag in flags:
        if flag != value:
            lengths.append(0)
            value = flag
        lengths[-1] += 1
    return ",".join(map(str, lengths))


def pixels(text: str, width: int) -> set[tuple[int, int]]:
    """The columns and rows that run lengths stand for."""
    found, at = set(), 0
    for number, length in enumerate(map(int, text.split(","))):
        if number % 2:
            found |= {(place % width, place // width) for place in range(at, at + length)}
        at += length
    return found


def shares(record: Scene, width: int = WIDTH) -> dict[tuple[int, int], float]:
    """For every pair (far, near) the share of the far one's box that the near one's pixels take up."""
    masks = {number: pixels(text, width) for number, text in record["obj_mask"].items()}
    depths = [thing["pixel_coords"][2] for thing in record["objects"]]
    found = {}
    for far in range(len(depths)):
        left, top, across, down = record["obj_bbox"][str(far + 1)]
        for near in range(len(depths)):
            if depths[near] < depths[far]:
                inside = [1 for x, y in masks[str(near + 1)] if left <= x < left + across and top <= y < top + down]
                found[far, near] = len(inside) / (across * down)
    return found


def run(nodes: list[dict[str, Any]], record: Scene) -> list[Any]:
    """The output of every step of an official program; `naive.NoValue` where the official executor has none."""
    outputs: list[Any] = []
    for node in nodes:
        inputs = [outputs[i] for i in node["inputs"]]
        if node["type"] == "filter_ordinal":
            outputs.append(_ordinal(inputs[0], node["value_inputs"], record))
        elif node["type"] == "filter_visible":
            outputs.append(_visible(inputs[0], node["value_inputs"][0], record))
        else:
            outputs.append(naive.run_step(node["type"], inputs, list(node["value_inputs"]), record))
    return outputs


def _ordinal(objects: list[int], words: list[str], record: Scene) -> list[int]:
    number, side = words
    place = [f"the {word} one of the" for word in ORDINALS].index(number)
    if len(objects) == 1 or place >= len(objects):
        raise naive.NoValue("no such place")
    axis = 2 if side == "from front" else 0
    order = sorted(objects, key=lambda i: record["objects"][i]["pixel_coords"][axis])
    return [order[-1 - place] if side == "from right" else order[place]]


def _visible(objects: list[int], word: str, record: Scene) -> list[int]:
    found = record.get("shares") or shares(record)
    record["shares"] = found
    hidden = {far for (far, _), share in found.items() if share >= 0.2}
    doubtful = any(0 < share < 0.2 for share in found.values())
    if not objects or doubtful or not hidden or len(hidden) == len(record["objects"]):
        raise naive.NoValue("visibility cannot be told")
    return [i for i in objects if (i in hidden) == (word == "partially visible")]
