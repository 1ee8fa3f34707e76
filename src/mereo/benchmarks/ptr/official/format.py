"""PTR's official files as a format: one file for each scene, questions whose literals come in pairs."""

from __future__ import annotations

from dataclasses import dataclass

from mereo.benchmarks.ptr.official.dialect import DIALECT
from mereo.benchmarks.ptr.official.language import LANGUAGE
from mereo.benchmarks.ptr.official.scene import check_scene
from mereo.benchmarks.ptr.official.world import official_world
from mereo.clevr_family.format import FamilyFormat
from mereo.clevr_family.nodes import Spelling
from mereo.datasets.format import SceneRecord

__all__ = ["FORMAT", "SPELLING", "PtrFormat"]

SPELLING = Spelling(
    pairs={"filter_part-count": "object", "filter_color": "object", "query_part-geometry": "list"}, word="surface"
)
"""`{"leg": 4}`, `{"leg": "red"}`, `["red", [173, 35, 35]]`; and "ground" among the inputs of a node."""


@dataclass(frozen=True)
class PtrFormat(FamilyFormat):
    """PTR's files."""

    def check(self, scene: SceneRecord) -> None:
        """Complain of places, masks and whole parts that a scene lacks."""
        check_scene(scene)


FORMAT = PtrFormat(LANGUAGE, DIALECT, official_world, asked_by="PartNet", spelling=SPELLING)
