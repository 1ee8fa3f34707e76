"""How many of somebody's meshes come in, what was mended in them, and how long the slowest took.

    python bench/meshes.py FOLDER [--count 60] [--seed 0] [--named chair]

FOLDER holds meshes, in folders of its own if need be: Sweet Home 3D's catalogs (`*.sh3f`, which are ZIP files),
unpacked, for example. Every group becomes a part of its own, of a category without a template. `--named` takes those
whose name has this word: the name in the catalog (`*.properties`) where there is one, else that of the file. Nothing is
kept: the figures are of files that are not ours.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from mereo.chance import generator
from mereo.errors import MereoError
from mereo.shapes.findings import findings_of
from mereo.shapes.importer import PartMap, import_shape
from mereo.shapes.mesh_file import FORMATS
from mereo.shapes.part import Shape

ANYTHING = PartMap("thing", {"*": "thing/part"}, units="cm", up="+y", front="+z")


class Outcome(NamedTuple):
    """What became of a mesh."""

    path: Path
    shape: Shape | None
    reason: str
    seconds: float


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, help="so many, drawn by chance (default: all)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--named", default="", help="a word of the name")
    given = parser.parse_args()
    meshes = found(given.folder, given.named)
    if not meshes:
        sys.exit(f"{given.folder}: no such meshes")
    if given.count is not None and given.count < len(meshes):
        drawn = generator(given.seed, "meshes").choice(len(meshes), given.count, replace=False)
        meshes = [meshes[place] for place in sorted(drawn.tolist())]
    print(report([brought_in(mesh) for mesh in meshes]))


def found(folder: Path, word: str) -> list[Path]:
    """The meshes with a word in their name."""
    names = {mesh: mesh.stem for mesh in sorted(folder.rglob("*")) if mesh.suffix.lower() in FORMATS}
    for catalog in sorted(folder.rglob("PluginFurnitureCatalog.properties")):
        text = catalog.read_text("latin-1")
        called = dict(re.findall(r"^name#(\d+)=(.*)$", text, re.MULTILINE))
        for number, model in re.findall(r"^model#(\d+)=/?(.*)$", text, re.MULTILINE):
            path = catalog.parent / model.strip()
            if path in names and number in called:
                names[path] = called[number]
    return [mesh for mesh, name in names.items() if word.lower() in name.lower()]


def brought_in(mesh: Path) -> Outcome:
    """One mesh, and the CPU seconds that it took."""
    started = time.process_time()
    try:
        shape, reason = import_shape(mesh, ANYTHING), ""
    except MereoError as error:
        shape, reason = None, re.sub(r"^.*: (?=[^:]*$)", "", str(error))
    return Outcome(mesh, shape, reason, time.process_time() - started)


def report(outcomes: list[Outcome]) -> str:
    """A table for people."""
    shapes = [outcome.shape for outcome in outcomes if outcome.shape]
    what = [{finding.what for finding in findings_of(shape)} for shape in shapes]
    kinds = Counter(kind for kinds in what for kind in kinds)
    slowest = max(outcomes, key=lambda outcome: outcome.seconds)
    faces = len(slowest.shape.mesh().faces) if slowest.shape else 0
    rows = {
        "tried": len(outcomes),
        "came in": len(shapes),
        "as they were": sum(not kinds for kinds in what),
        "every leaf closed": sum("open" not in kinds for kinds in what),
        **{f"with {kind}": number for kind, number in kinds.most_common()},
        **{f"refused: {reason}": n for reason, n in Counter(o.reason for o in outcomes if o.reason).most_common()},
    }
    width = max(map(len, rows))
    lines = [f"{name:{width}}  {number:5}" for name, number in rows.items()]
    total = sum(outcome.seconds for outcome in outcomes)
    lines.append(f"{total:.1f} CPU s; slowest {slowest.path.name}, {faces:,} triangles, {slowest.seconds:.2f} s")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
