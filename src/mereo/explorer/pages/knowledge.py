"""Knowledge: looking things up in what is known, and going on from one to the next."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from html import escape

from nicegui import run, ui

from mereo.errors import MissingExtra
from mereo.explorer import look
from mereo.explorer.catalog import Catalog
from mereo.explorer.knowing import About, about, draw_neighborhood, knowledge_address, listed_html, name_link
from mereo.explorer.pages.views import dress
from mereo.knowledge import Knowledge, normalized, parsed

__all__ = ["page"]

_FOUND = 40
"""Names that a search lists."""
_LONGEST = 200
"""Letters of a search that are looked at."""


async def page(catalog: Catalog, query: Mapping[str, str]) -> None:
    """Build the page. query : `of`, whose knowledge, `name`, what is looked up, and `words`, what is searched for"""
    dress()
    titles = await run.io_bound(catalog.bases.titles)
    if titles is None:
        return  # the server is being stopped
    of = query.get("of") or next(iter(titles))
    name, words = (normalized(query.get(key, "")[:_LONGEST]) for key in ("name", "words"))
    look.text("Knowledge", kind="m-title", tag="h1")
    _choice(titles, of, name)
    knowledge = catalog.bases.knowledge(of)
    with ui.element("div").classes("k-page"):
        with ui.element("aside").classes("m-stack"):
            search = _Search(knowledge, of, name)
            await search.build(words)
        with ui.element("section").classes("m-stack"):
            if name:
                await _one(knowledge, name, of)
            else:
                look.empty("Look something up", "Type a thing or a part of a phrase, or take one from the list.")


def _choice(titles: Mapping[str, str], of: str, name: str) -> None:
    """Whose knowledge it is, where there is more than one."""
    if len(titles) < 2:
        return
    links = "".join(
        f'<a class="m-button{" on" if key == of else ""}" href="{escape(knowledge_address(key, name=name))}">'
        f"{escape(title)}</a>"
        for key, title in titles.items()
    )
    ui.html(links, sanitize=False, tag="nav").classes("m-row k-choice").props('aria-label="Whose knowledge"')


class _Search:
    """Where one types, and the names that are found."""

    def __init__(self, knowledge: Knowledge, of: str, name: str):
        self.knowledge, self.of, self.name = knowledge, of, name
        self.first = ""

    async def build(self, words: str) -> None:
        label = f"Search in {len(self.knowledge):,} items"
        typed = ui.input(placeholder=label, value=words).classes("b-search")
        typed.props(f'dense outlined clearable debounce="120" aria-label="{label}"')
        typed.on_value_change(lambda event: self.find(event.value or ""))
        typed.on("keydown.enter", self._open)
        self.found = ui.html("", sanitize=False).classes("m-card k-found").props('aria-live="polite"')
        await self._show(words)

    async def find(self, typed: str) -> None:
        """List the names that hold what was typed."""
        words = normalized(typed[:_LONGEST])
        await self._show(words)
        ui.navigate.history.replace(knowledge_address(self.of, name=self.name, words=words))

    async def _show(self, words: str) -> None:
        found = await run.io_bound(lambda: self.knowledge.named(words, most=_FOUND))
        if found is None:
            return  # the server is being stopped
        self.first = found[0][0] if found else ""
        lines = "".join(
            f'<a href="{escape(knowledge_address(self.of, name=name, words=words))}"'
            f"{' class=on' if name == self.name else ''}><span>{escape(name)}</span><i>{count:,}</i></a>"
            for name, count in found
        )
        title = "Most is said of" if not words else f"{len(found)}{'+' if len(found) == _FOUND else ''} names"
        self.found.set_content(f'<h2 class="m-label">{title}</h2>{lines or "<p>Nothing is called so.</p>"}')

    def _open(self) -> None:
        if self.first:
            ui.navigate.to(knowledge_address(self.of, name=self.first))


async def _one(knowledge: Knowledge, name: str, of: str) -> None:
    """All that is said of one name."""
    found = await run.io_bound(about, knowledge, name)
    things = await run.io_bound(_things, name)
    if found is None or things is None:
        return
    items = len(found.of) + len(found.by)
    if not items:
        look.empty(f"Nothing is said of '{name}'", "Look for a part of it in the list.")
        return
    _title(found, items, things, of)
    ui.html(draw_neighborhood(found, of), sanitize=False).classes("m-card k-drawn")
    ui.html(listed_html(found, of), sanitize=False).classes("m-card k-listed")


def _title(found: About, items: int, things: tuple[str, ...], of: str) -> None:
    told = f"{items:,} item{'s' if items > 1 else ''}"
    if things:
        told += f" · speaks of {', '.join(name_link(thing, of) for thing in things)}"
    ui.html(f'<h2 class="k-title">{escape(found.name)}</h2><div class="m-sub">{told}</div>', sanitize=False)


def _things(name: str) -> tuple[str, ...]:
    """The things that a phrase speaks of, as far as there is somebody to read it."""
    with suppress(MissingExtra):
        graph = parsed(name) if " " in name else None
        return tuple(thing for thing in dict.fromkeys(graph.things) if thing != name) if graph else ()
    return ()
