"""Seconds per scene: placing, simulating, building up, observing, lighting, storing; and scenes per second of a crew.

python bench/scenes.py --scenes 8                      one process, then as many as there are cores
python bench/scenes.py --renderer cuda --workers 6 --scenes 240
python bench/scenes.py --blender blender               Blender's Cycles on the same stage, for comparison
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import drjit

from measure import machine, save
from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.chance import generator
from mereo.clevr_family.pictures import scene_of
from mereo.clevr_family.strewing import sample_scene
from mereo.datasets.pictures import encode_png, instances, millimeters
from mereo.datasets.workers import LocalCrew, Task
from mereo.scenes.observe import observe
from mereo.scenes.physics import Simulation
from mereo.scenes.render import Set
from mereo.scenes.renderer import THREADS, settle


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
            record = sample_scene(generator(0, "bench", index))
            scene = scene_of(record, rng=generator(0, "bench", index, "lamps"))
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
        with watch.stage("store"):
            for image in (picture, millimeters(frame), instances(scene, frame)):
                encode_png(image)
    medians = {name: statistics.median(seconds[1:]) for name, seconds in watch.seconds.items()}
    return {**medians, "whole": sum(medians.values()), "first scene": sum(s[0] for s in watch.seconds.values())}


def crew_rate(scenes: int, samples: int, renderer: str, workers: int) -> float:
    """Scenes per second of several processes, from the moment when all of them have compiled."""
    recipe = ClevrRecipe(seed=0, pictures=True, samples=samples, renderer=renderer)
    tasks = [Task(str(index), _make, (recipe, index)) for index in range(scenes + 4 * workers)]
    done = []
    for end in LocalCrew(workers).run(tasks):
        assert end.failure is None, end.failure
        done.append(time.perf_counter())
    warm = done[3 * workers :]
    return (len(warm) - 1) / (warm[-1] - warm[0])


def _make(recipe: ClevrRecipe, index: int) -> int:
    return len(recipe.scene("train", index)["image"]["bytes"])


BLENDER = """
import bpy, math, time
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.engine = "CYCLES"
scene.cycles.samples = SAMPLES
scene.cycles.use_denoising = False
scene.render.resolution_x, scene.render.resolution_y = 480, 320
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


def blender_seconds(blender: str, samples: int) -> float:
    """Seconds that Blender's Cycles takes for one picture of such a stage, the picture alone."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "stage.py"
        script.write_text(BLENDER.replace("SAMPLES", str(samples)).replace("OUT", str(Path(folder) / "out.png")))
        command = [blender, "--background", "--factory-startup", "--python", str(script)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return min(float(line.split()[1]) for line in output.splitlines() if line.startswith("SECONDS"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=8)
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--renderer", default="auto")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--blender", help="Blender's program, to compare with")
    options = parser.parse_args()
    renderer = settle(options.renderer)
    result: dict[str, object] = {**machine(), "renderer": renderer, "samples": options.samples}
    measured = stages(min(options.scenes, 24), options.samples, renderer)
    for name, seconds in measured.items():
        print(f"{name:<12} {seconds:9.4f} s")
    result["seconds"] = measured
    if options.blender:
        seconds = blender_seconds(options.blender, options.samples)
        ratio = seconds / measured["whole"]
        print(f"{'Blender':<12} {seconds:9.4f} s for the picture alone: {ratio:.1f} × our whole scene")
        result["blender seconds"] = seconds
    if options.workers > 1:
        os.environ[THREADS] = "1"
        drjit.set_thread_count(1)  # this process has begun with all cores, and is the one worker
        counts = {1: max(8, options.scenes // options.workers), options.workers: options.scenes}
        rates = {n: crew_rate(scenes, options.samples, renderer, n) for n, scenes in counts.items()}
        for workers, rate in rates.items():
            print(f"{workers} workers: {rate:.2f} scenes per second")
        result["scenes per second"] = rates
    save(f"scenes-{renderer}", result)


if __name__ == "__main__":
    main()
