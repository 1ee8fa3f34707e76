"""Where a page about a scene is: its address, which follows what is chosen on it."""

from __future__ import annotations

from typing import NamedTuple

from nicegui import ui

from mereo.explorer.address import scene_address

__all__ = ["Place"]


class Place(NamedTuple):
    """The address of a page, which tells what is shown."""

    kind: str
    dataset: int
    scene_id: str
    query: dict[str, str]

    def change(self, name: str, value: str) -> None:
        """Choose something else, or nothing."""
        self.query.pop(name, None)
        self.query.update({name: value} if value else {})
        ui.navigate.history.replace(scene_address(self.kind, self.dataset, self.scene_id, **self.query))
