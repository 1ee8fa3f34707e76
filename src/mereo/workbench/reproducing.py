"""Making a published table again: data, training, answers and scores, each of which is kept as soon as it is there.

A folder may serve several studies of a benchmark at one scale: what they share is made once.

    OUT/reproduction.json     what the folder is for
    OUT/data/NAME             datasets
    OUT/runs/NAME             trained rows
    OUT/STUDY/                table.md, table.json, table.csv, chart.svg
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mereo.datasets.store import open_dataset
from mereo.datasets.subset import take_subset
from mereo.datasets.workers import Crew, LocalCrew, RayCrew, Task
from mereo.errors import BadInput, differing
from mereo.evaluation.result import Judged
from mereo.evaluation.tabulate import percent
from mereo.files import read_json, write_bytes
from mereo.folders import alone_in
from mereo.scenes.sharing import shared_gpu
from mereo.training.learning import MAIN, Arm
from mereo.workbench.building import Planned, build
from mereo.workbench.learning import Reading, Shelf, Telling, check_device, predict, train, unread, untold
from mereo.workbench.looking import Looked, look
from mereo.workbench.outcomes import asked_name, collect, result_of, whole
from mereo.workbench.reproduced import Reproduced, lead_of
from mereo.workbench.silence import Progress, quiet, unheard
from mereo.workbench.studies import Reproduction, Work, named, planned_build, repeated
from mereo.workbench.turns import held, longest_first

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
    """Make the data, train the rows, ask and judge them, and write the table anew whenever one is asked.

    workers : processes that make scenes
    at_once : rows that are trained or asked side by side, each in its own process, which pays where one alone leaves
        the device idle
    ray : address of a cluster that does all of it, each row and each set of questions a task; it needs a folder that
        its machines share
    """
    watch = watch or Watch()
    crew: Crew
    if ray is None:
        check_device(plan.device)
        crew = LocalCrew(at_once, ahead=False)
    else:
        crew = RayCrew(ray, gpus=plan.device != "cpu")
    with alone_in(plan.out):
        _claim(plan)
        for name in plan.datasets:
            _make(plan, name, workers=workers, ray=ray, watch=watch)
        undone = [work for work in plan.works if any(result_of(plan, arm, work.again) is None for arm in work.arms)]
        waiting = longest_first(plan, undone)
        beside = at_once if ray is None and plan.device != "cpu" and waiting else 1
        try:
            with shared_gpu(beside):
                if ray is None and at_once == 1:
                    _one_by_one(plan, waiting, command, crew, watch)
                else:
                    _side_by_side(plan, waiting, command, crew, watch.say)
        finally:  # whoever stops it has a table of what is done
            found = collect(plan)
    return found


def _one_by_one(plan: Reproduction, waiting: Sequence[Work], command: str, crew: Crew, watch: Watch) -> None:
    """Train and ask row by row, in this process."""
    with closing(crew.run([Task(work.name, _do, (plan, work, command, watch)) for work in waiting])) as ends:
        for end in ends:
            end.check(_KEPT)
            collect(plan)


def _side_by_side(
    plan: Reproduction, waiting: Sequence[Work], command: str, crew: Crew, say: Callable[[str], None]
) -> None:
    """Train and ask in other processes, into which nobody looks.

    What a row has learned is lent at once, before it is asked anything, and several ask it.
    """
    works, lenders = {work.name: work for work in waiting}, held(plan, waiting)
    learning = {name: Task(name, _learn, (plan, work)) for name, work in works.items()}
    tasks = deque(task for name, task in learning.items() if name not in lenders)
    with closing(crew.run(tasks)) as ends:
        for end in ends:
            end.check(_KEPT)
            say(f"{end.task.name}: {end.result}")
            if end.task.function is _learn:
                name = end.task.name
                tasks.extendleft([learning[other] for other, lender in lenders.items() if lender == name][::-1])
                tasks.extend(_questions(plan, works[name], command))
            else:
                collect(plan)


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


def _is_done(folder: Path, planned: Planned) -> bool:
    """Whether a dataset is whole and what is wanted."""
    manifest = whole(folder)
    if manifest is None:
        return False
    wanted = {**planned.recipe.settings(), "seed": planned.recipe.seed, "splits": planned.splits}
    there = {**manifest.settings, "seed": manifest.seed, "splits": manifest.asked or manifest.scenes}
    kept = [{name: value for name, value in one.items() if name not in _DRAWN} for one in (there, wanted)]
    different = differing(*kept)
    if different:
        raise BadInput(f"was made with {different}", file=folder)
    return True


def _do(plan: Reproduction, work: Work, command: str, watch: Watch) -> None:
    """Train a row, and ask it all that its arms want to know; its data stays open in between."""
    shelf: Shelf = {}
    _learn(plan, work, watch, shelf)
    for arm in work.arms:
        if result_of(plan, arm, work.again) is None:
            _ask(plan, arm, work.again, command, watch, shelf)


def _learn(plan: Reproduction, work: Work, watch: Watch | None = None, shelf: Shelf | None = None) -> str:
    """Train a row; gives what is said of that where nobody watches."""
    watch = watch or Watch()
    folder = plan.out / "runs" / work.name
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
    return "learned"


def _questions(plan: Reproduction, work: Work, command: str) -> Iterator[Task]:
    """What a row is to be asked yet, each by whoever is free."""
    for arm in work.arms:
        if result_of(plan, arm, work.again) is None:
            yield Task(f"asking {repeated(arm.called, work.again)}", _ask, (plan, arm, work.again, command))


def _ask(
    plan: Reproduction,
    arm: Arm,
    again: int,
    command: str,
    watch: Watch | None = None,
    shelf: Shelf | None = None,
) -> str:
    """Have a row answer questions or, where the study looks, tell what it sees; both are judged and kept.

    Gives the score by which models are compared.
    """
    watch = watch or Watch()
    looks = plan.study.looks
    ask: Callable[..., Judged | Looked] = look if looks else partial(predict, replace=True)
    judged = ask(
        plan.out / "runs" / repeated(named(arm.row, arm.data, arm.choices), again),
        plan.place(arm.tested or arm.data),
        split=plan.split(arm),
        name=asked_name(plan, arm, again),
        device=plan.device,
        choices=arm.asked,
        command=command,
        begin=lambda total: watch.begin(f"asking {arm.called}", total, "scenes" if looks else "questions"),
        reading=watch.reading,
        shelf=shelf,
    )
    score = percent(lead_of(judged.result, plan.study), interval=False)
    watch.say(f"{arm.called}: {score}")
    return score
