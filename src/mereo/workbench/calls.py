"""What `import mereo` offers: the commands as functions that take folders or datasets and give values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from mereo.benchmarks.benchmark import all_benchmarks, find_language
from mereo.datasets.subset import take_subset
from mereo.datasets.verify import Agreement
from mereo.evaluation.result import Judged
from mereo.programs import Language
from mereo.workbench import building, judging, learning
from mereo.workbench.building import verify as _verify
from mereo.workbench.dataset import Dataset, load
from mereo.workbench.learning import Trained
from mereo.workbench.reproduced import Reproduced
from mereo.workbench.rows import all_models
from mereo.workbench.sights import SHOWN

if TYPE_CHECKING:
    from PIL.Image import Image

    from mereo.scenes.scene import Scene as Layout
    from mereo.shapes.part import Shape

__all__ = [
    "audit",
    "baseline",
    "build",
    "evaluate",
    "export",
    "import_files",
    "language",
    "list_benchmarks",
    "list_models",
    "oracle",
    "predict",
    "render",
    "report",
    "reproduce",
    "shape",
    "subset",
    "train",
    "verify",
]

Folder = str | Path | Dataset
Answer = str | int | bool | None
Files = list[str] | list[Path] | list[str | Path] | tuple[str | Path, ...]


def _folder(dataset: Folder) -> Path:
    return dataset.folder if isinstance(dataset, Dataset) else Path(dataset)


def list_benchmarks() -> dict[str, str]:
    """The benchmarks, each with what it is about."""
    return {name: known.about for name, known in all_benchmarks().items()}


def language(name: str) -> Language:
    """A language that programs are written in: its vocabulary and its functions."""
    return find_language(name)


def build(
    benchmark: str,
    out: str | Path,
    *,
    scenes: int | None = None,
    split: str | None = None,
    preset: str | None = None,
    seed: int = 0,
    workers: int = 1,
    ray: str | None = None,
    resume: bool = False,
    license: str | None = None,
    **choices: Any,
) -> Dataset:
    """Make a dataset, and open it.

    scenes : how many in all; split : by split instead, as `train=80,val=20`
    workers : processes, with any number of which the bytes are the same; resume : go on with what was begun
    license : of the data, as `cc-by-4.0`; none is claimed unless it is given
    choices : what else the benchmark lets one choose: `mereo build BENCHMARK --help` lists it
    """
    planned = building.plan_build(benchmark, scenes=scenes, split=split, preset=preset, seed=seed, **choices)
    building.build(planned, out, workers=workers, ray=ray, resume=resume, license=license)
    return load(out)


def import_files(
    source: str,
    out: str | Path,
    *,
    folder: str | Path | None = None,
    scenes: str | Path | None = None,
    questions: str | Path | None = None,
    images: str | Path | None = None,
    strict: bool = False,
    license: str | None = None,
) -> Dataset:
    """Make a dataset of official scenes, questions and pictures. source : as `clevr`, `ptr` or `clevr_ref`

    folder : a whole folder as it was unpacked, with all its splits, instead of single files
    """
    files: dict[str, Any] = {"folder": folder, "scenes": scenes, "questions": questions, "images": images}
    building.import_files(source, out, **files, strict=strict, license=license)
    return load(out)


def export(dataset: Folder, out: str | Path, *, to: str) -> Path:
    """Write a dataset in another format, as `coco`, `webdataset`, or its benchmark's own; gives the new folder."""
    building.export(_folder(dataset), out, to=to)
    return Path(out)


def subset(dataset: Folder, out: str | Path, *, share: float, split: str = "train") -> Dataset:
    """Keep a share of a split's scenes with their questions: always the same ones, the tenth within the quarter."""
    take_subset(_folder(dataset), out, share=share, split=split)
    return load(out)


def audit(dataset: Folder) -> judging.Audited:
    """Re-run every program, recompute what the masks say, and check files, answers, duplicates and splits."""
    return judging.audit(_folder(dataset))


def verify(scenes: str | Path, questions: str | Path, *, language: str = "clevr") -> Agreement:
    """Run every program of official files again and compare answers and every step."""
    return _verify(scenes, questions, language=language)


@overload
def evaluate(
    dataset: Folder,
    predictions: str | Path | Mapping[str, Answer],
    *,
    split: str | None = None,
    name: str | None = None,
    replace: bool = False,
) -> Judged: ...
@overload
def evaluate(
    dataset: Folder, predictions: Files, *, split: str | None = None, replace: bool = False
) -> list[Judged]: ...
def evaluate(
    dataset: Folder,
    predictions: str | Path | Mapping[str, Answer] | Files,
    *,
    split: str | None = None,
    name: str | None = None,
    replace: bool = False,
) -> Judged | list[Judged]:
    """Judge answers. Files are kept as runs in the dataset's folder; answers by question id only if they have a name.

    predictions : answers by question id, a prediction file, the name of a run that is kept, or several of the latter
    split : judge only these, as `val,test`; by default all of which any question is answered
    name : what to call the run; replace : whether to write over another of that name
    """
    if isinstance(predictions, Mapping):
        return judging.evaluate_answers(_folder(dataset), predictions, split=split, name=name, replace=replace)
    given = [predictions] if isinstance(predictions, str | Path) else list(predictions)
    runs = judging.evaluate(_folder(dataset), given, split=split, name=name, replace=replace)
    return runs[0] if isinstance(predictions, str | Path) else runs


