"""What is told of household objects: by a picture of them, and by the pages they came with."""

from __future__ import annotations

from collections.abc import Mapping

from mereo.benchmarks.shop.language import TEXTUAL, VISUAL, VOCABULARY
from mereo.training.seeing import Level, Mirror

__all__ = ["LEVELS", "READ", "SEEN"]

_NAMED_FIRST = ("name", *(name for name in VISUAL if name != "name"))

SEEN = Level(
    words={name: VOCABULARY.words(name) for name in _NAMED_FIRST},
    numbers={"place": 2, "coords": 2},
    mirror=Mirror(numbers={"place": (-1, 2), "coords": (-1, 2)}),
    looks=_NAMED_FIRST,
    strange=True,
)
"""place : where an object stands, to the right and away from whoever looks, from the middle of the table on · coords :
the same as `3d_coords` has it, in the table's own frame, which the camera may stand askew to. SHOP-VRB's units
strange : benchmark has tables of its own"""

READ = Level(
    words={name: VOCABULARY.words(name) for name in TEXTUAL if not VOCABULARY.attributes[name].multiple},
    several={name: VOCABULARY.words(name) for name in TEXTUAL if VOCABULARY.attributes[name].multiple},
)
"""What a page tells."""

LEVELS: Mapping[str, Level] = {"object": SEEN}
