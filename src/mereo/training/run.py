"""The folder of a trained row: what it was trained on and how, its words, and for each stage what was learned.

run.json · lexicon.json · STAGE/metrics.jsonl, STAGE/weights.pt, STAGE/curves.svg, and STAGE/state.pt while it learns
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import torch

from mereo import __version__
from mereo.datasets.asked import is_training
from mereo.datasets.store import fingerprint
from mereo.errors import BadInput, differing
from mereo.files import converted, read_json, write_bytes
from mereo.folders import alone_in, is_taken
from mereo.models.learner import Learner
from mereo.training.checkpoint import take_over
from mereo.training.device import at_work, seed_chance
from mereo.training.keeping import WEIGHTS, load_weights
from mereo.training.lending import Lender, borrow, pace_of
from mereo.training.lexicon import Lexicon
from mereo.training.loop import Fitted, Progress, fit, ignore
from mereo.training.order import seed_of
from mereo.training.row import PART, Desk, Row, Stage

__all__ = ["Run", "learned_split", "load_row", "train_row", "tried_split"]

VERSION = 1
_RUN, _LEXICON = "run.json", "lexicon.json"
_IDENTITY = ("version", "row", "benchmark", "fingerprint", "seed", "choices", "minutes", "start", "mereo")
"""What must be the same for a run to be gone on with. A dataset may have moved, and the device may be another."""


class Run(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A row that learns or has learned: `run.json`."""

    version: int
    row: str
    benchmark: str
    dataset: str
    """The folder of the dataset that it was begun with."""
    fingerprint: str
    """What that dataset holds."""
    seed: int
    choices: dict[str, str | int | float | bool]
    minutes: float | None
    """For all stages together; None where each sees its examples as often as its pace has it."""
    device: str
    mereo: str
    torch: str
    stages: dict[str, Fitted | None]
    """By name what each came to; None for those that are not done."""
    start: str = ""
    """The folder of the run whose weights it began with, where it is another's."""
    lent: dict[str, str] = {}
    """By stage the run that learned it, where that was another: its time is told here all the same."""
    earlier: float = 0.0
    """Seconds that learning took in that run, and in those that it began with."""
    seconds: float = 0.0
    """That learning took, over all stages that are done."""
    busy: float = 0.0
    """The share of it in which the device was at work."""
    folder: str = ""
    """Where it lies; that does not stand in it."""

    @property
    def place(self) -> Path:
        """Its folder."""
        return Path(self.folder)

    @property
    def lexicon(self) -> Lexicon:
        """The words, answers and tokens that its networks know by number."""
        return read_json(self.place / _LEXICON, type=Lexicon)

    @staticmethod
    def open(folder: str | Path) -> Run:
        """The run in a folder."""
        path = Path(folder) / _RUN
        if not path.exists():
            raise BadInput(f"holds no run: there is no {_RUN}", file=folder)
        if read_json(path, type=_Versioned).version != VERSION:
            raise BadInput("is of another version of mereo: train it again", file=path)
        return msgspec.structs.replace(read_json(path, type=Run), folder=str(folder))

    @staticmethod
    def begin(
        folder: str | Path, row: Row, desk: Desk, *, minutes: float | None = None, start: str | Path | None = None
    ) -> Run:
        """A new run in an empty folder, or the one that was begun there by the same row, on the same data, alike.

        start : the folder of another run, whose weights it begins with wherever they fit
        """
        new = _new_run(folder, row, desk, minutes)
        if start is not None:
            before = Run.open(start)
            if not any((before.place / stage.name / WEIGHTS).exists() for stage in row.stages):
                raise BadInput(f"has learned nothing that {row.name} could begin with", file=start)
            earlier = before.earlier + before.seconds
            new = msgspec.structs.replace(new, start=str(Path(start).resolve()), earlier=earlier)
        with alone_in(folder):
            if (new.place / _RUN).exists():
                begun = Run.open(folder)
                different = differing(begun._identity(), new._identity())
                if different:
                    raise BadInput(f"was begun with {different}: give another folder", file=folder)
                new = begun
            elif is_taken(new.place):
                raise BadInput("is not empty, and holds no run: give another folder", file=folder)
            else:
                new._write()
            if not (new.place / _LEXICON).exists():
                write_bytes(new.place / _LEXICON, msgspec.json.encode(desk.lexicon) + b"\n")
        return new

    def after(self, stage: str, fitted: Fitted) -> Run:
        """The same with one more stage that is done, which is written down."""
        stages = {**self.stages, stage: fitted}
        done = [one for one in stages.values() if one is not None]
        seconds = sum(one.seconds for one in done)
        busy = sum(one.busy * one.seconds for one in done) / (seconds or 1.0)
        new = msgspec.structs.replace(self, stages=stages, seconds=seconds, busy=busy)
        new._write()
        return new

    def _identity(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _IDENTITY}

    def _write(self) -> None:
        data = msgspec.json.encode(msgspec.structs.replace(self, folder=""))
        write_bytes(self.place / _RUN, msgspec.json.format(data, indent=1) + b"\n")


