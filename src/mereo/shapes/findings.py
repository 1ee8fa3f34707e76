"""What was found when a mesh was brought in: what was mended, what was left as it is, and what seems wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from mereo.errors import BadInput
from mereo.files import converted
from mereo.shapes.part import Shape

__all__ = ["Finding", "findings_of", "kept", "listed", "sentences"]

_SENTENCES = {
    "vanished": "{count} {faces} without area left out",
    "repeated": "{count} {faces} with the corners of another one left out",
    "turned": "{count} {faces} turned, so that all look outwards",
    "filled": "{count} {holes} filled",
    "crowded": "{count} {edges} of more than two faces taken apart",
    "one-sided": "{count} {pieces} one-sided, as a Möbius strip is, and left so",
    "open": "{count} {pieces} not closed and left so: weight and contact are those of the hull",
    "empty": "{count} {groups} without any area left out",
    "size": "{note}",
}


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that was found."""

    what: str
    """`vanished`, `repeated`, `turned`, `filled`, `crowded`, `one-sided`, `open`, `empty` or `size`."""
    count: int = 1
    part: int = 0
    """The leaf it was found in; 0 where it is of the whole shape."""
    note: str = ""


def kept(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Findings as the facts of a shape keep them."""
    plain: list[dict[str, Any]] = msgspec.to_builtins(list(findings))
    return plain


def findings_of(shape: Shape) -> list[Finding]:
    """What was found when a shape was brought in; nothing for shapes that were made."""
    try:
        return converted(shape.facts.get("findings", []), file=None, type=list[Finding])
    except BadInput as error:
        raise BadInput(f"the facts hold findings that are none ({error})", record=shape.name or None) from None


def sentences(shape: Shape) -> list[str]:
    """The findings of a shape for people, those of one kind together with the parts they are of."""
    names = {part.id: f"{part.name} {part.id}" for part in shape.parts()}
    found: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings_of(shape):
        of_its_own = finding.note if finding.what == "size" else ""
        found.setdefault((finding.what, of_its_own), []).append(finding)
    return [_sentence(what, alike, names) for (what, _), alike in found.items()]


def _sentence(what: str, alike: list[Finding], names: Mapping[int, str]) -> str:
    count = sum(finding.count for finding in alike)
    nouns = {noun: noun.removesuffix("s") if count == 1 else noun for noun in ("faces", "holes", "edges", "pieces")}
    nouns["groups"] = "group" if count == 1 else "groups"
    text = _SENTENCES.get(what, "{count} " + what).format(count=f"{count:,}", note=alike[0].note, **nouns)
    where = [names.get(finding.part, str(finding.part)) if finding.part else finding.note for finding in alike]
    return text if what == "size" or not all(where) else f"{text} ({listed(where, most=4)})"


def listed(names: Iterable[str], *, most: int = 12) -> str:
    """Names in a sentence: `a, b and c`, or the first of them and how many there are besides."""
    every = list(names)
    shown = every if len(every) <= most + 1 else [*every[:most], f"{len(every) - most:,} others"]
    return " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))
