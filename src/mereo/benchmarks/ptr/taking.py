"""Taking the picture of a PTR scene, in which every color is to be read as what it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.scenes import Shown
from mereo.benchmarks.ptr.seen_colors import better_painted, misread, rendered_colors
from mereo.datasets.picture_settings import PictureSettings
from mereo.scenes.render import Frame, Set
from mereo.scenes.scene import Scene

__all__ = ["Taken", "taken"]

_PAINT = NUMBERS["paint"]


class Taken(NamedTuple):
    """A scene as it is painted in its picture, and the picture where one was taken."""

    shown: Shown
    stage: Set | None = None
    picture: NDArray[np.uint8] | None = None
    unread: Sequence[Mapping[str, str]] = ()
    """For each object the names of parts that look like another color than theirs, and which."""


def taken(shown: Shown, view: PictureSettings, *, noise: int, rng: np.random.Generator | None = None) -> Taken:
    """Take the picture; parts whose color the light turns into another are painted anew before.

    How colors look is seen at a glance, which takes a small part of the time of a picture.

    rng : for the new colors; without it all stays as it is painted
    """
    scene, frame = shown
    stage = Set(scene, renderer=view.renderer)
    if rng is not None:
        scene = _readably_painted(scene, frame, stage, noise, rng)
    picture = view.picture(stage, noise=noise)
    unread = misread(scene, rendered_colors(scene, frame, picture))
    return Taken(Shown(scene, frame), stage, picture, unread)


def _readably_painted(scene: Scene, frame: Frame, stage: Set, noise: int, rng: np.random.Generator) -> Scene:
    """The scene with other colors where they would be misread, also on the stage."""
    for _ in range(_PAINT["anew"]):
        seen = rendered_colors(scene, frame, stage.glance(samples=_PAINT["glance"], seed=noise))
        better = better_painted(scene, seen, misread(scene, seen), rng)
        if better is scene:
            break
        scene = better
        stage.repaint(scene)
    return scene
