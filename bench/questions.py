"""Questions per CPU second with CLEVR's own templates and rules: mereo, a plain search, and the official generator.

    python bench/questions.py [--official FOLDER] [--scenes FILE] [--templates FOLDER --metadata FILE --synonyms FILE]

All are run as commands on the same files, for runs of several lengths and with several seeds, and what they need to
start (the same command for one scene) is told apart. mereo is also measured warm, in a process that has asked before.
The plain search says where its time goes; all is measured again without the templates in which most of it is lost.
`--official` is the folder `question_generation` of a checkout of CLEVR's generator, which takes no seed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from generators import MEREO, PER_SCENE, PLAIN, Command, Runs, Templates, commands
from measure import options, rates, save, spent, spread
from mereo.benchmarks.benchmark import find_format
from mereo.chance import generator
from mereo.clevr_family.strewing import strewn_scene
from mereo.datasets.format import Asking
from tables import Row

CLEVR = Path("../shared/data/templates/clevr")
LOST = 0.05
"""A template is left out when searching it in vain takes more than this share of the plain search's time."""
UNIT = "questions per CPU s"


class Bench:
    """Generators by name, on scenes of one file."""

    def __init__(self, given: argparse.Namespace, folder: Path):
        self.given, self.folder = given, folder
        self.content = json.loads(given.scenes.read_text()) if given.scenes else sampled(max(given.lengths))
        self.lengths = sorted({min(length, len(self.content["scenes"])) for length in given.lengths})
        self.notes: list[str] = []

    def scenes(self, count: int) -> Path:
        """A file of the first scenes."""
        path = self.folder / f"scenes-{count}.json"
        if not path.exists():
            path.write_text(json.dumps({**self.content, "scenes": self.content["scenes"][:count]}))
        return path

    def run(self, command: Command, count: int) -> Runs:
        """One run for each seed; after one that had to be stopped there are no more."""
        runs, out = Runs(), self.folder / "questions.json"
        for seed in self.given.seeds:
            out.unlink(missing_ok=True)
            # The plain search stops by itself and writes what it has; what does not, gets twice the time.
            took = spent(command(self.scenes(count), count, out, seed), patience=2 * self.given.patience)
            if took.code:
                runs.cut = f"not done in {took.cpu:.0f} CPU s"
                break
            written = json.loads(out.read_text())
            runs.questions.append(len(written["questions"]))
            runs.cpu.append(took.cpu)
            runs.wall.append(took.wall)
            runs.infos.append(written.get("info", {}))
            done = runs.infos[-1].get("scenes", count)
            if done < count:
                runs.cut = f"stopped after {done}"
                break
        return runs

    def warm(self, templates: Templates, count: int) -> list[float]:
        """Questions per CPU second of mereo in rounds after a first one in the same process."""
        known, out = find_format("clevr"), self.folder / "warm.json"

        def once() -> int:
            seed = self.given.seeds[0]
            asking = Asking(templates.folder, templates.metadata, templates.synonyms, PER_SCENE, seed, out)
            return known.ask(known.scenes(self.scenes(count)), asking, progress=lambda scenes: None)

        return rates(once, rounds=self.given.rounds).warm

    def measure(self, templates: Templates) -> tuple[list[Row], list[Runs]]:
        """The rows of one set of templates, and the runs of the plain search."""
        known = commands(templates, self.given)
        starts = {name: statistics.median(self.run(command, 1).cpu) for name, command in known.items()}
        heading, rows, plain = f"{len(templates)} templates", [], []
        for count in self.lengths:
            reference = None
            for name, command in known.items():
                runs = self.run(command, count)
                if name == PLAIN:
                    plain.append(runs)
                what = f"{count} scenes: {name}" + (f", {runs.cut}" if runs.cut else "")
                if not runs.rates:
                    self.notes.append(f"{heading}, {what}.")
                    continue
                reference = reference or what
                rows.append(_row(what, runs, starts[name], reference, heading))
            name = f"{count} scenes: {MEREO}, warm"
            rows.append(spread(name, self.warm(templates, count), unit=UNIT, against=reference or name, table=heading))
        return rows, plain


