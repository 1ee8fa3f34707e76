"""How near pictures with few rays come to one with very many, with their grain and without it, and what they take.

    python bench/denoise.py [--rooms 8] [--truth 4096] [--renderer cuda]

The truth is the light of many rays in a PTR room, 480x320, with every spark in it. How near is PSNR in decibels over
sRGB bytes, the median of all rooms; three more decibels are half the error. Beside it stands the worst mean color of a
part that is seen with 100 pixels or more, as a share of white, and the seconds of a picture, with guides and denoising
where it has them.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np
from numpy.typing import NDArray

from measure import options, save, spread
from mereo.benchmarks.ptr.scenes import Wanted, ordinary_scene
from mereo.chance import generator
from mereo.scenes.denoise import denoiser_obstacle
from mereo.scenes.frame import Frame
from mereo.scenes.render import Set, developed
from mereo.scenes.renderer import choose_renderer

Picture = NDArray[np.uint8]
KINDS = [(samples, False) for samples in (16, 64, 256)] + [(samples, True) for samples in (16, 20, 30, 64)]
NEAR, SECONDS = "how near pictures come to the truth", "seconds of a picture"
PLAIN = "256 rays with their grain"
_SEEN = 100
_AT_ONCE = 512


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, default=8)
    parser.add_argument("--truth", type=int, default=4096)
    parser.add_argument("--renderer", default="auto")
    given = options(parser)
    if given.quick:
        given.rooms, given.truth = 1, 64
    renderer = choose_renderer(given.renderer)
    reason = denoiser_obstacle()
    kinds = [kind for kind in KINDS if reason is None or not kind[1]]
    if reason is not None:
        print(f"only with grain: {reason}", file=sys.stderr)
    size = (60, 40) if given.quick else (480, 320)
    near: dict[tuple[int, bool], list[float]] = {kind: [] for kind in kinds}
    off: dict[tuple[int, bool], list[float]] = {kind: [] for kind in kinds}
    seconds: dict[tuple[int, bool], list[float]] = {kind: [] for kind in kinds}
    for number in range(given.rooms):
        room = ordinary_scene(Wanted("train", 0, (), *size, renderer), generator(0, "denoise", number)).scene
        stage = Set(room, renderer=renderer)
        frame, times = stage.frame(), max(1, given.truth // _AT_ONCE)
        many = [stage.radiance(samples=min(given.truth, _AT_ONCE), seed=1 + k) for k in range(times)]
        truth = developed(np.mean(many, 0, np.float64)).astype(float)
        for samples, clean in kinds:
            stage.picture(samples=samples, seed=0, denoise=clean)
            started = time.perf_counter()
            picture = stage.picture(samples=samples, seed=0, denoise=clean)
            seconds[samples, clean].append(time.perf_counter() - started)
            near[samples, clean].append(decibels(picture, truth))
            off[samples, clean].append(worst_color(picture, truth, frame))
    rows = []
    for kind in kinds:
        what = f"{kind[0]} rays {'denoised' if kind[1] else 'with their grain'}"
        worst: dict[str, float | None] = {"worst color of a part": max(off[kind])}
        rows.append(spread(what, near[kind], unit="dB", against=PLAIN, table=NEAR, more=worst))
        rows.append(spread(what, seconds[kind], unit="s", against=PLAIN, table=SECONDS))
    notes = [f"{given.rooms} rooms, {size[0]}x{size[1]}, truth of {given.truth:,} rays, renderer {renderer}."]
    save(f"denoise-{renderer}", given, rows, notes=notes)


def decibels(picture: Picture, truth: NDArray[np.float64]) -> float:
    """PSNR of a picture."""
    return float(10 * np.log10(255**2 / np.mean((picture - truth) ** 2)))


def worst_color(picture: Picture, truth: NDArray[np.float64], frame: Frame) -> float:
    """How far the mean color of a part is off, of the part that is worst, as a share of white."""
    key = np.where(frame.object >= 0, frame.object * 4096 + frame.part, -1)
    found = [0.0]
    for part in np.unique(key[key >= 0]):
        own = key == part
        if own.sum() >= _SEEN:
            found.append(float(np.abs(picture[own].mean(0) - truth[own].mean(0)).max()) / 255)
    return max(found)


if __name__ == "__main__":
    main()
