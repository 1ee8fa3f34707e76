"""Judging: what predictions, blind guesses and oracles are worth on a dataset, and the report on all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from mereo.benchmarks.benchmark import benchmark, inspector_of
from mereo.datasets.asked import Asked, Selection, load_questions
from mereo.datasets.audit import Audit, audit_dataset
from mereo.datasets.gates import Gate
from mereo.datasets.predictions import Header, Prediction, Predictions, read_predictions, write_predictions
from mereo.datasets.store import open_dataset
from mereo.errors import BadInput, UnknownName
from mereo.evaluation.baselines import all_baselines, judged_splits
from mereo.evaluation.blind import overall_scores, run_baselines, score_baselines, write_into_card
from mereo.evaluation.curves import Curve, load_curves, measure_curves, save_curves
from mereo.evaluation.intervals import Mean
from mereo.evaluation.judging import Judging
from mereo.evaluation.oracle import answer_by_oracle, oracle_name
from mereo.evaluation.report import Report, audit_symbols, write_report
from mereo.evaluation.result import Judged, judge_run
from mereo.evaluation.runs import (
    is_current,
    keep_predictions,
    list_runs,
    predictions_of,
    rejudge,
    run_folder,
    save_result,
    selected,
)
from mereo.folders import alone_in
from mereo.workbench.showing import page, table
from mereo.workbench.silence import Progress, quiet, unheard

__all__ = [
    "Audited",
    "Reported",
    "audit",
    "baseline",
    "curves",
    "evaluate",
    "evaluate_answers",
    "oracle",
    "report",
    "selection_of",
]

MOST_AUDITED = 50_000
CURVED = 1000
_TOLD = 10
"""Complaints that are shown, and answers."""
_BLIND = ("random-by-type", "frequent-by-type")
"""PTR's two baselines that never see a picture."""


