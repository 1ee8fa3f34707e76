"""Buttons of which one is on: the layer that lies over a picture, or over several at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nicegui import ui

from mereo.explorer import look

__all__ = ["layer_switches"]


def layer_switches(
    layers: Sequence[str], begun: str, *, lay: Callable[[str], None], moved: Callable[[str], None]
) -> None:
    """A button for the bare picture and one for each layer; the one to begin with is laid at once.

    lay : is told which layer to show, none for the bare picture · moved : the same, when somebody chose it
    """
    buttons: dict[str, ui.element] = {}

    def choose(layer: str) -> None:
        lay(layer)
        for name, button in buttons.items():
            button.classes(add="on" if name == layer else "", remove="" if name == layer else "on")
            button.props(f'aria-pressed="{"true" if name == layer else "false"}"')
        moved(layer)

    for layer in ("", *layers) if layers else ():
        button = ui.element("button").classes("m-button").props(f'data-layer="{layer or "plain"}"')
        button.on("click", lambda _, layer=layer: choose(layer))
        with button:
            look.text(layer or "picture")
        buttons[layer] = button
    if begun not in layers:
        begun = ""
    if begun in buttons:
        buttons[begun].classes(add="on")
    if begun:
        lay(begun)
