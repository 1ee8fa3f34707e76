"""Finding scenes: which a view shows, how many, and what one could narrow it down by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from mereo.explorer.address import FACT, MARK, View
from mereo.explorer.catalog import Catalog, Opened
from mereo.explorer.conditions import OFFERED, Where, asked_in, is_in, questions_of, scenes_of

__all__ = ["Card", "Counts", "Facet", "FacetValue", "Search"]

_MARKS = ("right", "wrong", "unanswered")


@dataclass(frozen=True)
class FacetValue:
    """Something to filter by, and how many there would be."""

    value: str
    label: str
    count: int | None
    """None where it would take long to say."""
    chosen: bool


class Facet(NamedTuple):
    """One way to narrow a view down."""

    name: str
    title: str
    unit: str
    """What is counted: scenes or questions."""
    values: list[FacetValue]


class Counts(NamedTuple):
    """How many there are in a view."""

    scenes: int
    questions: int


@dataclass(frozen=True)
class Card:
    """A scene in the grid."""

    dataset: int
    scene_id: str
    split: str
    objects: int
    questions: int
    """How many of its questions belong to the view."""
    question_id: str | None
    question: str | None
    """The first of them."""
    answer: str | None


class Search:
    """Answers what a view shows."""

    def __init__(self, catalog: Catalog):
        self.catalog = catalog
        self._rows = catalog.index.rows

    def prepare(self, view: View) -> None:
        """See that a view can be shown; judge the runs that it filters by, which takes a moment the first time."""
        view.check()
        for name in view.chosen:
            if name.startswith(MARK):
                run = name.removeprefix(MARK)
                for opened in self._usable():
                    if run in self.catalog.run_names(opened.number):
                        self.catalog.judge(opened.number, run)

    def counts(self, view: View) -> Counts:
        """How many scenes and questions there are."""
        scenes, questions = scenes_of(view), questions_of(view)
        return Counts(
            self._rows(f"SELECT count(*) FROM scenes WHERE {scenes.text}", scenes.values)[0][0],
            self._rows(f"SELECT count(*) FROM questions WHERE {questions.text}", questions.values)[0][0],
        )

    def cards(self, view: View, *, size: int) -> list[Card]:
        """One page of scenes."""
        where = scenes_of(view)
        query = f"SELECT scene, dataset, scene_id, split, objects FROM scenes WHERE {where.text} ORDER BY scene"
        found = self._rows(f"{query} LIMIT {int(size)} OFFSET {int(size) * (view.page - 1)}", where.values)
        asked = Where.all([asked_in(view), is_in("scene", [scene for scene, *_ in found])])
        first = "first({} ORDER BY question_id)"
        columns = ", ".join(first.format(name) for name in ("question_id", "question", "answer"))
        told = self._rows(
            f"SELECT scene, count(*), {columns} FROM questions WHERE {asked.text} GROUP BY scene", asked.values
        )
        questions = {scene: rest for scene, *rest in told}
        return [
            Card(dataset, scene_id, split, objects, *questions.get(scene, (0, None, None, None)))
            for scene, dataset, scene_id, split, objects in found
        ]

    def facets(self, view: View) -> list[Facet]:
        """What the view can be narrowed down by; within a facet, counts are as if nothing were chosen there."""
        found = self._scene_facets(view) + self._question_facets(view) + self._run_facets(view)
        facts: dict[str, dict[str, int]] = {}
        for attribute, value, count in self._facts(view):
            facts.setdefault(attribute, {})[value] = count
        for name in [name for name in view.chosen if name.startswith(FACT)]:
            attribute = name.removeprefix(FACT)
            facts[attribute] = {v: n for _, v, n in self._facts(view.without(name), attribute)}
        order = self._attributes()
        for attribute in sorted(facts, key=lambda name: (order.get(name, len(order)), name)):
            found.append(_facet(view, FACT + attribute, attribute, "scenes", facts[attribute]))
        return [facet for facet in found if len(facet.values) > 1 or any(value.chosen for value in facet.values)]

    def _scene_facets(self, view: View) -> list[Facet]:
        labels = {str(opened.number): opened.name for opened in self.catalog.datasets}
        facets = []
        several = len(labels) > 1 or {"dataset", "benchmark"} & set(view.chosen)
        for name in ("dataset", "benchmark", "split") if several else ("split",):
            where = scenes_of(view.without(name))
            rows = self._rows(f"SELECT {name}, count(*) FROM scenes WHERE {where.text} GROUP BY 1", where.values)
            counts = {str(value): count for value, count in rows}
            facets.append(_facet(view, name, name, "scenes", counts, labels if name == "dataset" else {}))
        return facets

    def _question_facets(self, view: View) -> list[Facet]:
        free = [name for name in OFFERED if name not in view.chosen]
        counts: dict[str, dict[str, int]] = {name: {} for name in OFFERED}
        if free:
            where = questions_of(view)
            sets = ", ".join(f"({name})" for name in free)
            listed = ", ".join(free)
            query = f"SELECT {listed}, count(*) FROM questions WHERE {where.text} GROUP BY GROUPING SETS ({sets})"
            for *values, count in self._rows(query, where.values):
                for name, value in zip(free, values, strict=True):
                    if value is not None:
                        counts[name][value] = count
        for name in set(OFFERED) - set(free):
            where = questions_of(view.without(name))
            query = f"SELECT {name}, count(*) FROM questions WHERE {where.text} GROUP BY 1"
            counts[name] = {value: count for value, count in self._rows(query, where.values) if value is not None}
        return [_facet(view, name, name, "questions", counts[name]) for name in OFFERED]

    def _run_facets(self, view: View) -> list[Facet]:
        """Runs are only judged when somebody filters by them, so others have no counts."""
        names = sorted({run for opened in self._usable() for run in self.catalog.run_names(opened.number)})
        facets = []
        for run in names:
            name = MARK + run
            counts: Mapping[str, int | None] = dict.fromkeys(_MARKS)
            if name in view.chosen:
                where = questions_of(view.without(name))
                query = (
                    "SELECT mark, count(*) FROM marks SEMI JOIN (SELECT number FROM questions WHERE {}) USING (number)"
                )
                rows = self._rows(query.format(where.text) + " WHERE run = ? GROUP BY 1", [*where.values, run])
                counts = {mark: dict(rows).get(mark, 0) for mark in _MARKS}
            values = [FacetValue(m, m, counts[m], m in view.chosen.get(name, ())) for m in _MARKS]
            facets.append(Facet(name, f"run {run}", "questions", values))
        return facets

    def _facts(self, view: View, attribute: str | None = None) -> list[tuple[Any, ...]]:
        """Attribute, value and number of scenes that have it, for all attributes or for one."""
        where = scenes_of(view)
        some = "word IN (SELECT word FROM words WHERE attribute = ?)" if attribute else "TRUE"
        query = f"""SELECT attribute, value, number FROM words JOIN (
            SELECT word, count(*) AS number FROM facts SEMI JOIN (SELECT scene FROM scenes WHERE {where.text})
            USING (scene) WHERE {some} GROUP BY word) USING (word)"""
        return self._rows(query, [*where.values, attribute] if attribute else where.values)

    def _usable(self) -> list[Opened]:
        return [opened for opened in self.catalog.datasets if opened.fault is None]

    def _attributes(self) -> dict[str, int]:
        """The attributes in the order in which the languages name them."""
        names = [n for one in self.catalog.datasets if one.language for n in one.language.vocabulary.attributes]
        return {name: place for place, name in enumerate(dict.fromkeys(names))}


def _facet(
    view: View, name: str, title: str, unit: str, counts: Mapping[str, int], labels: Mapping[str, str] | None = None
) -> Facet:
    """The most frequent values first; those that are chosen stay, even where nothing has them."""
    chosen = view.chosen.get(name, ())
    every = {**dict.fromkeys(chosen, 0), **counts}
    order = sorted(every, key=lambda value: (-every[value], value))
    return Facet(name, title, unit, [FacetValue(v, (labels or {}).get(v, v), every[v], v in chosen) for v in order])
