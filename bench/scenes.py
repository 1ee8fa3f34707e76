"""Seconds of each stage of a CLEVR scene, scenes per second of several workers, and Blender's seconds for a picture.

    python bench/scenes.py [--scenes 8] [--renderer cuda] [--workers 12] [--blender blender]

Stages are measured in one process with all cores, the first scene, which compiles, left out and told apart; workers
with one thread each, as `mereo build` has them. Blender's Cycles lights six solids on a like stage at our resolution,
with as many samples and bounces, without adaptive sampling or a denoiser, on all cores, and writes one PNG; it is
measured against building up, lighting and writing one PNG here. Of Blender's two pictures the faster counts.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import drjit

from measure import options, save
from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.chance import generator
from mereo.clevr_family.pictures import scene_of_record
from mereo.clevr_family.strewing import strewn_scene
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.pictures import encode_png, instances, millimeters
from mereo.datasets.workers import LocalCrew, Task
from mereo.scenes.observe import observe
from mereo.scenes.physics import Simulation
from mereo.scenes.render import _BOUNCES as DEPTH
from mereo.scenes.render import Set
from mereo.scenes.renderer import THREADS, choose_renderer
from tables import Row

BOUNCES = DEPTH - 2
"""Mitsuba counts the stretches of a path from eye to lamp, Cycles what comes beyond direct light."""
WHOLE, FIRST = "whole scene", "first scene, which compiles"
PICTURE = ("build up", "light", "store the picture")
"""The stages that Blender also goes through."""


class Watch:
    """Wall seconds of named stages."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.seconds.setdefault(name, []).append(time.perf_counter() - started)


def stages(scenes: int, samples: int, renderer: str) -> dict[str, float]:
    """Median seconds of each stage, the first scene, which compiles, left out."""
    watch = Watch()
    for index in range(scenes + 1):
        with watch.stage("place"):
            record = strewn_scene(generator(0, "bench", index))
            scene = scene_of_record(record, rng=generator(0, "bench", index, "lamps"))
        with watch.stage("simulate"):
            simulation = Simulation(scene)
            simulation.reset()
            simulation.watch(range(len(scene.objects)))
        with watch.stage("build up"):
            stage = Set(scene, renderer=renderer)
        with watch.stage("observe"):
            frame = stage.frame()
            observe(scene, frame)
        with watch.stage("light"):
            picture = stage.picture(samples=samples, seed=index)
        with watch.stage("store the picture"):
            encode_png(picture)
        with watch.stage("store depth and ids"):
            for image in (millimeters(frame), instances(scene, frame)):
                encode_png(image)
    medians = {name: statistics.median(seconds[1:]) for name, seconds in watch.seconds.items()}
    return {WHOLE: sum(medians.values()), **medians, FIRST: sum(s[0] for s in watch.seconds.values())}


def crew_rate(scenes: int, samples: int, renderer: str, workers: int) -> float:
    """Scenes per second of several processes, from the moment when all of them have compiled."""
    recipe = ClevrRecipe(seed=0, pictures=PictureSettings(samples=samples, renderer=renderer))
    tasks = [Task(str(index), _make, (recipe, index)) for index in range(scenes + 4 * workers)]
    done: list[float] = []
    for end in LocalCrew(workers).run(tasks):
        assert end.failure is None, end.failure
        done.append(time.perf_counter())
    warm = done[3 * workers :]
    return (len(warm) - 1) / (warm[-1] - warm[0])


def _make(recipe: ClevrRecipe, index: int) -> int:
    return len(recipe.scene("train", index)["image"]["bytes"])


