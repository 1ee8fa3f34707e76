"""Draws the pictures of docs/ptr.md: `python docs/furniture.py` renders scenes and writes docs/pictures/ptr-*.jpg.

A scene with its parts and depth, and what it is made of, printed; one question of each type with what every step of its
program refers to; a sheet of physical scenes; and one of rooms as they come.
"""

from __future__ import annotations

import argparse
import colorsys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from paper import INK, PAPER, QUIET, Picture, blank, font, image_of

from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.masks import instances_of
from mereo.benchmarks.ptr.questions import RULES, TYPES, ptr_questions
from mereo.benchmarks.ptr.readings import ptr_readings
from mereo.benchmarks.ptr.recipe import PtrRecipe, is_physical
from mereo.benchmarks.ptr.world import ptr_world
from mereo.chance import fast, generator
from mereo.datasets.answers import plain_answer
from mereo.datasets.picture_bytes import pillow
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.pictures import decode_png
from mereo.datasets.seen import masks_of
from mereo.programs import format_step
from mereo.questions.generate import Asker, Question

PICTURES = Path(__file__).with_name("pictures")
SPLIT, SEED = "train", 0
PHYSICAL = tuple(index for index in range(100) if is_physical(index))
ROOMS = 24
SHOWN = ("query-part", "geometric", "spatial-analogy", "sum-minus", "possible-change")
"""One subtype of each of the five types."""
ACCENT = (216, 106, 20)


