"""Reading scene graphs in Visual Genome's manner: opening and counting, and rows of a build, with memory.

    python bench/scene_graphs.py [--images 20000]

The files are written here, by chance: as many objects, attributes and relations a picture as Visual Genome has, in its
separate files and in one. The reference loads the one file whole and counts names. The whole of Visual Genome is
108,077 pictures.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from measure import Spent, options, rates, save, spent
from mereo.benchmarks.cric.given import given_graphs
from mereo.benchmarks.cric.graph_files import open_graphs
from mereo.errors import Refusals
from tables import Row

OBJECTS, RELATIONS = 35, 21
"""Of a picture, on average."""
WHOLE = 108_077
ROWS = 400
NAMES = [f"{kind} {number}" for number in range(400) for kind in ("chair", "plate", "tree", "window", "shelf")]
COLORS = ("red", "green", "white", "black", "brown", "wooden", "tall", "old", "metal", "open")
PREDICATES = ("on", "ON", "wearing", "next to", "in front of", "has", "holding a", "behind", "near", "of")

OURS = """
import sys
from mereo.benchmarks.cric.given import given_graphs
from mereo.benchmarks.cric.graph_files import open_graphs
from mereo.errors import Refusals
given_graphs(sys.argv[1], refusals=Refusals())
"""
PLAIN = """
import json, sys
from collections import Counter
counts = Counter()
for record in json.load(open(sys.argv[1], encoding="utf-8")):
    counts.update(thing["names"][0] for thing in record["objects"])
"""


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=20_000)
    given = options(parser)
    images = 200 if given.quick else given.images
    with tempfile.TemporaryDirectory() as name:
        whole, apart = Path(name) / "whole", Path(name) / "apart"
        sizes = write(whole, apart, images)
        found = {
            "json.load": (spent([sys.executable, "-c", PLAIN, whole / "scene_graphs.json"]), sizes[0]),
            "mereo, one file": (spent([sys.executable, "-c", OURS, whole]), sizes[0]),
            "mereo, four files": (spent([sys.executable, "-c", OURS, apart]), sizes[1]),
        }
        rows = [*reading(images, found), *building(whole, min(ROWS, images // 2))]
    save("scene-graphs", given, rows, notes=[f"Of all {WHOLE:,} pictures the time is {WHOLE / images:.1f} times this."])


def write(whole: Path, apart: Path, images: int) -> tuple[float, float]:
    """Files by chance, and how many megabytes they have."""
    chance = random.Random(0)
    names = ("objects", "attributes", "relationships", "image_data", "scene_graphs")
    content: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for image_id in range(1, images + 1):
        for name, record in picture(image_id, chance).items():
            content[name].append({"image_id": image_id, **record})
    for folder, kept in ((whole, ("scene_graphs", "image_data")), (apart, names[:4])):
        folder.mkdir()
        for name in kept:
            (folder / f"{name}.json").write_text(json.dumps(content[name]))
    sizes = [sum(file.stat().st_size for file in folder.iterdir()) / 1e6 for folder in (whole, apart)]
    return sizes[0], sizes[1]


def picture(image_id: int, chance: random.Random) -> dict[str, dict[str, Any]]:
    """What the files say of a picture."""
    objects: list[dict[str, Any]] = []
    for number in range(chance.randint(OBJECTS // 2, OBJECTS * 3 // 2)):
        left, top = chance.randrange(700), chance.randrange(500)
        box = {"x": left, "y": top, "w": chance.randint(10, 100), "h": chance.randint(10, 100)}
        name = chance.choice(NAMES)
        synsets = [f"{name.replace(' ', '_')}.n.01"]
        objects.append({"synsets": synsets, "object_id": image_id * 1000 + number, "names": [name], **box})
    said = [
        {**one, "attributes": chance.sample(COLORS, chance.randint(1, 2))} if chance.random() < 0.6 else one
        for one in objects
    ]
    related, whole = [], []
    for number in range(RELATIONS):
        subject, thing = chance.sample(objects, 2)
        ends = [{**one, "name": one["names"][0]} for one in (subject, thing)]
        about = {"predicate": chance.choice(PREDICATES), "relationship_id": number, "synsets": ["along.r.01"]}
        related.append({**about, "subject": ends[0], "object": ends[1]})
        whole.append({**about, "subject_id": subject["object_id"], "object_id": thing["object_id"]})
    return {
        "objects": {"objects": objects},
        "attributes": {"attributes": said},
        "relationships": {"relationships": related},
        "image_data": {"width": 800, "height": 600, "url": f"https://example.org/{image_id}.jpg"},
        "scene_graphs": {"objects": said, "relationships": whole},
    }


def reading(images: int, found: dict[str, tuple[Spent, float]]) -> list[Row]:
    """All ways to read, in pictures per second and in memory."""
    return [
        *(
            Row(
                what=what,
                value=images / one.cpu,
                unit="pictures per CPU s",
                against="json.load",
                table=f"{images:,} pictures, read once",
                more={"MB": size, "CPU s": one.cpu},
            )
            for what, (one, size) in found.items()
        ),
        *(
            Row(
                what=what,
                value=one.peak,
                unit="MiB at most",
                against="json.load",
                table=f"memory for {images:,} pictures, with what the file itself takes",
            )
            for what, (one, _) in found.items()
        ),
    ]


def building(folder: Path, count: int) -> list[Row]:
    """Rows for a build, cleaned and with what they leave open, against graphs as their file has them."""
    graphs = given_graphs(folder, refusals=Refusals())
    files, ids = open_graphs(folder, complain=lambda _: None), graphs.pictures["train"][:count]

    def decode() -> int:
        return len([files.graph(image_id) for image_id in ids])

    def build() -> int:
        return len([graphs.row("train", index) for index in range(len(ids))])

    found = {"decoded": rates(decode, rounds=3), "rows": rates(build, rounds=3)}
    unit, table = "graphs per CPU s", "graphs for a build"
    return [one.row(what, unit=unit, against="decoded", table=table) for what, one in found.items()]


if __name__ == "__main__":
    main()
