"""Making a published table again: data, training, answers and scores, each of which is kept as soon as it is there.

A folder may serve several studies of a benchmark at one scale: what they share is made once.

    OUT/reproduction.json     what the folder is for
    OUT/data/NAME             datasets
    OUT/runs/NAME             trained rows
    OUT/STUDY/                table.md, table.json, table.csv, chart.svg
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mereo.datasets.splits import parse_splits
from mereo.datasets.store import Manifest, fingerprint, open_dataset
from mereo.datasets.subset import take_subset
from mereo.datasets.workers import Crew, LocalCrew, RayCrew, Task
from mereo.errors import BadInput, UnknownName, differing
from mereo.evaluation.result import Result
from mereo.evaluation.runs import RESULT, run_folder
from mereo.extras import need
from mereo.files import read_json, write_bytes
from mereo.folders import alone_in
from mereo.sheets import Sheet
from mereo.training.learning import MAIN, Arm, Data, Scale, Study
from mereo.workbench.building import Planned, build, plan_build
from mereo.workbench.learning import Telling, ask_run, check_device, check_needs, train, trained_seconds, untold
from mereo.workbench.reproduced import Reproduced, measured, write_reproduced
from mereo.workbench.rows import Value, chosen, find_model, find_study
from mereo.workbench.silence import Progress, quiet, unheard

__all__ = ["Reproduction", "cost", "plan_reproduction", "reproduce"]

_CLAIM = "reproduction.json"
_KEPT = "what is done is kept, and the same command goes on"


class Work(NamedTuple):
    """A row that is trained once, and everything that it is asked then."""

    row: str
    data: str
    choices: Mapping[str, Value]
    arms: tuple[Arm, ...]

    @property
    def name(self) -> str:
        """What its run is called."""
        return _name(self.row, self.data, self.choices)


def _name(row: str, data: str, *choices: Mapping[str, Value]) -> str:
    told = [",".join(f"{name}={_plainly(value)}" for name, value in one.items()) for one in choices]
    return "-".join(filter(None, [row, data if data != MAIN else "", *told]))


def _plainly(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class Reproduction(NamedTuple):
    """A study that is about to be made again."""

    benchmark: str
    study: Study
    scale: str
    out: Path
    arms: tuple[Arm, ...]
    minutes: float
    device: str
    seed: int
    given: Path | None = None
    """The main data, where somebody has it already."""

    @property
    def folder(self) -> Path:
        """Where its table goes."""
        return self.out / self.study.name

    @property
    def size(self) -> Scale:
        """How large it is made."""
        return self.study.scales[self.scale]

    @property
    def datasets(self) -> list[str]:
        """The data that its arms need, the main one first."""
        wanted = dict.fromkeys(name for arm in self.arms for name in (arm.data, arm.tested or arm.data))
        taken = any(not self.study.data[name].build for name in wanted if name != MAIN)
        return [*([MAIN] if MAIN in wanted or taken else []), *(name for name in wanted if name != MAIN)]

    @property
    def works(self) -> list[Work]:
        """What is trained, each once."""
        found: dict[str, Work] = {}
        for arm in self.arms:
            own = Work(arm.row, arm.data, arm.choices, (arm,))
            found[own.name] = own._replace(arms=(*found[own.name].arms, arm)) if own.name in found else own
        return list(found.values())

    def place(self, data: str) -> Path:
        """Where a dataset lies."""
        return self.given if data == MAIN and self.given is not None else self.out / "data" / data


def plan_reproduction(
    study: str,
    out: str | Path,
    *,
    scale: str = "tiny",
    rows: Sequence[str] | None = None,
    minutes: float | None = None,
    device: str = "auto",
    seed: int = 0,
    data: str | Path | None = None,
) -> Reproduction:
    """What would be made, with everything checked that can be before it begins.

    rows : only these of the study's; all by default · minutes : for each; else as the scale has it
    data : a dataset to take instead of making one
    """
    need("reproducing a study", "train")
    benchmark, found = find_study(study)
    if scale not in found.scales:
        raise UnknownName(f"scale of {study} named", scale, found.scales)
    for row in rows or ():
        if row not in found.rows:
            raise UnknownName(f"row of {study} named", row, found.rows)
    arms = tuple(arm for arm in found.arms if rows is None or arm.row in rows)
    for arm in arms:
        chosen(find_model(arm.row, of=benchmark).row, {**arm.choices, **arm.asked})
    given = Path(data) if data is not None else None
    spent = found.scales[scale].minutes if minutes is None else minutes
    plan = Reproduction(benchmark, found, scale, Path(out), arms, spent, device, seed, given)
    if given is not None:
        _check_given(plan, given)
    for name in plan.datasets:
        if name != MAIN or given is None:
            _planned(plan, name)  # what makes scenes may be missing
    return plan


def _check_given(plan: Reproduction, folder: Path) -> None:
    manifest = open_dataset(folder)
    if manifest.benchmark != plan.benchmark:
        raise BadInput(f"is of {manifest.benchmark}, but the study of {plan.benchmark}", file=folder)
    if plan.study.split not in manifest.scenes:
        raise BadInput(f"has no split '{plan.study.split}', on which the study asks", file=folder)
    for arm in plan.arms:
        check_needs(find_model(arm.row, of=plan.benchmark).row, folder)


def cost(plan: Reproduction) -> list[str | Sheet]:
    """What a study will take, by the rates that its scale states, as a table and a sentence."""
    size, rows = plan.size, []
    hours, space = 0.0, 0.0
    for name in plan.datasets:
        planned = _planned(plan, name)
        if planned is None:
            continue
        own = planned.scenes / size.scenes_per_second / 3600
        rows.append((f"data {name}", f"{planned.scenes:,} scenes at {size.scenes_per_second:g} a second", _time(own)))
        hours, space = hours + own, space + planned.scenes * size.megabytes_per_scene / 1000
    learned = [work for work in plan.works if find_model(work.row, of=plan.benchmark).row.stages]
    own = len(learned) * plan.minutes / 60
    rows.append(("training", f"{len(learned)} rows of {plan.minutes:g} minutes", _time(own)))
    disk = f" and {space:,.0f} GB of disk" if space >= 1 else ""
    ends = f"about {_time(hours + own)}{disk} on {size.machine}, by the rates that the scale states"
    return [Sheet(("", "", "time"), rows), ends]


def _time(hours: float) -> str:
    return f"{hours:,.1f} hours" if hours >= 1 else f"{60 * hours:,.0f} minutes"


class Watch(NamedTuple):
    """What is told while a study is made."""

    begin: Callable[[str, int, str], Progress] = lambda what, total, unit: quiet
    """begin(what, how much, unit): gives what takes the amount done."""
    learning: Telling = untold
    say: Callable[[str], None] = unheard


def reproduce(
    plan: Reproduction, *, workers: int = 1, ray: str | None = None, command: str = "", watch: Watch | None = None
) -> Reproduced:
    """Make the data, train the rows, ask and judge them, and write the table anew whenever one is done.

    workers : processes that make scenes · ray : address of a cluster that does all of it, a row a task; it needs a
        folder that its machines share
    """
    watch = watch or Watch()
    if ray is None:
        check_device(plan.device)
    crew: Crew = RayCrew(ray, gpus=plan.device != "cpu") if ray else LocalCrew()
    with alone_in(plan.out):
        _claim(plan)
        for name in plan.datasets:
            _make(plan, name, workers=workers, ray=ray, watch=watch)
        found = _collect(plan)
        waiting = [work for work in plan.works if any(_result(plan, arm) is None for arm in work.arms)]
        tasks = [Task(work.name, _do, (plan, work, command, watch if ray is None else None)) for work in waiting]
        with closing(crew.run(tasks)) as ends:
            for end in ends:
                end.check(_KEPT)
                found = _collect(plan)
        write_reproduced(found)
    return found


def _claim(plan: Reproduction) -> None:
    """See that a folder is for this benchmark, scale and data, or take it."""
    data = str(plan.given.resolve()) if plan.given else None
    own = {"benchmark": plan.benchmark, "scale": plan.scale, "seed": plan.seed, "data": data}
    path = plan.out / _CLAIM
    if path.exists():
        different = differing(read_json(path, type=dict[str, Any]), own)
        if different:
            raise BadInput(f"was begun with {different}", file=path)
    else:
        write_bytes(path, msgspec.json.format(msgspec.json.encode(own)))


def _planned(plan: Reproduction, name: str) -> Planned | None:
    """The build of a dataset; None where it is there, or is taken from the main one."""
    if name == MAIN and plan.given is not None:
        return None
    own = plan.study.data.get(name, Data())
    if name != MAIN and not own.build:
        return None
    choices = {**plan.size.build, **own.build}
    if own.share != 1:
        splits = parse_splits(choices["split"])
        fewer = {split: max(1, round(own.share * count)) if split == "train" else count for split, count in splits.items()}
        choices["split"] = ",".join(f"{split}={count}" for split, count in fewer.items())
    return plan_build(plan.benchmark, seed=plan.seed, **choices)


def _make(plan: Reproduction, name: str, *, workers: int, ray: str | None, watch: Watch) -> None:
    """Make a dataset that is not there yet, or go on with it."""
    folder, planned = plan.place(name), _planned(plan, name)
    if planned is not None:
        if not _is_done(folder, planned):
            progress = watch.begin(f"building {name}", planned.scenes, "scenes")
            build(planned, folder, workers=workers, ray=ray, resume=folder.exists(), progress=progress)
    elif name != MAIN and not folder.exists():
        main = plan.place(MAIN)
        progress = watch.begin(f"taking {name}", sum(open_dataset(main).scenes.values()), "scenes")
        take_subset(main, folder, share=plan.study.data[name].share, progress=progress)


def _is_done(folder: Path, planned: Planned) -> bool:
    """Whether a dataset is whole and what is wanted; who built it elsewhere may have drawn its pictures otherwise."""
    try:
        manifest = open_dataset(folder)
    except BadInput:
        return False
    wanted = {**planned.recipe.settings(), "seed": planned.recipe.seed, "splits": planned.splits}
    there = {**manifest.settings, "seed": manifest.seed, "splits": manifest.asked or manifest.scenes}
    different = differing(*({k: v for k, v in one.items() if k not in _DRAWN} for one in (there, wanted)))
    if different:
        raise BadInput(f"was made with {different}", file=folder)
    return True


_DRAWN = ("renderer", "denoise", "samples")
"""Settings of pictures that follow from the machine."""


def _do(plan: Reproduction, work: Work, command: str, watch: Watch | None) -> None:
    """Train a row, and ask it; on a cluster this is done elsewhere."""
    watch = watch or Watch()
    folder = plan.out / "runs" / work.name
    train(
        work.row,
        plan.place(work.data),
        folder,
        minutes=plan.minutes,
        device=plan.device,
        seed=plan.seed,
        choices=work.choices,
        telling=watch.learning,
    )
    for arm in work.arms:
        if _result(plan, arm) is None:
            judged = ask_run(
                folder,
                plan.place(arm.tested or arm.data),
                split=plan.study.split,
                name=_asked_name(plan, arm),
                replace=True,
                device=plan.device,
                choices=arm.asked,
                command=command,
                begin=lambda total, name=arm.called: watch.begin(f"asking {name}", total, "questions"),
            )
            watch.say(f"{arm.called}: {100 * judged.score.value:.1f}%")


def _asked_name(plan: Reproduction, arm: Arm) -> str:
    return f"{plan.study.name}-{_name(arm.row, arm.data, arm.choices, arm.asked)}"


def _result(plan: Reproduction, arm: Arm) -> Result | None:
    """The judged run of an arm, if it is there and of this study: of these data, minutes and choices."""
    dataset = plan.place(arm.tested or arm.data)
    path = run_folder(dataset, _asked_name(plan, arm)) / RESULT
    if not path.exists():
        return None
    result: Result = read_json(path, type=Result)
    wanted = {
        "row": arm.row,
        "minutes": plan.minutes,
        "seed": plan.seed,
        "choices": {**arm.choices, **arm.asked},
        "learned_from": fingerprint(open_dataset(plan.place(arm.data))),
    }
    told = {name: result.header.settings.get(name) for name in wanted}
    return result if told == wanted and result.dataset == fingerprint(open_dataset(dataset)) else None


def _collect(plan: Reproduction) -> Reproduced:
    """What is done so far, written down."""
    arms = []
    for work in plan.works:
        for arm, result in ((arm, _result(plan, arm)) for arm in work.arms):
            if result is not None:
                row = find_model(arm.row, of=plan.benchmark).row
                seconds = trained_seconds(plan.out / "runs" / work.name)
                arms.append(measured(arm, result, supervision=row.supervision, seconds=seconds, study=plan.study))
    data = {name: fingerprint(open_dataset(plan.place(name))) for name in plan.datasets}
    found = Reproduced(plan.study, plan.benchmark, plan.scale, plan.seed, plan.folder, arms, data)
    write_reproduced(found)
    return found
