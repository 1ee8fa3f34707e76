"""PTR: what making scenes and asking about them takes, how even the subtypes are, and what can be guessed.

    python bench/ptr.py [--scenes 24] [--workers 2]                       scenes without pictures, then questions
    python bench/ptr.py --scenes 1000 --workers 14 --renderer cuda --pictures --keep records.json.gz
    python bench/ptr.py --records records.json.gz                         questions only, about scenes that were kept
    python bench/ptr.py --stages [--scenes 30]                            one process: where the time of a scene goes

Questions are measured against making the scenes they are about: per scene, ten questions and one scene. The subtype
asked least is measured against the one asked most, and what is right without looking against a guess. Stages are CPU
seconds under a profiler, which takes its share of what is many small steps, each with an empty stock and a full one,
against the whole of a scene without its picture, profiled too.
"""

from __future__ import annotations

import argparse
import cProfile
import gzip
import os
import pstats
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec

from measure import options, rates, save, spread
from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.questions import RULES, TYPES, ptr_questions
from mereo.benchmarks.ptr.readings import ptr_readings
from mereo.benchmarks.ptr.recipe import PtrRecipe
from mereo.benchmarks.ptr.world import ptr_world
from mereo.caches import PLACE
from mereo.chance import fast, generator
from mereo.cores import keep_to_one_core
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.workers import LocalCrew, Task
from mereo.questions.generate import Asker
from mereo.scenes.renderer import THREADS, choose_renderer
from mereo.scenes.sharing import shared_gpu
from tables import Row

PER_SCENE = 10


def made(recipe: PtrRecipe, index: int) -> tuple[str, bytes]:
    """One scene: its record, and its picture where there is one."""
    row = recipe.scene("train", index)
    return row["scene"], row.get("image", {}).get("bytes", b"")


class Made(NamedTuple):
    """Fresh scenes."""

    records: list[str]
    seconds: float
    """Of wall time, the first scene of each worker, which compiles, included."""
    failures: Counter[str]


def make_scenes(given: argparse.Namespace) -> Made:
    """Make as many scenes as told, by several workers."""
    os.environ.setdefault(THREADS, "1")
    view = PictureSettings.chosen(samples=given.samples, renderer=given.renderer)
    recipe = PtrRecipe(seed=given.seed, view=view, pictures=given.pictures)
    tasks = [Task(str(index), made, (recipe, index)) for index in range(given.scenes)]
    records: dict[int, str] = {}
    failures: Counter[str] = Counter()
    started = time.perf_counter()
    with shared_gpu(given.workers):
        for done in LocalCrew(given.workers).run(tasks):
            reason = done.failure or done.refusal
            if reason is not None:
                failures[reason] += 1
                continue
            records[int(done.task.name)], picture = done.result
            if given.sheet and picture:
                (given.sheet / f"{int(done.task.name):04d}.png").write_bytes(picture)
    seconds = time.perf_counter() - started
    return Made([records[index] for index in sorted(records)], seconds, failures)


def ask(records: list[str], given: argparse.Namespace) -> tuple[list[Any], list[float]]:
    """Questions about the records, and how many came in a CPU second of each warm round."""
    scenes = [msgspec.json.decode(record) for record in records]
    asked: list[Any] = []

    def once() -> int:
        asked.clear()
        asker = Asker(ptr_questions(), LANGUAGE, RULES, "train")
        for number, scene in enumerate(scenes):
            chance = fast(generator(given.seed, number, "questions"))
            asked.extend(asker.ask(ptr_world(scene), PER_SCENE, chance=chance, readings=ptr_readings(scene)))
        return len(asked)

    return asked, rates(once, rounds=given.rounds).warm


def rows(asked: list[Any], speeds: list[float], fresh: Made | None) -> list[Row]:
    """Seconds of a scene and its questions, and how the questions are spread."""
    answers: dict[str, Counter[str]] = {subtype: Counter() for subtype in TYPES}
    for question in asked:
        answers[question.template.type][str(question.answer)] += 1
    counts = {subtype: own.total() for subtype, own in answers.items()}
    most, fewest = max(counts, key=lambda one: counts[one]), min(counts, key=lambda one: counts[one])
    guess, frequent = "a guess among the answers of the subtype", "its most frequent answer"
    random = sum(len(own) and own.total() / len(own) for own in answers.values()) / len(asked)
    blind = sum(max(own.values(), default=0) for own in answers.values()) / len(asked)
    found = [
        Row(what=f"most: {most}", value=counts[most], unit="questions", against=f"most: {most}", table="subtypes"),
        Row(
            what=f"fewest: {fewest}", value=counts[fewest], unit="questions", against=f"most: {most}", table="subtypes"
        ),
        Row(what=guess, value=100 * random, unit="% right", against=guess, table="without looking"),
        Row(what=frequent, value=100 * blind, unit="% right", against=guess, table="without looking"),
    ]
    seconds = [PER_SCENE / speed for speed in speeds]
    scene, ten = "making it", f"asking {PER_SCENE} questions about it, one process, CPU s"
    if fresh:
        each = fresh.seconds / len(fresh.records)
        found.append(Row(what=scene, value=each, unit="s per scene", against=scene, table="a scene"))
    against = scene if fresh else "nothing in this run"
    return [*found, spread(ten, seconds, unit="s per scene", against=against, table="a scene")]


