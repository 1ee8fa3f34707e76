"""How every page looks: one style sheet, dark or light, and the few pieces that all pages are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from pathlib import Path

from nicegui import ui

from mereo.explorer.address import scene_address

__all__ = ["SCENE_TABS", "dress", "empty", "fault", "frame", "scene_header", "text"]

_STYLE = Path(__file__).with_name("look.css")

_NAVIGATION = (("Browse", "/"), ("Runs", "/runs"), ("Shapes", "/shapes"), ("Knowledge", "/knowledge"))
SCENE_TABS = (("Picture", "scene"), ("Reasoning", "reasoning"), ("Ask", "ask"), ("3D", "space"))

DARK = "mereo-dark"
"""The cookie that remembers whether a person wants it dark; without it the browser's wish counts."""

# Two drawn signs: the icon font of the framework is 400 kB, which would be most of what a page weighs.
_HALF_MOON = (
    '<svg width="18" height="18" viewBox="0 0 18 18" fill="none" stroke="currentColor" stroke-width="1.6">'
    '<circle cx="9" cy="9" r="6.4"/><path d="M9 2.6a6.4 6.4 0 0 1 0 12.8z" fill="currentColor" stroke="none"/></svg>'
)


def dress() -> None:
    """Give all pages the style sheet; called once, before the server starts."""
    ui.add_css(_STYLE.read_text(), shared=True)


@contextmanager
def frame(active: str, *, title: str = "mereo") -> Iterator[None]:
    """A page with the header above it. active : the address in the navigation that it belongs to"""
    ui.page_title(title if title == "mereo" else f"{title} · mereo")
    dark = ui.dark_mode(_wanted_dark())
    with ui.element("header").classes("m-head"):
        ui.html('<a class="m-name" href="/">mereo</a>', sanitize=False)
        links = "".join(f'<a href="{address}"{_on(address == active)}>{name}</a>' for name, address in _NAVIGATION)
        ui.html(links, sanitize=False, tag="nav").props('aria-label="Pages"')
        switch = ui.element("button").classes("m-icon").props('aria-label="Dark or light" title="Dark or light"')
        with switch:
            ui.html(_HALF_MOON, sanitize=False)
        # The browser alone knows what it shows while nobody has chosen.
        shown = "document.body.classList.contains('body--dark')"
        remember = f"document.cookie = '{DARK}=' + (dark ? 0 : 1) + '; path=/; max-age=31536000; samesite=strict'"
        switch.on(
            "click",
            lambda event: dark.set_value(not event.args),
            js_handler=f"() => {{ const dark = {shown}; {remember}; emit(dark); }}",
        )
    with ui.element("main").classes("m-main"):
        yield


def scene_header(active: str, dataset: int, name: str, scene_id: str, *, around: Sequence[str | None] = ()) -> None:
    """Where one is, the tabs of a scene, and the scenes before and after it."""
    ui.html(
        f'<a href="/?dataset={dataset}">{escape(name)}</a><span>/</span><h1 class="m-title">{escape(scene_id)}</h1>',
        sanitize=False,
    ).classes("m-crumbs")
    tabs = [
        f'<a href="{scene_address(kind, dataset, scene_id)}"{_on(kind == active)}>{label}</a>'
        for label, kind in SCENE_TABS
    ]
    beside = [
        f'<a href="{scene_address(active, dataset, other)}" title="{escape(other)}">{label}</a>'
        for label, other in zip(("← previous", "next →"), around, strict=False)
        if other is not None
    ]
    ui.html("".join(tabs) + f'<span class="m-apart">{"".join(beside)}</span>', sanitize=False, tag="nav").classes(
        "m-tabs"
    ).props('aria-label="Views of the scene"')


def text(words: str, *, kind: str = "", tag: str = "div") -> ui.html:
    """Some words, which are shown as they are."""
    return ui.html(escape(words), sanitize=False, tag=tag).classes(kind)


def fault(title: str, reason: str) -> None:
    """What is wrong, as a person is told."""
    ui.html(f"<b>{escape(title)}</b><br>{escape(reason)}", sanitize=False).classes("m-fault").props('role="alert"')


def empty(title: str, hint: str, *, back: bool = False) -> None:
    """What is shown where there is nothing to show. back : with a way to where there is something"""
    way = '<a class="m-button" href="/">Browse the datasets</a>' if back else ""
    ui.html(f'<div class="m-title">{escape(title)}</div><div>{escape(hint)}</div>{way}', sanitize=False).classes(
        "m-empty"
    )


def _on(active: bool) -> str:
    return ' class="on" aria-current="page"' if active else ""


def _wanted_dark() -> bool | None:
    request = ui.context.client.request
    wish = request.cookies.get(DARK)
    return None if wish is None else wish == "1"
