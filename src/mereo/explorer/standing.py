"""How the thing that is picked in a picture stands to the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments

from mereo.datasets.inspector import Inspector
from mereo.explorer.canvas import Canvas
from mereo.world import World, members

__all__ = ["Standing", "standing_of"]

_NAMED = 12
"""Things that are named before the rest is only counted."""


def standing_of(world: World, entity: int) -> list[tuple[str, bool, list[int]]]:
    """Each relation that holds, whether the entity is what stands so (or the others are), and the others."""
    found = []
    for relation in world.vocabulary.relations:
        table = world.related[relation]
        ends = [other for other, subjects in enumerate(table) if subjects >> entity & 1]
        found += [(relation, True, ends)] if ends else []
        found += [(relation, False, members(table[entity]))] if table[entity] else []
    return sorted(found, key=lambda one: not one[1])


class Standing:
    """A card that follows what is picked in the picture or in a list of entities."""

    def __init__(self, stage: Canvas, world: World, *, moved: Callable[[int | None], None]):
        self.stage, self.world, self.moved = stage, world, moved
        self.picked: int | None = None
        self.told = ui.html("", sanitize=False).classes("m-card c-standing").props('aria-live="polite"')
        stage.on("pick", self._pick)
        self._tell()

    def follow(self, tree: ui.element) -> None:
        """Show what is clicked in a list, too."""
        tree.on("click", self._pick, js_handler=_LINE)

    def show(self, entity: int | None) -> None:
        """Mark an entity and say how it stands."""
        self.picked = entity if entity is not None and 0 <= entity < len(self.world) else None
        self.stage.highlight(None if self.picked is None else [self.picked])
        self._tell()
        ui.run_javascript(
            "document.querySelectorAll('.c-line[data-entity]').forEach(line => line.classList.toggle('marked',"
            f" line.dataset.entity === '{self.picked}'))"
        )

    def _pick(self, event: GenericEventArguments) -> None:
        entity = event.args
        self.show(None if not isinstance(entity, int) or entity == self.picked else entity)
        self.moved(self.picked)

    def _tell(self) -> None:
        if self.picked is None:
            self.told.set_content('<span class="m-sub">Pick something to see how it stands to the rest.</span>')
            return
        eye, entity = self.stage.eye, self.world.entities[self.picked]
        name = escape(eye.called(entity))
        found = standing_of(self.world, self.picked)
        lines = "".join(_line(relation, begins, ends, self.world, eye) for relation, begins, ends in found)
        self.told.set_content(f"<b>{name}</b><dl>{lines}</dl>" if lines else f"<b>{name}</b> stands alone.")


def _line(relation: str, begins: bool, ends: Sequence[int], world: World, eye: Inspector) -> str:
    """One relation: what it is to others, or what others are to it."""
    names = [
        f'<span data-entity="{other}" tabindex="0">{escape(eye.called(world.entities[other]))}</span>'
        for other in ends[:_NAMED]
    ]
    rest = f" and {len(ends) - _NAMED} more" if len(ends) > _NAMED else ""
    said = escape(relation.replace("_", " "))
    title = said if begins else f"{said} it"
    return f"<dt>{title}</dt><dd>{', '.join(names)}{rest}</dd>"


_LINE = (
    "(event) => { const line = event.target.closest('[data-entity]'); if (line) emit(Number(line.dataset.entity)); }"
)
