"""Commands that only SHOP-VRB has: parses of its scenes, without a model or by one, and what parses are worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mereo.benchmarks.choices import Choice
from mereo.benchmarks.offer import Command, Lines, Sheet
from mereo.errors import BadInput

__all__ = ["COMMANDS"]

_DATASET = Choice("dataset", Path, None, "A dataset of household scenes, with pictures.", argument=True)
_PARSERS = ("oracle", "noise", "blind")
_GIVEN = ("masks", "attributes")
_SPLIT = "Only these splits, as `test,benchmark`"


def _splits(choices: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(choices["split"].split(",")) if choices["split"] else ()


def _parse(choices: Mapping[str, Any], progress: Callable[[int], None]) -> Lines:
    from mereo.benchmarks.benchmark import inspector_of
    from mereo.benchmarks.shop.parsers import parse_scenes
    from mereo.datasets.predictions import write_predictions
    from mereo.datasets.store import open_dataset
    from mereo.evaluation.baselines import judged_splits

    folder = Path(choices["dataset"])
    manifest = open_dataset(folder)
    eye, splits = inspector_of(manifest), _splits(choices)
    if choices["run"] is not None:
        from mereo.benchmarks.shop.learning.parsing import parse_by_run

        splits = splits or judged_splits(list(manifest.scenes))
        header, parses = parse_by_run(
            folder, manifest, eye, Path(choices["run"]), splits=splits, given=choices["given"]
        )
    else:
        if choices["given"] is not None:
            raise BadInput("only a trained run can be given something: name it by --run", field="--given")
        header, parses = parse_scenes(
            folder, manifest, eye, choices["how"], splits=splits, rate=choices["rate"], seed=choices["seed"]
        )
    found = []
    for parse in parses:
        found.append(parse)
        progress(1)
    write_predictions(choices["out"], header, found)
    scenes = "1 scene" if len(found) == 1 else f"{len(found):,} scenes"
    return [f"{choices['out']}: parses of {scenes} ({header.model})"]


PARSE = Command(
    "parse",
    "Write parses of household scenes: the truth, the truth seen imperfectly, what is usual, or what a model sees.",
    (
        _DATASET,
        Choice("out", Path, None, "The file of parses to write, as `oracle.jsonl`.", argument=True),
        Choice(
            "how",
            str,
            "oracle",
            "`oracle`: the truth; `noise`: the truth seen imperfectly; `blind`: what is usual in training.",
            flag="as",
            known=_PARSERS,
        ),
        Choice("rate", float, 0.1, "With `noise`, how much is missed, mistaken and moved.", least=0),
        Choice("split", str, None, f"{_SPLIT}; by default all but those for training."),
        Choice("seed", int, 0, "Same seed, same parses.", least=0),
        Choice("run", Path, None, "A trained run of a row that sees things, as ns_vqa, instead of `--as`."),
        Choice("given", str, None, "What a run is told and need not see: masks, or all that is seen.", known=_GIVEN),
    ),
    _parse,
    unit="scenes",
)


def _parsed(choices: Mapping[str, Any], progress: Callable[[int], None]) -> Lines:
    from mereo.benchmarks.benchmark import inspector_of
    from mereo.benchmarks.shop.parsed import judge_parses
    from mereo.benchmarks.shop.parsed_grids import FORMS, grids_of, written

    out = choices["out"]
    if out is not None and Path(out).suffix not in FORMS:
        raise BadInput(f"must end in {', '.join(FORMS)}", file=out, field="--out")
    result = judge_parses(
        choices["parses"], choices["dataset"], inspector_of, splits=_splits(choices), progress=progress
    )
    lines: list[str | Sheet] = []
    for grid in grids_of(result):
        lines += [grid.name, Sheet(grid.columns, [row.cells for row in grid.rows]), ""]
    missing, judged = sum(result.missing.values()), sum(result.scenes.values())
    if missing:
        lines.append(f"{missing:,} of {judged:,} scenes have no parse, and nothing in them is found")
    lines.append(f"{', '.join(result.scenes)}; intervals {result.interval}")
    if out is not None:
        written(out, result)
        lines.append(f"{out}: written")
    return lines


PARSED = Command(
    "parsed",
    "Judge parses of household scenes: boxes, objects found, what is seen of them and what is read about them.",
    (
        _DATASET,
        Choice("parses", Path, None, "A file of parses.", argument=True),
        Choice("split", str, None, f"{_SPLIT}; by default those that the file is about."),
        Choice("out", Path, None, "Also write the tables, as `tables.json`, `tables.md` or `tables.csv`."),
    ),
    _parsed,
    unit="scenes",
)

COMMANDS = (PARSE, PARSED)