def main() -> None:
    """Write all pictures, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=["scene", "physical", "rooms"])
    parser.add_argument("--samples", type=int, help="rays per pixel")
    parser.add_argument("--renderer", default="auto")
    options = parser.parse_args()
    view = PictureSettings.chosen(samples=options.samples, renderer=options.renderer)
    recipe = PtrRecipe(seed=SEED, pictures=True, view=view)
    if "scene" in options.names:
        row, questions = telling_scene(recipe)
        save(three_views(row), "ptr-scene")
        print(made_of(msgspec.json.decode(row["scene"])))
        for number, question in enumerate(questions):
            save(stepwise(question, row), f"ptr-question-{number + 1}")
    if "physical" in options.names:
        save(sheet([image_of(recipe.scene(SPLIT, index)) for index in PHYSICAL[:6]]), "ptr-physical")
    if "rooms" in options.names:
        rooms = [image_of(recipe.scene("test", index)) for index in range(ROOMS)]
        save(sheet(rooms, across=4, width=320), "ptr-rooms")


def telling_scene(recipe: PtrRecipe) -> tuple[dict[str, Any], list[Question]]:
    """The first physical scene of at least four objects about which all five types can be asked."""
    for index in PHYSICAL:
        row = recipe.scene(SPLIT, index)
        questions = one_of_each(row)
        if row["objects"] >= 4 and len(questions) == len(SHOWN):
            return row, questions
    raise RuntimeError("no scene tells enough")


def made_of(record: dict[str, Any]) -> str:
    """What is seen of a scene beyond doubt, as objects and parts."""
    lines = []
    for number, thing in enumerate(record["objects"]):
        said = [thing["stability"] or ""]
        said += [f"on object {under}" for under in thing["on"]]
        said += [f"would be stable farther to the {side}" for side in thing["changes"]]
        lines.append(f"{number} {thing['category']}: {', '.join(said)}")
        parts: dict[tuple[str, ...], int] = {}
        for part in thing["parts"]:
            kind = next((kind for kind in ("line", "plane") if kind in part), "")
            key = tuple(word for word in (part["part"], part["color"] or "", kind) if word)
            parts[key] = parts.get(key, 0) + 1
        for place, (words, count) in enumerate(parts.items()):
            lines.append(f"  {'└─' if place == len(parts) - 1 else '├─'} {count} {', '.join(words)}")
    return "\n".join(lines)


def save(image: Any, name: str) -> None:
    """Write a picture as JPEG."""
    image.save(PICTURES / f"{name}.jpg", quality=86, optimize=True)


def three_views(row: dict[str, Any]) -> Any:
    """Picture, part instances and depth side by side."""
    ids = decode_png(row["instances"]["bytes"]).astype(int)
    count = int(ids.max()) + 1
    palette = np.array([colorsys.hsv_to_rgb(k * 0.381966 % 1.0, 0.45 + 0.4 * (k % 3) / 2, 0.95) for k in range(count)])
    palette[0] = np.array(PAPER) / 255
    parts = (255 * palette[ids]).astype(np.uint8)
    depth = decode_png(row["depth"]["bytes"]).astype(float)
    near, far = np.percentile(depth[depth > 0], [1, 99])
    shade = 1 - np.clip((depth - near) / (far - near), 0, 1)
    tint = np.array([[28, 34, 64], [64, 120, 150], [250, 236, 190]], float)
    gray = np.stack([np.interp(shade, [0, 0.5, 1], tint[:, channel]) for channel in range(3)], 2).astype(np.uint8)
    return sheet([image_of(row), parts, gray])


def sheet(pictures: Sequence[Picture], *, across: int = 3, width: int = 420) -> Any:
    """Pictures in rows."""
    gap, height = 10, width * 2 // 3
    rows = -(-len(pictures) // across)
    image, _ = blank(across * (width + gap) - gap, rows * (height + gap) - gap)
    for number, picture in enumerate(pictures):
        small = pillow("Image").fromarray(picture).resize((width, height), pillow("Image").Resampling.LANCZOS)
        image.paste(small, (number % across * (width + gap), number // across * (height + gap)))
    return image


def one_of_each(row: dict[str, Any]) -> list[Question]:
    """The shortest question of each of the five types that takes some reasoning."""
    record = msgspec.json.decode(row["scene"])
    world, readings = ptr_world(record), ptr_readings(record)
    asker = Asker(ptr_questions(), LANGUAGE, RULES, SPLIT)
    chance = fast(generator(SEED, "docs", "furniture"))
    asked = [
        question for _ in range(6) for question in asker.ask(world, len(asker.plans), chance=chance, readings=readings)
    ]
    found = []
    for subtype in SHOWN:
        own = [question for question in asked if question.template.type == subtype and len(question.program) >= 7]
        if own:
            found.append(min(own, key=lambda question: (len(question.program), len(question.text))))
    return found


def stepwise(question: Question, row: dict[str, Any], *, across: int = 5, width: int = 248) -> Any:
    """A question, its answer, and for every step what it refers to."""
    masks, picture = masks_of(row, instances_of(row)), image_of(row)
    assert masks is not None
    steps = list(question.trace.steps())
    height, line, gap = width * 2 // 3, 17, 12
    title = textwrap.wrap(f"{question.text}", 92)
    top = 16 + 30 * len(title) + 34
    rows = -(-len(steps) // across)
    cell = height + 3 * line + gap
    image, pen = blank(across * (width + gap) + gap, top + rows * cell + gap)
    for number, words in enumerate(title):
        pen.text((gap, 14 + 30 * number), words, fill=INK, font=font(24))
    kind = f"{TYPES[question.template.type]} · {question.template.type}"
    answer = plain_answer(question.answer)
    pen.text((gap, 14 + 30 * len(title)), answer, fill=ACCENT, font=font(24))
    beside = gap + max(130, round(pen.textlength(answer, font=font(24))) + 24)
    pen.text((beside, 20 + 30 * len(title)), kind, fill=QUIET, font=font(17))
    shown: list[int] = []
    for number, step in enumerate(steps):
        x, y = gap + number % across * (width + gap), top + number // across * cell
        shown = step.referred if step.referred or step.type.form in ("entities", "entity") else shown
        small = pillow("Image").fromarray(lit(picture, [masks[entity] for entity in shown]))
        image.paste(small.resize((width, height), pillow("Image").Resampling.LANCZOS), (x, y))
        label = f"{number + 1}  {format_step(step.step)}"
        pen.text((x, y + height + 3), shortened(label), fill=INK, font=font(14))
        pen.text((x, y + height + 3 + line), shortened(said(step)), fill=QUIET, font=font(14))
    return image


def shortened(text: str, letters: int = 38) -> str:
    """As much of a text as there is room for."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def said(step: Any) -> str:
    """A step's value in few words."""
    if step.type.form == "entities":
        noun = "part" if step.type.name == "PartSet" else "object"
        return f"{len(step.referred)} {noun}{'' if len(step.referred) == 1 else 's'}"
    if step.type.form == "entity":
        return f"the {step.value.partition('-')[0]}"
    return str(step.value) if step.type.form == "integers" else plain_answer(step.value)


def lit(picture: Picture, masks: Sequence[NDArray[np.bool_]]) -> Picture:
    """A picture in which only what is masked keeps its colors."""
    inside = np.any(masks, axis=0) if masks else np.zeros(picture.shape[:2], bool)
    gray = picture.mean(2, keepdims=True)
    dim = 0.55 * (0.75 * gray + 0.25 * picture) + 0.45 * 255
    return np.where(inside[:, :, None], picture, dim).astype(np.uint8)


if __name__ == "__main__":
    main()
