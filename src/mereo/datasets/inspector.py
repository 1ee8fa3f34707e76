"""What a benchmark knows of the rows of its datasets: what they mean, what they show, and what rules they keep.

Audits, oracles, reports, exports and the explorer ask an inspector and nobody else, so that none of them needs to know
what stands in a scene's record. A benchmark says which language its questions are in and what world a row tells of;
all else has an answer that fits most.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from mereo.datasets.seen import masks_of, object_instances
from mereo.errors import MereoError
from mereo.masks import Pixels, box_of
from mereo.programs import Language
from mereo.questions.rules import Rules
from mereo.world import World

__all__ = ["UNREADABLE", "Box", "Inspector"]

Box = Sequence[float]
"""Column, row, width and height, in pixels."""

UNREADABLE = (MereoError, msgspec.MsgspecError, KeyError, IndexError, ValueError, TypeError)
"""What looking at a damaged row may end in."""

_NAMES = ("split", "image_index", "image_filename")
"""What of a record says where it stands and not what it shows."""


class Inspector(ABC):
    """Looks at rows for everybody else."""

    language: Language
    rules: Rules = Rules(balanced=False)
    """By which its questions were asked."""
    searched: Mapping[str, tuple[str, ...]] = {}
    """Where a record holds the values of each attribute that the explorer filters by, as paths of JSON; where none is
    given, worlds are made and looked at, which takes longer."""

    @abstractmethod
    def world(self, row: Mapping[str, Any]) -> World:
        """The world of a scene row."""

    def answers(self) -> Mapping[str, tuple[Any, ...]]:
        """For each template's title all the answers that it may have; templates that are not named are not checked."""
        return {}

    def picture(self, row: Mapping[str, Any]) -> Iterable[str]:
        """What is wrong with the pictures of a scene row."""
        return ()

    def families(self, row: Mapping[str, Any]) -> Iterable[tuple[str, int]]:
        """The shape families in a scene row, where these must not cross splits."""
        return ()

    def twin(self, row: Mapping[str, Any]) -> Hashable:
        """What two rows share only if they are the same scene; None where that is not asked."""
        record = msgspec.json.decode(row["scene"])
        return msgspec.json.encode(
            {name: value for name, value in record.items() if name not in _NAMES}, order="sorted"
        )

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
            return {k: box for k, box in told.items() if box}
        seen = {k: box_of(mask) for k, mask in self.masks(row, world).items()}
        return {k: box for k, box in seen.items() if box is not None}

    def facts(self, row: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
        """Attribute and value of whatever the explorer finds the scene by."""
        found = set()
        for entity in self.world(row).entities:
            for name, value in entity.attributes.items():
                found |= {(name, one) for one in (value if isinstance(value, tuple) else (value,))}
        return sorted(found)
