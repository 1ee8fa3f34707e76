"""What the arms of a study came to: where it lies, whether it counts, and the table of all that is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from mereo.datasets.store import Manifest, fingerprint, open_dataset
from mereo.errors import BadInput
from mereo.evaluation.result import Result
from mereo.evaluation.runs import RESULT, run_folder
from mereo.files import read_json
from mereo.training.learning import Arm, Study
from mereo.workbench.learning import trained
from mereo.workbench.reproduced import Reproduced, measured
from mereo.workbench.reproduced_files import write_reproduced
from mereo.workbench.rows import find_model, learning_of
from mereo.workbench.studies import Reproduction, named, repeated

if TYPE_CHECKING:
    from mereo.training.run import Run

__all__ = ["asked_name", "collect", "result_of", "whole"]


def asked_name(plan: Reproduction, arm: Arm, again: int, study: Study | None = None) -> str:
    """What an arm's run is called beside the dataset. study : for which it was asked, where not for the plan's own"""
    own = f"{(study or plan.study).name}-{named(arm.row, arm.data, arm.choices, arm.asked)}"
    return repeated(f"{own}-{arm.split}" if arm.split else own, again)


def result_of(plan: Reproduction, arm: Arm, again: int = 0, *, any_time: bool = False) -> Result | None:
    """The judged run of an arm, if it is there and of this study, or of another that asks the same: of these data,
    minutes and choices.

    A dataset that was given may have been asked about for another folder as well, whose run may have learned longer or
    shorter: that one does not count.
    any_time : whether its own may have been trained longer or shorter than is wanted now
    """
    dataset = plan.place(arm.tested or arm.data)
    run = _done(plan.out / "runs" / repeated(named(arm.row, arm.data, arm.choices), again))
    if run is None:
        return None
    minutes = run.minutes if any_time else plan.minutes_of(arm.row)
    studies = [one for one in learning_of(plan.benchmark).studies if one.looks == plan.study.looks]
    for study in sorted(studies, key=lambda one: one.name != plan.study.name):  # its own run counts before others
        path = run_folder(dataset, asked_name(plan, arm, again, study)) / RESULT
        if path.exists():
            found: Result = read_json(path, type=Result)
            if _is_wanted(plan, arm, again, found, minutes=minutes):
                return found
    return None


def _done(folder: Path) -> Run | None:
    """A run that is there and all of whose stages are done: another process may be at it."""
    from mereo.training.run import Run

    found = Run.open(folder) if (folder / "run.json").exists() else None
    return None if found is None or None in found.stages.values() else found


def _is_wanted(plan: Reproduction, arm: Arm, again: int, result: Result, *, minutes: float | None) -> bool:
    """Whether a result is what an arm would come to that learns for so many minutes."""
    told = result.header.settings
    return (
        told.get("row") == arm.row
        and told.get("seed") == plan.seed + again
        and told.get("minutes") == minutes
        and told.get("choices") == {**plan.choices(arm), **arm.asked}
        and told.get("learned_from") == fingerprint(open_dataset(plan.place(arm.data)))
        and result.selection.splits == (plan.split(arm),)
        and result.dataset == fingerprint(open_dataset(plan.place(arm.tested or arm.data)))
    )


def collect(plan: Reproduction) -> Reproduced:
    """What is done so far of the study, by this call or an earlier one, written down."""
    every = plan._replace(arms=tuple(arm for arm in plan.study.arms if _has_data(plan, arm)))
    arms = []
    for work in every._replace(seeds=1).works:
        row = find_model(work.row, of=plan.benchmark).row
        for arm in work.arms:
            if (result := result_of(plan, arm, any_time=True)) is not None:
                seconds = sum(stage.seconds for stage in trained(plan.out / "runs" / work.name).stages.values())
                again = [*_repetitions(plan, arm)]
                arms.append(
                    measured(arm, [result, *again], supervision=row.supervision, seconds=seconds, study=plan.study)
                )
    data = {name: fingerprint(open_dataset(plan.place(name))) for name in every.datasets}
    found = Reproduced(plan.study, plan.benchmark, plan.scale, plan.seed, plan.folder, arms, data)
    write_reproduced(found)
    return found


def _has_data(plan: Reproduction, arm: Arm) -> bool:
    """Whether the data of an arm is there: another call for the same folder may have been stopped before."""
    return all(whole(plan.place(name)) is not None for name in (arm.data, arm.tested or arm.data))


def _repetitions(plan: Reproduction, arm: Arm) -> Iterator[Result]:
    """What an arm came to with further seeds."""
    again = 1
    while (result := result_of(plan, arm, again, any_time=True)) is not None:
        yield result
        again += 1


def whole(folder: Path) -> Manifest | None:
    """The manifest of a dataset; None where there is none yet."""
    try:
        return open_dataset(folder)
    except BadInput:
        return None
