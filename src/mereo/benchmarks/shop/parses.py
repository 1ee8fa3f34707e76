"""Parses: what somebody sees in every scene, as files of JSON Lines that are judged against what is there.

    {"scene": "test-000012", "objects": [{"box": [40, 62, 31, 25], "score": 0.93, "name": "mug", "size": "small"}]}

A line tells of one scene. Of an object only the box must be told: left, top, width and height in pixels. The first line
may be a header as prediction files have it, which also says what was `given` and so not found out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from mereo.benchmarks.shop.language import TEXTUAL, VISUAL, VOCABULARY
from mereo.datasets.predictions import Header, Mask, box_fault, check_dataset, json_lines, line_header, mask_fault
from mereo.datasets.reading import RowReader
from mereo.datasets.store import Manifest, fingerprint
from mereo.errors import BadInput, nearest
from mereo.masks import BadMask, Box, Encoded, read

__all__ = ["Given", "Parse", "ParseHeader", "Parses", "Seen", "checked_masks", "read_parses"]

Given = Literal["masks", "attributes"]
_FAR = 1e6
"""No place is farther from the middle of the table."""


class Seen(msgspec.Struct, frozen=True, omit_defaults=True):
    """One object as somebody sees it, and what they have read about it."""

    box: Box
    """Left, top, width and height in pixels."""
    mask: Mask | None = None
    score: float = 1.0
    """How sure it is that the object is there."""
    place: tuple[float, float] | None = None
    """Where on the table it stands, as `3d_coords` tells it."""
    size: str | None = None
    weight: str | None = None
    color: str | None = None
    material: str | None = None
    movability: str | None = None
    shape: str | None = None
    name: str | None = None
    powering: str | None = None
    disassembly: str | None = None
    picking: str | None = None
    attribute: tuple[str, ...] | None = None

    def told(self) -> Iterator[tuple[str, str | tuple[str, ...]]]:
        """The properties that are told, with their values."""
        for name in (*VISUAL, *TEXTUAL):
            value = getattr(self, name)
            if value is not None:
                yield name, value


class Parse(msgspec.Struct, frozen=True):
    """All that is seen in one scene."""

    scene: str
    objects: list[Seen]


class ParseHeader(Header, frozen=True, omit_defaults=True):
    """What a file of parses says about itself."""

    given: Given | None = None
    """`masks`: of all objects; `attributes`: these too, and all that can be seen; nothing where it is left out."""


class Parses(NamedTuple):
    """The parses of a file."""

    header: ParseHeader
    by_scene: Mapping[str, Parse]
    lines: Mapping[str, int]
    """The line of each scene, for complaints."""
    path: Path

    def complaint(self, scene: str, reason: str, field: str) -> BadInput:
        """What is wrong with the parse of a scene."""
        return BadInput(reason, file=self.path, record=f"line {self.lines[scene]}", field=field)


def read_parses(path: str | Path, folder: Path, manifest: Manifest) -> Parses:
    """The parses of a file for the scenes of a dataset; whatever does not fit is named with its line."""
    path = Path(path)
    known = RowReader(folder, "scenes", manifest).places
    header = line_header(path, type=ParseHeader)
    check_dataset(header, path, folder=folder, checksum=fingerprint(manifest))
    by_scene: dict[str, Parse] = {}
    lines: dict[str, int] = {}
    for number, parse in json_lines(path, type=Parse):
        record = f"line {number}"
        if parse.scene not in known:
            reason = f"{folder} has no scene '{parse.scene}'; its ids are like '{next(iter(known), '')}'"
            raise BadInput(reason, file=path, record=record, field="scene")
        if parse.scene in lines:
            reason = f"'{parse.scene}' is parsed in line {lines[parse.scene]} already"
            raise BadInput(reason, file=path, record=record, field="scene")
        by_scene[parse.scene], lines[parse.scene] = parse, number
        try:
            _check(parse)
        except BadInput as error:
            raise error.within(file=path, record=record) from None
    if not lines:
        raise BadInput("holds no parses", file=path)
    return Parses(header, by_scene, lines, path)


def _check(parse: Parse) -> None:
    """Refuse what can be seen to be wrong without the picture."""
    for number, seen in enumerate(parse.objects):
        if seen.place is not None and max(map(abs, seen.place)) > _FAR:
            reason = f"[{seen.place[0]:g}, {seen.place[1]:g}] is on no table"
            raise BadInput(reason, field=f"objects[{number}].place")
        for name, value in seen.told():
            words = VOCABULARY.words(name)
            for word in (value,) if isinstance(value, str) else value:
                if word not in words:
                    reason = f"'{word}' is no {name}{nearest(word, words)}"
                    raise BadInput(reason, field=f"objects[{number}].{name}")


def checked_masks(parses: Parses, scene: str, size: tuple[int, int]) -> dict[int, Encoded]:
    """The masks of the objects that a parse has one of, by number; what does not fit into its picture is named.

    size : height and width of the picture
    """
    objects = parses.by_scene[scene].objects
    for number, seen in enumerate(objects):
        fault = box_fault(seen.box, size)
        if fault:
            raise parses.complaint(scene, fault, f"objects[{number}].box")
        fault = mask_fault(seen.mask, size) if seen.mask is not None else None
        if fault:
            raise parses.complaint(scene, fault, f"objects[{number}].mask.size")
    masked = [number for number, seen in enumerate(objects) if seen.mask is not None]
    written: list[Any] = [msgspec.structs.asdict(seen.mask) for seen in objects if seen.mask is not None]
    try:
        found = dict(zip(masked, read(written), strict=True))
    except BadMask as error:
        raise parses.complaint(scene, error.reason, f"objects[{masked[error.place]}].mask.{error.field}") from None
    return found
