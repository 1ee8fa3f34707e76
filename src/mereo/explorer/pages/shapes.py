"""Shapes: a gallery of what the grammars make, and one shape to turn, take apart and look through part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from nicegui import ui
from nicegui.events import GenericEventArguments

from mereo.errors import UnknownName
from mereo.explorer import look
from mereo.explorer.catalog import Catalog
from mereo.explorer.meshes import FAMILIES, shape_address
from mereo.explorer.pages.views import dress
from mereo.explorer.pieces import View3D
from mereo.scenes.scene import ShapeRef

if TYPE_CHECKING:
    from mereo.explorer.space import Movable, Space
    from mereo.shapes.part import Part, Shape

__all__ = ["page"]

_TILES = 24
"""Shapes on a page of the gallery."""


def page(catalog: Catalog, query: Mapping[str, str]) -> None:
    """Build the page. query : `category`, `split`, `family` for one shape, `page` of the gallery"""
    from mereo.shapes.grammar import SPLITS, all_grammars

    dress()
    categories = list(all_grammars())
    category, split = query.get("category", "chair"), query.get("split", "train")
    if category not in categories:
        raise UnknownName("category with a grammar", category, categories)
    if split not in SPLITS:
        raise UnknownName("split of shapes", split, SPLITS)
    family = query.get("family", "")
    if family.isdecimal() and int(family[:6]) < FAMILIES:
        _one(ShapeRef(category, split=split, family=int(family[:6])))
    else:
        _gallery(category, split, categories, list(SPLITS), _number(query.get("page", "")))


def _number(said: str) -> int:
    return min(max(int(said), 1), FAMILIES // _TILES) if said.isdecimal() and len(said) < 6 else 1


def _address(**query: str | int) -> str:
    return f"/shapes?{urlencode(query)}"


def _gallery(category: str, split: str, categories: list[str], splits: list[str], number: int) -> None:
    look.text("Shapes", kind="m-title", tag="h1")
    chips = "".join(
        f'<a class="m-button{" on" if name == category else ""}" href="{_address(category=name, split=split)}">'
        f"{escape(name.replace('_', ' '))}</a>"
        for name in categories
    )
    ui.html(chips, sanitize=False, tag="nav").classes("m-row g-choice").props('aria-label="Categories"')
    others = "".join(
        f'<a{" class=on" if name == split else ""} href="{_address(category=category, split=name)}">{escape(name)}</a>'
        for name in splits
    )
    ui.html(f"<span>families of</span>{others}", sanitize=False, tag="nav").classes("g-splits m-small").props(
        'aria-label="Splits"'
    )
    tiles = []
    for family in range((number - 1) * _TILES, number * _TILES):
        picture = shape_address("picture", ShapeRef(category, split=split, family=family))
        label = f"{category.replace('_', ' ')} {family}"
        tiles.append(
            f'<a class="g-tile" href="{_address(category=category, split=split, family=family)}">'
            f'<img src="{picture}" alt="{escape(label)}" loading="lazy" width="128" height="128">'
            f"<span>{family}</span></a>"
        )
    ui.html("".join(tiles), sanitize=False).classes("g-grid")
    pages = [("← previous", number - 1)] if number > 1 else []
    pages += [("next →", number + 1)] if number * _TILES < FAMILIES else []
    links = "".join(
        f'<a class="m-button" href="{_address(category=category, split=split, page=page)}">{label}</a>'
        for label, page in pages
    )
    ui.html(links, sanitize=False, tag="nav").classes("m-row g-pages").props('aria-label="Pages of the gallery"')


def _one(reference: ShapeRef) -> None:
    from mereo.explorer.space import space_of_shape
    from mereo.scenes.assemble import shape_of

    shape = shape_of(reference)
    space = space_of_shape(shape)
    back = _address(category=reference.category, split=reference.split, page=reference.family // _TILES + 1)
    ui.html(
        f'<a href="{back}">{escape(reference.category.replace("_", " "))}</a><span>/</span>'
        f'<h1 class="m-title">{escape(shape.name)}</h1>{_beside(reference)}',
        sanitize=False,
    ).classes("m-crumbs")
    with ui.element("div").classes("c-page g-one"):
        with ui.element("section").classes("m-stack"):
            with ui.element("div").classes("v-frame"):
                shown = _Shown(shape)
                shown.view = View3D(shape_address("mesh", reference), picked=shown.pick)
                shown.view.look_at_box(*shape.bounds().tolist())
            _controls(shown.view)
            if space.movable:
                _joints(shown.view, space.movable)
            _facts(shape)
        with ui.element("aside").classes("m-stack"):
            shown.told = ui.html("", sanitize=False).classes("m-card v-picked").props('aria-live="polite"')
            with ui.element("div").classes("m-card c-side v-tree"):
                tree = ui.html(_tree(shape, space), sanitize=False).classes("c-tree")
                tree.on("click", shown.choose, js_handler=_LINE)
    shown.show(None)


_LINE = "(event) => { const line = event.target.closest('[data-part]'); if (line) emit(Number(line.dataset.part)); }"


def _beside(reference: ShapeRef) -> str:
    """The ways to the families before and after."""
    links = []
    for label, family in (("← previous", reference.family - 1), ("next →", reference.family + 1)):
        if 0 <= family < FAMILIES:
            address = _address(category=reference.category, split=reference.split, family=family)
            links.append(f'<a href="{address}">{label}</a>')
    return f'<nav class="g-beside">{"".join(links)}</nav>'


class _Shown:
    """Which part is picked, in the view, in words and in the tree."""

    view: View3D
    told: ui.html

    def __init__(self, shape: Shape):
        self.parts = {part.id: part for part in shape.parts()}

    def pick(self, key: str | None) -> None:
        """Show the leaf of a piece."""
        self.show(None if key is None else int(key.partition("/")[2]))

    def choose(self, event: GenericEventArguments) -> None:
        """Show the part of a line of the tree."""
        if event.args in self.parts:
            self.show(event.args)

    def show(self, number: int | None) -> None:
        """Light a part and say what it is."""
        if number is None:
            title, detail, keys = "Nothing picked", "Click a part here or in the tree.", []
        else:
            part = self.parts[number]
            leaves = list(part.leaves())
            title, detail = part.name.replace("_", " "), part.label
            keys = [f"0/{leaf.id}" for leaf in leaves]
        self.told.set_content(f"<b>{escape(title)}</b><span>{escape(detail)}</span>")
        self.view.light(keys)
        ui.run_javascript(
            "document.querySelectorAll('[data-part]').forEach(line => line.classList.toggle('marked',"
            f" line.dataset.part === '{number}'))"
        )


def _controls(view: View3D) -> None:
    with ui.element("div").classes("m-row v-controls"):
        look.text("Take apart", kind="m-small")
        slider = ui.html(
            '<input class="v-range" type="range" min="0" max="1" step="0.01" value="0" aria-label="How far apart" '
            'data-action="explode">',
            sanitize=False,
        )
        slider.classes("v-motion").on(
            "input",
            js_handler=f"""(event) => getElement({view.scene.id}).run_method_on_component(
              '{view.pieces.id}', 'explode', Number(event.target.value))""",
        )


def _joints(view: View3D, movable: Sequence[Movable]) -> None:
    """A slider for each part that moves; the browser moves it without asking the server."""
    rows = "".join(map(_slider, movable))
    card = ui.html(f"<b>What moves</b>{rows}", sanitize=False).classes("m-card v-joints")
    card.props('role="group" aria-label="What moves"').on(
        "input",
        js_handler=f"""(event) => {{
          const {{ value, dataset, nextElementSibling: told }} = event.target;
          told.value = Number(value).toFixed(dataset.unit === 'm' ? 2 : 0) + (dataset.unit === 'm' ? ' m' : '°');
          getElement({view.scene.id}).run_method_on_component(
            '{view.pieces.id}', 'move', Number(dataset.joint), Number(value));
        }}""",
    )


def _slider(movable: Movable) -> str:
    joint, name = movable.joint, f"{movable.name.replace('_', ' ')} {movable.part}"
    low, high = (-180.0, 180.0) if joint.kind == "spin" else (joint.low, joint.high)
    unit, step, told = ("m", 0.001, f"{joint.at:.2f} m") if joint.kind == "slide" else ("", 1, f"{joint.at:.0f}°")
    return (
        f'<label><span>{escape(name)}</span><input class="v-range" type="range" min="{low:g}" max="{high:g}" '
        f'step="{step}" value="{joint.at:g}" data-joint="{movable.part}" data-unit="{unit}">'
        f"<output>{told}</output></label>"
    )


def _facts(shape: Shape) -> None:
    """How it came about, and how large it is."""
    width, depth, height = (shape.bounds()[1] - shape.bounds()[0]).tolist()
    told = {
        "size": f"{width:.2f} × {depth:.2f} × {height:.2f} m",
        "parts": f"{len(shape.leaves())} leaves, {sum(1 for _ in shape.parts())} in all",
        "triangles": f"{sum(len(leaf.mesh.faces) for leaf in shape.leaves() if leaf.mesh is not None):,}",
        **{name: _plain(value) for name, value in dict(shape.facts.get("choices", {})).items()},
    }
    lines = "".join(
        f"<dt>{escape(name.replace('_', ' '))}</dt><dd>{escape(value.replace('_', ' '))}</dd>"
        for name, value in told.items()
    )
    ui.html(lines, sanitize=False, tag="dl").classes("m-card c-facts")


def _plain(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _tree(shape: Shape, space: Space) -> str:
    """The tree of parts; leaves with the color that they have in the view."""
    colors = {piece.leaf: piece.color for piece in space.pieces}

    def lines(part: Part, depth: int) -> str:
        dot = f'<i class="c-dot" style="background:{colors[part.id]}"></i>' if part.id in colors else ""
        own = (
            f'<div class="c-line" data-part="{part.id}" tabindex="0" style="--depth:{depth}">{dot}'
            f"<span>{escape(part.name.replace('_', ' '))}</span></div>"
        )
        return own + "".join(lines(child, depth + 1) for child in part.children)

    return lines(shape.root, 0)
