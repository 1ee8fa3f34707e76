"""Pictures of scenes with Mitsuba 3, and the exact pass that says what each pixel shows.

The objects are one mesh with color and material per face, and walls and lamps always come in the same order, so that
the code which Mitsuba compiles for the first scene serves all that follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mereo.scenes.assemble import Triangles, assemble, linear
from mereo.scenes.denoise import denoised
from mereo.scenes.frame import Amodal, Frame, amodal_of, bare_mesh, frame_of, view_matrix
from mereo.scenes.guides import Guides, guides_of
from mereo.scenes.lamps import upward_of
from mereo.scenes.renderer import VARIANTS, mitsuba_with, rendering
from mereo.scenes.scene import Camera, Light, Room, Scene, Stage, Surface, TableTop
from mereo.scenes.setting import STAGE_SIDE, Panel, panels
from mereo.scenes.shading import shaded
from mereo.scenes.textures import look_of, texture_bytes
from mereo.shapes.mesh import Floats

__all__ = ["Amodal", "Frame", "Set", "developed", "objects_frame", "render", "view_matrix"]

_BOUNCES = 5
_SURE = 3
"""Bounces before a path that carries little light may be ended by chance: a sixth of the time for a little grain."""
_SKY = 0.25
"""How often the sky is asked for light, as a share of what its light would deserve: most paths find it anyway."""
_DARK = 1e-6
"""What weighs nothing cannot be weighed against what weighs nothing, in the dark."""
_PASSES = 8
"""A picture is the mean of this many, and a pixel that is far brighter in one of them is a stray spark."""
_SPARK = 1.35
_SAMPLER = {"type": "multijitter"}
_BRIGHTNESS = np.array([0.2126, 0.7152, 0.0722], np.float32)
"""Of red, green and blue."""
_SQUARE = np.array([[0, 1, 2], [0, 2, 3]], np.uint32)
"""The faces of a panel."""


class Set:
    """A scene built up before the camera: ids can be read and pictures taken."""

    @rendering()
    def __init__(self, scene: Scene, *, renderer: str = "auto"):
        self.scene, self.triangles, self.mi = scene, assemble(scene), mitsuba_with(renderer)
        self.loaded = _loaded(self.mi, scene, self.triangles)

    @rendering()
    def repaint(self, scene: Scene) -> None:
        """Change the colors of objects to those of a scene that is otherwise the same; all else stays built up."""
        self.scene, self.triangles = scene, assemble(scene)
        parameters = self.mi.traverse(self.loaded)
        parameters["objects.face_color"] = self.triangles.color.ravel()
        if self.triangles.transmission.any():
            parameters["objects.face_tint"] = np.sqrt(self.triangles.color).ravel()
        parameters.update()

    @rendering()
    def frame(self) -> Frame:
        """What each pixel shows, by one ray through its middle."""
        return frame_of(self.mi, self.loaded, self.scene, self.triangles)

    @rendering()
    def amodal(self) -> Amodal:
        """What each object and part would show if it stood alone."""
        return amodal_of(self.mi, self.scene, self.triangles)

    @rendering()
    def radiance(self, *, samples: int, seed: int) -> NDArray[np.float32]:
        """(height, width, 3), linear light with all its grain: all rays of a pixel together, which strews them best."""
        return self._seen_by(_eye(self.mi, self.scene.camera), samples=samples, seed=seed)

    @rendering()
    def guides(self) -> Guides:
        """The colors and directions of what is seen."""
        return guides_of(self.mi, self.loaded, self.scene)

    @rendering()
    def picture(self, *, samples: int = 64, seed: int = 0, denoise: bool = False) -> NDArray[np.uint8]:
        """The lit picture. (height, width, 3), sRGB; samples : rays per pixel; seed : of the noise

        denoise : whether to take out the grain, which only works where `denoise.denoiser_obstacle` knows of none
        """
        if denoise:
            # Sparks stay in: the denoiser knows them, and dimming takes light away where there are few rays.
            clean = denoised(self.radiance(samples=samples, seed=seed), self.guides())
            return developed(clean.astype(np.float64))
        strip = self._seen_by(_strip(self.mi, self.scene.camera), samples=max(1, samples // _PASSES), seed=seed)
        height, width = self.scene.camera.height, self.scene.camera.width
        passes = strip.reshape(height, _PASSES, width, 3).swapaxes(0, 1)
        light = passes @ _BRIGHTNESS
        usual = np.partition(light, _PASSES // 2, axis=0)[_PASSES // 2]
        dimming = np.minimum(1.0, (_SPARK * usual + 0.05) / np.maximum(light, 1e-6))
        return developed(np.einsum("kij,kijc->ijc", dimming, passes) / _PASSES)

    @rendering()
    def glance(self, *, samples: int, seed: int) -> NDArray[np.uint8]:
        """A quick picture, full of grain: enough to see the mean color of what covers many pixels."""
        return developed(self.radiance(samples=samples, seed=seed).astype(np.float64))

    def _seen_by(self, camera: dict[str, Any], *, samples: int, seed: int) -> NDArray[np.float32]:
        eye = self.mi.load_dict(camera, parallel=False)
        _hide_numbers(self.mi, eye)
        return np.array(self.mi.render(self.loaded, sensor=eye, spp=samples, seed=seed))


@rendering()
def objects_frame(scene: Scene, *, renderer: str = "auto") -> Frame:
    """What each pixel shows of the objects alone: without walls, lamps and looks it takes half as long as a `Set`."""
    mi, triangles = mitsuba_with(renderer), assemble(scene)
    loaded = mi.load_dict({"type": "scene", "objects": bare_mesh(mi, triangles.vertices, triangles.faces)})
    return frame_of(mi, loaded, scene, triangles)


def render(
    scene: Scene, *, samples: int = 64, renderer: str = "auto", seed: int = 0
) -> tuple[NDArray[np.uint8], Frame]:
    """Picture and ids of a scene."""
    stage = Set(scene, renderer=renderer)
    return stage.picture(samples=samples, seed=seed), stage.frame()


def developed(radiance: Floats) -> NDArray[np.uint8]:
    """A picture of linear light. Like film: highlights roll off softly instead of burning out, then the sRGB curve."""
    shoulder = 0.75
    over = np.maximum(radiance - shoulder, 0.0)
    soft = np.where(radiance > shoulder, shoulder + (1 - shoulder) * over / (over + (1 - shoulder)), radiance)
    curve = np.where(soft <= 0.0031308, 12.92 * soft, 1.055 * np.maximum(soft, 1e-9) ** (1 / 2.4) - 0.055)
    return (np.clip(curve, 0, 1) * 255 + 0.5).astype(np.uint8)


def _loaded(mi: Any, scene: Scene, triangles: Triangles) -> Any:
    """The scene as Mitsuba's."""
    glazed = bool(triangles.transmission.any())
    # Behind glass the sky is found by asking alone, so there it is asked as often as its light deserves.
    sky = max((1.0 if glazed else _SKY) * np.pi * _luminance(scene.sky), _DARK)
    content: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": _BOUNCES, "rr_depth": _SURE},
        "objects": _mesh(mi, triangles, glazed=glazed),
        "sky": {
            "type": "constant",
            "radiance": {"type": "rgb", "value": list(scene.sky)},
            "sampling_weight": sky,
        },
    }
    if glazed:
        # Scenes without glass keep their simpler code: there are two kinds of it, not a slow one for all.
        content["integrator"] = _through_glass(mi)
    # Left to Mitsuba, the lamps of a scene come in an order that changes from run to run, and the noise with it.
    content |= {f"light{number}": mi.load_dict(_lamp(mi, light)) for number, light in enumerate(scene.lights)}
    content |= _walls(mi, scene.setting)
    # In order: what is numbered by chance would be part of the code by chance.
    loaded = mi.load_dict(content, parallel=False)
    _hide_numbers(mi, loaded)
    return loaded


