"""What is shown in a page's 3D view: the view itself, its camera, and what is done to pieces or points in it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from nicegui import ui
from nicegui.elements.scene.scene_object3d import Object3D
from nicegui.events import SceneClickEventArguments

from mereo.scenes.scene import Camera

__all__ = ["Dots", "View3D", "field_of"]


_FIELD = 38.0
_DOT = 0.16
"""How large a point is drawn where there are a thousand on a cloud of radius 1; the more there are, the smaller."""


class _Pieces(Object3D, component="pieces.js"):
    """All pieces of one space, fetched from an address."""

    def __init__(self, address: str):
        super().__init__(address)


class _Points(Object3D, component="dots.js"):
    """All points of one cloud, fetched from an address."""

    def __init__(self, address: str, size: float):
        super().__init__(address, size, [], [])
        self.material(None)  # every point has a color of its own


class View3D:
    """A space that can be turned, and whose pieces can be picked."""

    def __init__(self, address: str, *, picked: Callable[[str | None], None], field: float = _FIELD):
        """address : of the packed space; picked : called with the key of a piece, None where nothing is

        field : from top to bottom, degrees
        """
        self._picked = picked
        camera = ui.scene.perspective_camera(fov=field, near=0.02, far=200)
        self.scene = ui.scene(grid=False, camera=camera, on_click=self._click)
        self.scene._props["click-events"] = ["click"]
        self.scene.classes("v-space").props('aria-label="3D view: drag to turn, scroll to zoom, click to pick"')
        with self.scene:
            self.pieces = self._made(address)
        # The page shows through, light or dark.
        clear = f"() => getElement({self.scene.id}).renderer?.setClearColor(0, 0)"
        self.scene.on("init", js_handler=clear)

    def _made(self, address: str) -> Object3D:
        return _Pieces(address)

    def look_from(self, camera: Camera) -> None:
        """Begin where the picture was taken from."""
        (x, y, z), (ax, ay, az) = camera.position, camera.target
        self.scene.move_camera(x=x, y=y, z=z, look_at_x=ax, look_at_y=ay, look_at_z=az, duration=0)

    def look_at_box(self, low: Iterable[float], high: Iterable[float]) -> None:
        """Begin in front of a box, a little to the right and from above, so that all of it can be seen."""
        corners = list(zip(low, high, strict=True))
        middle = [(a + b) / 2 for a, b in corners]
        across = math.dist([a for a, _ in corners], [b for _, b in corners])
        far = 0.62 * across / math.tan(math.radians(_FIELD / 2))
        x, y, z = (m + far * d for m, d in zip(middle, (0.5, -0.78, 0.38), strict=True))
        ax, ay, az = middle
        self.scene.move_camera(x=x, y=y, z=z, look_at_x=ax, look_at_y=ay, look_at_z=az, duration=0)

    def light(self, keys: Iterable[str]) -> None:
        """Light some pieces, and no others."""
        self._call("light", list(keys))

    def explode(self, amount: float) -> None:
        """Take the whole apart. amount : 0 for not at all"""
        self._call("explode", amount)

    def attach(self, controls: ui.element) -> None:
        """Let a button and a slider run the motion, without asking the server."""
        ui.run_javascript(
            f"""const wait = setInterval(() => {{
              const held = getElement({self.scene.id})?.objects?.get('{self.pieces.id}')?.component;
              if (held?.length === undefined) return;
              clearInterval(wait);
              held.attach(getHtmlElement({controls.id}));
            }}, 100);"""
        )

    def _call(self, method: str, *values: object) -> None:
        self.scene.run_method("run_method_on_component", self.pieces.id, method, *values)

    def _click(self, event: SceneClickEventArguments) -> None:
        self._picked(next((hit.object_name for hit in event.hits if hit.object_name), None))


class Dots(View3D):
    """A cloud of points that can be turned, each point in a color."""

    def __init__(self, address: str, *, count: int):
        """address : of the points as float32; count : how many there are"""
        self._size = _DOT * math.sqrt(1000 / max(count, 1))
        super().__init__(address, picked=lambda key: None)

    def _made(self, address: str) -> Object3D:
        return _Points(address, self._size)

    def paint(self, numbers: Sequence[int], palette: Sequence[str]) -> None:
        """Give every point the color of its number. palette : as style sheets write colors"""
        self.pieces.args[2:] = painted = [list(numbers), list(palette)]  # for pages that have not begun to draw yet
        self._call("paint", *painted)

    def light_number(self, number: int | None) -> None:
        """Leave only the points of one number in their color; None leaves all."""
        self._call("light", number)


def field_of(camera: Camera) -> float:
    """What a camera sees from top to bottom, degrees."""
    across = math.tan(math.radians(camera.field / 2))
    return math.degrees(2 * math.atan(across * camera.height / camera.width))
