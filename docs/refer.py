"""Draws referring expressions on a rendered scene, step by step: `python docs/refer.py` writes pictures/refer-*.jpg.

Every step of a program is one small picture: what it refers to stays bright and gets a rim, all else is dimmed.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from paper import rim

from mereo.benchmarks.refer.recipe import ReferRecipe
from mereo.chance import fast, generator
from mereo.datasets.picture_bytes import pillow
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.pictures import decode_picture
from mereo.programs import format_step
from mereo.questions.generate import Asker, Question

PICTURES = Path(__file__).with_name("pictures")
SEED, INDEX = 5, 20
ACROSS, SIDE, GAP = 4, 300, 14
PAPER, INK, RIM = (250, 249, 246), (40, 40, 44), (255, 140, 26)


class Wanted(NamedTuple):
    """What kind of expression a picture shows."""

    family: str
    functions: frozenset[str]
    steps: int


WANTED = (
    Wanted("zero_relate", frozenset({"filter_visible", "filter_material"}), 3),
    Wanted("one_relate", frozenset({"filter_ordinal", "relate"}), 7),
    Wanted("and_logic", frozenset({"intersect"}), 11),
    Wanted("same", frozenset({"filter_ordinal", "filter_size"}), 6),
)


def main() -> None:
    """Write all four pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=128, help="rays per pixel")
    parser.add_argument("--out", type=Path, default=PICTURES)
    options = parser.parse_args()
    recipe = ReferRecipe(seed=SEED, pictures=PictureSettings(samples=options.samples))
    row = recipe.scene("docs", INDEX)
    picture = decode_picture(row["image"]["bytes"])
    masks = recipe.referring.masks(row)
    assert masks is not None
    for number, wanted in enumerate(WANTED, 1):
        said = expression(recipe, row, wanted)
        sheet = drawn(said, picture, masks)
        pillow("Image").fromarray(sheet).save(options.out / f"refer-{number}.jpg", quality=86, optimize=True)


def expression(recipe: ReferRecipe, row: dict[str, Any], wanted: Wanted) -> Question:
    """The first expression of the wanted kind that chance brings about."""
    templates, rules = recipe.referring.expressions(false_premise=False)
    world = recipe.referring.world(row)
    for attempt in count():
        asker = Asker(templates, recipe.referring.language, rules)
        for said in asker.ask(world, len(templates.templates), chance=fast(generator(SEED, "docs", attempt))):
            functions = {step.function for step in said.program.steps}
            if (
                said.template.family == wanted.family
                and wanted.functions <= functions
                and len(said.program) == wanted.steps
                and len(said.text) < 100
            ):
                return said
    raise AssertionError("counting never ends")


def drawn(said: Question, picture: NDArray[np.uint8], masks: Sequence[NDArray[np.bool_]]) -> NDArray[np.uint8]:
    """The expression above one small picture for every step."""
    image, draw, fonts = pillow("Image"), pillow("ImageDraw"), pillow("ImageFont")
    title, small = fonts.load_default(21), fonts.load_default(15)
    height = SIDE * picture.shape[0] // picture.shape[1]
    steps = list(said.trace.steps())
    lines = textwrap.wrap(said.text, 104)
    top = GAP + 28 * len(lines) + 6
    across = min(ACROSS, len(steps))
    rows = -(-len(steps) // across)
    sheet = image.new("RGB", (across * (SIDE + GAP) + GAP, top + rows * (height + 34)), PAPER)
    pen = draw.Draw(sheet)
    for number, line in enumerate(lines):
        pen.text((GAP, GAP + 28 * number), line, fill=INK, font=title)
    for number, step in enumerate(steps):
        x, y = GAP + number % across * (SIDE + GAP), top + number // across * (height + 34)
        shown = image.fromarray(highlighted(picture, [masks[k] for k in step.referred]))
        sheet.paste(shown.resize((SIDE, height), image.Resampling.LANCZOS), (x, y))
        pen.text((x, y + height + 5), f"{number}  {format_step(step.step)}", fill=INK, font=small)
    return np.asarray(sheet)


def highlighted(picture: NDArray[np.uint8], masks: Sequence[NDArray[np.bool_]]) -> NDArray[np.uint8]:
    """The picture, dim but for what is marked, which gets a rim."""
    marked = np.any(masks, axis=0) if masks else np.zeros(picture.shape[:2], bool)
    dim = 0.3 * picture + 0.7 * np.array([225, 224, 220])
    shown = np.where(marked[..., None], picture, dim)
    for mask in masks:
        shown[rim(mask)] = RIM
    return shown.astype(np.uint8)


if __name__ == "__main__":
    main()