def _hide_numbers(mi: Any, loaded: Any) -> None:
    """Keep a scene's numbers out of the code that is compiled for it, so that the next scene can use the same code."""
    if mi.variant() != VARIANTS["scalar"]:
        import drjit

        # All at once: one by one each would be a program of its own, and a GPU runs them one after the other.
        drjit.make_opaque([value for _, value in mi.traverse(loaded)])


def _strip(mi: Any, camera: Camera) -> dict[str, Any]:
    """All passes side by side on one film, because every call of the renderer costs as much as the rays of a pass."""
    passes = {f"pass{k}": _eye(mi, camera) for k in range(_PASSES)}
    return {"type": "batch", **passes, "film": _film(camera, passes=_PASSES), "sampler": _SAMPLER}


def _eye(mi: Any, camera: Camera) -> dict[str, Any]:
    """One film for all rays."""
    return {
        "type": "perspective",
        "fov": camera.field,
        "fov_axis": "x",
        "near_clip": 0.01,
        "to_world": mi.ScalarTransform4f().look_at(
            origin=list(camera.position), target=list(camera.target), up=[0, 0, 1]
        ),
        "sampler": _SAMPLER,
        "film": _film(camera, passes=1),
    }


def _film(camera: Camera, *, passes: int) -> dict[str, Any]:
    return {
        "type": "hdrfilm",
        "width": passes * camera.width,
        "height": camera.height,
        "pixel_format": "rgb",
        "component_format": "float32",
        # A wider filter adds samples up in an order that changes from run to run.
        "rfilter": {"type": "box"},
    }


