"""What each pixel's middle shows: one exact ray per pixel over the same triangles that are lit for the picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.scenes.assemble import Triangles
from mereo.scenes.renderer import VARIANTS
from mereo.scenes.scene import Camera, Scene
from mereo.shapes.mesh import Floats

__all__ = ["Amodal", "Frame", "amodal_of", "bare_mesh", "frame_of", "view_matrix"]

Mask = NDArray[np.bool_]
Single = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Frame:
    """What each pixel's middle shows. Glass counts as what it is the glass of, not as what shines through it."""

    depth: NDArray[np.float32]
    """(height, width), meters along the view axis; infinite where there is nothing."""
    object: NDArray[np.int32]
    """(height, width), the place in `scene.objects`; -1 for walls, floor and nothing."""
    part: NDArray[np.int32]
    """(height, width), the leaf's id within its shape; -1 where there is no object."""
    normal: NDArray[np.float32]
    """(height, width, 3), unit, world frame; zero where there is nothing."""


@dataclass(frozen=True, eq=False)
class Amodal:
    """What each object and part would cover if nothing else stood in front of it, as far as the picture reaches."""

    objects: tuple[Mask, ...]
    """For each object (height, width)."""
    parts: tuple[dict[int, Mask], ...]
    """For each object its leaves by id, each as if it were there alone."""


class _Hits(NamedTuple):
    """What rays meet first."""

    anything: Mask
    """(n,)"""
    object: Mask
    """(n,), whether it is the objects' mesh."""
    face: NDArray[np.int64]
    """(n,), the face of that mesh, 0 where it is something else."""
    distance: Single
    """(n,), meters along the ray."""
    normal: Single
    """(n, 3), of the surface, world frame."""


def view_matrix(scene: Scene) -> Floats:
    """(3, 3) float, rows right, up and away from the viewer, world frame."""
    return _view(scene.camera)


