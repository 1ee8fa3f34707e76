"""Draws the pictures of docs/shop.md: `python docs/household.py` renders scenes and writes docs/pictures/shop-*.jpg.

One scene for each split, some of its questions, printed, and one grasp drawn over its picture.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from hands import draw_grasp

from mereo.benchmarks.shop.language import LANGUAGE, shop_world
from mereo.benchmarks.shop.models import instances_of
from mereo.benchmarks.shop.questions import QUESTIONS, RULES, owner
from mereo.benchmarks.shop.recipe import ShopRecipe
from mereo.chance import fast, generator
from mereo.datasets.answers import plain_answer
from mereo.datasets.columns import record_of
from mereo.datasets.picture_bytes import pillow
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.pictures import decode_picture
from mereo.questions.generate import Asker
from mereo.scenes.grasping import grasps_in
from mereo.scenes.scene import scene_from_json

PICTURES = Path(__file__).with_name("pictures")
SEED = 0
SHOWN = {"train": 3, "validation": 2, "test": 3, "benchmark": 3}
"""The scene of each split that is shown."""
GRASPED = ("train", 0)
"""The split and the object whose grasp is drawn."""


def main() -> None:
    """Write all pictures, or those of the splits that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("splits", nargs="*", default=list(SHOWN))
    parser.add_argument("--samples", type=int, default=256, help="rays per pixel")
    parser.add_argument("--out", type=Path, default=PICTURES)
    options = parser.parse_args()
    view = PictureSettings.chosen(samples=options.samples)
    recipe = ShopRecipe(seed=SEED, pictures=True, view=view)
    for split in options.splits:
        row = recipe.scene(split, SHOWN[split])
        draw(row, options.out)
        print(split, *asked(row), sep="\n  ")


def draw(row: dict[str, Any], out: Path) -> None:
    """Save the picture of a scene, and a second one where a grasp of it is shown."""
    picture, split = decode_picture(row["image"]["bytes"]), row["split"]
    save(picture, out / f"shop-{split}.jpg")
    if split == GRASPED[0]:
        scene = scene_from_json(row["layout"].encode())
        grasp = grasps_in(scene)[GRASPED[1]]
        assert grasp is not None
        save(draw_grasp(picture, scene, grasp), out / "shop-grasp.jpg")


def save(picture: Any, path: Path) -> None:
    """As the other pictures of the pages are stored."""
    pillow("Image").fromarray(picture).save(path, quality=88, optimize=True)


def asked(row: dict[str, Any]) -> list[str]:
    """Questions of every kind about a scene, with their answers."""
    world, split, lines = shop_world(record_of(row)), row["split"], []
    for kind, load in QUESTIONS.items():
        asker = Asker(load(instances_of(split)), LANGUAGE, RULES, owner(split))
        chance = fast(generator(SEED, "docs", split, kind))
        lines += [f"{said.text}  {plain_answer(said.answer)}" for said in asker.ask(world, 20, chance=chance)]
    return lines


if __name__ == "__main__":
    main()
