"""What making a published table again will need: its data, what is trained once, and what all of it costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from mereo.datasets.store import MANIFEST, open_dataset
from mereo.errors import BadInput, UnknownName
from mereo.extras import need
from mereo.sheets import Sheet
from mereo.training.learning import MAIN, Arm, Data, Scale, Study
from mereo.workbench.building import Planned, plan_build
from mereo.workbench.learning import check_needs
from mereo.workbench.rows import Value, chosen, find_model, find_study

__all__ = ["Reproduction", "Work", "cost_of", "named", "plan_reproduction", "planned_build", "repeated"]


class Work(NamedTuple):
    """A row that is trained once, and everything that it is asked then."""

    row: str
    data: str
    choices: Mapping[str, Value]
    arms: tuple[Arm, ...]
    again: int = 0
    """Which repetition, with a seed of its own: 0 is the first time."""

    @property
    def name(self) -> str:
        """What its run is called."""
        return repeated(named(self.row, self.data, self.choices), self.again)


def named(row: str, data: str, *choices: Mapping[str, Value]) -> str:
    """What a run of a row is called: `mac`, `mac-share-10`, `ns_vqa-masks=true`."""
    told = [",".join(f"{name}={_plainly(value)}" for name, value in one.items()) for one in choices]
    return "-".join(filter(None, [row, data if data != MAIN else "", *told]))


def repeated(name: str, again: int) -> str:
    """What a run is called when it is made with further seeds: `mac`, `mac-again-1`, `mac-again-2`."""
    return f"{name}-again-{again}" if again else name


def _plainly(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class Reproduction(NamedTuple):
    """A study that is about to be made again."""

    benchmark: str
    study: Study
    scale: str
    out: Path
    arms: tuple[Arm, ...]
    minutes: float | None
    """Of training for each row; None where they are the scale's."""
    device: str
    seed: int
    given: Path | None = None
    """The main data, where somebody has it already."""
    seeds: int = 1
    """With so many seeds each row is trained that learns."""

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
        others = [name for name in wanted if name != MAIN]
        data = [self.study.data[name] for name in others]
        main = MAIN in wanted or any(one.asks_anew or not one.build for one in data)
        return [*([MAIN] if main else []), *others]

    @property
    def works(self) -> list[Work]:
        """What is trained, each once; first everything with one seed."""
        found: dict[str, Work] = {}
        for again in range(self.seeds):
            for arm in self.arms if again == 0 else filter(self.learns, self.arms):
                own = Work(arm.row, arm.data, arm.choices, (arm,), again)
                before = found.get(own.name)
                found[own.name] = own if before is None else before._replace(arms=(*before.arms, arm))
        return list(found.values())

    def learns(self, arm: Arm) -> bool:
        """Whether there is anything to train, so that another seed could come to something else."""
        return bool(find_model(arm.row, of=self.benchmark).row.stages)

    def minutes_of(self, row: str) -> float:
        """How long a row is trained."""
        return self.size.spent.get(row, self.size.minutes) if self.minutes is None else self.minutes

    def split(self, arm: Arm) -> str:
        """The split that an arm is asked about."""
        return arm.split or self.study.split

    def choices(self, arm: Arm) -> dict[str, Value]:
        """What is chosen about an arm's row when it is trained, at this scale."""
        return {**self.size.choices.get(arm.row, {}), **arm.choices}

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
    seeds: int = 1,
) -> Reproduction:
    """What would be made, with everything checked that can be before it begins.

    rows : only these of the study's; all by default · minutes : for each; else as the scale has it
    data : a dataset to take instead of making one · seeds : with how many each row is trained that learns
    """
    benchmark, found = find_study(study)
    if scale not in found.scales:
        raise UnknownName(f"scale of {study} named", scale, found.scales)
    for row in rows or ():
        if row not in found.rows:
            raise UnknownName(f"row of {study} named", row, found.rows)
    need("reproducing a study", "train")
    arms = tuple(arm for arm in found.arms if rows is None or arm.row in rows)
    given = Path(data) if data is not None else None
    plan = Reproduction(benchmark, found, scale, Path(out), arms, minutes, device, seed, given, seeds)
    for arm in arms:
        chosen(find_model(arm.row, of=benchmark).row, {**plan.choices(arm), **arm.asked})
    if given is not None:
        _check_given(plan, given)
    for name in plan.datasets:
        planned_build(plan, name)  # what makes scenes may not be installed
    return plan


def _check_given(plan: Reproduction, folder: Path) -> None:
    manifest = open_dataset(folder)
    if manifest.benchmark != plan.benchmark:
        raise BadInput(f"is of {manifest.benchmark}, but the study of {plan.benchmark}", file=folder)
    asked = (plan.split(arm) for arm in plan.arms if (arm.tested or arm.data) == MAIN)
    for split in dict.fromkeys(asked):
        if split not in manifest.scenes:
            raise BadInput(f"has no split '{split}', which the study asks about", file=folder)
    for row in dict.fromkeys(arm.row for arm in plan.arms):
        check_needs(find_model(row, of=plan.benchmark).row, folder)


def planned_build(plan: Reproduction, name: str) -> Planned | None:
    """The build of a dataset; None where somebody has it, or where it is a part of the main one.

    One that asks about the main one's scenes is planned as if it made its own, as long as those are not there.
    """
    own = plan.study.data.get(name, Data())
    if (name == MAIN and plan.given is not None) or (name != MAIN and not own.build):
        return None
    choices = {**plan.size.build, **own.build}
    if own.asks_anew and (plan.place(MAIN) / MANIFEST).exists():
        choices = {**choices, "scenes_from": plan.place(MAIN), "split": None}
    planned = plan_build(plan.benchmark, seed=plan.seed, **choices)
    if own.share == 1:
        return planned
    fewer = {split: max(1, round(own.share * count)) for split, count in planned.splits.items() if split == "train"}
    split = ",".join(f"{split}={count}" for split, count in {**planned.splits, **fewer}.items())
    return plan_build(plan.benchmark, seed=plan.seed, **{**choices, "split": split})


def cost_of(plan: Reproduction) -> list[str | Sheet]:
    """What a study will take, by the rates that its scale states: a table and a sentence."""
    size, lines, hours, scenes = plan.size, [], 0.0, 0
    for name in plan.datasets:
        planned = planned_build(plan, name)
        if planned is not None:
            anew = plan.study.data.get(name, Data()).asks_anew
            own = 0.0 if anew else planned.scenes / size.scenes_per_second / 3600
            made = f"{planned.scenes:,} scenes at {size.scenes_per_second:g} a second"
            lines.append((f"data {name}", f"the scenes of {MAIN}, asked about anew" if anew else made, _time(own)))
            hours, scenes = hours + own, scenes + planned.scenes
    spent = [plan.minutes_of(work.row) for work in plan.works if plan.learns(work.arms[0])]
    own = sum(spent) / 60
    lines.append(("training", _runs(spent), _time(own)))
    disk = f" and {scenes * size.megabytes_per_scene / 1000:,.1f} GB of disk"
    total = f"about {_time(hours + own)}{disk} on {size.machine}, by the rates that the scale states"
    return [Sheet(("", "", "time"), lines), total]


def _runs(spent: Sequence[float]) -> str:
    """How many runs there are, and how long each is."""
    if len(set(spent)) == 1:
        return f"{len(spent)} runs of {spent[0]:g} minutes"
    return f"{len(spent)} runs of {min(spent):g} to {max(spent):g} minutes" if spent else "nothing to train"


def _time(hours: float) -> str:
    return f"{hours:,.1f} hours" if hours >= 1 else f"{60 * hours:,.0f} minutes"