class Audited(NamedTuple):
    """What an audit found, and what is right without looking."""

    audit: Audit
    blind: list[tuple[str, Mean]]

    @property
    def gates(self) -> list[Gate]:
        """Figures of the whole set, with their bounds."""
        return self.audit.gates

    @property
    def complaints(self) -> list[str]:
        """What is wrong, a sentence each."""
        return self.audit.complaints

    def __repr__(self) -> str:
        lines = [self.audit.summary]
        lines += self.complaints[:_TOLD]
        if len(self.complaints) > _TOLD:
            lines.append(f"… and {len(self.complaints) - _TOLD:,} more")
        if self.blind:
            reached = ", ".join(f"{name} {mean.value:.1%}" for name, mean in self.blind)
            lines.append(f"right without looking: {reached}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = []
        for subtype, counts in sorted(self.audit.answers.items()):
            shares = [f"{answer} {count / counts.total():.0%}" for answer, count in counts.most_common(_TOLD)]
            rows.append((subtype, f"{counts.total():,}", ", ".join(shares)))
        lines = "<br>".join(map(escape, repr(self).splitlines()))
        gates = [
            (gate.name, gate.told(gate.found), gate.told(gate.most), f"{gate.of:,}", gate.verdict, gate.note)
            for gate in self.gates
        ]
        tables = [table(("subtype", "questions", "answers"), rows)]
        tables += [table(sheet.headings, sheet.rows) for sheet in self.audit.sheets]
        if gates:
            tables.append(table(("gate", "found", "at most", "of", "", ""), gates))
        return page(f"<p>{lines}</p>", *tables)


def audit(dataset: str | Path, *, progress: Progress = quiet) -> Audited:
    """Re-run every program, recompute what the masks say, and check files, answers, duplicates and splits."""
    manifest = open_dataset(dataset)
    found = audit_dataset(dataset, inspector_of(manifest), progress=progress)
    judging = benchmark(manifest.benchmark).judging
    if not judging.worded or not found.questions or found.complaints:
        return Audited(found, [])
    return Audited(found, score_baselines(load_questions(dataset), _BLIND, judging=judging))


def selection_of(asked: Asked, split: str | None, limit: int | None = None, seed: int = 0) -> Selection:
    """The questions that are asked by default: all splits but those for training. split : as `val,test`"""
    splits = tuple(split.split(",")) if split else judged_splits(list(asked.manifest.scenes))
    return Selection(splits, limit, seed)


def evaluate(
    dataset: str | Path,
    predictions: Sequence[str | Path],
    *,
    split: str | None = None,
    name: str | None = None,
    replace: bool = False,
    command: str = "",
    progress: Progress = quiet,
) -> list[Judged]:
    """Judge prediction files, or runs that are kept, and keep them beside the dataset."""
    if name is not None and len(predictions) > 1:
        raise BadInput("one name does not fit several prediction files", field="--name")
    dataset = Path(dataset)
    wanted = Selection(tuple(split.split(","))) if split else None
    asked = load_questions(dataset)
    judging = benchmark(asked.manifest.benchmark).judging
    runs = []
    for given in predictions:
        path = Path(given)
        if not path.exists() and "/" not in str(given):
            path = predictions_of(run_folder(dataset, str(given))) or path
        elif path.is_dir():
            path = predictions_of(path) or path
        run = name or (path.parent.name if path.stem == "predictions" else path.stem)
        run_folder(dataset, run)  # complains of a name that cannot be one before anything is judged
        own, theirs = selected(asked, read_predictions(path, asked), wanted)
        try:
            judged = judge_run(own, theirs, run=run, judging=judging, command=command)
        except BadInput as error:
            raise error.within(file=path) from None
        with alone_in(run_folder(dataset, run)):
            keep_predictions(dataset, run, path, replace=replace)
            save_result(dataset, judged.result)
        runs.append(judged)
        progress(1)
    return runs


def evaluate_answers(
    dataset: Path,
    answers: Mapping[str, str | int | bool | None],
    *,
    split: str | None = None,
    name: str | None = None,
    replace: bool = False,
) -> Judged:
    """Judge answers by question id; where they have a name, they are kept beside the dataset."""
    asked = load_questions(dataset)
    given: list[Prediction | None] = [None] * len(asked)
    for question, answer in answers.items():
        place = asked.places.get(question)
        if place is None:
            raise BadInput(f"asks no question '{question}'; its ids are like '{asked.ids[0]}'", file=dataset)
        if not isinstance(answer, str | int | None):
            raise BadInput(
                f"the answer must be a word, a whole number, True, False or None, not {answer!r}", record=question
            )
        given[place] = Prediction(question, answer)
    own, theirs = selected(asked, Predictions(Header(), given), Selection(tuple(split.split(","))) if split else None)
    judged = judge_run(own, theirs, run=name or "answers", judging=benchmark(asked.manifest.benchmark).judging)
    if name is not None:
        with TemporaryDirectory() as scratch, alone_in(run_folder(dataset, name)):
            path = Path(scratch) / "predictions.jsonl"
            write_predictions(path, Header(), [one for one in given if one is not None])
            keep_predictions(dataset, name, path, replace=replace)
            save_result(dataset, judged.result)
    return judged


def _worded(asked: Asked, what: str) -> Judging:
    """How a dataset is judged, if it asks for words. what : that makes no sense otherwise"""
    judging = benchmark(asked.manifest.benchmark).judging
    if not judging.worded:
        raise BadInput(f"the questions of {asked.manifest.benchmark} ask for no words that {what}", file=asked.folder)
    return judging


def baseline(
    dataset: str | Path,
    which: Sequence[str] | None = None,
    *,
    seed: int = 0,
    command: str = "",
    progress: Progress = quiet,
) -> list[Judged]:
    """Answer and judge a dataset blindly, keep the runs beside it, and write their scores into its card."""
    asked = load_questions(dataset)
    judging = _worded(asked, "could be guessed")
    names = list(which) if which else list(all_baselines())
    runs = run_baselines(asked, names, judging=judging, command=command, seed=seed, progress=progress)
    write_into_card(asked.folder, overall_scores(runs, judging=judging))
    return runs


def _for_oracle(dataset: str | Path, split: str | None, limit: int | None) -> tuple[Asked, Judging]:
    asked = load_questions(dataset)
    judging = _worded(asked, "could be given by an oracle")
    selection = selection_of(asked, split, limit)
    return asked.take(asked.chosen(selection), selection), judging


def oracle(
    dataset: str | Path,
    noise: Mapping[str, float] | None = None,
    *,
    split: str | None = None,
    limit: int | None = None,
    seed: int = 0,
    command: str = "",
    progress: Progress = quiet,
) -> Judged:
    """Answer a dataset by running its programs, perhaps on worlds that are seen wrongly, judge and keep that."""
    own, judging = _for_oracle(dataset, split, limit)
    amounts = dict(noise or {})
    eye = inspector_of(own.manifest)
    predictions = answer_by_oracle(own, eye, amounts=amounts, seed=seed, told=judging.told, progress=progress)
    name = oracle_name(amounts)
    judged = judge_run(own, predictions, run=name, judging=judging, command=command)
    given = [one for one in predictions.given if one is not None]
    with alone_in(run_folder(own.folder, name)):
        write_predictions(run_folder(own.folder, name) / "predictions.jsonl", predictions.header, given)
        save_result(own.folder, judged.result)
    return judged


def curves(
    dataset: str | Path,
    kinds: Sequence[str] = (),
    *,
    split: str | None = None,
    limit: int | None = None,
    seed: int = 0,
    progress: Progress = quiet,
) -> list[Curve]:
    """How the oracle's score falls as each kind of noise grows; kept beside the dataset."""
    own, judging = _for_oracle(dataset, split, limit)
    names = list(kinds) or ["attributes", "objects"]
    eye = inspector_of(own.manifest)
    found = measure_curves(own, eye, names, judging=judging, seed=seed, progress=progress)
    save_curves(own.folder, found)
    return found


class Reported(NamedTuple):
    """The files of a report, and how many runs it tells of."""

    paths: list[Path]
    runs: int


def report(
    dataset: str | Path,
    *,
    out: str | Path | None = None,
    runs: Sequence[str] | None = None,
    command: str = "",
    begin: Callable[[int], Progress] = lambda total: quiet,
    complain: Callable[[str], None] = unheard,
) -> Reported:
    """Write a report of a dataset and its runs as one HTML file, and its tables as Markdown, LaTeX and CSV.

    Blind baselines are always in it: where they have not been run yet, they are.
    begin : called with the number of steps; gives what is called for each
    """
    dataset = Path(dataset)
    asked = load_questions(dataset)
    judging = benchmark(asked.manifest.benchmark).judging
    kept = list_runs(dataset)
    always = list(all_baselines()) if judging.worded else []
    missing = [name for name in always if name not in kept or not is_current(asked, name)]
    wanted = list(runs) if runs else list(dict.fromkeys([*kept, *missing]))
    for name in wanted:
        if name not in kept and name not in missing:
            raise UnknownName("run", name, [*kept, *missing])
    blind = [name for name in always if name not in wanted]
    progress = begin(len(missing) + len(wanted) + 4)
    if missing:
        fresh = run_baselines(asked, missing, judging=judging, command=command, progress=progress)
        if missing == always:
            write_into_card(asked.folder, overall_scores(fresh, judging=judging))
    judged = []
    for name in [*wanted, *blind]:
        try:
            judged.append(rejudge(asked, name, judging=judging))
        except BadInput as error:
            complain(f"run {name} is left out: {error}")
        progress(1)
    inspector = inspector_of(asked.manifest)
    audited = audit_symbols(dataset, inspector) if len(asked) <= MOST_AUDITED else None
    progress(1)
    found = [curve for curve in load_curves(dataset) if curve.dataset == asked.checksum]
    if not found and judging.worded:
        found = curves(dataset, limit=CURVED)
    progress(1)
    everything = Report(asked, judged, audited, found, inspector, judging)
    return Reported(write_report(everything, Path(out or dataset), progress=progress), len(judged))
