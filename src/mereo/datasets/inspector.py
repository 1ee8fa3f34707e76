"""What a benchmark knows of the rows of its datasets: what they mean, what they show, and what rules they keep.

Audits, oracles, reports, exports and the explorer ask an inspector and nobody else, so that none of them needs to know
what stands in a scene's record. A benchmark says which language its questions are in and what world a row tells of;
all else has an answer that fits most.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from mereo.datasets.columns import record_of
from mereo.datasets.gates import Watch
from mereo.datasets.point_views import PointView, Telling
from mereo.datasets.predictions import Prediction
from mereo.datasets.seen import masks_of, object_instances
from mereo.errors import BadInput, MereoError
from mereo.knowledge import Item, Knowledge
from mereo.masks import Box, Pixels, box_of
from mereo.programs import Language, Trace
from mereo.questions.rules import Rules
from mereo.world import Entity, World

__all__ = ["UNREADABLE", "Inspector", "Known", "Sign", "listed_words"]

UNREADABLE = (MereoError, msgspec.MsgspecError, KeyError, IndexError, ValueError, TypeError)
"""What looking at a damaged row may end in."""


class Sign(NamedTuple):
    """What stands for an entity on a map, where there is no picture of it."""

    form: Literal["square", "round", "tall"] = "square"
    paint: str | None = None
    """As style sheets write colors."""
    small: bool = False
    shiny: bool = False


class Known(NamedTuple):
    """What a step of a program takes from what is known."""

    items: tuple[Item, ...]
    """What is so of things that the scene shows."""
    false: tuple[str, ...] = ()
    """The names of those of which it is not so."""
    unclear: tuple[str, ...] = ()
    """The names of those of which some would say so and others would not."""


class Inspector(ABC):
    """Looks at rows for everybody else."""

    language: Language
    rules: Rules = Rules(balanced=False)
    """By which its questions were asked."""
    searched: Mapping[str, tuple[str, ...]] = {}
    """Where a record holds the values of each attribute that the explorer filters by, as paths of JSON; where none is
    given, worlds are made and looked at, which takes longer."""
    nouns: tuple[str, ...] = ("name",)
    """The attributes that name an entity, the most particular first; where it has none of them, its id names it."""
    adjectives: tuple[str, ...] = ()
    """The attributes that are said before the noun, to tell things from each other."""
    spoken: Mapping[str, Sequence[str]] = {}
    """By value the ways in which questions say it, where its name is not the only one."""
    axes: tuple[str, str] | None = None
    """The relations that tell what is further left and what is further back, by which a map is drawn."""
    whereabouts: tuple[str, ...] = ()
    """The keys of a record that tell where it stands and not what it shows."""

    @abstractmethod
    def world(self, row: Mapping[str, Any]) -> World:
        """The world of a scene row."""

    def answers(self) -> Mapping[str, tuple[Any, ...]]:
        """For each template's title all the answers that it may have, none listed where any will do.

        Where no template is named, neither templates nor answers are checked.
        """
        return {}

    def picture(self, row: Mapping[str, Any]) -> Iterable[str]:
        """What is wrong with the pictures of a scene row."""
        return ()

    def watches(self, *, pictures: bool) -> Sequence[Watch]:
        """Who looks at all rows for figures of the whole set. pictures : whether at these, too"""
        return ()

    def families(self, row: Mapping[str, Any]) -> Iterable[tuple[str, int | str]]:
        """The shape families in a scene row, where these must not cross splits, by number or name."""
        return ()

    def owner(self, split: str) -> str:
        """Who owns the shape families of a split: each split its own, where none may be shared."""
        return split

    def twin(self, row: Mapping[str, Any]) -> Hashable:
        """What two rows share only if they are the same scene; None where that is not asked."""
        record = record_of(row)
        shown = {name: value for name, value in record.items() if name not in self.whereabouts}
        return msgspec.json.encode(shown, order="sorted")

    def asked_again(self, row: Mapping[str, Any]) -> bool:
        """Whether a scene was asked what another one was asked before, whatever the rules."""
        return False

    def instances(self, row: Mapping[str, Any], world: World) -> Sequence[Sequence[int]]:
        """For each entity the numbers of the part instances that show it; object k of the key shows entity k."""
        return object_instances(row, len(world)) if row.get("instance_key") else [[] for _ in world.entities]

    def masks(self, row: Mapping[str, Any], world: World) -> Mapping[int, Pixels]:
        """By entity that can be seen (height, width): which pixels show it; nothing where no picture tells."""
        found = masks_of(row, self.instances(row, world)) if row.get("instances") else None
        return {k: mask for k, mask in enumerate(found or ()) if mask.any()}

    def boxes(self, row: Mapping[str, Any], world: World) -> Mapping[int, Box]:
        """By entity the box of what is seen of it: its number `box`, or, where no entity has one, what pixels tell."""
        told = {k: entity.numbers.get("box") for k, entity in enumerate(world.entities)}
        if any(told.values()):
            return {k: (box[0], box[1], box[2], box[3]) for k, box in told.items() if box}
        seen = {k: box_of(mask) for k, mask in self.masks(row, world).items()}
        return {k: box for k, box in seen.items() if box is not None}

    def boxes_asked(self, question: Mapping[str, Any]) -> Sequence[Box] | None:
        """The boxes that answer a question row, where it asks for these; None where it asks for words."""
        return None

    def points(self, row: Mapping[str, Any], world: World) -> Mapping[int, tuple[float, float]]:
        """Column and row of entities of which no more is known: the number `pixel` of an entity, if it has one."""
        found = {k: entity.numbers.get("pixel") for k, entity in enumerate(world.entities)}
        return {k: (float(pixel[0]), float(pixel[1])) for k, pixel in found.items() if pixel}

    def cloud(self, row: Mapping[str, Any]) -> PointView | None:
        """The points of a scene row that is a cloud of them; None where it is none, or was read without them."""
        return None

    def told(self, row: Mapping[str, Any], telling: Telling, prediction: Prediction) -> Telling:
        """What a prediction says where a telling of its cloud is asked for; names that only it has come last."""
        raise BadInput("predictions here are not about points", record=f"scene '{row.get('scene_id')}'")

    def motions(self, row: Mapping[str, Any]) -> Sequence[Sequence[Sequence[float]]]:
        """For each object of a scene's layout how it moves: seconds, position (x, y, z), rotation (w, x, y, z)."""
        return ()

    def written(self, row: Mapping[str, Any]) -> Mapping[int, str]:
        """By entity what somebody has written about it, where that is to be read beside the picture."""
        return {}

    def known_steps(self, trace: Trace) -> Mapping[int, Known]:
        """By step what a program takes from what is known, where that is to be read beside the picture."""
        return {}

    def drawing(self, question: Mapping[str, Any], world: World) -> str:
        """What a question row takes from its scene and from what is known, as SVG; empty where that is not told."""
        return ""

    def knowledge(self) -> Knowledge | None:
        """What is known in this dataset of all that its scenes show."""
        return None

    def name(self, entity: Entity) -> str:
        """What a person would call an entity."""
        words = (entity.attributes.get(noun) for noun in self.nouns)
        return next((word for word in words if isinstance(word, str)), entity.id)

    def called(self, entity: Entity) -> str:
        """The same with what tells it from others, as "red cube"."""
        said: list[str] = []
        for adjective in self.adjectives:
            said += listed_words(entity.attributes.get(adjective))
        return " ".join([*said, self.name(entity)])

    def categories(self) -> Sequence[str]:
        """All that pictures can show by the names of their labels, in an order that never changes; as far as known."""
        return ()

    def sign(self, entity: Entity) -> Sign:
        """What stands for an entity on a map."""
        return Sign()

    def facts(self, row: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
        """Attribute and value of whatever the explorer finds the scene by."""
        found = set()
        for entity in self.world(row).entities:
            for name, value in entity.attributes.items():
                found |= {(name, one) for one in listed_words(value)}
        return sorted(found)


def listed_words(value: str | tuple[str, ...] | None) -> tuple[str, ...]:
    """The words that an attribute has: none, one or several."""
    return value if isinstance(value, tuple) else () if value is None else (value,)
