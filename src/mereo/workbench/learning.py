"""Training a row of the zoo on a dataset, and having what was trained answer any dataset that it can read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mereo.benchmarks.benchmark import inspector_of
from mereo.datasets.asked import Asked, Selection, load_questions
from mereo.datasets.predictions import Header, Prediction, read_header, write_predictions
from mereo.datasets.store import open_dataset
from mereo.errors import BadInput
from mereo.evaluation.result import Judged
from mereo.evaluation.runs import predictions_of, run_folder
from mereo.extras import need
from mereo.training.row import COLUMNS, NEEDS, WIDEST, Desk, Row
from mereo.workbench.judging import evaluate, selection_of
from mereo.workbench.rows import Value, chosen, find_model, learning_of
from mereo.workbench.sights import SHOWN, keep_sights
from mereo.workbench.silence import Progress, quiet

if TYPE_CHECKING:
    import torch

    from mereo.training.corpus import Corpus
    from mereo.training.loop import Fitted
    from mereo.training.loop import Progress as Learned
    from mereo.training.run import Run

__all__ = [
    "Reading",
    "Reopened",
    "Shelf",
    "Telling",
    "Trained",
    "check_device",
    "check_needs",
    "predict",
    "reopened",
    "train",
    "trained",
    "unread",
    "untold",
]

Telling = Callable[["Learned"], None]
"""Called now and then with how far learning has come."""
Reading = Callable[[str, int, int], None]
"""Called with what of a dataset is being read, how much of it is, and how much there is."""
Shelf = dict[tuple[Path, "torch.device", int], "Corpus"]
"""Datasets that stay open from one call to the next, so that what was read and decoded of them is not again: by folder,
device and columns of the largest pictures."""
_NARROWEST = 16
"""Columns of pictures that can show anything."""


def untold(learned: Learned) -> None:
    """Nobody looks."""


def unread(what: str, done: int, total: int) -> None:
    """Nobody looks."""


class Trained(NamedTuple):
    """A row that has learned."""

    folder: Path
    row: str
    stages: Mapping[str, Fitted]
    """By name what learning came to in each."""

    @property
    def curves(self) -> dict[str, Path]:
        """By stage the picture of its losses and marks."""
        return {stage: self.folder / stage / "curves.svg" for stage in self.stages}

    def __repr__(self) -> str:
        told = [
            f"{name}: {', '.join([f'{one.steps:,} steps', *(f'{k} {v:.1%}' for k, v in one.marks.items())])}"
            for name, one in self.stages.items()
        ]
        return f"{self.folder}: {self.row}, {'; '.join(told) or 'which has nothing to learn'}"


def train(
    row: str,
    dataset: str | Path,
    out: str | Path,
    *,
    minutes: float | None = None,
    device: str = "auto",
    seed: int = 0,
    choices: Mapping[str, Any] | None = None,
    start: str | Path | None = None,
    lenders: Sequence[Path] = (),
    telling: Telling = untold,
    reading: Reading = unread,
    shelf: Shelf | None = None,
) -> Trained:
    """Train a row on the training splits of a dataset; a folder in which that was begun is gone on with.

    minutes : for all its stages together; else each sees its examples as often as its pace has it
    choices : what is chosen about the row, as `{"width": 256}`
    start : the folder of another run, whose weights it begins with wherever they fit
    lenders : folders of runs from which whole stages are taken that they have in common with this row
    shelf : where the dataset is left open, or found so
    """
    place = check_device(device)
    from mereo.training.lending import Lender
    from mereo.training.run import Run, train_row

    manifest = open_dataset(dataset)
    found = find_model(row, of=manifest.benchmark).row
    settled = chosen(found, choices or {})
    corpus = _corpus(dataset, place, reading, settled, shelf)
    _check(found, corpus)
    desk = Desk(corpus, corpus.lexicon(), place, seed, settled)
    run = Run.begin(Path(out), found, desk, minutes=minutes, start=start)
    others = [Lender(one, find_model(one.row, of=one.benchmark).row) for one in map(Run.open, lenders)]
    return _trained(train_row(found, desk, run, telling, lenders=others), Path(out))


def trained(run: str | Path) -> Trained:
    """What was trained in a folder, all of whose stages must be done."""
    need("learning", "train")
    from mereo.training.run import Run

    folder = Path(run)
    return _trained(Run.open(folder), folder)


def _trained(run: Run, folder: Path) -> Trained:
    stages = {}
    for name, fitted in run.stages.items():
        if fitted is None:
            raise BadInput(f"is not trained yet: stage '{name}' is not done, and mereo train goes on", file=folder)
        stages[name] = fitted
    return Trained(folder, run.row, stages)


class Reopened(NamedTuple):
    """A trained run that is asked: what was learned, by which row, and all that is chosen about it."""

    run: Run
    row: Row
    choices: Mapping[str, Value]

    @property
    def settings(self) -> dict[str, Any]:
        """How what it tells came about, as the header of a file says it."""
        return {
            "row": self.run.row,
            "learned_from": self.run.fingerprint,
            "minutes": self.run.minutes,
            "seed": self.run.seed,
            "choices": dict(self.choices),
        }

    def desk(self, dataset: Path, device: torch.device, reading: Reading, shelf: Shelf | None = None) -> Desk:
        """A dataset that has what the row needs, and what was learned, before whoever asks it."""
        from mereo.training.run import load_row

        corpus = _corpus(dataset, device, reading, self.choices, shelf)
        _check(self.row, corpus)
        desk = Desk(corpus, self.run.lexicon, device, self.run.seed, self.choices)
        load_row(self.run, desk, self.row)
        return desk


def reopened(folder: Path, choices: Mapping[str, Any] | None) -> Reopened:
    """The run of a folder, all of whose stages must be done. choices : about how it answers"""
    from mereo.training.run import Run

    run = Run.open(folder)
    _trained(run, folder)
    row = find_model(run.row, of=run.benchmark).row
    return Reopened(run, row, {**run.choices, **chosen(row, choices or {})})


def predict(
    run: str | Path,
    dataset: str | Path,
    *,
    split: str | None = None,
    name: str | None = None,
    replace: bool = False,
    device: str = "auto",
    choices: Mapping[str, Any] | None = None,
    show: int = SHOWN,
    command: str = "",
    begin: Callable[[int], Progress] = lambda total: quiet,
    reading: Reading = unread,
    shelf: Shelf | None = None,
) -> Judged:
    """Have a trained row answer the questions of a dataset, and judge the answers, which are kept with both.

    split : by default all but those for training · choices : what is chosen about how it answers
    show : of how many questions it is kept what the row saw and where it looked, where it can tell
    begin : called with the number of questions; gives what takes the number answered
    shelf : where the dataset is left open, or found so
    """
    place = check_device(device)
    folder, dataset = Path(run), Path(dataset)
    past = reopened(folder, choices)
    row, settings = past.row, past.settings
    asked = load_questions(dataset)
    _check_words(past.run, row, asked, folder)
    selection = selection_of(asked, split)
    own = asked.take(asked.chosen(selection), selection)
    called = name or folder.resolve().name
    _check_free(dataset, called, settings, replace=replace)
    desk = past.desk(dataset, place, reading, shelf)
    about = asked.manifest.benchmark
    header = Header(dataset=asked.checksum, benchmark=about, model=row.name, selection=selection, settings=settings)
    path = folder / "predictions" / f"{called}.jsonl"
    write_predictions(path, header, _answers(row, desk, selection, begin(len(own))))
    judged = evaluate(dataset, [path], name=called, replace=True, command=command)[0]
    keep_sights(row, desk, selection.splits, run_folder(dataset, called), show)
    return judged


def _answers(row: Row, desk: Desk, selection: Selection, progress: Progress) -> Iterator[Prediction]:
    for split in selection.splits:
        for prediction in row.answer(desk, split):
            yield prediction
            progress(1)


def check_device(name: str) -> torch.device:
    """The device of a name, if it is here, with all cores at work."""
    need("learning", "train")
    from mereo.training.device import choose_device, use_cores

    use_cores()
    return choose_device(name)


def _corpus(
    dataset: str | Path,
    device: torch.device,
    reading: Reading,
    choices: Mapping[str, Value],
    shelf: Shelf | None = None,
) -> Corpus:
    """A dataset as a row with these choices sees it."""
    from mereo.training.corpus import Corpus

    widest = int(choices.get(WIDEST, COLUMNS))
    if widest < _NARROWEST:
        raise BadInput(f"must be at least {_NARROWEST} columns, not {widest}", field=WIDEST)

    key = (Path(dataset).resolve(), device, widest)
    shelf = {} if shelf is None else shelf
    if key not in shelf:
        manifest = open_dataset(dataset)
        seeing = learning_of(manifest.benchmark).seeing
        own = seeing(manifest) if seeing is not None else None
        shelf[key] = Corpus(Path(dataset), inspector_of(manifest), device, seeing=own, widest=widest, progress=reading)
    return shelf[key]


def check_needs(row: Row, dataset: str | Path) -> None:
    """See that a dataset has what a row needs."""
    _check(row, _corpus(dataset, check_device("cpu"), unread, {}))


def _check(row: Row, corpus: Corpus) -> None:
    lacking = corpus.lacking(row.needs)
    if lacking:
        told = " and no ".join(NEEDS[one] for one in lacking)
        raise BadInput(f"has no {told}, which row {row.name} needs", file=corpus.folder)


def _check_words(past: Run, row: Row, asked: Asked, folder: Path) -> None:
    """See that what was learned can be said about a dataset: the programs of its language, its answers."""
    there = asked.manifest.benchmark
    if there == past.benchmark:
        return
    if "programs" in row.needs:
        raise BadInput(f"has learned the language of {past.benchmark}, which is not that of {there}", file=folder)
    answers = set(asked.coded("answer").names)
    unknown = sorted(answers - set(past.lexicon.answers))
    if unknown:
        told = f"{len(unknown)} of the {len(answers)} answers of {asked.folder}, such as '{unknown[0]}'"
        raise BadInput(f"has learned from {past.benchmark} and cannot give {told}", file=folder)


def _check_free(dataset: Path, name: str, settings: Mapping[str, Any], *, replace: bool) -> None:
    """See that a dataset has no other run of this name; one of the same making is made anew."""
    there = predictions_of(run_folder(dataset, name))
    if there is not None and not replace and read_header(there).settings != settings:
        raise BadInput(f"there is another run '{name}' already: give --name, or --replace", file=there)
