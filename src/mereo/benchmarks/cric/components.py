"""The components that questions are put together from, as their file has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from mereo.files import converted, read_toml

__all__ = ["Components", "OfAttribute", "OfItem", "OfRelation", "Queries", "components", "filled", "sayable"]

Texts = tuple[str, ...]


class OfItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an item of knowledge is said: of a thing that it describes, or that is asked for or about."""

    does: Texts
    verify: Texts
    done: Texts = ()
    asked: Texts = ()


class OfAttribute(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an attribute is said."""

    before: Texts
    does: Texts
    verify: Texts
    asked: Texts = ()


class OfRelation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a visual relation is said."""

    bare: Texts
    does: Texts
    whereon: Texts


class Queries(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The questions themselves."""

    object_does: Texts
    object_asked: Texts
    object_that_does: Texts
    object_that_done: Texts
    subject: Texts
    subject_any: Texts
    whereon: Texts
    whereon_any: Texts
    exists: Texts


class Components(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All components, by what they are about."""

    items: Mapping[str, OfItem]
    attributes: Mapping[str, OfAttribute]
    relations: Mapping[str, OfRelation]
    queries: Queries


@cache
def components() -> Components:
    """All components."""
    path = Path(__file__).with_name("components.toml")
    return converted(read_toml(path), file=path, type=Components)


def filled(text: str, places: Mapping[str, str]) -> str:
    """A text with what is given at its places; others stay open."""
    for place, value in places.items():
        text = text.replace(place, value)
    return text


def sayable(texts: Sequence[str], places: Mapping[str, str], *, later: frozenset[str] = frozenset()) -> list[str]:
    """The texts all of whose places are given or come later, filled as far as they can be."""
    return [done for text in texts if not _open(done := filled(text, places)) - later]


def _open(text: str) -> set[str]:
    return {f"{{{piece.partition('}')[0]}}}" for piece in text.split("{")[1:]}
