"""Programs per second, against a plain executor over lists of dictionaries in the same run.

    python bench/execution.py [--worlds 200] [--rounds 15]

Programs and worlds come from generated questions. The public call checks nothing any more and keeps the value of every
step; the batch call does the same without an object around each run. Both are timed on checked programs, as training
uses them; checking is measured against running once, because it is done once. A structure is interpreted in its first
eight runs and then turned into code, so everything is run forty times before it is timed.
"""

from __future__ import annotations

import argparse

from measure import options, rates, save, spread
from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.benchmarks.clevr.questions import RULES, clevr_questions
from mereo.chance import fast, generator
from mereo.clevr_family.language import VOCABULARY
from mereo.clevr_family.nodes import node_records
from mereo.clevr_family.records import world_from_record
from mereo.clevr_family.strewing import strewn_scene
from mereo.programs import compile_program, execute_many
from mereo.questions.generate import Asker
from naive_clevr import execute as naive_execute
from tables import Row

SEED = 0
PER_WORLD = 12
UNIT = "programs per CPU s"
RUNNING, CHECKING = "running checked programs, every step kept", "checking a program, once for many runs"


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=15)
    given = options(parser)
    if given.quick:
        given.worlds, given.rounds = 10, 2

    asker = Asker(clevr_questions(), LANGUAGE, RULES)
    runs, plain_runs = [], []
    for number in range(given.worlds):
        scene = strewn_scene(generator(SEED, "bench", number))
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
    plainly, public = "plain executor", "public call `executable(world)`"
    rows: list[Row] = []
    for what, work, against, table in (
        (plainly, plain, plainly, RUNNING),
        (public, called, plainly, RUNNING),
        ("batch call `execute_many`", batch, plainly, RUNNING),
        (public, called, public, CHECKING),
        ("check a program", checked, public, CHECKING),
        ("read its line and check it", read, public, CHECKING),
    ):
        measured = rates(work, rounds=given.rounds).warm
        rows.append(spread(what, measured, unit=UNIT, against=against, table=table))
    note = (
        f"{len(runs):,} programs of {length:.1f} steps on average about {given.worlds} worlds, {given.rounds} rounds."
    )
    save("execution", given, rows, notes=[note])


if __name__ == "__main__":
    main()
