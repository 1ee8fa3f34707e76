"""Renders the pictures of these pages: `python docs/render.py` writes docs/pictures/*.jpg and looks.png.

Three scenes of CLEVR's stage come from the benchmark as they are, and so do four rooms of PTR, with the meshes that
`your-own-objects.md` makes. The three rooms and the table are composed here, by hand, to show what can be said with
shapes, paints, looks, lamps and a camera: they are values like any other scene.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Mapping
from contextlib import chdir
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.ptr.objects import ptr_objects
from mereo.benchmarks.ptr.scenes import Wanted, ordinary_scene
from mereo.chance import generator
from mereo.clevr_family.pictures import scene_of_record
from mereo.clevr_family.strewing import strewn_scene
from mereo.datasets.picture_bytes import pillow
from mereo.scenes.assemble import shape_of
from mereo.scenes.layout import turned_by
from mereo.scenes.render import render
from mereo.scenes.scene import Camera, Light, Paint, Placed, Pose, Room, Scene, ShapeRef, Surface
from mereo.scenes.table_top import table_scene
from mereo.scenes.textures import all_looks, texture

PICTURES = Path(__file__).with_name("pictures")
CLEVR = {"stage-1": 85, "stage-2": 104, "stage-3": 369}
"""Pictures of CLEVR's stage, by the seed of their scene."""

OWN = {"train": (4, 11), "val": (2,), "test": (10,)}
"""The rooms with own objects, by the split that these belong to and the seed of the scene."""

Coat = Mapping[str, Paint]
"""Paint by pattern of label; the first that fits counts."""


class Thing(NamedTuple):
    """A piece of furniture before it is painted and placed."""

    category: str
    family: int
    at: tuple[float, float]
    """Meters from the middle of the floor, to the right and away from the viewer."""
    turn: float
    """Degrees: 0 looks at the viewer, 90 to the right."""
    coat: Coat
    height: float = 0.0
    """Meters above the floor, for what stands on something."""
    scale: float = 1.0


