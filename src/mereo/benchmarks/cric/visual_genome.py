"""Visual Genome's files: objects, attributes and relationships each in a file of its own, or all of it in one.

From release to release keys go by other names; whatever was ever used is read. Synsets are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from mereo.benchmarks.cric.graph import SceneGraph
from mereo.benchmarks.cric.graph_checks import Complain, GivenRelation, GivenThing, Picture, Piece, checked_graph
from mereo.errors import BadInput
from mereo.files import decode_json

__all__ = ["vg_graph"]

_Id = int | str | None


class _Object(msgspec.Struct):
    """An object, or what another file says of it."""

    object_id: _Id = None
    id: _Id = None
    names: list[str] | str | None = None
    name: list[str] | str | None = None
    object_names: list[str] | str | None = None
    x: float | None = None
    y: float | None = None
    w: float | None = None
    h: float | None = None
    width: float | None = None
    height: float | None = None
    attributes: list[str] | None = None
    merged_object_ids: list[int | str] | None = None

    @property
    def key(self) -> str:
        return _text(self.object_id if self.object_id is not None else self.id)

    @property
    def keys(self) -> tuple[str, ...]:
        """All ids that it goes by, its own first."""
        return (self.key, *map(_text, self.merged_object_ids or ()))

    def described(self, apart: Mapping[str, Sequence[str]]) -> GivenThing:
        """What it says, with attributes that stand elsewhere by id."""
        given = self.names or self.name or self.object_names or []
        width, height = self.w if self.w is not None else self.width, self.h if self.h is not None else self.height
        more = (word for key in self.keys for word in apart.get(key, ()))
        return GivenThing(
            self.key,
            [given] if isinstance(given, str) else given,
            (self.x, self.y, width, height),
            tuple(dict.fromkeys((*(self.attributes or ()), *more))),
            self.keys[1:],
        )


class _Relation(msgspec.Struct):
    predicate: str | None = None
    subject: _Object | None = None
    object: _Object | None = None
    subject_id: _Id = None
    object_id: _Id = None

    @property
    def related(self) -> GivenRelation:
        subject = self.subject.key if self.subject else _text(self.subject_id)
        thing = self.object.key if self.object else _text(self.object_id)
        return GivenRelation(subject, self.predicate or "", thing)


class _Record(msgspec.Struct):
    """All that any of the files may say of a picture."""

    objects: list[_Object] | None = None
    attributes: list[_Object] | None = None
    relationships: list[_Relation] | None = None
    width: int | None = None
    height: int | None = None
    url: str | None = None
    image_filename: str | None = None


def vg_graph(image_id: str, pieces: Sequence[Piece], complain: Complain) -> SceneGraph:
    """What all records about a picture say together."""
    records = [_record(image_id, piece) for piece in pieces]
    main = next((piece.file for piece, record in zip(pieces, records, strict=True) if record.objects is not None), None)
    picture = Picture(
        image_id,
        main or pieces[0].file,
        max((record.width or 0 for record in records), default=0),
        max((record.height or 0 for record in records), default=0),
        next((name for record in records if (name := _filename(record))), ""),
    )
    apart: dict[str, list[str]] = {}
    for piece, record in zip(pieces, records, strict=True):
        for one in record.attributes or ():
            apart.setdefault(one.key, []).extend(one.attributes or ())
        if main and record.attributes:
            _check_attributes(image_id, piece.file, record.attributes, records, complain)
    related = (one.related for record in records for one in record.relationships or ())
    described = (one.described(apart) for one in _objects(records, listed=main is not None))
    return checked_graph(picture, described, related, complain=complain)


def _record(image_id: str, piece: Piece) -> _Record:
    try:
        return decode_json(bytes(piece.data), file=piece.file, type=_Record)
    except BadInput as error:
        raise error.within(record=f"image {image_id}") from None


def _objects(records: Sequence[_Record], *, listed: bool) -> Iterator[_Object]:
    """The objects of a picture: those of the list or, where none is given, all that the other files mention."""
    if listed:
        yield from (one for record in records for one in record.objects or ())
        return
    seen = set[str]()
    for record in records:
        ends = (end for one in record.relationships or () for end in (one.subject, one.object) if end)
        for one in (*(record.attributes or ()), *ends):
            if one.key not in seen:
                seen.add(one.key)
                yield one


def _check_attributes(
    image_id: str, file: Path, attributes: Sequence[_Object], records: Sequence[_Record], complain: Complain
) -> None:
    known = {key for one in _objects(records, listed=True) for key in one.keys}
    for one in attributes:
        if one.attributes and one.key not in known:
            reason = f"'{one.attributes[0]}' is said of an object that is not there"
            record = f"image {image_id}, object {one.key or 'without an id'}"
            complain(BadInput(reason, file=file, record=record, field="attributes"))


def _filename(record: _Record) -> str:
    return record.image_filename or (record.url or "").rpartition("/")[2]


def _text(name: _Id) -> str:
    return "" if name is None else str(name)
