"""Where a run looked, as a strip of small pictures, one a step; the one that is picked lies over the large picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments

from mereo.datasets.sights import Looks
from mereo.explorer import look
from mereo.explorer.canvas import Canvas

__all__ = ["Strip"]

_WORDS = 3
"""Words that are told of a step."""
_NARROW = 2.0
"""How much more than its even share a place or a word must have to be told."""


class Strip:
    """A card that can be picked from."""

    def __init__(self, looks: Looks, stage: Canvas, base: str, laid: Sequence[str], *, moved: Callable[[int], None]):
        """base : the address of the picture; laid : of what lies over it in each step; moved : called with a step"""
        self.looks, self.stage, self.base, self.laid, self.moved = looks, stage, base, laid, moved
        with ui.element("div").classes("m-card l-looks"):
            look.text("Where it looked, step by step", kind="m-label")
            self.shown = ui.html(self._content(None), sanitize=False).classes("l-strip")
        self.shown.on("click", self._picked, js_handler=_STEP)

    def show(self, step: int | None) -> None:
        """Lay a step over the picture, else the last."""
        last = len(self.laid) - 1
        at = last if step is None else min(max(step, 0), last)
        self.stage.lay(self.laid[at])
        self.shown.set_content(self._content(at))

    def _picked(self, event: GenericEventArguments) -> None:
        self.show(int(event.args))
        self.moved(int(event.args))

    def _content(self, at: int | None) -> str:
        lines = []
        for step, address in enumerate(self.laid):
            on = ' aria-pressed="true" class="on"' if step == at else ""
            lines.append(
                f'<button data-look="{step}"{on} title="{self.looks.most[step]:.0%} of its look lies on one place">'
                f'<span><img src="{self.base}" alt=""><img src="{address}" alt=""></span>'
                f"<b>{step + 1}</b> <small>{escape(told(self.looks, step))}</small></button>"
            )
        return "".join(lines)


def told(looks: Looks, step: int) -> str:
    """The words that a step chose, and whether its look was hardly narrower than none."""
    narrow, nowhere = looks.most[step] * looks.maps[step].size > _NARROW, not looks.maps[step].any()
    even = ["looks nowhere"] if nowhere else [] if narrow else ["looks everywhere"]
    return " · ".join([*([", ".join(words)] if (words := _read(looks, step)) else []), *even])


def _read(looks: Looks, step: int) -> list[str]:
    """Those that have twice as much as if all had alike, the first ones first."""
    if looks.read is None:
        return []
    shares = dict.fromkeys(looks.words, 0)
    for word, share in zip(looks.words, looks.read[step].tolist(), strict=True):
        shares[word] = max(share, shares[word])
    chosen = [word for word, share in shares.items() if share * len(looks.words) > _NARROW * 255]
    return sorted(chosen, key=lambda word: -shares[word])[:_WORDS]


_STEP = "(event) => { const step = event.target.closest('[data-look]'); if (step) emit(step.dataset.look); }"
