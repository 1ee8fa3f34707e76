"""What a denoiser is led by: the color and the direction of the surface that each pixel shows, without any light."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.scenes.frame import view_matrix
from mereo.scenes.scene import Scene

__all__ = ["Guides", "guides_of"]

_RAYS = 8
"""Of a pixel. Each goes through a column and a row of its own, so that borders are as soft as in the picture."""


class Guides(NamedTuple):
    """What each pixel shows, the mean of its rays."""

    albedo: NDArray[np.float32]
    """(height, width, 3), 0 to 1; 0 for glass, which has no color of its own."""
    normal: NDArray[np.float32]
    """(height, width, 3), world frame; zero where there is nothing."""


def guides_of(mi: Any, loaded: Any, scene: Scene) -> Guides:
    """Look once at Mitsuba's scene, which is one of the variants that know arrays."""
    import drjit as dr

    height, width = scene.camera.height, scene.camera.width
    ray = _rays(mi, dr, scene)
    hit = loaded.ray_intersect(ray)
    values = (hit.bsdf(ray).eval_diffuse_reflectance(hit), hit.sh_frame.n)
    channels = [channel for value in values for channel in dr.select(hit.is_valid(), value, 0)]
    dr.eval(channels)  # all at once; summed one by one, each would cast the rays again
    sums = [np.array(dr.block_reduce(dr.ReduceOp.Add, channel, _RAYS), np.float32) for channel in channels]
    means = (np.stack(sums, 1) / np.float32(_RAYS)).reshape(height, width, 6)
    return Guides(means[..., :3], means[..., 3:])


def _rays(mi: Any, dr: Any, scene: Scene) -> Any:
    """Rays from the camera, those of a pixel one after the other."""
    camera = scene.camera
    number = dr.arange(mi.UInt32, camera.width * camera.height * _RAYS)
    pixel, among = number // _RAYS, number % _RAYS
    turned = ((among & 1) << 2) | (among & 2) | (among >> 2)
    column = mi.Float(pixel % camera.width) + (mi.Float(among) + 0.5) / _RAYS
    row = mi.Float(pixel // camera.width) + (mi.Float(turned) + 0.5) / _RAYS
    half = float(np.tan(np.radians(camera.field) / 2))
    across = (2 * column / camera.width - 1) * dr.opaque(mi.Float, half)
    above = (1 - 2 * row / camera.height) * dr.opaque(mi.Float, half * camera.height / camera.width)
    # Numbers of a scene are hidden, so that the code compiled for one serves the next.
    right, up, away = (mi.Vector3f(*(dr.opaque(mi.Float, x) for x in axis)) for axis in view_matrix(scene).tolist())
    eye = mi.Point3f(*(dr.opaque(mi.Float, x) for x in camera.position))
    return mi.Ray3f(eye, dr.normalize(across * right + above * up + away))
