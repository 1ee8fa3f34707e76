"""PTR: scenes per second, questions per second, how even the subtypes are, and what the blind baselines reach.

python bench/ptr.py --scenes 24 --workers 2                           scenes without pictures, then questions
python bench/ptr.py --scenes 1000 --workers 14 --renderer cuda --pictures --keep records.json.gz
python bench/ptr.py --records records.json.gz                         questions only, about scenes that were kept
"""

from __future__ import annotations

import argparse
import gzip
import os
import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from measure import machine, rate, save
from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.questions import RULES, TYPES, load_questions
from mereo.benchmarks.ptr.recipe import PtrRecipe
from mereo.benchmarks.ptr.world import world_of
from mereo.chance import fast, generator
from mereo.datasets.workers import LocalCrew, Task
from mereo.questions.generate import Asker
from mereo.scenes.renderer import THREADS, settle


def made(recipe: PtrRecipe, index: int) -> tuple[str, bytes]:
    """One scene: its record, and its picture where there is one."""
    row = recipe.scene("train", index)
    return row["scene"], row.get("image", {}).get("bytes", b"")


def make_scenes(options: argparse.Namespace) -> tuple[list[str], dict[str, Any]]:
    """Records of fresh scenes, and how long they took; the first scene of each worker, which compiles, included."""
    os.environ.setdefault(THREADS, "1")
    more = {"pictures": True, "samples": options.samples} if options.pictures else {}
    recipe = PtrRecipe(seed=options.seed, renderer=settle(options.renderer), **more)
    tasks = [Task(str(index), made, (recipe, index)) for index in range(options.scenes)]
    records: dict[int, str] = {}
    failures: Counter[str] = Counter()
    started = time.perf_counter()
    for done in LocalCrew(options.workers).run(tasks):
        if done.failure is not None:
            failures[done.failure] += 1
            continue
        record, picture = done.result
        records[int(done.task.name)] = record
        if options.sheet and picture:
            (options.sheet / f"{int(done.task.name):04d}.png").write_bytes(picture)
    seconds = time.perf_counter() - started
    print(f"{len(records)} scenes in {seconds:.0f} s: {len(records) / seconds:.2f} per second")
    for failure, times in failures.most_common():
        print(f"{times} times: {failure}")
    figures = {"scenes": len(records), "failed": failures.total(), "scenes_per_second": len(records) / seconds}
    return [records[index] for index in sorted(records)], figures | {"workers": options.workers}


def ask(records: list[str], seed: int) -> dict[str, Any]:
    """Questions about the records: how fast, how even, how hard to guess."""
    worlds = [world_of(msgspec.json.decode(record)) for record in records]
    asked: list[Any] = []

    def once() -> int:
        asked.clear()
        asker = Asker(load_questions(), LANGUAGE, RULES)
        for number, world in enumerate(worlds):
            world.memory.clear()
            asked.extend(asker.ask(world, 10, chance=fast(generator(seed, number, "questions"))))
        return len(asked)

    speed = rate(once, rounds=2, warm_up=False)
    answers: dict[str, Counter[str]] = {subtype: Counter() for subtype in TYPES}
    for question in asked:
        answers[question.template.type][str(question.answer)] += 1
    counts = {subtype: own.total() for subtype, own in answers.items()}
    blind = {
        "random": sum(own.total() / len(own) for own in answers.values() if own) / len(asked),
        "most_frequent": sum(max(own.values()) for own in answers.values() if own) / len(asked),
    }
    used = {question.template.title for question in asked}
    unused = [template.title for template in load_questions().templates if template.title not in used]
    print(f"{len(asked):,} questions, {speed.best:,.0f} per second (median {speed.median:,.0f})")
    print(f"fewest {min(counts.values()):,}, most {max(counts.values()):,} of a subtype: {counts}")
    print(f"blind: random by type {blind['random']:.1%}, most frequent by type {blind['most_frequent']:.1%}")
    print(f"templates without a question: {unused}")
    return {
        "questions": len(asked),
        "questions_per_second": speed._asdict(),
        "by_subtype": counts,
        "blind": blind,
        "unused_templates": unused,
    }


def main() -> None:
    """Measure, print and keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=24)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--renderer", default="auto")
    parser.add_argument("--pictures", action="store_true")
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--records", type=Path, help="ask about these scenes instead of new ones")
    parser.add_argument("--keep", type=Path, help="where to keep the records")
    parser.add_argument("--sheet", type=Path, help="a folder for the pictures")
    options = parser.parse_args()
    result: dict[str, Any] = {}
    if options.records:
        records = msgspec.json.decode(gzip.decompress(options.records.read_bytes()))
    else:
        records, result["made"] = make_scenes(options)
    if options.keep:
        options.keep.write_bytes(gzip.compress(msgspec.json.encode(records)))
    result |= ask(records, options.seed)
    print(machine()["processor"])
    save(f"ptr-{options.renderer if not options.records else 'questions'}", result)


if __name__ == "__main__":
    main()
