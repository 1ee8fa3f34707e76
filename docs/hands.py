"""Pictures of grasps: where a robot's two fingers close on things, drawn over a table top.

    python docs/hands.py [--index 3] [--samples 32] [--out grasps.png]

Green hands are free, red ones have something in their way, gray ones are too weak for the weight.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.shop.language import VOCABULARY
from mereo.chance import generator
from mereo.datasets.picture_bytes import pillow
from mereo.scenes.grasping import Grasp, grasps_in
from mereo.scenes.layout import Candidate, Floor, place
from mereo.scenes.observe import projected
from mereo.scenes.render import render
from mereo.scenes.scene import Paint, Scene, ShapeRef, Surface
from mereo.scenes.table_top import table_scene
from mereo.shapes.hand import HAND

FREE, BLOCKED, WEAK = (40, 160, 70), (205, 45, 40), (120, 120, 120)
FINE = 3
"""How many times as large lines are drawn before the picture is made small again."""


def draw_grasp(picture: NDArray[np.uint8], scene: Scene, grasp: Grasp) -> NDArray[np.uint8]:
    """A picture of a scene with a hand over it: two fingers, the palm between them, and the way it comes."""
    height, width = picture.shape[:2]
    image = pillow("Image").fromarray(picture).resize((FINE * width, FINE * height))
    pen = pillow("ImageDraw").Draw(image)
    point, closing, approach = (np.array(vector) for vector in (grasp.point, grasp.closing, grasp.approach))
    half, back = float(HAND.opened(grasp.width)) / 2 * closing, HAND.long * approach
    color = FREE if grasp.free else BLOCKED if grasp.holds else WEAK

    def line(*places: NDArray[np.float64], thick: float) -> None:
        seen = FINE * projected(scene, [place.tolist() for place in places])[:, :2]
        corners = [(float(x), float(y)) for x, y in seen]
        for fill, more in (((255, 255, 255), 2), (color, 0)):
            pen.line(corners, fill=fill, width=round(FINE * (thick + more)), joint="curve")

    line(point - back - HAND.retreat / 2 * approach, point - back, thick=2)
    line(point - half, point - half - back, point + half - back, point + half, thick=3)
    return np.asarray(image.resize((width, height), pillow("Image").Resampling.LANCZOS))


def strewn(index: int) -> Scene:
    """Some household objects on a table, each of one color."""
    rng = generator(0, "docs", "grasps", index)
    names = [name.replace(" ", "_") for name in VOCABULARY.words("name")]
    candidates = []
    for number in rng.choice(len(names), 5, replace=False):
        x, y, z = rng.uniform(0.25, 0.9, 3).tolist()
        candidates.append(Candidate(ShapeRef(names[number]), 1.0, {"": Paint("ceramic", (x, y, z))}))
    floor = Floor(-0.36, 0.36, -0.26, 0.26, gap=0.01, margin=0.02)
    objects = place(candidates, floor, across=(1.0, 0.0, 0.0), away=(0.0, 1.0, 0.0), rng=rng)
    return table_scene(objects, top=Surface("beech_worktop"), wall=Surface("sage_plaster"), rng=rng)


def main() -> None:
    """Draw all grasps of one scene."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", type=int, default=0)
    parser.add_argument("--samples", type=int, default=32)
    parser.add_argument("--out", type=Path, default=Path("grasps.png"))
    given = parser.parse_args()
    scene = strewn(given.index)
    picture, _ = render(scene, samples=given.samples)
    for grasp in grasps_in(scene):
        if grasp is not None:
            picture = draw_grasp(picture, scene, grasp)
    pillow("Image").fromarray(picture).save(given.out)


if __name__ == "__main__":
    main()
