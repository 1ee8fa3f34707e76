"""A program on a page: a tree of its steps, to walk through forward and back, each step's set marked in the picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import NamedTuple

from nicegui import ui
from nicegui.events import GenericEventArguments, KeyEventArguments

from mereo.datasets.inspector import Inspector, Known
from mereo.explorer import look
from mereo.explorer.canvas import Canvas
from mereo.explorer.knowing import known_html
from mereo.programs import Program, Step, Trace, TraceStep
from mereo.world import World

__all__ = ["Branch", "Fault", "Steps", "branches", "in_words", "named", "short_value"]

_NAMED = 6
"""Entities that are named one by one before the rest are only counted."""


class Branch(NamedTuple):
    """A line of the tree: a step, how deep it lies, and whether its own inputs stand elsewhere already."""

    step: int
    depth: int
    again: bool


def branches(program: Program) -> list[Branch]:
    """The steps as a tree with the answer at the top; one that is used twice is spelled out once."""
    found: list[Branch] = []
    seen: set[int] = set()
    waiting = [(len(program.steps) - 1, 0)]
    while waiting:
        step, depth = waiting.pop()
        found.append(Branch(step, depth, step in seen))
        if step not in seen:
            seen.add(step)
            waiting += [(own, depth + 1) for own in reversed(program.steps[step].inputs)]
    return found


def in_words(step: TraceStep, world: World, eye: Inspector) -> str:
    """What a step has found, as one would say it."""
    if step.type.form in ("entity", "entities"):
        names = [named(entity, world, eye) for entity in step.referred]
        if not names:
            return "nothing"
        listed = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
        return f"the {names[0]}" if step.type.form == "entity" else f"{_number(step.referred, world)}: {listed}"
    return short_value(step, world, eye)


def short_value(step: TraceStep, world: World, eye: Inspector) -> str:
    """The same in a word or two."""
    if step.type.form == "entity":
        return eye.name(world.entities[step.referred[0]])
    if step.type.form == "entities":
        return _number(step.referred, world)
    if step.type.form == "boolean":
        return "yes" if step.value else "no"
    if isinstance(step.value, list | tuple):
        return ", ".join(map(str, step.value)) or "none"
    return str(step.value)


class Fault(NamedTuple):
    """What is wrong with a step: as a sign before it, and in words."""

    sign: str
    told: str


class Steps:
    """The tree, the buttons and the words below the picture."""

    def __init__(
        self,
        trace: Trace,
        stage: Canvas,
        *,
        begun: int | None = None,
        moved: Callable[[int], None] | None = None,
        whole: Program | None = None,
        marks: Mapping[int, Fault] = MappingProxyType({}),
        keys: bool = True,
    ):
        """whole : the program, where the trace is only of its beginning · marks : what is wrong with some steps

        keys : whether the arrow keys go through it
        """
        self.trace, self.stage, self.moved, self.marks = trace, stage, moved, marks
        self.program = whole or trace.executable.program
        self._keys = keys
        self.steps: Sequence[TraceStep] = list(trace.steps())
        self.known: Mapping[int, Known] = {}
        self.of = ""
        self.told: ui.html | None = None
        self.world = trace.world
        last = len(self.steps) - 1
        self.at = last if begun is None else min(max(begun, 0), last)
        self._build()
        self._show()

    def go(self, step: int) -> None:
        """Show another step."""
        if 0 <= step < len(self.steps) and step != self.at:
            self.at = step
            self._show()
            ui.run_javascript(_IN_SIGHT.format(self.tree.id))
            if self.moved:
                self.moved(step)

    def tell(self, of: str) -> None:
        """Build a card with what the steps took from knowledge, if they did. of : the key of that knowledge"""
        self.known, self.of = self.stage.eye.known_steps(self.trace), of
        if self.known:
            with ui.element("div").classes("m-card r-written"):
                look.text("What is known", kind="m-label")
                self.told = ui.html("", sanitize=False).classes("k-steps")
            self._show_known()

    def _show_known(self) -> None:
        if self.told is not None:
            self.told.set_content(known_html(self.known, self.at, self.of))

    def _build(self) -> None:
        with ui.element("div").classes("m-row t-controls"):
            self.back = self._button("←", "One step back", lambda: self.go(self.at - 1), action="back")
            self.forward = self._button("→", "One step forward", lambda: self.go(self.at + 1), action="forward")
            self.place = look.text("", kind="m-sub").props('data-info="place"')
        self.words = look.text("", kind="t-words").props('data-info="value" aria-live="polite"')
        self.tree = ui.html("", sanitize=False).classes("t-tree")
        self.tree.on("click", self._picked, js_handler=_PICK)
        self.tree.on("mouseover", js_handler=_POINT)
        self.tree.on("mouseleave", js_handler=_POINT)
        if self._keys:
            ui.keyboard(on_key=self._key, ignore=["input", "select", "button", "textarea"])

    def _button(self, sign: str, title: str, act: Callable[[], None], *, action: str) -> ui.element:
        button = (
            ui.element("button")
            .classes("m-button")
            .props(f'title="{title}" aria-label="{title}" data-action="{action}"')
        )
        button.on("click", act)
        with button:
            look.text(sign)
        return button

    def _picked(self, event: GenericEventArguments) -> None:
        self.go(int(event.args))

    def _key(self, event: KeyEventArguments) -> None:
        if event.action.keydown and event.key.arrow_left:
            self.go(self.at - 1)
        elif event.action.keydown and event.key.arrow_right:
            self.go(self.at + 1)

    def _show(self) -> None:
        step, last = self.steps[self.at], len(self.steps) - 1
        self.place.set_content(f"step {self.at + 1} of {len(self.program)}")
        self.words.set_content(escape(f"{step.step.function}: {in_words(step, self.world, self.stage.eye)}"))
        self.tree.set_content("".join(self._line(branch) for branch in branches(self.program)))
        self.stage.highlight(step.referred if step.type.form in ("entity", "entities") else self._taken(step.step))
        self._show_known()
        for button, off in ((self.back, self.at == 0), (self.forward, self.at == last)):
            button.props("disabled" if off else "", remove="" if off else "disabled")

    def _taken(self, step: Step) -> list[int] | None:
        """What a number or a word was read from: the sets that the step takes."""
        read = sorted({entity for own in step.inputs for entity in self.steps[own].referred})
        return read or None

    def _line(self, branch: Branch) -> str:
        step = self.program.steps[branch.step]
        values = f"<em>[{escape(', '.join(map(str, step.values)))}]</em>" if step.values else ""
        state = "on" if branch.step == self.at else "later" if branch.step > self.at else ""
        value = ""
        if branch.step <= self.at:
            value = escape(short_value(self.steps[branch.step], self.world, self.stage.eye))
        fault = self.marks.get(branch.step)
        wrong = "" if fault is None else f"<b>{fault.sign}</b> "
        return (
            f'<div class="t-line {state}{" wrong" if fault else ""}" data-step="{branch.step}" '
            f'style="--depth:{min(branch.depth, 14)}" title="{escape(fault.told if fault else "")}">'
            f'<i>{branch.step + 1}</i><span class="m-mono">{wrong}{escape(step.function)}{values}'
            f"{' …' if branch.again else ''}</span><small>{value}</small></div>"
        )


def named(entity: int, world: World, eye: Inspector) -> str:
    """A name that tells it from others; a part with the object that it belongs to."""
    name, whole = eye.called(world.entities[entity]), world.whole[entity]
    return name if whole is None else f"{name} of the {eye.name(world.entities[whole])}"


def _number(referred: Sequence[int], world: World) -> str:
    if not referred:
        return "nothing"
    parts = sum(world.whole[entity] is not None for entity in referred)
    kind = "part" if parts == len(referred) else "object" if all(world.objects >> k & 1 for k in referred) else "thing"
    return f"{len(referred)} {kind}{'s' if len(referred) != 1 else ''}"


_IN_SIGHT = """setTimeout(() => {{
  const tree = getHtmlElement({}), line = tree?.querySelector('.t-line.on');
  const top = (element) => element.getBoundingClientRect().top;
  if (line) tree.scrollTop += top(line) - top(tree) - tree.clientHeight / 2;
}}, 50)"""
"""Long trees are scrolled within themselves, so that the page stays where it is."""

_POINT = """(event) => {
  const line = event.type === 'mouseover' ? event.target.closest('[data-step]') : null;
  for (const told of document.querySelectorAll('[data-known]'))
    told.classList.toggle('pointed', told.dataset.known === line?.dataset.step);
}"""
"""What is known of a step lights up when one points at the step."""

_PICK = """(event) => {
  const line = event.target.closest('[data-step]');
  if (line) emit(line.dataset.step);
}"""