BLENDER = """
import bpy, time
print("VERSION", bpy.app.version_string)
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.engine = "CYCLES"
scene.cycles.samples = SAMPLES
scene.cycles.use_adaptive_sampling = False
scene.cycles.use_denoising = False
scene.cycles.max_bounces = scene.cycles.diffuse_bounces = scene.cycles.glossy_bounces = BOUNCES
scene.render.resolution_x, scene.render.resolution_y = WIDTH, HEIGHT
scene.render.resolution_percentage = 100
bpy.ops.mesh.primitive_plane_add(size=60)
for k in range(6):
    x, y = 1.6 * (k % 3) - 1.6, 1.6 * (k // 3) - 0.8
    if k % 3 == 0:
        bpy.ops.mesh.primitive_cube_add(size=1.2, location=(x, y, 0.6))
    elif k % 3 == 1:
        bpy.ops.mesh.primitive_uv_sphere_add(segments=64, ring_count=32, radius=0.6, location=(x, y, 0.6))
    else:
        bpy.ops.mesh.primitive_cylinder_add(vertices=96, radius=0.6, depth=1.2, location=(x, y, 0.6))
    paint = bpy.data.materials.new(f"paint{k}")
    paint.use_nodes = True
    surface = paint.node_tree.nodes["Principled BSDF"]
    surface.inputs["Base Color"].default_value = (0.2 + 0.1 * k, 0.3, 0.6 - 0.08 * k, 1)
    surface.inputs["Metallic"].default_value = float(k % 2)
    surface.inputs["Roughness"].default_value = 0.16 if k % 2 else 0.75
    bpy.context.object.data.materials.append(paint)
for place, power in (((4.2, -6.6, 7.4), 900), ((-6.2, -4.4, 5.2), 250), ((-1.6, 6.0, 6.4), 350)):
    bpy.ops.object.light_add(type="AREA", location=place)
    lamp = bpy.context.object
    lamp.data.energy, lamp.data.size = power, 3.4
    lamp.rotation_euler = (-lamp.location).to_track_quat("-Z", "Y").to_euler()
bpy.ops.object.camera_add(location=(7.48, -6.5, 5.34))
camera = bpy.context.object
camera.rotation_euler = (-camera.location).to_track_quat("-Z", "Y").to_euler()
scene.camera = camera
scene.render.filepath = "OUT"
for _ in range(2):
    started = time.time()
    bpy.ops.render.render(write_still=True)
    print("SECONDS", time.time() - started)
"""


def blender_script(samples: int, width: int, height: int, out: Path) -> str:
    """What Blender is told to do."""
    numbers = {"SAMPLES": samples, "BOUNCES": BOUNCES, "WIDTH": width, "HEIGHT": height, "OUT": out}
    return re.sub(r"\b(SAMPLES|BOUNCES|WIDTH|HEIGHT|OUT)\b", lambda found: str(numbers[found[0]]), BLENDER)


def blender(program: str, samples: int) -> tuple[float, str]:
    """Seconds that Cycles takes for a picture of such a stage, and which Blender it is."""
    camera = scene_of_record(strewn_scene(generator(0, "bench", 0)), rng=generator(0, "bench", 0, "lamps")).camera
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "stage.py"
        script.write_text(blender_script(samples, camera.width, camera.height, Path(folder) / "out.png"))
        command = [program, "--background", "--factory-startup", "--python", str(script)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    version = re.search(r"^VERSION (.+)$", output, re.MULTILINE)
    seconds = [float(found) for found in re.findall(r"^SECONDS (\S+)$", output, re.MULTILINE)]
    return min(seconds), version[1] if version else "of unknown version"


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=8)
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--renderer", default="auto")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--blender", help="Blender's program, to compare with")
    given = options(parser)
    if given.quick:
        given.scenes, given.samples, given.workers = 1, 8, 1
    renderer = choose_renderer(given.renderer)
    found = stages(min(given.scenes, 24), given.samples, renderer)
    rows = [
        Row(what=what, value=seconds, unit="s", against=WHOLE, table="one process") for what, seconds in found.items()
    ]
    if given.blender:
        rows += _beside_blender(given.blender, given.samples, sum(found[stage] for stage in PICTURE))
    if given.workers > 1:
        rows += _crews(given, renderer)
    note = f"480x320, {given.samples} samples, {BOUNCES} bounces beyond direct light, renderer `{renderer}`."
    save(f"scenes-{renderer}", given, rows, notes=[note])


def _beside_blender(program: str, samples: int, ours: float) -> list[Row]:
    theirs, version = blender(program, samples)
    same = f"480x320, {samples} samples, {BOUNCES} bounces"
    reference = f"Blender {version}, Cycles: {same}"
    both = {reference: theirs, f"mereo, {', '.join(PICTURE)}: {same}": ours}
    return [
        Row(what=what, value=value, unit="s", against=reference, table="one picture") for what, value in both.items()
    ]


def _crews(given: argparse.Namespace, renderer: str) -> list[Row]:
    os.environ[THREADS] = "1"
    drjit.set_thread_count(1)  # this process has begun with all cores, and is the one worker
    counts = {1: max(8, given.scenes // given.workers), given.workers: given.scenes}
    return [
        Row(
            what=f"{workers} worker{'s' * (workers > 1)}",
            value=crew_rate(scenes, given.samples, renderer, workers),
            unit="scenes per second of wall time",
            against="1 worker",
            table="workers with one thread each",
        )
        for workers, scenes in counts.items()
    ]


if __name__ == "__main__":
    main()
