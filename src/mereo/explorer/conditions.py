"""Views as conditions of the index: what scenes and questions must be like to be shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from mereo.explorer.address import FACT, MARK, View

__all__ = ["OFFERED", "Where", "asked_in", "is_in", "questions_of", "scenes_of"]

OFFERED = ("type", "subtype", "template", "answer")
"""The question facets that are columns of their own, and offered; the others only come from links."""
_SCENES = {"dataset": "CAST(dataset AS VARCHAR)", "benchmark": "benchmark", "split": "split"}
_PROGRAMS = {
    "function": "function IN (SELECT unnest(?))",
    "length": "length IN (SELECT unnest(?))",
    "uses": "list_has_any(uses, ?)",
}
"""The question facets that look at programs, and how."""


class Where(NamedTuple):
    """A condition with the values that stand in it."""

    text: str
    values: list[Any]

    @staticmethod
    def all(conditions: Iterable[Where]) -> Where:
        """What must hold together; everything fits no condition."""
        listed = list(conditions)
        text = " AND ".join(f"({one.text})" for one in listed) or "TRUE"
        return Where(text, [value for one in listed for value in one.values])


def scenes_of(view: View) -> Where:
    """The scenes that a view shows: they fit, and where it is about questions, so does one of theirs."""
    own = _scenes(view)
    if view.asks:
        asked = asked_in(view)
        own.append(Where(f"scene IN (SELECT scene FROM questions WHERE {asked.text})", asked.values))
    return Where.all(own)


def questions_of(view: View) -> Where:
    """The questions that a view shows, all of them about scenes that fit."""
    own = [asked_in(view)]
    scenes = _scenes(view)
    if scenes:
        where = Where.all(scenes)
        own.append(Where(f"scene IN (SELECT scene FROM scenes WHERE {where.text})", where.values))
    return Where.all(own)


def asked_in(view: View) -> Where:
    """What the questions themselves must be like."""
    found = []
    if view.words:
        found.append(Where("contains(lower(question), lower(?))", [view.words]))
    for name, values in view.chosen.items():
        if name in OFFERED:
            found.append(is_in(name, values))
        elif name in _PROGRAMS:
            found.append(Where(f"form IN (SELECT form FROM forms WHERE {_PROGRAMS[name]})", [list(values)]))
        elif name.startswith(MARK):
            inside = is_in("mark", values)
            text = f"number IN (SELECT number FROM marks WHERE run = ? AND {inside.text})"
            found.append(Where(text, [name.removeprefix(MARK), *inside.values]))
    return Where.all(found)


def is_in(column: str, values: Iterable[Any]) -> Where:
    """That a column has one of these values."""
    return Where(f"{column} IN (SELECT unnest(?))", [list(values)])


def _scenes(view: View) -> list[Where]:
    """What the scenes themselves must be like."""
    found = []
    for name, values in view.chosen.items():
        if name in _SCENES:
            found.append(is_in(_SCENES[name], values))
        elif name.startswith(FACT):
            inside = is_in("value", values)
            words = f"SELECT word FROM words WHERE attribute = ? AND {inside.text}"
            text = f"scene IN (SELECT scene FROM facts WHERE word IN ({words}))"
            found.append(Where(text, [name.removeprefix(FACT), *inside.values]))
    return found
