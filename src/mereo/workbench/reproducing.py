"""Making a published table again: data, training, answers and scores, each of which is kept as soon as it is there.

A folder may serve several studies of a benchmark at one scale: what they share is made once.

    OUT/reproduction.json     what the folder is for
    OUT/data/NAME             datasets
    OUT/runs/NAME             trained rows
    OUT/STUDY/                table.md, table.json, table.csv, chart.svg
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from mereo.datasets.store import Manifest, fingerprint, open_dataset
from mereo.datasets.subset import take_subset
from mereo.datasets.workers import Crew, LocalCrew, RayCrew, Task
from mereo.errors import BadInput, differing
from mereo.evaluation.result import Judged, Result
from mereo.evaluation.runs import RESULT, run_folder
from mereo.evaluation.tabulate import percent
from mereo.files import read_json, write_bytes
from mereo.folders import alone_in
from mereo.scenes.sharing import shared_gpu
from mereo.training.learning import MAIN, Arm, Study
from mereo.workbench.building import Planned, build
from mereo.workbench.learning import Reading, Shelf, Telling, check_device, predict, train, trained, unread, untold
from mereo.workbench.looking import Looked, look
from mereo.workbench.reproduced import Reproduced, lead_of, measured
from mereo.workbench.reproduced_files import write_reproduced
from mereo.workbench.rows import find_model, learning_of
from mereo.workbench.silence import Progress, quiet, unheard
from mereo.workbench.studies import Reproduction, Work, named, planned_build, repeated
from mereo.workbench.turns import held, longest_first

if TYPE_CHECKING:
    from mereo.training.run import Run

__all__ = ["Watch", "reproduce"]

_CLAIM = "reproduction.json"
_KEPT = "what is done is kept, and the same command goes on"
_DRAWN = ("renderer", "denoise", "samples")
"""Settings of pictures that follow from the machine which made them."""


class Watch(NamedTuple):
    """What is told while a study is made."""

    begin: Callable[[str, int, str], Progress] = lambda what, total, unit: quiet
    """begin(what, how much, unit): gives what takes the amount done."""
    learning: Telling = untold
    reading: Reading = unread
    say: Callable[[str], None] = unheard


def reproduce(
    plan: Reproduction,
    *,
    workers: int = 1,
    at_once: int = 1,
    ray: str | None = None,
    command: str = "",
    watch: Watch | None = None,
) -> Reproduced:
    """Make the data, train the rows, ask and judge them, and write the table anew whenever one is done.

    workers : processes that make scenes · at_once : rows that are trained side by side, each in its own process, which
        pays where one alone leaves the device idle · ray : address of a cluster that does all of it, a row a task; it
        needs a folder that its machines share
    """
    watch = watch or Watch()
    crew: Crew
    if ray is None:
        check_device(plan.device)
        crew = LocalCrew(at_once)
    else:
        crew = RayCrew(ray, gpus=plan.device != "cpu")
    seen = watch if ray is None and at_once == 1 else None  # nobody looks into another process
    with alone_in(plan.out):
        _claim(plan)
        for name in plan.datasets:
            _make(plan, name, workers=workers, ray=ray, watch=watch)
        undone = [work for work in plan.works if any(_result(plan, arm, work.again) is None for arm in work.arms)]
        waiting = longest_first(plan, undone)
        lenders = held(plan, waiting)
        every = {work.name: Task(work.name, _do, (plan, work, command, seen)) for work in waiting}
        tasks = deque(task for name, task in every.items() if name not in lenders)
        try:
            beside = at_once if ray is None and plan.device != "cpu" and tasks else 1
            with shared_gpu(beside), closing(crew.run(tasks)) as ends:
                for end in ends:
                    end.check(_KEPT)
                    tasks.extend(every[name] for name, lender in lenders.items() if lender == end.task.name)
                    _collect(plan)
                    if seen is None:
                        watch.say(f"{end.task.name}: done")
        finally:  # whoever stops it has a table of what is done
            found = _collect(plan)
    return found


def _claim(plan: Reproduction) -> None:
    """See that a folder is for this benchmark, scale and data, or take it."""
    data = str(plan.given.resolve()) if plan.given else None
    own = {"benchmark": plan.benchmark, "scale": plan.scale, "seed": plan.seed, "data": data}
    path = plan.out / _CLAIM
    if not path.exists():
        write_bytes(path, msgspec.json.format(msgspec.json.encode(own)))
        return
    different = differing(read_json(path, type=dict[str, Any]), own)
    if different:
        raise BadInput(f"was begun with {different}", file=path)


def _make(plan: Reproduction, name: str, *, workers: int, ray: str | None, watch: Watch) -> None:
    """Make a dataset that is not there yet, or go on with it."""
    folder, planned = plan.place(name), planned_build(plan, name)
    if planned is not None:
        if not _is_done(folder, planned):
            progress = watch.begin(f"building {name}", planned.scenes, "scenes")
            resume = folder.exists()
            build(planned, folder, workers=workers, ray=ray, resume=resume, progress=progress, complain=watch.say)
    elif name != MAIN and not folder.exists():
        main = plan.place(MAIN)
        progress = watch.begin(f"taking {name}", sum(open_dataset(main).scenes.values()), "scenes")
        take_subset(main, folder, share=plan.study.data[name].share, progress=progress)


def _whole(folder: Path) -> Manifest | None:
    """The manifest of a dataset; None where there is none yet."""
    try:
        return open_dataset(folder)
    except BadInput:
        return None


def _is_done(folder: Path, planned: Planned) -> bool:
    """Whether a dataset is whole and what is wanted."""
    manifest = _whole(folder)
    if manifest is None:
        return False
    wanted = {**planned.recipe.settings(), "seed": planned.recipe.seed, "splits": planned.splits}
    there = {**manifest.settings, "seed": manifest.seed, "splits": manifest.asked or manifest.scenes}
    kept = [{name: value for name, value in one.items() if name not in _DRAWN} for one in (there, wanted)]
    different = differing(*kept)
    if different:
        raise BadInput(f"was made with {different}", file=folder)
    return True


def _do(plan: Reproduction, work: Work, command: str, watch: Watch | None) -> None:
    """Train a row, and ask it all that its arms want to know; on a cluster this is done elsewhere."""
    watch = watch or Watch()
    folder = plan.out / "runs" / work.name
    shelf: Shelf = {}
    train(
        work.row,
        plan.place(work.data),
        folder,
        minutes=plan.minutes_of(work.row),
        device=plan.device,
        seed=plan.seed + work.again,
        choices=plan.choices(work.arms[0]),
        lenders=[other.parent for other in sorted(folder.parent.glob("*/run.json")) if other.parent != folder],
        telling=watch.learning,
        reading=watch.reading,
        shelf=shelf,
    )
    for arm in work.arms:
        if _result(plan, arm, work.again) is None:
            _ask(plan, arm, work.again, folder, command, watch, shelf)


def _ask(plan: Reproduction, arm: Arm, again: int, folder: Path, command: str, watch: Watch, shelf: Shelf) -> None:
    """Have a row answer questions or, where the study looks, tell what it sees; both are judged and kept."""
    looks = plan.study.looks
    ask: Callable[..., Judged | Looked] = look if looks else partial(predict, replace=True)
    judged = ask(
        folder,
        plan.place(arm.tested or arm.data),
        split=plan.split(arm),
        name=_asked_name(plan, arm, again),
        device=plan.device,
        choices=arm.asked,
        command=command,
        begin=lambda total: watch.begin(f"asking {arm.called}", total, "scenes" if looks else "questions"),
        reading=watch.reading,
        shelf=shelf,
    )
    watch.say(f"{arm.called}: {percent(lead_of(judged.result, plan.study), interval=False)}")


def _asked_name(plan: Reproduction, arm: Arm, again: int, study: Study | None = None) -> str:
    """What an arm's run is called beside the dataset. study : for which it was asked, where not for the plan's own"""
    own = f"{(study or plan.study).name}-{named(arm.row, arm.data, arm.choices, arm.asked)}"
    return repeated(f"{own}-{arm.split}" if arm.split else own, again)


def _result(plan: Reproduction, arm: Arm, again: int = 0, *, any_time: bool = False) -> Result | None:
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
        path = run_folder(dataset, _asked_name(plan, arm, again, study)) / RESULT
        if path.exists():
            result: Result = read_json(path, type=Result)
            if _is_wanted(plan, arm, again, result, minutes=minutes):
                return result
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


def _collect(plan: Reproduction) -> Reproduced:
    """What is done so far of the study, by this call or an earlier one, written down."""
    every = plan._replace(arms=tuple(arm for arm in plan.study.arms if _has_data(plan, arm)))
    arms = []
    for work in every._replace(seeds=1).works:
        row = find_model(work.row, of=plan.benchmark).row
        for arm in work.arms:
            if (result := _result(plan, arm, any_time=True)) is not None:
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
    return all(_whole(plan.place(name)) is not None for name in (arm.data, arm.tested or arm.data))


def _repetitions(plan: Reproduction, arm: Arm) -> Iterator[Result]:
    """What an arm came to with further seeds."""
    again = 1
    while (result := _result(plan, arm, again, any_time=True)) is not None:
        yield result
        again += 1
