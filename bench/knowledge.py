"""Reading a dump of ConceptNet into a store: rows per second and memory; looking things up; parsing phrases.

    python bench/knowledge.py [--rows 3000000] [--kept 0.3] [--triples FILE]

The dump is written here, by chance: `--kept` of its rows are English and of relations that are kept, and of these one
in three says again what another says. The reference splits every row, decodes its JSON and adds all up in one
dictionary. Phrases are those of `--triples`, of which none is parsed twice; without it, of some made by chance.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from measure import Spent, options, rates, save, spent
from mereo.knowledge import open_store, read_knowledge
from mereo.knowledge.phrases import parsed
from mereo.knowledge.tagging import tagged, tagger
from tables import Row

OURS = """
import sys
from mereo.knowledge import store_knowledge
store_knowledge(sys.argv[1], sys.argv[2])
"""
PLAIN = """
import json, sys
found = {}
for line in open(sys.argv[1], encoding="utf-8"):
    _, relation, start, end, about = line.rstrip("\\n").split("\\t")
    if relation in ("/r/UsedFor", "/r/IsA") and start.startswith("/c/en/") and end.startswith("/c/en/"):
        key = relation, start, end
        found[key] = found.get(key, 0) + json.loads(about)["weight"]
"""
VERBS, THINGS = ("cut", "hold", "carry", "wash", "open"), ("food", "red door", "clothes", "glass of water")
LOOK_UPS = 200


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--kept", type=float, default=0.3, help="share of the rows that are kept")
    parser.add_argument("--triples", type=Path)
    given = options(parser)
    given.rows = 2_000 if given.quick else given.rows
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dump, store = folder / "dump.csv", folder / "store.parquet"
        write_dump(dump, given.rows, given.kept)
        ours = spent([sys.executable, "-c", OURS, dump, store])
        plain = spent([sys.executable, "-c", PLAIN, dump])
        rows = reading(given.rows, ours, plain)
        rows += looking_up(store)
    rows += parsing(phrases(given.triples, 300 if given.quick else 20_000))
    save("knowledge", given, rows, notes=[f"Phrases are tagged by {tagger().name}."])


def write_dump(path: Path, rows: int, kept: float) -> None:
    """A dump by chance."""
    chance = random.Random(0)
    with path.open("w", encoding="utf-8") as file:
        for _ in range(rows):
            file.write(row(chance, kept, rows))


def row(chance: random.Random, kept: float, rows: int) -> str:
    """A row as long as those of ConceptNet are."""
    number = chance.randrange(max(1, int(rows * kept)))
    start, end = f"concept_{number % 99_991}", f"act_on_thing_{number // 7}"
    if chance.random() < kept:
        relation, language = ("UsedFor", "IsA")[number % 2], "en"
    else:
        relation, language = ("UsedFor", "fr") if chance.random() < 0.5 else ("RelatedTo", "en")
    ends = f"/c/{language}/{start}", f"/c/{language}/{end}"
    about = (
        f'{{"dataset": "/d/wiktionary/en", "license": "cc:by-sa/4.0", "sources": [{{"contributor": '
        f'"/s/resource/wiktionary/en", "process": "/s/process/wikiparsec/2"}}], "weight": {1 + number % 3}.0}}'
    )
    return f"/a/[/r/{relation}/,{ends[0]}/,{ends[1]}/]\t/r/{relation}\t{ends[0]}\t{ends[1]}\t{about}\n"


def reading(count: int, ours: Spent, plain: Spent) -> list[Row]:
    """Both ways to read, in rows per second and in memory."""
    found = {"one dictionary": plain, "mereo": ours}
    against = "one dictionary"
    speed, memory = f"a dump of {count:,} rows", f"memory for {count:,} rows"
    return [
        *(
            Row(what=what, value=count / one.cpu, unit="rows per CPU s", against=against, table=speed)
            for what, one in found.items()
        ),
        *(
            Row(what=what, value=one.peak, unit="MiB at most", against=against, table=memory)
            for what, one in found.items()
        ),
    ]


def looking_up(path: Path) -> list[Row]:
    """Questions to a store in memory and on disk, wall time."""
    found = {}
    for what, large in (("in memory", sys.maxsize), ("on disk", 0)):
        graph = open_store(path, large=large)
        some = graph.items(head=[f"concept {number}" for number in range(LOOK_UPS)])[:LOOK_UPS]
        started = time.perf_counter()
        for item in some:
            assert item.head in graph.heads(item.relation, item.tail)
        found[what] = 1e3 * (time.perf_counter() - started) / len(some)
    table = "looking up the heads of a fact"
    return [
        Row(what=what, value=each, unit="ms each", against="in memory", table=table) for what, each in found.items()
    ]


def phrases(triples: Path | None, count: int) -> list[str]:
    """Different phrases."""
    if triples is None:
        return list(made_up(count))
    items = read_knowledge(triples).knowledge.items()
    return sorted({name for item in items for name in (item.head, item.tail) if " " in name})[
        :: max(1, 60_000 // count)
    ]


def made_up(count: int) -> Iterator[str]:
    """Phrases by chance, each with a number, so that all differ."""
    chance = random.Random(0)
    return (f"{chance.choice(VERBS)} {number} {chance.choice(THINGS)}" for number in range(count))


def parsing(all_phrases: list[str]) -> list[Row]:
    """Phrases per second, and how much of the time the tagger takes."""

    def tag() -> int:
        return len([tagged(phrase) for phrase in all_phrases])

    def parse() -> int:
        parsed.cache_clear()
        return len([parsed(phrase) for phrase in all_phrases])

    tagger()
    table, against = "phrases", "tagged"
    found = {against: rates(tag, rounds=3), "tagged and parsed": rates(parse, rounds=3)}
    return [one.row(what, unit="phrases per CPU s", against=against, table=table) for what, one in found.items()]


if __name__ == "__main__":
    main()
