"""What rows of CRIC mean, and what an audit of them checks."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from mereo.benchmarks.cric.graph import KINDS, SceneGraph, graph_of, graph_world
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.lore import lore_of_base
from mereo.benchmarks.cric.lore_file import KeptLore, read_lore
from mereo.benchmarks.cric.names import LORE_FILE
from mereo.benchmarks.cric.pictured import families_of, instances_of, picture_faults
from mereo.benchmarks.cric.shown import known_steps, lore_knowledge, painted, sub_graph_drawing
from mereo.benchmarks.cric.soundness import Soundness
from mereo.benchmarks.cric.watches import Evenness, Lengths
from mereo.datasets.columns import record_of, row_named
from mereo.datasets.gates import Row, Watch
from mereo.datasets.guessing import Guessing
from mereo.datasets.inspector import Inspector, Known, Sign
from mereo.datasets.repeats import Repeats
from mereo.datasets.store import Manifest, beside
from mereo.knowledge import Knowledge, embedded_base
from mereo.programs import Trace
from mereo.world import Entity, World

__all__ = ["CricInspector"]

GUESSED = 0.6018
"""The share that words alone may get right: five points more than CRIC's own model that sees only the question."""


class CricInspector(Inspector):
    """Knows scene graphs, and what is known of the things in them by the file that goes with the dataset."""

    language = LANGUAGE
    nouns = ("name",)
    adjectives = ("color", "material")
    searched: Mapping[str, tuple[str, ...]] = {
        "name": ("$.graph.things[*].name",),
        **{kind: (f"$.graph.things[*].attributes.{kind}[*]",) for kind in KINDS},
    }

    def __init__(self, manifest: Manifest):
        self.manifest = manifest

    @cached_property
    def known(self) -> KeptLore:
        """What is known, and all names that the pictures can show."""
        if LORE_FILE in self.manifest.files:
            return read_lore(beside(self.manifest, LORE_FILE), self.manifest.files[LORE_FILE].sha256)
        base = embedded_base()
        return KeptLore(lore_of_base(base), tuple(sorted(base.vocabulary.entities)))

    def graph(self, row: Row) -> SceneGraph:
        """The graph of a scene row."""
        with row_named(row):
            return graph_of(record_of(row))

    def world(self, row: Mapping[str, Any]) -> World:
        """What everybody would say of a scene row."""
        return graph_world(self.graph(row), self.known.lore)

    def worlds(self, row: Row) -> tuple[World, World]:
        """What everybody would say of a scene row, and that with what only some would say."""
        graph = self.graph(row)
        return graph_world(graph, self.known.lore), graph_world(graph, self.known.lore, doubtful=True)

    def twin(self, row: Mapping[str, Any]) -> Hashable:
        """All that the graph says, whatever the picture is called."""
        graph = msgspec.structs.replace(self.graph(row), image_id="", image_filename="")
        return msgspec.json.encode(graph, order="sorted")

    def instances(self, row: Mapping[str, Any], world: World) -> Sequence[Sequence[int]]:
        """Of own scenes those of whole things and of their parts."""
        return instances_of(row, self.graph(row)) if row.get("instance_key") else [[] for _ in world.entities]

    def families(self, row: Mapping[str, Any]) -> Iterable[tuple[str, int | str]]:
        """Those of own scenes."""
        return families_of(row)

    def picture(self, row: Mapping[str, Any]) -> Iterable[str]:
        """Pictures must agree with the graph."""
        return picture_faults(row, self.graph(row), self.masks(row, self.world(row)))

    def sign(self, entity: Entity) -> Sign:
        """A square in the thing's color."""
        return painted(entity)

    def known_steps(self, trace: Trace) -> Mapping[int, Known]:
        """By step what is known of the things of the scene."""
        return known_steps(trace)

    def drawing(self, question: Mapping[str, Any], world: World) -> str:
        """The sub-graph of a question."""
        return sub_graph_drawing(question, world)

    def knowledge(self) -> Knowledge:
        """All that the dataset knows, to be searched."""
        return lore_knowledge(self.known.lore)

    def categories(self) -> Sequence[str]:
        """The names that pictures can show."""
        return self.known.names

    def watches(self, *, pictures: bool) -> Sequence[Watch]:
        """Whether all is sound, how even it is, what is asked again, and what words give away."""
        ours = not self.manifest.settings.get("imported")
        return (
            Soundness(self.graph, self.worlds, ours=ours),
            Evenness(),
            Lengths(),
            Repeats(within=0 if ours else None),
            Guessing(most_of_all=GUESSED, kept=30_000),
        )
