"""What an audit of PTR data checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from numpy.typing import NDArray

from mereo.benchmarks.ptr.gates import ptr_watches
from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.masks import instances_of
from mereo.benchmarks.ptr.official import FORMAT
from mereo.benchmarks.ptr.official.world import VOCABULARY as OFFICIAL
from mereo.benchmarks.ptr.official.world import official_world
from mereo.benchmarks.ptr.questions import RULES, ptr_questions
from mereo.benchmarks.ptr.told import Told
from mereo.benchmarks.ptr.world import VOCABULARY, WORDS, ptr_world
from mereo.clevr_family.inspect import FamilyInspector
from mereo.datasets.columns import json_of, key_of, record_of, row_named
from mereo.datasets.gates import Watch
from mereo.datasets.inspector import Inspector
from mereo.datasets.store import Manifest
from mereo.masks import Pixels, decode
from mereo.questions.rules import answers_of
from mereo.world import World

__all__ = ["OfficialInspector", "PtrInspector", "inspector"]


def inspector(manifest: Manifest) -> Inspector:
    """Who knows the rows of a dataset: ours, or imported ones."""
    return OfficialInspector() if manifest.settings.get("imported") else PtrInspector()


_SEARCHED = {
    "category": ("$.objects[*].category",),
    "part": ("$.objects[*].parts[*].part",),
    "color": ("$.objects[*].parts[*].color",),
    "stability": ("$.objects[*].stability",),
}
"""Where our records hold what the explorer filters by."""
_OFFICIALLY = {"category": ("$.objects[*].category",)}
_NOUNS = ("part", "category")


class _Link(msgspec.Struct):
    counterfactual_of: str | None = None


class _MaskedThing(msgspec.Struct):
    obj_mask: dict[str, Any]


class _Masked(msgspec.Struct):
    """What an official record tells of pixels."""

    objects: list[_MaskedThing]


class PtrInspector(FamilyInspector):
    """Knows PTR's rules."""

    language = LANGUAGE
    rules = RULES
    searched = _SEARCHED
    nouns = _NOUNS
    spoken = WORDS["words"]

    def world(self, row: Mapping[str, Any]) -> World:
        """The world of a scene row."""
        with row_named(row):
            return ptr_world(record_of(row))

    def answers(self) -> dict[str, tuple[Any, ...]]:
        """The answers that each template may have."""
        return {template.title: answers_of(template.output, RULES) for template in ptr_questions().templates}

    def picture(self, row: Mapping[str, Any]) -> Iterator[str]:
        """Ids, depth and picture must agree with each other, and all that the record counts must be in the ids."""
        if not row.get("instances"):
            return
        from mereo.datasets.pictures import amodal_faults, decode_picture, decode_png, instance_key

        record = record_of(row)
        key = key_of(row)
        ids, depth = (decode_png(row[name]["bytes"]) for name in ("instances", "depth"))
        image = decode_picture(row["image"]["bytes"])
        if not ids.shape == depth.shape == image.shape[:2] == tuple(reversed(record["size"])):
            yield "picture, depth and instances differ in size"
            return
        if (depth[ids > 0] == 0).any():
            yield "an object has no depth"
        scene = _scene_of(row)
        if [tuple(entry) for entry in key] != instance_key(scene):
            yield "the instance key is not that of the layout"
            return
        yield from amodal_faults(row, ids, key)
        yield from _differences(record, scene, ids, key, image)

    def watches(self, *, pictures: bool) -> Sequence[Watch]:
        """Whether all is so beyond doubt, and what words and tilt give away."""
        return ptr_watches(pictures=pictures)

    def families(self, row: Mapping[str, Any]) -> Iterable[tuple[str, int | str]]:
        """The families of a scene's shapes by the number that no other split has; each own shape is one."""
        from mereo.shapes.grammar import family_number

        for thing in record_of(row)["objects"]:
            shape = thing["shape"]
            own = shape.get("own")
            yield shape["category"], own if own else family_number(shape["split"], shape["family"])

    def asked_again(self, row: Mapping[str, Any]) -> bool:
        """Counterfactual scenes are asked what their scenes were asked."""
        return json_of(row, "scene", type=_Link).counterfactual_of is not None

    def instances(self, row: Mapping[str, Any], world: World) -> list[list[int]]:
        """Objects, the surfaces of the room, and the visible parts, which the record knows."""
        return instances_of(row) if row.get("instance_key") else [[] for _ in world.entities]

    def categories(self) -> list[str]:
        """Every category of furniture, and the labels of all parts that it may have."""
        from mereo.shapes.template import template_of

        found = []
        for category in VOCABULARY.words("category"):
            labels = template_of(category).labels.values()
            found += [label.path for label in labels if label.kind == "leaf" or "/" not in label.path]
        return found

    def motions(self, row: Mapping[str, Any]) -> list[Any]:
        """How objects fall, where they do."""
        return [thing.motion for thing in json_of(row, "scene", type=Told).objects]


class OfficialInspector(FamilyInspector):
    """Knows how imported questions are answered; whose rules they were asked by is not known."""

    language = FORMAT.language
    searched = _OFFICIALLY
    nouns = _NOUNS

    def world(self, row: Mapping[str, Any]) -> World:
        """The world of a scene row."""
        with row_named(row):
            return official_world(record_of(row))

    def masks(self, row: Mapping[str, Any], world: World) -> dict[int, Pixels]:
        """As the record says."""
        seen = (decode(thing.obj_mask) for thing in json_of(row, "scene", type=_Masked).objects)
        return {k: mask for k, mask in enumerate(seen) if mask.any()}

    def categories(self) -> tuple[str, ...]:
        """The categories of furniture."""
        return OFFICIAL.words("category")


def _scene_of(row: Mapping[str, Any]) -> Any:
    from mereo.scenes.scene import scene_from_json

    return scene_from_json(row["layout"].encode())


def _differences(
    record: Mapping[str, Any], scene: Any, ids: NDArray[Any], key: list[Any], image: NDArray[Any]
) -> Iterator[str]:
    """What the record says of each object, against what is counted in the ids and how the picture is colored."""
    from mereo.benchmarks.ptr.pictured import frame_of_ids
    from mereo.benchmarks.ptr.record import seen_of
    from mereo.benchmarks.ptr.seen_colors import misread, rendered_colors
    from mereo.benchmarks.ptr.view import hard_to_see
    from mereo.scenes.observe import observe

    if ids.max() > len(key):
        yield f"instances go up to {ids.max()}, the key to {len(key)}"
        return
    frame = frame_of_ids(ids, key)
    rule = hard_to_see(scene, observe(scene, frame))
    if rule:
        yield rule
    unread = misread(scene, rendered_colors(scene, frame, image))
    counted = msgspec.json.decode(msgspec.json.encode(seen_of(scene, frame, unread)))
    if len(counted) != len(record["objects"]):
        yield f"the record has {len(record['objects'])} objects, the layout {len(counted)}"
        return
    for number, (said, seen) in enumerate(zip(record["objects"], counted, strict=True)):
        for field, value in seen.items():
            if said.get(field) != value:
                yield f"{field} of object {number} is not what the ids show"
