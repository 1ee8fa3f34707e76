"""Ask: a plain question or a program of one's own, run on the scene, with every step in the picture."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from nicegui import run, ui

from mereo.benchmarks.benchmark import listener_of
from mereo.errors import MereoError
from mereo.explorer import look
from mereo.explorer.address import scene_address
from mereo.explorer.canvas import Canvas
from mereo.explorer.catalog import Catalog
from mereo.explorer.editor import Editor
from mereo.explorer.pages.views import dress
from mereo.explorer.steps import Steps, short_value
from mereo.programs import Language, Trace, execute
from mereo.questions.guessing import Guesser
from mereo.questions.hearing import words_of
from mereo.questions.understand import Listener, Reading, Understood
from mereo.world import World

__all__ = ["page"]

_LONGEST = 2_000
"""Characters of a question or program that are looked at."""
_EXAMPLES = 4
_PAUSE = 0.4
"""Seconds between two looks at what is being typed."""
_OTHERS = 3
"""How many other readings are offered."""


def page(catalog: Catalog, dataset: int, scene_id: str, query: Mapping[str, str]) -> None:
    """Build the page. query : `question` or `program`, to begin with"""
    language = catalog.dataset(dataset).language
    if language is None:
        look.empty("Nothing can be asked here", "The benchmark of this dataset does not tell what its scenes mean.")
        return
    dress()
    row = catalog.scene_row(dataset, scene_id)
    with ui.element("div").classes("a-page"):
        with ui.element("section").classes("m-stack"):
            stage = Canvas(catalog, dataset, row)
            answer = ui.element("div").classes("m-stack").props('aria-live="polite" data-info="answer"')
        with ui.element("aside").classes("m-stack"):
            asking = _Asking(dataset, scene_id, language, catalog.world(dataset, row), stage, answer)
            asking.of = catalog.bases.key_of(dataset)
            listener = listener_of(language.name)
            if listener is not None:
                asked = [question["question"] for question in catalog.questions(dataset, scene_id)]
                asking.guesser = catalog.guesser(language.name)
                asking.listen(listener, sorted(asked, key=len))
            asking.write()
    asking.begin(query.get("question", "")[:_LONGEST], query.get("program", "")[:_LONGEST])


class _Asking:
    """What is being asked of one scene."""

    words: ui.element
    heard: ui.element
    editor: Editor
    of: str = ""
    """The key of what is known in this dataset."""
    guesser: Guesser | None = None
    """Who guesses at what cannot be read."""

    def __init__(
        self, dataset: int, scene_id: str, language: Language, world: World, stage: Canvas, answer: ui.element
    ):
        self.dataset, self.scene_id = dataset, scene_id
        self.language, self.world, self.stage, self.answer = language, world, stage, answer
        self.listener: Listener | None = None
        self.asked: list[str] = []
        self.question = ""
        """What was asked last."""

    @property
    def spoken(self) -> Language:
        """The language of programs, with what only questions in one's own words need, as places in an order."""
        return self.language if self.listener is None else self.listener.spoken

    def listen(self, listener: Listener, asked: list[str]) -> None:
        """Build where plain questions are typed. asked : questions of the dataset, as examples"""
        self.listener, self.asked = listener, asked
        with ui.element("form").classes("m-card m-stack a-words") as form:
            look.text("In plain words", kind="m-label", tag="h2")
            with ui.element("div").classes("a-line"):
                self.words = (
                    ui.element("input")
                    .classes("a-input")
                    .props('type="text" autocomplete="off" aria-label="A question" placeholder="How many … are there?"')
                )
                with ui.element("button").classes("m-button a-go").props('type="submit" data-action="ask"'):
                    look.text("Ask")
            self.heard = ui.element("div").classes("a-heard").props('aria-live="polite"')
            with self.heard:
                self._offer("Asked in this dataset", asked[:_EXAMPLES])
        self.words.on(
            "input",
            lambda event: self.typing(str(event.args)[:_LONGEST]),
            throttle=_PAUSE,
            leading_events=False,
            js_handler="(event) => emit(event.target.value)",
        )
        form.on(
            "submit",
            lambda event: self.ask(str(event.args)[:_LONGEST]),
            js_handler=f"(event) => {{ event.preventDefault(); emit(getHtmlElement({self.words.id}).value); }}",
        )

    def write(self) -> None:
        """Build where programs are typed."""
        with ui.element("div").classes("m-card m-stack"):
            look.text("As a program", kind="m-label", tag="h2")
            self.editor = Editor(self.spoken, run=self.run)

    def begin(self, question: str, program: str) -> None:
        """Start with what the address says."""
        if question and self.listener is not None:
            ui.timer(0.05, lambda: self.ask(question), once=True)
            ui.run_javascript(f"getHtmlElement({self.words.id}).value = {_quoted(question)}")
        elif program:
            self.editor.put(program)
            self.run(program)

    async def typing(self, question: str) -> None:
        """Show how far a question is understood while it is typed, and what was asked in these words."""
        if self.listener is None or not question.strip():
            return
        understood = await run.io_bound(self.listener.understand, question, self.world, suggested=0)
        if understood is None or question == self.question:  # the server is being stopped, or it was asked meanwhile
            return
        words = set(words_of(question))
        self.heard.clear()
        with self.heard:
            if understood.readings and not understood.told:
                look.text(f"So far: {understood.readings[0].about}", kind="m-small")
            self._offer(
                "Asked in this dataset", [text for text in self.asked if words <= set(words_of(text))][:_OTHERS]
            )

    async def ask(self, question: str) -> None:
        """Understand a plain question and run what it means."""
        if self.listener is None:
            return
        self.question = question
        understood = await run.io_bound(self.listener.understand, question, self.world, guesser=self.guesser)
        if understood is None:  # the server is being stopped
            return
        self._show_heard(question, understood)
        if understood.program is not None and not understood.told:
            self.editor.put(str(understood.program))
            self._run(str(understood.program))
            self._remember(question=question)
        elif understood.told:
            self.answer.clear()
            self.stage.highlight(None)

    def run(self, program: str) -> None:
        """Run a program as it was typed."""
        self._run(program)
        self._remember(program=program)

    def _run(self, program: str) -> None:
        self.answer.clear()
        with self.answer:
            try:
                trace = execute(program[:_LONGEST], self.world, self.spoken)
            except MereoError as error:
                self.stage.highlight(None)
                look.fault("No answer", str(error))
                return
            self._show(trace)

    def _show(self, trace: Trace) -> None:
        last = list(trace.steps())[-1]
        with ui.element("div").classes("m-card"):
            look.text("Answer", kind="m-label")
            look.text(short_value(last, self.world, self.stage.eye), kind="a-answer")
            steps = Steps(trace, self.stage)
        steps.tell(self.of)

    def _show_heard(self, question: str, understood: Understood) -> None:
        self.heard.clear()
        with self.heard:
            for slip, word in understood.mended.items():
                look.text(f"“{slip}” is read as “{word}”.", kind="m-small")
            if understood.told:
                look.text(understood.told, kind="a-told")
            if understood.choices:
                self._readings("Which is meant?", list(understood.choices), by_text=True)
            elif understood.readings and not understood.told:
                first, *others = understood.readings
                look.text(f"Understood as {first.about}", kind="m-small")
                self._readings("It could also mean", others[:_OTHERS])
            elif understood.suggestions and understood.suggestions[0].template is None:
                self._readings("It may mean", list(understood.suggestions), by_text=True)
            elif understood.suggestions:
                self._offer("Did you mean", [found.text for found in understood.suggestions])
            elif question.strip() and not understood.told:
                look.fault(
                    "Not understood", "No template is near this. Try one of the questions asked in this dataset."
                )

    def _readings(self, title: str, readings: list[Reading], *, by_text: bool = False) -> None:
        """Readings to choose from. by_text : shown by their words; else those in other words by how they are read"""
        if readings:
            look.text(title, kind="m-small")
        for reading in readings:
            line = str(reading.program)
            shown = reading.text if by_text else reading.said or line
            mono = "" if by_text or reading.said else " m-mono"
            button = ui.element("button").classes(f"a-offer{mono}").props('type="button" data-action="reading"')
            button.on("click", lambda _, line=line: self._rewrite(line))
            with button:
                look.text(shown)

    def _rewrite(self, program: str) -> None:
        self.editor.put(program)
        self.run(program)

    def _offer(self, title: str, questions: list[str]) -> None:
        if not questions:
            return
        look.text(title, kind="m-small")
        for question in questions:
            button = ui.element("button").classes("a-offer").props('type="button" data-action="offer"')
            button.on("click", lambda _, question=question: self._take(question))
            with button:
                look.text(question)

    async def _take(self, question: str) -> None:
        ui.run_javascript(f"getHtmlElement({self.words.id}).value = {_quoted(question)}")
        await self.ask(question)

    def _remember(self, **said: Any) -> None:
        ui.navigate.history.replace(scene_address("ask", self.dataset, self.scene_id, **said))


def _quoted(text: str) -> str:
    """A text as JavaScript writes it."""
    return json.dumps(text)
