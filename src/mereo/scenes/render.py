"""Pictures of scenes with Mitsuba 3, and the exact pass that says what each pixel shows.

The objects are one mesh with colour and material per face, and walls and lamps always come in the same order, so that
the code which Mitsuba compiles for the first scene serves all that follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.scenes.assemble import Triangles, assemble, linear
from mereo.scenes.renderer import VARIANTS, mitsuba_with
from mereo.scenes.scene import Camera, Light, Room, Scene, Surface
from mereo.scenes.textures import look_of, texture
from mereo.shapes.mesh import Floats

__all__ = ["Frame", "Set", "render", "view_matrix"]

_BOUNCES = 5
_PASSES = 8
"""A picture is the mean of this many, and a pixel that is far brighter in one of them is a stray spark."""
_SPARK = 1.35
_GROUND = 60.0
"""Half the side of a stage's ground, metres."""


@dataclass(frozen=True, eq=False)
class Frame:
    """What each pixel's middle shows."""

    depth: NDArray[np.float32]
    """(height, width), metres along the view axis; infinite where there is nothing."""
    object: NDArray[np.int32]
    """(height, width), the place in `scene.objects`; -1 for walls, floor and nothing."""
    part: NDArray[np.int32]
    """(height, width), the leaf's id within its shape; -1 where there is no object."""
    normal: NDArray[np.float32]
    """(height, width, 3), unit, world frame; zero where there is nothing."""