class _Versioned(msgspec.Struct):
    version: int


def _new_run(folder: str | Path, row: Row, desk: Desk, minutes: float | None) -> Run:
    manifest = desk.corpus.manifest
    gpu = f" ({torch.cuda.get_device_name(desk.device)})" if desk.device.type == "cuda" else ""
    return Run(
        version=VERSION,
        row=row.name,
        benchmark=manifest.benchmark,
        dataset=str(Path(desk.corpus.folder).resolve()),
        fingerprint=fingerprint(manifest),
        seed=desk.seed,
        choices=dict(desk.choices),
        minutes=minutes,
        device=f"{desk.device.type}{gpu}",
        mereo=__version__,
        torch=str(torch.__version__),
        stages={stage.name: None for stage in row.stages},
        folder=str(folder),
    )


def train_row(
    row: Row,
    desk: Desk,
    run: Run,
    progress: Callable[[Progress], None] = ignore,
    *,
    lenders: Sequence[Lender] = (),
) -> Run:
    """Train the stages of a row one after the other, in the time of its run; those that are done are only loaded.

    The trained networks are on the desk then. lenders : runs of other rows, which may have learned a stage already
    """
    whole = sum(stage.share for stage in row.stages)
    with alone_in(run.place):
        for stage in row.stages:
            minutes = None if run.minutes is None else run.minutes * stage.share / whole
            network = _untrained(stage, desk)
            if (lender := borrow(stage, row, run, lenders)) is not None:
                run = msgspec.structs.replace(run, lent={**run.lent, stage.name: lender.name})
            if run.start:
                _begin_with(Run.open(run.start), stage, network, desk)
            fitted = _train_stage(stage, network, desk, run.place / stage.name, minutes, progress)
            desk.networks[stage.name] = network
            run = run.after(stage.name, fitted)
    return run


def _train_stage(
    stage: Stage,
    network: Learner,
    desk: Desk,
    folder: Path,
    minutes: float | None,
    progress: Callable[[Progress], None],
) -> Fitted:
    if (folder / WEIGHTS).exists():  # what it learned from need not be read again
        done = load_weights(network, folder, device=desk.device)
        network.eval()
        return converted(done, file=folder / WEIGHTS, type=Fitted)
    tried = tried_split(desk.corpus.splits)
    return fit(
        network,
        stage.source(desk, learned_split(desk.corpus.splits)),
        pace=pace_of(stage, desk.choices),
        minutes=minutes,
        seed=seed_of(desk.seed, stage.name),
        device=desk.device,
        folder=folder,
        tried=stage.source(desk, tried) if tried is not None else None,
        progress=lambda one: progress(one._replace(stage=stage.name)),
    )


def _begin_with(before: Run, stage: Stage, network: Learner, desk: Desk) -> None:
    """Give a network what the same stage of another run has learned, unless it reads words that have other numbers."""
    other_words = {"question", "answer", "program"} & {*network.reads} and before.lexicon != desk.lexicon
    if (before.place / stage.name / WEIGHTS).exists() and not other_words:
        take_over(network, before.place / stage.name / WEIGHTS, device=desk.device)


def load_row(run: Run, desk: Desk, row: Row) -> None:
    """Put the networks of a trained run on a desk, made as its row makes them.

    The desk must have the lexicon, the seed and the choices of the run; by the choice `part` they know no more than
    after that part of the time.
    """
    for stage in row.stages:
        network = _untrained(stage, desk)
        load_weights(network, run.place / stage.name, device=desk.device, part=int(desk.choices.get(PART, 0)))
        desk.networks[stage.name] = network.eval()


def learned_split(splits: Sequence[str]) -> str:
    """What a row learns from: the split `train`, or the first that is there to learn from."""
    own = [split for split in splits if is_training(split)]
    if not own:
        raise BadInput("there is no split to learn from: none is called train")
    return "train" if "train" in own else own[0]


def tried_split(splits: Sequence[str]) -> str | None:
    """What a row is tried on while it learns: the first split for validation, else any that is not learned from."""
    others = [split for split in splits if not is_training(split)]
    return next((split for split in others if split.startswith("val")), others[0] if others else None)


def _untrained(stage: Stage, desk: Desk) -> Learner:
    """The network of a stage on its device, with the weights that follow from the seed."""
    with at_work(desk.device):
        seed_chance(desk.device, seed_of(desk.seed, stage.name, "weights"))
        return stage.network(desk).to(desk.device)
