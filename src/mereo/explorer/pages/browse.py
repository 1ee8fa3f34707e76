"""Browse: a grid of scenes, narrowed down by search and facets; the address always tells what is shown."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from html import escape
from urllib.parse import quote

from nicegui import background_tasks, run, ui
from nicegui.events import GenericEventArguments

from mereo.errors import MereoError
from mereo.explorer import look
from mereo.explorer.address import FACT, MARK, View, scene_address
from mereo.explorer.catalog import Catalog
from mereo.explorer.search import Card, Counts, Facet, FacetValue, Search
from mereo.explorer.thumbnails import Thumbnails

__all__ = ["page"]

SIZE = 48
"""Scenes on one page: what two screens hold."""
_SHORT = 6
"""Values of a facet that are listed before somebody wants more."""


async def page(catalog: Catalog, thumbnails: Thumbnails, view: View) -> None:
    """Build the page for a view; what it shows is looked for in a thread, so that others need not wait for it."""
    _tell_faults(catalog)
    if not catalog.datasets:
        look.empty("No dataset to show", "Name some to mereo explore. Shapes and knowledge can be looked at without.")
        return
    if all(opened.fault is not None for opened in catalog.datasets):
        look.empty("No dataset to show", "None of the given folders could be opened; each says why above.")
        return
    await _Browser(catalog, thumbnails, view).build()


def _tell_faults(catalog: Catalog) -> None:
    told: list[tuple[str, str]] = []
    for opened in catalog.datasets:
        if opened.fault is not None:
            told.append((f"{opened.name} cannot be shown", opened.fault))
        else:
            told += [(f"A part of {opened.name} cannot be shown", reason) for reason in opened.damaged]
    if told:
        with ui.element("div").classes("m-stack b-faults"):
            for title, reason in told:
                look.fault(title, reason)


@dataclass
class _Found:
    """What a view shows, worked out away from the event loop."""

    counts: Counts
    cards: list[Card]
    facets: list[Facet]


@dataclass
class _Browser:
    """The page as one visitor sees it."""

    catalog: Catalog
    thumbnails: Thumbnails
    view: View
    unfolded: set[str] = field(default_factory=set)
    """Facets of which all values are listed."""

    async def build(self) -> None:
        found = await run.io_bound(self._find, self.view)
        if found is None:
            return  # the server is being stopped
        with ui.element("div").classes("b-page"):
            with ui.element("aside").classes("b-side"):
                # On a narrow screen the filters would push the scenes out of sight, so there they are folded away.
                fold = ui.element("button").classes("m-button b-fold")
                fold.on("click", js_handler="(event) => event.currentTarget.parentElement.classList.toggle('open')")
                with fold:
                    look.text("Filters")
                self.facets = ui.html("", sanitize=False).classes("b-facets")
                self.facets.on("click", self._picked, js_handler=_CLICK)
            with ui.element("section").classes("b-main"):
                self.search = ui.input(placeholder="Search in questions", value=self.view.words).classes("b-search")
                self.search.props('dense outlined clearable debounce="180" aria-label="Search in questions"')
                self.search.on_value_change(lambda event: self._go(self.view.searching(event.value or "")))
                self.summary = ui.html("", sanitize=False).classes("b-summary").props('aria-live="polite"')
                self.summary.on("click", self._picked, js_handler=_CLICK)
                self.grid = ui.html("", sanitize=False).classes("b-grid-holder")
                self.pages = (
                    ui.html("", sanitize=False, tag="nav").classes("b-pages").props('aria-label="Pages of scenes"')
                )
                self.pages.on("click", self._picked, js_handler=_CLICK)
        self._show(found)
        ui.run_javascript("window.onpopstate = () => location.reload()")

    def _find(self, view: View) -> _Found:
        search = Search(self.catalog)
        search.prepare(view)
        counts = search.counts(view)
        there = view.at(min(view.page, _pages(counts.scenes)))
        return _Found(counts, search.cards(there, size=SIZE), search.facets(view))

    async def _picked(self, event: GenericEventArguments) -> None:
        facet, value = event.args
        if facet == "more":
            self.unfolded ^= {value}
            found = await run.io_bound(self._find, self.view)
            if found is not None:
                self.facets.set_content(self._facets_html(found.facets))
        elif facet == "page":
            await self._go(self.view.at(int(value)))
            ui.run_javascript("scrollTo(0, 0)")
        elif facet == "clear":
            self.search.set_value("")
            await self._go(View())
        else:
            await self._go(self.view.toggled(facet, value))

    async def _go(self, view: View) -> None:
        if view == self.view:
            return
        self.view = view
        ui.navigate.history.push(view.address())
        try:
            found = await run.io_bound(self._find, view)
        except MereoError as error:
            ui.notify(str(error), type="negative")
            return
        if found is not None and view == self.view:
            self._show(found)

    def _show(self, found: _Found) -> None:
        self.facets.set_content(self._facets_html(found.facets))
        self.summary.set_content(self._summary_html(found.counts))
        self.grid.set_content(self._grid_html(found.cards))
        self.pages.set_content(self._pages_html(found.counts.scenes))
        background_tasks.create(run.io_bound(self._prepare, found.cards))

    def _prepare(self, cards: list[Card]) -> None:
        """Make the thumbnails of a page together, which is faster than as the browser asks for them one by one."""
        for dataset in sorted({card.dataset for card in cards}):
            with suppress(MereoError):
                self.thumbnails.prepare(dataset, [card.scene_id for card in cards if card.dataset == dataset])

    def _grid_html(self, cards: list[Card]) -> str:
        if not cards:
            return (
                '<div class="m-empty"><div class="m-title">No scene is like that</div>'
                "<div>Take away a filter, or search for other words.</div></div>"
            )
        several = len(self.catalog.datasets) > 1
        return f'<div class="b-grid">{"".join(self._card_html(card, several) for card in cards)}</div>'

    def _card_html(self, card: Card, several: bool) -> str:
        asks = self.view.asks and card.question_id is not None
        if asks:
            target = scene_address("reasoning", card.dataset, card.scene_id, question=str(card.question_id))
            more = f" · {card.questions:,} questions" if card.questions > 1 else ""
            words = f'<div class="b-question">{escape(str(card.question))}</div>'
            small = f"<b>{escape(str(card.answer))}</b>{more}"
        else:
            target = scene_address("scene", card.dataset, card.scene_id)
            words = ""
            small = f"{card.objects} objects · {card.questions:,} questions"
        name = f"{escape(self.catalog.datasets[card.dataset].name)} / " if several else ""
        picture = f"/thumbnail/{card.dataset}/{quote(card.scene_id, safe='')}"
        return (
            f'<a class="b-card" href="{target}"><img src="{picture}" loading="lazy" alt="">'
            f'<div class="b-text"><div class="b-id">{name}{escape(card.scene_id)}</div>{words}'
            f'<div class="m-small">{small}</div></div></a>'
        )

    def _summary_html(self, counts: Counts) -> str:
        chips = [
            f'<a class="b-chip" href="{escape(self.view.toggled(name, value).address())}" data-facet="{escape(name)}" '
            f'data-value="{escape(value)}" title="Take away">{escape(self._title(name))} '
            f"<b>{escape(self._label(name, value))}</b> ×</a>"
            for name, values in self.view.chosen.items()
            for value in values
        ]
        if self.view.chosen or self.view.words:
            chips.append('<a class="b-clear" href="/" data-facet="clear" data-value="">Clear all</a>')
        told = f"<b>{counts.scenes:,}</b> scenes · <b>{counts.questions:,}</b> questions"
        return f'<span class="b-counts">{told}</span>{"".join(chips)}'

    def _facets_html(self, facets: list[Facet]) -> str:
        return "".join(self._facet_html(facet) for facet in facets)

    def _facet_html(self, facet: Facet) -> str:
        whole = facet.name in self.unfolded or len(facet.values) <= _SHORT + 1
        shown = [v for place, v in enumerate(facet.values) if whole or place < _SHORT or v.chosen]
        lines = "".join(self._value_html(facet.name, value) for value in shown)
        if len(facet.values) > _SHORT + 1:
            said = "fewer" if whole else f"{len(facet.values) - len(shown)} more"
            lines += f'<a class="b-more" href="#" data-facet="more" data-value="{escape(facet.name)}">{said}</a>'
        return f'<div class="b-facet"><h2 class="m-label" title="{facet.unit}">{escape(facet.title)}</h2>{lines}</div>'

    def _value_html(self, name: str, value: FacetValue) -> str:
        address = escape(self.view.toggled(name, value.value).address())
        count = "" if value.count is None else f"{value.count:,}"
        on = ' class="on" aria-current="true"' if value.chosen else ""
        return (
            f'<a href="{address}" data-facet="{escape(name)}" data-value="{escape(value.value)}"{on}>'
            f'<span title="{escape(value.label)}">{escape(value.label) or "–"}</span><i>{count}</i></a>'
        )

    def _pages_html(self, scenes: int) -> str:
        last = _pages(scenes)
        if last == 1:
            return ""
        here = min(self.view.page, last)
        near = sorted({1, last, *range(max(1, here - 1), min(last, here + 1) + 1)})
        parts, before = [], 0
        for number in near:
            parts += ['<span class="m-small">…</span>'] if number > before + 1 else []
            on = ' on" aria-current="page' if number == here else ""
            parts.append(
                f'<a class="m-button{on}" href="{escape(self.view.at(number).address())}" data-facet="page" '
                f'data-value="{number}">{number:,}</a>'
            )
            before = number
        return "".join(parts)

    def _title(self, name: str) -> str:
        return f"run {name.removeprefix(MARK)}" if name.startswith(MARK) else name.removeprefix(FACT)

    def _label(self, name: str, value: str) -> str:
        known = {str(opened.number): opened.name for opened in self.catalog.datasets}
        return known.get(value, value) if name == "dataset" else value


def _pages(scenes: int) -> int:
    return max(1, -(-scenes // SIZE))


_CLICK = """(event) => {
  const link = event.target.closest('[data-facet]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  emit(link.dataset.facet, link.dataset.value);
}"""
"""Links that change the view are followed without loading the page again, unless a new tab is wanted."""
