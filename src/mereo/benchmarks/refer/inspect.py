"""What an audit of referring expressions checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mereo.benchmarks.benchmark import Referring, benchmark
from mereo.benchmarks.refer.annotate import visible_masks
from mereo.benchmarks.refer.describe import VISIBLE
from mereo.benchmarks.refer.language import CLEVR_REF, WORDS, clevr_ref_world
from mereo.benchmarks.refer.names import NAME
from mereo.benchmarks.refer.recipe import referring_of
from mereo.benchmarks.refer.visibility import covering, recorded_masks, visibility
from mereo.clevr_family.inspect import SEARCHED, FamilyInspector
from mereo.datasets.columns import entities_of, record_of, row_named
from mereo.datasets.gates import Watch
from mereo.datasets.inspector import Inspector, Sign
from mereo.datasets.repeats import Repeats
from mereo.datasets.store import Manifest
from mereo.errors import BadInput
from mereo.files import converted
from mereo.masks import Box, Pixels, box_of, decode
from mereo.questions.rules import answers_of
from mereo.world import Entity, World

__all__ = ["ReferInspector"]


class ReferInspector(FamilyInspector):
    """Knows the rules of referring expressions, about whichever scenes they are."""

    def __init__(self, manifest: Manifest):
        source = manifest.settings.get("scenes_from")
        self.official = manifest.settings.get("language") == CLEVR_REF.name
        self.referring: Referring = referring_of(source)
        self.language = CLEVR_REF if self.official else self.referring.language
        self.templates, self.rules = self.referring.expressions(false_premise=False)
        self.source: Inspector | None = None
        """Who knows the scenes, where they are another benchmark's."""
        self.searched = {**SEARCHED, VISIBLE: (f"$.objects[*].{VISIBLE}",)}
        make = benchmark(source).inspector if source not in (None, NAME) else None
        if make is not None:
            self.source = make(manifest)
            self.searched, self.axes = self.source.searched, self.source.axes
            self.nouns, self.adjectives = self.source.nouns, self.source.adjectives
            self.whereabouts = self.source.whereabouts

    def world(self, row: Mapping[str, Any]) -> World:
        """The world of a scene row."""
        with row_named(row):
            return clevr_ref_world(record_of(row)) if self.official else self.referring.world(row)

    def instances(self, row: Mapping[str, Any], world: World) -> Sequence[Sequence[int]]:
        """As whoever knows the scenes says."""
        return self.source.instances(row, world) if self.source else super().instances(row, world)

    def masks(self, row: Mapping[str, Any], world: World) -> Mapping[int, Pixels]:
        """From the id picture or, where there is none, as an imported record says."""
        if row.get("instances") or self.source:
            return super().masks(row, world)
        return {k: mask for k, mask in enumerate(visible_masks(row) or ()) if mask.any()}

    def categories(self) -> Sequence[str]:
        """As whoever knows the scenes says."""
        return self.source.categories() if self.source else super().categories()

    def sign(self, entity: Entity) -> Sign:
        """As whoever knows the scenes says."""
        return self.source.sign(entity) if self.source else super().sign(entity)

    def motions(self, row: Mapping[str, Any]) -> Sequence[Sequence[Sequence[float]]]:
        """As whoever knows the scenes says."""
        return self.source.motions(row) if self.source else ()

    def answers(self) -> dict[str, tuple[Any, ...]]:
        """How many each template may refer to; none where the premise is false."""
        return {template.title: answers_of(template.output, self.rules) for template in self.templates.templates}

    def boxes_asked(self, question: Mapping[str, Any]) -> Sequence[Box]:
        """What an expression refers to at the end."""
        try:
            boxes = converted(question.get("boxes"), file=None, type=list[list[tuple[int, int, int, int]]])
        except BadInput as error:
            raise BadInput(error.reason, record=question["question_id"], field="boxes") from None
        if not boxes:
            raise BadInput("has no boxes to judge by: its scene has no masks", record=question["question_id"])
        return boxes[-1]

    def watches(self, *, pictures: bool) -> Sequence[Watch]:
        """What is said again; answers are places, which words cannot give away."""
        return (Repeats(),)

    def picture(self, row: Mapping[str, Any]) -> Iterator[str]:
        """Masks, boxes and visibility must be those of the id picture."""
        if not row.get("instances"):
            return
        stored = entities_of(row)
        masks = self.referring.masks(row) or []
        if len(stored) != len(masks):
            yield f"{len(stored)} entities have masks, {len(masks)} are there"
            return
        for number, (mask, entity) in enumerate(zip(masks, stored, strict=True)):
            if not np.array_equal(decode(entity.mask), mask):
                yield f"the mask of entity {number} is not what the picture shows"
            if entity.box != box_of(mask):
                yield f"the box of entity {number} is not that of its mask"
        record = record_of(row)
        if "obj_mask" in record:
            yield from _record_faults(record, masks)


def _record_faults(record: Mapping[str, Any], masks: list[Pixels]) -> Iterator[str]:
    """What a record in CLEVR-Ref+'s form says of masks and visibility must be so."""
    for number, (mask, told) in enumerate(zip(masks, recorded_masks(record), strict=True)):
        if not np.array_equal(told, mask):
            yield f"the run lengths of object {number} are not those of its mask"
    said = [thing.get(VISIBLE) for thing in record["objects"]]
    if said != visibility(covering(record), WORDS["extra"]["visible"]):
        yield "the visibility of an object is not what masks and boxes tell"
