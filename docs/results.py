"""Takes what studies came to into the docs: their tables, charts and curves, and the pace of what was trained.

    python docs/results.py OUT [OUT ...] [--pages docs/results] [--beside WORD]

OUT is a folder that `mereo reproduce` wrote. Of a study of PTR go its JSON and chart to PAGES/ptr/STUDY, beside the
rows that were kept there before, if these are of the same data; of all runs of a benchmark what they took and came to,
to PAGES/ptr/learned.json. What was found on other data, and is to be kept beside that, goes to STUDY_WORD and
learned_WORD.json. Then the pages are written anew: in PAGES/ptr.md, all that stands between `<!-- STUDY -->`
or `<!-- learned -->`, and `<!-- end -->`. Between `<!-- NAME: some words -->` and the end comes the picture
PAGES/ptr/NAME.jpg, which the words describe. What is not there yet stays empty.
"""

from __future__ import annotations

import argparse
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from mereo.files import read_json, write_bytes
from mereo.training.run import Run
from mereo.workbench.reproduced import Reproduced
from mereo.workbench.reproduced_files import read_reproduced, tables_of, write_reproduced

PAGES = Path(__file__).with_name("results")
_LEARNED = "learned"
_BLOCK = r"(<!-- (\w+)(?:: ([^\n]+?))? -->)\n(?:.*?\n)??<!-- end -->"
"""The mark where a block begins, what is in it and, of a picture, what it shows; and all up to where it ends."""
_HEADINGS = ("run", "stage", "minutes", "steps", "examples a second", "busy", "peak GiB", "percent right, held out")


class Paced(msgspec.Struct, frozen=True):
    """What one stage of a run took and came to."""

    run: str
    stage: str
    device: str
    lent: str
    minutes: float
    steps: int
    examples_per_second: float
    busy: float
    memory: float
    marks: dict[str, float]
    tried: dict[str, float]
    """The marks on examples that it did not learn from."""


def main() -> None:
    """Take and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--pages", type=Path, default=PAGES)
    parser.add_argument("--beside", default="")
    given = parser.parse_args()
    ending = f"_{given.beside}" if given.beside else ""
    for folder in given.folders:
        benchmark = read_json(folder / "reproduction.json", type=dict[str, object])["benchmark"]
        take(folder, given.pages / str(benchmark), ending=ending)
    for page in sorted(given.pages.glob("*.md")):
        write_bytes(page, written(page).encode())


def take(folder: Path, kept: Path, *, ending: str = "") -> None:
    """Keep the studies and runs of a reproduction. ending : of the names by which they are kept"""
    for table in sorted(folder.glob("*/table.json")):
        own = kept / f"{table.parent.name}{ending}"
        own.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory() as scratch:
            write_reproduced(together(read_reproduced(table.parent), own)._replace(folder=Path(scratch)))
            for name in ("table.json", "chart.svg"):
                shutil.copyfile(Path(scratch, name), own / name)
    runs = [Run.open(path.parent) for path in sorted(folder.glob("runs/*/run.json"))]
    new = [paced for run in runs for paced in _paces(run)]
    path = kept / f"{_LEARNED}{ending}.json"
    before = read_json(path, type=list[Paced]) if path.exists() else []
    every = {(one.run, one.stage): one for one in (*before, *new)}
    write_bytes(path, msgspec.json.format(msgspec.json.encode([*every.values()]), indent=1) + b"\n")


def together(found: Reproduced, own: Path) -> Reproduced:
    """A study with the arms that were kept before, where they are of the same scale, seed and data."""
    if not (own / "table.json").exists():
        return found
    before = read_reproduced(own)
    alike = all(found.data.get(name, known) == known for name, known in before.data.items())
    if not alike or (before.scale, before.seed) != (found.scale, found.seed):
        return found
    arms = {one.name: one for one in (*before.arms, *found.arms)}
    return found._replace(arms=list(arms.values()), data={**before.data, **found.data})


def _paces(run: Run) -> list[Paced]:
    done = [(name, one) for name, one in run.stages.items() if one is not None]
    return [
        Paced(
            run=run.place.name,
            stage=name,
            device=run.device,
            lent=run.lent.get(name, ""),
            minutes=round(one.seconds / 60, 2),
            steps=one.steps,
            examples_per_second=round(one.examples_per_second, 1),
            busy=round(one.busy, 3),
            memory=round(one.memory / 1024, 2),
            marks=one.marks,
            tried=one.tried.marks if one.tried is not None else {},
        )
        for name, one in done
    ]


def written(page: Path) -> str:
    """A page as it stands, with everything between its marks as the files beside it have it."""

    def block(found: re.Match[str]) -> str:
        mark, name, about = found.groups()
        return "\n".join([mark, *_lines(page.with_suffix(""), name, about), "<!-- end -->"])

    return re.sub(_BLOCK, block, page.read_text(), flags=re.DOTALL)


def _lines(own: Path, name: str, about: str | None) -> list[str]:
    """What stands in a block; nothing where its file is not there. own : folder beside the page"""
    if about is not None:
        picture = own / f"{name}.jpg"
        return [f"![{about}]({own.name}/{picture.name})"] if picture.exists() else []
    if name.partition("_")[0] == _LEARNED:
        path = own / f"{name}.json"
        return learned_table(read_json(path, type=list[Paced])) if path.exists() else []
    there = (own / name / "table.json").exists()
    return tables_of(read_reproduced(own / name), chart=f"{own.name}/{name}/chart.svg") if there else []


def learned_table(paces: list[Paced]) -> list[str]:
    """Lines of Markdown: a row for each stage that was trained, or lent by another run."""
    lines = [f"| {' | '.join(_HEADINGS)} |", "|---|---|" + "---:|" * 5 + "---|"]
    for one in paces:
        told = ", ".join(f"{name} {100 * share:.1f}" for name, share in one.tried.items())
        figures = (f"{one.minutes:.1f}", f"{one.steps:,}", f"{one.examples_per_second:,.0f}", f"{one.busy:.0%}")
        lent = f"lent by {one.lent}" if one.lent else told
        lines.append(f"| {' | '.join((one.run, one.stage, *figures, f'{one.memory:.1f}', lent))} |")
    return lines


if __name__ == "__main__":
    main()