def baseline(dataset: Folder, which: Sequence[str] | None = None, *, seed: int = 0) -> list[Judged]:
    """Answer and judge a dataset blindly. which : names of baselines; all of them by default"""
    return judging.baseline(_folder(dataset), which, seed=seed)


def oracle(
    dataset: Folder,
    noise: Mapping[str, float] | None = None,
    *,
    split: str | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> Judged:
    """Answer a dataset by its programs, perhaps on worlds that are seen wrongly. noise : as `{"attributes": 0.1}`"""
    return judging.oracle(_folder(dataset), noise, split=split, limit=limit, seed=seed)


def report(dataset: Folder, *, out: str | Path | None = None, runs: Sequence[str] | None = None) -> list[Path]:
    """Write a report of a dataset and its runs; gives the files, the HTML first."""
    return judging.report(_folder(dataset), out=out, runs=runs).paths


def list_models() -> dict[str, str]:
    """The models that can be trained, each with what it is."""
    return {model.row.name: model.row.about for model in all_models()}


def train(
    row: str,
    dataset: Folder,
    out: str | Path,
    *,
    minutes: float | None = None,
    device: str = "auto",
    seed: int = 0,
    start: str | Path | None = None,
    **choices: Any,
) -> Trained:
    """Train a row of the zoo on a dataset; a folder in which that was begun is gone on with.

    minutes : how long, at most · device : `cpu`, `cuda`, or `auto`, which is a GPU where there is one
    start : another run, whose weights this one begins with wherever they fit
    choices : what can be chosen about the row: `mereo models ROW` lists it
    """
    folder = _folder(dataset)
    return learning.train(row, folder, out, minutes=minutes, device=device, seed=seed, choices=choices, start=start)


def predict(
    run: str | Path | Trained,
    dataset: Folder,
    *,
    split: str | None = None,
    name: str | None = None,
    replace: bool = False,
    device: str = "auto",
    show: int = SHOWN,
    **choices: Any,
) -> Judged:
    """Have a trained row answer a dataset, and judge the answers, which are kept as a run in the dataset's folder.

    split : only these, as `val,test`; by default all but those for training
    name : what to call the run; replace : whether to write over another of that name
    show : of how many questions to keep what it saw and where it looked, for the explorer
    choices : what can be chosen about how the row answers
    """
    folder = run.folder if isinstance(run, Trained) else run
    chosen: dict[str, Any] = {"split": split, "name": name, "replace": replace, "device": device, "show": show}
    return learning.predict(folder, _folder(dataset), **chosen, choices=choices)


def reproduce(
    study: str,
    out: str | Path,
    *,
    scale: str = "tiny",
    rows: Sequence[str] | None = None,
    minutes: float | None = None,
    data: Folder | None = None,
    device: str = "auto",
    seed: int = 0,
    seeds: int = 1,
    workers: int = 1,
    at_once: int = 1,
    ray: str | None = None,
) -> Reproduced:
    """Make a published table again, as `ptr/table2`: data, training, answers, and our scores beside the paper's.

    scale : `tiny`, `small` or `full` · rows : only these · minutes : of training for each
    data : a dataset to take instead of making one · seeds : with how many each row is trained that learns
    at_once : rows that are trained side by side
    ray : address of a cluster that does it, each row and each set of questions a task
    """
    from mereo.workbench import reproducing
    from mereo.workbench.studies import plan_reproduction

    own = _folder(data) if data is not None else None
    chosen: dict[str, Any] = {"scale": scale, "rows": rows, "minutes": minutes, "device": device, "seed": seed}
    plan = plan_reproduction(study, out, **chosen, data=own, seeds=seeds)
    return reproducing.reproduce(plan, workers=workers, at_once=at_once, ray=ray)


def shape(category: str, *, family: int = 0, instance: int = 0, seed: int = 0, split: str = "train") -> Shape:
    """One object as a tree of named parts, made by its category's grammar: meters, z up, front towards -y.

    family : which design of the split; instance : which of the objects of that design
    """
    from mereo.shapes.grammar import make_shape

    return make_shape(category, seed=seed, split=split, family=family, instance=instance)


def render(
    layout: Layout, *, samples: int | None = None, seed: int = 0, renderer: str = "auto", denoise: str = "auto"
) -> Image:
    """A picture of a scene as a Pillow image, of the size that its camera has.

    layout : a scene as a value, such as `dataset.scenes[0].layout`
    samples : rays per pixel; seed : of their noise; renderer : `auto` takes the fastest that runs here
    denoise : `on`, `off`, or `auto`, which takes the grain out wherever that can be done
    """
    from mereo.datasets.picture_bytes import pillow
    from mereo.datasets.picture_settings import PictureSettings
    from mereo.scenes.render import Set

    chosen = PictureSettings.chosen(samples=samples, renderer=renderer, denoise=denoise)
    stage = Set(layout, renderer=chosen.renderer)
    picture: Image = pillow("Image").fromarray(stage.picture(samples=chosen.samples, seed=seed, denoise=chosen.denoise))
    return picture