STAGES = {
    "making shapes": ("grammar.py", "make_shape"),
    "weight and convex pieces": ("physical.py", "substance_of"),
    "lines and planes": ("record.py", "_found_geometry"),
    "reading from the stock": ("packing.py", "unpacked"),
    "placing": ("layout.py", "place"),
    "compiling physics": ("physics.py", "_compiled"),
    "simulating": ("physics.py", "watch"),
    "the exact pass": ("scenes.py", "bare_frame"),
    "counting the frame": ("observe.py", "observe"),
}
"""File and function of each stage; none is part of another, but for shapes that are first made while placing."""
PROFILED = "a scene, profiled"


def profiled(recipe: PtrRecipe, scenes: int) -> tuple[float, dict[str, float]]:
    """CPU seconds of a scene without a profiler, and of its stages with one."""
    started = time.process_time()
    for index in range(scenes):
        made(recipe, index)
    plain = (time.process_time() - started) / scenes
    profile = cProfile.Profile(time.process_time)
    profile.enable()
    for index in range(scenes, 2 * scenes):
        made(recipe, index)
    profile.disable()
    found = {
        (Path(file).name, function): row[3]
        for (file, _, function), row in pstats.Stats(profile).stats.items()  # type: ignore[attr-defined]
    }
    places = {PROFILED: ("recipe.py", "scene"), **STAGES}
    return plain, {stage: found.get(place, 0.0) / scenes for stage, place in places.items()}


def stages(given: argparse.Namespace) -> list[Row]:
    """Rows of stages, with an empty stock and with a full one, each in a process of its own."""
    recipe = PtrRecipe(seed=given.seed, view=PictureSettings(renderer=choose_renderer(given.renderer)))
    rows: list[Row] = []
    with TemporaryDirectory() as folder:
        os.environ |= {PLACE: folder, THREADS: "1"}
        keep_to_one_core()
        for state in ("empty", "full"):
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                pool.submit(made, recipe, 10**6).result()  # compiles
                plain, found = pool.submit(profiled, recipe, given.scenes).result()
            rows += [
                Row(what=stage, value=seconds, unit="CPU s", against=PROFILED, table=f"stages, {state} stock")
                for stage, seconds in {**found, "as many others, not profiled": plain}.items()
            ]
    return rows


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=24)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--renderer", default="auto")
    parser.add_argument("--pictures", action="store_true")
    parser.add_argument("--samples", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--records", type=Path, help="ask about these scenes instead of new ones")
    parser.add_argument("--keep", type=Path, help="where to keep the records")
    parser.add_argument("--sheet", type=Path, help="a folder for the pictures")
    parser.add_argument("--stages", action="store_true", help="where the time of a scene goes, and no more")
    given = options(parser)
    if given.quick:
        given.scenes, given.workers, given.rounds = 1, 1, 1
    if given.stages:
        save(f"ptr-stages-{choose_renderer(given.renderer)}", given, stages(given), notes=["One process, one thread."])
        return
    fresh = None if given.records else make_scenes(given)
    records = fresh.records if fresh else msgspec.json.decode(gzip.decompress(given.records.read_bytes()))
    if given.keep:
        given.keep.write_bytes(gzip.compress(msgspec.json.encode(records)))
    asked, speeds = ask(records, given)
    used = {question.template.title for question in asked}
    unused = sum(template.title not in used for template in ptr_questions().templates)
    notes = [f"{len(asked):,} questions about {len(records):,} scenes; {unused} templates were never asked."]
    if fresh:
        look = "with pictures" if given.pictures else "without pictures"
        notes.append(f"{given.workers} workers, scenes {look}, {fresh.failures.total()} of which could not be made.")
    name = "ptr-records" if given.records else f"ptr-{choose_renderer(given.renderer)}"
    save(name, given, rows(asked, speeds, fresh), notes=notes)


if __name__ == "__main__":
    main()
