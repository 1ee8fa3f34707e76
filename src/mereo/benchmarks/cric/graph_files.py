"""Files of scene graphs: whose they are is told by what is in them, and each picture is decoded when asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from mereo.benchmarks.cric.gqa import gqa_graph
from mereo.benchmarks.cric.graph import SceneGraph
from mereo.benchmarks.cric.graph_checks import Complain, Piece, by_number
from mereo.benchmarks.cric.visual_genome import vg_graph
from mereo.errors import BadInput
from mereo.files import decode_json, read_pieces

__all__ = ["GraphFiles", "open_graphs", "read_graphs"]

_LOOKED_AT = 100
"""Records by which a file is told from another: some may be damaged, or empty."""
_WHOLE, _OBJECTS, _RELATIONS, _ATTRIBUTES, _SIZES, _GQA = (
    "graphs",
    "objects",
    "relationships",
    "attributes",
    "sizes",
    "gqa",
)
"""What a file may hold. The first four are Visual Genome's, sizes of pictures as well."""


class _Sniffed(msgspec.Struct):
    """The parts of a record, not looked into."""

    image_id: int | str | None = None
    id: int | str | None = None
    objects: msgspec.Raw = msgspec.Raw()
    relationships: msgspec.Raw = msgspec.Raw()
    attributes: msgspec.Raw = msgspec.Raw()
    width: msgspec.Raw = msgspec.Raw()
    url: msgspec.Raw = msgspec.Raw()

    @property
    def called(self) -> str:
        own = self.image_id if self.image_id is not None else self.id
        return "" if own is None else str(own)


class _File(msgspec.Struct):
    path: Path
    holds: str
    records: Iterable[tuple[str, msgspec.Raw]]
    """Each with its id where that stands outside of it."""


@dataclass(frozen=True)
class GraphFiles:
    """Scene graphs by the id of their picture."""

    pieces: Mapping[str, Sequence[Piece]]
    decode: Callable[[str, Sequence[Piece], Complain], SceneGraph]

    @property
    def image_ids(self) -> Sequence[str]:
        """All pictures, in the order of their numbers, whatever the order in the files."""
        return sorted(self.pieces, key=by_number)

    def graph(self, image_id: str, *, complain: Complain = lambda _: None) -> SceneGraph:
        """The graph of a picture, in the words of its file. A record that is no graph at all is an error."""
        return self.decode(image_id, self.pieces[image_id], complain)

    def graphs(self, complain: Complain) -> Iterator[SceneGraph]:
        """All that can be read, one at a time."""
        for image_id in self.image_ids:
            try:
                graph = self.graph(image_id, complain=complain)
            except BadInput as error:
                complain(error)
            else:
                yield graph


def read_graphs(*paths: str | Path, complain: Complain) -> list[SceneGraph]:
    """All graphs of some files or folders at once, in the words of their files."""
    return list(open_graphs(*paths, complain=complain).graphs(complain))


def open_graphs(*paths: str | Path, complain: Complain) -> GraphFiles:
    """Files that belong together, or folders of such: Visual Genome's, CRIC's or GQA's.

    Where one file has whole graphs, files that hold only objects, attributes or relationships say the same again.
    """
    files = [file for path in paths for file in _recognized(Path(path))]
    held = {file.holds for file in files}
    if not held - {_SIZES}:
        raise BadInput("holds no scene graphs of Visual Genome or GQA", file=", ".join(map(str, paths)))
    if _GQA in held and held & {_WHOLE, _OBJECTS, _RELATIONS, _ATTRIBUTES}:
        raise BadInput("holds scene graphs of both Visual Genome and GQA", file=", ".join(map(str, paths)))
    wanted = {_GQA} if _GQA in held else {_WHOLE, _SIZES} if _WHOLE in held else held
    pieces: dict[str, list[Piece]] = {}
    for holds in (_GQA, _WHOLE, _OBJECTS, _ATTRIBUTES, _RELATIONS, _SIZES):
        of_kind = [file for file in files if file.holds == holds and holds in wanted]
        _join(pieces, of_kind, complain, new=holds != _SIZES)
    return GraphFiles(pieces, gqa_graph if _GQA in held else vg_graph)


def _join(pieces: dict[str, list[Piece]], files: Sequence[_File], complain: Complain, *, new: bool) -> None:
    """Add what files of one kind hold, which may speak of a picture only once. new : whether of new pictures, too"""
    seen = set[str]()
    for file in files:
        for number, (key, data) in enumerate(file.records):
            try:
                image_id = key or decode_json(bytes(data), file=file.path, type=_Sniffed).called
            except BadInput as error:
                complain(error.within(record=f"picture number {number + 1}"))
                continue
            if not image_id or image_id in seen:
                reason = "stands there twice" if image_id else "has no image_id"
                complain(BadInput(reason, file=file.path, record=f"image {image_id or f'number {number + 1}'}"))
            elif new or image_id in pieces:
                seen.add(image_id)
                pieces.setdefault(image_id, []).append(Piece(file.path, data))


def _recognized(path: Path) -> list[_File]:
    """A file, or those of a folder that hold something of use."""
    found = [_file(one) for one in (sorted(path.glob("*.json")) if path.is_dir() else [path])]
    return [file for file in found if file is not None]


def _file(path: Path) -> _File | None:
    content: list[msgspec.Raw] | dict[str, msgspec.Raw] = read_pieces(
        path,
        type=list[msgspec.Raw] | dict[str, msgspec.Raw],  # type: ignore[arg-type]
    )
    if isinstance(content, dict) and "objects" in content:
        content = [read_pieces(path, type=msgspec.Raw)]
    records = list(content.items()) if isinstance(content, dict) else [("", data) for data in content]
    kind = _kind([data for _, data in records[:_LOOKED_AT]])
    return _File(path, kind, records) if kind else None


def _kind(records: Sequence[msgspec.Raw]) -> str:
    """What records hold; nothing where that is of no use here."""
    sniffed = []
    for data in records:
        try:
            sniffed.append(decode_json(bytes(data), file=None, type=_Sniffed))
        except BadInput:  # whoever reads the record will say so
            continue
    if any(bytes(one.objects)[:1] == b"{" for one in sniffed):
        return _GQA
    parts = {
        part: any(bytes(getattr(one, part)) for one in sniffed)
        for part in (_OBJECTS, _RELATIONS, _ATTRIBUTES, "width", "url")
    }
    if parts[_OBJECTS]:
        return _WHOLE if parts[_RELATIONS] else _OBJECTS
    if parts[_RELATIONS] or parts[_ATTRIBUTES]:
        return _RELATIONS if parts[_RELATIONS] else _ATTRIBUTES
    return _SIZES if parts["width"] and parts["url"] else ""
