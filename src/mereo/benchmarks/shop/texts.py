"""What is written about household objects: the properties that can only be read, and the pages to read them on.

    properties_of("kettle", {"material": "metal", "color": "red"})
    pages_of("kettle", {"material": "metal", "color": "red"}, split="train")

Both depend on the class and, for some classes, on what the object looks like: a kettle of bare metal is electric, a
painted one goes on the stove. Every page belongs to one split, so that no page of `test` was read in training.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from mereo.benchmarks.shop.language import TEXTUAL, VISUAL, VOCABULARY
from mereo.benchmarks.shop.models import all_looks
from mereo.errors import BadInput, UnknownName, nearest
from mereo.files import converted, read_toml

__all__ = ["SPLITS", "pages_of", "properties_of", "read_pages", "read_properties"]

SPLITS = ("train", "validation", "test", "benchmark")
_PROPERTIES = Path(__file__).with_name("text_properties.toml")
_PAGES = Path(__file__).with_name("descriptions")

Value = str | tuple[str, ...]
Looks = Mapping[str, Any]
"""What is seen of an object, by attribute."""


class _Page(msgspec.Struct, forbid_unknown_fields=True, rename={"but": "except"}):
    text: str
    fits: dict[str, str] = {}
    """What an object must look like for the page to be about it."""
    but: dict[str, str] = {}
    """What it must not look like."""

    def about(self, looks: Looks) -> bool:
        """Whether an object that looks so is what the page is about."""
        return _like(looks, self.fits) and not (self.but and _like(looks, self.but))


class _Pages(msgspec.Struct, forbid_unknown_fields=True):
    description: list[_Page]


class _Class(msgspec.Struct, forbid_unknown_fields=True):
    powering: str
    disassembly: str
    picking: str
    attribute: list[str]
    where: list[dict[str, str | list[str]]] = []
    """What is otherwise for those that look a certain way."""


def _like(looks: Looks, wanted: Looks) -> bool:
    return all(looks.get(name) == value for name, value in wanted.items())


def properties_of(name: str, looks: Looks) -> dict[str, Value]:
    """What a page tells about an object of a class. name : as "wine glass"; looks : at least material and color"""
    own = _known(name, _properties())
    found: dict[str, Value] = {field: getattr(own, field) for field in TEXTUAL}
    found["attribute"] = tuple(own.attribute)
    for other in own.where:
        if _like(looks, {field: word for field, word in other.items() if field in VISUAL}):
            found |= {field: _value(other[field]) for field in TEXTUAL if field in other}
            found["attribute"] = (*found["attribute"], *other.get("more", ()))
    return found


def _value(value: Any) -> Value:
    return tuple(value) if isinstance(value, list) else value


def pages_of(name: str, looks: Looks, *, split: str) -> tuple[str, ...]:
    """The pages about such an object that belong to a split."""
    if split not in SPLITS:
        raise UnknownName("split", split, SPLITS)
    about = [page.text for page in _known(name, _pages()) if page.about(looks)]
    if not about:
        raise BadInput(f"no page is about one with {', '.join(map(str, looks.values()))}", record=name)
    return tuple(about[_owned(len(about), split)])


def _owned(count: int, split: str) -> slice:
    """Which of so many pages a split owns: a fifth, and at least one, each for all but train."""
    held = max(1, count // 5)
    place = SPLITS.index(split)
    first = count - 3 * held
    return slice(0, first) if place == 0 else slice(first + (place - 1) * held, first + place * held)


def _known(name: str, of: Mapping[str, Any]) -> Any:
    if name not in of:
        raise UnknownName("class", name, of)
    return of[name]


@cache
def _properties() -> dict[str, _Class]:
    return read_properties(_PROPERTIES)


@cache
def _pages() -> dict[str, tuple[_Page, ...]]:
    return read_pages(_PAGES)


def read_properties(file: Path) -> dict[str, _Class]:
    """A file of textual properties by class; a word outside the vocabulary is refused."""
    found = {}
    for name, row in read_toml(file).items():
        _check_class(name, file)
        try:
            own = found[name.replace("_", " ")] = converted(row, file=file, type=_Class)
            for field in TEXTUAL:
                _check(field, getattr(own, field))
            for other in own.where:
                for field, value in other.items():
                    _check("attribute" if field == "more" else field, value)
        except BadInput as error:
            raise error.within(file=file, record=name) from None
    return found


def read_pages(folder: Path) -> dict[str, tuple[_Page, ...]]:
    """A folder with a file of pages for each class; one that is about an impossible object is refused."""
    found = {}
    for file in sorted(folder.glob("*.toml")):
        _check_class(file.stem, file)
        pages = converted(read_toml(file), file=file, type=_Pages).description
        for number, page in enumerate(pages):
            try:
                if not page.text.strip():
                    raise BadInput("is empty", field="text")
                for field, word in {**page.fits, **page.but}.items():
                    _check(field, word)
                if not any(page.about(looks) for looks in all_looks(file.stem.replace("_", " "))):
                    raise BadInput("is about none that there can be", field="fits")
            except BadInput as error:
                raise error.within(file=file, record=f"description {number}") from None
        found[file.stem.replace("_", " ")] = tuple(
            msgspec.structs.replace(page, text=" ".join(page.text.split())) for page in pages
        )
    return found


def _check_class(name: str, file: Path) -> None:
    known = VOCABULARY.words("name")
    if name.replace("_", " ") not in known:
        raise BadInput(f"there is no class '{name}'{nearest(name.replace('_', ' '), known)}", file=file)


def _check(field: str, value: str | Iterable[str]) -> None:
    """Refuse what is no value of an attribute."""
    if field not in VOCABULARY.attributes:
        raise BadInput(f"there is no attribute '{field}'{nearest(field, VOCABULARY.attributes)}")
    words, several = VOCABULARY.words(field), VOCABULARY.attributes[field].multiple
    if isinstance(value, str) == several:
        raise BadInput("must be a list of words" if several else "must be one word", field=field)
    for word in [value] if isinstance(value, str) else value:
        if word not in words:
            raise BadInput(f"'{word}' is no {field}{nearest(str(word), words)}", field=field)