@lru_cache(maxsize=16)
def _view(camera: Camera) -> Floats:
    away = np.subtract(camera.target, camera.position)
    away = away / np.linalg.norm(away)
    right = np.cross(away, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    view = np.stack([right, np.cross(right, away), away])
    view.flags.writeable = False
    return view


def frame_of(mi: Any, loaded: Any, scene: Scene, triangles: Triangles) -> Frame:
    """One ray through the middle of every pixel of Mitsuba's scene."""
    height, width = scene.camera.height, scene.camera.width
    unit, lengths = _rays(scene, slice(0, width), slice(0, height))
    hits = _cast(mi, loaded, scene, unit)
    grid = (height, width)
    return Frame(
        depth=np.where(hits.anything, hits.distance / lengths, np.inf).astype(np.float32).reshape(grid),
        object=np.where(hits.object, triangles.object[hits.face], -1).astype(np.int32).reshape(grid),
        part=np.where(hits.object, triangles.part[hits.face], -1).astype(np.int32).reshape(grid),
        normal=np.where(hits.anything[:, None], hits.normal, 0).astype(np.float32).reshape(*grid, 3),
    )


def amodal_of(mi: Any, scene: Scene, triangles: Triangles) -> Amodal:
    """The rays of the frame once more for each part, which is all there is to meet.

    What a ray hits in the whole scene it also hits here, because the triangles and the arithmetic are the same: an
    amodal mask holds all of the visible one, to the pixel.
    """
    shape = (scene.camera.height, scene.camera.width)
    parts: tuple[dict[int, Mask], ...] = tuple({} for _ in scene.objects)
    for number, part in np.unique(np.stack([triangles.object, triangles.part], 1), axis=0).tolist():
        faces = triangles.faces[(triangles.object == number) & (triangles.part == part)]
        used, own = np.unique(faces, return_inverse=True)
        corners = triangles.vertices[used]
        mask = parts[number][part] = np.zeros(shape, np.bool_)
        columns, rows = _reach(scene, corners)
        unit, _ = _rays(scene, columns, rows)
        if len(unit):
            alone = mi.load_dict({"type": "scene", "objects": bare_mesh(mi, corners, own.reshape(-1, 3))})
            mask[rows, columns] = _meets(mi, alone, scene, unit).reshape(mask[rows, columns].shape)
    objects = tuple(np.any([*own.values()], axis=0) for own in parts)
    return Amodal(objects, parts)


def _rays(scene: Scene, columns: slice, rows: slice) -> tuple[Single, Floats]:
    """Unit directions (n, 3) through pixels' middles, row by row, and the length (n,) of each at one meter's depth."""
    camera = scene.camera
    half = np.tan(np.radians(camera.field) / 2)
    right = (2 * (np.arange(camera.width)[columns] + 0.5) / camera.width - 1) * half
    above = (1 - 2 * (np.arange(camera.height)[rows] + 0.5) / camera.height) * half * camera.height / camera.width
    across, up = (grid.ravel() for grid in np.meshgrid(right, above))
    # Not as a product of matrices, which wakes a thread on every core to do less than it takes to wake them.
    directions = np.stack([across * x + up * y + z for x, y, z in view_matrix(scene).T], 1)
    lengths = np.sqrt(across**2 + up**2 + 1)
    return (directions / lengths[:, None]).astype(np.float32), lengths


def _reach(scene: Scene, corners: Single) -> tuple[slice, slice]:
    """Columns and rows in which triangles with these corners can show; all of them where one is beside the camera."""
    camera = scene.camera
    seen = (corners.astype(np.float64) - camera.position) @ view_matrix(scene).T
    if seen[:, 2].min() < 1e-3:
        return slice(0, camera.width), slice(0, camera.height)
    scale = camera.width / 2 / np.tan(np.radians(camera.field) / 2)
    places = (
        (camera.width, camera.width / 2 + scale * seen[:, 0] / seen[:, 2]),
        (camera.height, camera.height / 2 - scale * seen[:, 1] / seen[:, 2]),
    )
    first, second = (
        slice(int(np.clip(np.floor(place.min()) - 1, 0, size)), int(np.clip(np.ceil(place.max()) + 1, 0, size)))
        for size, place in places
    )
    return first, second


def bare_mesh(
    mi: Any,
    vertices: NDArray[Any],
    faces: NDArray[Any],
    *,
    texture_places: Floats | None = None,
    normals: NDArray[Any] | None = None,
    bsdf: Any = None,
) -> Any:
    """Triangles as Mitsuba's.

    vertices : (n, 3); faces : (m, 3); texture_places : (n, 2), how far along the picture; normals : (n, 3), for shading
    """
    properties = mi.Properties()
    if bsdf is not None:
        properties["bsdf"] = bsdf
    mesh = mi.Mesh(
        "",
        len(vertices),
        len(faces),
        has_vertex_normals=normals is not None,
        has_vertex_texcoords=texture_places is not None,
        props=properties,
    )
    parameters = mi.traverse(mesh)
    parameters["vertex_positions"] = np.ascontiguousarray(vertices, np.float32).ravel()
    parameters["faces"] = np.ascontiguousarray(faces, np.uint32).ravel()
    if texture_places is not None:
        parameters["vertex_texcoords"] = np.ascontiguousarray(texture_places, np.float32).ravel()
    if normals is not None:
        parameters["vertex_normals"] = np.ascontiguousarray(normals, np.float32).ravel()
    parameters.update()
    return mesh


def _meets(mi: Any, loaded: Any, scene: Scene, unit: Single) -> Mask:
    """(n,): whether rays from the camera meet anything. unit : (n, 3), directions"""
    if mi.variant() == VARIANTS["scalar"]:
        return _cast_one_by_one(mi, loaded, scene, unit).anything
    return np.array(loaded.ray_intersect_preliminary(_from_camera(mi, scene, unit)).is_valid())


def _from_camera(mi: Any, scene: Scene, unit: Single) -> Any:
    """Rays in one piece: how each array of numpy's lies in memory would otherwise be part of the compiled code."""
    import drjit

    eye = mi.Point3f(*(drjit.opaque(mi.Float, value) for value in scene.camera.position))
    return mi.Ray3f(eye, drjit.unravel(mi.Vector3f, mi.Float(unit.ravel())))


def _cast(mi: Any, loaded: Any, scene: Scene, unit: Single) -> _Hits:
    """What rays from the camera meet first. unit : (n, 3), directions"""
    if mi.variant() == VARIANTS["scalar"]:
        return _cast_one_by_one(mi, loaded, scene, unit)
    import drjit

    ray = _from_camera(mi, scene, unit)
    hit = loaded.ray_intersect_preliminary(ray)
    normal = hit.compute_surface_interaction(ray).n
    shape = drjit.reinterpret_array(mi.UInt32, hit.shape)
    drjit.eval(hit.t, hit.prim_index, shape, normal)  # all at once; one by one each would cast the rays again
    distance = np.array(hit.t)
    anything = np.isfinite(distance)
    # Compared here, because Mitsuba's number of the mesh differs from scene to scene and would be part of the code.
    objects = mi.ShapePtr(next(own for own in loaded.shapes() if own.id() == "objects"))
    on_object = anything & (np.array(shape) == np.array(drjit.reinterpret_array(mi.UInt32, objects)))
    face = np.where(on_object, np.array(hit.prim_index), 0).astype(np.int64)
    return _Hits(anything, on_object, face, distance, np.array(normal).T)


def _cast_one_by_one(mi: Any, loaded: Any, scene: Scene, unit: Single) -> _Hits:
    """The same for the variant that knows no arrays."""
    count = len(unit)
    hits = _Hits(
        np.zeros(count, np.bool_),
        np.zeros(count, np.bool_),
        np.zeros(count, np.int64),
        np.zeros(count, np.float32),
        np.zeros((count, 3), np.float32),
    )
    origin = mi.Point3f(*scene.camera.position)
    for place, direction in enumerate(unit.tolist()):
        ray = mi.Ray3f(origin, mi.Vector3f(*direction))
        hit = loaded.ray_intersect_preliminary(ray)
        if hit.is_valid():
            hits.anything[place] = True
            hits.object[place] = hit.shape.id() == "objects"
            hits.face[place] = hit.prim_index if hits.object[place] else 0
            hits.distance[place] = hit.t
            hits.normal[place] = np.array(hit.compute_surface_interaction(ray).n)
    return hits
