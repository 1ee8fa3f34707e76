"""Which looks household objects can have: SHOP-VRB's models, and what is drawn from or checked against them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from mereo.benchmarks.shop.language import VISUAL, VOCABULARY
from mereo.errors import BadInput
from mereo.files import read_toml

__all__ = ["Instances", "Model", "all_looks", "check_looks", "drawn_looks", "instances_of", "models"]

Instances = Literal["known", "new"]
"""Whether models are those that are met in training, or others of the same classes."""


class Model(NamedTuple):
    """What objects of one model look like."""

    name: str
    shape: str
    weight: str
    movability: str
    sizes: tuple[str, ...]
    """The usual one first."""
    colors: Mapping[str, tuple[str, ...]]
    """The colors that it may have in each material."""

    def misfits(self, looks: Mapping[str, Any]) -> list[str]:
        """What is seen of an object that no object of this model can have; its color goes with its material."""
        wrong = [field for field in ("shape", "weight", "movability") if looks.get(field) != getattr(self, field)]
        wrong += ["size"] if looks.get("size") not in self.sizes else []
        colors = self.colors.get(looks["material"])
        if colors is None:
            return [*wrong, "material"]
        return [*wrong, "color"] if looks.get("color") not in colors else wrong

    def admits(self, looks: Mapping[str, Any]) -> bool:
        """Whether an object of this model can look so."""
        return looks.get("name") == self.name and not self.misfits(looks)


def instances_of(split: str) -> Instances:
    """Which models a split shows: only benchmark shows new ones."""
    return "new" if split == "benchmark" else "known"


@cache
def models(instances: Instances) -> Mapping[str, tuple[Model, ...]]:
    """The models by class."""
    table = read_toml(Path(__file__).with_name("models.toml"))
    paints, movable, materials = tuple(table["paints"]), table["movable"], VOCABULARY.words("material")

    def model(name: str, row: Mapping[str, Any]) -> Model:
        colors = {word: paints if row[word] == "any" else tuple(row[word]) for word in materials if word in row}
        moved = "movable" if name in movable else "portable"
        return Model(name, row["shape"], row["weight"], moved, tuple(row["sizes"]), colors)

    return {name: tuple(model(name, row) for row in rows) for name, rows in table[instances].items()}


def drawn_looks(model: Model, chance: random.Random) -> dict[str, str]:
    """One way that an object of a model can look: all that is seen of it, by attribute."""
    material = chance.choice(tuple(model.colors))
    looks = {
        "name": model.name,
        "size": chance.choice(model.sizes),
        "weight": model.weight,
        "color": chance.choice(model.colors[material]),
        "material": material,
        "movability": model.movability,
        "shape": model.shape,
    }
    return {field: looks[field] for field in VISUAL}


def all_looks(name: str) -> Iterator[dict[str, str]]:
    """Every way that an object of a class can look, in some split; some of them several times."""
    for instances in get_args(Instances):
        for model in models(instances).get(name, ()):
            for material, colors in model.colors.items():
                for color, size in product(colors, model.sizes):
                    looks = {**model._asdict(), "material": material, "color": color, "size": size}
                    yield {field: looks[field] for field in VISUAL}


def check_looks(looks: Mapping[str, Any], *, instances: Instances) -> None:
    """Refuse an object that no model can look like; the field is one in which it differs from the nearest."""
    own = models(instances).get(looks["name"])
    if own is None:
        raise BadInput(f"there is no {looks['name']} among the {instances} models", field="name")
    nearest = min((model.misfits(looks) for model in own), key=len)
    if nearest:
        said = ", ".join(str(looks[field]) for field in VISUAL if field != "name")
        raise BadInput(f"no {instances} model of a {looks['name']} is {said}", field=nearest[0])
