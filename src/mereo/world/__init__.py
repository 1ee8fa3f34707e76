"""Worlds: what can be asked about, as entities with attributes, parts and relations."""

from mereo.world.bits import bits_of, members
from mereo.world.facts import Fact
from mereo.world.files import load_world, save_world, world_from_json, world_to_json
from mereo.world.relations import along
from mereo.world.tables import UnknownToWorld
from mereo.world.vocabulary import Attribute, Vocabulary
from mereo.world.world import LARGEST, Entity, World, make_world

__all__ = [
    "LARGEST",
    "Attribute",
    "Entity",
    "Fact",
    "UnknownToWorld",
    "Vocabulary",
    "World",
    "along",
    "bits_of",
    "load_world",
    "make_world",
    "members",
    "save_world",
    "world_from_json",
    "world_to_json",
]