def _row(what: str, runs: Runs, start: float, against: str, heading: str) -> Row:
    questions, cpu, wall = (statistics.median(numbers) for numbers in (runs.questions, runs.cpu, runs.wall))
    # What is left of a short run without its start is too little to divide by.
    lasting = all(one - start > cpu / 10 for one in runs.cpu)
    left = [asked / (one - start) for asked, one in zip(runs.questions, runs.cpu, strict=True)] if lasting else []
    more: dict[str, float | None] = {"start left out": statistics.median(left) if left else None}
    more |= {"questions": questions, "CPU s": cpu, "of it start": start, "wall s": wall}
    return spread(what, runs.rates, unit=UNIT, against=against, table=heading, more=more)


def sampled(count: int) -> dict[str, Any]:
    """A scene file's content, made by mereo."""
    names = [f"CLEVR_new_{place:06d}.png" for place in range(count)]
    scenes = [
        {"split": "new", "image_index": place, "image_filename": name, **strewn_scene(generator(0, "bench", place))}
        for place, name in enumerate(names)
    ]
    return {"info": {"split": "new"}, "scenes": scenes}


def lost(runs: Runs, count: int) -> tuple[list[Row], list[str]]:
    """Where the time of the plain search goes, and the templates in which much of it is lost."""
    seconds: Counter[str] = Counter()
    vain: Counter[str] = Counter()
    for info in runs.infos:
        for name, all_of_it, in_vain in info["seconds"]:
            seconds[name] += all_of_it
            vain[name] += in_vain
    total = seconds.total()
    whole = f"all {len(seconds)} templates"
    named = [(whole, total, vain.total())]
    named += [(name, taken, vain[name]) for name, taken in seconds.most_common(6)]
    rows = [
        Row(
            what=name,
            value=taken / len(runs.infos),
            unit="CPU s",
            against=whole,
            table=f"where the plain search spends its time, {count} scenes",
            more={"of it in vain": in_vain / len(runs.infos)},
        )
        for name, taken, in_vain in named
    ]
    return rows, [name for name, in_vain in vain.most_common() if in_vain > LOST * total][: len(seconds) - 1]


def main() -> None:
    """Measure and keep."""
    given = _options()
    if not given.templates.is_dir():
        print(f"{given.templates}: no such folder, so nothing is measured; --templates says where they are")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bench = Bench(given, folder)
        templates = Templates(given.templates, given.metadata, given.synonyms)
        rows, plain = bench.measure(templates)
        whole = max(
            (pair for pair in zip(bench.lengths, plain, strict=True) if not pair[1].cut),
            default=(bench.lengths[0], plain[0]),
        )
        where, left_out = lost(whole[1], whole[0])
        rows += where
        if left_out:
            rows += bench.measure(templates.without(left_out, folder / "fewer"))[0]
            bench.notes.append(f"Left out in the last table: {', '.join(left_out)}.")
        seeds = f"seeds {', '.join(map(str, given.seeds))}"
        made = given.scenes.name if given.scenes else "sampled by mereo"
        bench.notes.append(f"Scenes: {made}. Medians of {seeds}, of {given.rounds} rounds where it is warm.")
    save("questions", given, rows, notes=bench.notes)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--templates", type=Path, default=CLEVR / "templates")
    parser.add_argument("--metadata", type=Path, default=CLEVR / "metadata.json")
    parser.add_argument("--synonyms", type=Path, default=CLEVR / "synonyms.json")
    parser.add_argument("--scenes", type=Path, help="a CLEVR scene file instead of sampled scenes")
    parser.add_argument("--official", type=Path, help="the folder `question_generation` of CLEVR's generator")
    parser.add_argument("--python", default=sys.executable, help="what the official generator is run with")
    parser.add_argument("--lengths", type=int, nargs="+", default=[20, 60, 500], help="scenes of a run")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument(
        "--patience",
        type=float,
        default=120,
        help="CPU seconds for a run of the plain search; others get twice as many",
    )
    parser.add_argument("--rounds", type=int, default=3, help="of mereo, warm")
    given = options(parser)
    if given.quick:
        given.lengths, given.seeds, given.rounds, given.patience = [3], given.seeds[:1], 1, 5
    return given


if __name__ == "__main__":
    main()
