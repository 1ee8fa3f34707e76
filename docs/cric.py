"""Draws the pictures of docs/cric.md: `python docs/cric.py DATASET QUESTION …` writes docs/pictures/cric-*.

DATASET is one of CRIC with pictures. Each question, by its id, becomes cric-1.svg, what it takes from the picture and
from what is known, and cric-1.jpg, the picture with what every step of its program refers to; and so on. The first
scenes of the dataset become cric-scenes.jpg.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from paper import INK, QUIET, Mask, Picture, blank, font, image_of, rim

from mereo.benchmarks.benchmark import inspector_of
from mereo.datasets.inspector import Inspector
from mereo.datasets.picture_bytes import pillow
from mereo.datasets.reading import split_rows
from mereo.datasets.store import open_dataset
from mereo.evaluation.graphs import as_file
from mereo.programs import Trace, TraceStep, execute, format_step
from mereo.world import World

PICTURES = Path(__file__).with_name("pictures")
ACROSS, WIDTH, GAP, SCENES = 4, 300, 14, 6
ACCENT, RIM = (124, 58, 237), (255, 140, 26)


def main() -> None:
    """Write all pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("questions", nargs="*")
    parser.add_argument("--out", type=Path, default=PICTURES)
    options = parser.parse_args()
    manifest = open_dataset(options.dataset)
    eye = inspector_of(manifest)
    files = sorted(name for name in manifest.files if name.startswith("questions/"))
    asked = {row["question_id"]: row for name in files for row in pq.read_table(options.dataset / name).to_pylist()}
    rows = {row["scene_id"]: row for row in split_rows(options.dataset, manifest, list(manifest.scenes), heavy=HEAVY)}
    save(sheet([image_of(row) for row in islice(rows.values(), SCENES)]), options.out / "cric-scenes.jpg")
    for number, name in enumerate(options.questions, 1):
        question = asked[name]
        row = rows[question["scene_id"]]
        world = eye.world(row)
        (options.out / f"cric-{number}.svg").write_text(as_file(eye.drawing(question, world)))
        save(stepwise(question, row, world, eye), options.out / f"cric-{number}.jpg")


HEAVY = ("image", "instances")
"""The columns of pictures that are read, too."""


def save(image: Any, path: Path) -> None:
    """Write a picture as JPEG."""
    image.save(path, quality=86, optimize=True)


def small(picture: Picture, width: int) -> Any:
    """A picture of a width in pixels."""
    size = (width, width * picture.shape[0] // picture.shape[1])
    return pillow("Image").fromarray(picture).resize(size, pillow("Image").Resampling.LANCZOS)


def sheet(pictures: Iterable[Picture], *, across: int = 3, width: int = 420) -> Any:
    """Pictures in rows."""
    shown = [small(picture, width) for picture in pictures]
    tall = max(one.height for one in shown) + 10
    image, _ = blank(across * (width + 10) - 10, -(-len(shown) // across) * tall - 10)
    for number, one in enumerate(shown):
        image.paste(one, (number % across * (width + 10), number // across * tall))
    return image


def stepwise(question: Mapping[str, Any], row: Mapping[str, Any], world: World, eye: Inspector) -> Any:
    """A question, its answer, and for every step what it refers to, but for those that only take everything."""
    trace: Trace = execute(question["program"], world, eye.language)
    steps = [(number, step) for number, step in enumerate(trace.steps(), 1) if step.step.function != "initial"]
    picture, masks = image_of(row), masks_of(row, world, eye)
    tall = WIDTH * picture.shape[0] // picture.shape[1] + 46
    title = textwrap.wrap(question["question"], 90)
    top = GAP + 30 * len(title) + 40
    across = min(ACROSS, len(steps))
    image, pen = blank(across * (WIDTH + GAP) + GAP, top + -(-len(steps) // across) * tall)
    for number, words in enumerate(title):
        pen.text((GAP, GAP + 30 * number), words, fill=INK, font=font(24))
    pen.text((GAP, GAP + 30 * len(title)), question["answer"], fill=ACCENT, font=font(24))
    beside = GAP + 24 + round(pen.textlength(question["answer"], font=font(24)))
    pen.text((beside, GAP + 6 + 30 * len(title)), question["subtype"], fill=QUIET, font=font(17))
    shown: list[int] = []
    for place, (number, step) in enumerate(steps):
        x, y = GAP + place % across * (WIDTH + GAP), top + place // across * tall
        shown = step.referred if step.type.form == "entities" else shown
        image.paste(small(lit(picture, [masks[k] for k in shown if k in masks]), WIDTH), (x, y))
        pen.text((x, y + tall - 43), shortened(f"{number}  {format_step(step.step)}"), fill=INK, font=font(14))
        pen.text((x, y + tall - 25), shortened(said(step, world, eye)), fill=QUIET, font=font(14))
    return image


def masks_of(row: Mapping[str, Any], world: World, eye: Inspector) -> Mapping[int, Mask]:
    """By entity which pixels show it, or its box where that is all that is known."""
    masks: dict[int, Mask] = dict(eye.masks(row, world))
    height, width = image_of(row).shape[:2]
    for entity, (left, top, wide, tall) in eye.boxes(row, world).items():
        if entity not in masks:
            masks[entity] = np.zeros((height, width), bool)
            masks[entity][round(top) : round(top + tall), round(left) : round(left + wide)] = True
    return masks


def shortened(text: str, letters: int = 44) -> str:
    """As much of a text as there is room for."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def said(step: TraceStep, world: World, eye: Inspector) -> str:
    """A step's value in few words."""
    if step.type.form != "entities":
        return ("yes" if step.value else "no") if step.type.form == "boolean" else str(step.value)
    names = sorted({eye.name(world.entities[entity]) for entity in step.referred})
    return f"{len(step.referred)}: {', '.join(names)}" if names else "nothing"


def lit(picture: Picture, masks: Iterable[Mask]) -> Picture:
    """A picture, dim but for what is marked, which gets a rim."""
    shown = 0.55 * (0.75 * picture.mean(2, keepdims=True) + 0.25 * picture) + 0.45 * 255
    kept = list(masks)
    for mask in kept:
        shown[mask] = picture[mask]
    for mask in kept:
        shown[rim(mask)] = RIM
    return np.asarray(shown, np.uint8)


if __name__ == "__main__":
    main()