class Set:
    """A scene built up before the camera: ids can be read and pictures taken."""

    def __init__(self, scene: Scene, *, renderer: str = "auto"):
        self.scene, self.triangles, self.mi = scene, assemble(scene), mitsuba_with(renderer)
        self.loaded = _loaded(self.mi, scene, self.triangles)

    def frame(self) -> Frame:
        """What each pixel shows, by one ray through its middle."""
        return _frame(self.mi, self.loaded, self.scene, self.triangles)

    def picture(self, *, samples: int = 64, seed: int = 0) -> NDArray[np.uint8]:
        """The lit picture. (height, width, 3), sRGB; samples : rays per pixel; seed : of the noise"""
        strip = np.array(self.mi.render(self.loaded, spp=max(1, samples // _PASSES), seed=seed))
        height, width = self.scene.camera.height, self.scene.camera.width
        passes = strip.reshape(height, _PASSES, width, 3).swapaxes(0, 1)
        light = passes @ np.array([0.2126, 0.7152, 0.0722], np.float32)
        usual = np.partition(light, _PASSES // 2, axis=0)[_PASSES // 2]
        dimming = np.minimum(1.0, (_SPARK * usual + 0.05) / np.maximum(light, 1e-6))
        return _developed(np.einsum("kij,kijc->ijc", dimming, passes) / _PASSES)


def render(
    scene: Scene, *, samples: int = 64, renderer: str = "auto", seed: int = 0
) -> tuple[NDArray[np.uint8], Frame]:
    """Picture and ids of a scene."""
    stage = Set(scene, renderer=renderer)
    return stage.picture(samples=samples, seed=seed), stage.frame()


def _developed(radiance: Floats) -> NDArray[np.uint8]:
    """Film: highlights roll off softly instead of burning out, then the sRGB curve."""
    shoulder = 0.75
    over = np.maximum(radiance - shoulder, 0.0)
    soft = np.where(radiance > shoulder, shoulder + (1 - shoulder) * over / (over + (1 - shoulder)), radiance)
    curve = np.where(soft <= 0.0031308, 12.92 * soft, 1.055 * np.maximum(soft, 1e-9) ** (1 / 2.4) - 0.055)
    developed: NDArray[np.uint8] = (np.clip(curve, 0, 1) * 255 + 0.5).astype(np.uint8)
    return developed


def _loaded(mi: Any, scene: Scene, triangles: Triangles) -> Any:
    """The scene as Mitsuba's."""
    camera = scene.camera
    content: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": _BOUNCES},
        "camera": _strip(mi, camera),
        "objects": _mesh(mi, triangles),
        "sky": {"type": "constant", "radiance": {"type": "rgb", "value": list(scene.sky)}},
    }
    shapes = {f"light{number}": _lamp(mi, light) for number, light in enumerate(scene.lights)}
    shapes |= _setting(mi, scene.setting)
    # Left to Mitsuba, the lamps of a scene come in an order that changes from run to run, and the noise with it.
    content |= {name: mi.load_dict(shape) for name, shape in shapes.items()}
    loaded = mi.load_dict(content)
    _hide_numbers(mi, loaded)
    return loaded


def _hide_numbers(mi: Any, loaded: Any) -> None:
    """Keep a scene's numbers out of the code that is compiled for it, so that the next scene can use the same code."""
    if mi.variant() != VARIANTS["scalar"]:
        import drjit

        parameters = mi.traverse(loaded)
        for name in parameters.keys():  # noqa: SIM118 — iterating itself gives pairs
            drjit.make_opaque(parameters[name])


def _strip(mi: Any, camera: Camera) -> dict[str, Any]:
    """All passes side by side on one film, because every call of the renderer costs as much as the rays of a pass."""
    eye = {
        "type": "perspective",
        "fov": camera.field,
        "fov_axis": "x",
        "near_clip": 0.01,
        "to_world": mi.ScalarTransform4f().look_at(
            origin=list(camera.position), target=list(camera.target), up=[0, 0, 1]
        ),
        "film": {"type": "hdrfilm", "width": camera.width, "height": camera.height},
    }
    return {
        "type": "batch",
        **{f"pass{k}": eye for k in range(_PASSES)},
        "film": {
            "type": "hdrfilm",
            "width": _PASSES * camera.width,
            "height": camera.height,
            "pixel_format": "rgb",
            "component_format": "float32",
            # A wider filter adds samples up in an order that changes from run to run.
            "rfilter": {"type": "box"},
        },
        "sampler": {"type": "multijitter"},
    }


def _mesh(mi: Any, triangles: Triangles) -> Any:
    properties = mi.Properties()
    texture = {name: {"type": "mesh_attribute", "name": f"face_{name}"} for name in ("colour", *triangles.surface)}
    properties["bsdf"] = mi.load_dict(
        {
            "type": "twosided",
            "inner": {
                "type": "principled",
                "base_color": texture["colour"],
                "roughness": texture["roughness"],
                "metallic": texture["metallic"],
                "specular": 0.5,
            },
        }
    )
    mesh = mi.Mesh("objects", len(triangles.vertices), len(triangles.faces), props=properties)
    parameters = mi.traverse(mesh)
    parameters["vertex_positions"] = triangles.vertices.ravel()
    parameters["faces"] = triangles.faces.ravel()
    parameters.update()
    mesh.add_attribute("face_colour", 3, triangles.colour.ravel())
    for name, values in triangles.surface.items():
        mesh.add_attribute(f"face_{name}", 1, values)
    return mesh


def _lamp(mi: Any, light: Light) -> dict[str, Any]:
    towards = np.subtract(light.target, light.position)
    up = [0, 1, 0] if abs(towards[2]) > 0.9 * np.linalg.norm(towards) else [0, 0, 1]
    aim = mi.ScalarTransform4f().look_at(origin=list(light.position), target=list(light.target), up=up)
    return {
        "type": "rectangle",
        "to_world": aim.scale(light.side / 2),
        "emitter": {"type": "area", "radiance": {"type": "rgb", "value": list(light.radiance)}},
    }


def _setting(mi: Any, setting: Any) -> dict[str, Any]:
    """Floor and walls: rectangles that face inwards."""
    turn = mi.ScalarTransform4f
    if not isinstance(setting, Room):
        return {"floor": _wall(mi, setting.ground, turn(), 2 * _GROUND, 2 * _GROUND)}
    width, depth, height = setting.width, setting.depth, setting.height
    back = turn().translate([0, depth / 2, height / 2]).rotate([1, 0, 0], 90)
    left = turn().translate([-width / 2, 0, height / 2]).rotate([0, 0, 1], 90).rotate([1, 0, 0], 90)
    right = turn().translate([width / 2, 0, height / 2]).rotate([0, 0, 1], -90).rotate([1, 0, 0], 90)
    return {
        "floor": _wall(mi, setting.floor, turn(), width, depth),
        "back": _wall(mi, setting.back, back, width, height),
        "left": _wall(mi, setting.left, left, depth, height),
        "right": _wall(mi, setting.right, right, depth, height),
    }


def _wall(mi: Any, surface: Surface, place: Any, across: float, up: float) -> dict[str, Any]:
    scale = [across / 2, up / 2, 1]
    return {"type": "rectangle", "to_world": place.scale(scale), "bsdf": _covering(mi, surface, across, up)}


@lru_cache(maxsize=64)
def _covering(mi: Any, surface: Surface, across: float, up: float) -> Any:
    """How a wall looks, kept because uploading a picture takes longer than placing it."""
    look = look_of(surface.look)
    bitmap = mi.Bitmap(np.ascontiguousarray(linear(texture(surface).astype(np.float64)).astype(np.float32)))
    return mi.load_dict(
        {
            "type": "twosided",
            "inner": {
                "type": "principled",
                "base_color": {
                    "type": "bitmap",
                    "bitmap": bitmap,
                    "raw": True,
                    "to_uv": mi.ScalarTransform4f().scale([across / look["metres"], up / look["metres"], 1]),
                },
                "roughness": look["roughness"],
                "specular": 0.3,
            },
        }
    )


def view_matrix(scene: Scene) -> Floats:
    """(3, 3) float, rows right, up and away from the viewer, world frame."""
    away = np.subtract(scene.camera.target, scene.camera.position)
    away = away / np.linalg.norm(away)
    right = np.cross(away, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(right, away), away])


def _frame(mi: Any, loaded: Any, scene: Scene, triangles: Triangles) -> Frame:
    """One ray through the middle of every pixel."""
    camera = scene.camera
    height, width = camera.height, camera.width
    view = view_matrix(scene)
    half = np.tan(np.radians(camera.field) / 2)
    columns = (2 * (np.arange(width) + 0.5) / width - 1) * half
    rows = (1 - 2 * (np.arange(height) + 0.5) / height) * half * height / width
    across, up = (grid.ravel() for grid in np.meshgrid(columns, rows))
    directions = np.stack([across, up, np.ones_like(up)], 1) @ view
    lengths = np.linalg.norm(directions, axis=1)
    unit = (directions / lengths[:, None]).T.astype(np.float32)
    eye = np.tile(np.asarray(camera.position, np.float32)[:, None], unit.shape[1])
    ray = mi.Ray3f(mi.Point3f(*eye), mi.Vector3f(*(np.ascontiguousarray(row) for row in unit)))
    hit = loaded.ray_intersect_preliminary(ray)
    surface = hit.compute_surface_interaction(ray)
    valid = np.array(hit.is_valid())
    objects = next(shape for shape in loaded.shapes() if shape.id() == "objects")
    on_object = valid & np.array(hit.shape == mi.ShapePtr(objects))
    face = np.where(on_object, np.array(hit.prim_index), 0).astype(np.int64)
    distance = np.array(hit.t)
    grid = (height, width)
    return Frame(
        depth=np.where(valid, distance / lengths, np.inf).astype(np.float32).reshape(grid),
        object=np.where(on_object, triangles.object[face], -1).astype(np.int32).reshape(grid),
        part=np.where(on_object, triangles.part[face], -1).astype(np.int32).reshape(grid),
        normal=np.where(valid[:, None], np.array(surface.n).T, 0).astype(np.float32).reshape(*grid, 3),
    )
