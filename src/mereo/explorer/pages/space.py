"""3D: a scene to turn and zoom, its parts to pick, and what falls in it, falling."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from mereo.datasets.columns import key_of
from mereo.datasets.inspector import Inspector
from mereo.explorer import look
from mereo.explorer.canvas import describe
from mereo.explorer.catalog import Catalog
from mereo.explorer.meshes import scene_mesh_address, space_of_row
from mereo.explorer.pages import points
from mereo.explorer.pages.views import dress
from mereo.explorer.pieces import View3D, field_of
from mereo.explorer.tree import tree_html
from mereo.world import World

if TYPE_CHECKING:
    from mereo.explorer.space import Space

__all__ = ["page"]


def page(catalog: Catalog, dataset: int, scene_id: str, query: Mapping[str, str]) -> None:
    """Build the page. query : `entity`, the number of the one to begin with"""
    row, eye = catalog.scene_row(dataset, scene_id), catalog.inspector(dataset)
    cloud = eye.cloud(row)
    if cloud is not None:
        points.page(catalog, dataset, row, cloud, query)
        return
    if not row.get("layout"):
        look.empty("No 3D view of this scene", "Only scenes with pictures that mereo made itself come with a layout.")
        return
    dress()
    world = catalog.world(dataset, row)
    space = space_of_row(row, eye)
    with ui.element("div").classes("c-page"):
        with ui.element("section").classes("m-stack"):
            with ui.element("div").classes("v-frame"):
                shown = _Shown(world, eye, space, catalog.instances(dataset, row), row)
                view = View3D(
                    scene_mesh_address(dataset, scene_id),
                    picked=shown.pick,
                    field=field_of(space.camera) if space.camera else 38.0,
                )
                shown.view = view
                if space.camera is not None:
                    view.look_from(space.camera)
            _controls(view, space)
        with ui.element("aside").classes("m-stack"):
            shown.told = ui.html("", sanitize=False).classes("m-card v-picked").props('aria-live="polite"')
            with ui.element("div").classes("m-card c-side v-tree"):
                tree = ui.html(tree_html(world, eye), sanitize=False).classes("c-tree")
                tree.on("click", shown.choose, js_handler=_LINE)
    begun = query.get("entity", "")
    shown.show(int(begun) if begun.isdecimal() and int(begun) < len(world) else None)


_LINE = (
    "(event) => { const line = event.target.closest('[data-entity]'); if (line) emit(Number(line.dataset.entity)); }"
)


class _Shown:
    """What is picked, in the view, in words and in the tree."""

    view: View3D
    told: ui.html

    def __init__(self, world: World, eye: Inspector, space: Space, instances: list[list[int]], row: Mapping[str, Any]):
        self.world, self.eye = world, eye
        self.labels = {piece.key: piece.label for piece in space.pieces}
        keys = [f"{thing}/{leaf}" for thing, leaf, _ in key_of(row)]
        self.keys = [[keys[number - 1] for number in numbers] for numbers in instances]

    def pick(self, key: str | None) -> None:
        """Show the smallest entity that a piece belongs to."""
        if key is None:
            self.show(None)
            return
        holders = [entity for entity, keys in enumerate(self.keys) if key in keys]
        if holders:
            self.show(min(holders, key=lambda entity: len(self.keys[entity])))
        else:
            self._tell(self.labels[key].rpartition("/")[2].replace("_", " "), "cannot be seen in the picture")
            self.view.light([key])

    def choose(self, event: GenericEventArguments) -> None:
        """Show the entity of a line of the tree."""
        if isinstance(event.args, int) and 0 <= event.args < len(self.world):
            self.show(event.args)

    def show(self, entity: int | None) -> None:
        """Light an entity and say what it is."""
        if entity is None:
            self._tell("Nothing picked", "Click a part here or in the list.")
        else:
            own = self.world.entities[entity]
            self._tell(self.eye.name(own), describe(own, self.eye))
        self.view.light(self.keys[entity] if entity is not None and entity < len(self.keys) else [])
        ui.run_javascript(
            "document.querySelectorAll('[data-entity]').forEach(line => line.classList.toggle('marked',"
            f" line.dataset.entity === '{entity}'))"
        )

    def _tell(self, title: str, detail: str) -> None:
        self.told.set_content(f"<b>{escape(title)}</b><span>{escape(detail)}</span>")


def _controls(view: View3D, space: Space) -> None:
    with ui.element("div").classes("m-row v-controls"):
        if space.moves:
            ends = max(body.motion[-1][0] for body in space.bodies if body.motion)
            # As plain HTML, because what the browser changes there would be set back with every change of the page.
            controls = ui.html(
                '<button class="m-button" data-action="play">Play</button><input class="v-range" type="range" min="0" '
                f'max="{ends}" step="0.01" value="0" aria-label="Time">',
                sanitize=False,
            )
            view.attach(controls.classes("m-row v-motion"))
            look.text(f"What happens in {ends:.0f} s when it is let go", kind="m-small")
        elif space.camera is not None:
            look.text("Drag to turn, scroll to zoom, click a part to pick it.", kind="m-small")
        home = ui.element("button").classes("m-button v-home").props('data-action="home"')
        with home:
            look.text("Camera's view")
        if space.camera is not None:
            camera = space.camera
            home.on("click", lambda: view.look_from(camera))
