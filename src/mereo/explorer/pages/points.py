"""3D of a cloud of points: what is true of them, what a run said, and where the two differ, at every task and level."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from mereo.datasets.point_views import PointView, Telling
from mereo.errors import MereoError
from mereo.evaluation.point_colors import ERRORS, SAID, TRUTH, painted
from mereo.explorer import look
from mereo.explorer.catalog import Catalog
from mereo.explorer.legend import legend_html
from mereo.explorer.meshes import points_address
from mereo.explorer.pages.views import dress
from mereo.explorer.pieces import Dots
from mereo.explorer.place import Place

__all__ = ["page"]

_CHOSEN = ("task", "level", "run", "show")


def page(catalog: Catalog, dataset: int, row: Mapping[str, Any], cloud: PointView, query: Mapping[str, str]) -> None:
    """Build the page. query : `task`, `level`, `run` and `show` (`truth`, `run` or `errors`), those to begin with"""
    dress()
    if not cloud.tellings:
        look.empty("Nothing is told of these points", "No part of this shape has a label that a task tells apart.")
        return
    place = Place("space", dataset, row["scene_id"], {name: query[name] for name in _CHOSEN if query.get(name)})
    shown = _Shown(catalog, dataset, row, cloud, place)
    with ui.element("div").classes("c-page"):
        with ui.element("section").classes("m-stack"):
            with ui.element("div").classes("m-row p-choice"):
                shown.tasks()
            with ui.element("div").classes("v-frame"):
                shown.view = Dots(points_address(dataset, row["scene_id"]), count=len(cloud.points))
                shown.view.look_at_box(cloud.points.min(0).tolist(), cloud.points.max(0).tolist())
            with ui.element("div").classes("m-row v-controls"):
                shown.sides()
                look.text("Drag to turn, scroll to zoom, click a name to see it alone.", kind="m-small v-home")
        with ui.element("aside").classes("m-stack"):
            shown.told = ui.html("", sanitize=False).classes("m-card v-picked").props('aria-live="polite"')
            shown.runs()
            with ui.element("div").classes("m-card c-side v-tree"):
                shown.legend = ui.html("", sanitize=False).classes("c-tree")
                shown.legend.on("click", shown.light, js_handler=_LINE)
    shown.show()


_LINE = (
    "(event) => { const line = event.target.closest('[data-number]'); if (line) emit(Number(line.dataset.number)); }"
)
_VALUE = "(event) => emit(Number(event.target.value))"


class _Shown:
    """What is chosen on the page: a task and a level, a run, and which side of it is painted."""

    view: Dots
    told: ui.html
    legend: ui.html
    slider: ui.html
    level: ui.html

    def __init__(self, catalog: Catalog, dataset: int, row: Mapping[str, Any], cloud: PointView, place: Place):
        self.catalog, self.dataset, self.row, self.place = catalog, dataset, row, place
        self.kinds = cloud.kinds
        self.asked = {one["subtype"]: one["question_id"] for one in catalog.questions(dataset, row["scene_id"])}
        self.names = [run.name for run in catalog.runs(dataset) if run.fault is None]
        self.buttons: dict[tuple[str, str], ui.element] = {}
        self.lit: int | None = None
        self.slid = ""
        """The task whose levels the slider has."""

    @property
    def kind(self) -> str:
        """The task."""
        wanted = self.place.query.get("task", "")
        return wanted if wanted in self.kinds else next(iter(self.kinds))

    @property
    def truth(self) -> Telling:
        """What is true at the level; where there is no such level, at the one nearest to it."""
        wanted = self.place.query.get("level", "")
        level = int(wanted) if wanted.isdecimal() and len(wanted) < 4 else 1
        return min(self.kinds[self.kind], key=lambda one: abs(one.level - level))

    @property
    def run(self) -> str:
        """The run that is held against the truth, if any."""
        wanted = self.place.query.get("run", "")
        return wanted if wanted in self.names else ""

    @property
    def side(self) -> str:
        """What is painted."""
        wanted = self.place.query.get("show", SAID)
        return (wanted if wanted in (TRUTH, ERRORS) else SAID) if self.run else TRUTH

    def tasks(self) -> None:
        """A button for each task, and a slider for its levels."""
        with ui.element("div").classes("m-row").props('role="group" aria-label="Tasks"'):
            for kind in self.kinds:
                self._button("task", kind, kind)
        self.slider = ui.html("", sanitize=False).classes("m-row p-level")
        self.slider.on("input", self.slide, js_handler=_VALUE)
        self.level = look.text("", kind="m-small")

    def sides(self) -> None:
        """Buttons for the truth, what the run said, and where it errs."""
        with ui.element("div").classes("m-row").props('role="group" aria-label="What is shown"'):
            for side, label in ((TRUTH, "truth"), (SAID, "prediction"), (ERRORS, "errors")):
                self._button("show", side, label)

    def runs(self) -> None:
        """A button for each run beside the dataset."""
        if self.names:
            with ui.element("div").classes("m-card m-stack p-runs"):
                look.text("Runs", kind="m-label")
                with ui.element("div").classes("m-row").props('role="group" aria-label="Runs"'):
                    for name in self.names:
                        self._button("run", name, name)

    def _button(self, what: str, value: str, label: str) -> None:
        button = ui.element("button").classes("m-button").props(f'data-choice="{what}"')
        button._props["data-value"] = value
        button.on("click", lambda: self.choose(what, value))
        with button:
            look.text(label)
        self.buttons[what, value] = button

    def choose(self, what: str, value: str) -> None:
        """Show something else; the run that is shown already is taken away."""
        if what == "run" and value == self.run:
            value = ""
        self.lit = None
        self.place.change(what, value)
        self.show()

    def slide(self, event: GenericEventArguments) -> None:
        """Show the level that the slider stands at."""
        levels = self.kinds[self.kind]
        if isinstance(event.args, int) and 0 <= event.args < len(levels):
            self.choose("level", str(levels[event.args].level))

    def light(self, event: GenericEventArguments) -> None:
        """Show one name alone, or all again."""
        self.lit = event.args if isinstance(event.args, int) and event.args != self.lit else None
        self.show()

    def show(self) -> None:
        """Bring everything up to what is chosen."""
        truth = self.truth
        said, reason = self._said(truth)
        side = self.side if said is not None else TRUTH
        chosen = {"task": self.kind, "run": self.run, "show": side}
        for (what, value), button in self.buttons.items():
            on = chosen[what] == value
            button.classes(add="on" if on else "", remove="" if on else "on").props(f"aria-pressed={str(on).lower()}")
            if what == "show":
                button.set_visibility(said is not None)
        self._level(truth)
        self.view.paint(*painted(truth, said, side=side))
        self.view.light_number(None if side == ERRORS else self.lit)
        self._tell(truth, said, reason)
        self.legend.set_content(legend_html(truth, said, side=side, lit=self.lit))

    def _said(self, truth: Telling) -> tuple[Telling | None, str]:
        """What the run says, or why it says nothing."""
        if not self.run:
            return None, ""
        try:
            question = self.asked.get(truth.asked, "")
            given = self.catalog.prediction(self.dataset, self.run, question) if question else None
            if given is None or given.masks is None:
                return None, f"{self.run} was not asked, or said nothing of it."
            return self.catalog.inspector(self.dataset).told(self.row, truth, given), ""
        except MereoError as error:
            return None, f"What {self.run} said cannot be shown: {error}"

    def _level(self, truth: Telling) -> None:
        """The slider; it stays the same element while one slides, so that it is not let go."""
        levels = [one.level for one in self.kinds[self.kind]]
        if self.slid != self.kind:
            self.slid = self.kind
            self.slider.set_content(
                f'<input class="v-range" type="range" min="0" max="{len(levels) - 1}" step="1" aria-label="Level" '
                f'value="{levels.index(truth.level)}"{"" if len(levels) > 1 else " disabled"}>'
            )
        self.level.set_content(f"level {truth.level} of {levels[-1]}")

    def _tell(self, truth: Telling, said: Telling | None, reason: str) -> None:
        named = int((truth.numbers > 0).sum())
        count = len(set(truth.numbers[truth.numbers > 0].tolist()))
        title = f"{count} part{'' if count == 1 else 's'}"
        detail = reason or f"on {named:,} of {len(truth.numbers):,} points"
        if said is not None:
            wrong = int(truth.wrong(said).sum())
            title = f"{1 - wrong / max(named, 1):.1%} of points are right"
            detail = f"{wrong:,} of {named:,} are told otherwise by {self.run}"
        self.told.set_content(f"<b>{escape(title)}</b><span>{escape(detail)}</span>")