def _mesh(mi: Any, triangles: Triangles, *, glazed: bool) -> Any:
    attributes = {"color": triangles.color, **triangles.surface}
    if glazed:
        attributes |= {"transmission": triangles.transmission, "tint": np.sqrt(triangles.color)}
    smooth = shaded(triangles.vertices, triangles.faces)
    covering = mi.load_dict(_blend() if glazed else _opaque())
    mesh = bare_mesh(mi, smooth.vertices, smooth.faces, normals=smooth.normals, bsdf=covering)
    for name, values in attributes.items():
        mesh.add_attribute(f"face_{name}", values.size // len(values), values.ravel())
    return mesh


def _through_glass(mi: Any) -> Any:
    """How light is gathered where there is glass."""
    if mi.variant() == VARIANTS["scalar"]:
        return {"type": "path", "max_depth": 12}  # this variant knows no arrays: right, but with sparks
    from mereo.scenes.glass import ThroughGlass

    return ThroughGlass()


def _of_face(name: str) -> dict[str, Any]:
    return {"type": "mesh_attribute", "name": f"face_{name}"}


def _opaque() -> dict[str, Any]:
    return {
        "type": "twosided",
        "inner": {
            "type": "principled",
            "base_color": _of_face("color"),
            "roughness": _of_face("roughness"),
            "metallic": _of_face("metallic"),
            "specular": 0.5,
        },
    }


def _blend() -> dict[str, Any]:
    """Each face is either opaque or glass."""
    glass = {"type": "dielectric", "int_ior": 1.5, "specular_transmittance": _of_face("tint")}
    return {"type": "blendbsdf", "weight": _of_face("transmission"), "opaque": _opaque(), "glass": glass}


def _lamp(mi: Any, light: Light) -> dict[str, Any]:
    towards = np.subtract(light.target, light.position)
    aim = mi.ScalarTransform4f().look_at(
        origin=list(light.position), target=list(light.target), up=list(upward_of(light))
    )
    emitter = {
        "type": "area",
        "radiance": {"type": "rgb", "value": list(light.radiance)},
        # What it sheds on where it is aimed: a lamp that gives more is asked for light more often.
        "sampling_weight": float(_luminance(light.radiance) * light.side**2 / (towards @ towards)),
    }
    return {"type": "rectangle", "to_world": aim.scale(light.side / 2), "emitter": emitter}


def _luminance(light: Sequence[float]) -> float:
    """How bright linear RGB looks."""
    return float(np.dot(_BRIGHTNESS, light))


def _walls(mi: Any, setting: Room | Stage | TableTop) -> dict[str, Any]:
    """What a scene stands on and before.

    Panels are meshes whose corners say how often the picture repeats. Mitsuba's own rectangle leaves that to its
    covering, where it is a number of the compiled code, and every other room would be compiled anew. A stage's ground
    is always the same, so there it serves, and is faster.
    """
    if isinstance(setting, Stage):
        repeats = STAGE_SIDE / look_of(setting.ground.look)["meters"]
        side = mi.ScalarTransform4f().scale([STAGE_SIDE / 2, STAGE_SIDE / 2, 1])
        ground = {"type": "rectangle", "to_world": side, "bsdf": _covering(mi, setting.ground, repeats)}
        return {"floor": mi.load_dict(ground)}
    return {name: _wall(mi, panel) for name, panel in panels(setting).items()}


def _wall(mi: Any, panel: Panel) -> Any:
    edges = np.linalg.norm([panel.across, panel.up], axis=1)
    repeats = panel.square() * edges / look_of(panel.surface.look)["meters"]
    return bare_mesh(mi, panel.corners(), _SQUARE, texture_places=repeats, bsdf=_covering(mi, panel.surface))


@lru_cache(maxsize=1)
def _covering(mi: Any, surface: Surface, repeats: float = 1.0) -> Any:
    """How a panel looks. repeats : how often, where its corners do not say

    The last is kept because a stage has the same one in every scene. More would not pay: whatever covering is alive
    becomes part of every picture's code, and uploading one takes a few milliseconds.
    """
    bitmap = mi.Bitmap(np.take(_LINEAR, texture_bytes(surface)))  # three times as fast as an index
    return mi.load_dict(
        {
            "type": "twosided",
            "inner": {
                "type": "principled",
                "base_color": {
                    "type": "bitmap",
                    "bitmap": bitmap,
                    "raw": True,
                    "to_uv": mi.ScalarTransform4f().scale([repeats, repeats, 1]),
                },
                "roughness": look_of(surface.look)["roughness"],
                "specular": 0.3,
            },
        }
    )


_LINEAR = linear(np.arange(256) / 255).astype(np.float32)
"""Linear light by sRGB byte."""
