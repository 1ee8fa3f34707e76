"""Views as addresses: what is filtered by stands in the query of the URL, so that every view can be shared.

?split=val&type=count&has.color=red&run.oracle=wrong&words=cube&page=2
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import parse_qsl, quote, urlencode

from mereo.errors import BadInput

__all__ = ["FACT", "MARK", "MOST_FACETS", "QUESTION_FACETS", "SCENE_FACETS", "View", "scene_address"]

SCENE_FACETS = ("dataset", "benchmark", "split")
QUESTION_FACETS = ("type", "subtype", "template", "answer", "function", "length", "uses")
FACT, MARK = "has.", "run."
"""What filters by the content of scenes (`has.color`) and by the marks of a run (`run.NAME`) begin with."""

MOST_FACETS = 12
"""How many facets a view may be narrowed down by: the more, the longer it takes to say what else there is."""
_MOST_VALUES = 100
_LONGEST = 200
"""Characters of a search that are looked at."""


@dataclass(frozen=True)
class View:
    """What of the datasets is looked at: for each facet the values that are wanted, one of which must hold."""

    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    words: str = ""
    """What questions must hold, in whatever case."""
    page: int = 1

    @staticmethod
    def of_query(query: str | Iterable[tuple[str, str]]) -> View:
        """The view that a query tells of; whatever is no facet is passed over."""
        chosen: dict[str, tuple[str, ...]] = {}
        words, page = "", 1
        for name, value in parse_qsl(query) if isinstance(query, str) else query:
            if name == "words":
                words = value[:_LONGEST]
            elif name == "page":
                page = max(1, int(value)) if value.isdecimal() and len(value) < 9 else 1
            elif _is_facet(name) and value not in chosen.get(name, ()):
                chosen[name] = (*chosen.get(name, ()), value)
        return View(chosen, words, page)

    def query(self) -> str:
        """The query that tells of this view; empty for everything."""
        pairs = [(name, value) for name in sorted(self.chosen) for value in self.chosen[name]]
        pairs += [("words", self.words)] if self.words else []
        pairs += [("page", str(self.page))] if self.page > 1 else []
        return urlencode(pairs, quote_via=quote)

    def address(self) -> str:
        """Where the browser finds this view."""
        query = self.query()
        return f"/?{query}" if query else "/"

    def toggled(self, facet: str, value: str) -> View:
        """The view with a value wanted, or no longer wanted."""
        now = self.chosen.get(facet, ())
        then = tuple(one for one in now if one != value) if value in now else (*now, value)
        chosen = {name: values for name, values in {**self.chosen, facet: then}.items() if values}
        return View(chosen, self.words)

    def searching(self, words: str) -> View:
        """The view with other words to look for."""
        return View(self.chosen, words.strip()[:_LONGEST])

    def at(self, page: int) -> View:
        """Another page of the same view."""
        return replace(self, page=page)

    def without(self, facet: str) -> View:
        """The view as if nothing were chosen in a facet."""
        return replace(self, chosen={name: values for name, values in self.chosen.items() if name != facet})

    def check(self) -> None:
        """Complain of a view that nobody would choose by hand, and that would take long to show."""
        if len(self.chosen) > MOST_FACETS:
            raise BadInput(f"a view can be narrowed down by {MOST_FACETS} things at once, not by {len(self.chosen)}")
        if sum(map(len, self.chosen.values())) > _MOST_VALUES:
            raise BadInput(f"a view can be narrowed down to {_MOST_VALUES} values at once, not to more")

    @property
    def asks(self) -> bool:
        """Whether it is about questions, and not only about scenes."""
        return bool(self.words) or any(name in QUESTION_FACETS or name.startswith(MARK) for name in self.chosen)


def scene_address(kind: str, dataset: int, scene_id: str, **query: str | int) -> str:
    """Where a page about one scene is: `scene`, `reasoning`, `ask` or `space`."""
    told = urlencode(query, quote_via=quote)
    return f"/{kind}/{dataset}/{quote(scene_id, safe='')}" + (f"?{told}" if told else "")


def _is_facet(name: str) -> bool:
    if name in SCENE_FACETS or name in QUESTION_FACETS:
        return True
    return any(name.startswith(start) and len(name) > len(start) for start in (FACT, MARK))
