"""`mereo embed-shapes`: a picture of shapes, those together whose codes are alike, and their places as a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mereo.benchmarks.choices import Choice
from mereo.benchmarks.offer import Command, Lines
from mereo.errors import BadInput

__all__ = ["EMBED"]


def _embed(choices: Mapping[str, Any], progress: Callable[[int], None]) -> Lines:
    from mereo.extras import need
    from mereo.files import write_bytes

    out = Path(choices["out"])
    if out.suffix != ".svg":
        raise BadInput("must end in .svg", file=out)
    need("learning", "train")
    from mereo.benchmarks.partnet.learning.embedding import draw_embedding, embed, neighbors_alike

    splits = choices["split"].split(",") if choices["split"] else ()
    found = embed(choices["run"], choices["dataset"], splits=splits, perplexity=choices["perplexity"])
    write_bytes(out, draw_embedding(found).encode())
    columns = (found.scenes, found.categories, found.places.tolist())
    lines = [f"{scene},{category},{x:.4f},{y:.4f}" for scene, category, (x, y) in zip(*columns, strict=True)]
    table = out.with_suffix(".csv")
    write_bytes(table, "\n".join(["scene,category,x,y", *lines, ""]).encode())
    progress(len(found.scenes))
    kinds = len(set(found.categories))
    alike = f"; {neighbors_alike(found):.1%} stand nearest to one of their category" if kinds > 1 else ""
    return [f"{out}: {len(found.scenes):,} shapes{alike}", f"{table}: where each stands"]


EMBED = Command(
    "embed-shapes",
    "Draw the shapes of a dataset in a plane by the codes that the row shape_codes learned: those alike together.",
    (
        Choice("run", Path, None, "A run of the row shape_codes.", argument=True),
        Choice("dataset", Path, None, "A dataset of PartNet's tasks.", argument=True),
        Choice("out", Path, None, "The picture to write, as `chairs.svg`; `chairs.csv` goes beside it.", argument=True),
        Choice("split", str, None, "Only these splits, as `train,val`; else all but those for training."),
        Choice("perplexity", float, 30.0, "About how many neighbors each shape has.", least=1),
    ),
    _embed,
    unit="shapes",
)
