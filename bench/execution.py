"""Programs per second, against a plain executor over lists of dictionaries in the same run.

    python bench/execution.py

Programs and worlds come from generated questions. The public call checks nothing any more and keeps the value of every
step; the batch call does the same without an object around each run. Both are timed on checked programs, as training
uses them; what checking costs is measured by itself.
"""

from __future__ import annotations

import argparse
from typing import Any

from measure import machine, rate, save, table
from mereo.benchmarks.clevr.language import LANGUAGE, VOCABULARY
from mereo.benchmarks.clevr.questions import RULES, load_questions
from mereo.chance import fast, generator
from mereo.clevr_family.records import node_records, world_from_record
from mereo.clevr_family.strewing import sample_scene
from mereo.programs import compile_program, execute_many
from mereo.questions.generate import Asker
from naive_clevr import execute as naive_execute

SEED = 0
PER_WORLD = 12


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()

    asker = Asker(load_questions(), LANGUAGE, RULES)
    runs, plain_runs = [], []
    for number in range(options.worlds):
        scene = sample_scene(generator(SEED, "bench", number))
        world = world_from_record(scene, VOCABULARY)
        for question in asker.ask(world, PER_WORLD, chance=fast(generator(SEED, "bench", number, "questions"))):
            records = node_records(question.trace)
            nodes = [
                {**node, "inputs": list(node["inputs"]), "value_inputs": list(node["value_inputs"])} for node in records
            ]
            runs.append((question.trace.executable, world))
            plain_runs.append((nodes, scene, question.trace.values[-1]))
    assert all(naive_execute(nodes, scene)[-1] == answer for nodes, scene, answer in plain_runs)
    programs = [executable.program for executable, _ in runs]
    length = sum(map(len, programs)) / len(programs)
    print(
        f"{machine()}, {len(runs)} programs of {length:.1f} steps on {options.worlds} worlds, {options.rounds} rounds"
    )

    def plain() -> int:
        for nodes, scene, _ in plain_runs:
            naive_execute(nodes, scene)
        return len(plain_runs)

    def called() -> int:
        for executable, world in runs:
            executable(world)
        return len(runs)

    def batch() -> int:
        return len(execute_many(runs))

    def checked() -> int:
        for program in programs:
            compile_program(program, LANGUAGE)
        return len(programs)

    def read() -> int:
        for line in lines:
            compile_program(line, LANGUAGE)
        return len(lines)

    lines = [str(program) for program in programs]
    for _ in range(40):  # until every structure has been run often enough to be code
        batch()
    rates = {
        "plain executor": rate(plain, rounds=options.rounds),
        "public call, full trace": rate(called, rounds=options.rounds),
        "batch call, full trace": rate(batch, rounds=options.rounds),
    }
    table("Running checked programs", rates, against="plain executor", unit="programs/s")
    checks = {
        "check a program": rate(checked, rounds=options.rounds),
        "read its line and check it": rate(read, rounds=options.rounds),
    }
    table("Checking, once per program", checks, against=None, unit="programs/s")
    print(f"that is {1e6 / checks['check a program'].median:.1f} µs to check one")
    result: dict[str, Any] = {"programs": len(runs), "worlds": options.worlds, "steps_per_program": round(length, 2)}
    save("execution", {**result, **{name: measured._asdict() for name, measured in (rates | checks).items()}})


if __name__ == "__main__":
    main()
