"""What a run saw of a scene and made of a question, piece by piece, to stand beside the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from nicegui import ui

from mereo.datasets.sights import Looks, SeenScene, Sights
from mereo.errors import MereoError
from mereo.evaluation.understood import Ran, Understood, marks_of, same_things, understood
from mereo.explorer import look
from mereo.explorer.address import scene_address
from mereo.explorer.canvas import SEEN, Canvas, Sighted
from mereo.explorer.cards import numbered
from mereo.explorer.catalog import Catalog
from mereo.explorer.pictures import picture_address
from mereo.explorer.place import Place
from mereo.explorer.sight_pictures import look_address, sight_address, sight_layers
from mereo.explorer.steps import Fault, Steps, named, short_value
from mereo.explorer.strip import Strip
from mereo.explorer.tree import tree_html
from mereo.programs import format_step

__all__ = ["Beside"]

_LONGEST = 600
"""Letters of what it said that are shown."""
_NAMED = 3
"""Things that are named before the rest is only counted."""


class Beside:
    """One run and one question."""

    def __init__(self, catalog: Catalog, dataset: int, row: Mapping[str, Any], chosen: Mapping[str, Any], run: str):
        self.catalog, self.dataset, self.row, self.chosen, self.run = catalog, dataset, row, chosen, run
        self.eye, self.world = catalog.inspector(dataset), catalog.world(dataset, row)
        self.given = catalog.prediction(dataset, run, chosen["question_id"])
        self.sights: Sights | None = None
        self.looks: Looks | None = None
        self.seen: SeenScene | None = None
        self.fault = ""
        """What is wrong with what was kept of its sight; its program can be shown all the same."""
        try:
            self._read_sights()
        except MereoError as error:
            self.fault = str(error)
        self.same = self._same()
        self.stage: Canvas | None = None

    def _read_sights(self) -> None:
        self.sights = self.catalog.sights(self.dataset, self.run)
        if self.sights is not None:
            self.looks = self.sights.looks(self.chosen["question_id"])
            self.seen = self.sights.seen(self.row["scene_id"]) if self.row.get("image") else None

    def _same(self) -> dict[int, int]:
        """For what it saw, what that is."""
        return same_things(self.seen, self.world, self.eye.masks(self.row, self.world)) if self.seen else {}

    def layers(self) -> list[str]:
        """What can be laid over its picture."""
        return sight_layers(self.seen) if self.seen else []

    def lay(self, layer: str) -> None:
        """Lay a layer of what it saw over its picture, or none."""
        if self.stage is not None and self.seen is not None:
            address = sight_address(self.dataset, self.run, layer, self.row["scene_id"])
            self.stage.lay(address if layer in self.layers() else "")

    def picture(self) -> None:
        """Its picture, in which what it saw can be pointed at; or why there is none."""
        if self.seen is not None:
            ids = sight_address(self.dataset, self.run, "ids", self.row["scene_id"])
            self.stage = Canvas(self.catalog, self.dataset, self.row, seen=Sighted(self.seen, ids))
        elif self.looks is not None:
            self.stage = Canvas(self.catalog, self.dataset, self.row)
        elif not self.fault:
            with ui.element("div").classes("m-card"):
                look.text("What it saw", kind="m-label")
                kept = "was not kept of this question" if self.sights else "was not kept: “mereo predict” keeps it"
                look.text(f"What {self.run} saw {kept}.", kind="m-sub")
        if self.fault:
            look.fault("What it saw cannot be shown", self.fault)

    def said(self) -> None:
        """What it said besides its answer: that it guessed, or the words of a model that talks."""
        raw = (self.given.raw if self.given else None) or ""
        if raw:
            with ui.element("div").classes("m-card"):
                look.text("What it said", kind="m-label")
                look.text(raw if len(raw) <= _LONGEST else f"{raw[:_LONGEST]} …", kind="m-sub")

    def understood(self) -> Understood | None:
        """Its program held against the true one; None where it told none."""
        line, language = self.given.program if self.given else None, self.eye.language
        if line is None:
            return None
        world = self.seen.world if self.seen else None
        return understood(line, self.chosen["program"], self.world, language, seen=world, same=self.same)

    def program(self, found: Understood, stage: Canvas) -> None:
        """Its program step by step in what it saw or, where that is not known, in the true picture."""
        ran = found.told if found.seen is None else found.seen
        marks = self._faults(found)
        if ran.trace is None:
            look.fault("The program has no answer here", str(ran.failure))
            look.text(str(ran.program), kind="m-mono")
        else:
            own = self.stage if self.seen and self.stage else stage
            Steps(ran.trace, own, whole=ran.program, marks=marks, keys=False)
        for fault in marks.values():
            look.text(f"{fault.sign} {fault.told}", kind="r-fault")
        if found.strange is None and found.lacking is None:
            look.text("The program is as the true one.", kind="m-small")
        elif _answer(found.told) == _answer(found.true) is not None:
            look.text("In the true world it comes to the same answer.", kind="m-small")

    def _faults(self, found: Understood) -> dict[int, Fault]:
        """What is wrong with its steps."""
        faults = {}
        if found.seen is not None and found.unlike is not None:
            faults[found.unlike] = Fault("≠", self._unlike(found.seen, found.told, found.unlike))
        if found.strange is not None:
            faults[found.strange] = Fault("✗", self._strange(found.told, found.strange))
        return dict(sorted(faults.items()))

    def _strange(self, ran: Ran, place: int) -> str:
        if place >= len(ran.steps):
            return f"Step {place + 1} is wrong: {ran.failure}"
        step = ran.steps[place]
        comes = short_value(step, self.world, self.eye)
        return f"Step {place + 1} is wrong: the true program has no {format_step(step.step)} that comes to {comes}."

    def _unlike(self, seen: Ran, true: Ran, place: int) -> str:
        assert self.seen is not None
        world = self.seen.world
        there = true.steps[place] if place < len(true.steps) else None
        should = "no answer" if there is None else short_value(there, self.world, self.eye)
        if place >= len(seen.steps):
            return f"Step {place + 1} fails in what it saw, and should come to {should}: {seen.failure}"
        saw = seen.steps[place]
        told = f"From step {place + 1} on it saw otherwise: {short_value(saw, world, self.eye)}, and in truth {should}."
        if there is None:
            return told
        known = {self.same.get(entity) for entity in saw.referred}
        missed = [named(entity, self.world, self.eye) for entity in there.referred if entity not in known]
        more = [named(k, world, self.eye) for k in saw.referred if self.same.get(k) not in there.referred]
        return told + _listed(" Missing: ", missed) + _listed(" Too many: ", more)

    def scenes(self) -> None:
        """The true scene and the one that it saw, with what differs between them."""
        assert self.seen is not None
        back = {there: here for here, there in self.same.items()}
        marks = marks_of(self.world, self.seen.world, back, there="in what it saw")
        _scene("The scene", tree_html(self.world, self.eye, marks=marks), of="")
        marks = marks_of(self.seen.world, self.world, self.same, there="in the scene")
        _scene(f"The scene as {self.run} saw it", tree_html(self.seen.world, self.eye, marks=marks), of=SEEN)

    def strip(self, place: Place) -> None:
        """Where it looked, step by step; the last step lies over the picture at once, unless a layer does."""
        assert self.looks is not None
        assert self.stage is not None
        base = picture_address(self.dataset, "plain", self.row["scene_id"])
        laid = [
            look_address(self.dataset, self.run, step, self.looks.question_id) for step in range(len(self.looks.maps))
        ]
        strip = Strip(self.looks, self.stage, base, laid, moved=lambda at: place.change("look", str(at + 1)))
        if not self.seen or "layer" not in place.query:
            strip.show(numbered(place.query.get("look", "")))

    def others(self) -> None:
        """The way to other questions of which it is kept what it saw."""
        if self.sights is None or not self.sights.asked:
            return
        kept = list(self.sights.asked)
        at = kept.index(self.chosen["question_id"]) if self.chosen["question_id"] in self.sights.asked else None
        near = [("next →", 0)] if at is None else [("← previous", at - 1), ("next →", (at + 1) % len(kept))]
        links = " ".join(f'<a href="{escape(self._address(kept[place]))}">{label}</a>' for label, place in near)
        place = "" if at is None else f"{at + 1} of "
        told = f"<span>{place}{len(kept)} questions of which it is kept what {escape(self.run)} saw</span>{links}"
        ui.html(told, sanitize=False).classes("m-small r-kept")

    def _address(self, question_id: str) -> str:
        assert self.sights is not None
        scene = self.sights.asked[question_id]
        return scene_address("reasoning", self.dataset, scene, question=question_id, run=self.run)


def _listed(title: str, names: Sequence[str]) -> str:
    rest = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{title}{', '.join(names[:_NAMED])}{rest}." if names else ""


def _scene(title: str, tree: str, *, of: str) -> None:
    with ui.element("div").classes("m-card c-side r-scene").props(f'data-of="{of}"'):
        look.text(title, kind="m-label")
        ui.html(tree, sanitize=False).classes("c-tree")


def _answer(ran: Ran) -> str | None:
    return repr(ran.steps[-1].value) if ran.failure is None else None
