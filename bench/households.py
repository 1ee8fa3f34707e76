"""Records of household objects strewn over a table by chance, with what is read about them: worlds without pictures."""

from __future__ import annotations

from typing import Any

from mereo.benchmarks.shop.models import Instances, drawn_looks, models
from mereo.benchmarks.shop.texts import properties_of
from mereo.chance import fast, generator
from mereo.clevr_family.records import MARGIN
from mereo.world import along, members

__all__ = ["strewn_household"]

_SIDES = {"left": (-1.0, 0.0, 0.0), "right": (1.0, 0.0, 0.0), "behind": (0.0, 1.0, 0.0), "front": (0.0, -1.0, 0.0)}
_CELLS = [(x, y) for x in range(4) for y in range(4)]
_APART, _SWAY = 2.0, 1.5


def strewn_household(number: int, *, seed: int = 3, instances: Instances = "known") -> dict[str, Any]:
    """The record of a scene with three to seven objects, each somewhere in a cell of a grid."""
    chance, known = fast(generator(seed, "household", number)), models(instances)
    things: list[dict[str, Any]] = []
    for x, y in chance.sample(_CELLS, chance.randint(3, 7)):
        name = chance.choice(sorted(known))
        looks = drawn_looks(chance.choice(known[name]), chance)
        read = {
            field: list(value) if isinstance(value, tuple) else value
            for field, value in properties_of(name, looks).items()
        }
        place = [_APART * x + _SWAY * chance.random(), _APART * y + _SWAY * chance.random(), 0.0]
        things.append({**looks, **read, "3d_coords": place, "rotation": 0.0, "pixel_coords": [240, 160, 10.0]})
    places = [thing["3d_coords"] for thing in things]
    related = {side: along(places, direction, margin=MARGIN) for side, direction in _SIDES.items()}
    return {
        "split": "train",
        "image_index": number,
        "image_filename": f"SHOP_VRB_train_{number:06d}.png",
        "objects": things,
        "directions": {side: list(direction) for side, direction in _SIDES.items()},
        "relationships": {side: [list(members(bits)) for bits in rows] for side, rows in related.items()},
    }
