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
from mereo.scenes.render import Set

__all__ = ["Taken", "taken"]


class Taken(NamedTuple):
    """A scene as it is painted in its picture, and the picture where one was taken."""

    shown: Shown
    stage: Set | None = None
    picture: NDArray[np.uint8] | None = None
    unread: Sequence[Mapping[str, str]] = ()
    """For each object the names of parts that look like another color than theirs, and which."""


def taken(shown: Shown, view: PictureSettings, *, noise: int, rng: np.random.Generator | None = None) -> Taken:
    """Take the picture; parts whose color the light turns into another are painted anew, and it is taken again.

    rng : for the new colors; without it all stays as it is painted
    """
    scene, frame = shown
    for more in reversed(range(1 + NUMBERS["paint"]["anew"])):
        stage = Set(scene, renderer=view.renderer)
        picture = view.picture(stage, noise=noise)
        seen = rendered_colors(scene, frame, picture)
        unread = misread(scene, seen)
        better = better_painted(scene, seen, unread, rng) if rng is not None and more else scene
        if better is scene:
            break
        scene = better
    return Taken(Shown(scene, frame), stage, picture, unread)
