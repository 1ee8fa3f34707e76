"""Draws the sheets of docs/all-shapes.md and writes the page: `python docs/galleries.py [CATEGORY …]`.

Every category with a grammar of ours has a place on the page, in its group; without names all sheets are drawn anew.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image

from mereo.files import write_bytes
from mereo.shapes.draw import gallery
from mereo.shapes.grammar import all_grammars, is_our_grammar, make_shape
from mereo.shapes.library import chosen_categories
from mereo.shapes.sizes import grouped, usual_length, usual_weight

HERE = Path(__file__).parent
PAGE, PICTURES = HERE / "all-shapes.md", HERE / "pictures" / "shapes"
COUNT, COLUMNS, SIZE, COLORS = 12, 6, 150, 128

HEAD = """# All shapes

Every category that has a grammar. Each sheet shows the first twelve families of train at seed 0; the colors tell
labels apart, and on one sheet the same label has the same color everywhere. `mereo shapes gallery OUT.png` draws more
of them, larger; [Shapes](shapes.md) says what they are. Lengths are those of the longest side, from the least to the
most that people make ([things.toml](../src/mereo/shapes/things.toml)).

The page and its sheets are made by [galleries.py](galleries.py).
"""


def main() -> None:
    """Draw the sheets of all categories, or of those that are named, and write the page."""
    PICTURES.mkdir(exist_ok=True)
    for category in chosen_categories(",".join(sys.argv[1:]) or "all", ours()):
        write_bytes(picture(category), sheet(category))
    write_bytes(PAGE, page().encode())


def ours() -> list[str]:
    """The categories that the page shows."""
    return [category for category in all_grammars() if is_our_grammar(category)]


def picture(category: str) -> Path:
    """Where the sheet of a category lies."""
    return PICTURES / f"{category}.png"


def sheet(category: str) -> bytes:
    """The sheet of a category as a PNG of few colors; what leaves nothing to choose is shown once."""
    shapes = [make_shape(category, seed=0, family=family) for family in range(COUNT)]
    if not shapes[0].facts["choices"]:
        shapes = shapes[:1]
    drawn = Image.fromarray(gallery(shapes, columns=min(COLUMNS, len(shapes)), size=SIZE))
    buffer = io.BytesIO()
    drawn.quantize(COLORS, dither=Image.Dither.NONE).save(buffer, format="PNG", optimize=True)
    return buffer.getvalue()


def page() -> str:
    """The page, group by group."""
    parts = [HEAD]
    for title, categories in grouped(ours()).items():
        parts.append(f"## {title}\n")
        for category in categories:
            name = category.replace("_", " ")
            parts.append(f"### {name}\n\n{facts(category)}\n\n![{name}]({picture(category).relative_to(HERE)})\n")
    return "\n".join(parts)


def facts(category: str) -> str:
    """How long and how heavy such things are."""
    low, high = usual_length(category)
    light, heavy = usual_weight(category)
    weight = f", {light:g} to {heavy:g} kg" if light else ""
    return f"{100 * low:g} cm to {high:g} m{weight}." if high >= 1 else f"{100 * low:g} to {100 * high:g} cm{weight}."


if __name__ == "__main__":
    main()
