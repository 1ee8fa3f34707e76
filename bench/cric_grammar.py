"""How many questions of CRIC a grammar checker that is not ours takes for English.

    python bench/cric_grammar.py [--questions 2000] [--parser link-parser] [--show 40]

The checker is Link Grammar's parser with its own English dictionary (Debian: `link-grammar`), which has no part in the
project. A question passes if the parser links every word of it to the others, and leaves none out.
"""

from __future__ import annotations

import argparse
import random
import subprocess
from collections import Counter

from cric_graphs import strewn_graph
from measure import options, save
from mereo.benchmarks.cric.asking import Questioner
from mereo.benchmarks.cric.lore import lore_of_base
from mereo.benchmarks.cric.question import CricQuestion
from mereo.knowledge import embedded_base
from tables import Row

_LINKED = ("Linkage 1,", "Unique linkage,")
"""What the parser says of a sentence all of whose words it could link."""


def main() -> None:
    """Check and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=2000)
    parser.add_argument("--parser", default="link-parser", help="the command, where it is not on the path")
    parser.add_argument("--show", type=int, default=0, help="how many of those that do not pass to print")
    given = options(parser)
    if given.quick:
        given.questions = 20
    questions = _asked(given.questions)
    passes = checked([one.text for one in questions], given.parser)
    failed = [one for one, passed in zip(questions, passes, strict=True) if not passed]
    for one in failed[: given.show]:
        print(one.text)
    rows = [_row("all", len(questions), len(failed))]
    asked, refused = (Counter(one.type for one in listed) for listed in (questions, failed))
    rows += [_row(kind, asked[kind], refused[kind]) for kind in sorted(asked)]
    worst = Counter(part for one in failed for part in one.wording.split(" + ")).most_common(5)
    told = ", ".join(f"{part} {count}" for part, count in worst)
    save("cric-grammar", given, rows, notes=[f"most often in what does not pass: {told}"])


def _asked(count: int) -> list[CricQuestion]:
    questioner, chance = Questioner(lore_of_base(embedded_base())), random.Random(8)
    questions: list[CricQuestion] = []
    number = 0
    while len(questions) < count:
        questions += questioner.ask(strewn_graph(number), 5, chance=chance)
        number += 1
    return questions[:count]


def checked(texts: list[str], command: str) -> list[bool]:
    """For every text whether the parser links all of its words."""
    switches = ["-graphics=0", "-null=0", "-limit=1000", "-timeout=20", "-panic=0", "-verbosity=1", "-echo"]
    done = subprocess.run(
        [command, "en", *switches], input="\n".join(texts) + "\n", capture_output=True, text=True, check=True
    )
    told = dict.fromkeys(texts, False)
    text = ""
    for line in done.stdout.splitlines():
        text = line if line in told else text
        if line.lstrip().startswith(_LINKED):
            told[text] = True
    return [told[text] for text in texts]


def _row(what: str, asked: int, failed: int) -> Row:
    share, count = 100 * (1 - failed / asked), dict[str, float | None](questions=asked)
    return Row(what=what, value=share, unit="% pass", against="no other checker", table="Link Grammar", more=count)


if __name__ == "__main__":
    main()
