"""Where a program is typed, or put together by clicking: what fits at the cursor, and what is wrong where."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from mereo.explorer import look
from mereo.explorer.complete import Option, applicable, complete, fault_in
from mereo.programs import Language, parse_program

__all__ = ["Editor"]

_LONGEST = 2_000
_SHOWN = 48
"""Offers that are shown at once."""

_TYPED = "(event) => emit({text: event.target.value, cursor: event.target.selectionStart})"
_KEYS = """(event) => {
  const told = {text: event.target.value, cursor: event.target.selectionStart};
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault(); emit({...told, key: 'run'});
  }
  if (event.key === 'Tab' && !event.shiftKey && event.target.dataset.offers) {
    event.preventDefault(); emit({...told, key: 'take'});
  }
}"""


class Editor:
    """A program being written."""

    def __init__(self, language: Language, *, run: Callable[[str], None]):
        self.language, self.run = language, run
        self.text, self.cursor = "", 0
        self.offers: Sequence[Option] = ()
        self.replaced = (0, 0)
        with ui.element("div").classes("e-box"):
            self.mirror = ui.html("", sanitize=False).classes("e-mirror m-mono").props('aria-hidden="true"')
            self.area = (
                ui.element("textarea")
                .classes("e-area m-mono")
                .props(
                    'rows="4" spellcheck="false" autocapitalize="off" autocomplete="off" aria-label="A program" '
                    'placeholder="scene()"'
                )
            )
        for event in ("input", "keyup", "click"):
            self.area.on(event, self._typed, js_handler=_TYPED, throttle=0.05)
        self.area.on("keydown", self._key, js_handler=_KEYS)
        self.reason = ui.html("", sanitize=False).classes("e-reason").props('role="status"')
        with ui.element("div").classes("m-row"):
            self._button("Run", "run", lambda: self.run(self.text)).props('title="Ctrl+Enter"').classes("a-go")
            self._button("Clear", "clear", lambda: self.put(""))
        self.title = look.text("", kind="m-small")
        self.chips = ui.element("div").classes("e-chips").props('role="group" aria-label="What fits"')
        self._look()

    def put(self, text: str, cursor: int | None = None) -> None:
        """Write a text, with the cursor at its end unless it says otherwise."""
        self.text = text[:_LONGEST]
        self.cursor = len(self.text) if cursor is None else cursor
        ui.run_javascript(
            f"""const area = getHtmlElement({self.area.id});
            area.value = {json.dumps(self.text)};
            if (area === document.activeElement || {json.dumps(cursor is not None)}) area.focus();
            area.setSelectionRange({self.cursor}, {self.cursor});"""
        )
        self._look()

    def take(self, option: Option) -> None:
        """Write what was offered."""
        start, end = self.replaced
        text = self.text[:start] + option.text + self.text[end:]
        whole = fault_in(text, self.language) is None
        self.put(text, len(text) if whole else start + option.cursor)

    def _typed(self, event: GenericEventArguments) -> None:
        text, cursor = _told(event.args)
        if (text, cursor) != (self.text, self.cursor):
            self.text, self.cursor = text, cursor
            self._look()

    def _key(self, event: GenericEventArguments) -> None:
        self.text, self.cursor = _told(event.args)
        if event.args.get("key") == "run":
            self.run(self.text)
            return
        self._look()  # what was offered before may be of an older text
        if self.offers:
            self.take(self.offers[0])

    def _look(self) -> None:
        """See what is wrong, and what could come next."""
        fault = fault_in(self.text, self.language) if self.text.strip() else None
        unfinished = fault is not None and fault.column >= len(self.text.rstrip())
        if fault is None or unfinished:
            self.mirror.set_content(escape(self.text))
        else:
            end = fault.column + max(fault.length, 1)
            bad = f"<u>{escape(self.text[fault.column : end])}</u>"
            self.mirror.set_content(escape(self.text[: fault.column]) + bad + escape(self.text[end:]))
        if fault is None:
            self.reason.set_content("")
        elif unfinished:
            self.reason.set_content("<i>not finished yet</i>")
        else:
            self.reason.set_content(f"<b>column {fault.column + 1}</b> {escape(fault.reason)}")
        self._offer(whole=fault is None and bool(self.text.strip()))

    def _offer(self, *, whole: bool) -> None:
        if whole:
            title, self.replaced = "Apply to the result", (0, len(self.text))
            self.offers = applicable(parse_program(self.text), self.text, self.language)
        else:
            found = complete(self.text, self.cursor, self.language)
            title, self.replaced = f"Here fits {found.wanted}", (found.start, found.end)
            self.offers = found.options
            if not self.text.strip():
                functions = self.language.functions
                title, self.offers = (
                    "Begin with",
                    [option for option in self.offers if not functions[option.label].inputs],
                )
        self.title.set_content(escape(title) if self.offers else "")
        typing = not whole and self.replaced[1] > self.replaced[0]
        self.area.props('data-offers="yes"' if typing and self.offers else "", remove="" if typing else "data-offers")
        self.chips.clear()
        with self.chips:
            for option in self.offers[:_SHOWN]:
                chip = ui.element("button").classes("e-chip m-mono").props('type="button"')
                chip._props |= {"title": option.about, "data-offer": option.label}
                chip.on("click", lambda _, option=option: self.take(option))
                with chip:
                    look.text(option.label, tag="span")

    def _button(self, label: str, action: str, act: Callable[[], None]) -> ui.element:
        button = ui.element("button").classes("m-button").props(f'type="button" data-action="{action}"')
        button.on("click", act)
        with button:
            look.text(label)
        return button


def _told(args: Any) -> tuple[str, int]:
    """Text and cursor as the browser tells them."""
    text = str(args.get("text", ""))[:_LONGEST]
    cursor = args.get("cursor")
    return text, min(cursor, len(text)) if isinstance(cursor, int) and cursor >= 0 else len(text)
