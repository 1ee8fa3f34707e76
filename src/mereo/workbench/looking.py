"""Having what was trained tell what it sees in the scenes of a dataset, and judging that, whatever is asked of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from mereo import __version__
from mereo.datasets.asked import Selection
from mereo.datasets.predictions import Header
from mereo.datasets.store import fingerprint, open_dataset
from mereo.errors import BadInput, UnknownName
from mereo.evaluation.result import INTERVAL, VERSION, Result
from mereo.evaluation.runs import run_folder, save_result
from mereo.folders import alone_in
from mereo.workbench.learning import Reading, Shelf, check_device, reopened, unread
from mereo.workbench.rows import learning_of
from mereo.workbench.silence import Progress, quiet

__all__ = ["Looked", "look"]


class Looked(NamedTuple):
    """What a run saw."""

    result: Result
    """How well it did; the first line of the first table stands for all."""
    file: Path
    """What it saw, scene by scene."""


def look(
    run: str | Path,
    dataset: str | Path,
    *,
    split: str,
    name: str,
    device: str = "auto",
    choices: Mapping[str, Any] | None = None,
    command: str = "",
    begin: Callable[[int], Progress] = lambda total: quiet,
    reading: Reading = unread,
    shelf: Shelf | None = None,
) -> Looked:
    """Have a trained row tell what it sees in a split of a dataset, and judge it as the benchmark does.

    The result is kept under a name beside the dataset, and what was seen beside the run.
    choices : what is chosen about how it looks · begin : called with the number of scenes; gives what takes those done
    shelf : where the dataset is left open, or found so
    """
    place = check_device(device)
    folder, dataset = Path(run), Path(dataset)
    past, manifest = reopened(folder, choices), open_dataset(dataset)
    judged = learning_of(manifest.benchmark).look
    if judged is None:
        raise BadInput(f"is of {manifest.benchmark}, of which nobody judges what is seen", file=dataset)
    if split not in manifest.scenes:
        raise UnknownName("split", split, manifest.scenes)
    header = Header(
        dataset=fingerprint(manifest),
        benchmark=manifest.benchmark,
        model=past.row.name,
        selection=Selection((split,)),
        settings=past.settings,
    )
    file = folder / "seen" / f"{name}.jsonl"
    with alone_in(run_folder(dataset, name)):
        desk = past.desk(dataset, place, reading, shelf)
        tables = [*judged(past.row, desk, header, file, begin(manifest.scenes[split]))]
        overall = tables[0].rows[0]
        result = Result(
            result=VERSION,
            run=name,
            header=header,
            benchmark=manifest.benchmark,
            dataset=fingerprint(manifest),
            selection=Selection((split,)),
            normalization="",
            interval=INTERVAL,
            command=command,
            mereo=__version__,
            measures=list(overall.scores),
            overall=overall,
            tables=tables,
            consistency=[],
            confusion=[],
        )
        save_result(dataset, result)
    return Looked(result, file)
