"""All the triangles of a scene in one piece, each with what it belongs to and what it looks like."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from mereo import chance
from mereo.errors import UnknownName
from mereo.files import read_toml
from mereo.scenes.scene import Placed, Pose, Scene, ShapeRef, rotation_matrix
from mereo.shapes import grammar
from mereo.shapes.articulation import posed
from mereo.shapes.grammar import is_our_grammar
from mereo.shapes.mesh import Floats
from mereo.shapes.own import own_shape
from mereo.shapes.part import Shape
from mereo.shapes.plain import plain_shape, shape_of_plain
from mereo.stock import code_digits, stocked

__all__ = ["Triangles", "all_materials", "assemble", "kept_of", "lab", "linear", "pose_matrix", "shape_of"]


@dataclass(frozen=True, eq=False)
class Triangles:
    """The surface of all objects."""

    vertices: NDArray[np.float32]
    """(n, 3), meters, world frame."""
    faces: NDArray[np.uint32]
    """(m, 3), indices of vertices."""
    object: NDArray[np.int32]
    """(m,), the place in `scene.objects` of what a face belongs to."""
    part: NDArray[np.int32]
    """(m,), the id of the leaf within its shape."""
    color: NDArray[np.float32]
    """(m, 3), linear RGB."""
    surface: dict[str, NDArray[np.float32]]
    """(m,) each: roughness and metallic."""
    transmission: NDArray[np.float32]
    """(m,): 1 for glass, whose color is what it leaves of white light that goes in and out again; else 0."""


@cache
def all_materials() -> dict[str, dict[str, float]]:
    """How every material looks."""
    return read_toml(Path(__file__).with_name("materials.toml"))


@lru_cache(maxsize=512)
def shape_of(reference: ShapeRef) -> Shape:
    """The shape that a reference stands for, its parts moved as the reference says."""
    if reference.joints:
        return posed(shape_of(reference.opened({})), dict(reference.joints))
    if reference.own:
        return own_shape(reference.own)
    return shape_of_plain(kept_of(reference, "shape", lambda: plain_shape(_made(reference))))


def kept_of(reference: ShapeRef, name: str, make: Callable[[], Any], *, code: Path | None = None) -> Any:
    """What follows from a shape alone, as a plain value: worked out once and kept in the stock.

    name : what it is; make : works it out; code : the folder in which that is written, where it is not that of shapes

    Own shapes, and those of grammars that other packages bring, may change without our knowing. They are worked out
    anew by every process.
    """
    if reference.own or not is_our_grammar(reference.category):
        return make()
    shapes = Path(grammar.__file__).parent
    digits = code_digits(shapes, Path(chance.__file__), *([code] if code else []))
    told = f"{name} {msgspec.json.encode(reference).decode()}"
    return stocked("shapes", told, make, code=digits)


def _made(reference: ShapeRef) -> Shape:
    return grammar.make_shape(
        reference.category,
        seed=reference.seed,
        split=reference.split,
        family=reference.family,
        instance=reference.instance,
    )


def linear(color: tuple[float, float, float] | Floats) -> Floats:
    """Linear RGB of an sRGB color, both from 0 to 1."""
    value = np.asarray(color, np.float64)
    straight: Floats = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return straight


_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
_WHITE = _TO_XYZ.sum(1)


def lab(light: Floats) -> Floats:
    """(..., 3) float: CIELAB, where equal steps look equal, of linear RGB from 0 to 1, under daylight."""
    share = light @ _TO_XYZ.T / _WHITE
    root = np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116)
    x, y, z = np.moveaxis(root, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)


def pose_matrix(pose: Pose, scale: float = 1.0) -> Floats:
    """(4, 4) float: from a shape's own frame to the world."""
    matrix = np.eye(4)
    matrix[:3, :3] = scale * rotation_matrix(pose.rotation)
    matrix[:3, 3] = pose.position
    return matrix


def assemble(scene: Scene) -> Triangles:
    """The triangles of all objects of a scene."""
    rows: list[dict[str, Any]] = []
    start = 0
    for number, placed in enumerate(scene.objects):
        for row in _leaves(placed, number):
            row["faces"] = row["faces"] + start
            start += len(row["vertices"])
            rows.append(row)
    if not rows:
        raise ValueError("a scene has at least one object")

    def column(name: str, dtype: type) -> NDArray[Any]:
        return np.concatenate([row[name] for row in rows]).astype(dtype)

    return Triangles(
        vertices=column("vertices", np.float32),
        faces=column("faces", np.uint32),
        object=column("object", np.int32),
        part=column("part", np.int32),
        color=column("color", np.float32),
        surface={name: column(name, np.float32) for name in ("roughness", "metallic")},
        transmission=column("transmission", np.float32),
    )


def _leaves(placed: Placed, number: int) -> list[dict[str, Any]]:
    matrix = pose_matrix(placed.pose, placed.scale)
    rows = []
    for leaf in shape_of(placed.shape).leaves():
        assert leaf.mesh is not None
        paint = placed.paint(leaf.label)
        materials = all_materials()
        if paint.material not in materials:
            raise UnknownName("material", paint.material, materials)
        material = materials[paint.material]
        count = len(leaf.mesh.faces)
        rows.append(
            {
                "vertices": leaf.mesh.vertices @ matrix[:3, :3].T + matrix[:3, 3],
                "faces": leaf.mesh.faces.astype(np.int64),
                "object": np.full(count, number),
                "part": np.full(count, leaf.id),
                "color": np.tile(linear(paint.color), (count, 1)),
                **{name: np.full(count, material[name]) for name in ("roughness", "metallic")},
                "transmission": np.full(count, material.get("transmission", 0.0)),
            }
        )
    return rows
