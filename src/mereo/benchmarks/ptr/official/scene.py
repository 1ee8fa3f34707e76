"""Objects of PTR's official scenes: read, and checked field by field.

The fields whose names end in `_occluded` hold what is visible, despite their name: the parts, and the instances of
each, that are left when the hidden ones are taken away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mereo.datasets.format import SceneRecord
from mereo.errors import BadInput, nearest
from mereo.files import is_finite, read_toml

__all__ = ["WORDS", "Thing", "check_scene", "finite_numbers", "known_word", "read_thing"]

WORDS = read_toml(Path(__file__).with_name("scene.toml"))


@dataclass(frozen=True, slots=True)
class Thing:
    """One object as PTR's generator sees it."""

    category: str
    paints: Mapping[str, list[Any]]
    """Of every visible part the name of its color, and red, green and blue."""
    counts: Mapping[str, int]
    """How many instances are visible, of the parts that are counted at all: seats, tops and backs are not, and a bed's
    leg bars are although they have no color."""
    painted: tuple[str, ...]
    """The colors of all that the object is made of, visible or not, PTR's parts or not."""
    lines: Mapping[str, list[Any]]
    """Directions of the parts that are lines: three numbers, or one list of three. Numbers of 10,000 and more mean that
    the part is none."""
    planes: Mapping[str, list[Any]]
    """Normals of the parts that are planes, likewise."""
    geometric: bool
    """Whether its geometry may be asked about."""
    stability: str | None
    changes: tuple[str, ...] | None
    """Directions in which moving it would make it stable; one may stand there twice, once for each distance."""

    def count(self, part: str) -> int:
        """How many of a visible part there are: one where it is not counted."""
        return self.counts.get(part, 1)


def read_thing(record: Any) -> Thing:
    """What questions can be about, of one object's record."""
    if not isinstance(record, dict):
        raise BadInput("must be an object with fields")
    lines, planes = (_directions(record, field) for field in ("line_geo", "plane_geo"))
    described = "line_geo" in record and "plane_geo" in record and bool(lines or planes)
    return Thing(
        category=known_word(_field(record, "category"), tuple(WORDS["categories"]), "category", field="category"),
        paints=_paints(record, "part_color_occluded", known=True),
        counts=_counts(record, "part_count_occluded"),
        painted=tuple(paint[0] for paint in _paints(record, "part_color_all", known=False).values()),
        lines=lines,
        planes=planes,
        # The generator drops geometry where there is none to ask about, and where the fields are missing.
        geometric=described and "geometry" in _list(record.get("question_type", []), "question_type"),
        stability=_stability(record),
        changes=_changes(record),
    )


def check_scene(scene: SceneRecord) -> None:
    """Complain about what an official scene must hold besides what questions are about: places, masks, whole parts."""
    objects = scene.data.get("objects")
    for i, record in enumerate(objects if isinstance(objects, list) else []):
        try:
            _check_object(record)
        except BadInput as error:
            raise scene.blame(error.within(record=f"object {i}")) from None


def _check_object(record: Any) -> None:
    if not isinstance(record, dict):
        raise BadInput("must be an object with fields")
    _paints(record, "part_color", known=True)
    _counts(record, "part_count")
    for field in ("3d_coords", "pixel_coords"):
        finite_numbers(_field(record, field), field=field, count=3)
    finite_numbers([_field(record, "rotation")], field="rotation")
    _check_mask(_field(record, "obj_mask"), "obj_mask")
    masks = _table(_field(record, "part_mask"), "part_mask")
    for part, instances in masks.items():
        place = f"part_mask.{part}"
        for k, mask in enumerate(_list(instances, place)):
            _check_mask(mask, f"{place}[{k}]")


def _check_mask(mask: Any, field: str) -> None:
    """COCO's uncompressed run lengths: column by column, zeros first, as many pixels as the size says."""
    if not isinstance(mask, dict) or not {"size", "counts"} <= mask.keys():
        raise BadInput("must have a size and counts", field=field)
    height, width = finite_numbers(mask["size"], field=f"{field}.size", count=2)
    counts = finite_numbers(mask["counts"], field=f"{field}.counts")
    if any(count < 0 for count in counts):
        raise BadInput("has a run of less than no pixels", field=f"{field}.counts")
    if sum(counts) != height * width:
        reason = f"the runs are {sum(counts):,} pixels long, the mask has {height} x {width} = {height * width:,}"
        raise BadInput(reason, field=f"{field}.counts")


def known_word(value: Any, known: Sequence[str], kind: str, *, field: str) -> str:
    """A word that must be one of a list."""
    if value not in known:
        raise BadInput(f"{value!r} is not a {kind}{nearest(value, known)}", field=field)
    return str(value)


def finite_numbers(value: Any, *, field: str, count: int | None = None) -> tuple[float, ...]:
    """Numbers to reckon with, as many as there must be."""
    numbers = _list(value, field)
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int | float) or not is_finite(number):
            raise BadInput(f"{number!r} is not a finite number", field=field)
    if count is not None and len(numbers) != count:
        raise BadInput(f"must be {count} numbers, not {len(numbers)}", field=field)
    return tuple(numbers)


def _field(record: Mapping[str, Any], field: str) -> Any:
    if field not in record:
        raise BadInput("is missing", field=field)
    return record[field]


def _list(value: Any, field: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadInput("must be a list", field=field)
    return value


def _table(value: Any, field: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadInput("must be an object with one entry for each part", field=field)
    return value


def _paints(record: Mapping[str, Any], field: str, *, known: bool) -> dict[str, list[Any]]:
    """Parts with their colors. known : whether the parts are PTR's, and not whatever the object is made of"""
    paints = _table(_field(record, field), field)
    for part, paint in paints.items():
        place = f"{field}.{part}"
        if known:
            known_word(part, WORDS["parts"], "part", field=field)
        if not isinstance(paint, list) or len(paint) != 2:
            raise BadInput("must be the name of a color and its numbers", field=place)
        known_word(paint[0], WORDS["colors"], "color", field=place)
        finite_numbers(paint[1], field=place)
    return paints


def _counts(record: Mapping[str, Any], field: str) -> dict[str, int]:
    counts = _table(_field(record, field), field)
    for part, count in counts.items():
        known_word(part, WORDS["parts"], "part", field=field)
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise BadInput(f"{count!r} is not a number of parts", field=f"{field}.{part}")
    return counts


def _directions(record: Mapping[str, Any], field: str) -> dict[str, list[Any]]:
    directions = _table(record.get(field, {}), field)
    for part, vector in directions.items():
        known_word(part, WORDS["parts"], "part", field=field)
        nested = isinstance(vector, list) and len(vector) == 1
        finite_numbers(vector[0] if nested else vector, field=f"{field}.{part}", count=3)
    return directions


def _stability(record: Mapping[str, Any]) -> str | None:
    value = record.get("stability")
    return None if value is None else known_word(value, WORDS["stability"], "word for stability", field="stability")


def _changes(record: Mapping[str, Any]) -> tuple[str, ...] | None:
    field = "possible_change"
    value = record.get(field)
    if value is None:
        return None
    if not isinstance(value, list) or not value or not isinstance(value[0], list):
        raise BadInput("must be a list of directions and a position", field=field)
    return tuple(known_word(direction, WORDS["directions"], "direction", field=field) for direction in value[0])