def main() -> None:
    """Write all pictures, or those that are named."""
    rooms = {"room-1": living_room, "room-2": kitchen, "room-3": bedroom, "table-1": breakfast_table}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=[*CLEVR, *rooms, "looks", "own-objects"])
    parser.add_argument("--samples", type=int, default=256, help="rays per pixel")
    parser.add_argument("--width", type=int, default=480, help="pixels of a stage; the others are half as wide again")
    parser.add_argument("--out", type=Path, default=PICTURES)
    options = parser.parse_args()
    width, height = options.width, options.width * 2 // 3
    for name in options.names:
        if name == "looks":
            save(look_sheet(), options.out / "looks.png")
        elif name == "own-objects":
            save(own_rooms(3 * width // 4, 3 * height // 4, options.samples), options.out / f"{name}.jpg")
        elif name in CLEVR:
            rng = generator(CLEVR[name], "docs", "stage")
            scene = scene_of_record(strewn_scene(rng), rng=rng, width=width, height=height)
            save(render(scene, samples=options.samples)[0], options.out / f"{name}.jpg")
        else:
            scene = rooms[name](3 * width // 2, 3 * height // 2)
            save(render(scene, samples=options.samples)[0], options.out / f"{name}.jpg")


def save(picture: NDArray[np.uint8], path: Path) -> None:
    """Write a picture as PNG or as JPEG, as its name says."""
    image = pillow("Image").fromarray(picture)
    if path.suffix == ".png":
        image.quantize(192).save(path, optimize=True)
    else:
        image.save(path, quality=88, optimize=True)


def look_sheet(side: int = 132, columns: int = 7) -> NDArray[np.uint8]:
    """A square meter of every look of floors and walls, with its name."""
    image, draw, font = pillow("Image"), pillow("ImageDraw"), pillow("ImageFont").load_default(12)
    looks = {name: look for name, look in all_looks().items() if name != "stage"}
    gap, line = 10, 22
    rows = math.ceil(len(looks) / columns)
    sheet = image.new("RGB", (columns * (side + gap) + gap, rows * (side + line) + gap), (250, 249, 246))
    pen = draw.Draw(sheet)
    for number, (name, look) in enumerate(looks.items()):
        x, y = gap + number % columns * (side + gap), gap + number // columns * (side + line)
        pixels = (255 * texture(Surface(name))).astype(np.uint8)
        meter = round(len(pixels) / look["meters"])
        tile = image.fromarray(pixels).crop((0, 0, min(meter, len(pixels)), min(meter, len(pixels))))
        sheet.paste(tile.resize((side, side), image.Resampling.LANCZOS), (x, y))
        pen.text((x, y + side + 2), name, fill=(40, 40, 44), font=font)
    return np.asarray(sheet)


def own_rooms(width: int, height: int, samples: int) -> NDArray[np.uint8]:
    """Four rooms with the chairs and tables of the page about own objects, two by two."""
    page = Path(__file__).with_name("your-own-objects.md").read_text()
    code = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    with TemporaryDirectory() as folder, chdir(folder):
        exec("\n".join(code[:3]), {})
        own = ptr_objects(Path("objects.toml"), {})
    pictures = []
    for split, seeds in OWN.items():
        for seed in seeds:
            asked = Wanted(split, width=width, height=height, own=own)
            scene = ordinary_scene(asked, generator(seed, "docs", "own")).scene
            pictures.append(render(scene, samples=samples)[0])
    return np.concatenate([np.concatenate(pictures[k : k + 2], 1) for k in (0, 2)])


def placed(thing: Thing) -> Placed:
    """A thing in its place, every leaf painted."""
    reference = ShapeRef(thing.category, family=thing.family)
    labels = {leaf.label for leaf in shape_of(reference).leaves()}
    paints = {
        label: next(paint for pattern, paint in thing.coat.items() if fnmatchcase(label, pattern))
        for label in sorted(labels)
    }
    return Placed(reference, Pose((*thing.at, thing.height), turned_by(thing.turn)), thing.scale, paints)


def paint(material: str, code: str) -> Paint:
    """A material in a color such as `#d9a441`."""
    red, green, blue = (int(code[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return Paint(material, (red, green, blue))


OAK, WALNUT, BIRCH = paint("wood", "#a9753f"), paint("wood", "#5d3a22"), paint("wood", "#d0ad7c")
BLACK, STEEL, BRASS = paint("painted_wood", "#2b2c2e"), paint("brushed_metal", "#c3c5c8"), paint("metal", "#d2a64f")
WHITE, CREAM, LINEN = paint("painted_wood", "#e6e2d8"), paint("painted_wood", "#ece3cc"), paint("fabric", "#e2d9c8")
BULB = paint("ceramic", "#fff3d6")


def upholstered(cloth: str, feet: Paint, cushion: str | None = None) -> Coat:
    """A sofa or armchair in one cloth, its cushions in another if told."""
    soft = paint("fabric", cushion or cloth)
    return {"*_single_surface": soft, "*/foot": feet, "*/leg": feet, "*": paint("fabric", cloth)}


def lamp(shade: Paint, pole: Paint) -> Coat:
    """A lamp by its shade and its pole."""
    return {"*/lamp_shade": shade, "*/light_bulb": BULB, "*": pole}


def cabinet(body: Paint, front: Paint, fittings: Paint) -> Coat:
    """A cupboard: what is moved has a color of its own."""
    return {
        "*/handle": fittings,
        "*/hinge": fittings,
        "*/mirror_surface": paint("metal", "#dfe4e6"),
        "*/cabinet_door_surface": front,
        "*/drawer_front": front,
        "*": body,
    }


def seat_and_frame(seat: Paint, frame: Paint) -> Coat:
    """A chair with a seat unlike its frame."""
    return {"*/seat_single_surface": seat, "*/back_single_surface": seat, "*": frame}


def living_room(width: int, height: int) -> Scene:
    """Late afternoon: a sofa under an arc lamp, an armchair, a shelf."""
    things = (
        Thing("chair", 18, (-0.7, 1.1), 0, upholstered("#2f6a70", WALNUT, "#3d7f84"), scale=1.18),
        Thing("chair", 13, (1.2, 0.28), -56, upholstered("#c9733f", OAK, "#d98b54")),
        Thing("table", 4, (-0.25, 0.0), 6, {"*/board": WALNUT, "*": BLACK}),
        Thing("lamp", 7, (-1.42, 0.72), 0, lamp(paint("metal", "#d39a44"), BLACK)),
        Thing("storage_furniture", 5, (1.35, 1.68), 0, cabinet(BIRCH, WHITE, BLACK)),
        Thing("lamp", 18, (1.0, 1.66), 0, lamp(LINEN, paint("ceramic", "#3d6f8e")), height=1.16),
    )
    room = Room(4.6, 3.8, 3.2, *surfaces("oak_herringbone", "sage_plaster", "sage_plaster", "white_plaster"))
    lights = (
        Light((-3.0, -4.6, 4.6), (0.2, 0.6, 0.4), 1.5, (76.0, 67.0, 53.0)),
        Light((2.6, -3.4, 3.4), (0.0, 0.6, 0.5), 2.4, (5.0, 5.6, 6.6)),
    )
    camera = Camera((0.45, -4.6, 1.7), (-0.08, 0.6, 0.66), 44.0, width, height)
    return Scene(room, tuple(map(placed, things)), lights, camera, sky=(0.34, 0.36, 0.4))


def kitchen(width: int, height: int) -> Scene:
    """Morning: a round table, three chairs, a refrigerator, a dresser and a tea trolley."""
    chair = seat_and_frame(paint("fabric", "#b9543f"), WHITE)
    mint = paint("ceramic", "#86bba6")
    things = (
        Thing("table", 20, (0.0, 0.12), 20, {"*/board": OAK, "*": WHITE}),
        Thing("chair", 6, (-0.78, 0.36), 72, chair),
        Thing("chair", 6, (0.42, 0.86), -28, chair),
        Thing("chair", 14, (0.82, -0.22), -112, seat_and_frame(OAK, paint("painted_wood", "#2f4f74"))),
        Thing("refrigerator", 9, (-1.5, 1.4), 6, {"*/handle": STEEL, "*": mint}),
        Thing("storage_furniture", 10, (1.28, 1.48), 0, cabinet(paint("painted_wood", "#4d6d83"), CREAM, BRASS)),
        Thing("cart", 13, (-0.42, 1.5), -70, {"*/wheel": BLACK, "*board*": CREAM, "*": BRASS}),
        Thing("lamp", 6, (0.0, 0.12), 0, {"*/lamp_shade": paint("ceramic", "#b9543f"), "*": BLACK}, height=1.42),
    )
    room = Room(4.4, 3.8, 3.2, *surfaces("checker_tiles", "ochre_plaster", "white_brick", "white_plaster"))
    lights = (
        Light((3.2, -4.2, 4.4), (-0.2, 0.6, 0.4), 1.4, (88.0, 81.0, 70.0)),
        Light((-2.6, -3.2, 3.2), (0.0, 0.6, 0.5), 2.4, (4.6, 5.3, 6.6)),
    )
    camera = Camera((-0.5, -4.4, 1.75), (-0.03, 0.5, 0.7), 42.0, width, height)
    return Scene(room, tuple(map(placed, things)), lights, camera, sky=(0.34, 0.36, 0.38))


def bedroom(width: int, height: int) -> Scene:
    """Late morning: a bed, two lamps, a chest of drawers, an armchair."""
    bed = {
        "*/pillow": LINEN,
        "*/mattress": paint("fabric", "#efe9dd"),
        "*/blanket": paint("fabric", "#b25a44"),
        "*/headboard": paint("fabric", "#46607a"),
        "*": WALNUT,
    }
    things = (
        Thing("bed", 16, (-0.4, 0.72), 0, bed),
        Thing("table", 1, (-1.58, 1.35), 0, {"*/board": WALNUT, "*": BLACK}, scale=0.9),
        Thing("lamp", 18, (-1.58, 1.35), 0, lamp(LINEN, BRASS), height=0.55, scale=1.2),
        Thing("storage_furniture", 9, (1.38, 1.42), -8, cabinet(WALNUT, OAK, BRASS)),
        Thing("chair", 1, (1.25, 0.1), -58, upholstered("#7d8f6a", BRASS, "#93a67c")),
        Thing("lamp", 20, (0.8, 1.55), 0, lamp(LINEN, BRASS)),
    )
    room = Room(4.4, 3.6, 3.2, *surfaces("walnut_planks", "green_wallpaper", "cream_plaster", "cream_plaster"))
    lights = (
        Light((-3.0, -4.4, 4.4), (0.2, 0.6, 0.3), 1.6, (60.0, 54.0, 46.0)),
        Light((2.6, -3.4, 3.4), (0.0, 0.6, 0.5), 2.4, (4.6, 5.0, 6.2)),
    )
    camera = Camera((0.55, -4.3, 1.75), (-0.05, 0.55, 0.62), 44.0, width, height)
    return Scene(room, tuple(map(placed, things)), lights, camera, sky=(0.34, 0.35, 0.38))


def breakfast_table(width: int, height: int) -> Scene:
    """A worktop by a window: a lamp, and solids of wood, ceramic, metal and glass."""

    def solid(category: str, at: tuple[float, float], scale: float, coat: Paint, turn: float = 0.0) -> Placed:
        return placed(Thing(category, 0, at, turn, {"*": coat}, scale=scale))

    objects = (
        placed(Thing("lamp", 18, (0.31, 0.2), 0, lamp(LINEN, paint("ceramic", "#b9543f")), scale=0.8)),
        solid("cube", (-0.27, 0.04), 0.058, OAK, 25),
        solid("cylinder", (-0.02, 0.13), 0.07, paint("ceramic", "#ece7da")),
        solid("cylinder", (-0.1, -0.11), 0.05, paint("glass", "#f1f7f4")),
        solid("sphere", (0.12, -0.09), 0.055, paint("ceramic", "#2f6288")),
        solid("cube", (0.26, 0.0), 0.046, paint("glass", "#8fd0ae"), -22),
        solid("sphere", (-0.17, 0.21), 0.048, BRASS),
        solid("sphere", (-0.34, -0.14), 0.042, paint("glass", "#ffffff")),
        solid("cylinder", (0.27, -0.2), 0.03, paint("plastic", "#d9a32f")),
    )
    top, wall = Surface("beech_worktop", 1), Surface("sage_plaster", 2)
    return table_scene(objects, top=top, wall=wall, rng=generator(7, "docs", "table"), width=width, height=height)


def surfaces(*looks: str) -> tuple[Surface, Surface, Surface, Surface]:
    """Floor, back, left and right."""
    floor, back, left, right = (Surface(look, seed=number) for number, look in enumerate(looks))
    return floor, back, left, right


if __name__ == "__main__":
    main()
