"""Questions of CRIC per CPU second, what they are like, and whether a naive executor finds them sound.

    python bench/cric_questions.py [--scenes 400] [--each 10] [--rounds 2] [--check 20000] [--print 0]

Scene graphs are strewn by chance over what the embedded knowledge is about, without pictures. The rate counts all from
a graph to questions with their annotations, after what is known has been loaded. `--check` asks so many more and runs
every one again by plain sets and loops (naive_cric.py), in what everybody would say of the picture and with what only
some would: it tells how many are not sound.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator

from cric_graphs import strewn_graph
from measure import options, rates, save
from mereo.benchmarks.cric.asking import Questioner
from mereo.benchmarks.cric.balancing import balanced
from mereo.benchmarks.cric.graph import SceneGraph
from mereo.benchmarks.cric.lore import lore_of_base
from mereo.benchmarks.cric.names import DRAWN
from mereo.benchmarks.cric.question import CricQuestion
from mereo.chance import fast, generator
from mereo.knowledge import embedded_base
from naive_cric import faults
from tables import Row

Asked = tuple[SceneGraph, CricQuestion]
_SEED, _KEPT = 17, 5


def main() -> None:
    """Measure, check and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=400)
    parser.add_argument("--each", type=int, default=10, help="questions a scene")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--check", type=int, default=20_000, help="how many to run again by the naive executor")
    parser.add_argument("--print", type=int, default=0, help="how many to print, to be read")
    given = options(parser)
    if given.quick:
        given.scenes, given.rounds, given.check = 10, 1, 50
    questioner = Questioner(lore_of_base(embedded_base()))
    graphs = [strewn_graph(number) for number in range(given.scenes)]
    measured = rates(lambda: sum(1 for _ in _asked(questioner, graphs, given.each)), rounds=given.rounds)
    asked = [question for _, question in _asked(questioner, graphs, given.each)]
    for question in asked[: given.print]:
        print(f"{question.text} {question.answer}")
    rows = [measured.row("all types", unit="questions per CPU s", against="no other generator", table="Questions")]
    kept = rates(lambda: sum(map(len, _balanced(questioner, graphs))), rounds=given.rounds)
    rows += [
        kept.row(
            f"balanced, of {DRAWN} times as many",
            unit="questions per CPU s",
            against="no other generator",
            table="Questions",
        )
    ]
    rows += [_row(kind, [one for one in asked if one.type == kind], len(asked)) for kind in _types(asked)]
    rows += [_row("all types", asked, len(asked))]
    save("cric-questions", given, rows, notes=[*_yes(asked), _checked(questioner, given.check, given.each)])


def _asked(questioner: Questioner, graphs: list[SceneGraph], each: int) -> Iterator[Asked]:
    for number, graph in enumerate(graphs):
        for question in questioner.ask(graph, each, chance=fast(generator(_SEED, "ask", number))):
            yield graph, question


def _balanced(questioner: Questioner, graphs: list[SceneGraph]) -> list[list[CricQuestion]]:
    """As a build keeps them: some of each scene's, chosen among more."""
    chances = (fast(generator(_SEED, "draw", number)) for number in range(len(graphs)))
    drawn = [questioner.ask(graph, DRAWN * _KEPT, chance=chance) for graph, chance in zip(graphs, chances, strict=True)]
    return balanced(drawn, _KEPT)


def _types(asked: list[CricQuestion]) -> list[str]:
    return sorted({one.type for one in asked})


def _row(what: str, asked: list[CricQuestion], of: int) -> Row:
    programs = [one.trace.executable.program.steps for one in asked]
    functions = [sum(step.function != "initial" for step in steps) for steps in programs]
    more: dict[str, float | None] = {
        "functions": sum(functions) / len(asked),
        "with initial": sum(map(len, programs)) / len(asked),
        "words": sum(len(one.text.split()) for one in asked) / len(asked),
        "size of the sub-graph": sum(one.sub_graph.size for one in asked) / len(asked),
    }
    return Row(what=what, value=100 * len(asked) / of, unit="% of all", against="all types", table="The mix", more=more)


def _yes(asked: list[CricQuestion]) -> list[str]:
    verified = Counter(one.answer for one in asked if one.type.startswith("Verify"))
    parts = Counter(one.wrong_part.kind for one in asked if one.wrong_part)
    return [
        f"answers of Verify: {dict(sorted(verified.items()))}; wrong: {dict(sorted(parts.items()))}",
        f"{len({one.answer for one in asked})} answers, {len({item for one in asked for item in one.queries})} items",
    ]


def _checked(questioner: Questioner, count: int, each: int) -> str:
    """How many of many questions the naive executor finds wrong, and the first."""
    wrong: list[str] = []
    number = done = 0
    while done < count:
        graph = strewn_graph(number, seed=_SEED)
        for _, question in _asked(questioner, [graph], each):
            done += 1
            found = faults(question, graph)
            wrong += [f"{question.text} {found[0]}"] if found else []
        number += 1
    return f"{len(wrong):,} of {done:,} questions are not sound{': ' if wrong else ''}{'; '.join(wrong[:3])}"


if __name__ == "__main__":
    main()
