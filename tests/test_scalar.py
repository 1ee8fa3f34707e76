"""The slow variant, for machines without LLVM: what it sees is what the others see."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from mereo.scenes.render import Set
from mereo.scenes.scene import Camera, Paint, save_scene
from scenery import RED, stage, thing

LOOK = """
import sys
import numpy as np
from mereo.scenes.render import Set
from mereo.scenes.scene import load_scene
shot = Set(load_scene(sys.argv[1]), renderer="scalar")
frame, amodal = shot.frame(), shot.amodal()
np.savez(sys.argv[2], object=frame.object, depth=frame.depth, normal=frame.normal, amodal=np.stack(amodal.objects))
np.save(sys.argv[3], shot.picture(samples=64))
"""


def test_the_scalar_variant_sees_the_same(tmp_path: Path) -> None:
    glass = Paint("glass", (0.9, 1.0, 0.9))
    scene = stage(
        thing("cube", -0.5, 0.8, scale=0.7, turn=33.0, paint=RED),
        thing("sphere", 0.3, -0.4, scale=0.6, paint=glass),
        camera=Camera((0.4, -6.0, 2.1), (0.0, 0.0, 0.5), 32.0, 36, 24),
    )
    save_scene(scene, tmp_path / "scene.json")
    # A process has one variant, so the other one needs its own.
    arguments = [str(tmp_path / name) for name in ("scene.json", "seen.npz", "picture.npy")]
    subprocess.run([sys.executable, "-c", LOOK, *arguments], check=True)
    shot, seen = Set(scene), np.load(tmp_path / "seen.npz")
    frame, amodal = shot.frame(), shot.amodal()
    assert (frame.object >= 0).sum() > 100
    # Single precision: a hair beside an edge the variants may disagree, here and there a pixel.
    assert (seen["object"] != frame.object).sum() <= 2
    assert sum(np.sum(one != other) for one, other in zip(seen["amodal"], amodal.objects, strict=True)) <= 2
    same = (seen["object"] == frame.object) & np.isfinite(frame.depth)
    assert np.allclose(seen["depth"][same], frame.depth[same], atol=1e-4)
    assert np.allclose(seen["normal"][same], frame.normal[same], atol=1e-4)
    light, slow = shot.picture(samples=64).astype(float), np.load(tmp_path / "picture.npy").astype(float)
    opaque = frame.object != 1
    assert np.allclose(light[opaque].mean(0), slow[opaque].mean(0), rtol=0.05)
